# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the check of pages find what is wrong with a page?"""

import pathlib
import tempfile
import unittest

import page

HEAD = "// SPDX-FileCopyrightText: Heliodor contributors\n// SPDX-License-Identifier: Apache-2.0\n"

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class LessonsTest(unittest.TestCase):
    def test_every_lesson_is_checked_and_linked(self):
        lessons = REPOSITORY / "docs" / "tutorial"
        checks = pathlib.Path(__file__).with_name("CMakeLists.txt").read_text()
        links = (lessons / "README.md").read_text()
        for lesson in sorted(path.name for path in lessons.iterdir() if path.is_dir()):
            self.assertIn(f"add_lesson({lesson})", checks)
            self.assertIn(f"({lesson}/README.md)", links)


class PageTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "docs").mkdir()

    def page(self, text, files=None):
        for name, content in (files or {}).items():
            (self.root / "docs" / name).write_text(content)
        path = self.root / "docs" / "README.md"
        path.write_text(text)
        return path

    def commands(self, text):
        return page.check_commands(self.page(text), self.root, self.root)

    def test_a_program_may_lack_its_spdx_lines_and_nothing_else(self):
        files = {"main.cpp": HEAD + "int main() {}\n"}
        self.assertEqual(page.check_files(self.page("```cpp\nint main() {}\n```\n", files)), [])
        self.assertEqual(
            page.check_files(self.page("Text\n```cpp\nint main() { }\n```\n", files)),
            [
                "README.md has no block with the text of main.cpp",
                "README.md:3 shows C++ that is no file beside it",
            ],
        )

    def test_files_of_any_kind_are_shown(self):
        files = {"machine.toml": "# SPDX-License-Identifier: Apache-2.0\n\nname = 1\n"}
        self.assertEqual(page.check_files(self.page("```toml\nname = 1\n```\n", files)), [])
        self.assertEqual(
            page.check_files(self.page("```toml\nname = 2\n```\n", files)),
            ["README.md has no block with the text of machine.toml"],
        )

    def test_what_commands_print_is_compared(self):
        self.assertEqual(self.commands("```console\n$ echo one; echo two\none\ntwo\n```\n"), [])
        self.assertEqual(
            self.commands("a\n```console\n$ echo one\ntwo\n```\n"),
            ["README.md:3 echo one\nprints\none\nthe page says\ntwo\n"],
        )

    def test_output_that_the_page_does_not_show_is_a_complaint(self):
        self.assertEqual(len(self.commands("```console\n$ echo one; echo two\none\n```\n")), 1)
        self.assertEqual(len(self.commands("```console\n$ echo one >&2\n```\n")), 1)

    def test_dots_stand_for_anything_in_a_line_and_a_line_of_them_for_lines(self):
        text = "```console\n$ printf '1 x 2\\n3\\n4\\n5\\n'\n1 ... 2\n...\n{}\n```\n"
        self.assertEqual(self.commands(text.format(5)), [])
        self.assertEqual(len(self.commands(text.format(6))), 1)

    def test_a_failure_is_a_complaint_unless_its_status_is_asked_for(self):
        self.assertEqual(
            self.commands("```console\n$ (exit 3)\n```\n"), ["README.md:2 (exit 3)\nexits with 3"]
        )
        self.assertEqual(self.commands("```console\n$ (exit 3)\n$ echo $?\n3\n```\n"), [])
        self.assertEqual(len(self.commands("```console\n$ (exit 3)\n$ echo $?\n2\n```\n")), 1)

    def test_commands_of_a_page_share_a_shell_and_leave_the_repository_alone(self):
        text = "```console\n$ x=7; echo y > file; cat docs/z\nz\n```\n```console\n$ echo $x\n7\n```\n"
        (self.root / "docs" / "z").write_text("z\n")
        self.assertEqual(self.commands(text), [])
        self.assertEqual([path.name for path in self.root.iterdir()], ["docs"])

    def test_a_shell_that_ends_early_is_a_complaint(self):
        self.assertEqual(
            self.commands("```console\n$ exit 0\n$ echo 1\n1\n```\n"),
            ["README.md:2 exit 0\nwas not reached"],
        )

    def test_commands_in_lines_of_text_have_to_succeed(self):
        (self.root / "heliodor").write_text("#!/bin/sh\nexit $1\n")
        (self.root / "heliodor").chmod(0o755)
        text = "| `heliodor 0` | `heliodor` |\n```\n`heliodor 1`\n```\nOr `heliodor 2`.\n"
        found = page.check_commands(self.page(text), self.root, self.root, page.inline_commands)
        self.assertEqual(found, ["README.md:5 heliodor 2\nexits with 2"])

    def test_long_commands_go_on_after_a_backslash(self):
        self.assertEqual(self.commands("```console\n$ echo 1 \\\n    2\n1 2\n```\n"), [])


if __name__ == "__main__":
    unittest.main()
