#!/usr/bin/env python3
"""Writes npy_reference.h, npz_reference.h, mixed_reference.h and safetensors_reference.h: .npy and .npz files made by
NumPy, an .npz with other members, and .safetensors files made by struct and json.

    for f in npy npz mixed safetensors; do
        /usr/bin/python3 tests/reference/files_reference.py $f | clang-format > tests/reference/${f}_reference.h
    done
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import io
import json
import struct
import sys
import warnings
import zipfile

import numpy

warnings.simplefilter("ignore")  # NumPy warns that versions 2 and 3 need newer readers

HALVES = [0.0, -0.0, 1.0, -2.5, 65504.0, 2.0**-24, numpy.inf, numpy.nan]


def npy(array, version=None):
    out = io.BytesIO()
    numpy.lib.format.write_array(out, array, version=version)
    return out.getvalue()


def by_hand(header, elements, version=1):
    size = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + size + header.encode() + elements


def npz(save, **arrays):
    out = io.BytesIO()
    save(out, **arrays)
    return out.getvalue()


def with_comment(archive, comment):
    out = io.BytesIO(archive)
    with zipfile.ZipFile(out, "a") as z:
        z.comment = comment
    return out.getvalue()


def streamed(**arrays):
    """A zip file made without seeking: sizes are in data descriptors after the members."""
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

        def seek(self, *_):
            raise io.UnsupportedOperation

        def tell(self):
            raise io.UnsupportedOperation
    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, array in arrays.items():
            z.writestr(zipfile.ZipInfo(name + ".npy"), npy(array), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def safetensors(header, data, pad=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text + pad)) + text + pad + data


def entry(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def put_bytes(name, content):
    print(f"static const uint8_t {name}[] = {{{', '.join(map(str, content))}}};\n")


def number(value):
    if numpy.isnan(value):
        return "(double)NAN"
    if numpy.isinf(value):
        return "-HUGE_VAL" if value < 0 else "HUGE_VAL"
    return float(value).hex()


def put_file(name, content, tensors):
    """tensors: (name, dtype in heed, array of values)."""
    put_bytes(f"{name}_bytes", content)
    print(f"static const struct expected {name}_tensors[] = {{")
    for tensor, dtype, array in tensors:
        array = numpy.asarray(array)
        values = ", ".join(map(number, array.astype(float).ravel())) or "0"
        dims = ", ".join(map(str, array.shape)) or "0"
        print(f'    {{{json.dumps(tensor, ensure_ascii=False)}, {dtype}, {{{array.ndim}, {{{dims}}}}}, {{{values}}}}},')
    print("};\n")


def put_table(name, files):
    print(f"static const struct reference {name}[] = {{")
    for file, (_, tensors) in files.items():
        print(f'    {{"{file}", {file}_bytes, sizeof {file}_bytes, {file}_tensors, {len(tensors)}}},')
    print("};\n")


def npy_files():
    a = numpy.array([[1.5, -0.0, numpy.inf], [numpy.nan, 1e-45, -3.4028235e38]])
    b = numpy.array([[0.1, -1e300, 5e-324], [2, 3, 4]])
    i = numpy.array([[-(2**53), 7], [2**53, -1]])
    f3 = numpy.arange(24).reshape(2, 3, 4)
    arrays = {
        "npy_f32": (npy(a.astype("<f4")), "HEED_F32", a.astype("f4")),
        "npy_f32_big": (npy(a.astype(">f4")), "HEED_F32", a.astype("f4")),
        "npy_f64": (npy(b), "HEED_F64", b),
        "npy_f64_fortran": (npy(numpy.asfortranarray(b)), "HEED_F64", b),
        "npy_f64_big_fortran": (npy(numpy.asfortranarray(b.astype(">f8"))), "HEED_F64", b),
        "npy_f16": (npy(numpy.array(HALVES, "<f2")), "HEED_F32", numpy.array(HALVES)),
        "npy_i64": (npy(i.astype("<i8")), "HEED_I64", i),
        "npy_i64_big": (npy(i.astype(">i8")), "HEED_I64", i),
        "npy_i32": (npy(numpy.array([-(2**31), 5, 2**31 - 1], "<i4")), "HEED_I64", numpy.array([-(2**31), 5, 2**31 - 1])),
        "npy_i16_big": (npy(numpy.array([-(2**15), 258], ">i2")), "HEED_I64", numpy.array([-(2**15), 258])),
        "npy_i8": (npy(numpy.array([-128, -1, 127], "i1")), "HEED_I64", numpy.array([-128, -1, 127])),
        "npy_u8": (npy(numpy.array([0, 127, 255], "u1")), "HEED_I64", numpy.array([0, 127, 255])),
        "npy_u32_big": (npy(numpy.array([1, 2**32 - 1], ">u4")), "HEED_I64", numpy.array([1, 2**32 - 1])),
        "npy_bool": (npy(numpy.array([[True, False, True]])), "HEED_BOOL", numpy.array([[1, 0, 1]])),
        "npy_scalar": (npy(numpy.array(2.5)), "HEED_F64", numpy.array(2.5)),
        "npy_empty": (npy(numpy.zeros((0, 3), "f4")), "HEED_F32", numpy.zeros((0, 3))),
        "npy_empty_fortran": (npy(numpy.zeros((2, 0, 3), order="F")), "HEED_F64", numpy.zeros((2, 0, 3))),
        "npy_rank8": (npy(numpy.arange(4.0).reshape(1, 2, 1, 1, 1, 1, 1, 2)), "HEED_F64",
                      numpy.arange(4).reshape(1, 2, 1, 1, 1, 1, 1, 2)),
        "npy_rank3_fortran": (npy(numpy.asfortranarray(f3.astype("<i4"))), "HEED_I64", f3),
        "npy_version2": (npy(b, (2, 0)), "HEED_F64", b),
        "npy_version3": (npy(b, (3, 0)), "HEED_F64", b),
        "npy_other_words": (by_hand('{"shape":(2L,),"fortran_order":True , "descr" : "<i2"}', b"\x01\x00\xff\xff"),
                            "HEED_I64", numpy.array([1, -1])),
    }
    return {name: (content, [("", dtype, array)]) for name, (content, dtype, array) in arrays.items()}


def npz_files():
    w = numpy.arange(6, dtype="f4").reshape(2, 3)
    arrays = {"layer.weight": w, "mask": numpy.array([True, False]), "n": numpy.array(3), "größe/ä": w[:0]}
    expected = [("layer.weight", "HEED_F32", w), ("mask", "HEED_BOOL", numpy.array([1, 0])),
                ("n", "HEED_I64", numpy.array(3)), ("größe/ä", "HEED_F32", w[:0])]
    stored = npz(numpy.savez, **arrays)
    return {
        "npz_stored": (stored, expected),
        "npz_deflated": (npz(numpy.savez_compressed, **arrays), expected),
        "npz_comment": (with_comment(stored, b"PK\x05\x06 and other words"), expected),
        "npz_streamed": (streamed(**arrays), expected),
        "npz_empty": (npz(numpy.savez), []),
    }


def mixed_files():
    """An archive with members that cannot be read, and the tensors that can."""
    x, y = numpy.array([1.5, -2.0], "<f4"), numpy.array([[3], [4]], "<i8")
    objects = io.BytesIO()
    numpy.lib.format.write_array(objects, numpy.array([None]), allow_pickle=True)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(zipfile.ZipInfo("readme.txt"), "two arrays")
        z.writestr(zipfile.ZipInfo("folder/"), b"")
        z.writestr(zipfile.ZipInfo("objects.npy"), objects.getvalue())
        z.writestr(zipfile.ZipInfo("texts.npy"), npy(numpy.array(["a", "b"], "<U1")))
        z.writestr(zipfile.ZipInfo("packed.npy"), npy(y), zipfile.ZIP_BZIP2)
        z.writestr(zipfile.ZipInfo("x.npy"), npy(x))
        z.writestr(zipfile.ZipInfo("folder/y.npy"), npy(y), zipfile.ZIP_DEFLATED)
    return {"mixed_members": (out.getvalue(), [("x", "HEED_F32", x), ("folder/y", "HEED_I64", y)])}


def safetensors_files():
    f4 = numpy.array([[1, -2, 3], [numpy.inf, 0, 1e-45]], "<f4")
    f8 = numpy.array([0.1, 5e-324], "<f8")
    i8 = numpy.array([[-(2**53)], [7]], "<i8")
    halves = numpy.array(HALVES, "<f2")
    bfloats = numpy.array([1.0, -2.5, 0.0, numpy.inf], "<f4")
    flags = numpy.array([True, False, True])
    both = safetensors({"__metadata__": {"format": "pt", "who": "ä\"\\\n\t\u20ac\U0001F600"},
                        "b": entry("F64", [2], 24, 40), "a": entry("F32", [2, 3], 0, 24)},
                       f4.tobytes() + f8.tobytes(), b"   ")
    small = [("i8", "I8", numpy.array([-128, 127], "<i1")), ("i16", "I16", numpy.array([-300], "<i2")),
             ("i32", "I32", numpy.array([2**31 - 1], "<i4")), ("u8", "U8", numpy.array([255, 0], "<u1")),
             ("u16", "U16", numpy.array([65535], "<u2")), ("u32", "U32", numpy.array([2**32 - 1], "<u4")),
             ("i64", "I64", i8), ("bool", "BOOL", flags), ("f16", "F16", halves)]
    header, data, expected = {}, b"", []
    for name, dtype, array in small:
        header[name] = entry(dtype, list(array.shape), len(data), len(data) + array.nbytes)
        data += array.tobytes()
        expected.append((name, {"BOOL": "HEED_BOOL", "F16": "HEED_F32"}.get(dtype, "HEED_I64"), array))
    header["bf16"] = entry("BF16", [4], len(data), len(data) + 8)
    data += b"".join(bfloats.tobytes()[4 * i + 2:4 * i + 4] for i in range(4))
    expected.append(("bf16", "HEED_F32", bfloats))
    odd = {"scalar": entry("F32", [], 0, 4), "empty": entry("F64", [0, 5], 4, 4)}
    return {
        "st_both": (both, [("b", "HEED_F64", f8), ("a", "HEED_F32", f4)]),
        "st_types": (safetensors(header, data), expected),
        "st_odd": (safetensors(odd, struct.pack("<f", 2.5)),
                   [("scalar", "HEED_F32", numpy.array(2.5)), ("empty", "HEED_F64", numpy.zeros((0, 5)))]),
        "st_spaces": (safetensors(b'{ "\\u00e4\\ud83d\\ude00\\/" :\r\n\t{"shape":[1] ,"dtype":"I8",\n"data_offsets":[0,1]} }',
                                  b"\x07", b" \n"), [("ä😀/", "HEED_I64", numpy.array([7]))]),
        "st_empty": (safetensors({}, b""), []),
        "st_only_texts": (safetensors({"__metadata__": {"a": ""}}, b""), []),
    }


def main():
    tables = {"npy": npy_files, "npz": npz_files, "mixed": mixed_files, "safetensors": safetensors_files}
    if len(sys.argv) != 2 or sys.argv[1] not in tables:
        sys.exit(f"usage: files_reference.py {'|'.join(tables)}")
    name = sys.argv[1]
    guard = f"{name.upper()}_REFERENCE_H"
    print(f"/* tests/reference/{name}_reference.h - written by files_reference.py; include tests/io/files.h before. */")
    print(f"#ifndef {guard}\n#define {guard}\n")
    files = tables[name]()
    for file, (content, tensors) in files.items():
        put_file(file, content, tensors or [("", "HEED_F32", numpy.zeros(0))])
    put_table(name + "_files", files)
    print("#endif")


if __name__ == "__main__":
    main()
