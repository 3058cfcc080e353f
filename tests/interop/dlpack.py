#!/usr/bin/env python3
"""NumPy, and PyTorch where it is installed, take heed's tensors and give theirs, by DLPack: without a copy, what is written on
one side shows on the other, and memory goes back once.

    tests/interop/dlpack.py LIBHEED.SO

Exit code: 0 when all holds, 1 when not, 77 without NumPy.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import os
import sys
import threading
import unittest
import weakref
from ctypes import c_char_p, c_int, c_int64, c_void_p

try:
    import numpy
except ImportError:
    # Debian's packages belong to Debian's Python, which need not be the first one.
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("dlpack: skipped: there is no NumPy (python3-numpy)")
    sys.exit(77)
try:
    import torch
    import torch.utils.dlpack
except ImportError:
    torch = None

DTYPES = {"f4": 0, "f8": 1, "i8": 2, "?": 3}
UNSUPPORTED, DTYPE = 7, 3


class Shape(ctypes.Structure):
    _fields_ = [("rank", c_int), ("dims", c_int64 * 8)]


class Managed(ctypes.Structure):
    """DLManagedTensor, of which the tests look at the deleter only."""
    _fields_ = [("tensor", ctypes.c_char * 48), ("manager", c_void_p), ("deleter", ctypes.CFUNCTYPE(None, c_void_p))]


def functions(library, **signatures):
    for name, (result, *arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


C = functions(ctypes.CDLL(sys.argv.pop(1)), heed_to_dlpack=(c_void_p, c_void_p), heed_from_dlpack=(c_void_p, c_void_p),
              heed_from_array=(c_void_p, c_int, Shape, c_void_p, c_int64), heed_fill_=(c_int, c_void_p, ctypes.c_double),
              heed_transpose=(c_void_p, c_void_p, c_int, c_int), heed_contiguous=(c_void_p, c_void_p),
              heed_expand=(c_void_p, c_void_p, Shape), heed_shape_of=(Shape, c_void_p), heed_dtype_of=(c_int, c_void_p),
              heed_data_bytes=(c_void_p, c_void_p), heed_retain=(c_void_p, c_void_p), heed_release=(None, c_void_p),
              heed_scope_begin=(c_void_p,), heed_scope_end=(c_int, c_void_p), heed_error_code=(c_int,),
              heed_error_message=(c_char_p,), heed_error_clear=(None,))
PYTHON = functions(ctypes.pythonapi, PyCapsule_New=(ctypes.py_object, c_void_p, c_char_p, c_void_p),
                   PyCapsule_IsValid=(c_int, ctypes.py_object, c_char_p),
                   PyCapsule_GetPointer=(c_void_p, ctypes.py_object, c_char_p),
                   PyCapsule_SetName=(c_int, ctypes.py_object, c_char_p))
FRESH, USED = b"dltensor", b"used_dltensor"  # capsules point to them


def delete(managed):
    Managed.from_address(managed).deleter(managed)


class Exporter:
    """A tensor of heed's as what from_dlpack takes."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **_):
        return PYTHON.PyCapsule_New(C.heed_to_dlpack(self.tensor), FRESH, None)


def shape_of(*dims):
    return Shape(len(dims), (c_int64 * 8)(*dims))


def tensor_of(array):
    """A copy, by heed."""
    array = numpy.ascontiguousarray(array).reshape(numpy.shape(array))
    kind = next(DTYPES[k] for k in DTYPES if array.dtype == numpy.dtype(k))
    return C.heed_from_array(kind, shape_of(*array.shape), array.ctypes.data, array.size)


def take(capsule):
    """Capsule to tensor: who takes it says so by its name. None when heed refuses."""
    assert PYTHON.PyCapsule_IsValid(capsule, FRESH)
    tensor = C.heed_from_dlpack(PYTHON.PyCapsule_GetPointer(capsule, FRESH))
    if tensor:
        PYTHON.PyCapsule_SetName(capsule, USED)
    return tensor


