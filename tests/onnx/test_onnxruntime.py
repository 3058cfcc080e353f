#!/usr/bin/env python3
"""tests/onnx/test_onnxruntime.py - onnx's checker takes every model that tests/onnx/models.c writes, and onnxruntime computes
what heed has computed.

    tests/onnx/test_onnxruntime.py MODELS        runs the program MODELS, and reads what it has written
    tests/onnx/test_onnxruntime.py --read FOLDER

Needs python3-onnx and python3-onnxruntime, of this Python or of $HEED_ONNX_PYTHON, a command that is called with the arguments of
the second form. Exit code: 0 when all agrees, 1 when not, 77 when there are none of them.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
BOUND = 1e-5  # of the largest number of an output, or of 1


def run_elsewhere(models):
    command = os.environ.get("HEED_ONNX_PYTHON", sys.executable).split()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([models, folder], check=True)
        return subprocess.run([*command, __file__, "--read", folder], check=False).returncode


def worst_of(path, onnx, onnxruntime, numpy):
    """The largest difference of an output from what heed has, over BOUND's measure; infinite where they are not alike."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    arrays = {kind: {file.name.split(".")[2]: numpy.load(file) for file in path.parent.glob(f"{path.stem}.{kind}.*.npy")}
              for kind in ("in", "out")}
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    assert sorted(names) == sorted(arrays["out"]) and names, f"{path.stem}: outputs {names}"
    worst = 0.0
    for name, found in zip(names, session.run(names, arrays["in"])):
        wanted = arrays["out"][name]
        if found.shape != wanted.shape or found.dtype != wanted.dtype:
            print(f"{path.stem}: {name} is {found.dtype} {found.shape}, not {wanted.dtype} {wanted.shape}")
            return float("inf")
        if found.dtype.kind in "ib":
            wrong = 0.0 if (found == wanted).all() else float("inf")
        else:
            wrong = float(numpy.abs(found - wanted).max()) / max(1.0, float(numpy.abs(wanted).max()))
        if not wrong <= BOUND:
            print(f"{path.stem}: {name} differs by {wrong:.2g}")
        worst = wrong if not wrong <= worst else worst
    return worst


def read(folder):
    try:
        import numpy
        import onnx
        import onnxruntime
    except ImportError as error:
        print(f"onnxruntime: skipped: {error} (python3-onnx, python3-onnxruntime; or name a Python by HEED_ONNX_PYTHON)")
        return SKIPPED
    onnxruntime.set_default_logger_severity(3)
    paths, bad = sorted(Path(folder).glob("*.onnx")), 0
    for path in paths:
        try:
            worst = worst_of(path, onnx, onnxruntime, numpy)
        except Exception as error:  # of either library, of kinds of its own
            print(f"{path.stem}: {error}")
            worst = float("inf")
        bad += not worst <= BOUND
        print(f"{path.stem:20} {worst:.1e}")
    print(f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}: {len(paths)} models, bad={bad}")
    return int(bad > 0 or not paths)


if __name__ == "__main__":
    sys.exit(read(sys.argv[2]) if sys.argv[1] == "--read" else run_elsewhere(sys.argv[1]))
