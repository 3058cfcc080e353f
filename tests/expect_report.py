#!/usr/bin/env python3
"""tests/expect_report.py PATTERN PROGRAM [ARGUMENT...] - the program must fail, with a report that the pattern matches."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import subprocess
import sys

pattern, *command = sys.argv[1:]
done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
print(done.stdout, end="")
if done.returncode == 0:
    sys.exit("expect_report: the program ended with exit code 0")
if not re.search(pattern, done.stdout, re.S):
    sys.exit(f"expect_report: exit code {done.returncode}, but no report matches {pattern!r}")
