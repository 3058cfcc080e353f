"""heed/_dict.py - named tensors, as in modules and files: Python dicts, with the texts of a file."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from ctypes import c_char_p, c_int64, c_void_p
from typing import Any, Dict, Mapping

from heed._call import C, call
from heed._handles import Handle, Tensor, own, retain
from heed._library import C as LIBRARY, declared, owned, QUICK, text
from heed._kinds import KINDS, Kind

size_of = declared(QUICK, "heed_dict_size", c_int64, c_void_p)
name_at = declared(QUICK, "heed_dict_name", c_char_p, c_void_p, c_int64)
tensor_at = declared(QUICK, "heed_dict_at", c_void_p, c_void_p, c_int64)
text_count = declared(QUICK, "heed_dict_text_count", c_int64, c_void_p)
text_key = declared(QUICK, "heed_dict_text_key", c_char_p, c_void_p, c_int64)
text_of = declared(QUICK, "heed_dict_text", c_char_p, c_void_p, c_char_p)
new = declared(LIBRARY, "heed_dict_new", owned("heed_dict_free"))


class State(Dict[str, Tensor]):
    """Tensors by their names, in order; `texts` are named metadata."""

    def __init__(self, tensors: Mapping[str, Tensor] = {}, texts: Mapping[str, str] = {}) -> None:
        super().__init__(tensors)
        self.texts: Dict[str, str] = dict(texts)


class CDict(Handle):
    _C = "heed_dict"


def to_c(tensors: Mapping[str, Tensor]) -> CDict:
    made = CDict._of(new())
    for name, tensor in tensors.items():
        call(C.heed_dict_set, made, name, tensor)
    for key, words in getattr(tensors, "texts", {}).items():
        call(C.heed_dict_set_text, made, key, words)
    return made


def from_c(pointer: c_void_p) -> State:
    """The dict's tensors and texts; the C dict is freed."""
    made = CDict._of(pointer)
    state = State()
    for i in range(size_of(made)):
        state[text(name_at(made, i))] = own(retain(tensor_at(made, i)))
    for i in range(text_count(made)):
        key = text_key(made, i)
        state.texts[text(key)] = text(text_of(made, key))
    return state


def load_into(function: Any, target: Any, state: Any, **options: Any) -> Dict[str, str]:
    """Loads a state; returns the names of the skipped entries, and why they were skipped."""
    skipped = CDict._of(new())
    call(function, target, state, dict(options, skipped=skipped))
    keys = [text_key(skipped, i) for i in range(text_count(skipped))]
    return {text(key): text(text_of(skipped, key)) for key in keys}


class DictKind(Kind):
    def from_param(self, x: Any) -> Any:
        if x is None or isinstance(x, CDict):
            return x
        if not isinstance(x, Mapping):
            raise TypeError(f"must be a dict of tensors, not {type(x).__name__}")
        made = to_c(x)
        pointer: Any = c_void_p(made._as_parameter_.value)
        pointer.kept = made  # ctypes keeps the pointer, and no more
        return pointer

    def field(self, x: Any) -> Any:
        given = self.from_param(x)
        return given._as_parameter_ if isinstance(given, CDict) else given


KINDS["dict"] = DictKind()
