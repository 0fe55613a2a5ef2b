// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Assertions of preconditions and invariants, in the form that both Verilator and Yosys accept.
//
// `HELIODOR_ASSERT(Name, When, Condition) checks Condition at each rising clk_i at which rst_ni and
// When are high, and reports Name through $error. It stands where a module item may stand and takes
// clk_i and rst_ni from its surroundings. With SYNTHESIS defined (by the build alone) nothing is
// left of it.
//
// The falling rst_ni in the event list checks nothing; it makes rst_ni an asynchronous reset here
// as in the rest of the module, which Verilator's SYNCASYNCNET rule asks for.

`ifndef HELIODOR_ASSERT_SVH
`define HELIODOR_ASSERT_SVH

`ifdef SYNTHESIS
`define HELIODOR_ASSERT(Name, When, Condition)
`else
`define HELIODOR_ASSERT(Name, When, Condition)               \
  always_ff @(posedge clk_i or negedge rst_ni) begin         \
    if (rst_ni && (When)) begin                              \
      Name : assert (Condition)                              \
        else $error("%s does not hold", `"Name`");           \
    end                                                      \
  end
`endif

`endif
