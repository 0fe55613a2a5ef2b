// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// What is proved of heliodor_stream_fifo, for every input sequence of any length, at the reduced
// size below: it counts what it holds, never holds more than Depth, loses, doubles, changes or
// reorders no word, keeps a stalled word still, and refuses words exactly when full.
//
// Order is proved on one word, chosen freely: the number it has among those entering is the number
// it has among those leaving, with the same bits.
//
// prove: source stream/heliodor_stream_fifo.sv
// prove: engine pdr

module heliodor_stream_fifo_formal (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       in_valid_i,
  input logic [1:0] in_data_i,
  input logic       in_last_i,
  input logic       out_ready_i,
  input logic       choose_i
);

  localparam int unsigned Width = 2;
  localparam int unsigned Depth = 4;

  logic             in_ready, out_valid, out_last;
  logic [Width-1:0] out_data;
  logic [2:0]       level;

  heliodor_stream_fifo #(.Width(Width), .Depth(Depth)) u_fifo (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o(in_ready),
    .in_data_i,
    .in_last_i,
    .out_valid_o(out_valid),
    .out_ready_i,
    .out_data_o(out_data),
    .out_last_o(out_last),
    .level_o(level)
  );

`include "heliodor_stream_properties.svh"

  always_comb begin
    if (reset_seen_q && rst_ni) begin
      LevelCountsWords : assert (level == inside_q);
      NeverTooMany : assert (level <= 3'(Depth));
      RefusesOnlyWhenFull : assert (in_ready == (inside_q != 3'(Depth)));
      OffersUnlessEmpty : assert (out_valid == (inside_q != '0));
    end
  end

endmodule : heliodor_stream_fifo_formal
