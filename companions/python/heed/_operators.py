"""heed/_operators.py - a tensor in expressions: operators, indexing, attributes, conversions. They call the functions
of heed/_functions.py, which are also its methods."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Optional, Tuple

import heed

library: Any = heed  # its modules are loaded later

if TYPE_CHECKING:
    from heed._handles import Tensor


def scalar(x: Any, number: Any) -> Any:
    """A number as a scalar tensor of x's dtype."""
    return library._arrays.tensor(number, "i64") if is_large(x, number) else library._functions.full((), number, x.dtype)


def is_large(x: Any, number: Any) -> bool:
    """Whether x is i64 and the number a whole number that a double may not hold exactly."""
    return isinstance(number, int) and not -2**53 <= number <= 2**53 and x.dtype == "i64"


def number_of(x: Any) -> Any:
    """An int or a float, also of NumPy, as a Python number; None for other types. NumPy's unsigned ints would wrap when
    negated."""
    if isinstance(x, (int, float)):
        return x
    if type(x).__module__ == "numpy" and getattr(x, "ndim", 1) == 0 and x.dtype.kind in "fiub":
        return x.item()
    return None


def operand(x: Any, other: Any) -> Any:
    """The other side of an operator as a tensor: a number has x's dtype, other data as in heed/_convert.py. Returns None
    for other objects, such as texts."""
    number = number_of(other)
    if number is not None:
        return scalar(x, number)
    found = library._convert.as_tensor(other, x.dtype)
    return found if isinstance(found, library.Tensor) else None


def operator(name: str, by_number: Any = None, swapped: bool = False) -> Any:
    """x op other. `by_number` names the function of a tensor and a number, if it exists."""
    def method(x: Any, other: Any) -> Any:
        if not isinstance(other, library.Tensor):
            number = other if type(other) in (float, int) else number_of(other)
            if type(number) is float and library._handles.dtype_of(x) > 1 or type(number) is int and library._handles.dtype_of(x) > 2:
                # i64 or bool and a float: the result is f32; bool and an int: it is i64
                return getattr(library._functions, name)(*((number, x) if swapped else (x, number)))
            if by_number is not None and number is not None:
                try:
                    return by_number(x, number)
                except ValueError:
                    if not is_large(x, number):
                        raise
            other = operand(x, other)
            if other is None:
                return NotImplemented
        function = getattr(library._functions, name)
        return function(other, x) if swapped else function(x, other)
    return method


def comparison(word: str) -> Any:
    def method(x: Any, other: Any) -> Any:
        if not isinstance(other, library.Tensor):
            number = other if type(other) is float else number_of(other)
            if number is not None and not is_large(x, number):
                return library._functions.compare_scalar(x, word, number)
            other = operand(x, other)
            if other is None:
                return NotImplemented
        return library._functions.compare(x, word, other)
    return method


def in_place(name: str) -> Any:
    """x op= other, written to x's own elements; not recorded, and refused if x requires a gradient (heed/tensor.h)."""
    def method(x: Any, other: Any) -> Any:
        result = getattr(type(x), name)(x, other)
        return result if result is NotImplemented else x.copy_(result)
    return method


