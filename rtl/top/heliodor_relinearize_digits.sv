// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_relinearize_digits: the digits of two ciphertexts, and their way in and out.
//
// A digit is a limb's coefficients, centred: v stays v up to floor(q/2) and is v - q above. All q are
// in (2^29, 2^30), so a centred v has 30 bits and lifting it to another limb is one addition: of that
// limb's q if v is negative. Which order the words of a row have does not matter here.
//
// Writing: words, valid and q stand together; the row is stored two clocks later. Reading: read_i
// and an address, four clocks later the lifted row. lift_q_i belongs to the row read three clocks ago.

`include "heliodor_assert.svh"

module heliodor_relinearize_digits (
  input  logic                                                                   clk_i,
  input  logic                                                                   rst_ni,
  input  logic                                                                   write_i,
  input  logic [$clog2(heliodor_pkg::RelinearizeDigitRows)-1:0]                  write_address_i,
  input  logic [2*heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0]   write_words_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]                            write_q_i,
  input  logic [$clog2(heliodor_pkg::RelinearizeDigitRows)-1:0]                  read_address_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]                            lift_q_i,
  output logic [2*heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0]   lifted_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned Words = heliodor_pkg::NttChannels * heliodor_pkg::NttLanes;
  localparam int unsigned Rows = heliodor_pkg::RelinearizeDigitRows;
  localparam int unsigned AddressWidth = $clog2(Rows);

  logic                    write_q;
  logic [AddressWidth-1:0] write_address_q, read_address_q;
  logic [Words*Width-1:0]  centred_d, centred_q, stored_q, held_q;

  for (genvar word = 0; word < Words; word++) begin : gen_word
    logic [Width-1:0] v, negative, positive;

    assign v = write_words_i[word*Width+:Width];
    assign negative = v - write_q_i;
    assign centred_d[word*Width+:Width] = v > (write_q_i >> 1) ? negative : v;
    assign positive = held_q[word*Width+:Width] +
                      (lift_q_i & {Width{held_q[word*Width+Width-1]}});
    always_ff @(posedge clk_i) lifted_o[word*Width+:Width] <= positive;

    `HELIODOR_ASSERT(DigitReduced, write_i, v < write_q_i)
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_q <= 1'b0;
    else         write_q <= write_i;
  end

  always_ff @(posedge clk_i) begin
    write_address_q <= write_address_i;
    centred_q       <= centred_d;
    read_address_q  <= read_address_i;
    held_q          <= stored_q;
  end

  logic [Words*Width-1:0] memory [Rows];

  always_ff @(posedge clk_i) begin
    if (write_q) memory[write_address_q] <= centred_q;
    stored_q <= memory[read_address_q];
  end

endmodule : heliodor_relinearize_digits
