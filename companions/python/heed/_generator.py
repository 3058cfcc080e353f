"""heed/_generator.py - the methods of generators that are written by hand."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import threading
from ctypes import byref, c_uint64
from typing import Any, Callable, Tuple

import heed
from heed import _functions
from heed._call import C, call
from heed._handles import ByState, Tensor, generator_use

_outer = threading.local()  # .stack has the generators that were in use before the with statements of a thread


def _drawn(name: str) -> Callable[..., Tensor]:
    def draw(self: Any, *arguments: Any, **named: Any) -> Tensor:
        with self:
            result: Tensor = getattr(_functions, name)(*arguments, **named)
            return result
    draw.__name__, draw.__doc__ = name, f"As heed.{name}, with this generator."
    return draw


class GeneratorBase(ByState):
    """Draws come from a generator inside `with generator:`, also initial values of layers and dropout."""

    def get_state(self) -> Tuple[int, int]:
        """The seed and the position, for set_state.
        torch: torch.Generator.get_state   numpy: numpy.random.get_state"""
        seed, position = c_uint64(), c_uint64()
        call(C.heed_generator_get_state, self, byref(seed), byref(position))
        return seed.value, position.value

    def manual_seed(self, seed: int) -> Any:
        """Restarts the generator with that seed. Returns the generator itself."""
        self.set_state(seed, 0)  # type: ignore[attr-defined]
        return self

    def _reduced(self) -> Any:
        seed, position = self.get_state()
        return heed._copying.remade, (type(self), "_make", "heed_generator_new", seed), position

    def __setstate__(self, position: int) -> None:
        self.set_state(self.get_state()[0], position)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        seed, position = self.get_state()
        return f"{type(self).__name__}({seed})" + (f"  # position {position}" if position else "")

    def __enter__(self) -> Any:
        _outer.stack = [*getattr(_outer, "stack", []), generator_use(self._as_parameter_)]
        return self

    def __exit__(self, *_: Any) -> None:
        generator_use(_outer.stack.pop())

    rand, randn, normal, exponential = _drawn("rand"), _drawn("randn"), _drawn("normal"), _drawn("exponential")
    randint, permutation, bernoulli = _drawn("randint"), _drawn("permutation"), _drawn("bernoulli")
    multinomial, dropout = _drawn("multinomial"), _drawn("dropout")
