// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// What is proved of heliodor_coefficient_store, for every input sequence of any length, at the
// reduced size below: writer and reader own as many banks as were handed over and given back, never
// the same one, and a word that is read is the last one that was written at its address before its
// bank was handed over, whatever the writer has done since.
//
// The last is proved on one address and one fill, both chosen freely.
//
// prove: source ntt/heliodor_coefficient_store.sv
// prove: engine pdr

module heliodor_coefficient_store_formal (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       write_valid_i,
  input logic       write_last_i,
  input logic [1:0] write_address_i,
  input logic       write_data_i,
  input logic       read_valid_i,
  input logic       read_last_i,
  input logic [1:0] read_address_i,
  input logic       choose_i
);

  logic write_ready, read_ready, read_valid, read_data;

  heliodor_coefficient_store #(.Width(1), .Depth(4)) u_store (
    .clk_i,
    .rst_ni,
    .write_valid_i,
    .write_ready_o(write_ready),
    .write_last_i,
    .write_address_i,
    .write_data_i,
    .read_valid_i,
    .read_ready_o(read_ready),
    .read_last_i,
    .read_address_i,
    .read_valid_o(read_valid),
    .read_data_o(read_data)
  );

  // Nothing is promised before the first reset.
  logic reset_seen_q = 1'b0;

  always_ff @(posedge clk_i) if (!rst_ni) reset_seen_q <= 1'b1;

  logic write, read;

  assign write = write_valid_i && write_ready;
  assign read = read_valid_i && read_ready;

  // Banks that are handed over and not given back. The followed word is written in a clock in which
  // choose_i is high; ahead_q banks are to be given back before its own can be read.
  logic [1:0] full_q;
  logic       followed_q, handed_over_q, ahead_q;
  logic [1:0] address_q;
  logic       word_q;
  logic       due_q, due_word_q, read_q;
  logic       followed_read;

  assign followed_read = followed_q && handed_over_q && !ahead_q && read;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q        <= '0;
      followed_q    <= 1'b0;
      handed_over_q <= 1'b0;
      due_q         <= 1'b0;
      read_q        <= 1'b0;
    end else begin
      full_q     <= full_q + 2'(write && write_last_i) - 2'(read && read_last_i);
      read_q     <= read;
      due_q      <= followed_read && read_address_i == address_q;
      due_word_q <= word_q;
      if (!followed_q) begin
        if (choose_i && write) begin
          followed_q    <= 1'b1;
          address_q     <= write_address_i;
          word_q        <= write_data_i;
          handed_over_q <= write_last_i;
          ahead_q       <= full_q != (read && read_last_i ? 2'd1 : 2'd0);
        end
      end else begin
        if (!handed_over_q && write) begin
          if (write_address_i == address_q) word_q <= write_data_i;
          handed_over_q <= write_last_i;
        end
        if (read && read_last_i) begin
          if (ahead_q) ahead_q <= 1'b0;
          else         followed_q <= 1'b0;
        end
      end
    end
  end

  always_comb begin
    if (reset_seen_q && rst_ni) begin
      NeverMoreThanTwo : assert (full_q <= 2'd2);
      WriterWaitsOnlyForReader : assert (write_ready == (full_q != 2'd2));
      ReaderWaitsOnlyForWriter : assert (read_ready == (full_q != 2'd0));
      EveryReadAnswered : assert (read_valid == read_q);
      if (due_q) WordOfItsFill : assert (read_data == due_word_q);
    end
  end

endmodule : heliodor_coefficient_store_formal
