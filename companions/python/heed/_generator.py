"""heed/_generator.py - the methods of generators that are written by hand."""

import threading
from typing import Any, Callable

from heed import _functions
from heed._handles import Handle, Tensor, generator_use


_outer = threading.local()  # .stack has the generators that were in use before the with statements of a thread


def _drawn(name: str) -> Callable[..., Tensor]:
    def draw(self: Any, *arguments: Any, **named: Any) -> Tensor:
        with self:
            result: Tensor = getattr(_functions, name)(*arguments, **named)
            return result
    draw.__name__, draw.__doc__ = name, f"As heed.{name}, with this generator."
    return draw


class GeneratorBase(Handle):
    """Draws come from a generator inside `with generator:`, also initial values of layers and dropout."""

    def __enter__(self) -> Any:
        _outer.stack = [*getattr(_outer, "stack", []), generator_use(self._as_parameter_)]
        return self

    def __exit__(self, *_: Any) -> None:
        generator_use(_outer.stack.pop())

    rand, randn, normal, exponential = _drawn("rand"), _drawn("randn"), _drawn("normal"), _drawn("exponential")
    randint, permutation, bernoulli = _drawn("randint"), _drawn("permutation"), _drawn("bernoulli")
    multinomial, dropout = _drawn("multinomial"), _drawn("dropout")
