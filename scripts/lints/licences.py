"""licences.py - every file names its holders and its licence: the rule `licences` of scripts/lint.

The REUSE specification (https://reuse.software) has the form: two lines at the end of a file's first comment, or an entry in
.reuse/dep5 for files that cannot have a comment. LICENSES has the texts.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import shutil
import subprocess
import sys

SKIPPED = 77  # the exit code that ctest takes for a skipped test


def check_licences(root):
    if not shutil.which("reuse"):
        print("scripts/lint: licences: skipped, reuse is missing (scripts/setup --ci installs it)")
        sys.exit(SKIPPED)
    done = subprocess.run(["reuse", "--root", root, "lint"], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    report, _, _ = done.stdout.partition("# SUMMARY")
    files = {line.removeprefix("* ") for line in report.splitlines() if line.startswith("* ")}
    yield from (f"{name}: lacks its SPDX lines or an entry in .reuse/dep5, or its licence is not in LICENSES" for name in sorted(files))
    if not files:
        yield (done.stdout + done.stderr).strip()
