// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_relinearize_parser: reads the frames of heliodor_bv_relinearize word by word, checks every
// rule of the protocol, and says what each payload word is for.
//
// A word a clock, except that the check of a profile takes 33 + 8*log2 N clocks, each visit to a limb
// begins when the pipeline is empty, a fill waits for a free page, a pass of key words for its
// transform, and a result for room at the output.
//
// A word that breaks a rule is not used: it raises error_o with a status word for one clock, and
// everything up to the next RCPT command is dropped. An RCPT command where no rule allows it ends the
// session in the same way and then begins the next one, when quiet_i says that nothing of the session
// before is left inside. Within a state the rules have an order: the tag of a restart, then the word
// itself, then the end mark. Formats and reasons: README.md.

`include "heliodor_assert.svh"

module heliodor_relinearize_parser (
  input  logic                                                  clk_i,
  input  logic                                                  rst_ni,
  // The word at the head of the input buffer.
  input  logic                                                  head_valid_i,
  output logic                                                  head_ready_o,
  input  logic [heliodor_pkg::StreamWordWidth-1:0]              head_data_i,
  input  logic                                                  head_last_i,
  // Profiles: written with the head's lanes at limb_o, read at limb_o.
  output logic                                                  write_modulus_o,
  output logic                                                  write_root_o,
  output logic [3:0]                                            limb_o,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           table_q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] table_mu_i,
  // The check of a root.
  output logic                                                  root_check_o,
  output logic                                                  root_start_o,
  input  logic                                                  root_busy_i,
  input  logic                                                  root_good_i,
  // The rest of the core.
  input  logic                                                  quiet_i,
  input  logic                                                  pipeline_idle_i,
  input  logic                                                  page_free_i,
  input  logic                                                  result_ready_i,
  input  logic                                                  room_i,
  output logic                                                  clear_o,
  output logic                                                  run_o,
  output logic                                                  forward_o,
  output logic [3:0]                                            last_limb_o,
  output logic [3:0]                                            log_degree_o,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           q_o,
  output logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_o,
  // The payload word at the head, when use_o is high.
  output logic                                                  use_o,
  output logic [2:0]                                            kind_o,
  output logic                                                  slot_o,
  output logic                                                  single_o,
  output logic                                                  first_o,
  output logic                                                  begins_o,  // a fill
  output logic                                                  ends_o,    // a fill or a pass
  output logic                                                  final_o,
  output logic [heliodor_pkg::NttIndexWidth-1:0]                index_o,
  output logic                                                  error_o,
  output logic [heliodor_pkg::StreamWordWidth-1:0]              status_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned MuWidth = heliodor_pkg::ModMulBarrettReciprocalWidth;
  localparam int unsigned LaneWidth = heliodor_pkg::StreamWordWidth / 2;
  localparam int unsigned IndexWidth = heliodor_pkg::NttIndexWidth;
  localparam int unsigned Rows = heliodor_pkg::RelinearizeDigitRows;
  localparam logic [LaneWidth-1:0] ProfileTag = LaneWidth'(heliodor_pkg::RelinearizeProfileTag);
  localparam logic [LaneWidth-1:0] GroupTag = LaneWidth'(heliodor_pkg::RelinearizeGroupTag);

  // The payload's kinds come first, as heliodor_relinearize_pipeline numbers them.
  typedef enum logic [3:0] {
    Fill, Key, Own, Even, Odd, Visit, Idle, Failed, Degree, Shape, Modulus, CheckModulus, Root,
    CheckRoot, Command, Group
  } state_e;

  state_e                state_q, state_d;
  logic                  take, fault, good, looked_at;
  logic [7:0]            reason;
  logic [31:0]           position_q;
  logic [3:0]            log_degree_q, last_limb_q, limb_q, pass_q;
  logic [5:0]            last_cipher_q;   // B - 1
  logic [4:0]            group_q;         // the next one
  logic                  forward_q;       // second half of a group
  logic [IndexWidth-1:0] index_q, last_index;
  logic                  slot_q;
  logic [Width-1:0]      q_q;
  logic [MuWidth-1:0]    mu_q;

  // What the head is.
  logic [LaneWidth-1:0] high, low;
  logic                 is_profile, is_group, last, operands_fit;
  logic                 last_limb, last_word, last_slot, last_group, single, due, payload;

  assign {high, low} = head_data_i;
  assign last = head_last_i;
  assign is_profile = high == ProfileTag && low == ProfileTag;
  assign is_group = high == GroupTag && low == GroupTag;
  assign operands_fit = high < {2'b00, q_q} && low < {2'b00, q_q};
  assign last_limb = limb_q == last_limb_q;
  assign last_group = group_q == last_cipher_q[5:1];
  // The last of an odd number of ciphertexts stands alone.
  assign single = last_group && !last_cipher_q[0];
  assign last_slot = slot_q || single;
  assign last_index = (IndexWidth'(1) << log_degree_q) - IndexWidth'(1);
  assign last_word = index_q == last_index;
  assign due = state_q == Odd && last_slot && last_word && last_limb;
  assign payload = state_q == Fill || state_q == Key || state_q == Own || state_q == Even ||
                   state_q == Odd;

  // Rows of digits that the shape asks for.
  logic [16:0] rows;

  assign rows = (17'(high[4:0]) << log_degree_q) >> 3;

  logic check_start, check_done, check_belongs;

  heliodor_session_check #(.Lanes(1)) u_check (
    .clk_i,
    .rst_ni,
    .start_i   (check_start),
    .q_i       (table_q_i),
    .mu_i      (high[MuWidth-1:0]),
    .done_o    (check_done),
    .belongs_o (check_belongs)
  );

  // The rules: reason names the first that is broken, 0 if none is.
  logic       end_wrong;
  logic [7:0] end_reason;

  always_comb begin
    unique case (state_q)
      Root:    end_wrong = last != last_limb;
      Odd:     end_wrong = last != due;
      default: end_wrong = last;
    endcase
    end_reason = last ? 8'(heliodor_pkg::SessionReasonShortFrame)
                      : 8'(heliodor_pkg::SessionReasonLongFrame);
  end

  always_comb begin
    reason = '0;
    unique case (state_q)
      Visit: ;
      Idle, Failed: begin
        if (is_profile) begin
          if (end_wrong) reason = end_reason;
        end else if (state_q == Idle) begin
          reason = is_group ? 8'(heliodor_pkg::SessionReasonNoSession)
                            : 8'(heliodor_pkg::SessionReasonUnknownCommand);
        end
      end
      CheckModulus: if (!check_belongs) reason = 8'(heliodor_pkg::SessionReasonReciprocal);
      CheckRoot:    if (!root_good_i) reason = 8'(heliodor_pkg::SessionReasonRoot);
      default: begin
        if (is_profile) reason = 8'(heliodor_pkg::SessionReasonRestarted);
        else begin
          unique case (state_q)
            Degree: begin
              if (high != low || low < heliodor_pkg::RelinearizeMinLogDegree ||
                  low > heliodor_pkg::RelinearizeMaxLogDegree) begin
                reason = 8'(heliodor_pkg::SessionReasonDegree);
              end
            end
            Shape: begin
              if (high < heliodor_pkg::RelinearizeMinLimbs ||
                  high > heliodor_pkg::RelinearizeMaxLimbs || rows > 17'(Rows)) begin
                reason = 8'(heliodor_pkg::SessionReasonLimbCount);
              end else if (low == '0 || low > heliodor_pkg::SessionMaxBatch) begin
                reason = 8'(heliodor_pkg::SessionReasonBatch);
              end
            end
            Modulus: begin
              if (low[31:29] != 3'b001 || !low[0]) begin
                reason = 8'(heliodor_pkg::SessionReasonModulus);
              end else if (high[31]) begin
                reason = 8'(heliodor_pkg::SessionReasonReciprocal);
              end
            end
            Root: begin
              if (high != low || low >= {2'b00, table_q_i}) begin
                reason = 8'(heliodor_pkg::SessionReasonRoot);
              end
            end
            Command: if (!is_group) reason = 8'(heliodor_pkg::SessionReasonUnknownCommand);
            Group: begin
              if (high != LaneWidth'(last_cipher_q[5:1]) + 1 || low != LaneWidth'(group_q)) begin
                reason = 8'(heliodor_pkg::SessionReasonGroup);
              end
            end
            default: if (!operands_fit) reason = 8'(heliodor_pkg::SessionReasonOperand);
          endcase
          if (reason == '0 && end_wrong) reason = end_reason;
        end
      end
    endcase
  end

  // Whether the head is looked at in this clock, and where it leads.
  always_comb begin
    unique case (state_q)
      Idle, Failed: looked_at = head_valid_i && (quiet_i || !is_profile);
      CheckModulus: looked_at = check_done;
      CheckRoot:    looked_at = !root_busy_i && !root_start_o;
      Visit:        looked_at = pipeline_idle_i;
      Fill:         looked_at = head_valid_i && (page_free_i || !begins_o);
      Key:          looked_at = head_valid_i && (result_ready_i || index_q != '0);
      Odd:          looked_at = head_valid_i && room_i;
      default:      looked_at = head_valid_i;
    endcase
  end

  state_e after_index;  // when a pass, a fill or a result is complete

  always_comb begin
    unique case (state_q)
      Fill:    after_index = last_slot && last_word ? Visit : Fill;
      Key:     after_index = !last_word || pass_q + 4'd1 != last_limb_q ? Key : Own;
      default: after_index = !last_slot ? Even : !last_word ? Own : !last_limb ? Visit :
                             last_group ? Idle : Command;
    endcase
  end

  always_comb begin
    fault = looked_at && reason != '0;
    state_d = state_q;
    if (fault) begin
      state_d = Failed;
    end else if (looked_at) begin
      unique case (state_q)
        Idle:           state_d = Degree;
        Failed:         state_d = is_profile ? Degree : Failed;
        Degree:         state_d = Shape;
        Shape:          state_d = Modulus;
        Modulus:        state_d = CheckModulus;
        CheckModulus:   state_d = Root;
        Root:           state_d = CheckRoot;
        CheckRoot:      state_d = last_limb ? Command : Modulus;
        Command:        state_d = Group;
        Group:          state_d = Visit;
        Visit:          state_d = forward_q ? Key : Fill;
        Fill, Key, Odd: state_d = after_index;
        Own:            state_d = Even;
        default:        state_d = Odd;
      endcase
    end
  end

  logic outside, before_table, checks;

  assign good = looked_at && !fault;
  assign outside = state_q == Idle || state_q == Failed;
  assign checks = state_q == CheckModulus || state_q == CheckRoot || state_q == Visit;
  assign before_table = outside || state_q == Degree || state_q == Shape || state_q == Modulus ||
                        state_q == CheckModulus || state_q == Root || state_q == CheckRoot;
  // What was checked was taken before; RCPT in the wrong place stays to begin a session.
  assign take = looked_at && !checks && reason != 8'(heliodor_pkg::SessionReasonRestarted);

  assign head_ready_o = take;
  assign check_start = good && state_q == Modulus;
  assign write_modulus_o = check_start;
  assign write_root_o = good && state_q == Root;
  assign root_check_o = state_q == CheckRoot;
  assign limb_o = limb_q;
  assign clear_o = good && state_q == Group;
  assign run_o = payload || state_q == Visit;
  assign last_limb_o = last_limb_q;
  assign log_degree_o = log_degree_q;
  assign q_o = q_q;
  assign mu_o = mu_q;
  assign use_o = good && payload;
  assign kind_o = state_q[2:0];
  assign slot_o = slot_q;
  assign single_o = single;
  assign first_o = pass_q == '0;
  assign begins_o = state_q == Fill && index_q == '0 && !slot_q;
  assign ends_o = last_word && (state_q == Key || (state_q == Fill && last_slot));
  assign final_o = due && last_group;
  assign index_o = index_q;
  assign error_o = fault;
  assign status_o = {16'(heliodor_pkg::SessionStatusTag), reason, before_table,
                     outside ? 7'd0 : before_table ? 7'(limb_q) : 7'(group_q), position_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q        <= Idle;
      position_q     <= '0;
      forward_o      <= 1'b0;
      root_start_o <= 1'b0;
    end else begin
      state_q <= state_d;
      root_start_o <= write_root_o;
      // The position moves on when a word is done with: one that is checked, when it is.
      if (looked_at && (state_d == Idle || state_d == Failed || state_d == Command)) begin
        position_q <= '0;
      end else if (good && state_q != Modulus && state_q != Root && state_q != Visit) begin
        position_q <= position_q + 1'b1;
      end
      // The first visit of the second half finds all fills done.
      if (clear_o)                                   forward_o <= 1'b0;
      else if (good && state_q == Visit) forward_o <= forward_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (good) begin
      unique case (state_q)
        Idle, Failed: limb_q <= '0;
        Degree:       log_degree_q <= low[3:0];
        Shape: begin
          last_limb_q   <= 4'(high[4:0] - 5'd1);
          last_cipher_q <= 6'(low[6:0] - 7'd1);
          group_q       <= '0;
        end
        CheckRoot: limb_q <= last_limb ? '0 : limb_q + 4'd1;
        Group: begin
          limb_q    <= '0;
          forward_q <= 1'b0;
        end
        Visit: begin
          q_q     <= table_q_i;
          mu_q    <= table_mu_i;
          index_q <= '0;
          slot_q  <= 1'b0;
          pass_q  <= '0;
        end
        Fill, Odd: begin
          slot_q <= !last_slot;
          if (last_slot) index_q <= last_word ? '0 : index_q + IndexWidth'(1);
          if (last_slot && last_word) begin
            limb_q <= last_limb ? '0 : limb_q + 4'd1;
            if (state_q == Fill) forward_q <= last_limb;
            else if (last_limb)  group_q <= group_q + 5'd1;
          end
        end
        Key: begin
          index_q <= last_word ? '0 : index_q + IndexWidth'(1);
          if (last_word) pass_q <= pass_q + 4'd1;
        end
        default: ;
      endcase
    end
  end

  `HELIODOR_ASSERT(OperandsBelowModulus, use_o, operands_fit)
  `HELIODOR_ASSERT(ErrorsLeadToFailed, error_o, state_d == Failed)

endmodule : heliodor_relinearize_parser
