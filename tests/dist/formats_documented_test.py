# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does docs/reference/formats.md list the kinds of sections and objects that the container has?

The text itself is not generated: files of tests/vectors/native are made from it by a program of its
own, so that it is a specification and not an echo.
"""

import re
import unittest

import repository

TEXT = "docs/reference/formats.md"
SECTIONS = "heliodor/formats/container/container.h"
OBJECTS = "heliodor/formats/container/object_reader.h"


def enumerators(source, name):
    """Pairs (name, value or None) of an enum class."""
    body = re.search(rf"enum class {name}\b[^{{]*{{(.*?)}};", source, re.DOTALL)
    lines = [line.split("//")[0] for line in body.group(1).splitlines()] if body else []
    return re.findall(r"(\w+)(?: = (\d+))?,", "\n".join(lines))


def rows(text, heading):
    """The first two cells of each row of the first table below a heading, in lower case."""
    section = text.partition(f"{heading}\n")[2]
    lines = re.search(r"(?:^\|[^\n]*\n)+", section, re.MULTILINE)
    cells = [line.strip("|").split("|") for line in lines.group(0).splitlines()] if lines else []
    return [[cell.strip(" `").lower().replace(" ", "_") for cell in row[:2]] for row in cells[2:]]


def check(root):
    text = repository.text(root, TEXT)
    sections = enumerators(repository.text(root, SECTIONS), "SectionKind")
    objects = enumerators(repository.text(root, OBJECTS), "ObjectKind")
    complaints = []
    for what, listed, known in (
        ("sections", rows(text, "### Sections"), [[value, name] for name, value in sections]),
        ("objects", [row[:1] for row in rows(text, "**Objects**")], [[name] for name, _ in objects]),
    ):
        if listed != known or not known:
            complaints.append(f"{TEXT} lists the {what} {listed}, the container has {known}")
    return complaints


CLEAN = {
    TEXT: "### Sections\n\n| kind | name | x |\n|---|---|---|\n| 1 | test seed | y |\n\n"
    "**Objects**\n\n| `type` | x |\n|---|---|\n| `secret_key` | |\n",
    SECTIONS: "enum class SectionKind : std::uint32_t {\n  test_seed = 1,  ///< a, b = 2, c\n};\n",
    OBJECTS: "enum class ObjectKind : std::uint8_t {\n  secret_key,\n};\n",
}


class FormatsDocumentedTest(repository.Case):
    def planted(self, changes):
        with repository.PlantedTree({**CLEAN, **changes}) as root:
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.planted({}), [])

    def test_a_kind_that_is_not_listed_is_a_complaint(self):
        more = CLEAN[SECTIONS].replace("};", "  note = 2,\n};")
        self.assertEqual(
            self.planted({SECTIONS: more}),
            [
                f"{TEXT} lists the sections [['1', 'test_seed']], "
                "the container has [['1', 'test_seed'], ['2', 'note']]"
            ],
        )

    def test_another_number_and_another_name_are_complaints(self):
        self.assertEqual(len(self.planted({TEXT: CLEAN[TEXT].replace("| 1 |", "| 2 |")})), 1)
        self.assertEqual(len(self.planted({TEXT: CLEAN[TEXT].replace("_key`", "_keys`")})), 1)

    def test_a_table_that_is_gone_is_a_complaint(self):
        self.assertEqual(len(self.planted({TEXT: "### Sections\n"})), 2)


if __name__ == "__main__":
    unittest.main()
