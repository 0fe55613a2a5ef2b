# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does every source file open with the two SPDX lines?"""

import unittest

import repository

COPYRIGHT = "SPDX-FileCopyrightText: Heliodor contributors"
LICENCE = "SPDX-License-Identifier: Apache-2.0"
SUFFIXES = (
    ".h",
    ".cpp",
    ".cu",
    ".sv",
    ".svh",
    ".py",
    ".cmake",
    ".toml",
    ".sh",
    ".ys",
    "CMakeLists.txt",
    "LAYERS",
)


def is_source(root, name):
    if name.endswith(SUFFIXES):
        return True
    with (root / name).open("rb") as file:
        return file.read(2) == b"#!"


def check(root):
    complaints = []
    for name in repository.files(root):
        if not is_source(root, name):
            continue
        head = repository.text(root, name).splitlines()[:4]
        for line in (COPYRIGHT, LICENCE):
            if not any(candidate.endswith(line) for candidate in head):
                complaints.append(f'{name}:1 does not open with "{line}"')
    return complaints


CLEAN = f"// {COPYRIGHT}\n// {LICENCE}\nint x;\n"


class SpdxTest(repository.Case):
    def planted(self, name, text):
        with repository.PlantedTree({"heliodor/ring/ntt.h": CLEAN, name: text}) as root:
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.planted("README.md", "text needs none\n"), [])

    def test_a_file_without_licence_is_named(self):
        self.assertEqual(
            self.planted("rtl/a.sv", f"// {COPYRIGHT}\nmodule a;\n"),
            [f'rtl/a.sv:1 does not open with "{LICENCE}"'],
        )

    def test_a_script_without_suffix_is_a_source(self):
        self.assertEqual(
            self.planted("tools/run", f"#!/bin/sh\n# {LICENCE}\n"),
            [f'tools/run:1 does not open with "{COPYRIGHT}"'],
        )

    def test_lines_far_down_do_not_count(self):
        self.assertEqual(len(self.planted("heliodor/ring/a.cpp", "\n" * 9 + CLEAN)), 2)


if __name__ == "__main__":
    unittest.main()
