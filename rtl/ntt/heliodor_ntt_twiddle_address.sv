// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_ntt_twiddle_address: where the twiddles of a group stand. Combinational.
//
// Butterfly k of a group needs number twiddle ^ k, ^ k[0] or ^ 0 as two, one or none of the group's
// other free bits stand above the stage (above_o masks k); the inverse takes the mirror image below
// the leading one. Four neighbours stand in one row of four banks: number_o's low two bits are the
// bank of butterfly 0, the others the row.
//
// Part of the NTT units. Requires stage_i in [base_i, base_i + 2], below log_degree_i.

module heliodor_ntt_twiddle_address (
  input  logic [heliodor_pkg::NttGroupWidth-1:0] group_i,
  input  logic [3:0]                             base_i,
  input  logic [3:0]                             stage_i,
  input  logic [3:0]                             log_degree_i,
  input  logic                                   inverse_i,
  output logic [heliodor_pkg::NttIndexWidth-1:0] number_o,
  output logic [1:0]                             above_o
);

  localparam int unsigned IndexWidth = heliodor_pkg::NttIndexWidth;

  logic [IndexWidth-1:0] index, below, mirror;
  logic [3:0]            stage_in_group;

  assign below = (IndexWidth'(1) << base_i) - IndexWidth'(1);
  assign index = (IndexWidth'(group_i) & below) | ((IndexWidth'(group_i) & ~below) << 3);
  assign mirror =
      inverse_i ? (IndexWidth'(1) << (log_degree_i - stage_i - 4'd1)) - IndexWidth'(1) : '0;
  // The number is (N + index) / 2^(stage + 1), or its mirror image.
  assign number_o = (((IndexWidth'(1) << (log_degree_i - 4'd1)) | (index >> 1)) >> stage_i) ^
                    mirror;
  assign stage_in_group = stage_i - base_i;
  assign above_o = stage_in_group == 4'd0 ? 2'b11 : stage_in_group == 4'd1 ? 2'b01 : 2'b00;

endmodule : heliodor_ntt_twiddle_address
