"""heed/_call.py - calls the C functions of heed/_prototypes.py: checks arguments, takes ownership of results, raises
errors."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import builtins
import ctypes
import re
from ctypes import c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from threading import get_ident
from typing import Any, Callable, Dict, Optional

import heed
from heed._handles import SCOPES, Handle, Tensor, error, error_clear, error_code, own, retain, scope_end
from heed._kinds import KINDS, Kind, kind_of
from heed._library import owned, path_of_library, text
from heed._prototypes import ENUMS, FUNCTIONS

LIBRARY = ctypes.CDLL(path_of_library())  # separate function objects from those that are declared by hand

# The exceptions of Python functions that C has called (heed/_callbacks.py), by thread. The active call into C raises
# the exception instead of the library's error, even if the library reports success.
RAISED: Dict[int, BaseException] = {}


def failure(function: Any) -> BaseException:
    """The exception for a failed call. A NULL result without an error means that a tensor argument was NULL: C passes
    it on."""
    exception = RAISED.pop(get_ident(), None)
    if exception is not None:
        error_clear()
        return exception
    if error_code():
        return error()
    return TypeError(f"{function.__name__.replace('heed_', '')}: a tensor is None")


def check_raised() -> None:
    """Raises the pending exception of this thread, if RAISED has one."""
    exception = RAISED.pop(get_ident(), None)
    if exception is not None:
        error_clear()
        raise exception


def explained(function: Any, wrong: ctypes.ArgumentError) -> BaseException:
    """The exception that the conversion of an argument raised. ctypes passes it on as "argument 2: <class 'TypeError'>:
    text". It may come from a signal handler (KeyboardInterrupt)."""
    found = re.match(r"argument (\d+): (?:<class ')?([\w.]+)(?:'>)?: (.*)", str(wrong), re.S)
    if not found or int(found[1]) > len(function.names):
        return TypeError(f"{function.__name__}: {wrong}")
    kind = getattr(builtins, found[2], None)
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        return RuntimeError(f"{found[2]}: {found[3]}")
    if not issubclass(kind, (TypeError, ValueError)):
        return kind(found[3])
    name = function.names[int(found[1]) - 1]
    message = found[3] if name in ("options", "call") else f"{name} {found[3]}"  # the name of a field is in the text
    known = ValueError if issubclass(kind, ValueError) else TypeError
    return known(f"{function.__name__.replace('heed_', '')}: {message}")


class Out:
    """The address of a result that a function writes in addition to the one that it returns. A state is first read from
    there."""

    def __init__(self, kind: str, before: Any = None) -> None:
        before = heed._convert.as_tensor(before)
        if before is not None and not isinstance(before, Tensor):
            raise TypeError(f"a state must be a heed.Tensor, not {type(before).__name__}")
        self.kind, self.before = kind, before
        self.place = self.empty()

    def empty(self) -> Any:
        if self.kind == "f64_out":
            return c_double()
        if self.kind in ("out", "state"):
            return c_void_p(None if self.before is None else self.before._as_parameter_.value)
        return owned(f"{self.kind}_free")()

    def take(self) -> Any:
        if self.kind == "f64_out":
            return self.place.value
        if self.kind in ("out", "state"):
            return own(retain(self.place)) if self.place.value else None
        return Handle._classes[self.kind]._of(self.place)


class OutKind(Kind):
    def from_param(self, x: Any) -> Any:
        return ctypes.byref(x.place) if isinstance(x, Out) else super().from_param(x)

    def field(self, x: Any) -> Any:
        return c_void_p(ctypes.addressof(x.place)) if isinstance(x, Out) else super().field(x)


for name in ("out", "outs", "state", "f64_out", "u64_out"):
    KINDS[name] = OutKind()


def call(function: Any, *arguments: Any) -> Any:
    """Returns the function's result. Its other new tensors are released."""
    try:
        for scope in SCOPES:
            try:
                result = function.take(function(*arguments))
                if RAISED:
                    check_raised()
                return result
            except ctypes.ArgumentError as wrong:
                raise explained(function, wrong) from None
            finally:
                scope_end(scope)
    except (TypeError, ValueError) as wrong:
        return again(wrong, call_once, function, arguments)


def call_once(function: Any, arguments: Any) -> Any:
    return _with_written(function, arguments, lambda: None)[0]


def bare(wrong: BaseException) -> BaseException:
    """The exception without its traceback, which would keep the frame that stores the exception, and its tensors."""
    return wrong.with_traceback(None)


def again(wrong: BaseException, called: Any, function: Any, arguments: Any) -> Any:
    """The result of a failed call with converted arguments (heed/_promotion.py). Raises the error of the last attempt."""
    for other, given, dtype in heed._promotion.attempts(function, arguments):
        try:
            result = called(other, given)
        except ValueError as still_wrong:  # the dtypes are right
            wrong = bare(still_wrong)
            break
        except TypeError as still_wrong:
            wrong = bare(still_wrong)
            continue
        if dtype is None:
            return result
        main, *written = result if isinstance(result, tuple) else (result,)
        main = call(C.heed_to_dtype, main, dtype)
        return (main, *written) if written else main
    try:
        raise wrong from None
    finally:
        del wrong  # whose traceback has this frame


