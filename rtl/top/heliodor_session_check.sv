// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_session_check: do the reciprocals of moduli belong to them?
//
// For each lane, whether 2^60 - q < mu*q <= 2^60, that is mu = floor(2^60 / q). The products are
// formed by shifting and adding, one bit of mu a clock, so no DSP is spent on what happens once in
// a session. start_i takes mu_i; q_i must hold still until done_o.
//
// done_o is high from 32 clocks after start_i on, until the next start; belongs_o has meaning then.

module heliodor_session_check #(
  parameter int unsigned Lanes = 2
) (
  input  logic                                                        clk_i,
  input  logic                                                        rst_ni,
  input  logic                                                        start_i,
  input  logic [Lanes*heliodor_pkg::ModMulBarrettWidth-1:0]           q_i,
  input  logic [Lanes*heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_i,
  output logic                                                        done_o,
  output logic                                                        belongs_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned MuWidth = heliodor_pkg::ModMulBarrettReciprocalWidth;
  localparam int unsigned ProductWidth = Width + MuWidth;
  localparam int unsigned CountWidth = $clog2(MuWidth + 1);

  logic [CountWidth-1:0] left_q;
  logic [Lanes-1:0]      belongs;

  assign done_o = left_q == '0;
  assign belongs_o = &belongs;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      left_q <= '0;
    else if (start_i) left_q <= CountWidth'(MuWidth);
    else if (!done_o) left_q <= left_q - 1'b1;
  end

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    logic [Width-1:0]        q;
    logic [MuWidth-1:0]      mu_q;
    logic [ProductWidth-1:0] product_q, rest;

    assign q = q_i[lane*Width +: Width];
    // If mu is too large the rest is negative, which wraps to more than any q.
    assign rest = (ProductWidth'(1) << (2*Width)) - product_q;
    assign belongs[lane] = rest < ProductWidth'(q);

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        mu_q      <= mu_i[lane*MuWidth +: MuWidth];
        product_q <= '0;
      end else if (!done_o) begin
        mu_q      <= mu_q << 1;
        product_q <= (product_q << 1) + (mu_q[MuWidth-1] ? ProductWidth'(q) : '0);
      end
    end
  end

endmodule : heliodor_session_check
