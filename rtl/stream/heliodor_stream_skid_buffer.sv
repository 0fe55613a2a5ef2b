// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_stream_skid_buffer: cuts every path of a valid/ready stream with registers.
//
// All outputs are registers: neither valid and data forwards nor ready backwards pass through. Full
// rate: a word every clock in and out. Latency 1, two words of storage, order kept, none lost or
// doubled. in_ready_o and out_valid_o wait for nobody. rst_ni empties it.
//
// Twin model: heliodor/targets/machine/pe/stream_skid_buffer.h

module heliodor_stream_skid_buffer #(
  parameter int unsigned Width = heliodor_pkg::StreamWordWidth
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  input  logic             in_last_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o,
  output logic             out_last_o
);

  // The second word, taken in the clock in which the output was found stalled.
  logic           spare_valid_q;
  logic [Width:0] spare_q;
  logic           advance;

  assign advance = out_ready_i || !out_valid_o;
  assign in_ready_o = !spare_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_o   <= 1'b0;
      spare_valid_q <= 1'b0;
    end else if (advance) begin
      out_valid_o   <= in_valid_i || spare_valid_q;
      spare_valid_q <= 1'b0;
    end else begin
      spare_valid_q <= in_valid_i || spare_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!spare_valid_q) spare_q <= {in_last_i, in_data_i};
    if (advance) {out_last_o, out_data_o} <= spare_valid_q ? spare_q : {in_last_i, in_data_i};
  end

endmodule : heliodor_stream_skid_buffer
