#!/usr/bin/env python3
"""mpi/tests/test_mpi.py - the same bits under every installed MPI, from one source, and the messages of its failures.

mpis.py describes the command line."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import itertools
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from mpis import SECONDS, all_mpis, alone, need_one

PROCESSES = (1, 2, 3, 5)
THREADS = (1, 2)


class EachMpi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.mpis = all_mpis(cls.folder.name, ("team", "refusals", "lost"))

    def test_the_bits_are_those_of_one_process(self):
        expected = subprocess.run([alone], text=True, capture_output=True, check=True, timeout=SECONDS).stdout.strip()
        self.assertRegex(expected, "^[0-9a-f]{16}$")
        state = ([], ["8", "10", "sharded"])
        for mpi, processes, threads, options in itertools.product(self.mpis, PROCESSES, THREADS, state):
            with self.subTest(mpi=mpi.mpicc, processes=processes, threads=threads, options=options):
                done = mpi.run(processes, "team", *options, threads=threads)
                self.assertEqual(done.returncode, 0, done.stderr)
                found = re.findall(r"^(\d+) of (\d+): (\w+),", done.stdout, re.M)
                self.assertEqual(sorted(found), [(str(rank), str(processes), expected) for rank in range(processes)])

    def test_one_process_needs_no_mpirun(self):
        expected = subprocess.run([alone], text=True, capture_output=True, check=True, timeout=SECONDS).stdout.strip()
        for mpi in self.mpis:
            with self.subTest(mpi=mpi.mpicc):
                done = subprocess.run([mpi.programs["team"]], text=True, capture_output=True, timeout=SECONDS)
                self.assertEqual((done.returncode, done.stdout), (0, f"0 of 1: {expected}, 0 bytes sent\n"), done.stderr)

    def test_more_processes_than_shards_are_refused(self):
        for mpi in self.mpis:
            with self.subTest(mpi=mpi.mpicc):
                done = mpi.run(3, "team", "2")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("data_parallel_new: 2 shards: must be at least the number of processes, 3", done.stderr)

    def test_the_mpirun_of_another_mpi_is_refused(self):
        if len(self.mpis) < 2:
            self.skipTest("there is one MPI only")
        for mpi, other in itertools.permutations(self.mpis, 2):
            with self.subTest(mpi=mpi.mpicc, mpirun=other.mpirun[0]):
                done = mpi.run(2, "team", mpirun=other.mpirun)
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, "comm_mpi: 2 processes were started, but MPI does not connect them: this program "
                                 r"was built with (Open MPI|MPICH) and must be started by its mpirun \(or srun --mpi\)")
                alone_there = mpi.run(1, "team", mpirun=other.mpirun)
                self.assertEqual(alone_there.returncode, 0, alone_there.stderr)

    def test_what_cannot_work_is_refused(self):
        single = "HEED_ERR_STATE: comm_mpi: MPI was initialised without MPI_THREAD_FUNNELED: use MPI_Init_thread"
        funneled = ["a comm: ", "HEED_ERR_ARGUMENT: comm_mpi: comm is MPI_COMM_NULL",
                    "HEED_ERR_ARGUMENT: comm_mpi: comm_new: timeout is -1: must be finite and above 0"]
        for mpi, (level, expected) in itertools.product(self.mpis, (([], [single] * 3), (["funneled"], funneled))):
            with self.subTest(mpi=mpi.mpicc, level=level):
                done = mpi.run(1, "refusals", *level)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout.splitlines(), [
                    "HEED_ERR_STATE: comm_mpi: MPI is not initialised: call MPI_Init_thread first", *expected,
                    "HEED_ERR_STATE: comm_mpi: called after MPI_Finalize"])

    def test_another_instruction_set_is_refused(self):
        expected = "the arithmetic of the instruction set (HEED_ISA), of bf16 or of the C library differs between process 0 and process 1"
        for mpi in self.mpis:
            with self.subTest(mpi=mpi.mpicc):
                done = mpi.run(1, "team", ":", "-n", "1", "env", "HEED_ISA=scalar", mpi.programs["team"])
                if "avx" not in Path("/proc/cpuinfo").read_text():
                    self.skipTest("this processor has one instruction set")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(expected, done.stderr)

    def test_a_lost_process_is_named(self):
        prefix = "{}: HEED_ERR_IO: data_parallel_step: "
        silent = prefix + "process 1 of 3 has not answered for 2 s"
        late = prefix + "the other processes have stopped waiting for this one, process 1 of 3"
        for mpi in self.mpis:
            with self.subTest(mpi=mpi.mpicc):
                done = mpi.run(3, "lost")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(sorted(done.stdout.splitlines()), [silent.format(0), late.format(1), silent.format(2)])


if __name__ == "__main__":
    need_one()
    unittest.main(argv=["test_mpi.py"], verbosity=2)