def numbers(tensor):
    """What heed has in it, copied."""
    flat, shape, dtype = C.heed_contiguous(tensor), C.heed_shape_of(tensor), C.heed_dtype_of(tensor)
    dims, kind = shape.dims[:shape.rank], numpy.dtype(next(k for k in DTYPES if DTYPES[k] == dtype))
    size = int(numpy.prod(dims)) * kind.itemsize
    return numpy.frombuffer(ctypes.string_at(C.heed_data_bytes(flat), size), kind).reshape(dims)


class Test(unittest.TestCase):
    def setUp(self):
        self.scope = C.heed_scope_begin()

    def tearDown(self):
        self.assertEqual((C.heed_error_code(), C.heed_error_message()), (0, b""))
        C.heed_scope_end(self.scope)

    def next_scope(self):
        C.heed_scope_end(self.scope)
        self.scope = C.heed_scope_begin()

    def refused(self, capsule, code, text):
        self.assertIsNone(take(capsule))
        self.assertEqual(C.heed_error_code(), code)
        self.assertIn(text, C.heed_error_message().decode())
        C.heed_error_clear()
        self.assertTrue(PYTHON.PyCapsule_IsValid(capsule, FRESH))  # it is still its maker's


ARRAYS = [numpy.array(2.5), numpy.arange(6.0).reshape(2, 3), numpy.arange(4, dtype="f4"), numpy.arange(-3, 9).reshape(3, 2, 2),
          numpy.zeros((2, 0, 3)), numpy.arange(256.0).reshape((2,) * 8)]


class FromHeed(Test):
    def compare(self, convert):
        for array in ARRAYS:
            with self.subTest(shape=array.shape, dtype=array.dtype):
                got = numpy.asarray(convert(tensor_of(array)))
                self.assertEqual((got.dtype, got.shape), (array.dtype, array.shape))
                numpy.testing.assert_array_equal(got, array)

    def looks(self, convert):
        tensor = tensor_of(numpy.arange(6.0).reshape(2, 3))
        turned, wide = convert(C.heed_transpose(tensor, 0, 1)), convert(C.heed_expand(tensor, shape_of(4, 2, 3)))
        self.assertEqual((tuple(turned.shape), tuple(wide.shape)), ((3, 2), (4, 2, 3)))
        C.heed_fill_(tensor, 7)
        self.next_scope()  # heed has let go of it
        self.assertTrue((numpy.asarray(turned) == 7).all() and (numpy.asarray(wide) == 7).all())

    def test_numpy(self):
        def convert(tensor):
            return numpy.from_dlpack(Exporter(tensor))
        self.compare(convert)
        self.looks(convert)

    @unittest.skipIf(numpy.lib.NumpyVersion(numpy.__version__) < "1.25.0", "this NumPy has no bools in DLPack")
    def test_numpy_bool(self):
        array = numpy.from_dlpack(Exporter(tensor_of(numpy.array([True, False]))))
        self.assertEqual((array.dtype, array.tolist()), (numpy.dtype(bool), [True, False]))

    @unittest.skipUnless(torch, "no PyTorch")
    def test_torch(self):
        def convert(tensor):
            return torch.utils.dlpack.from_dlpack(Exporter(tensor).__dlpack__())
        self.compare(convert)
        self.looks(convert)
        tensor = tensor_of(numpy.zeros(3))
        convert(tensor)[1] = 5  # its view of it is gone at once
        self.assertEqual(numbers(tensor).tolist(), [0, 5, 0])

    def test_deleter_in_another_thread(self):
        for _ in range(20):
            managed = C.heed_to_dlpack(tensor_of(numpy.ones(1000)))
            self.next_scope()
            thread = threading.Thread(target=delete, args=(managed,))
            thread.start()
            thread.join()


