// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// What is proved of heliodor_mod_mul_barrett, at the reduced widths below, for every modulus of the
// width and all operands: the result, one latency later, is a*b mod q, below q. This holds only if
// the quotient estimate is never too large and at most 1 too small, and if no tile is lost.
//
// prove: source modmul/heliodor_mod_mul_barrett.sv
// prove: set ModMulBarrettWidth 4
// prove: set ModMulBarrettDroppedBits 1
// prove: set DspWideWidth 3
// prove: set DspNarrowWidth 2
// prove: engine smtbmc 10

module heliodor_mod_mul_barrett_formal (
  input logic                                                  clk_i,
  input logic [heliodor_pkg::ModMulBarrettWidth-1:0]           a_i,
  input logic [heliodor_pkg::ModMulBarrettWidth-1:0]           b_i,
  input logic [heliodor_pkg::ModMulBarrettWidth-1:0]           q_i,
  input logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_i
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned Wider = 2 * Width + 2;

  // Operands are any, taken in clock 0 and held.
  logic             started_q = 1'b0;
  logic [Width-1:0] a, b, q;
  logic [Width:0]   mu;
  logic             valid;
  logic [Width-1:0] p;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) begin
      a  <= a_i;
      b  <= b_i;
      q  <= q_i;
      mu <= mu_i;
    end
  end

  heliodor_mod_mul_barrett u_multiplier (
    .clk_i,
    .rst_ni(started_q),
    .valid_i(started_q),
    .a_i(a),
    .b_i(b),
    .q_i(q),
    .mu_i(mu),
    .valid_o(valid),
    .p_o(p)
  );

  logic accepted;

  assign accepted = q[Width-1] && q[Width-2:0] != '0 && a < q && b < q &&
                    Wider'(mu) * Wider'(q) <= (Wider'(1) << (2 * Width)) &&
                    (Wider'(mu) + Wider'(1)) * Wider'(q) > (Wider'(1) << (2 * Width));

  // The operands stand from clock 1 on; a result must stand there in clock 8.
  logic [3:0] clock_q = '0;

  always_ff @(posedge clk_i) if (clock_q != 4'd15) clock_q <= clock_q + 4'd1;

  always_comb begin
    if (clock_q == 4'd8) ResultInTime : assert (valid);
    if (valid && accepted) begin
      ProductReduced : assert (Wider'(p) == Wider'(a) * Wider'(b) % Wider'(q));
    end
  end

endmodule : heliodor_mod_mul_barrett_formal
