// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_permute_omega: lane i goes to lane ((i*a + b) mod Lanes) xor c, by an omega network.
//
// Requires a odd where valid_i is high; a, b and c may change every clock. Stage k shuffles the
// lines perfectly and sets each 2 x 2 switch by one bit of the lanes' destinations, the highest
// first. These permutations never ask one switch for the same output twice (proof: README.md);
// others may.
//
// Latency 1 + log2(Lanes), initiation interval 1, no back-pressure. rst_ni clears the valid bits
// only. Requires Lanes to be a power of two, at least 4.
//
// Twin model: heliodor/targets/machine/pe/permute_omega.h

`include "heliodor_assert.svh"

module heliodor_permute_omega #(
  parameter int unsigned Lanes = heliodor_pkg::PermuteOmegaLanes,
  parameter int unsigned Width = heliodor_pkg::PermuteOmegaWidth,
  localparam int unsigned IndexWidth = $clog2(Lanes)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   valid_i,
  input  logic [IndexWidth-1:0]  a_i,
  input  logic [IndexWidth-1:0]  b_i,
  input  logic [IndexWidth-1:0]  c_i,
  input  logic [Lanes*Width-1:0] data_i,
  output logic                   valid_o,
  output logic [Lanes*Width-1:0] data_o
);

  if (Lanes < 4 || Lanes != (1 << IndexWidth)) begin : gen_lanes_check
    $fatal(1, "Lanes must be a power of two and at least 4");
  end

  logic [IndexWidth:0] valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[IndexWidth-1:0], valid_i};
  end

  assign valid_o = valid_q[IndexWidth];

  // What enters switch stage k stands in slice k; the result is slice IndexWidth. A line carries a
  // lane's word and the lane's destination.
  logic [(IndexWidth+1)*Lanes*Width-1:0]      data;
  logic [(IndexWidth+1)*Lanes*IndexWidth-1:0] target;

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_target
    logic [IndexWidth-1:0] target_q;
    logic [Width-1:0]      data_q;

    always_ff @(posedge clk_i) begin
      target_q <= (IndexWidth'(lane) * a_i + b_i) ^ c_i;
      data_q   <= data_i[lane*Width+:Width];
    end

    assign target[lane*IndexWidth+:IndexWidth] = target_q;
    assign data[lane*Width+:Width] = data_q;
  end

  for (genvar stage = 0; stage < IndexWidth; stage++) begin : gen_stage
    localparam int unsigned Before = stage * Lanes;
    localparam int unsigned After = (stage + 1) * Lanes;

    for (genvar pair = 0; pair < Lanes / 2; pair++) begin : gen_switch
      // The perfect shuffle brings lines `pair` and `pair + Lanes/2` to this switch.
      logic [IndexWidth-1:0] upper_target, lower_target, upper_target_q, lower_target_q;
      logic [Width-1:0]      upper_data, lower_data, upper_data_q, lower_data_q;
      logic                  swap;

      assign upper_target = target[(Before+pair)*IndexWidth+:IndexWidth];
      assign lower_target = target[(Before+pair+Lanes/2)*IndexWidth+:IndexWidth];
      assign upper_data = data[(Before+pair)*Width+:Width];
      assign lower_data = data[(Before+pair+Lanes/2)*Width+:Width];
      assign swap = upper_target[IndexWidth-1-stage];

      always_ff @(posedge clk_i) begin
        upper_target_q <= swap ? lower_target : upper_target;
        lower_target_q <= swap ? upper_target : lower_target;
        upper_data_q   <= swap ? lower_data : upper_data;
        lower_data_q   <= swap ? upper_data : lower_data;
      end

      assign target[(After+2*pair)*IndexWidth+:IndexWidth] = upper_target_q;
      assign target[(After+2*pair+1)*IndexWidth+:IndexWidth] = lower_target_q;
      assign data[(After+2*pair)*Width+:Width] = upper_data_q;
      assign data[(After+2*pair+1)*Width+:Width] = lower_data_q;

      `HELIODOR_ASSERT(SwitchWithoutConflict, valid_q[stage],
                       upper_target[IndexWidth-1-stage] != lower_target[IndexWidth-1-stage])
    end
  end

  assign data_o = data[IndexWidth*Lanes*Width+:Lanes*Width];

  // Where the lanes arrived is looked at by assertions alone.
  logic unused_arrivals;
  assign unused_arrivals = ^target[IndexWidth*Lanes*IndexWidth+:Lanes*IndexWidth];

  `HELIODOR_ASSERT(FactorOdd, valid_i, a_i[0])
  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_arrival
    `HELIODOR_ASSERT(LaneArrives, valid_o,
                     target[(IndexWidth*Lanes+lane)*IndexWidth+:IndexWidth] == IndexWidth'(lane))
  end

endmodule : heliodor_permute_omega
