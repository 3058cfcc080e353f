#!/usr/bin/env python3
"""mpi/tests/test_killed.py - runs of which a process is killed, and which are restarted with a different number of
processes.

mpis.py describes the command line; HEED_RUNS is the number of runs, HEED_SEED draws them. A run starts a team of 1
to 5 processes under one of the MPIs, with the optimizer's state whole or sharded, kills a random process at a random
moment (during MPI's start, in a step, while the checkpoint is written, or at the end), once or twice, and then lets
a team of a different size finish. All processes must end within the timeout, by mpirun or with heed's error, which
names the killed process; the checkpoint must be good; and the final hash must equal the hash of an undisturbed run
by one process.

If mpirun is told not to end the others (Open MPI's --enable-recovery, MPICH's -disable-auto-cleanup), they have to
notice by themselves. MPI_Init and MPI_Finalize would then wait for ever, so the moment is during the training. If the
training ends before that moment, the processes that wait in MPI_Finalize are ended by the test: each of them must
have reported that its training was over.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from mpis import all_mpis, environment, need_one

RUNS, SEED = int(os.environ.get("HEED_RUNS", "2")), int(os.environ.get("HEED_SEED", "1"))
STEPS = "60"
TIMEOUT = 3.0 + 2.0  # survivor.c's timeout, plus the time for notices
MARGIN = 10.0        # for a busy machine, and for MPI's own work
NAMED = re.compile(r"process (\d) of (\d) (?:has not answered|has disconnected)|waiting for this one, process (\d) of (\d)")


def processes_of(program, checkpoint):
    """{rank: pid} of the processes that run it."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
            if command[0] == os.fsencode(program) and os.fsencode(checkpoint) in command:
                variables = (folder / "environ").read_bytes()
                rank = re.search(rb"(?:^|\0)(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)", variables)
                found[int(rank[1]) if rank else 0] = int(folder.name)
        except OSError:  # it has ended
            pass
    return found


