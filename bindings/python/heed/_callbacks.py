"""heed/_callbacks.py - functions of Python's that C calls. What they raise is raised by the call that they are part of."""

import ctypes
from ctypes import POINTER, c_char_p, c_void_p
from typing import Any, Callable, Optional

from heed._call import C, raised
from heed._handles import C as LIBRARY, Tensor, declared, error, own, retain, scope_begin, scope_return
from heed._kinds import KINDS, Kind, refused

# heed_function, heed_gradcheck_fn, heed_closure, heed_generation_step, heed_activation and a module's forward.
OfList = ctypes.CFUNCTYPE(c_void_p, POINTER(c_void_p), c_void_p)
OfNothing = ctypes.CFUNCTYPE(c_void_p, c_void_p)
OfStep = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_void_p)
OfTensor = ctypes.CFUNCTYPE(c_void_p, c_void_p)
OfModule = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_void_p)
activation_named = declared(LIBRARY, "heed_activation_named", c_void_p, c_char_p)


def borrowed(pointer: Optional[int]) -> Optional[Tensor]:
    """A tensor that C lends, for Python to keep."""
    return own(retain(pointer)) if pointer else None


def lent(result: Any) -> Optional[int]:
    """A tensor of Python's, which C may go on with until its own scope ends."""
    if not isinstance(result, Tensor):
        raise TypeError(f"the function returned {type(result).__name__}: must return a heed.Tensor")
    pointer: Optional[int] = scope_return(scope_begin(), result)
    return pointer


def guarded(compute: Callable[..., Any]) -> Callable[..., Optional[int]]:
    """The function as C calls it: NULL where it raised, which the call in Python then raises."""
    def called(*arguments: Any) -> Optional[int]:
        try:
            return lent(compute(*arguments))
        except BaseException as exception:  # Ctrl-C, too
            if raised.exception is None:
                raised.exception = exception
            return None
    return called


def of_list(function: Callable[..., Any], count: int) -> Any:
    """function(*tensors)"""
    return OfList(guarded(lambda inputs, _: function(*(borrowed(inputs[i]) for i in range(count)))))


def of_nothing(function: Callable[[], Any]) -> Any:
    return OfNothing(guarded(lambda _: function()))


def of_step(function: Callable[..., Any]) -> Any:
    """function(tokens, rows)"""
    return OfStep(guarded(lambda tokens, rows, _: function(borrowed(tokens), borrowed(rows))))


def of_tensor(function: Callable[[Tensor], Any]) -> Any:
    return OfTensor(guarded(lambda x: function(borrowed(x))))


def of_module(function: Callable[[Tensor], Any]) -> Any:
    return OfModule(guarded(lambda _, x: function(borrowed(x))))


def is_ours(function: Any) -> bool:
    """Whether it is one of heed's functions of one tensor, which C then calls itself."""
    import heed._functions as functions
    from heed._prototypes import FUNCTIONS
    name = getattr(function, "__name__", "")
    return FUNCTIONS.get(f"heed_{name}") == "tensor x:tensor" and getattr(functions, name, None) is function


class Activation:
    """An activation for C. Who stores one keeps this object as long."""

    def __init__(self, function: Any) -> None:
        if isinstance(function, str):
            self.pointer = c_void_p(activation_named(function.encode()))
            if not self.pointer:
                raise error()
        elif is_ours(function):
            name = f"heed_{function.__name__}"
            self.pointer = ctypes.cast(getattr(C, name), c_void_p)
        elif callable(function):
            self.thunk = of_tensor(function)
            self.pointer = ctypes.cast(self.thunk, c_void_p)
        else:
            raise refused(function, "a function of one tensor, or its name")


class ActivationKind(Kind):
    def from_param(self, x: Any) -> Any:
        if x is None:
            return None
        activation = x if isinstance(x, Activation) else Activation(x)
        pointer = c_void_p(activation.pointer.value)
        pointer.kept = activation  # type: ignore[attr-defined]  # ctypes keeps what it is given, and no more
        return pointer

    def field(self, x: Any) -> Any:
        return self.from_param(x)


KINDS["activation"] = ActivationKind()


def kept(arguments: Any) -> Any:
    """The arguments of a constructor, with an activation among the options that lives as long as what is made."""
    return tuple({name: Activation(value) if name == "activation" and callable(value) else value for name, value in a.items()}
                 if isinstance(a, dict) else a for a in arguments)
