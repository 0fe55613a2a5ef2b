// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_ntt_butterfly: a radix-2 butterfly of either direction on one Barrett multiplier.
//
//   inverse_i low:  u = a + w*b        v = a - w*b         modulo q
//   inverse_i high: u = (a + b) / 2    v = w*(b - a) / 2   modulo q
//
// The second form with w' undoes the first with w where w*w' = -1. Requires the multiplier's
// conditions on q and mu, q odd, and a, b, w < q, where valid_i is high. Direction and modulus may
// change every clock.
//
// Latency 9, initiation interval 1, no back-pressure. rst_ni clears the valid bits only.
//
// Twin model: heliodor/targets/machine/pe/ntt_butterfly.h

`include "heliodor_assert.svh"

module heliodor_ntt_butterfly (
  input  logic                                                  clk_i,
  input  logic                                                  rst_ni,
  input  logic                                                  valid_i,
  input  logic                                                  inverse_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           a_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           b_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           w_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_i,
  output logic                                                  valid_o,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           u_o,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           v_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned ReciprocalWidth = heliodor_pkg::ModMulBarrettReciprocalWidth;
  localparam int unsigned Latency = heliodor_pkg::NttButterflyLatency;
  localparam int unsigned MultiplierLatency = heliodor_pkg::ModMulBarrettLatency;

  // Stage 1: the inverse adds and subtracts first. The forward lets its operands pass.
  logic                       valid1_q, inverse1_q;
  logic [Width-1:0]           sum, difference;
  logic [Width-1:0]           through1_q, factor1_q, w1_q, q1_q;
  logic [ReciprocalWidth-1:0] mu1_q;

  function automatic logic [Width-1:0] add(input logic [Width-1:0] x, y, q);
    logic [Width:0]   raw;
    logic [Width+1:0] less;
    raw = (Width+1)'(x) + (Width+1)'(y);
    less = (Width+2)'(raw) - (Width+2)'(q);
    add = less[Width+1] ? raw[Width-1:0] : less[Width-1:0];
  endfunction

  function automatic logic [Width-1:0] subtract(input logic [Width-1:0] x, y, q);
    logic [Width:0] raw;
    raw = (Width+1)'(x) - (Width+1)'(y);
    subtract = raw[Width-1:0] + (q & {Width{raw[Width]}});
  endfunction

  // x / 2 modulo an odd q, which is x/2 or (x + q)/2: floor(x/2), for an odd x and floor(q/2) + 1.
  function automatic logic [Width-1:0] halve(input logic [Width-1:0] x, q);
    halve = (x >> 1) + ((q >> 1) & {Width{x[0]}}) + Width'(x[0]);
  endfunction

  assign sum = add(a_i, b_i, q_i);
  assign difference = subtract(b_i, a_i, q_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid1_q <= 1'b0;
    else         valid1_q <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    inverse1_q <= inverse_i;
    through1_q <= inverse_i ? sum : a_i;
    factor1_q  <= inverse_i ? difference : b_i;
    w1_q       <= w_i;
    q1_q       <= q_i;
    mu1_q      <= mu_i;
  end

  // Stages 2 to 8: the product, and beside it what waits for it.
  logic                               valid8;
  logic [Width-1:0]                   product8;
  logic [MultiplierLatency-1:0]       inverse_q;
  logic [MultiplierLatency*Width-1:0] through_q, modulus_q;
  logic [Width-1:0]                   through8, q8;
  logic                               inverse8;

  heliodor_mod_mul_barrett u_multiplier (
    .clk_i,
    .rst_ni,
    .valid_i(valid1_q),
    .a_i(factor1_q),
    .b_i(w1_q),
    .q_i(q1_q),
    .mu_i(mu1_q),
    .valid_o(valid8),
    .p_o(product8)
  );

  always_ff @(posedge clk_i) begin
    inverse_q <= {inverse_q[MultiplierLatency-2:0], inverse1_q};
    through_q <= {through_q[(MultiplierLatency-1)*Width-1:0], through1_q};
    modulus_q <= {modulus_q[(MultiplierLatency-1)*Width-1:0], q1_q};
  end

  assign inverse8 = inverse_q[MultiplierLatency-1];
  assign through8 = through_q[MultiplierLatency*Width-1-:Width];
  assign q8 = modulus_q[MultiplierLatency*Width-1-:Width];

  // Stage 9: the forward adds and subtracts last. The inverse halves.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else         valid_o <= valid8;
  end

  always_ff @(posedge clk_i) begin
    u_o <= inverse8 ? halve(through8, q8) : add(through8, product8, q8);
    v_o <= inverse8 ? halve(product8, q8) : subtract(through8, product8, q8);
  end

  if (Latency != MultiplierLatency + 2) begin : gen_latency_check
    $fatal(1, "NttButterflyLatency is the multiplier's and two");
  end

  `HELIODOR_ASSERT(ModulusOdd, valid_i, q_i[0])
  `HELIODOR_ASSERT(FirstOperandReduced, valid_i, a_i < q_i)
  `HELIODOR_ASSERT(SecondOperandReduced, valid_i, b_i < q_i)
  `HELIODOR_ASSERT(FactorReduced, valid_i, w_i < q_i)

endmodule : heliodor_ntt_butterfly
