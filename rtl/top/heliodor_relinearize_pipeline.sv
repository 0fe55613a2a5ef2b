// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_relinearize_pipeline: what payload words do, one a clock, in 19 stages. Six multipliers:
// four for products of words, two for products of those with own keys.
//
//   Fill    {b1, a1}        a1*b1 goes to index, channel slot, of a page (both channels if single)
//   Key     {key_a, key_b}  sum[slot] += d * key, where d is index of channel slot of a page;
//                           with first, the sums begin
//   Own     {key_a, key_b}  kept for the products c2 * key of the Odd words that follow
//   Even    {b0, a0}        kept for the Odd word that follows
//   Odd     {b1, a1}        result: sum[slot] + (a0*b0, a0*b1 + a1*b0) + a1*b1 * key
//
// Stage 1 is op_*; 4 has the operands of the first products, 11 the products; 12 stores sums or
// fills a page; 18 has the products with own keys, 19 a result. A sum read in stage 9 is written in
// stage 12, so an index may return after four clocks. q_i and mu_i may change when idle_o is high.
//
// Part of heliodor_bv_relinearize.

`include "heliodor_assert.svh"

module heliodor_relinearize_pipeline (
  input  logic                                                                 clk_i,
  input  logic                                                                 rst_ni,
  input  logic                                                                 op_valid_i,
  input  logic [2:0]                                                           op_kind_i,
  input  logic                                                                 op_slot_i,
  input  logic                                                                 op_single_i,
  input  logic                                                                 op_first_i,
  input  logic                                                                 op_last_i,   // of a fill
  input  logic                                                                 op_final_i,  // of a session
  input  logic [1:0]                                                           op_page_i,
  input  logic [heliodor_pkg::NttIndexWidth-1:0]                               op_index_i,
  input  logic [2*heliodor_pkg::ModMulBarrettWidth-1:0]                        op_data_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]                          q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0]                mu_i,
  output logic                                                                 idle_o,
  // Transforms' pages: a row in stage 1, its words in stage 3; a word in stage 12.
  output logic [1:0]                                                           read_page_o,
  output logic [heliodor_pkg::NttGroupWidth-1:0]                               read_row_o,
  input  logic [2*heliodor_pkg::NttLanes*heliodor_pkg::ModMulBarrettWidth-1:0] read_data_i,
  output logic [2*heliodor_pkg::NttLanes-1:0]                                  write_banks_o,
  output logic [1:0]                                                           write_page_o,
  output logic [heliodor_pkg::NttGroupWidth-1:0]                               write_row_o,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]                          write_data_o,
  output logic                                                                 filled_o,
  output logic                                                                 result_valid_o,
  output logic                                                                 result_final_o,
  output logic [2*heliodor_pkg::ModMulBarrettWidth-1:0]                        result_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned IndexWidth = heliodor_pkg::NttIndexWidth;
  localparam int unsigned Lanes = heliodor_pkg::NttLanes;
  localparam int unsigned Read = heliodor_pkg::RelinearizeReadStage;
  localparam int unsigned Sum = heliodor_pkg::RelinearizeSumStage;
  localparam int unsigned Stages = heliodor_pkg::RelinearizeStages;
  localparam int unsigned Latency = heliodor_pkg::ModMulBarrettLatency;
  // Sums leave their memory through two registers.
  localparam int unsigned Fetch = Sum - 2;
  localparam int unsigned TagWidth = 3 + 1 + 1 + 1 + 1 + 1 + 2 + IndexWidth;

  localparam logic [2:0] Fill = 3'd0, Key = 3'd1, Own = 3'd2, Even = 3'd3, Odd = 3'd4;

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

  // What goes with a word, stage by stage; stage 0 is not used.
  logic [Stages:1]       valid_q;
  logic [TagWidth-1:0]   tag_q [Stages+1];
  logic [2:0]            kind [Stages+1];
  logic                  slot [Stages+1];
  logic                  single [Stages+1];
  logic                  first [Stages+1];
  logic                  last [Stages+1];
  logic                  final_word [Stages+1];
  logic [1:0]            page [Stages+1];
  logic [IndexWidth-1:0] index [Stages+1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[Stages-1:1], op_valid_i};
  end

  always_ff @(posedge clk_i) begin
    tag_q[0] <= '0;
    tag_q[1] <= {op_kind_i, op_slot_i, op_single_i, op_first_i, op_last_i, op_final_i, op_page_i,
                 op_index_i};
    for (int stage = 2; stage <= Stages; stage++) tag_q[stage] <= tag_q[stage-1];
  end

  for (genvar stage = 0; stage <= Stages; stage++) begin : gen_tag
    assign {kind[stage], slot[stage], single[stage], first[stage], last[stage], final_word[stage],
            page[stage], index[stage]} = tag_q[stage];
  end

  assign idle_o = valid_q == '0;

  // Stages 1 to 3: the page's row, the words that are kept.
  logic [2*Width-1:0] data1_q, data2_q, data3_q, even_q, own_q;
  logic [2:0]         bank3;

  assign read_page_o = page[1];
  assign read_row_o = index[1][IndexWidth-1:3];
  assign bank3 = index[Read-1][2:0] ^ index[Read-1][5:3] ^ index[Read-1][8:6] ^
                 index[Read-1][11:9];

  always_ff @(posedge clk_i) begin
    data1_q <= op_data_i;
    data2_q <= data1_q;
    data3_q <= data2_q;
    if (valid_q[Read-1] && kind[Read-1] == Even) even_q <= data3_q;
    if (valid_q[Read-1] && kind[Read-1] == Own) own_q <= data3_q;
  end

  // Stage 4: operands. Product 2s + c of a key word belongs to slot s and component c; the four of
  // an odd word are a0*b0, a0*b1, a1*b0, a1*b1.
  logic [4*Width-1:0] left_q, right_q, product;
  logic [2*Width-1:0] own_pipe_q [Sum-Read+1];
  logic [3:0]         multiply, product_valid;
  logic               odd3;

  assign odd3 = kind[Read-1] == Odd;

  always_ff @(posedge clk_i) begin
    left_q[0+:Width]       <= odd3 ? even_q[Width-1:0] : pick(read_data_i[0+:Lanes*Width], bank3);
    left_q[Width+:Width]   <= odd3 ? even_q[Width-1:0] : pick(read_data_i[0+:Lanes*Width], bank3);
    left_q[2*Width+:Width] <= odd3 ? data3_q[Width-1:0]
                                   : pick(read_data_i[Lanes*Width+:Lanes*Width], bank3);
    left_q[3*Width+:Width] <= kind[Read-1] == Key
                                  ? pick(read_data_i[Lanes*Width+:Lanes*Width], bank3)
                                  : data3_q[Width-1:0];
    right_q[0+:Width]       <= odd3 ? even_q[2*Width-1:Width] : data3_q[Width-1:0];
    right_q[Width+:Width]   <= data3_q[2*Width-1:Width];
    right_q[2*Width+:Width] <= odd3 ? even_q[2*Width-1:Width] : data3_q[Width-1:0];
    right_q[3*Width+:Width] <= data3_q[2*Width-1:Width];
    own_pipe_q[0] <= own_q;
    for (int i = 1; i <= Sum - Read; i++) own_pipe_q[i] <= own_pipe_q[i-1];
  end

  always_comb begin
    multiply = '0;
    if (valid_q[Read]) begin
      unique case (kind[Read])
        Key, Odd: multiply = '1;
        Fill:     multiply = 4'b1000;
        default:  multiply = '0;
      endcase
    end
  end

  for (genvar i = 0; i < 4; i++) begin : gen_product
    heliodor_mod_mul_barrett u_multiplier (
      .clk_i,
      .rst_ni,
      .valid_i(multiply[i]),
      .a_i(left_q[i*Width+:Width]),
      .b_i(right_q[i*Width+:Width]),
      .q_i,
      .mu_i,
      .valid_o(product_valid[i]),
      .p_o(product[i*Width+:Width])
    );
  end

  // Stage 12 of a fill: the word on its way into the page.
  logic [2:0]       bank11;
  logic [Lanes-1:0] one_bank;
  logic             fill11;

  assign fill11 = valid_q[Sum] && kind[Sum] == Fill;
  assign one_bank = Lanes'(1) << bank11;
  assign bank11 = index[Sum][2:0] ^ index[Sum][5:3] ^ index[Sum][8:6] ^ index[Sum][11:9];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_banks_o <= '0;
      filled_o      <= 1'b0;
    end else begin
      filled_o      <= fill11 && last[Sum];
      write_banks_o <= {fill11 && (slot[Sum] || single[Sum]) ? one_bank : '0,
                        fill11 && !slot[Sum] ? one_bank : '0};
    end
  end

  always_ff @(posedge clk_i) begin
    write_page_o <= page[Sum];
    write_row_o  <= index[Sum][IndexWidth-1:3];
    write_data_o <= product[3*Width+:Width];
  end

  // Stages 9 to 12: sums. Adder 2s + c adds to component c of slot s; those of slot 0 serve the odd
  // words of both slots.
  logic [4*Width-1:0] stored, addend, sum, total;
  logic [3:0]         total_valid_unused;
  logic               odd11, key12;

  assign odd11 = kind[Sum] == Odd;
  assign key12 = valid_q[Sum+1] && kind[Sum+1] == Key;

  for (genvar i = 0; i < 4; i++) begin : gen_sum
    logic [Width-1:0] memory [2**IndexWidth];
    logic [Width-1:0] word_q, word11_q;

    always_ff @(posedge clk_i) begin
      if (key12) memory[index[Sum+1]] <= total[i*Width+:Width];
      word_q   <= memory[index[Fetch]];
      word11_q <= word_q;
    end

    assign stored[i*Width+:Width] = word11_q;
    assign sum[i*Width+:Width] =
        i < 2 && odd11 && slot[Sum] ? stored[(i+2)%4*Width+:Width] : stored[i*Width+:Width];
    assign addend[i*Width+:Width] = kind[Sum] == Key && first[Sum] ? '0 : sum[i*Width+:Width];

    heliodor_mod_add #(.Width(Width)) u_adder (
      .clk_i,
      .rst_ni,
      .valid_i(product_valid[i] && (kind[Sum] == Key || (odd11 && i < 2))),
      .a_i(addend[i*Width+:Width]),
      .b_i(product[i*Width+:Width]),
      .q_i,
      .valid_o(total_valid_unused[i]),
      .r_o(total[i*Width+:Width])
    );
  end

  // Stages 12 to 19 of an odd word: the second cross product, then the products with the own keys.
  logic [Width-1:0]   cross12_q, cross13;
  logic               cross_valid_unused, odd12;
  logic [2*Width-1:0] partial_q [Latency-1];  // stages 13 to 18
  logic [2*Width-1:0] own_product;
  logic [1:0]         own_valid, result_valid;

  assign odd12 = valid_q[Sum+1] && kind[Sum+1] == Odd;

  heliodor_mod_add #(.Width(Width)) u_cross (
    .clk_i,
    .rst_ni,
    .valid_i(odd12),
    .a_i(total[Width+:Width]),
    .b_i(cross12_q),
    .q_i,
    .valid_o(cross_valid_unused),
    .r_o(cross13)
  );

  always_ff @(posedge clk_i) begin
    cross12_q    <= product[2*Width+:Width];
    partial_q[0] <= {Width'(0), total[0+:Width]};
    partial_q[1] <= {cross13, partial_q[0][Width-1:0]};
    for (int i = 2; i < Latency - 1; i++) partial_q[i] <= partial_q[i-1];
  end

  for (genvar component = 0; component < 2; component++) begin : gen_own
    heliodor_mod_mul_barrett u_multiplier (
      .clk_i,
      .rst_ni,
      .valid_i(valid_q[Sum] && odd11),
      .a_i(product[3*Width+:Width]),
      .b_i(own_pipe_q[Sum-Read][component*Width+:Width]),
      .q_i,
      .mu_i,
      .valid_o(own_valid[component]),
      .p_o(own_product[component*Width+:Width])
    );

    heliodor_mod_add #(.Width(Width)) u_adder (
      .clk_i,
      .rst_ni,
      .valid_i(own_valid[component]),
      .a_i(partial_q[Latency-2][component*Width+:Width]),
      .b_i(own_product[component*Width+:Width]),
      .q_i,
      .valid_o(result_valid[component]),
      .r_o(result_o[component*Width+:Width])
    );
  end

  assign result_valid_o = &result_valid;
  assign result_final_o = final_word[Stages];

  `HELIODOR_ASSERT(ProductsMeetTheirWords, 1'b1,
                   product_valid[0] == (valid_q[Sum] && (kind[Sum] == Key || odd11)))
  `HELIODOR_ASSERT(ResultsMeetTheirWords, 1'b1,
                   result_valid == {2{valid_q[Stages] && kind[Stages] == Odd}})

endmodule : heliodor_relinearize_pipeline
