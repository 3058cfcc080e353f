#!/usr/bin/env python3
"""companions/python/tests/test_package.py - the source distribution and the wheels: their files and tags, and that the
package works in a clean environment. Needs no network.

    python3 companions/python/tests/test_package.py FOLDER [ARCHIVE]

FOLDER has heed.c and heed.h, from scripts/amalgamate. The wheel is built from the source distribution. With ARCHIVE, a
libheed.a that was compiled from the same heed.c, the compiler's command links this archive instead of compiling heed.c,
which takes minutes. Exit code 77 without NumPy, pip, venv or wheel."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
VERSION = re.search(r'^version = "(.*)"', (HERE / "pyproject.toml").read_text(encoding="utf-8"), re.M)[1]
OWN = ("HEED_LIBRARY", "HEED_ONE_FILE", "HEED_SYSTEM_LIBRARY", "PYTHONPATH", "CC", "CFLAGS")
MODULES = {f"heed/{path.name}" for path in (HERE / "heed").glob("*.py")} | {"heed/py.typed"}
LICENCES = {"LICENSE": ROOT / "LICENSE", "NOTICE.md": ROOT / "NOTICE.md"}
SDIST = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
USE = '''
import sys, numpy, heed
from heed import np as hnp
assert heed.__file__.startswith(sys.prefix), heed.__file__
assert heed.__version__ == sys.argv[1], heed.__version__
x = numpy.linspace(0, 1, 50)
assert abs(hnp.fit(x, 2 * x, degree=1).predict([0.5]).mean[0] - 1) < 1e-9
assert heed.softmax(heed.zeros(4), 0).numpy().tolist() == [0.25] * 4
print(heed._library.path_of_library())
'''


def run(*command, **given):
    """Runs a command without the variables that change the build and the loaded library; returns its output."""
    env = {name: value for name, value in os.environ.items() if name not in OWN} | given.pop("env", {})
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env=env, **given)
    if done.returncode:
        raise AssertionError(f"{command} ended with code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def wheel_of(source, folder, **env):
    """The wheel of a source distribution or of a source folder."""
    run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-index", "--no-deps", "--no-cache-dir", "-w", folder, source,
        env=env)
    return next(folder.glob("*.whl"))


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory(prefix="heed-package-")
        cls.addClassCleanup(made.cleanup)
        cls.folder = Path(made.name)
        cls.source = cls.folder / "source"
        shutil.copytree(HERE, cls.source, ignore=shutil.ignore_patterns("build", "*.egg-info", "libheed.so", "__pycache__"))
        run(sys.executable, "-c", SDIST, cls.folder, cwd=cls.source, env={"HEED_ONE_FILE": ONE_FILE})
        cls.sdist = cls.folder / f"heed-{VERSION}.tar.gz"
        cls.wheel = wheel_of(cls.sdist, cls.folder / "wheels", CC=cls.compiler())

    @classmethod
    def compiler(cls):
        """gcc, or a script that runs gcc with ARCHIVE in place of heed.c."""
        if not ARCHIVE:
            return "gcc"
        script = cls.folder / "gcc-with-archive"
        script.write_text(f'''#!/bin/bash
for word; do
    if [[ $word == */heed.c ]]; then set -- "$@" -Wl,--whole-archive "{ARCHIVE}" -Wl,--no-whole-archive; else set -- "$@" "$word"; fi
    shift
done
exec gcc "$@"
''', encoding="utf-8")
        script.chmod(0o755)
        return str(script)

    def environment(self, name, wheel):
        """The Python of a new environment with the wheel. It sees the system's NumPy and pip."""
        folder = self.folder / name
        run(sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", folder)
        python = folder / "bin" / "python"
        run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--no-cache-dir", wheel)
        return python

    def assert_wheel(self, wheel, platform, files):
        info = f"heed-{VERSION}.dist-info"
        self.assertEqual(wheel.name, f"heed-{VERSION}-py3-none-{platform}.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = set(archive.namelist())
            self.assertEqual({name for name in names if not name.startswith(info)}, files)
            tags = archive.read(f"{info}/WHEEL").decode().splitlines()
            self.assertIn(f"Root-Is-Purelib: {'true' if platform == 'any' else 'false'}", tags)
            self.assertIn(f"Tag: py3-none-{platform}", tags)
            for name, path in LICENCES.items():  # setuptools from 77 on has the folder
                packed = next(n for n in (f"{info}/{name}", f"{info}/licenses/{name}") if n in names)
                self.assertEqual(archive.read(packed), path.read_bytes())
            about = archive.read(f"{info}/METADATA").decode()
        for line in (f"Version: {VERSION}", "Requires-Python: >=3.9", "Requires-Dist: numpy"):
            self.assertIn(line, about)

    def test_source_distribution(self):
        with tarfile.open(self.sdist) as archive:
            names = {name.partition("/")[2] for name in archive.getnames()}
            self.assertTrue(all(member.isfile() or member.isdir() for member in archive.getmembers()))
            for name, path in LICENCES.items():
                self.assertEqual(archive.extractfile(f"heed-{VERSION}/{name}").read(), path.read_bytes())
        self.assertLessEqual(MODULES | {"heed.c", "heed.h", "setup.py", "pyproject.toml", "README.md", "PKG-INFO"}, names)
        self.assertNotIn("heed/libheed.so", names)

    def test_wheel(self):
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        self.assert_wheel(self.wheel, platform, MODULES | {"heed/libheed.so"})

    def test_installed(self):
        python = self.environment("installed", self.wheel)
        library = run(python, "-c", USE, VERSION, cwd=self.folder).strip()
        self.assertTrue(library.startswith(f"{python.parents[1]}/"), library)
        run(python, HERE / "examples" / "attention.py", self.folder, cwd=self.folder)
        self.assertGreater((self.folder / "fit.svg").stat().st_size, 1000)
        self.assertEqual((self.folder / "weights.png").read_bytes()[:4], b"\x89PNG")
        run(python, "-m", "pip", "uninstall", "-y", "heed")
        self.assertEqual(list(python.parents[1].rglob("*heed*")), [])

    def test_without_a_library(self):
        """The package of systems that install the library themselves."""
        wheel = wheel_of(self.source, self.folder / "pure", HEED_SYSTEM_LIBRARY="1")
        self.assert_wheel(wheel, "any", MODULES)
        with zipfile.ZipFile(self.wheel) as archive:
            library = archive.extract("heed/libheed.so", self.folder)
        python = self.environment("system", wheel)
        self.assertEqual(run(python, "-c", USE, VERSION, cwd=self.folder, env={"HEED_LIBRARY": library}).strip(), library)

    def test_without_a_compiler(self):
        command = [sys.executable, "setup.py", "build_py", "--build-lib", self.folder / "none"]
        for env, message in (({"CC": "no-such-compiler"}, "heed: no-such-compiler was not found: install a C compiler, or set CC"),
                             ({"PATH": str(self.folder)}, "heed: gcc or clang was not found: install a C compiler, or set CC")):
            with self.assertRaisesRegex(AssertionError, message):
                run(*command, cwd=self.source, env={"HEED_ONE_FILE": ONE_FILE, **env})


if __name__ == "__main__":
    ONE_FILE, ARCHIVE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else ""
    NEEDED = "import setuptools, numpy, pip, venv, wheel"
    DEBIAN = "/usr/bin/python3"  # its packages belong to it, and it need not be the first Python
    if subprocess.run([sys.executable, "-c", NEEDED], capture_output=True, check=False).returncode:
        if os.path.exists(DEBIAN) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN):
            os.execv(DEBIAN, [DEBIAN, *sys.argv])
        print("skipped: NumPy, pip, setuptools, venv or wheel is missing (python3-venv, python3-wheel)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
