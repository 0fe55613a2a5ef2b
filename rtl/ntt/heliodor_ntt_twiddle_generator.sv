// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_ntt_twiddle_generator: the twiddle table of an NTT unit from its root, and whether the
// root is one. One multiplier.
//
// start_i with table_i low squares psi log_degree times: root_o says whether psi^N = -1 mod q. With
// table_i high it writes psi^bitrev(k) to every k below N = 2^log_degree: the first eight powers one
// after the other, then psi^e = psi^(e-8) * psi^8, which is as far apart as the multiplier is deep.
//
// start_i is taken where busy_o is low. Busy for 8*log_degree clocks, or 56 + N. q_i, mu_i,
// psi_i and log_degree_i must hold still meanwhile; root_o holds from busy_o's fall to the next
// start. Requires the Barrett multiplier's conditions, psi_i < q_i, 3 <= log_degree_i <= 12.

module heliodor_ntt_twiddle_generator (
  input  logic                                                  clk_i,
  input  logic                                                  rst_ni,
  input  logic                                                  start_i,
  input  logic                                                  table_i,
  input  logic [3:0]                                            log_degree_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           q_i,
  input  logic [heliodor_pkg::ModMulBarrettReciprocalWidth-1:0] mu_i,
  input  logic [heliodor_pkg::ModMulBarrettWidth-1:0]           psi_i,
  output logic                                                  busy_o,
  output logic                                                  root_o,
  output logic                                                  write_o,
  output logic [heliodor_pkg::NttIndexWidth-1:0]                index_o,
  output logic [heliodor_pkg::ModMulBarrettWidth-1:0]           data_o
);

  localparam int unsigned Width = heliodor_pkg::ModMulBarrettWidth;
  localparam int unsigned IndexWidth = heliodor_pkg::NttIndexWidth;

  // Squaring: psi^(2^k). Seeding: psi^2 to psi^8. Writing: a power each clock.
  typedef enum logic [1:0] {Idle, Squaring, Seeding, Writing} state_e;

  state_e                state_q;
  logic [2:0]            wait_q;
  logic [3:0]            round_q;
  logic [IndexWidth-1:0] exponent_q, mirrored;
  logic [Width-1:0]      factor_q, step_q, product, value;
  logic [Width-1:0]      seeds [8];
  logic                  fresh_q, product_valid_unused, last_exponent;

  assign busy_o = state_q != Idle;
  assign write_o = state_q == Writing;
  assign value = exponent_q < IndexWidth'(8) ? seeds[exponent_q[2:0]] : product;
  assign data_o = value;
  assign last_exponent =
      exponent_q == (IndexWidth'(1) << log_degree_i) - IndexWidth'(1);

  for (genvar bit_index = 0; bit_index < IndexWidth; bit_index++) begin : gen_mirror
    assign mirrored[bit_index] = exponent_q[IndexWidth-1-bit_index];
  end

  assign index_o = mirrored >> (4'(IndexWidth) - log_degree_i);

  heliodor_mod_mul_barrett u_multiplier (
    .clk_i,
    .rst_ni,
    .valid_i(fresh_q),
    .a_i(factor_q),
    .b_i(step_q),
    .q_i,
    .mu_i,
    .valid_o(product_valid_unused),
    .p_o(product)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= Idle;
      wait_q     <= '0;
      round_q    <= '0;
      exponent_q <= '0;
      fresh_q    <= 1'b0;
    end else begin
      fresh_q <= 1'b0;
      unique case (state_q)
        Idle: begin
          if (start_i) begin
            state_q <= table_i ? Seeding : Squaring;
            fresh_q <= 1'b1;
          end
          wait_q     <= 3'd7;
          round_q    <= table_i ? 4'd2 : 4'd1;
          exponent_q <= '0;
        end
        Squaring: begin
          wait_q <= wait_q - 3'd1;
          if (wait_q == '0) begin
            round_q <= round_q + 4'd1;
            if (round_q == log_degree_i) state_q <= Idle;
            else                         fresh_q <= 1'b1;
          end
        end
        Seeding: begin
          wait_q <= wait_q - 3'd1;
          if (wait_q == '0) begin
            round_q <= round_q + 4'd1;
            if (round_q == 4'd8) state_q <= Writing;
            else                 fresh_q <= 1'b1;
          end
        end
        default: begin
          exponent_q <= exponent_q + IndexWidth'(1);
          if (last_exponent) state_q <= Idle;
          else               fresh_q <= 1'b1;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: begin
        factor_q <= psi_i;
        step_q   <= psi_i;
        seeds[0] <= Width'(1);
        seeds[1] <= psi_i;
      end
      Squaring: begin
        if (wait_q == '0) begin
          factor_q <= product;
          step_q   <= product;
          root_o   <= product == q_i - Width'(1);
        end
      end
      Seeding: begin
        if (wait_q == '0) begin
          factor_q <= product;
          if (round_q == 4'd8) step_q <= product;
          else                 seeds[round_q[2:0]] <= product;
        end
      end
      default: factor_q <= value;
    endcase
  end

endmodule : heliodor_ntt_twiddle_generator