class ToHeed(Test):
    def test_numpy(self):
        for array in ARRAYS + [ARRAYS[1].T, ARRAYS[1][:, ::-1], ARRAYS[3][::-2, 1:], ARRAYS[2][1:3]]:
            with self.subTest(shape=array.shape, strides=array.strides):
                tensor = take(array.__dlpack__())
                got = numbers(tensor)
                self.assertEqual((got.dtype, got.shape), (array.dtype, array.shape))
                numpy.testing.assert_array_equal(got, array)

    def test_numpy_both_sides_write(self):
        array = numpy.arange(6.0).reshape(2, 3)
        tensor = take(array[:, ::-2].__dlpack__())
        array[1, 0] = 50
        self.assertEqual(numbers(tensor).tolist(), [[2, 0], [5, 50]])
        C.heed_fill_(tensor, -1)
        self.assertEqual(array.tolist(), [[-1, 1, -1], [-1, 4, -1]])

    def test_numpy_goes_back_once(self):
        array = numpy.ones(10)
        count, gone = sys.getrefcount(array), weakref.ref(array)
        tensor = take(array.__dlpack__())
        self.assertEqual(sys.getrefcount(array), count + 1)
        C.heed_retain(tensor)
        self.next_scope()
        self.assertEqual(sys.getrefcount(array), count + 1)
        C.heed_release(tensor)
        self.assertEqual(sys.getrefcount(array), count)
        tensor = take(array.__dlpack__())
        del array
        self.assertIsNotNone(gone())
        self.assertEqual(numbers(tensor).tolist(), [1] * 10)
        self.next_scope()
        self.assertIsNone(gone())

    def test_numpy_gets_its_own_back(self):
        array = numpy.arange(5.0)
        again = numpy.from_dlpack(Exporter(take(array.__dlpack__())))
        self.assertEqual(again.ctypes.data, array.ctypes.data)
        gone = weakref.ref(array)
        self.next_scope()
        del array
        self.assertEqual(again.tolist(), [0, 1, 2, 3, 4])
        del again
        self.assertIsNone(gone())

    def test_refusals(self):
        for dtype in ("u1", "i4", "f2", "c8", "u8"):
            array = numpy.ones(3, dtype)
            count = sys.getrefcount(array)
            self.refused(array.__dlpack__(), DTYPE, "from_dlpack: the elements have code ")
            self.assertEqual(sys.getrefcount(array), count)
        many = numpy.ones((1,) * 9)
        self.refused(many.__dlpack__(), UNSUPPORTED, "from_dlpack: 9 dims: must be at most 8")

    @unittest.skipIf(numpy.lib.NumpyVersion(numpy.__version__) < "1.25.0", "this NumPy has no bools in DLPack")
    def test_numpy_bool(self):
        array = numpy.array([True, False])
        self.assertEqual(numbers(take(array.__dlpack__())).tolist(), [True, False])

    @unittest.skipUnless(torch, "no PyTorch")
    def test_torch(self):
        for array in ARRAYS:
            with self.subTest(shape=array.shape, dtype=array.dtype):
                tensor = take(torch.utils.dlpack.to_dlpack(torch.tensor(array)))
                numpy.testing.assert_array_equal(numbers(tensor), array)
        theirs = torch.zeros(2, 3)
        tensor = take(torch.utils.dlpack.to_dlpack(theirs.t()))
        theirs[0, 2] = 9
        self.assertEqual(numbers(tensor).tolist(), [[0, 0], [0, 0], [9, 0]])
        C.heed_fill_(tensor, 4)
        self.assertTrue((theirs == 4).all())
        wide = take(torch.utils.dlpack.to_dlpack(torch.ones(3, 1).expand(3, 4)))
        self.assertEqual(numbers(wide).tolist(), [[1] * 4] * 3)

    @unittest.skipUnless(torch, "no PyTorch")
    def test_torch_goes_back(self):
        theirs = torch.ones(4)
        view = theirs.numpy()
        take(torch.utils.dlpack.to_dlpack(theirs))
        gone = weakref.ref(theirs)
        del theirs
        self.next_scope()
        self.assertIsNone(gone())
        self.assertEqual(view.tolist(), [1] * 4)


if __name__ == "__main__":
    print(f"dlpack: NumPy {numpy.__version__}, PyTorch {torch.__version__ if torch else 'is not there'}")
    unittest.main()
