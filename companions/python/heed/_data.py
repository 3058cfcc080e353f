"""heed/_data.py - methods of datasets, loaders, scalers and categories, and of teams of processes."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import ctypes.util
import os
import sys
from typing import Any, Dict, Iterator, Optional, Tuple

import heed
from heed._call import C, LIST, call, call_list
from heed._handles import ByState, Handle, Tensor, error
from heed._kinds import kind_of, refused
from heed._library import C as LIBRARY, ByValue, declared, owned, path_of_library, text


class DatasetBase(ByState):
    def take(self, numbers: Tensor, epoch: int = 0) -> Tuple[Tensor, ...]:
        """The samples with these numbers, i64 (m), in this epoch: one tensor per tensor of the dataset."""
        return tuple(call_list(C.heed_dataset_take_epoch, call(C.heed_dataset_tensors, self), self, numbers, epoch, LIST))

    def all(self) -> Tuple[Tensor, ...]:
        """All samples."""
        return tuple(call_list(C.heed_dataset_all, call(C.heed_dataset_tensors, self), self, LIST))

    def __len__(self) -> int:
        return int(call(C.heed_dataset_size, self))

    def __getitem__(self, i: int) -> Tuple[Tensor, ...]:
        """Sample i: one tensor per tensor of the dataset."""
        if not hasattr(i, "__index__"):
            raise TypeError(f"a dataset is indexed by one int, not {type(i).__name__}: write dataset.take(numbers) or dataset.subset(numbers)")
        number, n = i.__index__(), len(self)
        if not -n <= number < n:
            raise IndexError(f"sample {number} of a dataset of {n} samples")
        return tuple(t[0] for t in self.take(heed.tensor([number % n])))

    def _reduced(self) -> Any:
        tensors = self.all()
        return heed._copying.remade, (heed.data.Dataset, "_make", "heed_dataset_new", list(tensors), len(tensors))


class LoaderState(ctypes.Structure):
    _fields_ = [("seed", ctypes.c_uint64), ("epoch", ctypes.c_int64), ("batch", ctypes.c_int64), ("samples", ctypes.c_int64),
                ("batch_size", ctypes.c_int64)]


class LoaderBase(ByValue, Handle):
    def next(self) -> Tuple[Tensor, ...]:
        """The next batch: one tensor per tensor of the dataset. After the last batch of an epoch follows the first batch of
        the next epoch."""
        return tuple(call_list(C.heed_loader_next, call(C.heed_dataset_tensors, self.dataset), self, LIST))

    @property
    def dataset(self) -> Any:
        return self._as_parameter_.kept[0]

    def _state(self) -> LoaderState:
        state = LoaderState()
        call(C.heed_loader_get_state, self, ctypes.byref(state))
        return state

    def _reduced(self) -> Any:
        """A copy takes its seed from the state, and draws none from a generator."""
        method, (name, dataset, options) = self._recipe
        state = {name: getattr(self._state(), name) for name, _ in LoaderState._fields_}
        return heed._copying.remade, (type(self), method, name, dataset, {**options, "generator": None}), state

    def __setstate__(self, state: Dict[str, int]) -> None:
        call(C.heed_loader_set_state, self, ctypes.byref(LoaderState(**state)))

    def epoch(self) -> int:
        """The number of complete epochs."""
        return int(self._state().epoch)

    def batch(self) -> int:
        """The number of batches read in the current epoch."""
        return int(self._state().batch)

    def __iter__(self) -> Iterator[Tuple[Tensor, ...]]:
        """The remaining batches of this epoch."""
        for _ in range(len(self) - self.batch()):
            yield self.next()

    def __len__(self) -> int:
        """The number of batches per epoch."""
        return int(call(C.heed_loader_batches, self))


class Described(ByState):
    """A scaler or categories, which C writes to a dict and reads from it."""

    def _reduced(self) -> Any:
        made = heed._dict.new()
        call(getattr(C, f"{self._C}_save"), self, heed._dict.CDict._of(made), "_")
        return described, (type(self), heed._dict.from_c(made))


def described(cls: Any, state: Any) -> Any:
    return cls._of(call(getattr(C, f"{cls._C}_load"), state, "_"))


# -- Teams of processes ---------------------------------------------------------------------------------------------------


def mpi_library() -> Any:
    """libheed-mpi: $HEED_MPI_LIBRARY, the file next to libheed.so, or the library that the linker finds."""
    beside = os.path.join(os.path.dirname(path_of_library()), "libheed-mpi.so")
    path = os.environ.get("HEED_MPI_LIBRARY") or (beside if os.path.exists(beside) else ctypes.util.find_library("heed-mpi"))
    if not path:
        raise ImportError("Comm: libheed-mpi.so was not found: build and install heed with MPI, or set HEED_MPI_LIBRARY to its path")
    try:
        library = ctypes.CDLL(path)
        own = [ctypes.cast(part.heed_comm_self, ctypes.c_void_p).value for part in (library, LIBRARY)]
    except (OSError, AttributeError) as wrong:
        raise ImportError(f"Comm: {path} cannot be loaded: {wrong}") from None
    if own[0] != own[1]:
        raise ImportError(f"Comm: {path} uses a different libheed.so than this package, which uses {path_of_library()}: set HEED_LIBRARY to "
                          "the library that libheed-mpi.so was built with")
    return library


def check_mpi(library: Any, theirs: str) -> None:
    """Raises an ImportError unless libheed-mpi uses the MPI with this text of its version, which is mpi4py's."""
    buffer, size = ctypes.create_string_buffer(8192), ctypes.c_int()
    library.MPI_Get_library_version(buffer, ctypes.byref(size))
    ours, theirs = (version.strip("\0 \n").partition("\n")[0] for version in (text(buffer.value), theirs))
    if ours != theirs:
        raise ImportError(f"Comm: mpi4py uses {theirs}, but libheed-mpi.so uses {ours}: build libheed-mpi with the compiler of mpi4py's MPI "
                          "(mpi4py.get_config()), or set HEED_MPI_LIBRARY to such a library")


