// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_ntt_bank_address: where the eight words of a group stand in eight banks. Combinational.
//
// Index i stands in row i >> 3 of bank i[2:0] ^ i[5:3] ^ i[8:6] ^ i[11:9]: bank bit k is the parity
// of the index bits at positions k modulo 3. A group is the eight indices that share all bits but
// base_i to base_i + 2; group_i is those shared bits. The three positions differ modulo 3, so the
// eight words stand in eight different banks: bank b holds the one whose free bits, read by their
// positions modulo 3, are b ^ hash_o.
//
// Part of heliodor_ntt_unit. Requires base_i at most 9.

module heliodor_ntt_bank_address (
  input  logic [heliodor_pkg::NttGroupWidth-1:0]                           group_i,
  input  logic [3:0]                                                       base_i,
  output logic [2:0]                                                       hash_o,
  output logic [heliodor_pkg::NttLanes*heliodor_pkg::NttGroupWidth-1:0]    rows_o
);

  localparam int unsigned IndexWidth = heliodor_pkg::NttIndexWidth;
  localparam int unsigned GroupWidth = heliodor_pkg::NttGroupWidth;
  localparam int unsigned Lanes = heliodor_pkg::NttLanes;

  logic [GroupWidth-1:0] window;  // ones at the free bits that a row has, those from position 3
  logic [IndexWidth-1:0] below;   // ones below them
  logic [IndexWidth-1:0] index;   // of the word whose free bits are zero

  assign window = GroupWidth'((IndexWidth'(7) << base_i) >> 3);
  assign below = (IndexWidth'(1) << base_i) - IndexWidth'(1);
  assign index = (IndexWidth'(group_i) & below) | ((IndexWidth'(group_i) & ~below) << 3);
  assign hash_o = index[2:0] ^ index[5:3] ^ index[8:6] ^ index[11:9];

  for (genvar bank = 0; bank < Lanes; bank++) begin : gen_bank
    logic [2:0] free;

    assign free = 3'(bank) ^ hash_o;
    assign rows_o[bank*GroupWidth+:GroupWidth] =
        index[IndexWidth-1:3] | (window & {3{free}});
  end

endmodule : heliodor_ntt_bank_address
