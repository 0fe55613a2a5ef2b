# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the library keep from printing, exiting and aborting? (The command may.)"""

import re
import unittest

import repository

FORBIDDEN = re.compile(
    r"std::(cout|cerr|clog|print|println|terminate)\b|fmt::print(ln)?\b"
    r"|\b(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|perror)\s*\("
    r"|\b(exit|_exit|_Exit|quick_exit|abort|assert)\s*\("
    r"|__builtin_trap\b"
)


def check(root):
    complaints = []
    for name in repository.files(root, repository.CPP):
        if (
            not name.startswith("heliodor/")
            or name.startswith("heliodor/cli/")
            or name.endswith("_test.cpp")
        ):
            continue
        for number, line in enumerate(repository.code_lines(repository.text(root, name)), start=1):
            found = FORBIDDEN.search(line)
            if found:
                complaints.append(
                    f"{name}:{number} calls {found.group(0).rstrip('( ')}: library code never does"
                )
    return complaints


class NoPrintingTest(repository.Case):
    def planted(self, text, name="heliodor/ring/ntt.cpp"):
        with repository.PlantedTree({name: text}) as root:
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_each_forbidden_call_is_named_with_its_line(self):
        calls = {
            "std::cout << x;": "std::cout",
            "std::cerr << x;": "std::cerr",
            "printf(x);": "printf",
            "std::fprintf (f, x);": "fprintf",
            "fmt::print(x);": "fmt::print",
            "puts(x);": "puts",
            "std::exit(1);": "exit",
            "std::abort();": "abort",
            "std::terminate();": "std::terminate",
            "assert(x > 0);": "assert",
        }
        for call, word in calls.items():
            self.assertEqual(
                self.planted(f"int x;\nvoid f() {{ {call} }}\n"),
                [f"heliodor/ring/ntt.cpp:2 calls {word}: library code never does"],
            )

    def test_comments_strings_and_lookalikes_pass(self):
        text = (
            "// std::cout << x\n/* abort() */\nstatic_assert(sizeof(int) == 4);\n"
            "const char* s = \"printf(1)\"; char c = '\"'; int n = 1'000;\n"
            "std::snprintf(b, 4, s); on_exit_path(1);\n"
        )
        self.assertEqual(self.planted(text), [])

    def test_the_command_line_and_tests_may_print(self):
        for name in (
            "heliodor/cli/main.cpp",
            "heliodor/ring/ntt_test.cpp",
            "tests/agree/agree.cpp",
        ):
            self.assertEqual(self.planted("void f() { std::cout << 1; }\n", name), [])


if __name__ == "__main__":
    unittest.main()
