# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""The type stubs say what the module has."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import heliodor

pytest.importorskip("mypy.stubtest", reason="mypy is missing (tools/setup installs it)")

# How pybind11 makes classes: by a metaclass of its own, with constructors that tell nothing of
# their arguments, and enumerations without enum.
OF_PYBIND11 = re.compile(
    r"metaclass differs$|__init__ is inconsistent, stub does not have \*args argument"
    r"|__members__ is not present in stub$"
)
PACKAGE = pathlib.Path(heliodor.__file__).parent


def complaints(folder):
    environment = {**os.environ, "PYTHONPATH": str(folder), "MYPYPATH": str(folder)}
    command = [sys.executable, "-m", "mypy.stubtest", "heliodor", "--concise"]
    result = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=folder, check=False
    )
    assert "heliodor" in result.stdout, result.stderr
    return [line for line in result.stdout.splitlines() if not OF_PYBIND11.search(line)]


def test_stubs_and_module_agree():
    assert complaints(PACKAGE.parent) == []


def test_a_stub_that_is_wrong_is_reported(tmp_path):
    package = tmp_path / "heliodor"
    (package / "_heliodor").mkdir(parents=True)
    for path in PACKAGE.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            (package / path.relative_to(PACKAGE)).symlink_to(path.resolve())
    stub = package / "_heliodor" / "bgv.pyi"
    text = stub.read_text().replace("def rotate_columns", "def rotate_pillars")
    stub.unlink()
    stub.write_text(text)
    joined = "\n".join(complaints(tmp_path))
    assert "rotate_pillars" in joined and "rotate_columns" in joined


def test_every_public_name_has_a_docstring():
    for module in (heliodor, heliodor.bgv, heliodor.bfv, heliodor.ckks):
        for name in module.__all__:
            if not name.startswith("_"):
                assert getattr(module, name).__doc__, name
