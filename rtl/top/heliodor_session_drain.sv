// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_session_drain: owns the two banks from the moment a coefficient's words are all in, and
// sends what leaves the core.
//
// A bank is occupied from commit_i on, ready from complete_i on, when its sums are in; then its
// results leave, c0 and c1 of each slot, in the order of the commits. A status waits until no bank
// is occupied, so it comes behind all complete coefficients. The output is a register: a word every
// clock, and none changes while it waits.

`include "heliodor_assert.svh"

module heliodor_session_drain (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  logic [5:0]                                    last_slot_i,
  input  logic                                          commit_i,
  input  logic                                          commit_bank_i,
  input  logic                                          commit_final_i,
  input  logic                                          complete_i,
  input  logic                                          complete_bank_i,
  input  logic                                          status_valid_i,
  input  logic [heliodor_pkg::StreamWordWidth-1:0]      status_i,
  output logic [1:0]                                    occupied_o,
  output logic [1:0]                                    ready_o,
  output logic                                          status_pending_o,
  output logic                                          bank_o,
  output logic [5:0]                                    slot_o,
  input  logic [2*heliodor_pkg::ModMulBarrettWidth-1:0] sum0_i,
  input  logic [2*heliodor_pkg::ModMulBarrettWidth-1:0] sum1_i,
  output logic                                          out_valid_o,
  input  logic                                          out_ready_i,
  output logic [heliodor_pkg::StreamWordWidth-1:0]      out_data_o,
  output logic                                          out_last_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned LaneWidth = heliodor_pkg::StreamWordWidth / 2;

  logic [1:0]                                final_q;
  logic                                      component_q;
  logic [heliodor_pkg::StreamWordWidth-1:0]  status_q;
  logic                                      advance, send_result, send_status, ends;
  logic [1:0]                                freed;
  logic [2*Width-1:0]                        sum;

  assign advance = out_ready_i || !out_valid_o;
  assign send_result = advance && ready_o[bank_o];
  assign send_status = advance && status_pending_o && occupied_o == '0;
  assign ends = component_q && slot_o == last_slot_i;
  assign freed = {send_result && ends && bank_o, send_result && ends && !bank_o};
  assign sum = component_q ? sum1_i : sum0_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      occupied_o       <= '0;
      ready_o          <= '0;
      status_pending_o <= 1'b0;
      bank_o           <= 1'b0;
      slot_o           <= '0;
      component_q      <= 1'b0;
      out_valid_o      <= 1'b0;
    end else begin
      occupied_o <= (occupied_o & ~freed) | {commit_i && commit_bank_i, commit_i && !commit_bank_i};
      ready_o    <= (ready_o & ~freed) |
                    {complete_i && complete_bank_i, complete_i && !complete_bank_i};
      status_pending_o <= (status_pending_o && !send_status) || status_valid_i;
      if (send_result) begin
        component_q <= !component_q;
        if (ends)             slot_o <= '0;
        else if (component_q) slot_o <= slot_o + 1'b1;
        if (ends)             bank_o <= !bank_o;
      end
      if (advance) out_valid_o <= send_result || send_status;
    end
  end

  always_ff @(posedge clk_i) begin
    if (commit_i) final_q[commit_bank_i] <= commit_final_i;
    if (status_valid_i) status_q <= status_i;
    if (send_result) begin
      out_data_o <= {LaneWidth'(sum[2*Width-1:Width]), LaneWidth'(sum[Width-1:0])};
      out_last_o <= ends && final_q[bank_o];
    end else if (send_status) begin
      out_data_o <= status_q;
      out_last_o <= 1'b1;
    end
  end

  `HELIODOR_ASSERT(CommitIntoFreeBank, commit_i, !occupied_o[commit_bank_i])
  `HELIODOR_ASSERT(CompleteWhatWasCommitted, complete_i,
                   occupied_o[complete_bank_i] && !ready_o[complete_bank_i])
  `HELIODOR_ASSERT(OneStatusAtATime, status_valid_i, !status_pending_o)

endmodule : heliodor_session_drain
