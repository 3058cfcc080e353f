#!/usr/bin/env python3
"""NumPy reads what heed writes: .npy and .npz by itself, .safetensors by the format's few lines; Python's csv module .csv.

    tests/interop/interop.py INTEROP

Exit code: 0 when all is equal, 1 when it is not, 77 without NumPy.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import csv
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

try:
    import numpy
except ImportError:
    # Debian's packages belong to Debian's Python, which need not be the first one.
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("interop: skipped: there is no NumPy (python3-numpy)")
    sys.exit(77)

SHAPES = [(), (1,), (5,), (0, 3), (3, 4), (2, 3, 4), (300, 70), (1, 2, 1, 2, 1, 2, 1, 2)]
ODD = "größe \"\\\t/\U0001F600"
TYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "BOOL": "?"}


def expected(dtype, shape):
    i = numpy.arange(int(numpy.prod(shape)))
    values = {"i64": i - 3, "bool": i % 3 == 0}.get(dtype, i / 4 - 1)
    return values.astype({"f32": "f4", "f64": "f8", "i64": "i8", "bool": "?"}[dtype]).reshape(shape)


def all_expected():
    tensors = {f"{d}.{i}": expected(d, shape) for d in ("f32", "f64", "i64", "bool") for i, shape in enumerate(SHAPES)}
    return tensors | {"view.f32": expected("f32", (3, 4)).T, ODD: expected("f32", (2,))}


def read_safetensors(path):
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header, data = json.loads(content[8:8 + size]), content[8 + size:]
    assert size % 8 == 0, size
    texts, tensors, used = header.pop("__metadata__"), {}, 0
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        dtype = numpy.dtype(TYPES[entry["dtype"]])
        assert begin % dtype.itemsize == 0, name
        tensors[name] = numpy.frombuffer(data[begin:end], dtype).reshape(entry["shape"])
        used += end - begin
    assert used == len(data), (used, len(data))
    return texts, tensors


def compare(where, tensors, expected):
    assert list(tensors) == list(expected), (where, list(tensors))
    for name, array in expected.items():
        got = tensors[name]
        assert got.dtype == array.dtype and got.shape == array.shape, (where, name, got.dtype, got.shape)
        assert numpy.array_equal(got, array), (where, name)


def check_table(folder, name, separator, decimal):
    """Every number has the same bits as in .npy; texts and names are as they were."""
    f64, f32, codes = (numpy.load(folder / f"{n}.npy") for n in ("f64", "f32", "codes"))
    texts = sorted(["plain", "a, b", 'say "no"', "two\r\nlines"], key=str.encode)
    with open(folder / name, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file, delimiter=separator, strict=True)
    assert header == ["a", 'b;"c"', "größe", "text"], header
    assert len(rows) == len(codes), len(rows)
    numbers = numpy.array([[float(field.replace(decimal, ".")) for field in row[:3]] for row in rows])
    assert numpy.array_equal(numbers[:, :2], f64, equal_nan=True) and numpy.isnan(f64[0, 0]), name
    assert numpy.array_equal(numbers[:, 2].astype("f4"), f32[:, 0]), name
    assert [row[3] for row in rows] == [texts[c] if c >= 0 else "NaN" for c in codes], name


def main():
    with tempfile.TemporaryDirectory(prefix="heed-interop-") as scratch:
        folder = Path(scratch)
        subprocess.run([sys.argv[1], scratch], check=True)
        arrays = all_expected()
        compare("npy", {name: numpy.load(folder / f"{i}.npy") for i, name in enumerate(arrays)}, arrays)
        for name in ("stored.npz", "deflated.npz"):
            with zipfile.ZipFile(folder / name) as archive:
                assert archive.testzip() is None, name
            with numpy.load(folder / name) as archive:
                compare(name, {k: archive[k] for k in archive.files}, arrays)
        texts, tensors = read_safetensors(folder / "a.safetensors")
        compare("safetensors", tensors, arrays)
        check_table(folder, "point.csv", ",", ".")
        check_table(folder, "comma.csv", ";", ",")
        assert texts == {"format": "pt", "größe \"\\\t": "\x01\x1f\x7f\U0001F600"}, texts
    print(f"interop: {len(arrays)} tensors, in four formats, and two tables: equal")


if __name__ == "__main__":
    main()