class Run:
    """One run, in its own folder."""

    def __init__(self, folder, mpis, draw, counts):
        self.folder, self.mpis, self.draw, self.counts = folder, mpis, draw, counts
        self.folder.mkdir()
        self.checkpoint = self.folder / "run.heed"
        self.last = 0  # number of processes

    def command(self, recovers):
        mpi = self.draw.choice(self.mpis)
        processes = self.draw.choice([n for n in range(2 if recovers else 1, 6) if n != self.last])
        self.last = processes
        survive = ["--enable-recovery"] if mpi.is_open_mpi else ["-disable-auto-cleanup"]
        program = mpi.programs["survivor"]
        return mpi, program, [*mpi.mpirun, *(survive if recovers else []), "-n", str(processes), program,
                              str(self.checkpoint), STEPS, *self.draw.choice(([], ["sharded"]))]

    def begin(self, command):
        with open(self.folder / "output", "w") as output:
            return subprocess.Popen(list(map(str, command)), stdout=output, stderr=subprocess.STDOUT, env=environment(),
                                    cwd=self.folder)

    def written(self):
        return self.checkpoint.stat().st_mtime_ns if self.checkpoint.exists() else 0

    @staticmethod
    def wait_until(happened, mpirun):
        began = time.monotonic()
        while not happened() and mpirun.poll() is None and time.monotonic() - began < 60:
            time.sleep(0.002)

    def end(self, mpirun, seconds):
        """Waits for the end and returns the output, or None if it did not end."""
        try:
            mpirun.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return (self.folder / "output").read_text()

    def kill_one(self):
        """Returns False if it had already ended."""
        recovers = self.draw.random() < 0.3
        mpi, program, command = self.command(recovers)
        before = self.written()
        mpirun = self.begin(command)
        self.wait_until(lambda: processes_of(program, self.checkpoint), mpirun)
        if recovers:
            self.wait_until(lambda: self.written() != before, mpirun)
        time.sleep(self.draw.uniform(0.0, self.counts["usual"] * (0.2 if recovers else 1.0)))
        members = processes_of(program, self.checkpoint)
        try:
            rank = self.draw.choice(sorted(members))
            os.kill(members[rank], signal.SIGKILL)
        except (IndexError, ProcessLookupError):
            self.end(mpirun, 120)
            return False
        self.counts["killed", "Open MPI" if mpi.is_open_mpi else "MPICH"] += 1
        killed = time.monotonic()
        output = self.end(mpirun, TIMEOUT + MARGIN)
        left = processes_of(program, self.checkpoint)
        if output is None:
            self.give_up(mpirun, left, f"{command}: {rank} was killed, and {{}} did not end")
            return True
        if left:
            raise AssertionError(f"{command}: processes are left")
        self.judge(mpirun.returncode, output, rank, recovers, time.monotonic() - killed)
        return True

    def give_up(self, mpirun, left, message):
        """Open MPI's mpirun may wait for ever for a process that was killed in MPI_Init, after the others have ended, and
        MPI_Finalize waits for ever for a killed process."""
        for pid in [*left.values(), mpirun.pid]:
            os.kill(pid, signal.SIGKILL)
        mpirun.wait()
        output = (self.folder / "output").read_text()
        training = sorted(rank for rank in left if f"trained {rank}\n" not in output)
        if training:
            raise AssertionError(f"{message.format(training)}:\n{output}")
        self.counts["MPI_Finalize hung" if left else "mpirun hung"] += 1

    def judge(self, code, output, rank, recovers, seconds):
        names = {int(found[0] or found[2]) for found in NAMED.findall(output)}
        if names - {rank}:
            raise AssertionError(f"{rank} was killed, and {names} named:\n{output}")
        if code == 0 and not names and "hash" not in output:
            raise AssertionError(f"{rank} was killed, and nothing was reported:\n{output}")
        self.counts["named by heed" if names else "ended by mpirun"] += 1
        self.counts["longest"] = max(self.counts["longest"], seconds)

    def finish(self):
        _, _, command = self.command(False)
        output = self.end(self.begin(command), 120)
        found = re.findall(r"^hash (\w{16})\s*$", output or "", re.M)
        if len(found) != 1:
            raise AssertionError(f"{command}: did not end well:\n{output}")
        return found[0]


def main():
    need_one()
    draw, counts, hashes = random.Random(SEED), Counter(), Counter()
    with tempfile.TemporaryDirectory(prefix="heed-killed-") as where:
        mpis = all_mpis(where, ("survivor",))
        alone = subprocess.run([mpis[0].programs["survivor"], f"{where}/alone.heed", STEPS], text=True, check=True,
                               capture_output=True, env=environment()).stdout.split()[1]
        begin = time.monotonic()
        Run(Path(where) / "usual", mpis, draw, counts).finish()
        counts["usual"] = time.monotonic() - begin  # the duration of a run
        for number in range(RUNS):
            run = Run(Path(where) / str(number), mpis, draw, counts)
            for _ in range(draw.choice((1, 2))):
                while not run.kill_one():
                    run.checkpoint.unlink(missing_ok=True)
            hashes[run.finish()] += 1
    killed = counts["killed", "Open MPI"] + counts["killed", "MPICH"]
    print(f"killed: {RUNS} runs, {killed} processes killed ({counts['killed', 'Open MPI']} under Open MPI, "
          f"{counts['killed', 'MPICH']} under MPICH): {counts['ended by mpirun']} times mpirun ended the others, "
          f"{counts['named by heed']} times heed named the one that was lost, {counts['mpirun hung']} times mpirun "
          f"itself did not end when all processes had, {counts['MPI_Finalize hung']} times MPI_Finalize waited for the one "
          "that was killed after the training; all other processes ended within "
          f"{counts['longest']:.1f} s; {len(hashes)} hash, {'that' if list(hashes) == [alone] else 'NOT that'} of one "
          "process alone")
    sys.exit(list(hashes) != [alone] or killed == 0)


if __name__ == "__main__":
    main()
