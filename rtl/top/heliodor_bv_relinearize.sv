// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_bv_relinearize: ciphertext products with BV relinearization, complete, as a stream. It
// takes ciphertexts and keys and returns, for each limb i, coefficient and ciphertext,
//
//   c0 = a0*b0 + sum_j d_j*key_b_j      c1 = a0*b1 + a1*b0 + sum_j d_j*key_a_j   mod q_i
//
// where d_j, made here, is limb j of c2 = a1*b1 as centred coefficients, back in evaluations modulo
// q_i; d_i is c2 itself. Two ciphertexts at a time are a group: first their c2, limb by limb, through
// the inverse transform into the digits; then, limb by limb, digits through the forward transform
// against key words, and last of all the products, with which the results leave.
//
// N from 8 to 4096, 2 to 16 limbs with L*N up to 49,152, batches of 1 to 64. Moduli, reciprocals,
// roots, operands and every rule of the frames are checked; a session that breaks one ends with a
// status word in place of the missing results, and the next RCPT begins a new one: rst_ni is for
// power-up alone. All outputs are registers.
//
// Twin model: heliodor/targets/stream/relinearize_model.h. Frames, cycles, resources: README.md.

`include "heliodor_assert.svh"

module heliodor_bv_relinearize (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
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
  localparam int unsigned WordWidth = heliodor_pkg::StreamWordWidth;
  localparam int unsigned LaneWidth = WordWidth / 2;
  localparam int unsigned IndexWidth = heliodor_pkg::NttIndexWidth;
  localparam int unsigned GroupWidth = heliodor_pkg::NttGroupWidth;
  localparam int unsigned Banks = 2 * heliodor_pkg::NttLanes;
  localparam int unsigned AddressWidth = $clog2(heliodor_pkg::RelinearizeDigitRows);
  localparam int unsigned FifoDepth = heliodor_pkg::StreamFifoDepth;
  localparam logic [2:0] Odd = 3'd4;

  logic                 head_valid, head_ready, head_last;
  logic [WordWidth-1:0] head_data;

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

  logic                  write_modulus, write_root, root_check, run, forward, clear;
  logic [3:0]            parser_limb, table_limb, unit_limb, store_limb, lift_limb, generator_limb;
  logic [3:0]            last_limb, log_degree;
  logic [Width-1:0]      parser_q, table_q, table_psi, unit_q, store_q, lift_q, limb_q;
  logic [MuWidth-1:0]    parser_mu, table_mu, unit_mu, limb_mu;

  assign table_limb = root_check ? parser_limb : generator_limb;

  heliodor_relinearize_profiles u_profiles (
    .clk_i,
    .write_modulus_i   (write_modulus),
    .write_root_i      (write_root),
    .write_index_i     (parser_limb),
    .q_i               (head_data[Width-1:0]),
    .mu_i              (head_data[LaneWidth+MuWidth-1:LaneWidth]),
    .psi_i             (head_data[Width-1:0]),
    .parser_index_i    (parser_limb),
    .parser_q_o        (parser_q),
    .parser_mu_o       (parser_mu),
    .table_index_i     (table_limb),
    .table_q_o         (table_q),
    .table_mu_o        (table_mu),
    .table_psi_o       (table_psi),
    .transform_index_i (unit_limb),
    .transform_q_o     (unit_q),
    .transform_mu_o    (unit_mu),
    .store_index_i     (store_limb),
    .store_q_o         (store_q),
    .lift_index_i      (lift_limb),
    .lift_q_o          (lift_q)
  );

  logic                  root_start, root_good, generator_busy, generator_start, generator_table;
  logic                  quiet, idle, pipeline_idle, page_free, result_ready, room;
  logic                  word_used, slot, single, first, begins, ends, final_word, error;
  logic [2:0]            kind;
  logic [IndexWidth-1:0] index;
  logic [WordWidth-1:0]  status;

  heliodor_relinearize_parser u_parser (
    .clk_i,
    .rst_ni,
    .head_valid_i    (head_valid),
    .head_ready_o    (head_ready),
    .head_data_i     (head_data),
    .head_last_i     (head_last),
    .write_modulus_o (write_modulus),
    .write_root_o    (write_root),
    .limb_o          (parser_limb),
    .table_q_i       (parser_q),
    .table_mu_i      (parser_mu),
    .root_check_o    (root_check),
    .root_start_o    (root_start),
    .root_busy_i     (generator_busy),
    .root_good_i     (root_good),
    .quiet_i         (quiet),
    .pipeline_idle_i (pipeline_idle),
    .page_free_i     (page_free),
    .result_ready_i  (result_ready),
    .room_i          (room),
    .clear_o         (clear),
    .run_o           (run),
    .forward_o       (forward),
    .last_limb_o     (last_limb),
    .log_degree_o    (log_degree),
    .q_o             (limb_q),
    .mu_o            (limb_mu),
    .use_o           (word_used),
    .kind_o          (kind),
    .slot_o          (slot),
    .single_o        (single),
    .first_o         (first),
    .begins_o        (begins),
    .ends_o          (ends),
    .final_o         (final_word),
    .index_o         (index),
    .error_o         (error),
    .status_o        (status)
  );

  logic                    unit_ready, unit_start, unit_inverse, unit_table, filled;
  logic [1:0]              unit_page, fill_page, drain_page, load_page;
  logic                    unload, store, load;
  logic [GroupWidth-1:0]   unload_row, load_row;
  logic [AddressWidth-1:0] store_address, load_address;

  heliodor_relinearize_sequencer u_sequencer (
    .clk_i,
    .rst_ni,
    .clear_i           (clear),
    .run_i             (run),
    .forward_i         (forward),
    .last_limb_i       (last_limb),
    .log_degree_i      (log_degree),
    .fill_start_i      (word_used && begins),
    .fill_last_i       (word_used && ends && kind == '0),
    .fill_written_i    (filled),
    .key_last_i        (word_used && ends && kind != '0),
    .page_free_o       (page_free),
    .fill_page_o       (fill_page),
    .result_ready_o    (result_ready),
    .drain_page_o      (drain_page),
    .generator_busy_i  (generator_busy),
    .generator_start_o (generator_start),
    .generator_limb_o  (generator_limb),
    .generator_table_o (generator_table),
    .unit_ready_i      (unit_ready),
    .unit_start_o      (unit_start),
    .unit_page_o       (unit_page),
    .unit_table_o      (unit_table),
    .unit_inverse_o    (unit_inverse),
    .unit_limb_o       (unit_limb),
    .unload_o          (unload),
    .unload_row_o      (unload_row),
    .store_o           (store),
    .store_address_o   (store_address),
    .store_limb_o      (store_limb),
    .load_address_o    (load_address),
    .lift_limb_o       (lift_limb),
    .load_o            (load),
    .load_page_o       (load_page),
    .load_row_o        (load_row),
    .idle_o            (idle)
  );

  logic                  twiddle_valid;
  logic [IndexWidth-1:0] twiddle_index;
  logic [Width-1:0]      twiddle;

  heliodor_ntt_twiddle_generator u_generator (
    .clk_i,
    .rst_ni,
    .start_i      (root_start || generator_start),
    .table_i      (generator_start),
    .log_degree_i (log_degree),
    .q_i          (table_q),
    .mu_i         (table_mu),
    .psi_i        (table_psi),
    .busy_o       (generator_busy),
    .root_o       (root_good),
    .write_o      (twiddle_valid),
    .index_o      (twiddle_index),
    .data_o       (twiddle)
  );

  logic [Banks*Width-1:0] page_words, lifted;
  logic [1:0]             word_page, key_page;
  logic [GroupWidth-1:0]  word_row, key_row;
  logic [Banks-1:0]       word_banks;
  logic [Width-1:0]       word_data;

  heliodor_ntt_paged_unit u_transforms (
    .clk_i,
    .rst_ni,
    .ready_o         (unit_ready),
    .start_valid_i   (unit_start),
    .start_page_i    (unit_page),
    .start_table_i   (unit_table),
    .inverse_i       (unit_inverse),
    .log_degree_i    (log_degree),
    .q_i             (unit_q),
    .mu_i            (unit_mu),
    .twiddle_valid_i (twiddle_valid),
    .twiddle_table_i (generator_table),
    .twiddle_index_i (twiddle_index),
    .twiddle_data_i  (twiddle),
    .write_banks_i   (load ? '1 : word_banks),
    .write_page_i    (load ? load_page : word_page),
    .write_row_i     (load ? load_row : word_row),
    .write_data_i    (load ? lifted : {Banks{word_data}}),
    .read_page_i     (unload ? drain_page : key_page),
    .read_row_i      (unload ? unload_row : key_row),
    .read_data_o     (page_words)
  );

  heliodor_relinearize_digits u_digits (
    .clk_i,
    .rst_ni,
    .write_i         (store),
    .write_address_i (store_address),
    .write_words_i   (page_words),
    .write_q_i       (store_q),
    .read_address_i  (load_address),
    .lift_q_i        (lift_q),
    .lifted_o        (lifted)
  );

  logic               result_valid, result_final;
  logic [2*Width-1:0] result;

  heliodor_relinearize_pipeline u_pipeline (
    .clk_i,
    .rst_ni,
    .op_valid_i     (word_used),
    .op_kind_i      (kind),
    .op_slot_i      (slot),
    .op_single_i    (single),
    .op_first_i     (first),
    .op_last_i      (ends),
    .op_final_i     (final_word),
    .op_page_i      (kind == '0 ? fill_page : drain_page),
    .op_index_i     (index),
    .op_data_i      ({head_data[LaneWidth+Width-1:LaneWidth], head_data[Width-1:0]}),
    .q_i            (limb_q),
    .mu_i           (limb_mu),
    .idle_o         (pipeline_idle),
    .read_page_o    (key_page),
    .read_row_o     (key_row),
    .read_data_i    (page_words),
    .write_banks_o  (word_banks),
    .write_page_o   (word_page),
    .write_row_o    (word_row),
    .write_data_o   (word_data),
    .filled_o       (filled),
    .result_valid_o (result_valid),
    .result_final_o (result_final),
    .result_o       (result)
  );

  // Output. Words in the queue or on their way into it; a status comes behind all results.
  logic [$clog2(FifoDepth):0] reserved_q, level_unused;
  logic                       status_pending_q, send_status, queue_ready_unused, queued, leaves;
  logic                       queue_last;
  logic [WordWidth-1:0]       status_q, queue_data;

  assign room = reserved_q != ($clog2(FifoDepth)+1)'(FifoDepth);
  assign send_status = status_pending_q && reserved_q == '0;
  assign quiet = idle && pipeline_idle && reserved_q == '0 && !status_pending_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reserved_q       <= '0;
      status_pending_q <= 1'b0;
    end else begin
      reserved_q <= reserved_q + ($clog2(FifoDepth)+1)'((word_used && kind == Odd) || send_status) -
                    ($clog2(FifoDepth)+1)'(queued && leaves);
      status_pending_q <= error || (status_pending_q && !send_status);
    end
  end

  always_ff @(posedge clk_i) if (error) status_q <= status;

  heliodor_stream_fifo u_queue (
    .clk_i,
    .rst_ni,
    .in_valid_i  (result_valid || send_status),
    .in_ready_o  (queue_ready_unused),
    .in_data_i   (send_status ? status_q : {LaneWidth'(result[2*Width-1:Width]),
                                            LaneWidth'(result[Width-1:0])}),
    .in_last_i   (send_status || result_final),
    .out_valid_o (queued),
    .out_ready_i (leaves),
    .out_data_o  (queue_data),
    .out_last_o  (queue_last),
    .level_o     (level_unused)
  );

  heliodor_stream_skid_buffer u_output (
    .clk_i,
    .rst_ni,
    .in_valid_i  (queued),
    .in_ready_o  (leaves),
    .in_data_i   (queue_data),
    .in_last_i   (queue_last),
    .out_valid_o,
    .out_ready_i,
    .out_data_o,
    .out_last_o
  );

  `HELIODOR_ASSERT(OneStatusAtATime, error, !status_pending_q)
  `HELIODOR_ASSERT(RoomForEveryResult, result_valid, queue_ready_unused)
  `HELIODOR_ASSERT(OneReader, unload, !word_used || kind != 3'd1)

endmodule : heliodor_bv_relinearize
