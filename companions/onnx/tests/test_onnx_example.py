#!/usr/bin/env python3
"""onnx/tests/test_onnx_example.py - examples/mlp.c trains, onnx/examples/export_mlp.c writes the network as an ONNX file,
and onnx/examples/run_mlp.py runs it.

    onnx/tests/test_onnx_example.py MLP EXPORT_MLP

Exit code: 0 if onnxruntime computes the probabilities of heed, 1 if not, 77 if onnxruntime is missing. The file is
written in any case.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import subprocess
import sys
import tempfile
from pathlib import Path

mlp, export_mlp = map(os.path.abspath, sys.argv[1:])
examples = Path(__file__).resolve().parent.parent / "examples"
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([mlp], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run([export_mlp, "mlp.safetensors", "."], cwd=folder, check=True, capture_output=True, text=True).stdout
    assert said == "wrote ./mlp.onnx\n", said
    assert (Path(folder) / "mlp.onnx").stat().st_size > 4 * (2 * 64 + 64 * 64 + 64 * 2), "the weights are in the file"
    python = os.environ.get("HEED_ONNX_PYTHON", sys.executable).split()
    sys.exit(subprocess.run([*python, examples / "run_mlp.py", folder], check=False).returncode)
