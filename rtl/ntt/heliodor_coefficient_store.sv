// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_coefficient_store: two banks of Depth words, one being filled while the other is read.
//
// A bank belongs to the writer until the write with write_last_i hands it over, then to the reader
// until the read with read_last_i gives it back. Both sides take the banks in turn, address them
// freely and move a word every clock while their ready is high. A bank never has two owners, so
// what a reader sees cannot change under it. Words that were not written since the bank was last
// given back hold older data.
//
// read_data_o belongs to the read of the clock before and has meaning where read_valid_o is high.
// Ready depends on registers only. rst_ni gives both banks to the writer; it clears no data.
//
// Requires Depth to be a power of two, at least 2. The memory is block RAM: one write and one read
// port, never at the same address.
//
// Twin model: heliodor/targets/machine/pe/coefficient_store.h

module heliodor_coefficient_store #(
  parameter int unsigned Width = heliodor_pkg::StreamWordWidth,
  parameter int unsigned Depth = heliodor_pkg::CoefficientStoreDepth,
  localparam int unsigned AddressWidth = $clog2(Depth)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    write_valid_i,
  output logic                    write_ready_o,
  input  logic                    write_last_i,
  input  logic [AddressWidth-1:0] write_address_i,
  input  logic [Width-1:0]        write_data_i,
  input  logic                    read_valid_i,
  output logic                    read_ready_o,
  input  logic                    read_last_i,
  input  logic [AddressWidth-1:0] read_address_i,
  output logic                    read_valid_o,
  output logic [Width-1:0]        read_data_o
);

  if (Depth < 2 || Depth != (1 << AddressWidth)) begin : gen_depth_check
    $fatal(1, "Depth must be a power of two and at least 2");
  end

  logic [Width-1:0] memory [2*Depth];
  // full_q[k]: bank k belongs to the reader.
  logic [1:0]       full_q;
  logic             write_bank_q, read_bank_q;
  logic             write, read, hand_over, give_back;

  assign write_ready_o = !full_q[write_bank_q];
  assign read_ready_o = full_q[read_bank_q];
  assign write = write_valid_i && write_ready_o;
  assign read = read_valid_i && read_ready_o;
  assign hand_over = write && write_last_i;
  assign give_back = read && read_last_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q       <= '0;
      write_bank_q <= 1'b0;
      read_bank_q  <= 1'b0;
      read_valid_o <= 1'b0;
    end else begin
      for (int bank = 0; bank < 2; bank++) begin
        if (hand_over && write_bank_q == 1'(bank)) full_q[bank] <= 1'b1;
        if (give_back && read_bank_q == 1'(bank)) full_q[bank] <= 1'b0;
      end
      write_bank_q <= write_bank_q ^ hand_over;
      read_bank_q  <= read_bank_q ^ give_back;
      read_valid_o <= read;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write) memory[{write_bank_q, write_address_i}] <= write_data_i;
    if (read) read_data_o <= memory[{read_bank_q, read_address_i}];
  end

endmodule : heliodor_coefficient_store
