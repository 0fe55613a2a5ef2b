# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Do instruction sets stay inside heliodor/targets/cpu?"""

import re
import unittest

import repository

HOME = "heliodor/targets/cpu/"
FORBIDDEN = re.compile(
    r"__(?:AVX|SSE|BMI|ADX|ARM_NEON|ARM_FEATURE)\w*"
    r"|\b(?:imm|x86|arm_neon|arm_sve)\w*\.h|\b_mm\d*_\w+"
)


def check(root):
    complaints = []
    for name in repository.files(root, repository.CPP):
        if name.startswith(HOME):
            continue
        for number, line in enumerate(repository.text(root, name).splitlines(), start=1):
            found = FORBIDDEN.search(line.split("//")[0])
            if found:
                complaints.append(f"{name}:{number} names {found.group(0)} outside {HOME}")
    return complaints


class IsaIfdefTest(repository.Case):
    def planted(self, text, name="heliodor/ring/ntt.cpp"):
        with repository.PlantedTree({name: text}) as root:
            return check(root)

    def test_the_repository_is_clean(self):
        self.assert_no_complaints(check(repository.ROOT))

    def test_an_ifdef_for_an_instruction_set_is_named(self):
        self.assertEqual(
            self.planted("\n#ifdef __AVX512IFMA__\n#endif\n"),
            ["heliodor/ring/ntt.cpp:2 names __AVX512IFMA__ outside heliodor/targets/cpu/"],
        )

    def test_an_intrinsics_header_is_named(self):
        self.assertEqual(
            self.planted("#include <immintrin.h>\n", "tests/agree/a.cpp"),
            ["tests/agree/a.cpp:1 names immintrin.h outside heliodor/targets/cpu/"],
        )

    def test_an_intrinsic_is_named(self):
        self.assertEqual(
            self.planted("auto x = _mm512_setzero_si512();\n"),
            ["heliodor/ring/ntt.cpp:1 names _mm512_setzero_si512 outside heliodor/targets/cpu/"],
        )

    def test_the_cpu_target_may_and_comments_may(self):
        self.assertEqual(self.planted("#include <immintrin.h>\n", HOME + "avx512/ntt.cpp"), [])
        self.assertEqual(self.planted("int x;  // see __AVX2__\n"), [])


if __name__ == "__main__":
    unittest.main()
