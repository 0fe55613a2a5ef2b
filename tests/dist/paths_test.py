# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does every path that README.md and ARCHITECTURE.md name exist, and is every component named?

A path is a link target, or a word in backticks that holds a slash or ends like a file.
`tools/test --all` counts as tools/test, `machines/*.toml` must match something, <placeholders> and
paths below build/ are left alone. A bare file name may stand anywhere in the tree.
"""

import pathlib
import re
import unittest

import repository

DOCUMENTS = ("README.md", "ARCHITECTURE.md")
FILE_NAME = re.compile(r"^[\w*.-]+\.(md|h|cpp|cu|sv|svh|toml|txt|py|cmake|json)$")


def named_paths(line):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", line):
        if "://" not in target:
            yield target
    for span in re.findall(r"`([^`]+)`", line):
        word = span.split()[0] if span.split() else ""
        if "/" in word or FILE_NAME.match(word) or word in ("LAYERS", "LICENSE"):
            yield word


def exists(root, word, names):
    """None where the word is no path of this tree by its form."""
    path = word.removeprefix("./").rstrip("/")
    if not re.fullmatch(r"[\w./*+-]+", path) or path.startswith(("/", "build/")) or path == "build":
        return None
    if "/" not in path:
        return (root / path).exists() or any(
            pathlib.PurePosixPath(name).match(path) for name in names
        )
    return any(root.glob(path))


def check(root):
    complaints = []
    names = repository.files(root)
    for document in DOCUMENTS:
        if not (root / document).exists():
            complaints.append(f"{document} is missing")
            continue
        fenced = False
        for number, line in enumerate(repository.text(root, document).splitlines(), start=1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced:
                continue
            for word in named_paths(line):
                if exists(root, word, names) is False:
                    complaints.append(f"{document}:{number} names {word}, which does not exist")
    architecture = root / "ARCHITECTURE.md"
    if architecture.exists():
        for component in repository.layers(root):
            if f"heliodor/{component}" not in architecture.read_text(encoding="utf-8"):
                complaints.append(f"ARCHITECTURE.md does not say where heliodor/{component} is")
    return complaints


CLEAN = {
    "heliodor/LAYERS": "base :\n",
    "heliodor/base/error.h": "",
    "tools/test": "",
    "README.md": "| `heliodor/base/` | errors | [read](heliodor/base/error.h) |\n"
    "`tools/test --all` and `error.h`\n"
    "`heliodor/*/error.h`, `a::b`, `build/release/bin/x`, `heliodor/<component>/x.h`, "
    "[web](https://example.org/x)\n",
    "ARCHITECTURE.md": "`heliodor/base`\n```\nlib/none.h\n`lib/none.h`\n```\n",
}


class PathsTest(repository.Case):
    def planted(self, changes):
        with repository.PlantedTree({**CLEAN, **changes}) as root:
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.planted({}), [])

    def test_a_path_that_is_gone_is_named_with_its_line(self):
        readme = CLEAN["README.md"] + "| `heliodor/ring` | see `heliodor/ring/ntt.h` |\n"
        self.assertEqual(
            self.planted({"README.md": readme}),
            [
                "README.md:4 names heliodor/ring, which does not exist",
                "README.md:4 names heliodor/ring/ntt.h, which does not exist",
            ],
        )

    def test_a_bare_file_name_and_a_link_are_paths_too(self):
        text = "`heliodor/base` `modulus.h` [x](docs/guide.md#part)\n"
        self.assertEqual(
            self.planted({"ARCHITECTURE.md": text}),
            [
                "ARCHITECTURE.md:1 names docs/guide.md, which does not exist",
                "ARCHITECTURE.md:1 names modulus.h, which does not exist",
            ],
        )

    def test_a_pattern_that_matches_nothing_is_named(self):
        self.assertEqual(
            self.planted({"README.md": "`heliodor/*/none.h`\n"}),
            ["README.md:1 names heliodor/*/none.h, which does not exist"],
        )

    def test_a_component_without_a_place_is_named(self):
        self.assertEqual(
            self.planted({"heliodor/LAYERS": "base :\nring : base\n"}),
            ["ARCHITECTURE.md does not say where heliodor/ring is"],
        )

    def test_a_missing_document_is_named(self):
        with repository.PlantedTree({"heliodor/LAYERS": "", "README.md": ""}) as root:
            self.assertEqual(check(root), ["ARCHITECTURE.md is missing"])


if __name__ == "__main__":
    unittest.main()
