#!/usr/bin/env python3
"""Writes idx_reference.h: IDX files by NumPy's big-endian types and Python's gzip, for tests/io/test_idx.c.

    /usr/bin/python3 tests/reference/idx_reference.py | clang-format > tests/reference/idx_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import gzip
import struct
import zlib

import numpy

TYPES = {"u1": 0x08, "i1": 0x09, "i2": 0x0B, "i4": 0x0C, "f4": 0x0D, "f8": 0x0E}
MEBIBYTE = 1 << 20


def idx(kind, values):
    array = numpy.array(values, dtype=">" + kind)
    header = struct.pack(">BBBB", 0, 0, TYPES[kind], array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return header + array.tobytes(), array


def decorated(content):
    """A member with all header fields that RFC 1952 allows: an extra field, a name, a comment, a checksum."""
    header = b"\x1f\x8b\x08" + bytes([2 | 4 | 8 | 16]) + struct.pack("<IBB", 12345, 0, 3)
    header += struct.pack("<H", 6) + b"he\x02\x00ed" + b"name.idx\0" + b"a comment\0"
    header += struct.pack("<H", zlib.crc32(header) & 0xFFFF)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = deflate.compress(content) + deflate.flush()
    return header + body + struct.pack("<II", zlib.crc32(content), len(content))


def put_bytes(name, content):
    print(f"static const uint8_t idx_{name}[] = {{{', '.join(f'0x{b:02x}' for b in content)}}};\n")


def number(value):
    if numpy.isnan(value):
        return "(double)NAN"
    if numpy.isinf(value):
        return "-HUGE_VAL" if value < 0 else "HUGE_VAL"
    return float(value).hex()


def main():
    print("/* tests/reference/idx_reference.h - written by idx_reference.py. */")
    print("#ifndef IDX_REFERENCE_H\n#define IDX_REFERENCE_H\n\n#include <math.h>\n#include <heed/tensor.h>\n")
    plain = {
        "u8": idx("u1", [[0, 1, 2], [127, 128, 255]]),
        "i8": idx("i1", [[-128, -1, 0], [1, 5, 127]]),
        "i16": idx("i2", [-32768, -2, 258, 32767]),
        "i32": idx("i4", [[-2147483648], [16909060], [2147483647]]),
        "f32": idx("f4", [[1.5, -0.0], [numpy.inf, numpy.nan], [1e-45, -3.4028235e38]]),
        "f64": idx("f8", [0.1, -1e300, 5e-324, -numpy.inf]),
        "scalar": idx("i2", -300),
        "empty": idx("u1", numpy.zeros((0, 28, 28))),
        "rank8": idx("u1", numpy.arange(4).reshape(1, 2, 1, 1, 1, 1, 1, 2)),
    }
    for name, (content, _) in plain.items():
        put_bytes(name, content)
    print("/* The same values as doubles. */")
    print("static const struct idx_case {\n    const char *name;\n    const uint8_t *bytes;\n    size_t size;\n"
          "    heed_shape shape;\n    double values[8];\n} idx_cases[] = {")
    for name, (content, array) in plain.items():
        values = ", ".join(map(number, array.astype(float).ravel())) or "0"
        dims = ", ".join(map(str, array.shape)) or "0"
        print(f'    {{"{name}", idx_{name}, {len(content)}, {{{array.ndim}, {{{dims}}}}}, {{{values}}}}},')
    print("};\n\n/* idx_u8, compressed: fast, as stored blocks, with a full header, as several members (one of them empty). */")
    u8 = plain["u8"][0]
    put_bytes("gzip", gzip.compress(u8, 6, mtime=0))
    put_bytes("gzip_stored", gzip.compress(u8, 0, mtime=0))
    put_bytes("gzip_decorated", decorated(u8))
    put_bytes("gzip_members", b"".join(gzip.compress(p, 9, mtime=0) for p in (u8[:3], b"", u8[3:13], u8[13:])))
    print("/* One byte of content missing, one additional byte, data after the stream, and an additional mebibyte. */")
    put_bytes("gzip_short", gzip.compress(u8[:-1], 9, mtime=0))
    put_bytes("gzip_long", gzip.compress(u8 + b"\0", 9, mtime=0))
    put_bytes("gzip_behind", gzip.compress(u8, 9, mtime=0) + b"xy")
    put_bytes("gzip_bomb", gzip.compress(u8 + bytes(MEBIBYTE), 9, mtime=0))
    print("/* (1024, 1024) zeros, and a file whose header claims (512, 1024, 1024) but whose content is shorter. */")
    put_bytes("gzip_zeros", gzip.compress(idx("u1", numpy.zeros((1024, 1024)))[0], 9, mtime=0))
    put_bytes("gzip_claim", gzip.compress(struct.pack(">IIII", 0x803, 512, 1024, 1024) + bytes(9), 9, mtime=0))
    print("#endif")


if __name__ == "__main__":
    main()
