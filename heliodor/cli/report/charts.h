// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The pictures of a report: from a profile to a legend and an SVG. Where there is more to show than
// a picture has columns, a column shows what took most of it, as high as its share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "heliodor/cli/report/plot.h"
#include "heliodor/program/limb_program.h"
#include "heliodor/targets/machine/profile.h"

namespace heliodor::cli {

/// When each unit works, coloured by what it does.
std::string gantt_chart(const machine::Profile& profile);

/// The busy share of each unit over time.
std::string occupancy_chart(const machine::Profile& profile);

/// For each unit its time: busy, or waiting and for what.
std::string stall_chart(const machine::Profile& profile);

/// Off-chip bytes by what they carry.
std::string traffic_chart(const machine::Profile& profile);

/// Attained modular multiplications per second of each unit, under its peak and what off-chip
/// memory could feed (Williams, Waterman, Patterson, CACM 52(4), 2009).
std::string roofline_chart(const machine::Profile& profile);

/// Which rows of the scratchpad hold values, over time, coloured by where the value comes from.
std::string memory_chart(const machine::Profile& profile, const program::LimbProgram& source);

struct CurvePoint {
  double value = 0;
  double seconds = 0;
};

/// Time over the values of a description's key. Requires a point.
std::string sweep_chart(const std::string& key, const std::vector<CurvePoint>& points);

/// What colours mean.
std::string legend(const std::vector<std::pair<Colour, std::string>>& entries);

std::vector<std::string> unit_names(const machine::Profile& profile);

/// A unit of time for axes and the factor from seconds to it: {"us", 1e6} for 0.25 ms.
struct TimeUnit {
  std::string name;
  double per_second = 1;
};
TimeUnit time_unit(double longest_seconds);

}  // namespace heliodor::cli
