"""heed/_files.py - files of tensors, in the format of their suffix, and checkpoints of training runs."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import os
from ctypes import c_int64, c_void_p
from typing import Any, Dict, Mapping, Optional, Union

from heed import _functions as F
from heed._call import C, call
from heed._dict import State, to_c
from heed._handles import Handle, Tensor
from heed._kinds import INT64
from heed._module import Module

READERS: Dict[str, Any] = {".npy": F.io_npy_read, ".npz": F.io_npz_read, ".safetensors": F.io_safetensors_read,
                           ".gguf": F.io_gguf_read, ".json": F.io_safetensors_read, ".heed": F.io_safetensors_read}


def ending(path: Any) -> str:
    return os.path.splitext(os.fsdecode(path))[1].lower()


def load(path: Any, **options: Any) -> Union[Tensor, State]:
    """The contents of a file: a tensor for .npy, otherwise a dict of tensors by their names, whose `texts` are the
    file's metadata: .npz, .safetensors and its index (.json), .gguf, and checkpoints (.heed). Options: max_bytes,
    first, rows, names, skip_unlisted (heed/io.h)."""
    if ending(path) not in READERS:
        raise ValueError(f"load: {os.fsdecode(path)}: must end in one of {', '.join(READERS)}")
    found: Union[Tensor, State] = READERS[ending(path)](path, **options)
    return found


def save(path: Any, what: Union[Tensor, Mapping[str, Tensor]], *, compressed: bool = False) -> None:
    """Writes a tensor as .npy, or a dict of tensors as .npz or .safetensors. The old file is replaced when the new one
    is complete. The order of PyTorch's arguments works, too: save(what, path)."""
    if isinstance(path, (Tensor, Mapping)):
        path, what = what, path
    end = ending(path)
    if end == ".npy":
        F.io_npy_write(path, what)  # type: ignore[arg-type]
    elif end == ".npz":
        F.io_npz_write(path, what, compressed=compressed)
    elif end == ".safetensors":
        F.io_safetensors_write(path, what)
    else:
        raise ValueError(f"save: {os.fsdecode(path)}: must end in .npy, .npz or .safetensors")


class _Run(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("module", "optimizer", "generator", "loader", "progress", "extra")] + [
        ("epoch", c_int64), ("step", c_int64), ("reserved", c_int64 * 4)]


class Checkpoint:
    """A training run in one file, with all the state needed to continue bit for bit as if it had never stopped.

        run = heed.Checkpoint(module=net, optimizer=adam, loader=loader)
        if run.exists("run.heed"):
            run.load("run.heed")
        ...
        run.step += 1
        run.save("run.heed")

    The default generator is always part of it. `extra` is a dict of tensors, into which loading writes."""

    def __init__(self, *, module: Optional[Module] = None, optimizer: Optional[Handle] = None, generator: Optional[Handle] = None,
                 loader: Optional[Handle] = None, extra: Optional[Mapping[str, Tensor]] = None) -> None:
        self.parts: Any = {"module": module, "optimizer": optimizer, "generator": generator, "loader": loader}
        for name, part in self.parts.items():
            wanted = Module if name == "module" else Handle
            if part is not None and not (isinstance(part, wanted) and (name == "module" or getattr(part, "_C", "") == f"heed_{name}")):
                raise TypeError(f"Checkpoint: {name} is a {type(part).__name__}")
        self.extra = extra
        self.epoch = self.step = 0

    def __repr__(self) -> str:
        parts = [f"{name}={type(part).__name__}" for name, part in self.parts.items() if part is not None]
        parts += [f"extra={list(self.extra)}"] if self.extra is not None else []
        return f"{type(self).__name__}({', '.join(parts)})  # epoch {self.epoch}, step {self.step}"

    def _run(self) -> Any:
        run = _Run()
        for name in ("epoch", "step"):
            try:
                setattr(run, name, INT64.field(getattr(self, name)))
            except (TypeError, ValueError) as wrong:
                raise type(wrong)(f"Checkpoint: {name} {wrong}") from None
        run.kept = None if self.extra is None else to_c(self.extra)
        for name, part in {**self.parts, "extra": run.kept}.items():
            if part is not None:
                setattr(run, name, part._as_parameter_)
        return run

    def save(self, path: Any, *, keep: int = 0) -> None:
        """Writes the run; with `keep`, as one of `keep` files named by step (heed/checkpoint.h)."""
        call(C.heed_checkpoint_save, path, ctypes.byref(self._run()), dict(keep=keep))

    def load(self, path: Any) -> None:
        """Sets all parts to the saved state, or none if a part does not fit."""
        run = self._run()
        call(C.heed_checkpoint_load, path, ctypes.byref(run))
        self.epoch, self.step = run.epoch, run.step

    @staticmethod
    def exists(path: Any) -> bool:
        return bool(call(C.heed_checkpoint_exists, path))
