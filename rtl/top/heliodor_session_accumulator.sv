// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_session_accumulator: sums of products, for two lanes and 64 slots in each of two banks.
//
// Takes a product every clock: sum[bank][slot] = (first ? 0 : sum[bank][slot]) + product mod q. The
// sum is in memory two clocks later: one to read, one to add and write. A product for the slot that
// is being added in the same clock gets that sum from the adder, so equal slots may follow each
// other at any distance.
//
// drain_sum_o is sum[drain_bank_i][drain_slot_i], without a clock. A bank with its drain_i bit set
// is read at drain_slot_i and may take no products. Products and sums are below q.

`include "heliodor_assert.svh"

module heliodor_session_accumulator (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  logic                                          valid_i,
  input  logic                                          first_i,
  input  logic                                          bank_i,
  input  logic [5:0]                                    slot_i,
  input  logic [2*heliodor_pkg::ModMulBarrettWidth-1:0] product_i,
  input  logic [2*heliodor_pkg::ModMulBarrettWidth-1:0] q_i,
  input  logic [1:0]                                    drain_i,
  input  logic                                          drain_bank_i,
  input  logic [5:0]                                    drain_slot_i,
  output logic [2*heliodor_pkg::ModMulBarrettWidth-1:0] drain_sum_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned Slots = 64;

  logic               valid_q, bank_q;
  logic [5:0]         slot_q;
  logic [2*Width-1:0] addend_q, product_q, modulus_q;
  logic [2*Width-1:0] sum, previous;
  logic [4*Width-1:0] stored;  // bank 1, bank 0
  logic               forward;

  for (genvar bank = 0; bank < 2; bank++) begin : gen_bank
    logic [2*Width-1:0] memory [Slots];
    logic [5:0]         read_slot;

    assign read_slot = drain_i[bank] ? drain_slot_i : slot_i;
    assign stored[bank*2*Width +: 2*Width] = memory[read_slot];

    always_ff @(posedge clk_i) begin
      if (valid_q && bank_q == 1'(bank)) memory[slot_q] <= sum;
    end
  end

  assign drain_sum_o = drain_bank_i ? stored[4*Width-1:2*Width] : stored[2*Width-1:0];
  assign previous = bank_i ? stored[4*Width-1:2*Width] : stored[2*Width-1:0];
  assign forward = valid_q && bank_q == bank_i && slot_q == slot_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    bank_q    <= bank_i;
    slot_q    <= slot_i;
    product_q <= product_i;
    modulus_q <= q_i;
    addend_q  <= first_i ? '0 : (forward ? sum : previous);
  end

  for (genvar lane = 0; lane < 2; lane++) begin : gen_lane
    logic [Width-1:0] addend, product, modulus;
    logic [Width:0]   total;
    logic [Width+1:0] reduced;

    assign addend = addend_q[lane*Width +: Width];
    assign product = product_q[lane*Width +: Width];
    assign modulus = modulus_q[lane*Width +: Width];
    assign total = {1'b0, addend} + {1'b0, product};
    // Negative, which its top bit tells, if total is below the modulus.
    assign reduced = {1'b0, total} - {2'b00, modulus};
    assign sum[lane*Width +: Width] = reduced[Width+1] ? total[Width-1:0] : reduced[Width-1:0];

    `HELIODOR_ASSERT(AddendReduced, valid_q, addend < modulus)
    `HELIODOR_ASSERT(ProductReduced, valid_q, product < modulus)
  end

  `HELIODOR_ASSERT(NoProductForDrainedBank, valid_i, !drain_i[bank_i])

endmodule : heliodor_session_accumulator
