# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Is every folder named for what it holds?"""

import pathlib
import unittest

import repository

FORBIDDEN = {
    "util",
    "utils",
    "common",
    "misc",
    "core",
    "extras",
    "experimental",
    "old",
    "new",
    "v2",
}


def check(root):
    folders = {
        folder for name in repository.files(root) for folder in pathlib.PurePosixPath(name).parents
    }
    return [
        f"{folder} is a folder name that says nothing"
        for folder in sorted(folders)
        if folder.name in FORBIDDEN
    ]


class FolderNamesTest(repository.Case):
    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_each_forbidden_name_is_reported(self):
        for word in (
            "util",
            "common",
            "misc",
            "core",
            "extras",
            "experimental",
            "old",
            "new",
            "v2",
        ):
            with repository.PlantedTree({f"heliodor/{word}/deep/a.h": ""}) as root:
                self.assertEqual(
                    check(root), [f"heliodor/{word} is a folder name that says nothing"]
                )

    def test_words_that_contain_a_forbidden_one_pass(self):
        with repository.PlantedTree(
            {"heliodor/coreless/a.h": "", "heliodor/ring/old.h": ""}
        ) as root:
            self.assertEqual(check(root), [])


if __name__ == "__main__":
    unittest.main()
