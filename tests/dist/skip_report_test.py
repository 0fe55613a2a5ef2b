# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does tools/run_ctest count skipped tests, print their reasons, and end with ctest's summary?"""

import subprocess
import unittest

import repository

TESTS = """
add_test(good "true")
add_test(unable "printf" "a.cpp:7: Skipped\\nno ifma\\n  on this CPU\\n\\n[  SKIPPED ] X.y\\n")
set_tests_properties(unable PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
add_test(silent "sh" "-c" "exit 77")
set_tests_properties(silent PROPERTIES SKIP_RETURN_CODE 77)
"""


class SkipReportTest(repository.Case):
    def run_ctest(self, tests):
        with repository.PlantedTree({"CTestTestfile.cmake": tests}) as root:
            command = [repository.ROOT / "tools/run_ctest", "--test-dir", root]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        return run.returncode, run.stdout

    def test_skipped_tests_are_counted_with_reasons_before_the_summary(self):
        status, output = self.run_ctest(TESTS)
        self.assertEqual(status, 0)
        report = "Skipped: 2\n  unable: no ifma on this CPU\n  silent: no reason given\n"
        self.assertIn(report, output)
        self.assertLess(
            output.index(report), output.index("100% tests passed, 0 tests failed out of")
        )

    def test_a_failing_test_fails_the_run(self):
        status, output = self.run_ctest(TESTS + 'add_test(bad "false")\n')
        self.assertNotEqual(status, 0)
        self.assertIn("1 tests failed out of", output)


if __name__ == "__main__":
    unittest.main()
