#!/usr/bin/env python3
"""Writes gguf_reference.h: .gguf files made by struct and NumPy as in https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.

    /usr/bin/python3 tests/reference/gguf_reference.py | clang-format > tests/reference/gguf_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import struct

import numpy

from files_reference import HALVES, put_bytes, put_file, put_table

VALUES = {"u8": (0, "<B"), "i8": (1, "<b"), "u16": (2, "<H"), "i16": (3, "<h"), "u32": (4, "<I"), "i32": (5, "<i"),
          "f32": (6, "<f"), "bool": (7, "<?"), "u64": (10, "<Q"), "i64": (11, "<q"), "f64": (12, "<d")}
TENSORS = {"F32": 0, "F16": 1, "Q8_0": 8, "I8": 24, "I16": 25, "I32": 26, "I64": 27, "F64": 28, "BF16": 30}
DTYPES = {"F64": "HEED_F64", "I8": "HEED_I64", "I16": "HEED_I64", "I32": "HEED_I64", "I64": "HEED_I64"}


def string(text):
    content = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(content)) + content


def value(kind, content):
    """Returns the number of a value's type and its bytes. For an array, content is the kind and contents of its elements."""
    if kind == "string":
        return 8, string(content)
    if kind == "array":
        inner, contents = content
        elements = [value(inner, c) for c in contents]
        number = elements[0][0] if elements else VALUES[inner][0]
        return 9, struct.pack("<IQ", number, len(elements)) + b"".join(bytes_of for _, bytes_of in elements)
    number, layout = VALUES[kind]
    return number, struct.pack(layout, content)


def pad(content, alignment):
    return content + bytes(-len(content) % alignment)


def elements(kind, array):
    """An array's bytes in the file, and the values that they encode."""
    if kind == "Q8_0":
        blocks = array.astype("<f4").reshape(-1, 32)
        scales = (numpy.abs(blocks).max(axis=1) / 127).astype("<f2")
        inverse = numpy.divide(1, scales, out=numpy.zeros(len(scales), "<f4"), where=scales != 0, dtype="<f4")
        numbers = numpy.rint(blocks * inverse[:, None]).clip(-128, 127).astype("i1")
        content = b"".join(s.tobytes() + n.tobytes() for s, n in zip(scales, numbers))
        return content, (scales.astype("f4")[:, None] * numbers.astype("f4")).reshape(array.shape)
    if kind == "BF16":
        top = array.astype("<f4").view("<u4") >> 16
        return top.astype("<u2").tobytes(), (top << 16).astype("<u4").view("<f4").reshape(array.shape)
    array = array.astype({"F": "<f", "I": "<i"}[kind[0]] + str(int(kind[1:]) // 8))
    return array.tobytes(), array


def gguf(keys, tensors, version=3, alignment=32, padded=True):
    """keys: (key, kind, content); tensors: (name, type, array). Returns the file, and heed's results for its tensors."""
    header = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(keys))
    for key, kind, content in keys:
        number, bytes_of = value(kind, content)
        header += string(key) + struct.pack("<I", number) + bytes_of
    data, expected = b"", []
    for name, kind, array in tensors:
        array = numpy.asarray(array)
        content, means = elements(kind, array)
        dims = array.shape[::-1]  # the fastest axis first
        header += string(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, TENSORS[kind], len(data))
        data = pad(data + content, alignment)
        expected.append((name, DTYPES.get(kind, "HEED_F32"), means))
    last = len(data) if padded or not tensors else len(data) - (-len(content) % alignment)
    return pad(header, alignment) + data[:last] if tensors else header, expected


def keys_of_every_kind():
    return [("general.architecture", "string", "llama"), ("general.name", "string", "ä \u20ac \U0001F600\n"),
            ("a.empty", "string", ""), ("a.u8", "u8", 255), ("a.i8", "i8", -128), ("a.u16", "u16", 65535),
            ("a.i16", "i16", -2), ("a.u32", "u32", 2**32 - 1), ("a.i32", "i32", -(2**31)), ("a.f32", "f32", 1e-5),
            ("a.yes", "bool", True), ("a.no", "bool", False), ("a.u64", "u64", 2**64 - 1), ("a.i64", "i64", -(2**63)),
            ("a.f64", "f64", 0.1), ("a.inf", "f32", float("-inf")), ("a.nan", "f64", float("nan")),
            ("a.tokens", "array", ("string", ["<s>", "", b"\xff\x00"])), ("a.scores", "array", ("f32", [0.5, 1])),
            ("a.none", "array", ("u64", [])),
            ("a.nested", "array", ("array", [("i16", [1, 2, 3]), ("string", ["x"]), ("array", [("u8", [7])])]))]


def files():
    a = numpy.array([[1.5, -0.0, numpy.inf], [numpy.nan, 1e-45, -3.4028235e38]], "<f4")
    ramp = numpy.arange(24).reshape(2, 3, 4)
    return {
        "gguf_floats": gguf([("general.architecture", "string", "none")],
                            [("a", "F32", a), ("blk.0.half", "F16", HALVES), ("brain", "BF16", [1, -2.5, 0, numpy.inf]),
                             ("double", "F64", [[0.1, -1e300, 5e-324], [2, 3, 4]])]),
        "gguf_integers": gguf([], [("i8", "I8", [-128, 127]), ("i16", "I16", [[-300], [2]]),
                                   ("i32", "I32", ramp), ("i64", "I64", [2**53, -1])], version=2),
        "gguf_blocks": gguf([], [("zero", "Q8_0", numpy.zeros((0, 32))), ("a/ä", "F32", [7])]),
        "gguf_keys": gguf(keys_of_every_kind(), [("x", "F32", [2.5])]),
        "gguf_aligned": gguf([("general.alignment", "u32", 8)], [("i8", "I8", [1, 2, 3]), ("f", "F32", 4),
                                                                 ("rank8", "F64", ramp[0, 0].reshape(1, 2, 1, 1, 1, 1, 1, 2))],
                             alignment=8, padded=False),
        "gguf_wide": gguf([("general.alignment", "u32", 256)], [("a", "F32", a), ("b", "I8", [5])], alignment=256, padded=False),
        "gguf_empty": gguf([], []),
        "gguf_only_keys": gguf([("a", "string", "b")], []),
    }


def put_blocks():
    """Writes Q8_0 tensors with more elements than a table of expected values: a matrix, and a copy of its last row."""
    array = numpy.sin(numpy.arange(128.0).reshape(2, 64)) * numpy.array([[1], [300]])
    array[0, 32:] *= 1e-3  # a scale that is subnormal in f16
    content, expected = gguf([], [("w", "Q8_0", array)])
    put_bytes("gguf_matrix_bytes", content)
    put_bytes("gguf_flat_bytes", gguf([], [("w", "Q8_0", array[1])])[0])
    print("/* The values of the matrix (2, 64). */")
    print(f"static const double gguf_matrix_values[] = {{{', '.join(float(v).hex() for v in expected[0][2].ravel())}}};\n")


def main():
    print("/* tests/reference/gguf_reference.h - written by gguf_reference.py; include tests/io/files.h before. */")
    print("#ifndef GGUF_REFERENCE_H\n#define GGUF_REFERENCE_H\n")
    table = files()
    for name, (content, tensors) in table.items():
        put_file(name, content, tensors or [("", "HEED_F32", numpy.zeros(0))])
    put_table("gguf_files", table)
    put_blocks()
    print("#endif")


if __name__ == "__main__":
    main()
