"""heed/_spelling.py - calls with the names, the order and the defaults of PyTorch's and NumPy's arguments.

A function is first called as it is. If its arguments do not fit, PyTorch's signature in heed/_pytorch.py, or a different
name of a keyword, may fit. So a call with heed's own arguments keeps its speed, except for one Python call."""

from functools import lru_cache, wraps
from inspect import Signature, signature
from typing import Any, Callable, Dict, Optional, Tuple

import heed
from heed import _functions as F, _lists as L, _pytorch
from heed._call import bare
from heed._handles import Tensor

# Names of keywords in PyTorch and NumPy, and their names here. "" is the first argument.
NAMES = {"axis": ("axes", "dim", "dims"), "dim": ("axis", "axes"), "dims": ("axes", "axis", "repeats", "order"),
         "keepdims": ("keepdim",), "input": ("",), "a": ("",), "other": ("b", "other"), "size": ("shape",),
         "fill_value": ("value",), "dim0": ("axis_a",), "dim1": ("axis_b",), "end": ("stop",), "steps": ("n",),
         "num": ("n",), "chunks": ("n",), "diagonal": ("offset",), "k": ("offset", "diagonal"),
         "minlength": ("min_length",), "ddof": ("correction",), "source": ("src",), "weight": ("w", "slope"),
         "bias": ("b",), "normalized_shape": ("shape",), "num_groups": ("groups",), "upscale_factor": ("factor",),
         "downscale_factor": ("factor",), "num_samples": ("count",), "num_classes": ("classes",),
         "split_size_or_sections": ("size",), "target": ("targets",), "shifts": ("shift",), "reps": ("repeats",),
         "a_min": ("low",), "a_max": ("high",), "ord": ("p",), "newshape": ("shape",)}
# Keywords without an effect if they have one of these values, and the advice for other values.
NEUTRAL = {"out": (("None",), "write y.copy_(heed.{}(...))"), "inplace": (("False",), "write x = heed.{}(x)"),
           "device": (("None", "cpu"), "heed computes on the CPU: leave it out"),
           "layout": (("None", "torch.strided"), "heed has no other layouts: leave it out"),
           "pin_memory": (("None", "False"), "leave it out"), "memory_format": (("None",), "write heed.contiguous(x)"),
           "stable": (("None", "False", "True"), ""), "size_average": (("None",), "write reduction='mean', 'sum' or 'none'"),
           "reduce": (("None",), "write reduction='mean', 'sum' or 'none'"), "sparse": (("False",), "heed's gradients are dense: leave it out"),
           "sparse_grad": (("False",), "heed's gradients are dense: leave it out"), "antialias": (("False",), "leave it out"),
           "scale_grad_by_freq": (("False",), "leave it out"), "max_norm": (("None",), "write the scaled rows to the weight"),
           "norm_type": (("2.0", "2"), "leave it out")}
CONVERTED = {"sum", "mean", "prod", "nansum", "nanmean", "cumsum", "cumprod", "softmax", "log_softmax", "norm", "var", "std"}
NEW = {"zeros", "ones", "full", "empty", "eye", "rand", "randn", "randint", "normal", "arange", "linspace", "zeros_like", "ones_like",
       "full_like", "rand_like", "randn_like"}

signature_of: Callable[[Any], Signature] = lru_cache(maxsize=None)(signature)


@lru_cache(maxsize=1024)
def plan(function: Any, count: int, names: Tuple[str, ...]) -> Any:
    """For a call with `count` arguments and keywords of these names: the function that accepts them, PyTorch's or the same
    one, its names of the keywords, and the neutral keywords that it lacks. None if neither accepts them."""
    for candidate in (getattr(_pytorch, function.__name__, None), function):
        if candidate is None:
            continue
        own, given, neutral = list(signature_of(candidate).parameters), {}, []
        for name in names:
            if name not in own and name in NEUTRAL:
                neutral.append(name)
                continue
            here = [other or own[0] for other in NAMES.get(name, ()) if (other or own[0]) in own]
            given[name] = here[0] if name not in own and here else name
        try:
            signature_of(candidate).bind(*range(count), **dict.fromkeys(given.values()))
        except TypeError:
            continue
        return candidate, given, neutral
    return None


def check_neutral(function: Any, name: str, value: Any) -> None:
    allowed, instead = NEUTRAL[name]
    if str(value) not in allowed:
        raise TypeError(f"{function.__name__}: {name}={value!r}: {instead.format(function.__name__)}")


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
    takes_tensor = first.annotation is Tensor and first.kind is first.POSITIONAL_OR_KEYWORD
    try:
        return tuple(a if isinstance(a, Tensor) or not hasattr(a, "__dlpack__") and (i or a is None or not takes_tensor)
                     else heed.tensor(a) for i, a in enumerate(arguments))
    except (TypeError, ValueError):
        raise _pytorch.Unfit from None


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
    except (_pytorch.Unfit, AttributeError):  # not PyTorch's arguments, or no tensor
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


def spelled(function: Any) -> Any:
    code = function.__code__
    own = frozenset(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])  # faster than signature

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if keywords and not keywords.keys() <= own:
            return respelled(function, arguments, keywords, None)
        try:
            return function(*arguments, **keywords)
        except (TypeError, ValueError) as wrong:
            return respelled(function, arguments, keywords, bare(wrong))
    return call


# The public functions. heed and the methods of heed.Tensor use the same objects.
FUNCTIONS: Dict[str, Any] = {name: spelled(getattr(L, name, None) or getattr(F, name)) for name in (*F.__all__, *L.__all__)}
