// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "python/src/profile_tables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "heliodor/targets/machine/micro_op.h"
#include "heliodor/targets/machine/timeline.h"
#include "python/src/arrays.h"

namespace heliodor::python {
namespace {

using machine::KindCost;
using machine::Span;
using machine::Stay;
using machine::UnitProfile;

using Column = std::pair<std::string_view, py::array>;

// Numbers, one for each row.
template <typename Row, typename Get>
py::array column(const std::vector<Row>& rows, Get get) {
  using Number = std::decay_t<std::invoke_result_t<Get, const Row&>>;
  Array<Number> numbers(static_cast<py::ssize_t>(rows.size()));
  std::transform(rows.begin(), rows.end(), numbers.mutable_data(),
                 [&](const Row& row) { return std::invoke(get, row); });
  return numbers;
}

// Texts, one for each row.
template <typename Row, typename Get>
py::array text_column(const std::vector<Row>& rows, Get get) {
  py::list texts;
  for (const Row& row : rows) texts.append(py::str(std::string_view(std::invoke(get, row))));
  return py::module_::import("numpy").attr("array")(texts, "U");
}

// `width` numbers for each row.
template <typename Row, typename Number>
py::array matrix(const std::vector<Row>& rows, std::size_t width,
                 std::vector<Number> Row::*numbers) {
  Array<Number> values({rows.size(), width});
  Number* out = values.mutable_data();
  for (const Row& row : rows) out = std::copy_n((row.*numbers).begin(), width, out);
  return values;
}

py::array read_only(py::array array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// A row for each element of the columns. One of more dimensions is a field of arrays.
py::array table(const std::vector<Column>& columns) {
  py::list fields;
  for (const auto& [name, values] : columns) {
    const py::tuple shape = values.attr("shape");
    fields.append(py::make_tuple(name, values.dtype(), shape[py::slice(1, {}, {})]));
  }
  py::array rows(py::dtype::from_args(fields), std::vector{columns.front().second.shape(0)});
  for (const auto& [name, values] : columns) rows[py::str(name)] = values;
  return read_only(std::move(rows));
}

py::array stall_table(const std::vector<UnitProfile>& units) {
  std::vector<Column> columns;
  for (std::size_t stall = 0; stall < machine::kStalls; ++stall) {
    columns.emplace_back(to_string(static_cast<machine::Stall>(stall)),
                         column(units, [&](const UnitProfile& u) { return u.stalled[stall]; }));
  }
  return table(columns);
}

py::array unit_table(const std::vector<UnitProfile>& units) {
  return table({{"name", text_column(units, &UnitProfile::name)},
                {"operations", column(units, &UnitProfile::operations)},
                {"busy", column(units, &UnitProfile::busy)},
                {"stalled", stall_table(units)},
                {"multiplications", column(units, &UnitProfile::multiplications)},
                {"peak_per_second", column(units, &UnitProfile::peak_per_second)},
                {"attained_per_second", column(units, &UnitProfile::attained_per_second)}});
}

py::array span_table(const std::vector<Span>& spans) {
  return table({{"unit", column(spans, &Span::unit)},
                {"instruction", column(spans, &Span::instruction)},
                {"code", text_column(spans, [](const Span& s) { return info(s.code).name; })},
                {"begin", column(spans, &Span::begin)},
                {"end", column(spans, &Span::end)},
                {"operations", column(spans, &Span::operations)},
                {"busy", column(spans, &Span::busy)}});
}

py::array stay_table(const std::vector<Stay>& stays) {
  return table({{"value", column(stays, &Stay::value)},
                {"first_row", column(stays, &Stay::first_row)},
                {"rows", column(stays, &Stay::rows)},
                {"begin", column(stays, &Stay::begin)},
                {"end", column(stays, &Stay::end)}});
}

py::array kind_table(const std::vector<KindCost>& kinds, std::size_t units) {
  return table({{"kind", text_column(kinds, &KindCost::kind)},
                {"operations", column(kinds, &KindCost::operations)},
                {"busy_cycles", matrix(kinds, units, &KindCost::busy_cycles)}});
}

}  // namespace

ProfileTables make_tables(const machine::Profile& profile) {
  return {
      .units = unit_table(profile.units),
      .occupancy =
          read_only(matrix(profile.units, machine::kProfileBuckets, &UnitProfile::occupancy)),
      .spans = span_table(profile.spans),
      .stays = stay_table(profile.stays),
      .kinds = kind_table(profile.kinds, profile.units.size()),
  };
}

}  // namespace heliodor::python
