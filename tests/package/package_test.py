# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Does an installed Heliodor serve a user's project, wherever it lies and without its sources?

Usage: package_test.py SOURCE BUILD COMPILER. Installs what BUILD holds, builds nothing of it anew,
and moves the installed tree before it uses it. The Debian package is made too where dpkg is there.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD, COMPILER = "", "", ""
EXPECTED = "cpu 1 4 9\nmachine:tutorial 1 4 9\nunavailable\n"


def run(*command, environment=None, folder=None):
    """Standard output; the test fails with everything printed if the command does."""
    result = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env={**os.environ, **(environment or {})},
        cwd=folder,
        check=False,
    )
    if result.returncode != 0:
        raise AssertionError(f"{command}\n{result.stdout}\n{result.stderr}")
    return result.stdout


def build_time():
    return (pathlib.Path(BUILD) / "libheliodor.so").stat().st_mtime_ns


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.built = build_time()
        run("cmake", "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = cls.folder / "moved"
        (cls.folder / "first").rename(cls.prefix)
        shutil.copytree(pathlib.Path(SOURCE) / "tests" / "package" / "user", cls.folder / "user")

    def library_folder(self):
        return next(self.prefix.rglob("libheliodor.so")).parent

    def test_a_project_builds_by_find_package(self):
        build = self.folder / "by_cmake"
        run(
            "cmake",
            *("-S", self.folder / "user", "-B", build, "-G", "Ninja"),
            f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}",
        )
        run("cmake", "--build", build)
        self.assertEqual(run(build / "user"), EXPECTED)

    def test_a_project_builds_by_pkg_config(self):
        folder = {"PKG_CONFIG_PATH": str(self.library_folder() / "pkgconfig")}
        flags = run("pkg-config", "--cflags", "--libs", "heliodor", environment=folder).split()
        program = self.folder / "by_pkg_config"
        run(COMPILER, "-std=c++20", self.folder / "user" / "main.cpp", "-o", program, *flags)
        found = {"LD_LIBRARY_PATH": str(self.library_folder())}
        self.assertEqual(run(program, environment=found), EXPECTED)

    def test_the_versions_are_one(self):
        folder = {"PKG_CONFIG_PATH": str(self.library_folder() / "pkgconfig")}
        version = run("pkg-config", "--modversion", "heliodor", environment=folder).strip()
        text = (pathlib.Path(SOURCE) / "CMakeLists.txt").read_text()
        self.assertEqual(version, re.search(r"^  VERSION (\S+)$", text, re.MULTILINE).group(1))
        config = next(self.prefix.rglob("heliodorConfigVersion.cmake")).read_text()
        self.assertIn(f'PACKAGE_VERSION "{version}"', config)

    def test_the_command_runs(self):
        command = self.prefix / "bin" / "heliodor"
        self.assertIn("machine:tutorial", run(command, "doctor"))

    def test_nothing_installed_names_the_source_or_build_tree(self):
        for path in self.prefix.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                for tree in (SOURCE, BUILD):
                    self.assertNotIn(tree.encode(), content, path)

    def test_the_command_stays_private_and_so_do_unneeded_internals(self):
        include = self.prefix / "include"
        headers = {path.relative_to(include).as_posix(): path for path in include.rglob("*.h")}
        self.assertIn("heliodor/heliodor.h", headers)
        public = [path.read_text() for name, path in headers.items() if "/internal/" not in name]
        for name in headers:
            self.assertFalse(name.startswith("heliodor/cli/"), name)
            if "/internal/" in name:
                self.assertTrue(any(f'#include "{name}"' in text for text in public), name)

    def test_every_header_finds_the_others(self):
        include = self.prefix / "include"
        for path in include.rglob("*.h"):
            for name in re.findall(r'^#include "(heliodor/.*)"', path.read_text(), re.MULTILINE):
                self.assertTrue((include / name).is_file(), f"{path} includes {name}")

    def test_the_debian_package_depends_on_what_it_loads(self):
        if not shutil.which("dpkg-shlibdeps"):
            self.skipTest("dpkg-shlibdeps is missing")
        config = pathlib.Path(BUILD) / "CPackConfig.cmake"
        run("cpack", "--config", config, "-B", self.folder / "packages", folder=self.folder)
        (package,) = (self.folder / "packages").glob("heliodor_*.deb")
        depends = run("dpkg-deb", "--field", package, "Depends")
        for library in ("libc6", "libfmt9", "libsodium23", "libtbb12", "libgmp10", "libzstd1"):
            self.assertRegex(depends, rf"\b{library}\b")
        files = run("dpkg-deb", "--contents", package)
        for name in (
            "./usr/bin/heliodor",
            "./usr/include/heliodor/heliodor.h",
            "/libheliodor.so",
            "/heliodorConfig.cmake",
            "/heliodor.pc",
        ):
            self.assertIn(name, files)

    @classmethod
    def tearDownClass(cls):
        if build_time() != cls.built:
            raise AssertionError("the library was built anew")


if __name__ == "__main__":
    SOURCE, BUILD, COMPILER = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
