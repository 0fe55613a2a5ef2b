// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// What is proved of heliodor_stream_skid_buffer, for every input sequence of any length, at the
// reduced width below: it loses, doubles, changes or reorders no word, keeps a stalled word still,
// refuses words exactly when it holds two, and offers one exactly when it holds any.
//
// prove: source stream/heliodor_stream_skid_buffer.sv
// prove: engine pdr

module heliodor_stream_skid_buffer_formal (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       in_valid_i,
  input logic [1:0] in_data_i,
  input logic       in_last_i,
  input logic       out_ready_i,
  input logic       choose_i
);

  localparam int unsigned Width = 2;

  logic             in_ready, out_valid, out_last;
  logic [Width-1:0] out_data;

  heliodor_stream_skid_buffer #(.Width(Width)) u_skid_buffer (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o(in_ready),
    .in_data_i,
    .in_last_i,
    .out_valid_o(out_valid),
    .out_ready_i,
    .out_data_o(out_data),
    .out_last_o(out_last)
  );

`include "heliodor_stream_properties.svh"

  always_comb begin
    if (reset_seen_q && rst_ni) begin
      RefusesOnlyWhenFull : assert (in_ready == (inside_q != 3'd2));
      OffersUnlessEmpty : assert (out_valid == (inside_q != '0));
    end
  end

endmodule : heliodor_stream_skid_buffer_formal