def _with_written(function: Any, arguments: Any, written_of: Callable[[], Any]) -> Any:
    """The function's result, and the list of results that it has written to addresses."""
    for scope in SCOPES:
        try:
            result = function.take(function(*arguments))
            if RAISED:
                check_raised()
            return result, written_of()
        except ctypes.ArgumentError as wrong:
            raise explained(function, wrong) from None
        finally:
            scope_end(scope)


def call_outs(function: Any, *arguments: Any) -> Any:
    """Returns the function's result, followed by the results that it wrote to addresses, which are arguments or fields of a
    struct. A status is left out."""
    flat = [value for a in arguments for value in (a.values() if isinstance(a, dict) else (a,))]

    def called(function: Any, given: Any) -> Any:
        return _with_written(function, given, lambda: [a.take() for a in flat if isinstance(a, Out)])
    try:
        result, written = called(function, arguments)
    except (TypeError, ValueError) as wrong:
        result, written = again(wrong, called, function, arguments)
    if function.result == "status":
        return written[0] if len(written) == 1 else tuple(written)
    return (result, *written) if written else result


LIST = object()  # a placeholder for the list that call_list passes


def call_list(function: Any, count: int, *arguments: Any) -> Any:
    """A list of `count` results that the function writes to the argument at LIST; if it also returns a tensor, (result,
    list)."""
    places = (c_void_p * count)()
    given = tuple(places if a is LIST else a for a in arguments)

    def called(function: Any, given: Any) -> Any:
        return _with_written(function, given, lambda: tuple(own(retain(place)) if place else None for place in places))
    try:
        result, written = called(function, given)
    except (TypeError, ValueError) as wrong:
        result, written = again(wrong, called, function, given)
    return written if function.result == "status" else (result, written)


def length(sequence: Any) -> int:
    """The length, or 0 for an object without a length, which its kind will refuse."""
    return len(sequence) if hasattr(sequence, "__len__") else 0


def _tensor(function: Any) -> Callable[[Any], Any]:
    def take(pointer: Optional[int], new: Any = object.__new__) -> Tensor:
        if pointer is None:
            raise failure(function)
        tensor: Tensor = new(Tensor)  # own(retain(pointer)), without a call
        tensor._as_parameter_ = retain(pointer)
        return tensor
    return take


def _pointer(function: Any) -> Callable[[Any], Any]:
    def take(pointer: c_void_p) -> c_void_p:
        if not pointer:
            raise failure(function)
        return pointer
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
    return lambda found: value(found) and text(found)


def _enum(function: Any) -> Callable[[Any], Any]:
    value, words = _value(function), ENUMS[function.result.partition(".")[2]]
    return lambda number: words[value(number)]


def _dict(function: Any) -> Callable[[Any], Any]:
    pointer = _pointer(function)

    def take(made: c_void_p) -> Any:
        from heed._dict import from_c
        return from_c(pointer(made))
    return take


# By the kind of a result: its ctypes type, and the conversion of the result.
RESULTS: Dict[str, Any] = {
    "tensor": (c_void_p, _tensor), "status": (c_int, _status), "none": (None, _value), "bool": (c_bool, _value),
    "i32": (c_int, _value), "i64": (c_int64, _value), "u64": (c_uint64, _value), "size": (c_size_t, _value),
    "f64": (c_double, _value), "text": (c_char_p, _text), "dict": (None, _dict), "enum": (c_int, _enum),
    "handle": (None, _pointer), "module": (None, _pointer)}


class Borrowed(c_void_p):
    """An address that the library keeps. ctypes returns it unchanged, and not as an int."""


BORROWED = {"heed_generator_default", "heed_generator_use", "heed_loader_dataset", "heed_module_child"}


def restype_of(name: str, result: str) -> Any:
    """ctypes' type of a function's result. An address that the caller must free has a type that frees it."""
    kind, _, of = result.partition(".")
    if kind not in ("handle", "module", "dict"):
        return RESULTS[kind][0]
    return Borrowed if name in BORROWED else owned(f"{of or 'heed_' + kind}_free")


class _Functions:
    """C.heed_softmax: declared on first use."""

    def __getattr__(self, name: str) -> Any:
        result, *arguments = FUNCTIONS[name].split()
        function: Any = getattr(LIBRARY, name)
        function.result, function.names = result, [a.partition(":")[0] for a in arguments]
        function.restype, take = restype_of(name, result), RESULTS[result.partition(".")[0]][1]
        function.argtypes = [kind_of(a.partition(":")[2]) for a in arguments]
        function.take = take(function)
        setattr(self, name, function)
        return function


C: Any = _Functions()
