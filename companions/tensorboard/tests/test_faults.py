#!/usr/bin/env python3
"""tensorboard/tests/test_faults.py - makes every system call of a log fail, one at a time (strace -e inject), with
short writes and without. The message must name the path and the cause, and the file must consist of complete
records: one per successful event.

    tensorboard/tests/test_faults.py LOGWORK

Exit code: 0 if all is well, 1 if not, 77 if the system does not let strace trace.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import collections
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from records import records

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "promises" / "faults"))
import iofault  # noqa: E402

PROGRAM = sys.argv[1]
MOST = ("1000000", "7")
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
                    "0000000a49444154789c63600000000200014873"
                    "a6480000000049454e44ae426082")
EVENTS, LATER = 5, {"ftruncate"}
RESUMED = iofault.RESUMED | {"pwrite64", "mkdir", "ftruncate"}
SYNCS = 3  # of the log: by open, flush and close
# Calls on the log whose failure must be reported; a failed sync of the folder or read of the host's name is ignored.
MUST = {"mkdir", "pwrite64", "read", "fstat", "newfstatat", "openat"}


def run(folder, most, *strace):
    figure = folder / "figure.png"
    figure.write_bytes(PNG)
    command = ["strace", "-f", "-qq", *strace] if strace else []
    done = subprocess.run([*command, PROGRAM, str(folder / "runs/1"), str(figure), most], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines()


def learn(folder, most):
    log = folder / "log"
    code, lines = run(folder, most, "-y", "-o", str(log))  # -y: the paths of descriptors
    if code != 0 or [line for line in lines if not line.startswith("path")] != ["open", *["event"] * EVENTS, "flush", "close"]:
        sys.exit(f"faults: fails without any fault: {code} {lines}")
    calls = iofault.calls_between_marks(log)
    if sum(call.name == "fsync" and is_of_log(call) for call in calls) != SYNCS:
        sys.exit(f"faults: the log is not synced {SYNCS} times: {calls}")
    return calls


def is_of_log(call):
    return "/events." in call.text


def judge(call, error, code, lines, folder):
    files = [path for path in folder.rglob("events.*")]
    failed = [line for line in lines if line.startswith("tensorboard_")]
    if code == 4 and call.name != "close":  # an injected failure skips the close itself
        yield "a descriptor is left open"
    if code not in (0, 4):
        yield f"exit code {code}"
    if "open" not in lines:
        if files:
            yield "it was not opened, and there is a file"
    else:
        try:
            found = len(list(records(files[0].read_bytes())))
        except ValueError as problem:
            found = f"a broken file ({problem})"
        if found != 1 + lines.count("event"):
            yield f"{found} records of {1 + lines.count('event')}"
    for line in failed:
        if not re.search(r"/(runs/1|figure\.png|events\.)", line) or iofault.CAUSES[error] not in line:
            yield f"no path or no cause in: {line}"
    if error == "EINTR" and failed and call.name in RESUMED:
        yield f"it does not go on after an interruption: {failed}"
    looks_away = call.name == "openat" and "O_DIRECTORY" in call.text  # the folder's sync, which is optional
    must = call.name in MUST or (call.name in ("fsync", "close") and is_of_log(call))
    if error != "EINTR" and must and not failed and not looks_away:
        yield "it does not report the error"


def fault(call, error, most):
    folder = Path(tempfile.mkdtemp(prefix="heed-tensorboard-faults-"))
    inject = f"inject={call.name}:error={error}:when={call.ordinal}"
    code, lines = run(folder, most, "-o", "/dev/null", "-e", f"trace={call.name}", "-e", inject)
    problems = [f"at most {most} bytes, {call.name} {call.ordinal} {error}: {p}" for p in judge(call, error, code, lines, folder)]
    shutil.rmtree(folder)
    return any(line.startswith("tensorboard_") for line in lines), problems


def chosen(calls, most):
    """All calls; with short writes only the first, and some in the middle of records."""
    seen = collections.Counter()
    for call in calls:
        seen[call.name] += 1
        if most == MOST[0] or call.name in LATER or seen[call.name] in (1, 2, 9, 50):
            yield call


def main():
    reason = iofault.can_trace(PROGRAM)
    if reason:
        print(f"faults: skipped: strace cannot trace here: {reason}")
        return 77
    problems, reported, count, names = [], 0, 0, set()
    for most in MOST:
        folder = Path(tempfile.mkdtemp(prefix="heed-tensorboard-faults-"))
        calls = list(chosen(learn(folder, most), most))
        shutil.rmtree(folder)
        names |= {call.name for call in calls}
        for call in calls:
            for error in iofault.ERRORS:
                said, found = fault(call, error, most)
                problems, reported, count = problems + found, reported + said, count + 1
    for problem in problems:
        print(problem)
    print(f"faults: calls={' '.join(sorted(names))} faults={count} reported={reported} bad={len(problems)}")
    return 1 if problems or not reported else 0


if __name__ == "__main__":
    sys.exit(main())
