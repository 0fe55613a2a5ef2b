// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// What is proved of heliodor_ntt_bank_address, at its full size, for every group and base: each of
// the group's eight indices stands in the row that is given for its bank, so the eight banks serve
// the eight words in one clock, and the free bits of the word in a bank are its number xor hash.
//
// prove: source ntt/heliodor_ntt_bank_address.sv
// prove: engine pdr

module heliodor_ntt_bank_address_formal (
  input logic       clk_i,
  input logic [8:0] group_i,
  input logic [3:0] base_i,
  input logic [2:0] lane_i
);

  logic [2:0]  hash;
  logic [71:0] rows;

  heliodor_ntt_bank_address u_address (
    .group_i,
    .base_i,
    .hash_o(hash),
    .rows_o(rows)
  );

  // The index of a lane, and its bank by the definition: the parities of its bits modulo 3.
  logic [11:0] index;
  logic [2:0]  bank, free;

  always_comb begin
    index = '0;
    free = '0;
    for (int i = 0; i < 12; i++) begin
      if (4'(i) < base_i)               index[i] = group_i[i % 9];
      else if (4'(i) < base_i + 4'd3) index[i] = lane_i[2'(4'(i) - base_i)];
      else                             index[i] = group_i[(i + 6) % 9];
      if (4'(i) >= base_i && 4'(i) < base_i + 4'd3) free[i % 3] = index[i];
    end
    bank[0] = index[0] ^ index[3] ^ index[6] ^ index[9];
    bank[1] = index[1] ^ index[4] ^ index[7] ^ index[10];
    bank[2] = index[2] ^ index[5] ^ index[8] ^ index[11];
  end

  always_comb begin
    if (base_i <= 4'd9) begin
      RowOfItsBank : assert (9'(rows >> (7'(bank) * 7'd9)) == index[11:3]);
      BankOfItsFreeBits : assert (bank == (free ^ hash));
    end
  end

endmodule : heliodor_ntt_bank_address_formal
