"""tests/examples/test_team_examples.py - char_transformer by teams of processes: the same lines and the same file for any
number of them, also where this changes, and the words for what cannot work.

    HEED_MPIRUN=mpirun python3 tests/examples/test_team_examples.py FOLDER_OF_PROGRAMS

Without HEED_MPIRUN, of the MPI that the program was built with, only what one process does by itself.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, MPIRUN = Path(sys.argv.pop(1)) / "char_transformer", os.environ.get("HEED_MPIRUN")
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1", "HEED_NUM_THREADS": "1"}
LAST = re.compile(r"^(epoch (\d)/\d  step (\d)/\3  loss [\d.]+)  ", re.M)
SIZES = ("--text", "text.txt", "--epochs", "2", "--steps", "3", "--layers", "1", "--length", "20")


class Team(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-team-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "text.txt").write_text("the cat sat on the mat, and the rat ate the bat.\n" * 40)

    def start(self, processes, *arguments):
        """0 processes: without mpirun."""
        command = [*([MPIRUN, "-n", str(processes)] if processes else []), PROGRAM, *SIZES, *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=ENVIRONMENT, timeout=120)

    def train(self, processes, file, *arguments):
        """What a run has printed but for times, its checkpoint, and its picture."""
        done = self.start(processes, "--checkpoint", file, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        printed = done.stdout.replace("\r", "\n")  # under Open MPI it is a terminal's
        losses = [last[0] for last in LAST.findall(printed)]
        self.assertEqual(len(losses), 2, printed)
        files = (self.folder / file, self.folder / "out" / "loss.png")
        return (losses, [line for line in printed.splitlines() if line and not line.startswith("epoch ")],
                [hashlib.sha256(path.read_bytes()).hexdigest() for path in files])

    def test_alone(self):
        first = self.train(0, "a.heed", "--shards", "8")
        self.assertEqual(first, self.train(0, "b.heed", "--shards", "8"))
        self.assertEqual(sum("validation loss" in line for line in first[1]), 2)
        for other in ((), ("--shards", "4")):  # other shards draw other dropout
            self.assertNotEqual(first[2], self.train(0, "c.heed", *other)[2])

    @unittest.skipUnless(MPIRUN, "heed was built without MPI")
    def test_any_number_of_processes(self):
        expected = self.train(0, "alone.heed", "--shards", "8")
        for processes in 1, 2, 3, 4:
            with self.subTest(processes=processes):
                self.assertEqual(expected, self.train(processes, f"run{processes}.heed", "--shards", "8"))

    @unittest.skipUnless(MPIRUN, "heed was built without MPI")
    def test_refused(self):
        for message, arguments in (
                ("--shards N is required under mpirun: results with the same N are bit-identical for any number of processes", ()),
                ("data_parallel_new: 2 shards: must be at least the number of processes, 3", ("--shards", "2"))):
            done = self.start(3, "--checkpoint", "run.heed", *arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)
            self.assertFalse((self.folder / "run.heed").exists())

    @unittest.skipUnless(MPIRUN, "heed was built without MPI")
    def test_more_shards_than_pieces(self):
        """A batch has 16 pieces of text: four of 20 shards are empty."""
        expected = self.train(0, "alone.heed", "--shards", "20")
        self.assertEqual(expected, self.train(3, "run3.heed", "--shards", "20"))


if __name__ == "__main__":
    unittest.main()
