#!/usr/bin/env python3
"""Makes every system call of every reader and writer of files fail, one at a time (strace -e inject).

    tests/promises/faults/iofault.py FILEWORK [--jobs N]

After a run, the report and the files must agree. An error has the path and the cause, and the old file is unchanged;
after "ok" the complete new file exists. No temporary file and no descriptor is left, an interrupted call (EINTR) is
repeated, and faults that must fail the program do. Prints a line for every violation, and the totals.

Exit code: 0 if all is well, 1 if not, 77 if the system does not let strace trace.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import argparse
import collections
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MARK = "/heed-iofault-mark"
SEED = "/dev/urandom"
ERRORS = ("ENOSPC", "EIO", "EINTR", "EXDEV", "EACCES")
CAUSES = {"ENOSPC": "No space left on device", "EIO": "Input/output error", "EINTR": "Interrupted system call",
          "EXDEV": "Invalid cross-device link", "EACCES": "Permission denied"}
# Calls that do not concern files: memory, time, identity.
NO_FILES = {"mmap", "munmap", "mremap", "brk", "mprotect", "madvise", "futex", "clock_gettime", "getrandom", "getpid",
            "access", "sched_getaffinity", "rt_sigaction", "rt_sigprocmask"}
# Calls that a writer and a reader must repeat after an interruption.
RESUMED = {"openat", "write", "read", "pread64", "fsync", "renameat", "flock"}
SHORT = (1000, 4096, 65535)
# Injected results other than the listed errors: a file that ends too soon, and a temporary file that a sweep has
# removed.
ENDS_SOON = "retval=0"
TAKEN = "error=EAGAIN"
IDX = struct.pack(">BBBBI", 0, 0, 8, 1, 10) + bytes(range(10))

Call = collections.namedtuple("Call", "name ordinal text")


def run(program, work, path, *strace):
    command = ["strace", "-f", "-qq", *strace] if strace else []
    done = subprocess.run(command + [program, work, path], capture_output=True, text=True)
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def can_trace(program):
    if not shutil.which("strace"):
        return "strace is missing (scripts/setup installs it)"
    done = subprocess.run(["strace", "-qq", "-o", "/dev/null", "-e", "inject=getppid:error=EIO", "true"],
                          capture_output=True, text=True)
    return done.stderr.strip() if done.returncode != 0 else ""


def calls_between_marks(log):
    """The calls on files that the library makes, each with its number among all of its name in the process."""
    counts, calls, inside, seed = collections.Counter(), [], False, None
    for line in log.read_text(errors="replace").splitlines():
        found = re.match(r"(?:\d+\s+)?(\w+)\((.*)", line)
        if not found:
            continue
        name, text = found.groups()
        counts[name] += 1
        if name == "access" and MARK in text:
            inside = not inside
        elif inside and SEED in text:  # Jansson reads it once, and works without it
            seed = text.rsplit("= ", 1)[-1].strip()
        elif inside and seed and text.startswith((seed + ",", seed + ")")):
            seed = seed if name != "close" else None
        elif inside and name not in NO_FILES:
            calls.append(Call(name, counts[name], text))
    return calls


class Work:
    """One reader or writer, with its initial file."""

    def __init__(self, program, name, old, scratch):
        self.program, self.name, self.old = program, name, old
        self.writes = name.startswith("write")
        self.suffix = name.split("-")[1]
        self.keeps = self.suffix == "kept.heed"
        self.scratch = scratch
        self.checkpoint = self.save() if self.keeps else None

    def save(self):
        """A checkpoint: only files that begin like one count, and are removed."""
        folder = Path(tempfile.mkdtemp(dir=self.scratch))
        path = folder / "file-000000007.heed"
        code, output, problem = run(self.program, "write-kept.heed", path)
        if code != 0 or not path.exists():
            sys.exit(f"iofault: write-kept.heed fails without any fault: {output} {problem}")
        return path.read_bytes()

    def prepare(self):
        folder = Path(tempfile.mkdtemp(dir=self.scratch))
        path = folder / ("file-000000007.heed" if self.keeps else f"file.{self.suffix}")
        path.write_bytes(self.old)
        path.chmod(0o600)
        if self.keeps:
            self.older(path).write_bytes(self.checkpoint)
        self.stale(path).write_bytes(b"left by a killed process")
        return folder, path

    def stale(self, path):
        """The file that a writer finds next to its target and removes, if all goes well."""
        return path.with_name(f".{'file.heed' if self.keeps else path.name}.heed-1-0.tmp")

    @staticmethod
    def older(path):
        """The checkpoint before that, which is removed when the new one is in place."""
        return path.with_name("file-000000003.heed")

    @staticmethod
    def series(path):
        """The path that the program saves to, or loads."""
        return path.with_name("file.heed")

    def learn(self):
        """An undisturbed run: its calls, and the new file."""
        folder, path = self.prepare()
        log = self.scratch / f"{self.name}.log"
        code, output, problem = run(self.program, self.name, path, "-o", str(log))
        if code != 0 or output != "ok":
            sys.exit(f"iofault: {self.name} fails without any fault: {output} {problem}")
        if self.writes and self.stale(path).exists():
            sys.exit(f"iofault: {self.name} does not remove what a killed process left")
        if self.writes and self.older(path).exists():
            sys.exit(f"iofault: {self.name} does not remove the checkpoint before")
        self.new = path.read_bytes()
        self.calls = calls_between_marks(log)
        shutil.rmtree(folder)
        return list(self.check_order()) if self.writes else []

    def check_order(self):
        """write < fsync < rename < fsync of the folder."""
        names = [c.name for c in self.calls if c.name in ("write", "fsync", "renameat")]
        if re.fullmatch(r"(write )+fsync renameat fsync ", "".join(n + " " for n in names)) is None:
            yield f"{self.name}: calls in a wrong order: {' '.join(names)}"
        if not any(re.search(r"O_CREAT.*, 0600\)", c.text) for c in self.calls if c.name == "openat"):
            yield f"{self.name}: others may read the new content of a private file"

    def must_fail(self, call, error):
        """Whether this error of this call has to be reported."""
        if error == "EINTR":
            return False
        if not self.writes:  # the first call checks whether the file exists; reading finds mistakes
            looks = self.suffix.endswith("heed") and call == self.calls[0]
            return call.name in ("openat", "pread64", "read", "newfstatat", "fstat", "getdents64") and not looks
        made = next(i for i, c in enumerate(self.calls) if "O_CREAT" in c.text)
        before_rename = call.ordinal <= max((c.ordinal for c in self.calls if c.name == "fsync"), default=0) - 1
        folder = next(c for c in self.calls if c.name == "openat")
        return (call.name in ("write", "renameat", "readlinkat") or (call.name == "fsync" and before_rename) or
                call == self.calls[made] or (call.name == "fcntl" and "DUPFD" in call.text) or
                (call == folder and error != "EACCES") or  # an unreadable one is acceptable
                (call.name == "newfstatat" and call in self.calls[:made] and re.match(r'\w+, "[/f]', call.text)))

    def judge(self, call, error, code, output, folder, path):
        content = path.read_bytes() if path.exists() else None
        left = sorted(p.name for p in folder.iterdir() if p not in (path, self.stale(path), self.older(path)))
        if code == 4 and call.name != "close":  # an injected failure skips the close itself
            yield "a descriptor is left open"
        if code not in (0, 3, 4):
            yield f"exit code {code}: {output}"
        if left:
            yield f"left behind: {left}"
        if output == "ok":
            if self.writes and content != self.new:
                yield "it says ok, and the file is not the new one"
            if self.must_fail(call, error):
                yield "it does not report the error"
        else:
            if content != self.old or (self.keeps and not self.older(path).exists()):
                yield "it reports an error, and the old file is gone"
            if not any(str(p) in output for p in (path, self.series(path))) or CAUSES[error] not in output:
                yield f"no path or no cause in: {output}"
            if error == "EINTR" and call.name in RESUMED:
                yield f"it does not go on after an interruption: {output}"

    def fault(self, call, error):
        folder, path = self.prepare()
        inject = f"inject={call.name}:error={error}:when={call.ordinal}"
        code, output, _ = run(self.program, self.name, path, "-o", "/dev/null", "-e", f"trace={call.name}", "-e", inject)
        problems = [f"{self.name}, {call.name} {call.ordinal} {error}: {p}"
                    for p in self.judge(call, error, code, output, folder, path)]
        shutil.rmtree(folder)
        return output != "ok", problems

    def special(self, call, result):
        folder, path = self.prepare()
        inject = f"inject={call.name}:{result}:when={call.ordinal}"
        code, output, _ = run(self.program, self.name, path, "-o", "/dev/null", "-e", f"trace={call.name}", "-e", inject)
        if result == TAKEN:
            good = code == 0 and path.read_bytes() == self.new
        else:
            good = code == 3 and re.search(r"while it was read|has become shorter|or damaged", output)
        shutil.rmtree(folder)
        return [] if good else [f"{self.name}, {call.name} {call.ordinal} {result}: {output}"]

    def specials(self):
        for call in self.calls:
            if self.writes and call.name == "flock":
                yield call, TAKEN
            if not self.writes and call.name in ("pread64", "read") and not call.text.endswith("= 0"):
                yield call, ENDS_SOON

    def short(self, most):
        folder, path = self.prepare()
        done = subprocess.run([self.program, self.name, path, str(most)], capture_output=True, text=True)
        good = done.returncode == 0 and path.read_bytes() == self.new
        shutil.rmtree(folder)
        return [] if good else [f"{self.name}, at most {most} bytes at once: {done.stdout.strip()}"]


def all_works(program, scratch):
    """The program's writers and readers, which read the written files."""
    names = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout.split()
    works = [Work(program, name, b"the old file", scratch) for name in names if name.startswith("write-")]
    problems = [p for w in works for p in w.learn()]
    content = {w.suffix: w.new for w in works} | {"idx": IDX}
    reading = [Work(program, name, content[name.removeprefix("read-")], scratch) for name in names if name.startswith("read-")]
    for work in reading:
        work.learn()
    return works + reading, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filework")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    reason = can_trace(options.filework)
    if reason:
        print(f"iofault: skipped: strace cannot trace here: {reason}")
        return 77
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="heed-iofault-", dir=shared) as scratch, \
            ThreadPoolExecutor(options.jobs) as pool:
        works, problems = all_works(os.path.abspath(options.filework), Path(scratch))
        faults = [pool.submit(w.fault, call, error) for w in works for call in w.calls for error in ERRORS]
        specials = [pool.submit(w.special, *s) for w in works for s in w.specials()]
        shorts = [pool.submit(w.short, most) for w in works for most in SHORT]
        reported = sum(f.result()[0] for f in faults)
        problems += [p for f in faults for p in f.result()[1]] + [p for s in specials + shorts for p in s.result()]
    for problem in problems:
        print(problem)
    calls = sorted({c.name for w in works for c in w.calls})
    print(f"iofault: works={len(works)} calls={' '.join(calls)} faults={len(faults)} reported={reported} "
          f"special={len(specials)} short={len(shorts)} bad={len(problems)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
