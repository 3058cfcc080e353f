"""heed/_spelling.py - calls with the names, the order and the defaults of PyTorch's and NumPy's arguments.

A function is first called as it is. If its arguments do not fit, PyTorch's signature in heed/_pytorch.py, or a different
name of a keyword, may fit. So a call with heed's own arguments keeps its speed, except for one Python call."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from functools import lru_cache, wraps
from inspect import CO_VARARGS, Signature, signature
from sys import maxsize
from typing import Any, Callable, Dict, FrozenSet, Optional, Tuple

from heed import _functions as F, _lists as L, _pytorch
from heed._call import bare
from heed._convert import as_tensor
from heed._handles import Data, Tensor
from heed._promotion import Unfit

# Names of keywords in PyTorch and NumPy, and their names here. "" is the first argument.
NAMES = {"axis": ("axes", "dim", "dims"), "dim": ("axis", "axes"), "dims": ("axes", "axis", "repeats", "order"),
         "keepdims": ("keepdim",), "input": ("",), "a": ("",), "other": ("b", "other"), "size": ("shape",),
         "fill_value": ("value",), "dim0": ("axis_a",), "dim1": ("axis_b",), "end": ("stop",), "steps": ("n",),
         "num": ("n",), "chunks": ("n",), "diagonal": ("offset",), "k": ("offset", "diagonal"),
         "minlength": ("min_length",), "ddof": ("correction",), "source": ("src",), "weight": ("w", "slope"),
         "bias": ("b",), "normalized_shape": ("shape",), "num_groups": ("groups",), "upscale_factor": ("factor",),
         "downscale_factor": ("factor",), "num_samples": ("count",), "num_classes": ("classes",),
         "split_size_or_sections": ("size",), "target": ("targets",), "shifts": ("shift",), "reps": ("repeats",),
         "a_min": ("low",), "a_max": ("high",), "ord": ("p",), "newshape": ("shape",), "negative_slope": ("slope",),
         "min_val": ("low",), "max_val": ("high",), "input1": ("a",), "input2": ("b",), "start_dim": ("start_axis",),
         "end_dim": ("end_axis",), "in_features": ("in_",), "in_channels": ("in_",), "out_features": ("out",), "out_channels": ("out",),
         "num_embeddings": ("count",), "embedding_dim": ("dim",), "elementwise_affine": ("affine",), "embed_dim": ("hidden_size",)}
# Keywords without an effect if they have one of these values, and the advice for other values.
NEUTRAL = {"out": (("None",), "write y.copy_(heed.{}(...))"), "inplace": (("False",), "write x = heed.{}(x)"),
           "device": (("None", "cpu", "cpu:0"), "heed computes on the CPU: leave it out"),
           "layout": (("None", "torch.strided"), "heed has no other layouts: leave it out"),
           "pin_memory": (("None", "False"), "leave it out"), "memory_format": (("None",), "write heed.contiguous(x)"),
           "stable": (("None", "False", "True"), ""), "size_average": (("None",), "write reduction='mean', 'sum' or 'none'"),
           "reduce": (("None",), "write reduction='mean', 'sum' or 'none'"), "sparse": (("False",), "heed's gradients are dense: leave it out"),
           "sparse_grad": (("False",), "heed's gradients are dense: leave it out"), "antialias": (("False",), "leave it out"),
           "scale_grad_by_freq": (("False",), "leave it out"), "max_norm": (("None",), "write the scaled rows to the weight"),
           "norm_type": (("2.0", "2"), "leave it out"), "persistent_workers": (("False",), "leave it out"),
           "num_workers": (("0",), "write readers=... for data in files; data in memory needs no workers: leave it out"),
           "generator": (("None",), "write generator.{}(...)"), "non_blocking": (("False", "True"), "")}
CONVERTED = {"sum", "mean", "prod", "nansum", "nanmean", "cumsum", "cumprod", "softmax", "log_softmax", "norm", "var", "std"}
NEW = {"zeros", "ones", "full", "empty", "eye", "rand", "randn", "randint", "normal", "arange", "linspace", "zeros_like", "ones_like",
       "full_like", "rand_like", "randn_like"}

signature_of: Callable[[Any], Signature] = lru_cache(maxsize=None)(signature)


@lru_cache(maxsize=1024)
def plan(function: Any, count: int, names: Tuple[str, ...]) -> Any:
    """For a call with `count` arguments and keywords of these names: the function that accepts them, PyTorch's or the same
    one, its names of the keywords, and the neutral keywords that it lacks. None if neither accepts them."""
    for candidate in (vars(_pytorch).get(function.__name__), function):
        if candidate is None:
            continue
        own, given, neutral = list(signature_of(candidate).parameters), {}, []
        for name in names:
            if name not in own and name in NEUTRAL:
                neutral.append(name)
                continue
            here = [other or own[0] for other in NAMES.get(name, ()) if (other or own[0]) in own]
            given[name] = here[0] if name not in own and here else name
        twice = next(([a, b] for a in given for b in given if a < b and given[a] == given[b]), None)
        if twice:
            raise TypeError(f"{called(function)}: {twice[1]} and {twice[0]} are given: must be one of them")
        try:
            signature_of(candidate).bind(*range(count), **dict.fromkeys(given.values()))
        except TypeError:
            continue
        return candidate, given, neutral
    return None


def called(function: Any) -> str:
    return str(function.__qualname__.removesuffix(".__init__"))


def check_neutral(function: Any, name: str, value: Any) -> None:
    allowed, instead = NEUTRAL[name]
    if str(value) not in allowed:
        raise TypeError(f"{called(function)}: {name}={value!r}: {instead.format(called(function))}")


def fitting(function: Any, arguments: Tuple[Any, ...], keywords: Dict[str, Any]) -> Any:
    """The function that accepts these arguments, with its keywords. Without one, the same function and keywords."""
    found = plan(function, len(arguments), tuple(keywords))
    if found is None:
        return function, keywords
    candidate, names, neutral = found
    for name in neutral:
        check_neutral(function, name, keywords[name])
    return candidate, {here: keywords[name] for name, here in names.items()}


def as_vectors(function: Any, arguments: Tuple[Any, ...], keywords: Dict[str, Any]) -> Any:
    """The call with scalar tensors as vectors of one element: in PyTorch a scalar has an axis 0."""
    results = function(*(F.reshape(a, 1) if is_scalar(a) else a for a in arguments), **keywords)
    if function.__name__ == "gather" and not is_scalar(arguments[-1]):  # the result has the shape of the index
        return results
    return tuple(F.reshape(y, ()) for y in results) if isinstance(results, tuple) else F.reshape(results, ())


def is_scalar(x: Any) -> bool:
    return isinstance(x, Tensor) and not x.ndim


def as_tensors(function: Any, arguments: Tuple[Any, ...]) -> Tuple[Any, ...]:
    """The arguments with arrays as tensors, and with a list or number as a tensor if the first argument is one."""
    first = next(iter(signature_of(function).parameters.values()))
    takes_tensor = first.annotation in (Tensor, Data) and first.kind is first.POSITIONAL_OR_KEYWORD
    try:
        return tuple(as_tensor(a) if hasattr(a, "__dlpack__") or takes_tensor and not i else a for i, a in enumerate(arguments))
    except (TypeError, ValueError):
        raise Unfit from None


def respelled(function: Any, arguments: Tuple[Any, ...], keywords: Dict[str, Any], wrong: Optional[BaseException]) -> Any:
    """The result of a call that does not fit as it is. `wrong` is the error of that call, if it was tried."""
    given, name = dict(keywords), function.__name__
    wants_grad = given.pop("requires_grad", False) if name in NEW else False
    dtype = given.pop("dtype", None) if name in CONVERTED and arguments else None
    candidate, given = fitting(function, arguments, given)
    try:
        if wrong is not None and candidate is function and given == keywords:
            raise wrong
        arguments = as_tensors(function, arguments)
        if dtype is not None:
            arguments = (F.to_dtype(arguments[0], dtype), *arguments[1:])
        result = candidate(*arguments, **given)
        result = result if dtype is None else F.to_dtype(result, dtype)
        return F.set_requires_grad(result, True) if wants_grad else result
    except (Unfit, AttributeError):  # not PyTorch's arguments, or no tensor
        candidate, given = function, keywords
    except (TypeError, ValueError) as still_wrong:
        wrong = bare(still_wrong)
    try:
        if wrong is None:
            return function(*arguments, **keywords)  # raises the error
        if isinstance(wrong, ValueError) and "a tensor of rank 0" in str(wrong) and is_scalar(arguments[0]):
            return as_vectors(candidate, arguments, given)
        raise wrong from None
    finally:
        del wrong  # whose traceback has this frame


def own_names(function: Any) -> FrozenSet[str]:
    """The names of the parameters. It is faster than signature."""
    code = function.__code__
    return frozenset(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])


def with_betas(function: Any, betas: Any, **others: Any) -> Dict[str, Any]:
    """Adam's and Lion's betas=(0.9, 0.999). heed's beta1 of 0 is the default."""
    for name in sorted({"beta1", "beta2", "no_momentum"} & set(others)):
        raise TypeError(f"{called(function)}: betas and {name} are given: must be one of them")
    beta1, beta2 = betas
    if not beta2:
        raise ValueError(f"betas is {betas}: beta2 must be above 0")
    return {**others, "beta2": beta2, **({"beta1": beta1} if beta1 else {"no_momentum": True})}


