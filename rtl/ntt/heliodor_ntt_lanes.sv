// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_ntt_lanes: four butterflies, and the ways from eight banks to their lanes and back.
//
// Lane bit j of a group is the index bit at a position that is stage + j modulo 3, so lanes 2k and
// 2k + 1 make a pair. Which lane a bank holds: its number without the hash, turned by the stage.
//
// words_i, twiddles_i and what describes them stand there together. A clock later the words are in
// their lanes (lanes_o), and valid_i says whether they enter the butterflies. results_valid_o comes
// with the results; in that clock write_hash_i and write_turn_i describe them, and a clock later
// they stand in banks (words_o). With enter_i high, enter_words_i take the place of the results.
//
// Part of the NTT units.

module heliodor_ntt_lanes (
  input  logic                                                               clk_i,
  input  logic                                                               rst_ni,
  input  logic [heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0] words_i,
  input  logic [2:0]                                                         hash_i,
  input  logic [1:0]                                                         turn_i,
  input  logic [4*heliodor_pkg::ModMulBarrettWidth-1:0]                      twiddles_i,
  input  logic [1:0]                                                         twiddle_bank_i,
  input  logic [1:0]                                                         above_i,
  input  logic                                                               valid_i,
  input  logic                                                               inverse_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]                        q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0]              mu_i,
  output logic [heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0] lanes_o,
  output logic                                                               results_valid_o,
  input  logic                                                               enter_i,
  input  logic [heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0] enter_words_i,
  input  logic [2:0]                                                         write_hash_i,
  input  logic [1:0]                                                         write_turn_i,
  output logic [heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0] words_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned Lanes = heliodor_pkg::NttLanes;
  localparam int unsigned Butterflies = Lanes / 2;

  function automatic logic [2:0] turn_left(input logic [2:0] x, input logic [1:0] by);
    turn_left = by == 2'd0 ? x : by == 2'd1 ? {x[1], x[0], x[2]} : {x[0], x[2], x[1]};
  endfunction

  function automatic logic [2:0] turn_right(input logic [2:0] x, input logic [1:0] by);
    turn_right = by == 2'd0 ? x : by == 2'd1 ? {x[0], x[2], x[1]} : {x[1], x[0], x[2]};
  endfunction

  // One word of eight. A part select with a variable start would cost twice the LUTs.
  function automatic logic [Width-1:0] pick(input logic [Lanes*Width-1:0] words,
                                            input logic [2:0] which);
    unique case (which)
      3'd0:    pick = words[0+:Width];
      3'd1:    pick = words[Width+:Width];
      3'd2:    pick = words[2*Width+:Width];
      3'd3:    pick = words[3*Width+:Width];
      3'd4:    pick = words[4*Width+:Width];
      3'd5:    pick = words[5*Width+:Width];
      3'd6:    pick = words[6*Width+:Width];
      default: pick = words[7*Width+:Width];
    endcase
  endfunction

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    logic [2:0] bank;

    assign bank = turn_left(3'(lane), turn_i) ^ hash_i;
    always_ff @(posedge clk_i) lanes_o[lane*Width+:Width] <= pick(words_i, bank);
  end

  logic [Butterflies*Width-1:0] twiddles_q;
  logic [Butterflies-1:0]       valid;
  logic [Lanes*Width-1:0]       results, entering;

  for (genvar pair = 0; pair < Butterflies; pair++) begin : gen_butterfly
    logic [1:0] bank;

    assign bank = twiddle_bank_i ^ (2'(pair) & above_i);
    always_ff @(posedge clk_i) begin
      twiddles_q[pair*Width+:Width] <= pick((Lanes*Width)'(twiddles_i), {1'b0, bank});
    end

    heliodor_ntt_butterfly u_butterfly (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i),
      .inverse_i(inverse_i),
      .a_i(lanes_o[2*pair*Width+:Width]),
      .b_i(lanes_o[(2*pair+1)*Width+:Width]),
      .w_i(twiddles_q[pair*Width+:Width]),
      .q_i(q_i),
      .mu_i(mu_i),
      .valid_o(valid[pair]),
      .u_o(results[2*pair*Width+:Width]),
      .v_o(results[(2*pair+1)*Width+:Width])
    );
  end

  assign results_valid_o = &valid;
  assign entering = enter_i ? enter_words_i : results;

  for (genvar bank = 0; bank < Lanes; bank++) begin : gen_write
    logic [2:0] lane;

    assign lane = turn_right(3'(bank) ^ write_hash_i, write_turn_i);
    always_ff @(posedge clk_i) words_o[bank*Width+:Width] <= pick(entering, lane);
  end

endmodule : heliodor_ntt_lanes
