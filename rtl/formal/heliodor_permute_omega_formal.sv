// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// What is proved of heliodor_permute_omega, for every b, c and odd a, at the reduced size below:
// lane i comes out at lane ((i*a + b) mod Lanes) xor c, one latency later. A word is its lane's
// number, and a, b and c are held, so the first results tell all.
//
// prove: source permute/heliodor_permute_omega.sv
// prove: engine bmc 8

module heliodor_permute_omega_formal (
  input logic       clk_i,
  input logic [3:0] a_i,
  input logic [3:0] b_i,
  input logic [3:0] c_i
);

  localparam int unsigned Lanes = 16;
  localparam int unsigned IndexWidth = 4;

  logic [IndexWidth-1:0]       a, b, c;
  logic                        started_q = 1'b0;
  logic [Lanes*IndexWidth-1:0] numbers, arrived;
  logic                        valid;

  // A factor, offset and mask, taken in clock 0 and held.
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!started_q) begin
      a <= {a_i[IndexWidth-1:1], 1'b1};
      b <= b_i;
      c <= c_i;
    end
  end

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_number
    assign numbers[lane*IndexWidth+:IndexWidth] = IndexWidth'(lane);
  end

  heliodor_permute_omega #(.Lanes(Lanes), .Width(IndexWidth)) u_network (
    .clk_i,
    .rst_ni(started_q),
    .valid_i(started_q),
    .a_i(a),
    .b_i(b),
    .c_i(c),
    .data_i(numbers),
    .valid_o(valid),
    .data_o(arrived)
  );

  // The first operands are taken in clock 1; a result must stand there in clock 6.
  logic [2:0] clock_q = '0;

  always_ff @(posedge clk_i) if (clock_q != 3'd7) clock_q <= clock_q + 3'd1;

  always_comb begin
    if (clock_q == 3'd6) ResultInTime : assert (valid);
  end

  logic [Lanes-1:0] astray;

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_check
    logic [IndexWidth-1:0] target;

    assign target = (IndexWidth'(lane) * a + b) ^ c;
    assign astray[lane] = IndexWidth'(arrived >> ({2'b0, target} * 6'd4)) != IndexWidth'(lane);
  end

  always_comb begin
    if (valid) LanesAtTheirTargets : assert (astray == '0);
  end

endmodule : heliodor_permute_omega_formal
