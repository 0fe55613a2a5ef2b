# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Is every generated file what its generator makes?"""

import os
import re
import subprocess
import unittest

import repository


def check(root):
    complaints = []
    for generator in repository.files(root):
        if not generator.startswith("tools/generate_"):
            continue
        run = subprocess.run(
            [str(root / generator), "--check"],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode != 0:
            complaints.append(f"{generator} --check failed: {(run.stdout + run.stderr).strip()}")
    for name in repository.files(root):
        if "generated" not in name.split("/")[:-1]:
            continue
        head = "\n".join(repository.text(root, name).splitlines()[:12])
        named = re.search(r"tools/generate_\w+", head)
        if not named:
            complaints.append(f"{name}:1 has no banner that names its tools/generate_ script")
        elif not (root / named.group(0)).exists():
            complaints.append(f"{name}:1 names {named.group(0)}, which does not exist")
    return complaints


GENERATOR = """#!/bin/sh
[ "$1" = --check ] && grep -q current a/generated/x.h && exit 0
echo "a/generated/x.h is stale"
exit 1
"""


class GeneratedTest(repository.Case):
    def planted(self, changes):
        tree = {
            "tools/generate_x": GENERATOR,
            "a/generated/x.h": "// Made by tools/generate_x.\ncurrent\n",
        }
        with repository.PlantedTree({**tree, **changes}) as root:
            os.chmod(root / "tools/generate_x", 0o755)
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.planted({}), [])

    def test_a_stale_file_is_reported_in_the_generators_words(self):
        self.assertEqual(
            self.planted({"a/generated/x.h": "// Made by tools/generate_x.\nedited\n"}),
            ["tools/generate_x --check failed: a/generated/x.h is stale"],
        )

    def test_a_file_without_banner_is_named(self):
        self.assertEqual(
            self.planted({"b/generated/y.sv": "module y;\n"}),
            ["b/generated/y.sv:1 has no banner that names its tools/generate_ script"],
        )

    def test_a_generator_that_is_gone_is_named(self):
        self.assertEqual(
            self.planted({"b/generated/y.sv": "// Made by tools/generate_y\n"}),
            ["b/generated/y.sv:1 names tools/generate_y, which does not exist"],
        )


if __name__ == "__main__":
    unittest.main()
