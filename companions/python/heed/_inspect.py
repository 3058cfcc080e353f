"""heed/_inspect.py - texts about modules, tensors and memory, profiles, and the detection of anomalies."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import os
import tempfile
from ctypes import c_char_p, c_int, c_void_p
from typing import Any, Optional

from heed import _functions as F
from heed._call import C, call
from heed._callbacks import OfModule, lent
from heed._handles import Tensor
from heed._library import declared
from heed._module import Head, Module

LIBC = ctypes.CDLL(None)
file_open = declared(LIBC, "fopen", c_void_p, c_char_p, c_char_p)
file_close = declared(LIBC, "fclose", c_int, c_void_p)


def text_from(function: Any, *arguments: Any) -> str:
    """The text that a function of C writes to a file, which is its last argument."""
    handle, path = tempfile.mkstemp()
    try:
        os.close(handle)
        for file in map(file_open, (os.fsencode(path),), (b"w",)):  # a loop as with SCOPES
            if file is None:
                raise OSError(f"{path} cannot be opened")
            try:
                call(function, *arguments, (ctypes.c_char * 1).from_address(file))
            finally:
                file_close(file)
        with open(path, encoding="utf-8", errors="backslashreplace") as written:
            return written.read()
    finally:
        os.unlink(path)


def summary(module: Module, *inputs: Any) -> str:
    """A table of the module's tree for these inputs: shapes of results, parameters, multiply-adds, and the bytes that the
    graph keeps. The module is applied once; its buffers, gradients and mode, and the generator, do not change.
    torch: torchinfo.summary"""
    if len(inputs) == 1 and Head.from_address(module._as_parameter_.value).forward:
        return text_from(C.heed_module_summary, module, inputs[0])

    def forward(_: Any, __: Any) -> Optional[int]:
        found = module(*inputs)
        return lent(found[0] if isinstance(found, (tuple, list)) else found)
    return text_from(C.heed_module_summary_with, module, OfModule(forward), None)


def explain(t: Tensor) -> str:
    """A description of a tensor: dtype, shape, strides and storage, why it requires a gradient, and the ops that computed
    it, as a tree."""
    return text_from(C.heed_explain, t)


def graph_dot(t: Tensor) -> str:
    """The graph of a tensor in Graphviz's language: write it to a file and run `dot -Tsvg`."""
    return text_from(C.heed_graph_dot, t)


def memory_report() -> str:
    """The library's use of memory; in debug mode with a description of the blocks in use."""
    return text_from(C.heed_memory_report)


class detect_anomaly:
    """`with heed.detect_anomaly():` an op or a backward pass raises an exception if it produces NaN or infinity from finite
    numbers. The mode is on in all threads; heed.set_anomaly switches it without `with`.
    torch: torch.autograd.detect_anomaly"""

    def __enter__(self) -> None:
        F.set_anomaly(True)

    def __exit__(self, *_: object) -> None:
        F.set_anomaly(False)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class profile:
    """Records all ops, gradient rules and modules of all threads.

        with heed.profile("trace.json") as profile:
            train()
        print(profile.table)

    The trace is for ui.perfetto.dev and chrome://tracing; without a path there is only the table. `memory` are the bytes for
    events, by default 64 MiB.
    torch: torch.profiler.profile"""

    def __init__(self, path: Any = None, *, memory: int = 0) -> None:
        self.path, self.memory, self.table = path, memory, ""

    def __enter__(self) -> "profile":
        call(C.heed_profile_begin, self.path, dict(memory=self.memory))
        return self

    def __exit__(self, *_: object) -> None:
        self.table = text_from(C.heed_profile_end)

    def __repr__(self) -> str:
        return self.table or f"{type(self).__name__}({self.path!r})"


__all__ = ["detect_anomaly", "explain", "graph_dot", "memory_report", "profile", "summary"]
