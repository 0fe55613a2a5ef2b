// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The page's style sheet: light and dark, and the palette that Colour numbers.
#pragma once

#include <string_view>

namespace heliodor::cli {

inline constexpr std::string_view kStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #fdfdfc; --text: #1f2328; --quiet: #636c76; --rule: #d9dce1; --panel: #f4f5f6;
  --grid: #e6e8eb; --warn-page: #fff4d6; --warn-text: #6b4a00;
  --k0: #3b6fd4; --k1: #86b6f2; --k2: #e08b1d; --k3: #2f9a4f; --k4: #5fc2b0; --k5: #8d52d1;
  --k6: #e77fb3; --k7: #d9534a; --k8: #b08a63; --k9: #7d1f2b; --k10: #c9b23a; --k11: #c3c8ce;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --text: #e3e6ea; --quiet: #9aa4af; --rule: #343a42; --panel: #1d2126;
    --grid: #2a3038; --warn-page: #3b2f10; --warn-text: #f5d98b;
    --k0: #5b8def; --k1: #a9cbf7; --k2: #f0a543; --k3: #4dbb6c; --k4: #74d3c2; --k5: #ab7be8;
    --k6: #f29cc6; --k7: #ee7068; --k8: #c9a47d; --k9: #c0505e; --k10: #dcc75a; --k11: #4a525c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 1080px; background: var(--page);
  color: var(--text); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
  "DejaVu Sans", sans-serif;
}
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.4rem; margin: 3rem 0 .4rem; padding-top: 1.2rem; border-top: 2px solid var(--rule); }
h3 { font-size: 1.05rem; margin: 2.2rem 0 .2rem; }
p { margin: .3rem 0 .8rem; max-width: 46rem; }
.quiet { color: var(--quiet); }
.warning {
  background: var(--warn-page); color: var(--warn-text); padding: .6rem .9rem; border-radius: 6px;
  max-width: none;
}
dl.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .7rem;
  margin: 1.1rem 0; }
dl.figures div { background: var(--panel); border-radius: 6px; padding: .6rem .8rem; }
dt { color: var(--quiet); font-size: .82rem; }
dd { margin: 0; font-size: 1.2rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums;
  margin: .6rem 0 1rem; }
th, td { padding: .3rem .9rem .3rem 0; text-align: right; border-bottom: 1px solid var(--rule);
  white-space: nowrap; }
th { color: var(--quiet); font-weight: 500; }
th:first-child, td:first-child { text-align: left; }
svg { display: block; width: 100%; height: auto; margin: .3rem 0 .6rem; }
svg text { font-size: 12.5px; fill: var(--text); }
svg text.axis { fill: var(--quiet); }
.grid { stroke: var(--grid); fill: none; }
.frame { stroke: var(--quiet); fill: none; }
polyline { fill: none; stroke-width: 2; }
rect { shape-rendering: crispEdges; }
ul.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0;
  margin: .4rem 0; font-size: .85rem; color: var(--quiet); }
ul.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px;
  margin-right: .4em; vertical-align: -.05em; }
pre { background: var(--panel); border-radius: 6px; padding: .9rem; overflow-x: auto;
  font: 12.5px/1.5 ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", monospace; }
summary { cursor: pointer; color: var(--quiet); }
footer { margin-top: 3rem; color: var(--quiet); font-size: .85rem; }
.b0 { background: var(--k0); } .b1 { background: var(--k1); } .b2 { background: var(--k2); }
.b3 { background: var(--k3); } .b4 { background: var(--k4); } .b5 { background: var(--k5); }
.b6 { background: var(--k6); } .b7 { background: var(--k7); } .b8 { background: var(--k8); }
.b9 { background: var(--k9); } .b10 { background: var(--k10); } .b11 { background: var(--k11); }
.c0 { fill: var(--k0); } .c1 { fill: var(--k1); } .c2 { fill: var(--k2); } .c3 { fill: var(--k3); }
.c4 { fill: var(--k4); } .c5 { fill: var(--k5); } .c6 { fill: var(--k6); } .c7 { fill: var(--k7); }
.c8 { fill: var(--k8); } .c9 { fill: var(--k9); } .c10 { fill: var(--k10); } .c11 { fill: var(--k11); }
.l0 { stroke: var(--k0); } .l1 { stroke: var(--k1); } .l2 { stroke: var(--k2); }
.l3 { stroke: var(--k3); } .l4 { stroke: var(--k4); } .l5 { stroke: var(--k5); }
.l6 { stroke: var(--k6); } .l7 { stroke: var(--k7); } .l8 { stroke: var(--k8); }
.l9 { stroke: var(--k9); } .l10 { stroke: var(--k10); } .l11 { stroke: var(--k11); }
)css";

}  // namespace heliodor::cli
