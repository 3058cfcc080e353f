"""heed/_callbacks.py - Python functions that C calls. The enclosing call into C raises their exceptions."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import sys
from _thread import interrupt_main
from signal import SIGINT
from ctypes import POINTER, c_char_p, c_double, c_int64, c_void_p
from math import nan
from threading import get_ident
from typing import Any, Callable, Dict, Optional

from heed._call import C, RAISED
from heed._handles import Tensor, error, own, retain, scope_begin, scope_return
from heed._library import C as LIBRARY, declared
from heed._kinds import KINDS, Kind, refused

activation_named = declared(LIBRARY, "heed_activation_named", c_void_p, c_char_p)


def note(exception: BaseException) -> None:
    """Keeps the exception for the active call into C of this thread. That call raises the first of several."""
    RAISED.setdefault(get_ident(), exception)


class CallbackType:
    """A type of functions that C calls, with the types of the result and of the arguments. All arguments are pointers.

    Python can raise an exception before the first statement of a function, outside of any `try`: from a signal handler
    (KeyboardInterrupt), or because the stack is full. ctypes then leaves the result as it is, and C reads garbage.
    Therefore the function that Python runs, `body`, has no result. It writes to an address that ctypes has set to zero.
    `relay` is a foreign function that has this address as an output parameter, which ctypes returns as its result. C
    calls `entry`, which calls `relay`. Only the body runs Python code. C receives NULL or false from a function that
    has raised, and never a result that was not set."""

    def __init__(self, result: Any, *arguments: Any) -> None:
        plain = [c_void_p] * len(arguments)
        self.entry, self.relay = ctypes.CFUNCTYPE(result, *plain), ctypes.CFUNCTYPE(None, POINTER(result), *plain)
        self.body = ctypes.CFUNCTYPE(None, POINTER(result), *arguments)
        self.flags = ((2,),) + ((1,),) * len(arguments)  # ctypes' out and in

    def __call__(self, function: Callable[..., Any]) -> Any:
        _reserve(8)
        body = self.body(_guarded(function))
        # ctypes allows output parameters for a named function only. Then it is told to call the body instead.
        relay: Any = self.relay(("heed_release", LIBRARY), self.flags)
        ctypes.memmove(ctypes.addressof(relay), ctypes.addressof(body), ctypes.sizeof(c_void_p))
        relay.body = body
        watch_unraisable()
        return self.entry(relay)


def _reserve(frames: int) -> None:
    """Raises a RecursionError here, and not in C, if the stack has fewer frames left."""
    if frames:
        _reserve(frames - 1)


def _guarded(function: Callable[..., Any]) -> Callable[..., None]:
    """The function as ctypes calls it. It writes its result to an address; the call into C raises its exception."""
    def guarded(result: Any, *arguments: Any) -> None:
        try:
            result[0] = function(*arguments)
        except BaseException as exception:  # Ctrl-C, too
            result[0] = 0
            note(exception)
    return guarded


GUARDED = _guarded(lambda: None).__code__


class _Unraisable:
    """A sys.unraisablehook. ctypes reports to it the exceptions raised before the first statement of a function that C
    calls, and the call into C raises them. All other reports go to the previous hook."""

    def __init__(self, before: Callable[[Any], Any]) -> None:
        self.before = before

    def __call__(self, report: Any) -> None:
        frame = report.exc_traceback and report.exc_traceback.tb_frame
        again = frame and AGAIN.get(frame.f_code)
        if frame and frame.f_code is GUARDED:
            note(report.exc_value)
        elif again and isinstance(report.exc_value, KeyboardInterrupt):
            again(**frame.f_locals)
            for _ in map(interrupt_main, (SIGINT,)):  # type: ignore[arg-type]  # a loop as with SCOPES: the hook itself is not interrupted
                return
        else:
            self.before(report)


AGAIN: Dict[Any, Callable[..., None]] = {}


def on_unraisable(finalizer: Callable[..., None]) -> Callable[..., None]:
    """A function that C calls when it frees an object, possibly without a call into C. If an interrupt arrives at its
    beginning, it is called again, and the interrupt is raised after it."""
    AGAIN[finalizer.__code__] = finalizer
    return finalizer


def watch_unraisable() -> None:
    if not isinstance(sys.unraisablehook, _Unraisable):
        sys.unraisablehook = _Unraisable(sys.unraisablehook)


# heed_function and heed_gradcheck_fn, heed_closure, heed_generation_step, heed_activation, a module's forward.
OfList = CallbackType(c_void_p, POINTER(c_void_p), c_void_p)
OfNothing = CallbackType(c_void_p, c_void_p)
OfStep = CallbackType(c_void_p, c_void_p, c_void_p, c_void_p)
OfTensor = CallbackType(c_void_p, c_void_p)
OfStepNumber = CallbackType(c_double, c_int64, c_void_p)
OfModule = CallbackType(c_void_p, c_void_p, c_void_p)


def borrowed(pointer: Optional[int]) -> Any:
    """A tensor that C lends, for Python to keep."""
    return own(retain(pointer)) if pointer else None


def lent(result: Any) -> Optional[int]:
    """A tensor of Python that C may use until its own scope ends."""
    if not isinstance(result, Tensor):
        raise TypeError(f"the function returned {type(result).__name__}: must return a heed.Tensor")
    pointer: Optional[int] = scope_return(scope_begin(), result)
    return pointer


def of_list(function: Callable[..., Any], count: int) -> Any:
    """function(*tensors)"""
    return OfList(lambda inputs, _: lent(function(*(borrowed(inputs[i]) for i in range(count)))))


def of_nothing(function: Callable[[], Any]) -> Any:
    return OfNothing(lambda _: lent(function()))


def of_step(function: Callable[..., Any]) -> Any:
    """function(tokens, rows)"""
    return OfStep(lambda tokens, rows, _: lent(function(borrowed(tokens), borrowed(rows))))


def of_step_number(function: Callable[[int], Any]) -> Any:
    """function(t), a number; NaN, which is an invalid rate, if it raises an exception"""
    def factor(t: int, _: Any) -> float:
        try:
            return float(function(t))
        except BaseException as exception:
            note(exception)
            return nan
    return OfStepNumber(factor)


def of_tensor(function: Callable[[Tensor], Any]) -> Any:
    return OfTensor(lambda x: lent(function(borrowed(x))))


def of_module(function: Callable[[Tensor], Any]) -> Any:
    return OfModule(lambda _, x: lent(function(borrowed(x))))


def is_ours(function: Any) -> bool:
    """Whether it is a function of heed on one tensor, which C then calls itself."""
    import heed._functions as functions
    from heed._prototypes import FUNCTIONS
    name = getattr(function, "__name__", "")
    plain = getattr(function, "__wrapped__", function)  # heed/_spelling.py
    return FUNCTIONS.get(f"heed_{name}") == "tensor x:tensor" and getattr(functions, name, None) is plain


class Activation:
    """An activation for C. An object that stores the activation keeps this object alive."""

    def __init__(self, function: Any) -> None:
        if isinstance(function, str):
            self.pointer = c_void_p(activation_named(KINDS["text"].from_param(function)))
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
    """The arguments of a constructor, with an activation among the options that lives as long as the new object."""
    return tuple({name: Activation(value) if name == "activation" and callable(value) else value for name, value in a.items()}
                 if isinstance(a, dict) else a for a in arguments)
