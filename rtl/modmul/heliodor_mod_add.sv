// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_mod_add: r = a + b mod q.
//
// Requires a < q and b < q where valid_i is high; any q < 2^Width. Latency 1, initiation interval
// 1, no back-pressure. rst_ni clears the valid bit only.
//
// Twin model: heliodor/targets/machine/pe/mod_add.h

`include "heliodor_assert.svh"

module heliodor_mod_add #(
  parameter int unsigned Width = heliodor_pkg::ModAddWidth
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] q_i,
  output logic             valid_o,
  output logic [Width-1:0] r_o
);

  logic [Width:0]   sum;
  logic [Width+1:0] difference;  // its top bit tells that the sum is below q

  assign sum = (Width+1)'(a_i) + (Width+1)'(b_i);
  assign difference = (Width+2)'(sum) - (Width+2)'(q_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else         valid_o <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    r_o <= difference[Width+1] ? sum[Width-1:0] : difference[Width-1:0];
  end

  `HELIODOR_ASSERT(FirstOperandReduced, valid_i, a_i < q_i)
  `HELIODOR_ASSERT(SecondOperandReduced, valid_i, b_i < q_i)

endmodule : heliodor_mod_add
