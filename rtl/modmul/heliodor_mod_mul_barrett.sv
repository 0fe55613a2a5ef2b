// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_mod_mul_barrett: p = a*b mod q, fully pipelined.
//
// Requires 2^29 < q < 2^30, a < q, b < q, mu = floor(2^60/q) where valid_i is high. Then the
// quotient estimate t = floor(floor(a*b / 2^14) * mu / 2^46) is 0 or 1 too small and one
// conditional subtraction suffices (proof: README.md). q and mu may change every clock.
//
// Latency 7, initiation interval 1. No back-pressure: a result leaves 7 clocks after its operands,
// whoever waits for it. rst_ni clears the valid bits only; p_o has meaning where valid_o is high.
//
// Products are cut into tiles that fit one DSP48E1 (24 x 17 bits unsigned). Strips too thin to fill
// one are sums of shifted rows in LUTs. Bits that cannot reach the result are not formed.
//
// Twin model: heliodor/targets/machine/pe/mod_mul_barrett.h

`include "heliodor_assert.svh"

module heliodor_mod_mul_barrett (
  input  logic                                                  clk_i,
  input  logic                                                  rst_ni,
  input  logic                                                  valid_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           a_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           b_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_i,
  output logic                                                  valid_o,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           p_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned ReciprocalWidth = heliodor_pkg::ModMulBarrettReciprocalWidth;
  localparam int unsigned DroppedBits = heliodor_pkg::ModMulBarrettDroppedBits;
  localparam int unsigned Latency = heliodor_pkg::ModMulBarrettLatency;
  localparam int unsigned Wide = heliodor_pkg::DspWideWidth;
  localparam int unsigned Narrow = heliodor_pkg::DspNarrowWidth;

  localparam int unsigned ProductWidth = 2 * Width;
  // Remainders before the conditional subtraction are below 2q: one bit more than q suffices.
  localparam int unsigned RemainderWidth = Width + 1;
  // What lies above the DSP tiles: a strip of a, b, t or q.
  localparam int unsigned WideRest = Width - Wide;
  localparam int unsigned NarrowRest = Width - Narrow;

  // valid_q[k] belongs to the registers of stage k + 1.
  logic [Latency-1:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[Latency-2:0], valid_i};
  end

  assign valid_o = valid_q[Latency-1];

  // Stages 1 and 2: z = a*b.
  logic [Wide+Narrow-1:0]     ab_low_q;
  logic [Wide+NarrowRest-1:0] ab_middle_q;
  logic [WideRest+Width-1:0]  ab_high_d, ab_high_q;
  logic [ProductWidth-1:0]    z2_q;

  always_comb begin
    ab_high_d = '0;
    for (int i = 0; i < WideRest; i++) begin
      ab_high_d = ab_high_d + (({WideRest'(0), b_i} & {(WideRest+Width){a_i[Wide+i]}}) << i);
    end
  end

  always_ff @(posedge clk_i) begin
    ab_low_q    <= (Wide+Narrow)'(a_i[Wide-1:0]) * (Wide+Narrow)'(b_i[Narrow-1:0]);
    ab_middle_q <= (Wide+NarrowRest)'(a_i[Wide-1:0]) * (Wide+NarrowRest)'(b_i[Width-1:Narrow]);
    ab_high_q   <= ab_high_d;
    z2_q        <= ProductWidth'(ab_low_q) + (ProductWidth'(ab_middle_q) << Narrow) +
                   (ProductWidth'(ab_high_q) << Wide);
  end

  // Stages 3 and 4: the quotient estimate t = (z >> DroppedBits) * mu >> QuotientShift, below q.
  localparam int unsigned HeadWidth = ProductWidth - DroppedBits;
  localparam int unsigned HeadRest = HeadWidth - Wide;
  localparam int unsigned MuRest = ReciprocalWidth - Narrow;
  localparam int unsigned QuotientShift = HeadWidth;
  localparam int unsigned EstimateWidth = HeadWidth + ReciprocalWidth;

  logic [HeadWidth-1:0]       head;
  logic [ReciprocalWidth-1:0] mu1_q, mu2_q;
  logic [Wide+Narrow-1:0]     low_low_q;
  logic [Wide+MuRest-1:0]     low_high_q;
  logic [HeadRest+Narrow-1:0] high_low_q;
  logic [HeadRest+MuRest-1:0] high_high_q;
  logic [EstimateWidth-1:0]   estimate;
  logic [Width-1:0]           t4_q;

  assign head = z2_q[ProductWidth-1:DroppedBits];

  assign estimate = EstimateWidth'(low_low_q) + (EstimateWidth'(low_high_q) << Narrow) +
                    (EstimateWidth'(high_low_q) << Wide) +
                    (EstimateWidth'(high_high_q) << (Wide + Narrow));

  always_ff @(posedge clk_i) begin
    mu1_q       <= mu_i;
    mu2_q       <= mu1_q;
    low_low_q   <= (Wide+Narrow)'(head[Wide-1:0]) * (Wide+Narrow)'(mu2_q[Narrow-1:0]);
    low_high_q  <= (Wide+MuRest)'(head[Wide-1:0]) *
                   (Wide+MuRest)'(mu2_q[ReciprocalWidth-1:Narrow]);
    high_low_q  <= (HeadRest+Narrow)'(head[HeadWidth-1:Wide]) *
                   (HeadRest+Narrow)'(mu2_q[Narrow-1:0]);
    high_high_q <= (HeadRest+MuRest)'(head[HeadWidth-1:Wide]) *
                   (HeadRest+MuRest)'(mu2_q[ReciprocalWidth-1:Narrow]);
    t4_q        <= Width'(estimate >> QuotientShift);
  end

  // Stages 5 and 6: r = z - t*q, below 2q, so all of it happens modulo 2^RemainderWidth.
  localparam int unsigned MiddleWidth = RemainderWidth - Narrow;
  localparam int unsigned HighWidth = RemainderWidth - Wide;

  logic [Width-1:0]          q1_q, q2_q, q3_q, q4_q, q5_q, q6_q;
  logic [RemainderWidth-1:0] z3_q, z4_q, z5_q;
  logic [RemainderWidth-1:0] tq_low_q;
  logic [MiddleWidth-1:0]    tq_middle_q;
  logic [HighWidth-1:0]      tq_high_d, tq_high_q;
  logic [RemainderWidth-1:0] r6_q;

  always_comb begin
    tq_high_d = '0;
    for (int i = 0; i < WideRest; i++) begin
      tq_high_d = tq_high_d + ((t4_q[HighWidth-1:0] & {HighWidth{q4_q[Wide+i]}}) << i);
    end
  end

  always_ff @(posedge clk_i) begin
    q1_q        <= q_i;
    q2_q        <= q1_q;
    q3_q        <= q2_q;
    q4_q        <= q3_q;
    q5_q        <= q4_q;
    q6_q        <= q5_q;
    z3_q        <= z2_q[RemainderWidth-1:0];
    z4_q        <= z3_q;
    z5_q        <= z4_q;
    tq_low_q    <= RemainderWidth'(t4_q[Narrow-1:0]) * RemainderWidth'(q4_q[Wide-1:0]);
    tq_middle_q <= MiddleWidth'(t4_q[Width-1:Narrow]) * q4_q[MiddleWidth-1:0];
    tq_high_q   <= tq_high_d;
    r6_q        <= z5_q - tq_low_q - {tq_middle_q, Narrow'(0)} - {tq_high_q, Wide'(0)};
  end

  // Stage 7: r - q unless it is negative, which its extra top bit tells.
  logic [RemainderWidth:0] difference;

  assign difference = {1'b0, r6_q} - (RemainderWidth+1)'(q6_q);

  always_ff @(posedge clk_i) begin
    p_o <= difference[RemainderWidth] ? r6_q[Width-1:0] : difference[Width-1:0];
  end

  `HELIODOR_ASSERT(ModulusInRange, valid_i, q_i[Width-1] && q_i[Width-2:0] != '0)
  `HELIODOR_ASSERT(FirstOperandReduced, valid_i, a_i < q_i)
  `HELIODOR_ASSERT(SecondOperandReduced, valid_i, b_i < q_i)
  `HELIODOR_ASSERT(ReciprocalBelongsToModulus, valid_i,
                   (ProductWidth+2)'(mu_i) * (ProductWidth+2)'(q_i) <=
                       ((ProductWidth+2)'(1) << ProductWidth) &&
                   ((ProductWidth+2)'(mu_i) + 1) * (ProductWidth+2)'(q_i) >
                       ((ProductWidth+2)'(1) << ProductWidth))
  `HELIODOR_ASSERT(OneSubtractionSuffices, valid_q[Latency-2],
                   (RemainderWidth+1)'(r6_q) < ((RemainderWidth+1)'(q6_q) << 1))

endmodule : heliodor_mod_mul_barrett
