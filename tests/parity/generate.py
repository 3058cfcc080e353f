#!/usr/bin/env python3
"""tests/parity/generate.py - writes the results of PyTorch 1.13 for every op and module to tests/parity/data.

    scripts/parity              writes files that differ by more than the last digits
    scripts/parity --check      compares them with new ones; exit code 1 if they differ
    scripts/parity NAME...      only data/NAME.json; also with --check

Runs with Debian's /usr/bin/python3 and python3-torch. case.py describes the format of a file.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import argparse
import json
import sys
from pathlib import Path

import torch

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import attention  # noqa: E402, F401: importing these modules registers their reference functions
import case  # noqa: E402
import convolutions  # noqa: E402, F401
import decoders  # noqa: E402
import elementwise  # noqa: E402, F401
import losses  # noqa: E402, F401
import modules  # noqa: E402, F401
import recurrent  # noqa: E402, F401
import shapes  # noqa: E402, F401

DATA = Path(__file__).resolve().parent / "data"
TOLERANCE = 1e-12  # machines differ in the rounding of exp and other functions by vector instructions


def same(a, b):
    """Whether two values are equal, except for the last digits of floating-point numbers."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= TOLERANCE * (1 + abs(b))
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return a == b


def difference(name, fresh):
    """The difference between data/NAME.json and the text, or None."""
    path = DATA / f"{name}.json"
    if not path.is_file():
        return "missing"
    there, wanted = json.loads(path.read_text())["cases"], json.loads(fresh)["cases"]
    if len(there) != len(wanted):
        return f"{len(there)} cases, not {len(wanted)}"
    wrong = [i for i, (a, b) in enumerate(zip(there, wanted)) if not same(a, b)]
    return f"cases {wrong} differ" if wrong else None


def hub_differences():
    """Files of data/hub that are missing or outdated."""
    files = decoders.hub_files()
    for name, data in files.items():
        path = DATA / "hub" / name
        if not path.is_file() or not decoders.alike(path.read_bytes(), data):
            yield name, data
    for path in (DATA / "hub").rglob("*.*"):
        if str(path.relative_to(DATA / "hub")) not in files:
            yield str(path.relative_to(DATA / "hub")), None


def differences(texts):
    return {f"{name}.json": found for name, text in texts.items() if (found := difference(name, text))}


def report(wrong):
    for name, found in wrong.items():
        print(f"tests/parity/data/{name}: {found}")
    return 1 if wrong else 0


def write_texts(texts):
    DATA.mkdir(exist_ok=True)
    for name, text in texts.items():
        if difference(name, text):  # otherwise the last digits, from a different machine, stay
            (DATA / f"{name}.json").write_text(text)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, compare")
    parser.add_argument("names", nargs="*", metavar="NAME", help="an op or a module (default: all)")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(case.references)):
        parser.error(f"no file of tests/parity has a reference for {', '.join(unknown)}")
    torch.set_num_threads(1)
    texts = {name: case.text(case.cases_of(name)) for name in sorted(options.names or case.references)}
    if options.names:
        return report(differences(texts)) if options.check else write_texts(texts)
    stray = sorted(p.name for p in DATA.glob("*.json") if p.stem not in texts)
    if options.check:
        wrong = differences(texts)
        wrong.update({name: "no reference makes it" for name in stray})
        wrong.update({f"hub/{name}": "differs" for name, _ in hub_differences()})
        return report(wrong)
    write_texts(texts)
    for name in stray:
        (DATA / name).unlink()
    for name, data in list(hub_differences()):
        path = DATA / "hub" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data) if data is not None else path.unlink()
    print(f"tests/parity/data: {len(texts)} files, {sum(map(len, texts.values()))} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
