#!/usr/bin/env python3
"""onnx/tests/test_onnxruntime.py - onnx's checker accepts every model that onnx/tests/models.c writes, and onnxruntime
computes heed's results.

    onnx/tests/test_onnxruntime.py MODELS    runs the program MODELS, then the other two forms on its files, as
    separate processes
    onnx/tests/test_onnxruntime.py --check FOLDER
    onnx/tests/test_onnxruntime.py --run FOLDER

Needs python3-onnx and python3-onnxruntime, of this Python or of $HEED_ONNX_PYTHON, a command that is called with the
arguments of the other forms. There are two processes because a distribution's two libraries may share a third, which
both initialize. Exit code: 0 if all agree, 1 if not, 77 if one of the libraries is missing.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
BOUND = 1e-5  # relative to the largest number of an output, or to 1


def run_elsewhere(models):
    command = os.environ.get("HEED_ONNX_PYTHON", sys.executable).split()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([models, folder], check=True)
        codes = [subprocess.run([*command, __file__, what, folder], check=False).returncode for what in ("--check", "--run")]
    return next((code for code in codes if code not in (0, SKIPPED)), max(codes))


def each(folder, name, judge):
    """Calls judge(path), which returns a mistake or None, for every model. Returns the exit code."""
    paths, bad = sorted(Path(folder).glob("*.onnx")), 0
    for path in paths:
        try:
            wrong = judge(path)
        except Exception as error:  # each library has its own exceptions
            wrong = str(error)
        if wrong:
            bad += 1
            print(f"{path.stem}: {wrong}")
    print(f"{name}: {len(paths)} models, bad={bad}", flush=True)
    return int(bad > 0 or not paths)


def check(folder):
    import onnx
    return each(folder, f"onnx {onnx.__version__}", lambda path: onnx.checker.check_model(onnx.load(path), full_check=True))


def run(folder):
    import numpy
    import onnxruntime
    onnxruntime.set_default_logger_severity(3)

    def difference(found, wanted):
        if found.shape != wanted.shape or found.dtype != wanted.dtype:
            return float("inf")
        if found.dtype.kind in "ib":
            return 0.0 if (found == wanted).all() else float("inf")
        return float(numpy.abs(found - wanted).max(initial=0)) / max(1.0, float(numpy.abs(wanted).max(initial=0)))

    def judge(path):
        arrays = {kind: {file.name.split(".")[2]: numpy.load(file) for file in path.parent.glob(f"{path.stem}.{kind}.*.npy")}
                  for kind in ("in", "out")}
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        names = [output.name for output in session.get_outputs()]
        if sorted(names) != sorted(arrays["out"]) or not names:
            return f"its outputs are {names}"
        found = dict(zip(names, session.run(names, arrays["in"])))
        differences = {name: difference(found[name], arrays["out"][name]) for name in names}
        print(f"{path.stem:20} {max(differences.values()):.1e}")
        far = [f"{name} {by:.2g}" for name, by in differences.items() if not by <= BOUND]
        return f"differs: {', '.join(far)}" if far else None

    return each(folder, f"onnxruntime {onnxruntime.__version__}", judge)


def main(what, argument=None):
    if argument is None:
        return run_elsewhere(what)
    try:
        return {"--check": check, "--run": run}[what](argument)
    except ImportError as error:
        print(f"onnxruntime: skipped: {error} (python3-onnx, python3-onnxruntime; or name a Python by HEED_ONNX_PYTHON)")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
