// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_mod_mul_montgomery: p = a*b / 2^34 mod q, q = q_high*2^17 + 1 < 2^32, fully pipelined.
//
// Requires q_high > 0, a < q, b < q where valid_i is high. As q = 1 mod 2^17, a round needs one
// 17 x 15 bit product and no constant: t <- (t >> 17) + q - (t mod 2^17) * q_high. Two rounds
// leave less than 2q and one conditional subtraction suffices (proof: README.md). The modulus may
// change every clock and need not be prime.
//
// Latency 7, initiation interval 1, no back-pressure. rst_ni clears the valid bits only; p_o has
// meaning where valid_o is high.
//
// Twin model: heliodor/targets/machine/pe/mod_mul_montgomery.h

`include "heliodor_assert.svh"

module heliodor_mod_mul_montgomery (
  input  logic                                                 clk_i,
  input  logic                                                 rst_ni,
  input  logic                                                 valid_i,
  input  logic [heliodor_pkg::ModMulMontgomeryWidth-1:0]       a_i,
  input  logic [heliodor_pkg::ModMulMontgomeryWidth-1:0]       b_i,
  input  logic [heliodor_pkg::ModMulMontgomeryHighWidth-1:0]   q_high_i,
  output logic                                                 valid_o,
  output logic [heliodor_pkg::ModMulMontgomeryWidth-1:0]       p_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulMontgomeryWidth;
  localparam int unsigned HighWidth = heliodor_pkg::ModMulMontgomeryHighWidth;
  localparam int unsigned Round = heliodor_pkg::ModMulMontgomeryRoundBits;
  localparam int unsigned Latency = heliodor_pkg::ModMulMontgomeryLatency;
  localparam int unsigned Wide = heliodor_pkg::DspWideWidth;
  localparam int unsigned Narrow = heliodor_pkg::DspNarrowWidth;

  localparam int unsigned ProductWidth = 2 * Width;
  // What lies above the DSP tiles: a strip of a, and of b.
  localparam int unsigned WideRest = Width - Wide;
  localparam int unsigned NarrowRest = Width - Narrow;
  // After the first round t < 2^(ProductWidth - Round) + q; after the second, below 2q.
  localparam int unsigned FirstWidth = ProductWidth - Round + 1;
  localparam int unsigned RemainderWidth = Width + 1;

  // valid_q[k] belongs to the registers of stage k + 1.
  logic [Latency-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[Latency-2:0], valid_i};
  end

  assign valid_o = valid_q[Latency-1];

  // Stages 1 and 2: z = a*b.
  logic [Wide+Narrow-1:0]     low_q;
  logic [Wide+NarrowRest-1:0] middle_q;
  logic [WideRest+Width-1:0]  high_d, high_q;
  logic [ProductWidth-1:0]    z2_q;

  always_comb begin
    high_d = '0;
    for (int i = 0; i < WideRest; i++) begin
      high_d = high_d + (({WideRest'(0), b_i} & {(WideRest+Width){a_i[Wide+i]}}) << i);
    end
  end

  always_ff @(posedge clk_i) begin
    low_q    <= (Wide+Narrow)'(a_i[Wide-1:0]) * (Wide+Narrow)'(b_i[Narrow-1:0]);
    middle_q <= (Wide+NarrowRest)'(a_i[Wide-1:0]) * (Wide+NarrowRest)'(b_i[Width-1:Narrow]);
    high_q   <= high_d;
    z2_q     <= ProductWidth'(low_q) + (ProductWidth'(middle_q) << Narrow) +
                (ProductWidth'(high_q) << Wide);
  end

  // Stages 3 and 4: the first round. Stages 5 and 6: the second, whose result is below 2q.
  logic [HighWidth-1:0]          q1_q, q2_q, q3_q, q4_q, q5_q, q6_q;
  logic [Round+HighWidth-1:0]    product3_q, product5_q;
  logic [ProductWidth-Round-1:0] rest3_q;
  logic [FirstWidth-1:0]         t4_q;
  logic [FirstWidth-Round-1:0]   rest5_q;
  logic [RemainderWidth-1:0]     r6_q;

  always_ff @(posedge clk_i) begin
    q1_q       <= q_high_i;
    q2_q       <= q1_q;
    q3_q       <= q2_q;
    q4_q       <= q3_q;
    q5_q       <= q4_q;
    q6_q       <= q5_q;
    product3_q <= (Round+HighWidth)'(z2_q[Round-1:0]) * (Round+HighWidth)'(q2_q);
    rest3_q    <= z2_q[ProductWidth-1:Round];
    t4_q       <= FirstWidth'(rest3_q) + FirstWidth'({q3_q, Round'(1)}) - FirstWidth'(product3_q);
    product5_q <= (Round+HighWidth)'(t4_q[Round-1:0]) * (Round+HighWidth)'(q4_q);
    rest5_q    <= t4_q[FirstWidth-1:Round];
    r6_q       <= RemainderWidth'(rest5_q) + RemainderWidth'({q5_q, Round'(1)}) -
                  RemainderWidth'(product5_q);
  end

  // Stage 7: r - q unless it is negative, which its extra top bit tells.
  logic [Width-1:0]          modulus6;
  logic [RemainderWidth:0]   difference;

  assign modulus6 = {q6_q, Round'(1)};
  assign difference = {1'b0, r6_q} - (RemainderWidth+1)'(modulus6);

  always_ff @(posedge clk_i) begin
    p_o <= difference[RemainderWidth] ? r6_q[Width-1:0] : difference[Width-1:0];
  end

  `HELIODOR_ASSERT(ModulusInRange, valid_i, q_high_i != '0)
  `HELIODOR_ASSERT(FirstOperandReduced, valid_i, a_i < {q_high_i, Round'(1)})
  `HELIODOR_ASSERT(SecondOperandReduced, valid_i, b_i < {q_high_i, Round'(1)})
  `HELIODOR_ASSERT(OneSubtractionSuffices, valid_q[Latency-2],
                   (RemainderWidth+1)'(r6_q) < ((RemainderWidth+1)'(modulus6) << 1))

endmodule : heliodor_mod_mul_montgomery
