# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the build itself stop what LAYERS forbids, and headers that do not compile alone?

Configures a tree of two small components with this repository's own CMake files.
"""

import shutil
import subprocess
import unittest

import repository

TREE = {
    "heliodor/LAYERS": "base :\nring : base\n",
    "heliodor/base/CMakeLists.txt": "heliodor_component(base HEADERS b.h SOURCES b.cpp)\n",
    "heliodor/base/b.h": "#pragma once\nint b();\n",
    "heliodor/base/b.cpp": '#include "heliodor/base/b.h"\nint b() { return 1; }\n',
    "heliodor/ring/CMakeLists.txt": "heliodor_component(ring HEADERS r.h SOURCES r.cpp\n"
    "  EXECUTABLE probe probe.cpp)\n",
    "heliodor/ring/r.h": '#pragma once\n#include "heliodor/base/b.h"\nint r();\n',
    "heliodor/ring/r.cpp": '#include "heliodor/ring/r.h"\nint r() { return b(); }\n',
    "heliodor/ring/probe.cpp": '#include "heliodor/ring/r.h"\nint main() { return r() - 1; }\n',
}
UPWARD = '#include "heliodor/ring/r.h"\nint b() { return 1; }\n'
NOT_ALONE = "#pragma once\nstd::vector<int> b();\n"


class BuildNetsTest(repository.Case):
    def build(self, changes, *options):
        """Exit status and output of configuring and building the planted tree."""
        with repository.PlantedTree({**TREE, **changes}) as root:
            for name in ("CMakeLists.txt", "cmake", "heliodor/CMakeLists.txt"):
                copy = shutil.copytree if (repository.ROOT / name).is_dir() else shutil.copy
                copy(repository.ROOT / name, root / name)
            output = ""
            for command in (
                ["cmake", "-S", root, "-B", root / "build", "-G", "Ninja", "-DHELIODOR_TESTS=OFF"]
                + ["-DHELIODOR_COMPONENTS=ring", "-DHELIODOR_RTL=OFF", "-DHELIODOR_PRECOMPILE=OFF"]
                + [*options],
                ["ninja", "-C", root / "build", "all", "all_verify_interface_header_sets"],
            ):
                run = subprocess.run(command, capture_output=True, text=True, check=False)
                output += run.stdout + run.stderr
                if run.returncode != 0:
                    return run.returncode, output
            return 0, output

    def test_a_clean_tree_builds_with_strict_layers(self):
        status, output = self.build({}, "-DHELIODOR_STRICT_LAYERS=ON")
        self.assertEqual(status, 0, output)

    def test_an_upward_include_is_not_found_with_strict_layers(self):
        status, output = self.build({"heliodor/base/b.cpp": UPWARD}, "-DHELIODOR_STRICT_LAYERS=ON")
        self.assertNotEqual(status, 0)
        self.assertRegex(output, r"heliodor/ring/r.h\S* (No such file|file not found)")

    def test_an_upward_call_is_not_linked(self):
        changes = {
            "heliodor/base/CMakeLists.txt": "heliodor_component(base HEADERS b.h SOURCES b.cpp\n"
            "  EXECUTABLE base_probe probe.cpp)\n",
            "heliodor/base/b.cpp": "int r();\nint b() { return r(); }\n",
            "heliodor/base/probe.cpp": "int b();\nint main() { return b(); }\n",
        }
        status, output = self.build(changes)
        self.assertNotEqual(status, 0)
        self.assertIn("undefined reference to `r()'", output)

    def test_a_header_that_needs_another_is_refused(self):
        changes = {
            "heliodor/base/b.h": NOT_ALONE,
            "heliodor/base/b.cpp": '#include <vector>\n#include "heliodor/base/b.h"\n',
            "heliodor/ring/r.h": "#pragma once\nint r();\n",
            "heliodor/ring/r.cpp": "int r() { return 1; }\n",
        }
        status, output = self.build(changes)
        self.assertNotEqual(status, 0)
        self.assertRegex(output, "verify_interface_header_sets")
        self.assertRegex(output, r"b.h:2:\d+: error")

    def test_a_list_that_names_a_higher_component_does_not_configure(self):
        status, output = self.build({"heliodor/LAYERS": "base : ring\nring : base\n"})
        self.assertNotEqual(status, 0)
        self.assertIn("heliodor/LAYERS: base uses ring, which is not above it", output)


if __name__ == "__main__":
    unittest.main()
