# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does RTL depend downwards only? rtl/files.txt lists the sources level by level, in compile order:

    level 0:
      pkg/generated/heliodor_pkg.sv
    level 1:
      modmul/heliodor_mod_mul_barrett.sv

Paths are relative to rtl/. A source may name modules and packages of lower levels only; every .sv
file is listed.
"""

import re
import unittest

import repository

LIST = "rtl/files.txt"


def read_list(root):
    """A dict from path (from the repository root) to level, and complaints about the list."""
    levels, complaints, level = {}, [], None
    for number, line in enumerate(repository.text(root, LIST).splitlines(), start=1):
        entry = line.split("#")[0].strip()
        heading = re.fullmatch(r"level (\d+):", entry)
        if heading:
            if level is not None and int(heading.group(1)) <= level:
                complaints.append(
                    f"{LIST}:{number} level {heading.group(1)} does not follow level {level}"
                )
            level = int(heading.group(1))
        elif entry:
            name = f"rtl/{entry.removeprefix('rtl/')}"
            if level is None:
                complaints.append(f"{LIST}:{number} {entry} stands before the first level")
            elif not (root / name).exists():
                complaints.append(f"{LIST}:{number} {entry} does not exist")
            elif name.endswith(".sv"):
                levels[name] = level
    return levels, complaints


def check(root):
    if not (root / LIST).exists():
        return [f"{LIST} is missing"]
    levels, complaints = read_list(root)
    for name in repository.files(root, (".sv",)):
        if name.startswith("rtl/") and name not in levels:
            complaints.append(f"{name} is not listed in {LIST}")
    sources = {
        name: "\n".join(repository.code_lines(repository.text(root, name))) for name in levels
    }
    defined = {}
    for name, source in sources.items():
        for word in re.findall(
            r"^\s*(?:module|package)\s+(?:automatic\s+)?(\w+)", source, re.MULTILINE
        ):
            defined[word] = name
    for name, source in sources.items():
        for number, line in enumerate(source.split("\n"), start=1):
            for word in re.findall(r"\b[A-Za-z_]\w*\b", line):
                home = defined.get(word, name)
                if home != name and levels[home] >= levels[name]:
                    complaints.append(
                        f"{name}:{number} (level {levels[name]}) may not use {word} "
                        f"(level {levels[home]}); see {LIST}"
                    )
    return complaints


CLEAN = {
    LIST: "# comment\nlevel 0:\n  pkg/p.sv\nlevel 1:\n  a/low.sv\nlevel 2:\n  a/high.sv\n",
    "rtl/pkg/p.sv": "package p;\nendpackage\n",
    "rtl/a/low.sv": "module low;\n  // high\n  logic [p::W-1:0] x;\nendmodule : low\n",
    "rtl/a/high.sv": "module high;\n  low u_low (.*);\nendmodule\n",
}


class RtlLevelsTest(repository.Case):
    def planted(self, changes):
        with repository.PlantedTree({**CLEAN, **changes}) as root:
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.planted({}), [])

    def test_an_instance_of_a_higher_level_is_named(self):
        text = "module low;\n\n  high u_high (.*);\nendmodule\n"
        self.assertEqual(
            self.planted({"rtl/a/low.sv": text}),
            ["rtl/a/low.sv:3 (level 1) may not use high (level 2); see rtl/files.txt"],
        )

    def test_an_instance_of_the_same_level_is_named(self):
        listed = CLEAN[LIST].replace("level 2:\n", "")
        self.assertEqual(
            self.planted({LIST: listed}),
            ["rtl/a/high.sv:2 (level 1) may not use low (level 1); see rtl/files.txt"],
        )

    def test_an_unlisted_source_is_named(self):
        self.assertEqual(
            self.planted({"rtl/b/new.sv": ""}), ["rtl/b/new.sv is not listed in rtl/files.txt"]
        )

    def test_a_listed_source_that_is_gone_is_named(self):
        self.assertEqual(
            self.planted({LIST: CLEAN[LIST] + "  b/gone.sv\n"}),
            ["rtl/files.txt:8 b/gone.sv does not exist"],
        )

    def test_levels_rise(self):
        self.assertEqual(
            self.planted({LIST: CLEAN[LIST] + "level 1:\n"}),
            ["rtl/files.txt:8 level 1 does not follow level 2"],
        )

    def test_a_missing_list_is_named(self):
        with repository.PlantedTree({}) as root:
            self.assertEqual(check(root), ["rtl/files.txt is missing"])


if __name__ == "__main__":
    unittest.main()