class Operators:
    __slots__ = ()
    _retained: Any

    def __getattr__(self, name: str) -> Any:
        """For a checker of types: the functions of heed/_functions.py are methods."""
        if name.startswith("_"):
            raise AttributeError(name)
        raise library._habits.lacking("a tensor", name, dir(type(self)))

    __add__ = __radd__ = operator("add", lambda x, c: library._functions.add_scalar(x, c))
    __mul__ = __rmul__ = operator("mul", lambda x, c: library._functions.mul_scalar(x, c))
    __sub__ = operator("sub", lambda x, c: library._functions.add_scalar(x, -c))
    __rsub__ = operator("sub", lambda x, c: library._functions.rsub_scalar(x, c), True)
    __truediv__, __rtruediv__ = operator("div"), operator("div", None, True)
    __floordiv__, __rfloordiv__ = operator("floor_divide"), operator("floor_divide", None, True)
    __mod__, __rmod__ = operator("remainder"), operator("remainder", None, True)
    __matmul__, __rmatmul__ = operator("matmul"), operator("matmul", None, True)
    __pow__ = operator("pow", lambda x, c: library._functions.pow_scalar(x, c))
    __rpow__ = operator("pow", None, True)
    __and__ = __rand__ = operator("logical_and")
    __or__ = __ror__ = operator("logical_or")
    __xor__ = __rxor__ = operator("logical_xor")
    __eq__, __ne__ = comparison("eq"), comparison("ne")
    __lt__, __le__, __gt__, __ge__ = comparison("lt"), comparison("le"), comparison("gt"), comparison("ge")
    __iadd__, __isub__, __imul__, __itruediv__ = map(in_place, ("__add__", "__sub__", "__mul__", "__truediv__"))
    __ifloordiv__, __imod__, __ipow__ = map(in_place, ("__floordiv__", "__mod__", "__pow__"))
    __iand__, __ior__, __ixor__ = map(in_place, ("__and__", "__or__", "__xor__"))
    __hash__ = object.__hash__

    def __neg__(self) -> Any:
        return library._functions.neg(self)

    def __abs__(self) -> Any:
        return library._functions.abs(self)

    def __pos__(self) -> Any:
        return self

    def __invert__(self) -> Any:
        return library._functions.logical_not(self)

    # -- Reading ------------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> Tuple[int, ...]:
        found = library._handles.shape_of(self)
        return tuple(found.dims[:found.rank])

    @property
    def ndim(self) -> int:
        return int(library._handles.shape_of(self).rank)

    @property
    def dtype(self) -> str:
        """ "f32", "f64", "i64" or "bool"."""
        return str(library._kinds.DTYPES[library._handles.dtype_of(self)])

    @property
    def device(self) -> str:
        return "cpu"

    @property
    def itemsize(self) -> int:
        return int(library._arrays.NUMPY_OF[self.dtype].itemsize)

    @property
    def nbytes(self) -> int:
        """The bytes of the elements."""
        return self.itemsize * int(library._functions.numel(self))

    @property
    def mT(self) -> Any:
        """The last two axes swapped."""
        return library._functions.transpose(self, -2, -1)

    @property
    def T(self) -> Any:
        """The axes in the opposite order."""
        return library._functions.permute(self, tuple(reversed(range(self.ndim))))

    def item(self) -> Any:
        """The only element, as a bool, an int or a float."""
        quick, dtype = library._handles, self.dtype
        value = (quick.item_of if dtype[0] == "f" else quick.item_i64_of)(self)
        if quick.error_code():
            raise quick.error()
        return bool(value) if dtype == "bool" else value

    def tolist(self) -> Any:
        return library._arrays.numpy_of(self).tolist()

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    def __index__(self) -> int:
        if self.dtype != "i64":
            raise TypeError(f"a tensor of {self.dtype} is not an index: must be i64 with one element")
        return int(self.item())

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (library._functions.select(self, 0, i) for i in range(len(self)))

    def __format__(self, spec: str) -> str:
        """f"{loss:.4f}" formats the only element."""
        return format(self.item(), spec) if spec else str(self)

    def __contains__(self, number: Any) -> bool:
        return bool(library.any(self == number))

    def __repr__(self) -> str:
        size = library._handles.format_of(self, None, 0) + 1
        buffer = ctypes.create_string_buffer(size)
        library._handles.format_of(self, buffer, size)
        return str(library._library.text(buffer.value))

    # -- Parts --------------------------------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        return library._indexing.get(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        library._indexing.put(self, index, value)

    def copy_(self, source: "Tensor") -> Any:
        """Copies the source's values, broadcast and converted, into this tensor. Returns the tensor itself. Writing is
        not recorded, so a source that requires a gradient is refused, except in heed.no_grad()."""
        quick = library._handles
        in_graph = isinstance(source, library.Tensor) and quick.requires_grad_of(source) and quick.grad_enabled()
        if in_graph and not self.requires_grad:
            raise ValueError("copy_: the source requires a gradient, which writing would lose: compute a new tensor, "
                             "or write its detach(), or write in heed.no_grad()")
        library._call.call(library._call.C.heed_copy_, self, source)
        return self

    def reshape(self, *shape: Any) -> Any:
        return library._functions.reshape(self, library._indexing.given(shape))

    def permute(self, *order: Any) -> Any:
        return library._functions.permute(self, library._indexing.given(order))

    def expand(self, *shape: Any) -> Any:
        return library._pytorch.expand(self, *shape)

    # -- Gradients ----------------------------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        return bool(library._functions.requires_grad(self))

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        library._functions.set_requires_grad(self, wanted)

    @property
    def is_leaf(self) -> bool:
        return bool(library._functions.is_leaf(self))

    @property
    def grad(self) -> Optional["Tensor"]:
        """The gradient that backward passes have accumulated in this leaf, or None before the first; of a result only after
        retain_grad()."""
        own: Optional[Tensor] = getattr(getattr(self, "_retained", None), "grad", None)
        if library._functions.has_grad(self):
            own = library._call.call(library._call.C.heed_grad_of, self)
        return own

    @grad.setter
    def grad(self, gradient: Optional["Tensor"]) -> None:
        if getattr(self, "_retained", None) is not None and gradient is None:
            self._retained.grad = None
        else:
            library._call.call(library._call.C.heed_set_grad, self, gradient)

    def register_hook(self, hook: Callable[["Tensor"], Any]) -> Any:
        """Calls hook(gradient) in every backward pass, once, with the tensor's complete gradient. The hook may return a
        different gradient, which continues instead, but must not write to its argument. It lives as long as the tensor,
        or its graph. Returns an object whose remove() ends this.
        torch: torch.Tensor.register_hook"""
        return library._derivatives.register_hook(self, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[["Tensor"], Any]) -> Any:
        """Calls hook(leaf) at the end of every backward() that has added to the leaf's .grad. Returns an object whose
        remove() ends this. PyTorch calls it during the pass, as soon as .grad is complete.
        torch: torch.Tensor.register_post_accumulate_grad_hook"""
        return library._derivatives.register_post_accumulate_grad_hook(self, hook)

    def retain_grad(self) -> None:
        """Makes backward() also add to the .grad of this tensor if it is a result. This Python object has the gradient.
        torch: torch.Tensor.retain_grad"""
        if (self.is_leaf and self.requires_grad) or self.retains_grad:
            return
        self._retained = library._derivatives.Retained(self)

    @property
    def retains_grad(self) -> bool:
        return getattr(self, "_retained", None) is not None

    def backward(self, grad_output: Optional["Tensor"] = None, *, retain_graph: bool = False, create_graph: bool = False) -> None:
        """Adds the derivatives of this tensor to the .grad of all leaves that it was computed from."""
        library._derivatives.backward(self, dict(grad_output=grad_output, retain_graph=retain_graph, create_graph=create_graph))

    # -- Conversion ---------------------------------------------------------------------------------------------------

    def numpy(self) -> Any:
        """A NumPy array that shares the tensor's memory and keeps it alive. It is read-only if the tensor requires a gradient."""
        return library._arrays.numpy_of(self)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        array = library._arrays.numpy_of(self)
        converted = array if dtype is None else array.astype(dtype, copy=False)
        if copy is False and converted is not array:
            raise ValueError(f"a tensor of {self.dtype} cannot become an array of {dtype} without a copy")
        return converted.copy() if copy and converted is array else converted

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        return library._arrays.by_ufunc(ufunc, method, inputs, keywords)

    def __array_function__(self, function: Any, _: Any, arguments: Any, keywords: Any) -> Any:
        return library._arrays.by_numpy(function, function.__name__, arguments, keywords)

    def __dlpack__(self, *, copy: Optional[bool] = None, **_: Any) -> Any:
        return library._arrays.capsule_of(library._functions.clone(self) if copy else self)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (1, 0)  # the CPU's memory

    def __reduce__(self) -> Any:
        return library._arrays.unpickled, (library._arrays.numpy_of(self).copy(), self.is_leaf and self.requires_grad)


__all__: List[str] = ["Operators"]
