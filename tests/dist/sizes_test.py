# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Reports sizes, gates nothing: files and folders over what is worth a question, and leftovers."""

import collections
import pathlib
import re
import unittest

import repository

# Lines worth a question, by how a name ends; the first match decides.
QUESTION = (
    ("_test.cpp", 700),
    ("_tb.cpp", 700),
    (".h", 300),
    (".cpp", 500),
    (".cu", 500),
    (".sv", 350),
    (".py", 500),
)
README_LINES = 120
FOLDER_FILES = 25


def report(root):
    lines, leftovers, folders = [], 0, collections.Counter()
    for name in repository.files(root, (".h", ".cpp", ".cu", ".sv", ".py", "README.md")):
        path = pathlib.PurePosixPath(name)
        if "generated" in path.parts:
            continue
        text = repository.text(root, name)
        leftovers += len(re.findall(r"\b(?:TO(?:DO)|FIX(?:ME)|X{3}|HA(?:CK))\b", text))
        limit = next((limit for suffix, limit in QUESTION if name.endswith(suffix)), README_LINES)
        if len(text.splitlines()) > limit:
            lines.append(f"{name}: {len(text.splitlines())} lines (over {limit})")
        if not name.endswith("_test.cpp"):
            folders[(str(path.parent), path.suffix)] += 1
    for (folder, suffix), count in sorted(folders.items()):
        if count > FOLDER_FILES:
            lines.append(f"{folder}: {count} {suffix} files (over {FOLDER_FILES})")
    lines.append(f"leftover marks: {leftovers}")
    return lines


class SizesTest(repository.Case):
    def test_report_on_the_repository(self):
        print("\n".join(report(repository.ROOT)))

    def test_long_files_full_folders_and_leftovers_are_reported(self):
        tree = {f"heliodor/ring/f{i}.h": "" for i in range(26)}
        tree["heliodor/ring/f0.h"] = "x\n" * 301
        tree["heliodor/ring/README.md"] = "x\n" * 121
        tree["heliodor/ring/generated/tables.h"] = "x\n" * 999
        tree["heliodor/ring/a.cpp"] = "// " + "TO" + "DO\n" + "x\n" * 499
        with repository.PlantedTree(tree) as root:
            self.assertEqual(
                report(root),
                [
                    "heliodor/ring/README.md: 121 lines (over 120)",
                    "heliodor/ring/f0.h: 301 lines (over 300)",
                    "heliodor/ring: 26 .h files (over 25)",
                    "leftover marks: 1",
                ],
            )


if __name__ == "__main__":
    unittest.main()
