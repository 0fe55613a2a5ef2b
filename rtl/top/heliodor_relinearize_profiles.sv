// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_relinearize_profiles: modulus, reciprocal and root of up to 16 limbs.
//
// Written field by field at write_index_i. Read without a clock by the parser, the twiddle generator,
// the transforms, and the two ways of the digits.

module heliodor_relinearize_profiles (
  input  logic                                                  clk_i,
  input  logic                                                  write_modulus_i,
  input  logic                                                  write_root_i,
  input  logic [3:0]                                            write_index_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           psi_i,
  input  logic [3:0]                                            parser_index_i,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           parser_q_o,
  output logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] parser_mu_o,
  input  logic [3:0]                                            table_index_i,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           table_q_o,
  output logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] table_mu_o,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           table_psi_o,
  input  logic [3:0]                                            transform_index_i,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           transform_q_o,
  output logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] transform_mu_o,
  input  logic [3:0]                                            store_index_i,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           store_q_o,
  input  logic [3:0]                                            lift_index_i,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           lift_q_o
);

  localparam int unsigned Limbs = heliodor_pkg::RelinearizeMaxLimbs;

  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           moduli [Limbs];
  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] reciprocals [Limbs];
  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           roots [Limbs];

  assign parser_q_o = moduli[parser_index_i];
  assign parser_mu_o = reciprocals[parser_index_i];
  assign table_q_o = moduli[table_index_i];
  assign table_mu_o = reciprocals[table_index_i];
  assign table_psi_o = roots[table_index_i];
  assign transform_q_o = moduli[transform_index_i];
  assign transform_mu_o = reciprocals[transform_index_i];
  assign store_q_o = moduli[store_index_i];
  assign lift_q_o = moduli[lift_index_i];

  always_ff @(posedge clk_i) begin
    if (write_modulus_i) begin
      moduli[write_index_i]      <= q_i;
      reciprocals[write_index_i] <= mu_i;
    end
    if (write_root_i) roots[write_index_i] <= psi_i;
  end

endmodule : heliodor_relinearize_profiles
