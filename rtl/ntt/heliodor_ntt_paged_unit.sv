// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_ntt_paged_unit: the transforms of heliodor_ntt_unit for two polynomials at once, with four
// pages. While the polynomials of one page are transformed, other pages are filled and read.
//
// A page holds up to 4096 words for each of two channels, in eight banks: index i stands in row
// i >> 3 of bank i[2:0] ^ i[5:3] ^ i[8:6] ^ i[11:9]. Ports to the outside are in bank order. Both
// channels have the same q, direction and twiddles; two tables of twiddles are kept, so that one can
// be written while the other is in use.
//
// start_valid_i is taken where ready_o is high; ready_o rises again when the page is transformed.
// From the start until then nothing else may touch that page, nor write to its table. Outside of
// that, a clock takes a write to one page, a read from one page and a twiddle.
// read_data_o leaves two clocks after its row was asked for.
//
// Requires what heliodor_ntt_unit requires. rst_ni makes it ready; words are undefined after an
// interrupted transform. Clocks as heliodor_ntt_unit. Twin model:
// heliodor/targets/stream/internal/relinearize_engine.h

`include "heliodor_assert.svh"

module heliodor_ntt_paged_unit (
  input  logic                                                       clk_i,
  input  logic                                                       rst_ni,
  output logic                                                       ready_o,
  input  logic                                                       start_valid_i,
  input  logic [1:0]                                                 start_page_i,
  input  logic                                                       start_table_i,
  input  logic                                                       inverse_i,
  input  logic [3:0]                                                 log_degree_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]                q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0]      mu_i,
  input  logic                                                       twiddle_valid_i,
  input  logic                                                       twiddle_table_i,
  input  logic [heliodor_pkg::NttIndexWidth-1:0]                     twiddle_index_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]                twiddle_data_i,
  // Channel 1 in the high half of each.
  input  logic [2*heliodor_pkg::NttLanes-1:0]                        write_banks_i,
  input  logic [1:0]                                                 write_page_i,
  input  logic [heliodor_pkg::NttGroupWidth-1:0]                     write_row_i,
  input  logic [2*heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0] write_data_i,
  input  logic [1:0]                                                 read_page_i,
  input  logic [heliodor_pkg::NttGroupWidth-1:0]                     read_row_i,
  output logic [2*heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0] read_data_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned ReciprocalWidth = heliodor_pkg::ModMulBarrettReciprocalWidth;
  localparam int unsigned IndexWidth = heliodor_pkg::NttIndexWidth;
  localparam int unsigned GroupWidth = heliodor_pkg::NttGroupWidth;
  localparam int unsigned Lanes = heliodor_pkg::NttLanes;
  localparam int unsigned Channels = heliodor_pkg::NttChannels;
  localparam int unsigned Pages = heliodor_pkg::NttPages;
  localparam int unsigned RowWidth = Lanes * Width;
  localparam int unsigned TwiddleBanks = Lanes / 2;
  localparam int unsigned TwiddleRowWidth = IndexWidth - 2;
  // Clocks from the issue of a group to its results.
  localparam int unsigned ResultDelay =
      heliodor_pkg::NttUnitReadLatency + heliodor_pkg::NttButterflyLatency;

  logic                       issue, inverse;
  logic [3:0]                 log_degree, stage, base;
  logic [GroupWidth-1:0]      group;
  logic [1:0]                 turn;
  logic [Width-1:0]           q_q;
  logic [ReciprocalWidth-1:0] mu_q;
  logic [1:0]                 page_q;
  logic                       table_q;

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

  assign turn = 2'(stage % 4'd3);

  // The last results are written in the clock in which ready_o rises, so a page is left one clock
  // later.
  logic [2:0] issue_q;
  logic       busy_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issue_q <= '0;
      busy_q  <= 1'b0;
    end else begin
      issue_q <= {issue_q[1:0], issue};
      busy_q  <= !ready_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ready_o && start_valid_i) begin
      q_q     <= q_i;
      mu_q    <= mu_i;
      page_q  <= start_page_i;
      table_q <= start_table_i;
    end
  end

  // Addresses of the group that is read, and of the one that is written.
  logic [2:0]                  hash_d, hash1_q, hash2_q;
  logic [1:0]                  turn1_q, turn2_q;
  logic [Lanes*GroupWidth-1:0] rows_d, rows1_q;

  heliodor_ntt_bank_address u_read_address (
    .group_i(group),
    .base_i(base),
    .hash_o(hash_d),
    .rows_o(rows_d)
  );

  always_ff @(posedge clk_i) begin
    rows1_q <= rows_d;
    hash1_q <= hash_d;
    turn1_q <= turn;
    hash2_q <= hash1_q;
    turn2_q <= turn1_q;
  end

  logic                              result_write_q;
  logic [Channels-1:0]               results_valid;
  logic [ResultDelay*GroupWidth-1:0] group_delay_q;
  logic [ResultDelay*4-1:0]          base_delay_q;
  logic [ResultDelay*2-1:0]          turn_delay_q;
  logic [2:0]                        result_hash;
  logic [Lanes*GroupWidth-1:0]       result_rows_d, result_rows_q;

  always_ff @(posedge clk_i) begin
    group_delay_q <= {group_delay_q[(ResultDelay-1)*GroupWidth-1:0], group};
    base_delay_q  <= {base_delay_q[(ResultDelay-1)*4-1:0], base};
    turn_delay_q  <= {turn_delay_q[(ResultDelay-1)*2-1:0], turn};
    result_rows_q <= result_rows_d;
  end

  heliodor_ntt_bank_address u_write_address (
    .group_i(group_delay_q[ResultDelay*GroupWidth-1-:GroupWidth]),
    .base_i(base_delay_q[ResultDelay*4-1-:4]),
    .hash_o(result_hash),
    .rows_o(result_rows_d)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) result_write_q <= 1'b0;
    else         result_write_q <= &results_valid;
  end

  // Twiddles: two tables of four banks.
  logic [IndexWidth-1:0]          twiddle_d, twiddle1_q;
  logic [1:0]                     above_d, above1_q, above2_q, twiddle_bank2_q;
  logic [TwiddleBanks*Width-1:0]  twiddles2;
  logic [2*TwiddleBanks*Width-1:0] table_words;

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
    twiddle1_q      <= twiddle_d;
    above1_q        <= above_d;
    twiddle_bank2_q <= twiddle1_q[1:0];
    above2_q        <= above1_q;
  end

  for (genvar bank = 0; bank < 2 * TwiddleBanks; bank++) begin : gen_twiddle_bank
    logic [Width-1:0] memory [2**TwiddleRowWidth];
    logic [Width-1:0] word_q;

    always_ff @(posedge clk_i) begin
      if (twiddle_valid_i && {twiddle_table_i, twiddle_index_i[1:0]} == 3'(bank)) begin
        memory[twiddle_index_i[IndexWidth-1:2]] <= twiddle_data_i;
      end
      word_q <= memory[twiddle1_q[IndexWidth-1:2]];
    end

    assign table_words[bank*Width+:Width] = word_q;
  end

  assign twiddles2 = table_q ? table_words[2*TwiddleBanks*Width-1:TwiddleBanks*Width]
                             : table_words[TwiddleBanks*Width-1:0];

  // Pages. Each belongs to the transform or to the outside.
  logic [GroupWidth-1:0]              read_row_q;
  logic [1:0]                         read_page1_q, read_page2_q;
  logic [Channels*RowWidth-1:0]       results;  // in banks
  logic [Pages*Channels*RowWidth-1:0] page_words;
  logic [Channels*RowWidth-1:0]       words2;

  always_ff @(posedge clk_i) begin
    read_row_q   <= read_row_i;
    read_page1_q <= read_page_i;
    read_page2_q <= read_page1_q;
  end

  function automatic logic [Channels*RowWidth-1:0] pick_page(
      input logic [Pages*Channels*RowWidth-1:0] words, input logic [1:0] which);
    unique case (which)
      2'd0:    pick_page = words[0+:Channels*RowWidth];
      2'd1:    pick_page = words[Channels*RowWidth+:Channels*RowWidth];
      2'd2:    pick_page = words[2*Channels*RowWidth+:Channels*RowWidth];
      default: pick_page = words[3*Channels*RowWidth+:Channels*RowWidth];
    endcase
  endfunction

  assign words2 = pick_page(page_words, page_q);
  assign read_data_o = pick_page(page_words, read_page2_q);

  for (genvar page = 0; page < Pages; page++) begin : gen_page
    logic held, outside;  // whose page it is; whether the outside writes to it

    assign held = busy_q && page_q == 2'(page);
    assign outside = write_page_i == 2'(page);

    for (genvar bank = 0; bank < Lanes; bank++) begin : gen_bank
      logic [GroupWidth-1:0] read_row, write_row;

      assign read_row = held ? rows1_q[bank*GroupWidth+:GroupWidth] : read_row_q;
      assign write_row = held ? result_rows_q[bank*GroupWidth+:GroupWidth] : write_row_i;

      for (genvar channel = 0; channel < Channels; channel++) begin : gen_channel
        localparam int unsigned At = channel * RowWidth + bank * Width;

        logic [Width-1:0] memory [2**GroupWidth];
        logic [Width-1:0] word_q;

        always_ff @(posedge clk_i) begin
          if (held ? result_write_q : outside && write_banks_i[channel*Lanes+bank]) begin
            memory[write_row] <= held ? results[At+:Width] : write_data_i[At+:Width];
          end
          word_q <= memory[read_row];
        end

        assign page_words[page*Channels*RowWidth+At+:Width] = word_q;
      end
    end
  end

  for (genvar channel = 0; channel < Channels; channel++) begin : gen_channel
    logic [RowWidth-1:0] lanes_unused;

    heliodor_ntt_lanes u_lanes (
      .clk_i,
      .rst_ni,
      .words_i(words2[channel*RowWidth+:RowWidth]),
      .hash_i(hash2_q),
      .turn_i(turn2_q),
      .twiddles_i(twiddles2),
      .twiddle_bank_i(twiddle_bank2_q),
      .above_i(above2_q),
      .valid_i(issue_q[2]),
      .inverse_i(inverse),
      .q_i(q_q),
      .mu_i(mu_q),
      .lanes_o(lanes_unused),
      .results_valid_o(results_valid[channel]),
      .enter_i(1'b0),
      .enter_words_i('0),
      .write_hash_i(result_hash),
      .write_turn_i(turn_delay_q[ResultDelay*2-1-:2]),
      .words_o(results[channel*RowWidth+:RowWidth])
    );
  end

  `HELIODOR_ASSERT(LogDegreeInRange, ready_o && start_valid_i,
                   4'd3 <= log_degree_i && log_degree_i <= 4'd12)
  `HELIODOR_ASSERT(WriteOutsideOfTransform, !ready_o && write_banks_i != '0,
                   write_page_i != page_q)
  `HELIODOR_ASSERT(TableNotInUse, !ready_o && twiddle_valid_i, twiddle_table_i != table_q)
  `HELIODOR_ASSERT(ChannelsInStep, 1'b1, results_valid == '0 || results_valid == '1)

endmodule : heliodor_ntt_paged_unit
