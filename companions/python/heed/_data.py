"""heed/_data.py - methods of datasets and loaders."""

import ctypes
from typing import Iterator, Tuple

from heed._call import C, LIST, call, call_list
from heed._handles import Handle, Tensor


class DatasetBase(Handle):
    def take(self, numbers: Tensor, epoch: int = 0) -> Tuple[Tensor, ...]:
        """The samples with these numbers, i64 (m), in this epoch: one tensor per tensor of the dataset."""
        return tuple(call_list(C.heed_dataset_take_epoch, call(C.heed_dataset_tensors, self), self, numbers, epoch, LIST))

    def all(self) -> Tuple[Tensor, ...]:
        """All samples."""
        return tuple(call_list(C.heed_dataset_all, call(C.heed_dataset_tensors, self), self, LIST))

    def __len__(self) -> int:
        return int(call(C.heed_dataset_size, self))


class LoaderState(ctypes.Structure):
    _fields_ = [("seed", ctypes.c_uint64), ("epoch", ctypes.c_int64), ("batch", ctypes.c_int64), ("samples", ctypes.c_int64),
                ("batch_size", ctypes.c_int64)]


class LoaderBase(Handle):
    def next(self) -> Tuple[Tensor, ...]:
        """The next batch: one tensor per tensor of the dataset. After the last batch of an epoch follows the first batch of
        the next epoch."""
        dataset = self._as_parameter_.kept[0]
        return tuple(call_list(C.heed_loader_next, call(C.heed_dataset_tensors, dataset), self, LIST))

    def _state(self) -> LoaderState:
        state = LoaderState()
        call(C.heed_loader_get_state, self, ctypes.byref(state))
        return state

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
