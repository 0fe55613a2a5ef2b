// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_session_parser: reads the frames of a session word by word, checks every rule of the
// protocol, and starts the products that payload words ask for.
//
// One word a clock, except that a reciprocal takes 32 clocks to check and the first word of a
// coefficient waits until its bank is free. A word that breaks a rule is not used: it raises error_o
// with a status word for one clock, and everything up to the next RLPT command is dropped. An RLPT
// command where no rule allows it ends the session in the same way and then begins the next one.
// RLPT is taken only when quiet_i says that nothing of the session before it is left inside.
//
// Within a state the rules have an order, so a word that breaks several has one reason: the tag of a
// restart, then the word itself, then the end mark. Formats and reasons: README.md.

`include "heliodor_assert.svh"

module heliodor_session_parser (
  input  logic                                                    clk_i,
  input  logic                                                    rst_ni,
  input  logic [16:0]                                             degree_i,
  // The word at the head of the input buffer.
  input  logic                                                    head_valid_i,
  output logic                                                    head_ready_o,
  input  logic [heliodor_pkg::StreamWordWidth-1:0]                head_data_i,
  input  logic                                                    head_last_i,
  // The profile table, read and written at index_o with the head's lanes.
  output logic                                                    write_q_o,
  output logic                                                    write_mu_o,
  output logic [2:0]                                              index_o,
  input  logic [2*heliodor_pkg::ModMulBarrettWidth-1:0]           table_q_i,
  input  logic [2*heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] table_mu_i,
  // Banks.
  input  logic [1:0]                                              occupied_i,
  input  logic                                                    quiet_i,
  output logic [5:0]                                              last_slot_o,
  output logic                                                    commit_o,
  output logic                                                    commit_final_o,
  output logic                                                    bank_o,
  // The payload word at the head, when use_o is high.
  output logic                                                    use_o,
  output logic                                                    hold0_o,
  output logic                                                    hold1_o,
  output logic                                                    b0_o,
  output logic                                                    b1_o,
  output logic                                                    digit_o,
  output logic [5:0]                                              slot_o,
  output logic [2*heliodor_pkg::ModMulBarrettWidth-1:0]           q_o,
  output logic [2*heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_o,
  output logic                                                    error_o,
  output logic [heliodor_pkg::StreamWordWidth-1:0]                status_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned MuWidth = heliodor_pkg::ModMulBarrettReciprocalWidth;
  localparam int unsigned LaneWidth = heliodor_pkg::StreamWordWidth / 2;
  localparam logic [LaneWidth-1:0] ProfileTag = LaneWidth'(heliodor_pkg::SessionProfileTag);
  localparam logic [LaneWidth-1:0] PairTag = LaneWidth'(heliodor_pkg::SessionPairTag);

  typedef enum logic [3:0] {
    Idle, Failed, Count, Modulus, Reciprocal, Check, Command, Shape, Pair, Payload
  } state_e;

  state_e       state_q, state_d;
  logic         take, fault;
  logic [7:0]   reason;

  logic [31:0]  position_q;
  logic [2:0]   index_q, pair_count_q;
  logic         shape_known_q;
  logic [5:0]   last_slot_q;
  logic [3:0]   last_digit_q;
  logic [15:0]  last_coefficient_q;
  logic         bank_q;
  logic [2*Width-1:0]   q_q;
  logic [2*MuWidth-1:0] mu_q;

  // What the head is.
  logic [LaneWidth-1:0] high, low;
  logic                 is_profile, is_pair, last;
  logic                 moduli_fit, operands_fit, last_index;

  assign {high, low} = head_data_i;
  assign last = head_last_i;
  assign is_profile = high == ProfileTag && low == ProfileTag;
  assign is_pair = high == PairTag && low == PairTag;
  assign moduli_fit = high[31:29] == 3'b001 && high[28:0] != '0 &&
                      low[31:29] == 3'b001 && low[28:0] != '0;
  assign operands_fit = high < {2'b00, q_q[2*Width-1:Width]} && low < {2'b00, q_q[Width-1:0]};
  assign last_index = index_q + 3'd1 == pair_count_q;

  logic start, complete, due, blocked, check_done, check_belongs, check_start;

  assign blocked = start && occupied_i[bank_q];

  heliodor_session_check u_check (
    .clk_i,
    .rst_ni,
    .start_i   (check_start),
    .q_i       (table_q_i),
    .mu_i      ({high[MuWidth-1:0], low[MuWidth-1:0]}),
    .done_o    (check_done),
    .belongs_o (check_belongs)
  );

  heliodor_session_payload u_payload (
    .clk_i,
    .rst_ni,
    .clear_i            (state_q == Pair),
    .step_i             (use_o),
    .last_slot_i        (last_slot_q),
    .last_digit_i       (last_digit_q),
    .last_coefficient_i (last_coefficient_q),
    .start_o            (start),
    .hold0_o,
    .hold1_o,
    .b0_o,
    .b1_o,
    .digit_o,
    .slot_o,
    .complete_o         (complete),
    .due_o              (due)
  );

  // The rules: reason names the first that is broken, 0 if none is.
  logic       end_wrong;
  logic [7:0] end_reason;

  always_comb begin
    unique case (state_q)
      Reciprocal: end_wrong = last != last_index;
      Payload:    end_wrong = last != due;
      default:    end_wrong = last;
    endcase
    end_reason = last ? 8'(heliodor_pkg::SessionReasonShortFrame)
                      : 8'(heliodor_pkg::SessionReasonLongFrame);
  end

  always_comb begin
    reason = '0;
    unique case (state_q)
      Idle, Failed: begin
        if (is_profile) begin
          if (degree_i == '0 || degree_i > 17'(heliodor_pkg::SessionMaxDegree)) begin
            reason = 8'(heliodor_pkg::SessionReasonDegree);
          end else if (end_wrong) begin
            reason = end_reason;
          end
        end else if (state_q == Idle) begin
          reason = is_pair ? 8'(heliodor_pkg::SessionReasonNoSession)
                           : 8'(heliodor_pkg::SessionReasonUnknownCommand);
        end
      end
      Count: begin
        if (is_profile) reason = 8'(heliodor_pkg::SessionReasonRestarted);
        else if (high != low || low == '0 || low > heliodor_pkg::SessionMaxPairs) begin
          reason = 8'(heliodor_pkg::SessionReasonPairCount);
        end else if (end_wrong) reason = end_reason;
      end
      Modulus: begin
        if (is_profile)       reason = 8'(heliodor_pkg::SessionReasonRestarted);
        else if (!moduli_fit) reason = 8'(heliodor_pkg::SessionReasonModulus);
        else if (end_wrong)   reason = end_reason;
      end
      Reciprocal: begin
        if (high[31] || low[31]) reason = 8'(heliodor_pkg::SessionReasonReciprocal);
        else if (end_wrong)      reason = end_reason;
      end
      Check: begin
        if (!check_belongs) reason = 8'(heliodor_pkg::SessionReasonReciprocal);
      end
      Command: begin
        if (is_profile)     reason = 8'(heliodor_pkg::SessionReasonRestarted);
        else if (!is_pair)  reason = 8'(heliodor_pkg::SessionReasonUnknownCommand);
        else if (end_wrong) reason = end_reason;
      end
      Shape: begin
        if (is_profile) reason = 8'(heliodor_pkg::SessionReasonRestarted);
        else if (high == '0 || high > heliodor_pkg::SessionMaxDigits) begin
          reason = 8'(heliodor_pkg::SessionReasonDigitCount);
        end else if (low == '0 || low > heliodor_pkg::SessionMaxBatch) begin
          reason = 8'(heliodor_pkg::SessionReasonBatch);
        end else if (shape_known_q && (high != LaneWidth'(last_digit_q) + 1 ||
                                       low != LaneWidth'(last_slot_q) + 1)) begin
          reason = 8'(heliodor_pkg::SessionReasonShapeChanged);
        end else if (end_wrong) reason = end_reason;
      end
      Pair: begin
        if (is_profile) reason = 8'(heliodor_pkg::SessionReasonRestarted);
        else if (high != LaneWidth'(pair_count_q)) begin
          reason = 8'(heliodor_pkg::SessionReasonPairCount);
        end else if (low != LaneWidth'(index_q)) begin
          reason = 8'(heliodor_pkg::SessionReasonPairOrder);
        end else if (end_wrong) reason = end_reason;
      end
      default: begin
        if (is_profile)         reason = 8'(heliodor_pkg::SessionReasonRestarted);
        else if (!operands_fit) reason = 8'(heliodor_pkg::SessionReasonOperand);
        else if (end_wrong)     reason = end_reason;
      end
    endcase
  end

  // Whether the head is looked at in this clock, and where it leads.
  logic looked_at;

  always_comb begin
    unique case (state_q)
      Idle, Failed: looked_at = head_valid_i && (quiet_i || !is_profile);
      Check:        looked_at = check_done;
      Payload:      looked_at = head_valid_i && !blocked;
      default:      looked_at = head_valid_i;
    endcase
  end

  always_comb begin
    fault = looked_at && reason != '0;
    // A checked reciprocal was taken before; RLPT in the wrong place stays to begin a session.
    take = looked_at && state_q != Check && reason != 8'(heliodor_pkg::SessionReasonRestarted);
    state_d = state_q;
    if (fault) begin
      state_d = Failed;
    end else if (looked_at) begin
      unique case (state_q)
        Idle:       state_d = Count;
        Failed:     state_d = is_profile ? Count : Failed;
        Count:      state_d = Modulus;
        Modulus:    state_d = Reciprocal;
        Reciprocal: state_d = Check;
        Check:      state_d = last_index ? Command : Modulus;
        Command:    state_d = Shape;
        Shape:      state_d = Pair;
        Pair:       state_d = Payload;
        default:    state_d = !due ? Payload : last_index ? Idle : Command;
      endcase
    end
  end

  logic good, outside, before_table, frame_starts;

  assign good = looked_at && !fault;
  assign outside = state_q == Idle || state_q == Failed;
  assign before_table = outside || state_q == Count || state_q == Modulus ||
                        state_q == Reciprocal || state_q == Check;
  assign frame_starts = state_d == Idle || state_d == Failed || state_d == Command;

  assign head_ready_o = take;
  assign check_start = good && state_q == Reciprocal;
  assign write_q_o = good && state_q == Modulus;
  assign write_mu_o = check_start;
  assign index_o = index_q;
  assign use_o = good && state_q == Payload;
  assign commit_o = use_o && complete;
  assign commit_final_o = due && last_index;
  assign bank_o = bank_q;
  assign last_slot_o = last_slot_q;
  assign q_o = q_q;
  assign mu_o = mu_q;
  assign error_o = fault;
  assign status_o = {16'(heliodor_pkg::SessionStatusTag), reason, before_table,
                     outside ? 7'd0 : 7'(index_q), position_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= Idle;
      position_q <= '0;
      bank_q     <= 1'b0;
    end else begin
      state_q <= state_d;
      // The position moves on when a word is done with: a reciprocal when it is checked.
      if (looked_at && frame_starts)               position_q <= '0;
      else if (good && state_q != Reciprocal)      position_q <= position_q + 1'b1;
      if (commit_o) bank_q <= !bank_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (good) begin
      unique case (state_q)
        Idle, Failed: begin
          index_q            <= '0;
          last_coefficient_q <= 16'(degree_i - 17'd1);
        end
        Count: pair_count_q <= low[2:0];
        Check: begin
          index_q       <= last_index ? '0 : index_q + 1'b1;
          shape_known_q <= 1'b0;
        end
        Shape: begin
          last_digit_q  <= 4'(high[4:0] - 5'd1);
          last_slot_q   <= 6'(low[6:0] - 7'd1);
          shape_known_q <= 1'b1;
        end
        Pair: begin
          q_q  <= table_q_i;
          mu_q <= table_mu_i;
        end
        Payload: if (due) index_q <= index_q + 1'b1;
        default: ;
      endcase
    end
  end

  `HELIODOR_ASSERT(OperandsBelowModuli, use_o, operands_fit)
  `HELIODOR_ASSERT(ErrorsLeadToFailed, error_o, state_d == Failed)

endmodule : heliodor_session_parser
