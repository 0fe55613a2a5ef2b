# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does every include, and the table in ARCHITECTURE.md, agree with heliodor/LAYERS?"""

import re
import unittest

import repository

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
OUTSIDE = ("apps", "bench", "tests", "rtl")
# What applications include: it belongs to no component and no component may include it.
UMBRELLA = "heliodor/heliodor.h"


def list_complaints(uses):
    """Complaints about LAYERS itself: order (so no cycles), unknown names, unclosed lists."""
    complaints, expanded = [], {}
    for component, listed in uses.items():
        allowed = list(expanded) if listed == ["all"] else listed
        for used in allowed:
            if used not in expanded:
                complaints.append(
                    f"heliodor/LAYERS: {component} uses {used}, which is not above it"
                )
                continue
            for needed in expanded[used]:
                if needed not in allowed:
                    complaints.append(f"heliodor/LAYERS: {component} uses {used} but not {needed}")
        expanded[component] = allowed
    return complaints, expanded


def include_complaint(name, number, line, own, expanded):
    found = INCLUDE.match(line)
    if not found:
        return None
    quote, included = found.groups()
    where = f"{name}:{number}"
    top = included.split("/")[0]
    if top in OUTSIDE:
        return f"{where} may not include {top} (see heliodor/LAYERS)"
    if top != "heliodor":
        return f'{where} includes "{included}" without its full path' if quote == '"' else None
    if {".", ".."}.intersection(included.split("/")):
        return f"{where} includes {included} by a crooked path"
    other = repository.component_of(included, expanded) or included.split("/")[1]
    if other == own:
        return None
    if other not in expanded[own]:
        return f"{where} may not include {other} (see heliodor/LAYERS)"
    if "/internal/" in included:
        return f"{where} may not include {included}, which is private to {other}"
    return None


def check_includes(root):
    complaints, expanded = list_complaints(repository.layers(root))
    for component in expanded:
        if not (root / "heliodor" / component / "CMakeLists.txt").exists():
            complaints.append(
                f"heliodor/LAYERS: {component} has no heliodor/{component}/CMakeLists.txt"
            )
    for name in repository.files(root, repository.CPP):
        if not name.startswith("heliodor/") or name == UMBRELLA:
            continue
        own = repository.component_of(name, expanded)
        if own is None:
            complaints.append(f"{name} belongs to no component (see heliodor/LAYERS)")
            continue
        for number, line in enumerate(repository.text(root, name).splitlines(), start=1):
            complaint = include_complaint(name, number, line, own, expanded)
            if complaint:
                complaints.append(complaint)
    return complaints


def check_table(root):
    """Compares LAYERS with the table "| component | may use | .." of ARCHITECTURE.md."""
    if not (root / "ARCHITECTURE.md").exists():
        return ["ARCHITECTURE.md is missing"]
    rows, inside = {}, False
    for line in repository.text(root, "ARCHITECTURE.md").splitlines():
        cells = [cell.strip().strip(chr(96)) for cell in line.strip().strip("|").split("|")]
        if cells[:2] == ["component", "may use"]:
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and not set(cells[0]) <= set("-: "):
            words = cells[1].replace(chr(96), "").replace(",", " ").split()
            rows[cells[0].removeprefix("heliodor/").strip("/")] = [] if words == ["-"] else words
    uses = repository.layers(root)
    if not rows:
        return ['ARCHITECTURE.md has no table "| component | may use | .."']
    complaints = []
    if list(rows) != list(uses):
        complaints.append(
            f"ARCHITECTURE.md lists {' '.join(rows)}; heliodor/LAYERS lists {' '.join(uses)}"
        )
    for component in rows.keys() & uses.keys():
        if sorted(rows[component]) != sorted(uses[component]):
            complaints.append(
                f"ARCHITECTURE.md lets {component} use {' '.join(rows[component]) or '-'}; "
                f"heliodor/LAYERS: {' '.join(uses[component]) or '-'}"
            )
    return complaints


TREE = {
    "heliodor/LAYERS": "base :\nring : base\nrlwe : base ring\ncli : all\n",
    "heliodor/base/CMakeLists.txt": "",
    "heliodor/ring/CMakeLists.txt": "",
    "heliodor/rlwe/CMakeLists.txt": "",
    "heliodor/cli/CMakeLists.txt": "",
    "heliodor/ring/ntt.h": '#include <vector>\n#include "heliodor/base/error.h"\n'
    '#include "heliodor/ring/internal/a.h"\n',
    "heliodor/cli/main.cpp": '#include "heliodor/rlwe/keys.h"\n',
    "tests/agree/agree_test.cpp": '#include "heliodor/cli/main.h"\n#include "tests/agree/x.h"\n',
    "ARCHITECTURE.md": "| component | may use | what |\n|---|---|---|\n| `base` | - | a |\n"
    "| `ring` | base | b |\n| `rlwe` | base, ring | c |\n| `cli` | all | d |\n",
}


