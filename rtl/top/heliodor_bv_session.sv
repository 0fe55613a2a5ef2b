// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_bv_session: ciphertext products with BV relinearization, as a stream. It takes profile
// frames (RLPT) and pair frames (RLMP) of the documented pynq_butterfly session protocol, two limbs
// in each 64-bit word, and returns for each pair, coefficient and slot
//
//   c0 = a0*b0 + sum_j digit_j*key_b_j      c1 = a0*b1 + a1*b0 + sum_j digit_j*key_a_j   mod q.
//
// Input runs at a word a clock and never waits while a coefficient has at least 2B + 9 words. Every
// rule of the protocol is checked, q, mu and all operands among them. A session that breaks one ends
// with a status word in place of the missing results, and the next RLPT begins a new one: rst_ni is
// for power-up alone. degree_i is read with the RLPT command.
//
// Each payload word has at most two products in each lane, so four multipliers do it all: a0*b0 and
// a1*b0 when b0 comes, a0*b1 when b1 comes, key_b*digit and key_a*digit when a digit comes. Products
// of one component are summed in one accumulator, so nothing is left to add at the output.
//
// Latency 11 from the last word of a coefficient to its first result. Twin model:
// heliodor/targets/stream/session_model.h. Frames, status word, resources: README.md.

`include "heliodor_assert.svh"

module heliodor_bv_session (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic [16:0]                              degree_i,
  input  logic                                     in_valid_i,
  output logic                                     in_ready_o,
  input  logic [heliodor_pkg::StreamWordWidth-1:0] in_data_i,
  input  logic                                     in_last_i,
  output logic                                     out_valid_o,
  input  logic                                     out_ready_i,
  output logic [heliodor_pkg::StreamWordWidth-1:0] out_data_o,
  output logic                                     out_last_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned MuWidth = heliodor_pkg::ModMulBarrettReciprocalWidth;
  localparam int unsigned LaneWidth = heliodor_pkg::StreamWordWidth / 2;
  localparam int unsigned Latency = heliodor_pkg::ModMulBarrettLatency;

  logic                                     head_valid, head_ready, head_last;
  logic [heliodor_pkg::StreamWordWidth-1:0] head_data;
  logic [2*Width-1:0]                       operand;
  logic [2*MuWidth-1:0]                     reciprocal;

  heliodor_stream_skid_buffer u_input (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o,
    .in_data_i,
    .in_last_i,
    .out_valid_o (head_valid),
    .out_ready_i (head_ready),
    .out_data_o  (head_data),
    .out_last_o  (head_last)
  );

  assign operand = {head_data[LaneWidth+Width-1:LaneWidth], head_data[Width-1:0]};
  assign reciprocal = {head_data[LaneWidth+MuWidth-1:LaneWidth], head_data[MuWidth-1:0]};

  logic                 write_q, write_mu;
  logic [2:0]           index, sum_pair;
  logic [2*Width-1:0]   table_q, q, sum_q;
  logic [2*MuWidth-1:0] table_mu, mu;

  heliodor_session_profiles u_profiles (
    .clk_i,
    .write_q_i   (write_q),
    .write_mu_i  (write_mu),
    .index_i     (index),
    .q_i         (operand),
    .mu_i        (reciprocal),
    .q_o         (table_q),
    .mu_o        (table_mu),
    .sum_index_i (sum_pair),
    .sum_q_o     (sum_q)
  );

  logic [1:0] occupied, ready;
  logic       quiet, commit, commit_final, bank, word_used, hold0, hold1, b0, b1, digit;
  logic [5:0] last_slot, slot;
  logic       error;
  logic [heliodor_pkg::StreamWordWidth-1:0] status;

  heliodor_session_parser u_parser (
    .clk_i,
    .rst_ni,
    .degree_i,
    .head_valid_i   (head_valid),
    .head_ready_o   (head_ready),
    .head_data_i    (head_data),
    .head_last_i    (head_last),
    .write_q_o      (write_q),
    .write_mu_o     (write_mu),
    .index_o        (index),
    .table_q_i      (table_q),
    .table_mu_i     (table_mu),
    .occupied_i     (occupied),
    .quiet_i        (quiet),
    .last_slot_o    (last_slot),
    .commit_o       (commit),
    .commit_final_o (commit_final),
    .bank_o         (bank),
    .use_o          (word_used),
    .hold0_o        (hold0),
    .hold1_o        (hold1),
    .b0_o           (b0),
    .b1_o           (b1),
    .digit_o        (digit),
    .slot_o         (slot),
    .q_o            (q),
    .mu_o           (mu),
    .error_o        (error),
    .status_o       (status)
  );

  // Operand registers: two that wait for their factor, and those of the products that start.
  logic [2*Width-1:0] hold0_q, hold1_q, left0_q, left1_q, factor_q;
  logic               issue_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) issue_q <= 1'b0;
    else         issue_q <= word_used && (b0 || b1 || digit);
  end

  always_ff @(posedge clk_i) begin
    if (word_used && hold0) hold0_q <= operand;
    if (word_used && hold1) hold1_q <= operand;
    left0_q  <= hold0_q;
    left1_q  <= b1 ? hold0_q : hold1_q;
    factor_q <= operand;
  end

  // What goes with the products, stage 0 beside the operand registers: whether c0 takes part (c1
  // always does), whether sums begin, whether the coefficient is complete, where, of which pair.
  localparam int unsigned TagWidth = 13;

  logic [TagWidth-1:0] tag_q [Latency+1];
  logic                tag_into0, tag_first, tag_complete, tag_bank;
  logic [5:0]          tag_slot;
  logic [Latency-1:0]  in_flight_q;

  always_ff @(posedge clk_i) begin
    tag_q[0] <= {!b1, b0, commit, bank, slot, index};
    for (int i = 1; i <= Latency; i++) tag_q[i] <= tag_q[i-1];
  end

  assign {tag_into0, tag_first, tag_complete, tag_bank, tag_slot, sum_pair} = tag_q[Latency];

  // Multiplier 2c + l makes the products of component c in lane l.
  logic [3:0]         product_valid;
  logic               products_valid;
  logic [4*Width-1:0] product;

  for (genvar component = 0; component < 2; component++) begin : gen_component
    for (genvar lane = 0; lane < 2; lane++) begin : gen_lane
      logic [Width-1:0] left;

      assign left = component == 0 ? left0_q[lane*Width +: Width] : left1_q[lane*Width +: Width];

      heliodor_mod_mul_barrett u_multiplier (
        .clk_i,
        .rst_ni,
        .valid_i (issue_q),
        .a_i     (left),
        .b_i     (factor_q[lane*Width +: Width]),
        .q_i     (q[lane*Width +: Width]),
        .mu_i    (mu[lane*MuWidth +: MuWidth]),
        .valid_o (product_valid[2*component+lane]),
        .p_o     (product[(2*component+lane)*Width +: Width])
      );
    end
  end

  assign products_valid = &product_valid;

  logic               drain_bank, status_pending, sums_valid_q, complete_q, complete_bank_q;
  logic [5:0]         drain_slot;
  logic [4*Width-1:0] drain_sum;

  for (genvar component = 0; component < 2; component++) begin : gen_accumulator
    heliodor_session_accumulator u_accumulator (
      .clk_i,
      .rst_ni,
      .valid_i      (products_valid && (component == 1 || tag_into0)),
      .first_i      (tag_first),
      .bank_i       (tag_bank),
      .slot_i       (tag_slot),
      .product_i    (product[component*2*Width +: 2*Width]),
      .q_i          (sum_q),
      .drain_i      (ready),
      .drain_bank_i (drain_bank),
      .drain_slot_i (drain_slot),
      .drain_sum_o  (drain_sum[component*2*Width +: 2*Width])
    );
  end

  // Beside the accumulators' adders.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_flight_q  <= '0;
      sums_valid_q <= 1'b0;
      complete_q   <= 1'b0;
    end else begin
      in_flight_q  <= {in_flight_q[Latency-2:0], issue_q};
      sums_valid_q <= products_valid;
      complete_q   <= products_valid && tag_complete;
    end
  end

  always_ff @(posedge clk_i) complete_bank_q <= tag_bank;

  assign quiet = !issue_q && in_flight_q == '0 && !sums_valid_q && occupied == '0 &&
                 !status_pending;

  heliodor_session_drain u_drain (
    .clk_i,
    .rst_ni,
    .last_slot_i      (last_slot),
    .commit_i         (commit),
    .commit_bank_i    (bank),
    .commit_final_i   (commit_final),
    .complete_i       (complete_q),
    .complete_bank_i  (complete_bank_q),
    .status_valid_i   (error),
    .status_i         (status),
    .occupied_o       (occupied),
    .ready_o          (ready),
    .status_pending_o (status_pending),
    .bank_o           (drain_bank),
    .slot_o           (drain_slot),
    .sum0_i           (drain_sum[2*Width-1:0]),
    .sum1_i           (drain_sum[4*Width-1:2*Width]),
    .out_valid_o,
    .out_ready_i,
    .out_data_o,
    .out_last_o
  );

  `HELIODOR_ASSERT(TagsMeetProducts, 1'b1, product_valid == {4{in_flight_q[Latency-1]}})

endmodule : heliodor_bv_session
