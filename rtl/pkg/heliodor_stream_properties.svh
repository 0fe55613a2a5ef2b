// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The part that the proofs of the stream blocks share, included in their modules: a count of the
// words inside, one word followed on its way, and the handshake rules of the output.

  // Nothing is promised before the first reset.
  logic reset_seen_q = 1'b0;

  always_ff @(posedge clk_i) if (!rst_ni) reset_seen_q <= 1'b1;

  logic enter, leave;

  assign enter = in_valid_i && in_ready;
  assign leave = out_valid && out_ready_i;

  // The followed word is any one that enters in a clock in which choose_i is high.
  logic [2:0]     inside_q;
  logic           followed_q;
  logic [2:0]     ahead_q;
  logic [Width:0] word_q;
  // The output of the clock before, if it was stalled.
  logic           stalled_q;
  logic [Width:0] stalled_word_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inside_q   <= '0;
      followed_q <= 1'b0;
      stalled_q  <= 1'b0;
    end else begin
      inside_q       <= inside_q + 3'(enter) - 3'(leave);
      stalled_q      <= out_valid && !out_ready_i;
      stalled_word_q <= {out_last, out_data};
      if (followed_q) begin
        ahead_q <= ahead_q - 3'(leave);
        if (leave && ahead_q == '0) followed_q <= 1'b0;
      end else if (choose_i && enter) begin
        followed_q <= 1'b1;
        ahead_q    <= inside_q - 3'(leave);
        word_q     <= {in_last_i, in_data_i};
      end
    end
  end

  always_comb begin
    if (reset_seen_q && rst_ni) begin
      if (followed_q && ahead_q == '0) begin
        WordArrives : assert (out_valid && {out_last, out_data} == word_q);
      end
      if (stalled_q) begin
        StalledWordStands : assert (out_valid && {out_last, out_data} == stalled_word_q);
      end
    end
  end
