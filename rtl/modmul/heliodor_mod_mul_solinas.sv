// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_mod_mul_solinas: p = a*b mod q for the fixed q = 2^62 - 2^High - 2^Low + 1.
//
// Requires a < q and b < q where valid_i is high. As 2^62 = 2^High + 2^Low - 1 modulo q, what lies
// above bit 62 folds down by shifts and additions; two folds leave less than 2q and one conditional
// subtraction suffices (proof: README.md). Only the product itself needs multipliers.
//
// Latency 6, initiation interval 1, no back-pressure. rst_ni clears the valid bits only; p_o has
// meaning where valid_o is high.
//
// Twin model: heliodor/targets/machine/pe/mod_mul_solinas.h

`include "heliodor_assert.svh"

module heliodor_mod_mul_solinas (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  input  logic                                         valid_i,
  input  logic [heliodor_pkg::ModMulSolinasWidth-1:0]  a_i,
  input  logic [heliodor_pkg::ModMulSolinasWidth-1:0]  b_i,
  output logic                                         valid_o,
  output logic [heliodor_pkg::ModMulSolinasWidth-1:0]  p_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulSolinasWidth;
  localparam int unsigned High = heliodor_pkg::ModMulSolinasHigh;
  localparam int unsigned Low = heliodor_pkg::ModMulSolinasLow;
  localparam int unsigned Latency = heliodor_pkg::ModMulSolinasLatency;
  localparam int unsigned Wide = heliodor_pkg::DspWideWidth;
  localparam int unsigned Narrow = heliodor_pkg::DspNarrowWidth;

  localparam int unsigned ProductWidth = 2 * Width;
  localparam int unsigned Rows = (Width + Narrow - 1) / Narrow;
  localparam int unsigned Columns = (Width + Wide - 1) / Wide;
  localparam int unsigned RowWidth = Columns * Wide + Narrow;
  // The first fold ends below 2^62 + 2^62 * (2^High + 2^Low) < 2^(62 + High + 1).
  localparam int unsigned FoldedWidth = Width + High + 1;
  localparam int unsigned RemainderWidth = Width + 1;
  localparam logic [Width-1:0] Modulus =
      Width'(1) - (Width'(1) << High) - (Width'(1) << Low);

  // valid_q[k] belongs to the registers of stage k + 1.
  logic [Latency-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[Latency-2:0], valid_i};
  end

  assign valid_o = valid_q[Latency-1];

  // Stages 1 and 2: for each 17 bits of b, its tiles with 24 bits of a, and their sum.
  logic [Columns*Wide-1:0] a;
  logic [Rows*Narrow-1:0]  b;
  logic [Rows*RowWidth-1:0] rows2;

  assign a = (Columns*Wide)'(a_i);
  assign b = (Rows*Narrow)'(b_i);

  for (genvar row = 0; row < Rows; row++) begin : gen_row
    logic [Columns*(Wide+Narrow)-1:0] tiles_q;
    logic [RowWidth-1:0]              sum_d, sum_q;

    always_comb begin
      sum_d = '0;
      for (int column = 0; column < Columns; column++) begin
        sum_d = sum_d +
                (RowWidth'(tiles_q[column*(Wide+Narrow)+:Wide+Narrow]) << (column * Wide));
      end
    end

    for (genvar column = 0; column < Columns; column++) begin : gen_tile
      always_ff @(posedge clk_i) begin
        tiles_q[column*(Wide+Narrow)+:Wide+Narrow] <=
            (Wide+Narrow)'(a[column*Wide+:Wide]) * (Wide+Narrow)'(b[row*Narrow+:Narrow]);
      end
    end

    always_ff @(posedge clk_i) sum_q <= sum_d;

    assign rows2[row*RowWidth+:RowWidth] = sum_q;
  end

  // Stage 3: z = a*b.
  logic [ProductWidth-1:0] z_d, z3_q;

  always_comb begin
    z_d = '0;
    for (int row = 0; row < Rows; row++) begin
      z_d = z_d + (ProductWidth'(rows2[row*RowWidth+:RowWidth]) << (row * Narrow));
    end
  end

  // Stages 4 and 5: two folds. Stage 6: r - q unless it is negative, which its top bit tells.
  logic [FoldedWidth-1:0]    high3, t4_q;
  logic [RemainderWidth-1:0] high4, r5_q;
  logic [RemainderWidth:0]   difference;

  assign high3 = FoldedWidth'(z3_q[ProductWidth-1:Width]);
  assign high4 = RemainderWidth'(t4_q[FoldedWidth-1:Width]);
  assign difference = {1'b0, r5_q} - (RemainderWidth+1)'(Modulus);

  always_ff @(posedge clk_i) begin
    z3_q <= z_d;
    t4_q <= FoldedWidth'(z3_q[Width-1:0]) + (high3 << High) + (high3 << Low) - high3;
    r5_q <= RemainderWidth'(t4_q[Width-1:0]) + (high4 << High) + (high4 << Low) - high4;
    p_o  <= difference[RemainderWidth] ? r5_q[Width-1:0] : difference[Width-1:0];
  end

  `HELIODOR_ASSERT(FirstOperandReduced, valid_i, a_i < Modulus)
  `HELIODOR_ASSERT(SecondOperandReduced, valid_i, b_i < Modulus)
  `HELIODOR_ASSERT(OneSubtractionSuffices, valid_q[Latency-2],
                   r5_q < {Modulus, 1'b0})

endmodule : heliodor_mod_mul_solinas
