"""heed/_call.py - calls of the C functions that heed/_prototypes.py lists: arguments are checked, results owned, errors raised."""

import ctypes
import re
import threading
from ctypes import c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, Dict, Optional

from heed._handles import Handle, Tensor, error, error_clear, error_code, own, retain, scope_begin, scope_end
from heed._kinds import KINDS, Kind, kind_of
from heed._library import path_of_library
from heed._prototypes import ENUMS, FUNCTIONS

LIBRARY = ctypes.CDLL(path_of_library())  # function objects apart from those that are declared by hand


class _Raised(threading.local):
    """What a function of Python's raised that C called: it goes before the library's own error."""

    exception: Optional[BaseException] = None


raised = _Raised()


def failure(function: Any) -> BaseException:
    """Why the call failed. A result that is NULL without an error says that a tensor was: C hands it on."""
    if raised.exception is not None:
        exception, raised.exception = raised.exception, None
        error_clear()
        return exception
    if error_code():
        return error()
    return TypeError(f"{function.__name__.replace('heed_', '')}: a tensor is None")


def explained(function: Any, wrong: ctypes.ArgumentError) -> Exception:
    """ctypes says "argument 2: <class 'TypeError'>: text"."""
    found = re.match(r"argument (\d+): (?:<class ')?(\w+)(?:'>)?: (.*)", str(wrong), re.S)
    if not found or int(found[1]) > len(function.names):
        return TypeError(f"{function.__name__}: {wrong}")
    name = function.names[int(found[1]) - 1]
    text = found[3] if name == "options" else f"{name} {found[3]}"  # an option's name is in the text
    return {"ValueError": ValueError}.get(found[2], TypeError)(f"{function.__name__.replace('heed_', '')}: {text}")


class Out:
    """The place of a result that a function writes besides the one that it returns. A state is read there first."""

    def __init__(self, kind: str, before: Optional[Tensor] = None) -> None:
        if before is not None and not isinstance(before, Tensor):
            raise TypeError(f"a state must be a heed.Tensor, not {type(before).__name__}")
        self.kind, self.before = kind, before
        self.place = c_double() if kind == "f64_out" else c_void_p(None if before is None else before._as_parameter_.value)

    def take(self) -> Any:
        if self.kind == "f64_out":
            return self.place.value
        if self.kind in ("out", "state"):
            return own(retain(self.place)) if self.place.value else None
        return Handle._classes[self.kind]._of(self.place)


class OutKind(Kind):
    def from_param(self, x: Any) -> Any:
        return ctypes.byref(x.place) if isinstance(x, Out) else super().from_param(x)


for name in ("out", "outs", "state", "f64_out", "u64_out"):
    KINDS[name] = OutKind()


def call(function: Any, *arguments: Any) -> Any:
    """The function's result. What it made besides is released."""
    scope = scope_begin()
    try:
        return function.take(function(*arguments))
    except ctypes.ArgumentError as wrong:
        raise explained(function, wrong) from None
    finally:
        scope_end(scope)


def call_outs(function: Any, *arguments: Any) -> Any:
    """The same with what it wrote behind: (result, ...). A status is left out."""
    scope = scope_begin()
    try:
        result = function.take(function(*arguments))
        written = [a.take() for a in arguments if type(a) is Out]
        if function.result == "status":
            return written[0] if len(written) == 1 else tuple(written)
        return (result, *written) if written else result
    except ctypes.ArgumentError as wrong:
        raise explained(function, wrong) from None
    finally:
        scope_end(scope)


LIST = object()  # stands for the list that call_list has written to


def call_list(function: Any, count: int, *arguments: Any) -> Any:
    """A list of `count` results that the function writes in the place of LIST; with its own, if that is a tensor, (result, list)."""
    places = (c_void_p * count)()
    scope = scope_begin()
    try:
        result = function.take(function(*(places if a is LIST else a for a in arguments)))
        written = tuple(own(retain(place)) if place else None for place in places)
        return written if function.result == "status" else (result, written)
    except ctypes.ArgumentError as wrong:
        raise explained(function, wrong) from None
    finally:
        scope_end(scope)


def length(sequence: Any) -> int:
    """Of what may be no sequence at all, as its kind will say."""
    return len(sequence) if hasattr(sequence, "__len__") else 0


def _tensor(function: Any) -> Callable[[Any], Any]:
    def take(pointer: Optional[int]) -> Tensor:
        if pointer is None:
            raise failure(function)
        return own(retain(pointer))
    return take


def _pointer(function: Any) -> Callable[[Any], Any]:
    def take(pointer: Optional[int]) -> c_void_p:
        if pointer is None:
            raise failure(function)
        return c_void_p(pointer)
    return take


def _status(function: Any) -> Callable[[Any], Any]:
    def take(status: int) -> None:
        if status:
            raise failure(function)
    return take


def _value(function: Any) -> Callable[[Any], Any]:
    def take(value: Any) -> Any:
        if error_code():
            raise failure(function)
        return value
    return take


def _text(function: Any) -> Callable[[Any], Any]:
    value = _value(function)
    return lambda text: value(text) and text.decode()


def _enum(function: Any) -> Callable[[Any], Any]:
    value, words = _value(function), ENUMS[function.result.partition(".")[2]]
    return lambda number: words[value(number)]


def _dict(function: Any) -> Callable[[Any], Any]:
    pointer = _pointer(function)

    def take(made: Optional[int]) -> Any:
        from heed._dict import from_c
        return from_c(pointer(made))
    return take


# By a result's kind: ctypes' type, and what becomes of it.
RESULTS: Dict[str, Any] = {
    "tensor": (c_void_p, _tensor), "status": (c_int, _status), "none": (None, _value), "bool": (c_bool, _value),
    "i32": (c_int, _value), "i64": (c_int64, _value), "u64": (c_uint64, _value), "size": (c_size_t, _value),
    "f64": (c_double, _value), "text": (c_char_p, _text), "dict": (c_void_p, _dict), "enum": (c_int, _enum),
    "handle": (c_void_p, _pointer), "module": (c_void_p, _pointer)}


class _Functions:
    """C.heed_softmax: declared when it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        result, *arguments = FUNCTIONS[name].split()
        function: Any = getattr(LIBRARY, name)
        function.result, function.names = result, [a.partition(":")[0] for a in arguments]
        function.restype, take = RESULTS[result.partition(".")[0]]
        function.argtypes = [kind_of(a.partition(":")[2]) for a in arguments]
        function.take = take(function)
        setattr(self, name, function)
        return function


C: Any = _Functions()
