#!/usr/bin/env python3
"""mpi/tests/memcheck.py - a team of two processes under valgrind, with every MPI: without errors or leaks.

mpis.py describes the command line. With Open MPI the programs are linked with valgrind's wrapper of MPI (Debian:
valgrind-mpi), which knows when a message has arrived, and checks every byte that is sent; it must find the byte that
unset.c has never written. packaging/cmake/valgrind-mpi.supp has the MPIs' own leaks. The kernels are AVX2's: valgrind does not
support AVX-512.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import subprocess
import sys
import tempfile
from pathlib import Path

from mpis import all_mpis, environment, folder, need_one

WRAPPER = Path("/usr/lib/x86_64-linux-gnu/valgrind/libmpiwrap-amd64-linux.so")
SECONDS = 600


def memcheck(mpi, where, name, *options):
    """Returns the exit code, and the first lines of valgrind's reports."""
    log = where / "-".join((Path(mpi.mpicc).name, name, *options))
    valgrind = ["valgrind", "--leak-check=full", "--num-callers=60", "--error-exitcode=9", f"--log-file={log}.%p",
                f"--suppressions={folder}/packaging/cmake/valgrind-mpi.supp", f"--suppressions={folder}/packaging/cmake/valgrind.supp"]
    done = subprocess.run([*mpi.mpirun, "-n", "2", *valgrind, mpi.programs[name], *options], text=True, capture_output=True,
                          timeout=SECONDS, env={**environment(), "HEED_ISA": "avx2", "MPIWRAP_DEBUG": "quiet"})
    return done.returncode, "\n".join(path.read_text() for path in sorted(where.glob(f"{log.name}.*"))) + done.stderr


def main():
    need_one()
    with tempfile.TemporaryDirectory(prefix="heed-memcheck-") as name:
        where, wrapper = Path(name), []
        if WRAPPER.exists():
            wrapper = ["-g", "-Wl,--no-as-needed", str(WRAPPER), f"-Wl,-rpath,{WRAPPER.parent}"]
        for mpi in all_mpis(where, ("team", "unset"), lambda mpi: wrapper if "openmpi" in mpi else ["-g"]):
            kind = "Open MPI" if mpi.is_open_mpi else "MPICH"
            for options in (("4", "3"), ("4", "3", "sharded")):
                code, output = memcheck(mpi, where, "team", *options)
                if code != 0 or output.count("ERROR SUMMARY: 0 errors") != 2:
                    sys.exit(f"memcheck: {kind} {options}: exit code {code}\n{output}")
            wrapped = mpi.is_open_mpi and wrapper
            if wrapped:
                _, output = memcheck(mpi, where, "unset")
                if "ninitialised byte(s)" not in output:
                    sys.exit(f"memcheck: bytes that nothing has written were sent, and not found\n{output}")
            print(f"memcheck: two processes under {kind}{', its messages wrapped' if wrapped else ''}: "
                  f"0 errors, nothing of heed's lost{'; a planted one is found' if wrapped else ''}", flush=True)


if __name__ == "__main__":
    main()
