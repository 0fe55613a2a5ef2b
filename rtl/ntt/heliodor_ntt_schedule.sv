// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_ntt_schedule: which eight words enter the butterflies of heliodor_ntt_unit, and when.
//
// A stage pairs indices that differ in bit stage_o: from the highest down in the forward direction,
// from the lowest up in the inverse. Its groups have three free bits from base_o, stage_o among
// them, so stages that share base_o share their groups: the next one may follow at once and finds
// each group written in time. Where base_o changes, or fewer groups than clocks are in flight, the
// schedule waits for the pipeline.
//
// start_i is taken where ready_o is high; the first group is issued one clock later. ready_o rises
// when the last group has been written.
//
// Part of heliodor_ntt_unit. Requires 3 <= log_degree_i <= 12 where start_i is taken.

module heliodor_ntt_schedule (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  logic                                    start_i,
  input  logic                                    inverse_i,
  input  logic [3:0]                              log_degree_i,
  output logic                                    ready_o,
  output logic                                    issue_o,
  output logic                                    inverse_o,
  output logic [3:0]                              log_degree_o,
  output logic [3:0]                              stage_o,
  output logic [3:0]                              base_o,
  output logic [heliodor_pkg::NttGroupWidth-1:0]  group_o
);

  localparam int unsigned GroupWidth = heliodor_pkg::NttGroupWidth;
  // A group that is issued again may follow this many clocks later.
  localparam int unsigned Turnaround = heliodor_pkg::NttUnitTurnaround;

  typedef enum logic [1:0] {Idle, Issuing, Waiting, Draining} state_e;

  state_e                state_q;
  logic [3:0]            wait_q;
  logic                  last_group, last_stage;
  logic [3:0]            next_stage, gap;
  logic [GroupWidth-1:0] group_mask;

  // The lowest free bit: of the triple 0-2, 3-5, .. around the stage, or of the top three bits.
  function automatic logic [3:0] base_of(input logic [3:0] stage, log_degree);
    logic [3:0] aligned;
    aligned = stage - stage % 4'd3;
    base_of = aligned + 4'd2 < log_degree ? aligned : log_degree - 4'd3;
  endfunction

  assign ready_o = state_q == Idle;
  assign issue_o = state_q == Issuing;
  assign base_o = base_of(stage_o, log_degree_o);
  assign group_mask = (GroupWidth'(1) << (log_degree_o - 4'd3)) - GroupWidth'(1);
  assign last_group = group_o == group_mask;
  assign last_stage = inverse_o ? stage_o == log_degree_o - 4'd1 : stage_o == '0;
  assign next_stage = inverse_o ? stage_o + 4'd1 : stage_o - 4'd1;

  // Clocks without issue between the last group of a stage and the first of the next.
  always_comb begin
    if (last_stage || base_of(next_stage, log_degree_o) != base_o) begin
      gap = 4'(Turnaround - 1);
    end else if (group_mask >= GroupWidth'(Turnaround - 1)) begin
      gap = '0;
    end else begin
      gap = 4'(Turnaround - 1) - group_mask[3:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= Idle;
      wait_q       <= '0;
      inverse_o    <= 1'b0;
      log_degree_o <= '0;
      stage_o      <= '0;
      group_o      <= '0;
    end else begin
      unique case (state_q)
        Idle: begin
          if (start_i) begin
            state_q      <= Issuing;
            inverse_o    <= inverse_i;
            log_degree_o <= log_degree_i;
            stage_o      <= inverse_i ? '0 : log_degree_i - 4'd1;
            group_o      <= '0;
          end
        end
        Issuing: begin
          group_o <= last_group ? '0 : group_o + GroupWidth'(1);
          if (last_group) begin
            wait_q <= gap;
            if (last_stage) begin
              state_q <= Draining;
            end else begin
              stage_o <= next_stage;
              if (gap != '0) state_q <= Waiting;
            end
          end
        end
        Waiting: begin
          wait_q <= wait_q - 4'd1;
          if (wait_q == 4'd1) state_q <= Issuing;
        end
        Draining: begin
          wait_q <= wait_q - 4'd1;
          if (wait_q == 4'd1) state_q <= Idle;
        end
        default: state_q <= Idle;
      endcase
    end
  end

endmodule : heliodor_ntt_schedule