def of_mpi(communicator: Any, timeout: float) -> Any:
    """The comm of a communicator of mpi4py."""
    MPI: Any = sys.modules.get("mpi4py.MPI")
    if MPI is None or not isinstance(communicator, MPI.Comm):
        raise TypeError(f"Comm: communicator {refused(communicator, 'a communicator of mpi4py, such as mpi4py.MPI.COMM_WORLD, or None')}")
    library = mpi_library()
    check_mpi(library, MPI.Get_library_version())
    kind: Any = ctypes.c_int if MPI._sizeof(MPI.Comm) == ctypes.sizeof(ctypes.c_int) else ctypes.c_void_p
    options = kind_of("options.heed_comm_options")
    make = declared(library, "heed_comm_mpi", owned("heed_comm_free"), kind, options)
    made = make(kind.from_address(MPI._addressof(communicator)), {"timeout": timeout})
    if not made:
        raise error()
    return made


class CommBase(Handle):
    """A team of processes.

        from mpi4py import MPI
        world = heed.Comm(MPI.COMM_WORLD)       # mpirun -n 2 python3 train.py
        alone = heed.Comm()                     # this process alone

    mpi4py and libheed-mpi must use the same MPI. All processes of the communicator must make the Comm. `timeout`: after
    this number of seconds, by default 300, the other processes give up on a process that does not answer.
    torch: torch.distributed.init_process_group"""

    _instead = "make one in every process"

    def __init__(self, communicator: Any = None, *, timeout: float = 0.0) -> None:
        if communicator is None:
            self._make(C.heed_comm_self)
        else:
            self._adopt(of_mpi(communicator, timeout), communicator)

    def __repr__(self) -> str:
        return f"Comm(rank {call(C.heed_comm_rank, self)} of {call(C.heed_comm_size, self)})"


class DataParallelBase(Handle):
    _instead = "save the run (DataParallel.save)"

    def shards(self, loader: LoaderBase) -> Iterator[Tuple[Tensor, ...]]:
        """This process's shards of the next batch: one tensor per tensor of the loader's dataset. All shards together have the
        samples of the batch.

            for x, y in team.shards(loader):
                team.backward(heed.cross_entropy(net(x), y, reduction="sum"), len(x))
            team.step()"""
        if not isinstance(loader, LoaderBase):
            raise TypeError(f"shards: loader {refused(loader, 'a heed.data.Loader')}")
        count = call(C.heed_dataset_tensors, loader.dataset)
        while True:
            found, shard = call_list(C.heed_data_parallel_next, count, self, loader, LIST)
            if not found:
                return
            yield tuple(shard)
            del shard  # C frees its samples

    def save(self, path: Any, run: "heed.Checkpoint", *, keep: int = 0) -> None:
        """Saves a checkpoint in process 0, with the optimizer's state from all processes. All processes call it. To continue,
        every process calls run.load(path)."""
        call(C.heed_data_parallel_save, self, path, ctypes.byref(run._run()), dict(keep=keep))


__all__ = ["CommBase", "DataParallelBase", "DatasetBase", "Described", "LoaderBase"]