def named(function: Any) -> Any:
    """A constructor or a function by hand, which also takes the names of PyTorch's and NumPy's keywords."""
    own, code = own_names(function), function.__code__
    most = code.co_argcount if not code.co_flags & CO_VARARGS else maxsize
    by_name = code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if len(arguments) > most and by_name:
            raise TypeError(f"{called(function)}: options are keywords: write {by_name[0]}={arguments[most]!r}")
        if keywords and not keywords.keys() <= own:
            if "betas" in keywords and "beta2" in own:
                keywords = with_betas(function, **keywords)
            keywords = fitting(function, arguments, keywords)[1]
        return function(*arguments, **keywords)
    return call


def spelled(function: Any) -> Any:
    own = own_names(function)

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if keywords and not keywords.keys() <= own:
            return respelled(function, arguments, keywords, None)
        try:
            return function(*arguments, **keywords)
        except (TypeError, ValueError) as wrong:
            return respelled(function, arguments, keywords, bare(wrong))
    call.__module__ = "heed"  # where pickle finds it
    return call


# The public functions. heed and the methods of heed.Tensor use the same objects.
FUNCTIONS: Dict[str, Any] = {name: spelled(getattr(L, name, None) or getattr(F, name)) for name in (*F.__all__, *L.__all__)}
