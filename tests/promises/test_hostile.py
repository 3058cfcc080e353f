"""tests/promises/test_hostile.py - a training run in hostile environments: no crash, no hang; the same bits, or an
error.

    python3 tests/promises/test_hostile.py TRAINING

TRAINING is the program of tests/promises/hostile/training.c.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TRAINING = Path(sys.argv.pop(1)).resolve()
SECONDS = 60
MIB = 1 << 20
OUT_OF_MEMORY = 3


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="heed-hostile-")
        cls.addClassCleanup(folder.cleanup)
        os.environ.pop("HEED_ISA", None)  # other instruction sets, other bits
        cls.folder = Path(folder.name)
        cls.home = cls.run_training(cls.folder)[1]

    @staticmethod
    def run_training(folder, *arguments, prepare=None, **environment):
        """(exit code, output). A crash is a negative code; a hang raises."""
        result = folder / "result"
        result.unlink(missing_ok=True)
        done = subprocess.run([TRAINING, result, *map(str, arguments)], env={**os.environ, **environment},
                              preexec_fn=prepare, timeout=SECONDS, stdin=subprocess.DEVNULL, capture_output=True)
        return done.returncode, result.read_text() if result.exists() else done.stderr.decode()

    def same(self, *arguments, prepare=None, **environment):
        self.assertEqual(self.run_training(self.folder, *arguments, prepare=prepare, **environment), (0, self.home))

    def refuses(self, message, **environment):
        code, text = self.run_training(self.folder, **environment)
        self.assertEqual(code, 1, text)
        self.assertIn(message, text)

    def same_or_no_memory(self, prepare, *arguments, **environment):
        code, text = self.run_training(self.folder, *arguments, prepare=prepare, **environment)
        self.assertIn(code, (0, OUT_OF_MEMORY), text)
        self.assertEqual(text, self.home) if code == 0 else self.assertIn("cannot allocate", text)
        return code


def limit(what, soft):
    return lambda: resource.setrlimit(what, (soft, resource.getrlimit(what)[1]))


class Settings(Hostile):
    def test_threads(self):
        for threads in ("100000", "-4", "abc", "", "0", "1", "3", "2,2", "99999999999999999999", "1e3", " 2"):
            with self.subTest(threads=threads):
                self.same(OMP_NUM_THREADS=threads)
                self.same(HEED_NUM_THREADS=threads)

    def test_instruction_sets_that_there_are_not(self):
        self.same(HEED_ISA="")
        for isa in ("nonsense", "avx9000", "x" * 9999):
            with self.subTest(isa=isa):
                self.refuses(f'HEED_ISA is "{isa[:64]}": here it may be ', HEED_ISA=isa)

    def test_locale(self):
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", self.folder / "de_DE.UTF-8"],
                              capture_output=True)
        if made.returncode != 0:
            self.skipTest("localedef cannot make a locale with a decimal comma")
        self.same(LC_ALL="de_DE.UTF-8", LOCPATH=str(self.folder))

    def test_nothing_in_the_environment(self):
        result = self.folder / "result"
        done = subprocess.run([TRAINING, result], env={}, timeout=SECONDS)
        self.assertEqual((done.returncode, result.read_text()), (0, self.home))


class Limits(Hostile):
    def test_no_standard_descriptors(self):
        for closed in ([0], [1], [2], [0, 1], [0, 1, 2]):
            with self.subTest(closed=closed):
                self.same(prepare=lambda: [os.close(d) for d in closed])

    def test_small_stack_of_a_thread(self):
        self.same(64 * 1024)

    def test_small_stack(self):
        for size in (256, 128, 64):
            with self.subTest(kib=size):
                self.same(prepare=limit(resource.RLIMIT_STACK, size * 1024))

    def test_few_descriptors(self):
        self.same(prepare=limit(resource.RLIMIT_NOFILE, 4))

    def test_little_memory(self):
        codes = [self.same_or_no_memory(limit(resource.RLIMIT_AS, size * MIB), HEED_NUM_THREADS="1")
                 for size in range(8, 49, 4)]
        self.assertIn(0, codes)
        self.assertIn(OUT_OF_MEMORY, codes)

    def test_threads_and_little_memory(self):
        for size in range(8, 201, 8):
            with self.subTest(mib=size):
                self.same_or_no_memory(limit(resource.RLIMIT_AS, size * MIB), HEED_NUM_THREADS="256")
        self.same(prepare=limit(resource.RLIMIT_AS, 200 * MIB), HEED_NUM_THREADS="256")

    def test_no_core_no_locked_memory(self):
        def prepare():
            for what in (resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK, resource.RLIMIT_FSIZE):
                resource.setrlimit(what, (100 if what == resource.RLIMIT_FSIZE else 0, resource.getrlimit(what)[1]))
        self.same(prepare=prepare)


if __name__ == "__main__":
    unittest.main()
