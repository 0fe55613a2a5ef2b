// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// heliodor_relinearize_sequencer: who works on which page of the transforms, and when.
//
// The transforms of a group are jobs in a fixed order: for each limb j the inverse of its c2, then
// for each limb i, for each other limb j in ascending order, the forward transform of digit j. Pages
// serve the jobs in turn. A page goes through four hands:
//
//   filled       by products of the input (inverse jobs), or with lifted digits (the loader)
//   transformed
//   drained      into the digits (the unloader), or by a pass of key words (forward jobs)
//
// Each hand takes its jobs in order and waits only for a page that is ready for it. The twiddle
// generator works ahead by one table: every visit to a limb, L of them inverse and L forward, has its
// own. clear_i begins a group; nothing starts while run_i is low.
//
// Part of heliodor_bv_relinearize.

`include "heliodor_assert.svh"

module heliodor_relinearize_sequencer (
  input  logic                                                  clk_i,
  input  logic                                                  rst_ni,
  input  logic                                                  clear_i,
  input  logic                                                  run_i,
  input  logic                                                  forward_i,  // the loader may work
  input  logic [3:0]                                            last_limb_i,
  input  logic [3:0]                                            log_degree_i,
  // Input words that begin and end a fill, or end a pass of key words.
  input  logic                                                  fill_start_i,
  input  logic                                                  fill_last_i,
  input  logic                                                  fill_written_i,
  input  logic                                                  key_last_i,
  output logic                                                  page_free_o,
  output logic [1:0]                                            fill_page_o,
  output logic                                                  result_ready_o,
  output logic [1:0]                                            drain_page_o,
  // Twiddle generator.
  input  logic                                                  generator_busy_i,
  output logic                                                  generator_start_o,
  output logic [3:0]                                            generator_limb_o,
  output logic                                                  generator_table_o,
  // Transforms.
  input  logic                                                  unit_ready_i,
  output logic                                                  unit_start_o,
  output logic [1:0]                                            unit_page_o,
  output logic                                                  unit_table_o,
  output logic                                                  unit_inverse_o,
  output logic [3:0]                                            unit_limb_o,
  // Rows from drain_page_o to the digits; the digits' side two clocks later.
  output logic                                                  unload_o,
  output logic [heliodor_pkg::NttGroupWidth-1:0]                unload_row_o,
  output logic                                                  store_o,
  output logic [$clog2(heliodor_pkg::RelinearizeDigitRows)-1:0] store_address_o,
  output logic [3:0]                                            store_limb_o,
  // Digits to rows: the limb to lift to three clocks later, the page's side four.
  output logic [$clog2(heliodor_pkg::RelinearizeDigitRows)-1:0] load_address_o,
  output logic [3:0]                                            lift_limb_o,
  output logic                                                  load_o,
  output logic [1:0]                                            load_page_o,
  output logic [heliodor_pkg::NttGroupWidth-1:0]                load_row_o,
  output logic                                                  idle_o
);

  localparam int unsigned GroupWidth = heliodor_pkg::NttGroupWidth;
  localparam int unsigned AddressWidth = $clog2(heliodor_pkg::RelinearizeDigitRows);
  localparam logic [2:0] Pages = 3'(heliodor_pkg::NttPages);
  localparam int unsigned LiftLatency = 4;

  logic [GroupWidth-1:0] last_row;
  logic [3:0]            log_rows;

  assign log_rows = log_degree_i - 4'd3;
  assign last_row = (GroupWidth'(1) << log_rows) - GroupWidth'(1);

  // Pages by what has been done to them: taken, ready to be transformed, ready to be drained.
  logic [2:0] used_q, filled_q, done_q;
  logic [1:0] fill_page_q, unit_page_q, drain_page_q;
  logic       load_start, load_last, load_written, unload_last, unit_finish;

  assign page_free_o = used_q < Pages;
  assign fill_page_o = fill_page_q;
  assign unit_page_o = unit_page_q;
  assign drain_page_o = drain_page_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {used_q, filled_q, done_q}              <= '0;
      {fill_page_q, unit_page_q, drain_page_q} <= '0;
    end else if (clear_i) begin
      {used_q, filled_q, done_q}              <= '0;
      {fill_page_q, unit_page_q, drain_page_q} <= '0;
    end else begin
      used_q   <= used_q + 3'(fill_start_i || load_start) - 3'(unload_last || key_last_i);
      filled_q <= filled_q + 3'(fill_written_i || load_written) - 3'(unit_start_o);
      done_q   <= done_q + 3'(unit_finish) - 3'(unload_last || key_last_i);
      fill_page_q  <= fill_page_q + 2'(fill_last_i || load_last);
      unit_page_q  <= unit_page_q + 2'(unit_finish);
      drain_page_q <= drain_page_q + 2'(unload_last || key_last_i);
    end
  end

  // Twiddle tables: those complete and not yet done with.
  logic [1:0] tables_q;
  logic       generating_q, generator_more_q, generator_forward_q, generator_finish;
  logic       unit_more_q, unit_forward_q, unit_running_q, retire;
  logic [3:0] generator_limb_q, unit_limb_q, unit_count_q;

  assign generator_start_o = run_i && generator_more_q && !generating_q && tables_q != 2'd2;
  assign generator_finish = generating_q && !generator_busy_i;
  assign generator_limb_o = generator_limb_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tables_q            <= '0;
      generating_q        <= 1'b0;
      generator_more_q    <= 1'b0;
      generator_forward_q <= 1'b0;
      generator_limb_q    <= '0;
      generator_table_o   <= 1'b0;
    end else if (clear_i) begin
      tables_q            <= '0;
      generator_more_q    <= 1'b1;
      generator_forward_q <= 1'b0;
      generator_limb_q    <= '0;
      generator_table_o   <= 1'b0;
    end else begin
      tables_q     <= tables_q + 2'(generator_finish) - 2'(retire);
      generating_q <= generator_start_o || (generating_q && generator_busy_i);
      if (generator_finish) begin
        generator_table_o <= !generator_table_o;
        generator_limb_q  <= generator_limb_q == last_limb_i ? '0 : generator_limb_q + 4'd1;
        if (generator_limb_q == last_limb_i) begin
          generator_forward_q <= 1'b1;
          generator_more_q    <= !generator_forward_q;
        end
      end
    end
  end

  // Transforms. A visit has one inverse job, or a forward job for every other limb.
  logic last_of_visit;

  assign unit_start_o = run_i && unit_more_q && !unit_running_q && filled_q != '0 &&
                        tables_q != '0;
  assign unit_finish = unit_running_q && unit_ready_i;
  assign unit_inverse_o = !unit_forward_q;
  assign unit_limb_o = unit_limb_q;
  assign last_of_visit = !unit_forward_q || unit_count_q + 4'd1 == last_limb_i;
  assign retire = unit_finish && last_of_visit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unit_more_q    <= 1'b0;
      unit_forward_q <= 1'b0;
      unit_running_q <= 1'b0;
      unit_table_o   <= 1'b0;
      unit_limb_q    <= '0;
      unit_count_q   <= '0;
    end else if (clear_i) begin
      unit_more_q    <= 1'b1;
      unit_forward_q <= 1'b0;
      unit_table_o   <= 1'b0;
      unit_limb_q    <= '0;
      unit_count_q   <= '0;
    end else begin
      unit_running_q <= unit_start_o || (unit_running_q && !unit_ready_i);
      if (unit_finish) unit_count_q <= last_of_visit ? '0 : unit_count_q + 4'd1;
      if (retire) begin
        unit_table_o <= !unit_table_o;
        unit_limb_q  <= unit_limb_q == last_limb_i ? '0 : unit_limb_q + 4'd1;
        if (unit_limb_q == last_limb_i) begin
          unit_forward_q <= 1'b1;
          unit_more_q    <= !unit_forward_q;
        end
      end
    end
  end

  // Unloader: digits leave their pages.
  logic                  unloading_q, unload_more_q;
  logic [3:0]            unload_limb_q;
  logic [GroupWidth-1:0] unload_row_q;
  logic [4:0]            stored_q;  // digits that are complete in memory
  logic [2:0]            store_q, store_last_q;
  logic [AddressWidth-1:0] store_address1_q;
  logic [3:0]            store_limb1_q;

  assign unload_o = unloading_q;
  assign unload_row_o = unload_row_q;
  assign unload_last = unloading_q && unload_row_q == last_row;
  assign result_ready_o = done_q != '0 && !unload_more_q && !unloading_q;
  assign store_o = store_q[1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unloading_q   <= 1'b0;
      unload_more_q <= 1'b0;
      unload_limb_q <= '0;
      unload_row_q  <= '0;
      stored_q      <= '0;
      store_q       <= '0;
      store_last_q  <= '0;
    end else begin
      store_q      <= {store_q[1:0], unloading_q};
      store_last_q <= {store_last_q[1:0], unload_last};
      if (clear_i) begin
        unload_more_q <= 1'b1;
        unload_limb_q <= '0;
        stored_q      <= '0;
      end else begin
        stored_q <= stored_q + 5'(store_last_q[2]);
        if (!unloading_q) begin
          unloading_q  <= run_i && unload_more_q && done_q != '0;
          unload_row_q <= '0;
        end else begin
          unload_row_q <= unload_row_q + GroupWidth'(1);
          if (unload_last) begin
            unloading_q   <= 1'b0;
            unload_limb_q <= unload_limb_q + 4'd1;
            unload_more_q <= unload_limb_q != last_limb_i;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    store_address1_q <= (AddressWidth'(unload_limb_q) << log_rows) + AddressWidth'(unload_row_q);
    store_limb1_q    <= unload_limb_q;
    store_address_o  <= store_address1_q;
    store_limb_o     <= store_limb1_q;
  end

  // Loader: digits of other limbs enter their pages, lifted.
  logic                   loading_q, load_more_q;
  logic [3:0]             load_limb_q, load_digit_q, next_digit;
  logic [GroupWidth-1:0]  load_row_q;
  logic [LiftLatency-1:0] load_q, load_last_q;
  logic [4*(LiftLatency-1)-1:0]      lift_limb_q;
  logic [2*LiftLatency-1:0]          load_page_q;
  logic [GroupWidth*LiftLatency-1:0] load_rows_q;
  logic                   last_digit;

  // Digit load_limb_q is not lifted: this limb has its evaluations.
  assign next_digit = load_digit_q + 4'd1 == load_limb_q ? load_digit_q + 4'd2
                                                         : load_digit_q + 4'd1;
  assign last_digit = load_digit_q == last_limb_i ||
                      (load_limb_q == last_limb_i && load_digit_q + 4'd1 == last_limb_i);
  assign load_start = !loading_q && run_i && forward_i && load_more_q && used_q < Pages &&
                      stored_q > {1'b0, load_digit_q};
  assign load_last = loading_q && load_row_q == last_row;
  assign load_written = load_last_q[LiftLatency-1];
  assign load_address_o = (AddressWidth'(load_digit_q) << log_rows) + AddressWidth'(load_row_q);
  assign lift_limb_o = lift_limb_q[4*(LiftLatency-1)-1-:4];
  assign load_o = load_q[LiftLatency-1];
  assign load_page_o = load_page_q[2*LiftLatency-1-:2];
  assign load_row_o = load_rows_q[GroupWidth*LiftLatency-1-:GroupWidth];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loading_q    <= 1'b0;
      load_more_q  <= 1'b0;
      load_limb_q  <= '0;
      load_digit_q <= '0;
      load_row_q   <= '0;
      load_q       <= '0;
      load_last_q  <= '0;
    end else begin
      load_q      <= {load_q[LiftLatency-2:0], loading_q};
      load_last_q <= {load_last_q[LiftLatency-2:0], load_last};
      if (clear_i) begin
        load_more_q  <= 1'b1;
        load_limb_q  <= '0;
        load_digit_q <= 4'd1;
      end else begin
        loading_q  <= load_start || (loading_q && !load_last);
        load_row_q <= loading_q ? load_row_q + GroupWidth'(1) : '0;
        if (load_last) begin
          if (last_digit) begin
            load_limb_q  <= load_limb_q + 4'd1;
            load_digit_q <= '0;
            load_more_q  <= load_limb_q != last_limb_i;
          end else begin
            load_digit_q <= next_digit;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    lift_limb_q <= {lift_limb_q[4*(LiftLatency-2)-1:0], load_limb_q};
    load_page_q <= {load_page_q[2*(LiftLatency-1)-1:0], fill_page_q};
    load_rows_q <= {load_rows_q[GroupWidth*(LiftLatency-1)-1:0], load_row_q};
  end

  assign idle_o = !generating_q && !unit_running_q && !unloading_q && store_q == '0 &&
                  !loading_q && load_q == '0;

  `HELIODOR_ASSERT(NoMorePagesThanThereAre, 1'b1, used_q <= Pages)
  `HELIODOR_ASSERT(PagesInOrder, 1'b1,
                   {1'b0, filled_q} + {1'b0, done_q} + 4'(unit_running_q) <= {1'b0, used_q})
  `HELIODOR_ASSERT(GroupBeginsIdle, clear_i, idle_o)
  `HELIODOR_ASSERT(OneFiller, fill_start_i || fill_last_i || fill_written_i,
                   !loading_q && load_q == '0)

endmodule : heliodor_relinearize_sequencer
