"""mpi/tests/mpis.py - all installed MPIs: their compilers, and how they start processes.

A test is run as

    test.py SOURCE_FOLDER ALONE LIBHEED.a [FLAG...] -- MPICC MPIRUN [MPICC MPIRUN...]

and compiles mpi/src/mpi.c with programs of mpi/tests by every MPICC, links them with LIBHEED.a and the flags, and
runs them with its MPIRUN. ALONE is a program that trains in one process without MPI.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import subprocess
import sys
from pathlib import Path

SECONDS = 120

_cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
(folder, alone, *link), pairs = sys.argv[1:_cut], sys.argv[_cut + 1:]


class Mpi:
    def __init__(self, where, programs, more, mpicc, mpirun):
        self.mpicc, self.mpirun = mpicc, [mpirun]
        where = where / Path(mpicc).name
        where.mkdir(exist_ok=True)
        self.programs = {name: self.build(name, where, more(mpicc)) for name in programs}
        said = subprocess.run([mpirun, "--version"], text=True, capture_output=True)
        self.is_open_mpi = "Open MPI" in said.stdout + said.stderr or "OpenRTE" in said.stdout + said.stderr
        if self.is_open_mpi:
            self.mpirun += ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]

    def build(self, name, where, more):
        program = where / name
        command = [self.mpicc, "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", "-O1",
                   "-I", f"{folder}/include", "-I", f"{folder}/companions/mpi/include", "-I", f"{folder}/tests",
                   f"{folder}/companions/mpi/src/mpi.c", f"{folder}/companions/mpi/tests/{name}.c", *link, *more, "-o", program]
        subprocess.run(command, check=True, timeout=SECONDS)
        return program

    def run(self, processes, name, *options, threads=1, mpirun=None):
        return subprocess.run([*(mpirun or self.mpirun), "-n", str(processes), self.programs[name], *options], text=True,
                              capture_output=True, timeout=SECONDS, env=environment(threads))


def environment(threads=1):
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "HEED_NUM_THREADS": str(threads)}


def all_mpis(where, programs, more=lambda mpicc: []):
    """All MPIs, with `programs` built in `where`, and more flags for the compiler of that name."""
    return [Mpi(Path(where), programs, more, *pair) for pair in zip(pairs[::2], pairs[1::2])]


def need_one():
    """Ends with exit code 77, which ctest takes for "skipped", if no MPI is installed."""
    if not pairs:
        print("no MPI is installed: scripts/setup --mpi")
        sys.exit(77)
