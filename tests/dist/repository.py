# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""What the checks of tests/dist share: the files of a tree, LAYERS, trees with planted violations.

A check is a function from the root of a tree to a list of complaints, each "path:line text". A test
module runs its check on the repository (no complaint) and on planted trees (exactly the expected
complaint).
"""

import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CPP = (".h", ".cpp", ".cu")


def files(root, suffixes=None):
    """Sorted relative paths (str, with slashes) of the files of a tree that git does not ignore."""
    listing = None
    if (root / ".git").exists():
        command = ["git", "-C", str(root), "-c", f"safe.directory={root}", "ls-files", "-z"]
        command += ["--cached", "--others", "--exclude-standard"]
        listing = subprocess.run(command, capture_output=True, text=True, check=False)
    if listing is not None and listing.returncode == 0:
        names = [
            name for name in set(listing.stdout.split("\0")) if name and (root / name).is_file()
        ]
    else:
        paths = [path.relative_to(root) for path in root.rglob("*") if path.is_file()]
        ignored = {".git", "build", "__pycache__"}
        names = [path.as_posix() for path in paths if not ignored.intersection(path.parts)]
    return sorted(name for name in names if suffixes is None or name.endswith(tuple(suffixes)))


def text(root, name):
    return (root / name).read_text(encoding="utf-8")


LITERALS_AND_COMMENTS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\(.*?\)(?P=mark)\""""
    r"""|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])'""",
    re.DOTALL,
)


def code_lines(source):
    """The lines of C++ or SystemVerilog text with comments removed and literals emptied."""

    def blank(match):
        return ("" if match.group(0).startswith("/") else '""') + "\n" * match.group(0).count("\n")

    return LITERALS_AND_COMMENTS.sub(blank, source).split("\n")


def layers(root):
    """LAYERS as written: a dict from component to what it uses; ["all"] is not expanded."""
    uses = {}
    for line in text(root, "heliodor/LAYERS").splitlines():
        if line.strip() and not line.startswith("#"):
            component, _, listed = line.partition(":")
            uses[component.strip()] = listed.split()
    return uses


def component_of(name, components):
    """The component a path below heliodor/ belongs to, or None."""
    inside = name.removeprefix("heliodor/")
    owners = [component for component in components if inside.startswith(component + "/")]
    return max(owners, key=len, default=None)


class Case(unittest.TestCase):
    maxDiff = None

    def assert_no_complaints(self, complaints):
        if complaints:
            self.fail("\n".join(["", *complaints]))


class PlantedTree:
    """A temporary tree: with PlantedTree({"path": "text"}) as root."""

    def __init__(self, contents):
        self.contents = contents

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(self.folder.name)
        for name, content in self.contents.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return root

    def __exit__(self, *unused):
        self.folder.cleanup()
