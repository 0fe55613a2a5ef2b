# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Is every source, and every header of a component, listed in a CMakeLists.txt?

A header that is not listed escapes the stand-alone check; a test that is not never runs.
"""

import pathlib
import re
import unittest

import repository

TOPS = ("heliodor", "rtl", "tests")


def check(root):
    complaints, lists = [], {}
    for name in repository.files(root, (*repository.CPP, "_test.py")):
        path = pathlib.PurePosixPath(name)
        if path.parts[0] not in TOPS or (path.suffix == ".h" and path.parts[0] != "heliodor"):
            continue
        above = [folder for folder in path.parents if (root / folder / "CMakeLists.txt").exists()]
        if not above or above[0] == pathlib.PurePosixPath("."):
            complaints.append(f"{name} has no CMakeLists.txt beside or above it")
            continue
        cmake = f"{above[0]}/CMakeLists.txt"
        if cmake not in lists:
            lines = [line.split("#")[0] for line in repository.text(root, cmake).splitlines()]
            lists[cmake] = set(re.split(r"[\s()\"]+", "\n".join(lines)))
        if str(path.relative_to(above[0])) not in lists[cmake]:
            complaints.append(f"{name} is not listed in {cmake}")
    return complaints


CLEAN = {
    "heliodor/ring/CMakeLists.txt": "heliodor_component(ring\n HEADERS ntt.h\n"
    " SOURCES internal/a.h ntt.cpp)\n",
    "heliodor/ring/ntt.h": "",
    "heliodor/ring/ntt.cpp": "",
    "heliodor/ring/internal/a.h": "",
    "tests/dist/CMakeLists.txt": "foreach(s a_test.py)\n",
    "tests/dist/a_test.py": "",
    "tests/dist/helper.py": "",
    "tests/dist/helper.h": "",
}


class SourcesListedTest(repository.Case):
    def planted(self, changes):
        with repository.PlantedTree({**CLEAN, **changes}) as root:
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.planted({}), [])

    def test_an_unlisted_header_is_named(self):
        self.assertEqual(
            self.planted({"heliodor/ring/tables.h": ""}),
            ["heliodor/ring/tables.h is not listed in heliodor/ring/CMakeLists.txt"],
        )

    def test_a_name_in_a_comment_or_in_another_folder_does_not_count(self):
        self.assertEqual(
            self.planted(
                {
                    "heliodor/ring/a.h": "",
                    "heliodor/ring/CMakeLists.txt": CLEAN["heliodor/ring/CMakeLists.txt"]
                    + "# a.h\n",
                }
            ),
            ["heliodor/ring/a.h is not listed in heliodor/ring/CMakeLists.txt"],
        )

    def test_an_unregistered_test_is_named(self):
        self.assertEqual(
            self.planted({"heliodor/ring/ntt_test.cpp": "", "tests/dist/b_test.py": ""}),
            [
                "heliodor/ring/ntt_test.cpp is not listed in heliodor/ring/CMakeLists.txt",
                "tests/dist/b_test.py is not listed in tests/dist/CMakeLists.txt",
            ],
        )

    def test_a_source_no_build_file_covers_is_named(self):
        self.assertEqual(
            self.planted({"rtl/x_tb.cpp": "", "CMakeLists.txt": "x_tb.cpp"}),
            ["rtl/x_tb.cpp has no CMakeLists.txt beside or above it"],
        )


if __name__ == "__main__":
    unittest.main()
