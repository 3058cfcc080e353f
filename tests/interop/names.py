#!/usr/bin/env python3
"""The names of PyTorch and NumPy in the headers and in the words of the manual's search exist there.

    tests/interop/names.py include/heed docs/manual

The folders' headers and search-words.txt are read. Every torch.NAME and numpy.NAME is looked up: those of a comment's last
line, "torch: torch.bmm   numpy: numpy.matmul", whose form scripts/lint checks, and those in passing. "torch.NAME*" must be
the beginning of a name that exists.

Exit code: 0 when all are found, 1 when one is not, 77 with neither PyTorch nor NumPy (python3-torch, python3-numpy).
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import importlib.util
import os
import pkgutil
import re
import sys
from pathlib import Path

DEBIAN = "/usr/bin/python3"  # its packages belong to it, and it need not be the first Python
LIBRARIES = ("torch", "numpy")
NAME = re.compile(r"(?<![\w.])(torch|numpy)(?:\.\w+)+(?:\.?\*)?")
SINCE = {  # later than PyTorch 1.13, which Debian 12 has
    "torch.nn.functional.scaled_dot_product_attention": (2, 0), "torch.compile": (2, 0), "torch.vmap": (2, 0),
    "torch.func.*": (2, 0), "torch.mps.*": (2, 0), "torch._dynamo.*": (2, 0), "torch.set_default_device": (2, 0),
    "torch.export.*": (2, 1), "torch.nn.RMSNorm": (2, 4), "torch.nn.functional.rms_norm": (2, 4), "torch.optim.Muon": (2, 9),
    "torch.nn.utils.get_total_norm": (2, 6), "torch.nn.utils.parametrizations.weight_norm": (2, 1),
}


def version(library):
    return tuple(int(part) for part in re.findall(r"\d+", pkgutil.resolve_name(library).__version__)[:2])


def is_module(name):
    """Whether the library has a module of that name, which may need a package that is not installed."""
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


def exists(name):
    if name in SINCE and version(name.split(".")[0]) < SINCE[name]:
        return True
    whole, beginning = name.removesuffix(".*"), ""
    if whole.endswith("*"):
        whole, _, beginning = whole.removesuffix("*").rpartition(".")
    try:
        return any(part.startswith(beginning) for part in dir(pkgutil.resolve_name(whole)))
    except (AttributeError, ImportError):
        return is_module(whole)


def check(path, there):
    """What is wrong in a header, and how many names of each library were looked up."""
    wrong, count = [], dict.fromkeys(there, 0)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for found in NAME.finditer(line):
            if found[1] in there:
                count[found[1]] += 1
                if not exists(found[0]):
                    wrong.append(f"{path}:{number}: there is no {found[0]}")
    return wrong, count


def main():
    there = [library for library in LIBRARIES if importlib.util.find_spec(library)]
    if len(there) < 2 and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN) and os.path.exists(DEBIAN):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    if not there:
        print("names: skipped: there is neither PyTorch nor NumPy (python3-torch, python3-numpy)")
        return 77
    files = [path for folder in sys.argv[1:] for name in ("*.h", "search-words.txt") for path in sorted(Path(folder).rglob(name))]
    results = [check(path, there) for path in files]
    wrong = [line for found, _ in results for line in found]
    for library in there:
        count = sum(counts[library] for _, counts in results)
        print(f"names: {count} of {library}")
        if count == 0:
            wrong.append(f"{' '.join(sys.argv[1:])}: no file names {library}: are these the headers?")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
