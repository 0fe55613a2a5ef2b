// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_stream_fifo: a queue of Depth words between two valid/ready streams.
//
// The first word shows on the output without being asked for. Latency 1, full rate at every level
// but empty and full: a full queue refuses a word even in the clock in which one leaves, so that
// in_ready_o does not depend on out_ready_i. level_o counts the words inside. rst_ni empties it.
//
// Requires Depth to be a power of two, at least 2. The memory is read without a clock: it becomes
// distributed RAM, so Depth should stay at or below 64.
//
// Twin model: heliodor/targets/machine/pe/stream_fifo.h

module heliodor_stream_fifo #(
  parameter int unsigned Width = heliodor_pkg::StreamWordWidth,
  parameter int unsigned Depth = heliodor_pkg::StreamFifoDepth,
  localparam int unsigned AddressWidth = $clog2(Depth)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    in_valid_i,
  output logic                    in_ready_o,
  input  logic [Width-1:0]        in_data_i,
  input  logic                    in_last_i,
  output logic                    out_valid_o,
  input  logic                    out_ready_i,
  output logic [Width-1:0]        out_data_o,
  output logic                    out_last_o,
  output logic [AddressWidth:0]   level_o
);

  if (Depth < 2 || Depth != (1 << AddressWidth)) begin : gen_depth_check
    $fatal(1, "Depth must be a power of two and at least 2");
  end

  logic [Width:0]          memory [Depth];
  logic [AddressWidth-1:0] write_q, read_q;
  logic                    push, pop;

  assign in_ready_o = !level_o[AddressWidth];
  assign out_valid_o = level_o != '0;
  assign push = in_valid_i && in_ready_o;
  assign pop = out_valid_o && out_ready_i;
  assign {out_last_o, out_data_o} = memory[read_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      level_o <= '0;
    end else begin
      write_q <= write_q + AddressWidth'(push);
      read_q  <= read_q + AddressWidth'(pop);
      level_o <= level_o + (AddressWidth+1)'(push) - (AddressWidth+1)'(pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) memory[write_q] <= {in_last_i, in_data_i};
  end

endmodule : heliodor_stream_fifo