class LayersTest(repository.Case):
    def planted(self, changes, check=check_includes):
        with repository.PlantedTree({**TREE, **changes}) as root:
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check_includes(repository.ROOT))
        self.assert_no_complaints(check_table(repository.ROOT))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.planted({}), [])
        self.assertEqual(self.planted({}, check_table), [])

    def test_an_upward_include_is_named_with_its_line(self):
        text = "\n" * 6 + '#include "heliodor/rlwe/keys.h"\n'
        self.assertEqual(
            self.planted({"heliodor/ring/ntt.h": text}),
            ["heliodor/ring/ntt.h:7 may not include rlwe (see heliodor/LAYERS)"],
        )

    def test_angle_brackets_do_not_hide_an_upward_include(self):
        self.assertEqual(
            self.planted({"heliodor/ring/ntt.h": "#  include <heliodor/rlwe/keys.h>\n"}),
            ["heliodor/ring/ntt.h:1 may not include rlwe (see heliodor/LAYERS)"],
        )

    def test_nothing_includes_the_tests(self):
        self.assertEqual(
            self.planted({"heliodor/cli/main.cpp": '#include "tests/agree/x.h"\n'}),
            ["heliodor/cli/main.cpp:1 may not include tests (see heliodor/LAYERS)"],
        )

    def test_a_relative_include_is_refused(self):
        self.assertEqual(
            self.planted({"heliodor/ring/ntt.cpp": '#include "../rlwe/keys.h"\n'}),
            ['heliodor/ring/ntt.cpp:1 includes "../rlwe/keys.h" without its full path'],
        )

    def test_a_path_that_climbs_is_refused(self):
        self.assertEqual(
            self.planted({"heliodor/ring/ntt.cpp": '#include "heliodor/ring/../rlwe/keys.h"\n'}),
            ["heliodor/ring/ntt.cpp:1 includes heliodor/ring/../rlwe/keys.h by a crooked path"],
        )

    def test_internal_headers_stay_in_their_component(self):
        self.assertEqual(
            self.planted({"heliodor/rlwe/keys.cpp": '#include "heliodor/ring/internal/a.h"\n'}),
            [
                "heliodor/rlwe/keys.cpp:1 may not include heliodor/ring/internal/a.h, "
                "which is private to ring"
            ],
        )

    def test_a_file_of_no_component_is_named(self):
        self.assertEqual(
            self.planted({"heliodor/stray/a.h": ""}),
            ["heliodor/stray/a.h belongs to no component (see heliodor/LAYERS)"],
        )

    def test_a_listed_component_without_folder_is_named(self):
        layers = TREE["heliodor/LAYERS"] + "gone :\n"
        self.assertEqual(
            self.planted({"heliodor/LAYERS": layers}),
            ["heliodor/LAYERS: gone has no heliodor/gone/CMakeLists.txt"],
        )

    def test_a_cycle_is_refused(self):
        layers = "base : ring\nring : base\nrlwe : base ring\ncli : all\n"
        self.assertIn(
            "heliodor/LAYERS: base uses ring, which is not above it",
            self.planted({"heliodor/LAYERS": layers}),
        )

    def test_a_list_that_is_not_closed_is_refused(self):
        layers = "base :\nring : base\nrlwe : ring\ncli : all\n"
        self.assertIn(
            "heliodor/LAYERS: rlwe uses ring but not base",
            self.planted({"heliodor/LAYERS": layers}),
        )

    def test_a_stale_table_is_named(self):
        stale = TREE["ARCHITECTURE.md"].replace("base, ring", "base")
        self.assertEqual(
            self.planted({"ARCHITECTURE.md": stale}, check_table),
            ["ARCHITECTURE.md lets rlwe use base; heliodor/LAYERS: base ring"],
        )
        short = TREE["ARCHITECTURE.md"].replace("| `cli` | all | d |\n", "")
        self.assertEqual(
            self.planted({"ARCHITECTURE.md": short}, check_table),
            ["ARCHITECTURE.md lists base ring rlwe; heliodor/LAYERS lists base ring rlwe cli"],
        )
        self.assertEqual(
            self.planted({"ARCHITECTURE.md": "text\n"}, check_table),
            ['ARCHITECTURE.md has no table "| component | may use | .."'],
        )


if __name__ == "__main__":
    unittest.main()
