// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_session_profiles: the moduli and reciprocals of up to eight pairs of limbs.
//
// Written half by half at index_i. Read without a clock at two places: everything at index_i, the
// moduli alone at sum_index_i. Lane 0 stands in the low half of each port.

module heliodor_session_profiles (
  input  logic                                                    clk_i,
  input  logic                                                    write_q_i,
  input  logic                                                    write_mu_i,
  input  logic [2:0]                                              index_i,
  input  logic [2*heliodor_pkg::ModMulBarrettWidth-1:0]           q_i,
  input  logic [2*heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_i,
  output logic [2*heliodor_pkg::ModMulBarrettWidth-1:0]           q_o,
  output logic [2*heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_o,
  input  logic [2:0]                                              sum_index_i,
  output logic [2*heliodor_pkg::ModMulBarrettWidth-1:0]           sum_q_o
);

  logic [2*heliodor_pkg::ModMulBarrettWidth-1:0]           moduli [8];
  logic [2*heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] reciprocals [8];

  assign q_o = moduli[index_i];
  assign mu_o = reciprocals[index_i];
  assign sum_q_o = moduli[sum_index_i];

  always_ff @(posedge clk_i) begin
    if (write_q_i)  moduli[index_i] <= q_i;
    if (write_mu_i) reciprocals[index_i] <= mu_i;
  end

endmodule : heliodor_session_profiles
