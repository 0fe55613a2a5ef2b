# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Is each error code documented, explained, and produced by a test?"""

import re
import subprocess
import tomllib
import unittest

import repository

HEADER = "heliodor/base/error.h"
TEXTS = "heliodor/base/error_codes.toml"


def codes(source):
    """Triples (name, line number, documented) of the enumerators of ErrorCode."""
    found, inside, documented_above = [], False, False
    for number, line in enumerate(source.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("enum class ErrorCode"):
            inside = True
        elif inside and stripped.startswith("}"):
            break
        elif inside and stripped.startswith("///") and not stripped.startswith("///<"):
            documented_above = True
        elif inside and re.match(r"[a-z]\w*\s*(=[^,]*)?(,|$|/)", stripped):
            name = re.match(r"\w+", stripped).group(0)
            found.append((name, number, documented_above or "///<" in stripped))
            documented_above = False
    return found


def check(root):
    tests = [
        name
        for name in repository.files(root, repository.CPP)
        if name.endswith(("_test.cpp", "_tb.cpp")) or name.startswith("tests/")
    ]
    tested = set()
    for name in tests:
        tested.update(
            re.findall(
                r"\bErrorCode::(\w+)", "\n".join(repository.code_lines(repository.text(root, name)))
            )
        )
    found = codes(repository.text(root, HEADER))
    explained = [code["name"] for code in tomllib.loads(repository.text(root, TEXTS))["code"]]
    complaints = [] if found else [f"{HEADER} has no enum class ErrorCode"]
    for name, number, documented in found:
        if not documented:
            complaints.append(f"{HEADER}:{number} {name} has no doc line")
        if name not in tested:
            complaints.append(f"{HEADER}:{number} no test produces ErrorCode::{name}")
        if name not in explained:
            complaints.append(f"{HEADER}:{number} {name} is not explained in {TEXTS}")
    return complaints


CLEAN = {
    HEADER: "enum class ErrorCode {\n  a,  ///< One.\n  /// Two.\n  b_c,\n};\nvoid f();\n",
    TEXTS: '[[code]]\nname = "a"\n[[code]]\nname = "b_c"\n',
    "heliodor/base/error_test.cpp": "f(ErrorCode::a);\n",
    "tests/agree/x.cpp": "f(base::ErrorCode::b_c);\n",
}


class ErrorCodesTest(repository.Case):
    def planted(self, changes):
        with repository.PlantedTree({**CLEAN, **changes}) as root:
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.planted({}), [])

    def test_a_code_without_doc_line_is_named(self):
        text = CLEAN[HEADER].replace("  ///< One.", "")
        self.assertEqual(self.planted({HEADER: text}), [f"{HEADER}:2 a has no doc line"])

    def test_a_code_no_test_produces_is_named(self):
        self.assertEqual(
            self.planted({"tests/agree/x.cpp": "// ErrorCode::b_c\n"}),
            [f"{HEADER}:4 no test produces ErrorCode::b_c"],
        )

    def test_a_code_that_is_not_explained_is_named(self):
        self.assertEqual(
            self.planted({TEXTS: '[[code]]\nname = "a"\n'}),
            [f"{HEADER}:4 b_c is not explained in {TEXTS}"],
        )

    def test_the_generator_refuses_a_code_without_text_and_a_text_without_code(self):
        entry = '[[code]]\nname = "{}"\ncauses = ["X."]\nremedies = ["Y."]\n'
        for names, complaint in (
            (["a"], "b_c: no [[code]] says its causes and remedies"),
            (["a", "b_c", "d"], f"d: {HEADER} has no such code"),
            (["a", "b_c", "b_c"], "name 'b_c' is missing or occurs twice"),
        ):
            header = "enum class ErrorCode {\n  a,  ///< One.\n  b_c,  ///< Two.\n};\n"
            texts = "".join(entry.format(name) for name in names)
            with repository.PlantedTree({HEADER: header, TEXTS: texts}) as root:
                run = subprocess.run(
                    [repository.ROOT / "tools/generate_error_texts", "--check", "--root", root],
                    capture_output=True,
                    text=True,
                    check=False,
                )
            self.assertEqual(run.returncode, 2)
            self.assertEqual(run.stderr.strip(), f"{TEXTS}: {complaint}")

    def test_library_code_does_not_count_as_a_test(self):
        self.assertEqual(
            self.planted({"tests/agree/x.cpp": "", "heliodor/ring/a.cpp": "f(ErrorCode::b_c);\n"}),
            [f"{HEADER}:4 no test produces ErrorCode::b_c"],
        )

    def test_a_header_without_the_enum_is_named(self):
        self.assertEqual(self.planted({HEADER: "\n"}), [f"{HEADER} has no enum class ErrorCode"])


if __name__ == "__main__":
    unittest.main()
