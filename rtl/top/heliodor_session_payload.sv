// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_session_payload: what the next word of a pair frame's payload is.
//
// Counts through degree coefficients of: a0, a1, b0, b1 for each slot; then key_b, key_a and a digit
// word for each slot, for each digit. clear_i goes to the first word, step_i to the next one. The
// limits are the highest indices, one below the counts, and must hold still.

module heliodor_session_payload (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        step_i,
  input  logic [5:0]  last_slot_i,
  input  logic [3:0]  last_digit_i,
  input  logic [15:0] last_coefficient_i,
  output logic        start_o,     // the first word of a coefficient
  output logic        hold0_o,     // a0 or key_b
  output logic        hold1_o,     // a1 or key_a
  output logic        b0_o,
  output logic        b1_o,
  output logic        digit_o,
  output logic [5:0]  slot_o,
  output logic        complete_o,  // the last word of a coefficient
  output logic        due_o        // the last word of the frame
);

  typedef enum logic [2:0] {A0, A1, B0, B1, KeyB, KeyA, Digit} role_e;

  role_e       role_q;
  logic [5:0]  slot_q;
  logic [3:0]  digit_q;
  logic [15:0] coefficient_q;
  logic        last_slot, last_digit;

  assign last_slot = slot_q == last_slot_i;
  assign last_digit = digit_q == last_digit_i;

  assign start_o = role_q == A0 && slot_q == '0;
  assign hold0_o = role_q == A0 || role_q == KeyB;
  assign hold1_o = role_q == A1 || role_q == KeyA;
  assign b0_o = role_q == B0;
  assign b1_o = role_q == B1;
  assign digit_o = role_q == Digit;
  assign slot_o = slot_q;
  assign complete_o = digit_o && last_slot && last_digit;
  assign due_o = complete_o && coefficient_q == last_coefficient_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      role_q        <= A0;
      slot_q        <= '0;
      digit_q       <= '0;
      coefficient_q <= '0;
    end else if (clear_i) begin
      role_q        <= A0;
      slot_q        <= '0;
      digit_q       <= '0;
      coefficient_q <= '0;
    end else if (step_i) begin
      unique case (role_q)
        A0:   role_q <= A1;
        A1:   role_q <= B0;
        B0:   role_q <= B1;
        KeyB: role_q <= KeyA;
        KeyA: role_q <= Digit;
        B1: begin
          role_q <= last_slot ? KeyB : A0;
          slot_q <= last_slot ? '0 : slot_q + 1'b1;
        end
        default: begin
          slot_q <= last_slot ? '0 : slot_q + 1'b1;
          if (last_slot) begin
            role_q  <= last_digit ? A0 : KeyB;
            digit_q <= last_digit ? '0 : digit_q + 1'b1;
            if (last_digit) coefficient_q <= coefficient_q + 1'b1;
          end
        end
      endcase
    end
  end

endmodule : heliodor_session_payload
