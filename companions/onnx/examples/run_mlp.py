#!/usr/bin/env python3
"""onnx/examples/run_mlp.py - runs the network of export_mlp.c by onnxruntime.

    run_mlp.py FOLDER    FOLDER contains mlp.onnx, inputs.npy and outputs.npy

Exit code: 0 if onnxruntime computes heed's probabilities, 1 if not, 77 if onnxruntime or NumPy is missing.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import sys

try:
    import numpy
    import onnxruntime
except ImportError as error:
    print(error)
    sys.exit(77)

folder = sys.argv[1]
x, expected = numpy.load(f"{folder}/inputs.npy"), numpy.load(f"{folder}/outputs.npy")
session = onnxruntime.InferenceSession(f"{folder}/mlp.onnx", providers=["CPUExecutionProvider"])
p, = session.run(["p"], {"x": x})
largest = abs(p - expected).max()
print(f"onnxruntime {onnxruntime.__version__}: {len(x)} points, largest difference from heed {largest:.1e}")
one, = session.run(["p"], {"x": x[:1]})  # the first axis of the input may have any size
sys.exit(int(largest > 1e-6 or abs(one - expected[:1]).max() > 1e-6))
