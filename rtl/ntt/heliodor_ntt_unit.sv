// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_ntt_unit: negacyclic NTT and its inverse, in place, with four butterflies.
//
// Holds N = 2^log_degree words (8 to 4096) in eight banks and a table of N twiddles in four. Every
// clock a group of eight words goes through the butterflies and back; the bank hash of
// heliodor_ntt_bank_address makes every group of every stage free of conflicts.
//
//   forward: coefficients in natural order -> slot i holds the value at psi^(2*bitrev(i) + 1)
//   inverse: back, division by N included
//
// Both directions use one table: twiddle k = psi^bitrev(k), bitrev over log_degree bits, k > 0.
//
// While ready_o is high, a clock takes any of: a twiddle, a row of eight words to write (word j of
// row r has index 8r + j), a row to read, and a start. What is written can be read or transformed
// from the next clock on. read_data_o leaves three clocks after its row was asked for.
//
// Requires, where start is taken: 3 <= log_degree_i <= 12; the Barrett multiplier's conditions on
// q_i and mu_i; q_i odd; every word and twiddle below q_i.
//
// rst_ni makes it ready; a transform that it interrupts leaves the words undefined.
//
// Twin model: heliodor/targets/machine/pe/ntt_unit.h

`include "heliodor_assert.svh"

module heliodor_ntt_unit (
  input  logic                                                                clk_i,
  input  logic                                                                rst_ni,
  output logic                                                                ready_o,
  input  logic                                                                start_valid_i,
  input  logic                                                                inverse_i,
  input  logic [3:0]                                                          log_degree_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]                         q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0]               mu_i,
  input  logic                                                                twiddle_valid_i,
  input  logic [heliodor_pkg::NttIndexWidth-1:0]                              twiddle_index_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]                         twiddle_data_i,
  input  logic                                                                write_valid_i,
  input  logic [heliodor_pkg::NttGroupWidth-1:0]                              write_row_i,
  input  logic [heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0]  write_data_i,
  input  logic                                                                read_valid_i,
  input  logic [heliodor_pkg::NttGroupWidth-1:0]                              read_row_i,
  output logic                                                                read_valid_o,
  output logic [heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0]  read_data_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned ReciprocalWidth = heliodor_pkg::ModMulBarrettReciprocalWidth;
  localparam int unsigned IndexWidth = heliodor_pkg::NttIndexWidth;
  localparam int unsigned GroupWidth = heliodor_pkg::NttGroupWidth;
  localparam int unsigned Lanes = heliodor_pkg::NttLanes;
  localparam int unsigned Butterflies = Lanes / 2;
  localparam int unsigned TwiddleRowWidth = IndexWidth - 2;
  // Clocks from the issue of a group to its results.
  localparam int unsigned ResultDelay =
      heliodor_pkg::NttUnitReadLatency + heliodor_pkg::NttButterflyLatency;

  // What is issued: a group of the running transform, or a row that is read from outside.
  logic                       issue, inverse, read;
  logic [3:0]                 log_degree, stage, base, issued_base;
  logic [GroupWidth-1:0]      group, issued_group;
  logic [1:0]                 issued_turn;
  logic [Width-1:0]           q_q;
  logic [ReciprocalWidth-1:0] mu_q;

  heliodor_ntt_schedule u_schedule (
    .clk_i,
    .rst_ni,
    .start_i(start_valid_i),
    .inverse_i,
    .log_degree_i,
    .ready_o,
    .issue_o(issue),
    .inverse_o(inverse),
    .log_degree_o(log_degree),
    .stage_o(stage),
    .base_o(base),
    .group_o(group)
  );

  assign read = ready_o && read_valid_i;
  assign issued_group = ready_o ? read_row_i : group;
  assign issued_base = ready_o ? '0 : base;
  assign issued_turn = ready_o ? '0 : 2'(stage % 4'd3);

  always_ff @(posedge clk_i) begin
    if (ready_o && start_valid_i) begin
      q_q  <= q_i;
      mu_q <= mu_i;
    end
  end

  // The valid bits of three clocks: addresses, words from the banks, words in their lanes.
  logic [2:0] issue_q, read_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issue_q <= '0;
      read_q  <= '0;
    end else begin
      issue_q <= {issue_q[1:0], issue};
      read_q  <= {read_q[1:0], read};
    end
  end

  assign read_valid_o = read_q[2];

  logic [2:0]                  hash_d, hash1_q, hash2_q;
  logic [1:0]                  turn1_q, turn2_q;
  logic [Lanes*GroupWidth-1:0] rows_d, rows1_q;

  heliodor_ntt_bank_address u_read_address (
    .group_i(issued_group),
    .base_i(issued_base),
    .hash_o(hash_d),
    .rows_o(rows_d)
  );

  always_ff @(posedge clk_i) begin
    rows1_q <= rows_d;
    hash1_q <= hash_d;
    turn1_q <= issued_turn;
    hash2_q <= hash1_q;
    turn2_q <= turn1_q;
  end

  // Twiddles: four banks, a row of neighbours at a time.
  logic [IndexWidth-1:0]        twiddle_d;
  logic [1:0]                   above_d, above1_q, above2_q;
  logic [1:0]                   twiddle_bank1_q, twiddle_bank2_q;
  logic [TwiddleRowWidth-1:0]   twiddle_row1_q;
  logic [Butterflies*Width-1:0] twiddles2;

  heliodor_ntt_twiddle_address u_twiddle_address (
    .group_i(group),
    .base_i(base),
    .stage_i(stage),
    .log_degree_i(log_degree),
    .inverse_i(inverse),
    .number_o(twiddle_d),
    .above_o(above_d)
  );

  always_ff @(posedge clk_i) begin
    twiddle_row1_q  <= twiddle_d[IndexWidth-1:2];
    twiddle_bank1_q <= twiddle_d[1:0];
    above1_q        <= above_d;
    twiddle_bank2_q <= twiddle_bank1_q;
    above2_q        <= above1_q;
  end

  for (genvar bank = 0; bank < Butterflies; bank++) begin : gen_twiddle_bank
    logic [Width-1:0] memory [2**TwiddleRowWidth];
    logic [Width-1:0] word_q;

    always_ff @(posedge clk_i) begin
      if (ready_o && twiddle_valid_i && twiddle_index_i[1:0] == 2'(bank)) begin
        memory[twiddle_index_i[IndexWidth-1:2]] <= twiddle_data_i;
      end
      word_q <= memory[twiddle_row1_q];
    end

    assign twiddles2[bank*Width+:Width] = word_q;
  end

  // Words: eight banks.
  logic                        write_q;
  logic [Lanes*GroupWidth-1:0] write_rows_q;
  logic [Lanes*Width-1:0]      write_words_q, words2;

  for (genvar bank = 0; bank < Lanes; bank++) begin : gen_bank
    logic [Width-1:0] memory [2**GroupWidth];
    logic [Width-1:0] word_q;

    always_ff @(posedge clk_i) begin
      if (write_q) begin
        memory[write_rows_q[bank*GroupWidth+:GroupWidth]] <= write_words_q[bank*Width+:Width];
      end
      word_q <= memory[rows1_q[bank*GroupWidth+:GroupWidth]];
    end

    assign words2[bank*Width+:Width] = word_q;
  end

  // Butterflies. Rows written from outside share the way from lanes to banks.
  logic                              results_valid;
  logic [ResultDelay*GroupWidth-1:0] group_delay_q;
  logic [ResultDelay*4-1:0]          base_delay_q;
  logic [ResultDelay*2-1:0]          turn_delay_q;
  logic [GroupWidth-1:0]             result_group;
  logic [3:0]                        result_base;
  logic [1:0]                        result_turn;
  logic [2:0]                        write_hash;
  logic [Lanes*GroupWidth-1:0]       write_rows_d;

  always_ff @(posedge clk_i) begin
    group_delay_q <= {group_delay_q[(ResultDelay-1)*GroupWidth-1:0], group};
    base_delay_q  <= {base_delay_q[(ResultDelay-1)*4-1:0], base};
    turn_delay_q  <= {turn_delay_q[(ResultDelay-1)*2-1:0], issued_turn};
  end

  assign result_group = ready_o ? write_row_i : group_delay_q[ResultDelay*GroupWidth-1-:GroupWidth];
  assign result_base = ready_o ? '0 : base_delay_q[ResultDelay*4-1-:4];
  assign result_turn = ready_o ? '0 : turn_delay_q[ResultDelay*2-1-:2];

  heliodor_ntt_bank_address u_write_address (
    .group_i(result_group),
    .base_i(result_base),
    .hash_o(write_hash),
    .rows_o(write_rows_d)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_q <= 1'b0;
    else         write_q <= ready_o ? write_valid_i : results_valid;
  end

  always_ff @(posedge clk_i) write_rows_q <= write_rows_d;

  heliodor_ntt_lanes u_lanes (
    .clk_i,
    .rst_ni,
    .words_i(words2),
    .hash_i(hash2_q),
    .turn_i(turn2_q),
    .twiddles_i(twiddles2),
    .twiddle_bank_i(twiddle_bank2_q),
    .above_i(above2_q),
    .valid_i(issue_q[2]),
    .inverse_i(inverse),
    .q_i(q_q),
    .mu_i(mu_q),
    .lanes_o(read_data_o),
    .results_valid_o(results_valid),
    .enter_i(ready_o),
    .enter_words_i(write_data_i),
    .write_hash_i(write_hash),
    .write_turn_i(result_turn),
    .words_o(write_words_q)
  );

  `HELIODOR_ASSERT(LogDegreeInRange, ready_o && start_valid_i,
                   4'd3 <= log_degree_i && log_degree_i <= 4'd12)
  `HELIODOR_ASSERT(NothingInFlightWhenReady, ready_o, !results_valid)

endmodule : heliodor_ntt_unit
