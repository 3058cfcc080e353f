#!/usr/bin/env python3
"""tests/mpi/test_mpi.py - the same bits under each MPI that is installed, from one source, and the words of its failures.

    test_mpi.py SOURCE_FOLDER ALONE LIBHEED.a [FLAG...] -- MPICC MPIRUN [MPICC MPIRUN...]

Compiles src/mpi/mpi.c with the programs of tests/mpi by each MPICC, links them with LIBHEED.a and the flags, and runs them
by its MPIRUN. ALONE prints the hash that all must have. Exit code 77 where no MPI is installed.
"""

import itertools
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAMS = ("team", "refusals", "lost")
PROCESSES = (1, 2, 3, 5)
THREADS = (1, 2)
SECONDS = 120

arguments = sys.argv[1:]
cut = arguments.index("--") if "--" in arguments else len(arguments)
(folder, alone, *link), pairs = arguments[:cut], arguments[cut + 1:]


class Mpi:
    """One implementation: its compiler, and how it starts processes."""

    def __init__(self, where, mpicc, mpirun):
        self.mpicc, self.mpirun = mpicc, [mpirun]
        self.programs = {name: self.build(name, where / Path(mpicc).name) for name in PROGRAMS}
        said = subprocess.run([mpirun, "--version"], text=True, capture_output=True)
        if "Open MPI" in said.stdout + said.stderr or "OpenRTE" in said.stdout + said.stderr:
            self.mpirun += ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]

    def build(self, name, where):
        where.mkdir(exist_ok=True)
        program = where / name
        command = [self.mpicc, "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", "-O1",
                   "-I", f"{folder}/include", "-I", f"{folder}/src/mpi/include", "-I", f"{folder}/tests",
                   f"{folder}/src/mpi/mpi.c", f"{folder}/tests/mpi/{name}.c", *link, "-o", program]
        subprocess.run(command, check=True, timeout=SECONDS)
        return program

    def run(self, processes, name, *options, threads=1, mpirun=None):
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "HEED_NUM_THREADS": str(threads)}
        return subprocess.run([*(mpirun or self.mpirun), "-n", str(processes), self.programs[name], *options], text=True,
                              capture_output=True, timeout=SECONDS, env=environment)


class EachMpi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.mpis = [Mpi(Path(cls.folder.name), *pair) for pair in zip(pairs[::2], pairs[1::2])]

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
                self.assertRegex(done.stderr, "comm_mpi: one of 2 processes that MPI does not bring together: this program "
                                 r"was built with (Open MPI|MPICH), whose mpirun must start it \(or srun --mpi\)")
                alone_there = mpi.run(1, "team", mpirun=other.mpirun)
                self.assertEqual(alone_there.returncode, 0, alone_there.stderr)

    def test_what_cannot_work_is_refused(self):
        single = "HEED_ERR_STATE: comm_mpi: MPI was begun without MPI_THREAD_FUNNELED: use MPI_Init_thread"
        funneled = ["a comm: ", "HEED_ERR_ARGUMENT: comm_mpi: comm is MPI_COMM_NULL",
                    "HEED_ERR_ARGUMENT: comm_mpi: comm_new: timeout is -1: must be finite and above 0"]
        for mpi, (level, told) in itertools.product(self.mpis, (([], [single] * 3), (["funneled"], funneled))):
            with self.subTest(mpi=mpi.mpicc, level=level):
                done = mpi.run(1, "refusals", *level)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout.splitlines(), ["HEED_ERR_STATE: comm_mpi: before MPI_Init_thread", *told,
                                                            "HEED_ERR_STATE: comm_mpi: after MPI_Finalize"])

    def test_another_instruction_set_is_refused(self):
        told = "process 1 has another arithmetic (instruction set: HEED_ISA) than process 0"
        for mpi in self.mpis:
            with self.subTest(mpi=mpi.mpicc):
                done = mpi.run(1, "team", ":", "-n", "1", "env", "HEED_ISA=scalar", mpi.programs["team"])
                if "avx" not in Path("/proc/cpuinfo").read_text():
                    self.skipTest("this processor has one instruction set")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(told, done.stderr)

    def test_a_lost_process_is_named(self):
        told = "{}: HEED_ERR_IO: data_parallel_step: "
        silent = told + "process 1 of 3 has not answered for 2 s"
        late = told + "the others have given up process 1 of 3, this one"
        for mpi in self.mpis:
            with self.subTest(mpi=mpi.mpicc):
                done = mpi.run(3, "lost")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(sorted(done.stdout.splitlines()), [silent.format(0), late.format(1), silent.format(2)])


if __name__ == "__main__":
    if not pairs:
        print("no MPI is installed: scripts/setup --mpi")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
