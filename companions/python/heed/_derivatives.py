"""heed/_derivatives.py - gradients of results and of functions, hooks of tensors, gradient checks, and generation of
sequences."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import threading
import weakref
from ctypes import c_bool, c_char, c_double, c_int, c_int64, c_void_p
from functools import wraps
from itertools import count
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from heed._call import C, LIST, Out, call, call_list, call_outs, length
from heed._callbacks import CallbackType, borrowed, lent, of_list, of_step, on_unraisable
from heed._functions import clone, is_leaf
from heed._handles import Handle, Tensor, error, own, requires_grad_of, retain, set_grad_enabled
from heed._kinds import refused
from heed._library import C as LIBRARY, Error, Uncopied, declared

Tensors = Union[Tensor, Sequence[Tensor]]


class no_grad:
    """`with heed.no_grad():` disables recording in this thread. Also works as a decorator."""

    enabled = False

    def __new__(cls, function: Optional[Callable[..., Any]] = None) -> Any:
        """A decorator without parentheses is the decorated function."""
        made = object.__new__(cls)
        made.__init__()  # type: ignore[misc]
        return made if function is None else made(function)

    def __init__(self) -> None:
        self.before: List[bool] = []

    def __enter__(self) -> None:
        self.before.append(set_grad_enabled(self.enabled))

    def __exit__(self, *_: object) -> None:
        set_grad_enabled(self.before.pop())

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def wrapped(*arguments: Any, **keywords: Any) -> Any:
            with type(self)():
                return function(*arguments, **keywords)
        return wrapped


class enable_grad(no_grad):
    """`with heed.enable_grad():` enables recording, also inside no_grad."""

    enabled = True


def listed(tensors: Tensors, what: str) -> List[Tensor]:
    if isinstance(tensors, Tensor):
        return [tensors]
    if not hasattr(tensors, "__iter__"):
        raise TypeError(f"{what} {refused(tensors, 'a tensor or a sequence of tensors')}")
    return list(tensors)


def shaped(found: Sequence[Any], like: Tensors) -> Any:
    """A single result for a single tensor, a tuple for a sequence."""
    return found[0] if isinstance(like, Tensor) else tuple(found)


def grad(outputs: Tensors, inputs: Tensors, grad_outputs: Optional[Tensors] = None, *, retain_graph: bool = False,
         create_graph: bool = False, allow_unused: bool = False) -> Any:
    """The sum over outputs of d output / d input, for every input: a tensor for a tensor, a tuple for a sequence. Does
    not touch .grad. With allow_unused, the result is None for an input that the outputs do not depend on."""
    y, x = listed(outputs, "outputs"), listed(inputs, "inputs")
    g = None if grad_outputs is None else listed(grad_outputs, "grad_outputs")
    if g is not None and len(g) != len(y):
        raise ValueError(f"grad: {len(g)} grad_outputs for {len(y)} outputs")
    found = call_list(C.heed_grad, len(x), y, len(y), x, len(x), LIST,
                      dict(grad_outputs=g, retain_graph=retain_graph, create_graph=create_graph, allow_unused=allow_unused))
    return shaped(found, inputs)


# -- Hooks of tensors -----------------------------------------------------------------------------------------------------

add_hook = declared(LIBRARY, "heed_add_hook", c_int64, c_void_p, c_void_p, c_void_p)
remove_hook = declared(LIBRARY, "heed_remove_hook", c_int, c_void_p, c_int64)
set_hook_free = declared(LIBRARY, "heed_set_hook_free", c_int, c_void_p, c_int64, c_void_p)

HOOKS: Dict[int, Callable[[Tensor], Any]] = {}  # the functions of C's hooks by their `user`; C says when to drop them
_numbers = count(1)


def _run(grad: int, user: int) -> Optional[int]:
    function = HOOKS.get(user)  # None if remove() was called after the graph was freed
    found = None if function is None else function(borrowed(grad))
    return grad if found is None else lent(found)


@on_unraisable
def _drop(user: int, drop: Any = HOOKS.pop) -> None:
    drop(user, None)


OfHook = CallbackType(c_void_p, c_void_p, c_void_p)
OfFree = ctypes.CFUNCTYPE(None, c_void_p)
# Every hook in C has these two functions. A graph may outlive everything else.
_runner, _dropper = OfHook(_run), OfFree(_drop)
for _kept in (_runner, _dropper):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_kept))


class TensorHook(Uncopied):
    """A function that backward passes call with a tensor's complete gradient, until remove() is called. As a context
    manager, it is removed at the end of the `with` block."""

    def __init__(self, t: Tensor, function: Callable[[Tensor], Any], name: str = "register_hook") -> None:
        if not callable(function):
            raise TypeError(f"{name}: hook {refused(function, 'a function of the gradient')}")
        if not requires_grad_of(t):
            raise Error(f"{name}: the tensor requires no gradient: call x.requires_grad_() first")
        # A parameter's Python object may be a temporary one, and a strong reference to a result would keep its graph.
        self._tensor: Any = (lambda: t) if is_leaf(t) else weakref.ref(t)
        self._number = next(_numbers)
        HOOKS[self._number] = function
        try:
            self._id = add_hook(t, _runner, self._number)
            if not self._id or set_hook_free(t, self._id, _dropper):
                raise error()
        except BaseException:
            HOOKS.pop(self._number, None)
            raise

    def remove(self) -> None:
        t, self._tensor = self._tensor(), lambda: None
        HOOKS.pop(self._number, None)
        if t is not None and remove_hook(t, self._id):
            raise error()

    def __enter__(self) -> "TensorHook":
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def __repr__(self) -> str:
        return f"<TensorHook: {getattr(HOOKS.get(self._number), '__name__', 'removed')}>"


class Retained:
    """The gradient of a result whose retain_grad() was called. Its hook is the last one."""

    def __init__(self, t: Tensor) -> None:
        self.grad: Optional[Tensor] = None
        self.last(t)

    def last(self, t: Tensor) -> None:
        self.hook = TensorHook(t, self.add, "retain_grad")

    def add(self, g: Tensor) -> None:
        self.grad = clone(g) if self.grad is None else self.grad + g


def register_hook(t: Tensor, hook: Callable[[Tensor], Any]) -> TensorHook:
    made = TensorHook(t, hook)
    retained: Optional[Retained] = getattr(t, "_retained", None)
    if retained is not None:
        retained.hook.remove()
        retained.last(t)
    return made


_pass = threading.local()  # .done has the leaves that the backward pass of this thread reaches, with their hooks


def register_post_accumulate_grad_hook(t: Tensor, hook: Callable[[Tensor], Any]) -> TensorHook:
    if not is_leaf(t):
        raise Error("register_post_accumulate_grad_hook: the tensor is a result, not a leaf: write register_hook")
    address = t._as_parameter_.value  # a reference to t would keep it alive for ever

    def reached(_: Tensor) -> None:
        done = getattr(_pass, "done", None)
        if done is not None:
            done.append((own(retain(address)), hook))
    return TensorHook(t, reached, "register_post_accumulate_grad_hook")


def backward(y: Tensor, options: Any) -> None:
    before, _pass.done = getattr(_pass, "done", None), []
    try:
        call(C.heed_backward_with, y, options)
        for leaf, hook in _pass.done:
            hook(leaf)
    finally:
        _pass.done = before


# -- Products and matrices of derivatives -----------------------------------------------------------------------------


def vjp(function: Callable[..., Tensor], inputs: Tensors, v: Optional[Tensor] = None, *, create_graph: bool = False) -> Any:
    """(y, v^T J) of y = function(*inputs): the products of v with the Jacobians, one per input."""
    x = listed(inputs, "inputs")
    y, found = call_list(C.heed_vjp, len(x), of_list(function, len(x)), None, x, len(x), v, LIST, dict(create_graph=create_graph))
    return y, shaped(found, inputs)


def jvp(function: Callable[..., Tensor], inputs: Tensors, vectors: Optional[Tensors] = None, *, create_graph: bool = False) -> Any:
    """(y, J v): the derivative of y = function(*inputs) along vectors shaped like the inputs."""
    x = listed(inputs, "inputs")
    return call_outs(C.heed_jvp, of_list(function, len(x)), None, x, len(x), _vectors(vectors, len(x)), Out("out"),
                     dict(create_graph=create_graph))


def hvp(function: Callable[..., Tensor], inputs: Tensors, vectors: Optional[Tensors] = None, *, create_graph: bool = False) -> Any:
    """(y, H v): the product of the Hessian of a one-element y with vectors shaped like the inputs, one per input."""
    x = listed(inputs, "inputs")
    y, found = call_list(C.heed_hvp, len(x), of_list(function, len(x)), None, x, len(x), _vectors(vectors, len(x)), LIST,
                         dict(create_graph=create_graph))
    return y, shaped(found, inputs)


def _vectors(vectors: Optional[Tensors], count: int) -> Any:
    """A C array of the right length, because the C function does not take the length."""
    if vectors is None:
        return None
    v = listed(vectors, "vectors")
    if len(v) != count:
        raise ValueError(f"{len(v)} vectors for {count} inputs")
    return v


def jacobian(function: Callable[..., Tensor], inputs: Tensors, *, create_graph: bool = False) -> Any:
    """(y, J): d y / d input for every input, shaped (y's shape, the input's)."""
    x = listed(inputs, "inputs")
    y, found = call_list(C.heed_jacobian, len(x), of_list(function, len(x)), None, x, len(x), LIST, dict(create_graph=create_graph))
    return y, shaped(found, inputs)


def hessian(function: Callable[..., Tensor], inputs: Tensors, *, create_graph: bool = False) -> Any:
    """(y, H) of a one-element y: H for one input, rows of H_ij for a sequence of inputs."""
    x = listed(inputs, "inputs")
    n = len(x)
    y, found = call_list(C.heed_hessian, n * n, of_list(function, n), None, x, n, LIST, dict(create_graph=create_graph))
    return y, shaped(found, inputs) if isinstance(inputs, Tensor) else tuple(found[i * n:i * n + n] for i in range(n))


class GradcheckResult(ctypes.Structure):
    _fields_ = [("passed", c_bool), ("order", c_int), ("compared", c_int64), ("max_error", c_double), ("input", c_int),
                ("input_index", c_int64), ("output_index", c_int64), ("analytic", c_double), ("numeric", c_double),
                ("report", c_char * 512)]

    def __repr__(self) -> str:
        return f"GradcheckResult(passed={self.passed}, order={self.order}, compared={self.compared}, max_error={self.max_error:.3g})"


def _checked(check: Any, function: Callable[..., Tensor], inputs: Tensors, options: Any) -> GradcheckResult:
    x, result = listed(inputs, "inputs"), GradcheckResult()
    call(check, of_list(function, len(x)), None, x, length(x), options, ctypes.byref(result))
    return result


def gradcheck(function: Callable[..., Tensor], inputs: Tensors, *, eps: float = 0.0, atol: float = 0.0, rtol: float = 0.0,
              random_projection: bool = False, contiguous_only: bool = False, seed: int = 0) -> GradcheckResult:
    """Compares the gradients of function(*inputs) with respect to every f64 input that requires one with finite
    differences. Raises an exception with the position of a difference."""
    return _checked(C.heed_gradcheck, function, inputs, dict(eps=eps, atol=atol, rtol=rtol, random_projection=random_projection,
                                                             contiguous_only=contiguous_only, seed=seed))


def gradgradcheck(function: Callable[..., Tensor], inputs: Tensors, *, eps: float = 0.0, atol: float = 0.0, rtol: float = 0.0,
                  random_projection: bool = False, contiguous_only: bool = False, seed: int = 0) -> GradcheckResult:
    """Checks second derivatives: gradcheck of the gradient."""
    return _checked(C.heed_gradgradcheck, function, inputs, dict(eps=eps, atol=atol, rtol=rtol, random_projection=random_projection,
                                                                 contiguous_only=contiguous_only, seed=seed))


Step = Callable[[Tensor, Optional[Tensor]], Tensor]


def generate(step: Step, prompt: Tensor, max_steps: int, end: int = -1, *, temperature: float = 0.0, top_k: int = 0,
             top_p: float = 0.0, generator: Optional[Handle] = None, min_p: float = 0.0, repetition_penalty: float = 0.0,
             history: Optional[Tensor] = None) -> Tensor:
    """Up to max_steps tokens after a prompt i64 (B, T). step(tokens, rows) returns the logits (B, V) of the next token:
    the first tokens are the prompts, later ones are (B, 1). A sequence is complete at the token `end`; a negative
    value disables it."""
    made: Tensor = call(C.heed_generate, of_step(step), None, prompt, max_steps, end,
                        dict(temperature=temperature, top_k=top_k, top_p=top_p, generator=generator, min_p=min_p,
                             repetition_penalty=repetition_penalty, history=history))
    return made


def beam_search(step: Step, prompt: Tensor, max_steps: int, end: int = -1, *, beams: int = 0,
                length_penalty: float = 0.0, repetition_penalty: float = 0.0,
                history: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
    """The best sequences after every prompt, i64 (B, beams, steps), and their scores, f64 (B, beams). If step(tokens,
    rows) gets rows, i64, sequence i now continues the former sequence rows[i]."""
    found: Tuple[Tensor, Tensor] = call_outs(C.heed_beam_search, of_step(step), None, prompt, max_steps, end,
                                             dict(beams=beams, length_penalty=length_penalty,
                                                  repetition_penalty=repetition_penalty, history=history), Out("out"))
    return found
