# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""The programs of the README run as they stand there, and print what their comments say."""

import re

from conftest import REPOSITORY

README = REPOSITORY / "python" / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"^print\(.*\)  # (.*)$", re.MULTILINE)


def test_the_programs_of_the_readme_print_what_they_say(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(README.read_text())
    assert len(blocks) == 5
    program = "".join(blocks)
    exec(compile(program, str(README), "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    promised = PRINTED.findall(program)
    assert len(promised) == 5
    assert [line for line in lines if line in promised] == promised
