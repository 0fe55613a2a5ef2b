// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_mac_element: sums of products modulo q, with one accumulator and a register file.
//
// A term a*b is taken every clock in which valid_i is high. b comes from b_i or, where
// from_register_i is high, from a register as it was before this clock's write. first_i starts a
// sum with this term; last_i sends the sum so far to r_o. A sum goes on until the next first_i,
// over gaps and over last_i.
//
// Requires the multiplier's conditions on q, mu, a and the b that is used; one q from first to last
// term of a sum; and first_i on the first term after a reset. Registers are undefined until
// written.
//
// Latency 9 from the last term to valid_o, initiation interval 1, no back-pressure. rst_ni clears
// the valid bits only.
//
// Twin model: heliodor/targets/machine/pe/mac_element.h

`include "heliodor_assert.svh"

module heliodor_mac_element #(
  parameter int unsigned Registers = heliodor_pkg::MacElementRegisters,
  localparam int unsigned IndexWidth = $clog2(Registers)
) (
  input  logic                                                  clk_i,
  input  logic                                                  rst_ni,
  input  logic                                                  write_valid_i,
  input  logic [IndexWidth-1:0]                                 write_register_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           write_data_i,
  input  logic                                                  valid_i,
  input  logic                                                  first_i,
  input  logic                                                  last_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           a_i,
  input  logic                                                  from_register_i,
  input  logic [IndexWidth-1:0]                                 register_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           b_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_i,
  output logic                                                  valid_o,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           r_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned ReciprocalWidth = heliodor_pkg::ModMulBarrettReciprocalWidth;
  localparam int unsigned Latency = heliodor_pkg::MacElementLatency;
  localparam int unsigned MultiplierLatency = heliodor_pkg::ModMulBarrettLatency;

  // Stage 1: the second factor.
  logic [Width-1:0]           registers [Registers];
  logic                       valid1_q, first1_q, last1_q;
  logic [Width-1:0]           a1_q, b1_q, q1_q;
  logic [ReciprocalWidth-1:0] mu1_q;

  always_ff @(posedge clk_i) begin
    if (write_valid_i) registers[write_register_i] <= write_data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid1_q <= 1'b0;
    else         valid1_q <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    first1_q <= first_i;
    last1_q  <= last_i;
    a1_q     <= a_i;
    b1_q     <= from_register_i ? registers[register_i] : b_i;
    q1_q     <= q_i;
    mu1_q    <= mu_i;
  end

  // Stages 2 to 8: the product, and beside it what waits for it.
  logic                               valid8, first8, last8;
  logic [Width-1:0]                   product8, q8;
  logic [MultiplierLatency-1:0]       first_q, last_q;
  logic [MultiplierLatency*Width-1:0] modulus_q;

  heliodor_mod_mul_barrett u_multiplier (
    .clk_i,
    .rst_ni,
    .valid_i(valid1_q),
    .a_i(a1_q),
    .b_i(b1_q),
    .q_i(q1_q),
    .mu_i(mu1_q),
    .valid_o(valid8),
    .p_o(product8)
  );

  always_ff @(posedge clk_i) begin
    first_q   <= {first_q[MultiplierLatency-2:0], first1_q};
    last_q    <= {last_q[MultiplierLatency-2:0], last1_q};
    modulus_q <= {modulus_q[(MultiplierLatency-1)*Width-1:0], q1_q};
  end

  assign first8 = first_q[MultiplierLatency-1];
  assign last8 = last_q[MultiplierLatency-1];
  assign q8 = modulus_q[MultiplierLatency*Width-1-:Width];

  // Stage 9: the accumulator, which is also the output.
  logic [Width-1:0] addend;
  logic [Width:0]   sum;
  logic [Width+1:0] difference;  // its top bit tells that the sum is below q

  assign addend = first8 ? '0 : r_o;
  assign sum = (Width+1)'(addend) + (Width+1)'(product8);
  assign difference = (Width+2)'(sum) - (Width+2)'(q8);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else         valid_o <= valid8 && last8;
  end

  always_ff @(posedge clk_i) begin
    if (valid8) r_o <= difference[Width+1] ? sum[Width-1:0] : difference[Width-1:0];
  end

  if (Latency != MultiplierLatency + 2) begin : gen_latency_check
    $fatal(1, "MacElementLatency is the multiplier's and two");
  end

  `HELIODOR_ASSERT(AccumulatorReduced, valid8 && !first8, r_o < q8)

endmodule : heliodor_mac_element
