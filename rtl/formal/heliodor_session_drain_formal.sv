// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// What is proved of heliodor_session_drain, whose outputs are those of heliodor_bv_session, for every
// sequence of every input of any length: a word that is offered and not taken stands, with its end
// mark, until it is. After a reset with no commit and no status nothing is offered.
//
// prove: source top/heliodor_session_drain.sv
// prove: set ModMulBarrettWidth 3
// prove: set StreamWordWidth 8
// prove: engine pdr

module heliodor_session_drain_formal (
  input logic                                          clk_i,
  input logic                                          rst_ni,
  input logic [5:0]                                    last_slot_i,
  input logic                                          commit_i,
  input logic                                          commit_bank_i,
  input logic                                          commit_final_i,
  input logic                                          complete_i,
  input logic                                          complete_bank_i,
  input logic                                          status_valid_i,
  input logic [heliodor_pkg::StreamWordWidth-1:0]      status_i,
  input logic [2*heliodor_pkg::ModMulBarrettWidth-1:0] sum0_i,
  input logic [2*heliodor_pkg::ModMulBarrettWidth-1:0] sum1_i,
  input logic                                          out_ready_i
);

  localparam int unsigned WordWidth = heliodor_pkg::StreamWordWidth;

  logic [1:0]           occupied, ready;
  logic                 pending, bank, out_valid, out_last;
  logic [5:0]           slot;
  logic [WordWidth-1:0] out_data;

  heliodor_session_drain u_drain (
    .clk_i,
    .rst_ni,
    .last_slot_i,
    .commit_i,
    .commit_bank_i,
    .commit_final_i,
    .complete_i,
    .complete_bank_i,
    .status_valid_i,
    .status_i,
    .occupied_o       (occupied),
    .ready_o          (ready),
    .status_pending_o (pending),
    .bank_o           (bank),
    .slot_o           (slot),
    .sum0_i,
    .sum1_i,
    .out_valid_o      (out_valid),
    .out_ready_i,
    .out_data_o       (out_data),
    .out_last_o       (out_last)
  );

  // Nothing is promised before the first reset.
  logic               reset_seen_q = 1'b0;
  logic               begun_q;    // something was asked for since the last reset
  logic               stalled_q;  // the output of the clock before
  logic [WordWidth:0] word_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reset_seen_q <= 1'b1;
      begun_q      <= 1'b0;
      stalled_q    <= 1'b0;
    end else begin
      begun_q   <= begun_q || complete_i || status_valid_i;
      stalled_q <= out_valid && !out_ready_i;
      word_q    <= {out_last, out_data};
    end
  end

  always_comb begin
    if (reset_seen_q && rst_ni) begin
      if (stalled_q) begin
        StalledWordStands : assert (out_valid && {out_last, out_data} == word_q);
      end
      if (!begun_q) begin
        NothingUnasked : assert (!out_valid);
      end
    end
  end

endmodule : heliodor_session_drain_formal
