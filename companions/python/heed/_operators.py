"""heed/_operators.py - a tensor in expressions: operators, indexing, attributes, conversions. They call the functions
of heed/_functions.py, which are also its methods."""

from typing import TYPE_CHECKING, Any, Iterator, List, Optional, Tuple

import heed

if TYPE_CHECKING:
    from heed._handles import Tensor


def scalar(x: Any, number: Any) -> Any:
    """A number as a scalar tensor of x's dtype."""
    return heed._arrays.tensor(number, "i64") if is_large(x, number) else heed._functions.full((), number, x.dtype)


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


def operator(name: str, by_number: Any = None, swapped: bool = False) -> Any:
    """x op other, for a tensor or a number. `by_number` names the function of a tensor and a number, if it exists."""
    def method(x: Any, other: Any) -> Any:
        if not isinstance(other, heed.Tensor):
            if type(other) is float and heed._handles.dtype_of(x) > 1:  # i64 or bool: the result is f32
                return getattr(heed._functions, name)(*((other, x) if swapped else (x, other)))
            if by_number is not None and type(other) in (float, int):
                try:
                    return by_number(x, other)
                except ValueError:
                    if not is_large(x, other):
                        raise
            number = number_of(other)
            if number is None:
                return NotImplemented
            if by_number is not None and not is_large(x, number):
                return by_number(x, number)
            other = scalar(x, number)
        function = getattr(heed._functions, name)
        return function(other, x) if swapped else function(x, other)
    return method


def comparison(word: str) -> Any:
    def method(x: Any, other: Any) -> Any:
        if not isinstance(other, heed.Tensor):
            number = other if type(other) is float else number_of(other)
            if number is None:
                return NotImplemented
            if not is_large(x, number):
                return heed._functions.compare_scalar(x, word, number)
            other = scalar(x, number)
        return heed._functions.compare(x, word, other)
    return method


def in_place(name: str) -> Any:
    """x op= other, written to x's own elements; not recorded, and refused if x requires a gradient (heed/tensor.h)."""
    def method(x: Any, other: Any) -> Any:
        result = getattr(type(x), name)(x, other)
        return result if result is NotImplemented else x.copy_(result)
    return method


class Operators:
    __slots__ = ()
    if TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any:  # the functions of heed/_functions.py as methods
            ...
    __array_ufunc__ = None  # so that array + tensor calls the tensor

    __add__ = __radd__ = operator("add", lambda x, c: heed._functions.add_scalar(x, c))
    __mul__ = __rmul__ = operator("mul", lambda x, c: heed._functions.mul_scalar(x, c))
    __sub__ = operator("sub", lambda x, c: heed._functions.add_scalar(x, -c))
    __rsub__ = operator("sub", lambda x, c: heed._functions.rsub_scalar(x, c), True)
    __truediv__, __rtruediv__ = operator("div"), operator("div", None, True)
    __floordiv__, __rfloordiv__ = operator("floor_divide"), operator("floor_divide", None, True)
    __mod__, __rmod__ = operator("remainder"), operator("remainder", None, True)
    __matmul__ = operator("matmul")
    __and__ = __rand__ = operator("logical_and")
    __or__ = __ror__ = operator("logical_or")
    __xor__ = __rxor__ = operator("logical_xor")
    __eq__, __ne__ = comparison("eq"), comparison("ne")
    __lt__, __le__, __gt__, __ge__ = comparison("lt"), comparison("le"), comparison("gt"), comparison("ge")
    __iadd__, __isub__, __imul__, __itruediv__ = map(in_place, ("__add__", "__sub__", "__mul__", "__truediv__"))
    __hash__ = object.__hash__

    def __pow__(self, power: Any) -> Any:
        number = number_of(power)
        return NotImplemented if number is None else heed._functions.pow_scalar(self, number)

    def __neg__(self) -> Any:
        return heed._functions.neg(self)

    def __abs__(self) -> Any:
        return heed._functions.abs(self)

    def __invert__(self) -> Any:
        return heed._functions.logical_not(self)

    # -- Reading ------------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> Tuple[int, ...]:
        found = heed._handles.shape_of(self)
        return tuple(found.dims[:found.rank])

    @property
    def ndim(self) -> int:
        return int(heed._handles.shape_of(self).rank)

    @property
    def dtype(self) -> str:
        """ "f32", "f64", "i64" or "bool"."""
        return heed._kinds.DTYPES[heed._handles.dtype_of(self)]

    @property
    def T(self) -> Any:
        """The axes in the opposite order."""
        return heed._functions.permute(self, tuple(reversed(range(self.ndim))))

    def item(self) -> Any:
        """The only element, as a bool, an int or a float."""
        quick, dtype = heed._handles, self.dtype
        value = (quick.item_of if dtype[0] == "f" else quick.item_i64_of)(self)
        if quick.error_code():
            raise quick.error()
        return bool(value) if dtype == "bool" else value

    def tolist(self) -> Any:
        return heed._arrays.numpy_of(self).tolist()

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
        return (heed._functions.select(self, 0, i) for i in range(len(self)))

    def __contains__(self, number: Any) -> bool:
        return bool(heed.any(self == number))

    def __repr__(self) -> str:
        size = heed._handles.format_of(self, None, 0) + 1
        buffer = heed._handles.ctypes.create_string_buffer(size)
        heed._handles.format_of(self, buffer, size)
        return heed._library.text(buffer.value)

    # -- Parts --------------------------------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        return heed._indexing.get(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        part, number = heed._indexing.get(self, index, views_only=True), number_of(value)
        if number is not None and self.dtype[0] == "f":
            value = scalar(self, number)
        part.copy_(value if isinstance(value, heed.Tensor) else heed.tensor(value, self.dtype))

    def copy_(self, source: "Tensor") -> Any:
        """Copies the source's values, broadcast and converted, into this tensor. Returns the tensor itself. Writing is
        not recorded, so a source that requires a gradient is refused, except in heed.no_grad()."""
        quick = heed._handles
        in_graph = isinstance(source, heed.Tensor) and quick.requires_grad_of(source) and quick.grad_enabled()
        if in_graph and not self.requires_grad:
            raise ValueError("copy_: the source requires a gradient, which writing would lose: compute a new tensor, "
                             "or write its detach(), or write in heed.no_grad()")
        heed._call.call(heed._call.C.heed_copy_, self, source)
        return self

    def reshape(self, *shape: Any) -> Any:
        return heed._functions.reshape(self, heed._indexing.given(shape))

    def permute(self, *order: Any) -> Any:
        return heed._functions.permute(self, heed._indexing.given(order))

    def expand(self, *shape: Any) -> Any:
        return heed._functions.expand(self, heed._indexing.given(shape))

    # -- Gradients ----------------------------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        return bool(heed._functions.requires_grad(self))

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        heed._functions.set_requires_grad(self, wanted)

    @property
    def is_leaf(self) -> bool:
        return bool(heed._functions.is_leaf(self))

    @property
    def grad(self) -> Optional["Tensor"]:
        """The gradient that backward passes have accumulated in this leaf, or None before the first."""
        return heed._call.call(heed._call.C.heed_grad_of, self) if heed._functions.has_grad(self) else None

    @grad.setter
    def grad(self, gradient: Optional["Tensor"]) -> None:
        heed._call.call(heed._call.C.heed_set_grad, self, gradient)

    def backward(self, grad_output: Optional["Tensor"] = None, *, retain_graph: bool = False, create_graph: bool = False) -> None:
        """Adds the derivatives of this tensor to the .grad of all leaves that it was computed from."""
        heed._call.call(heed._call.C.heed_backward_with, self,
                        dict(grad_output=grad_output, retain_graph=retain_graph, create_graph=create_graph))

    # -- Conversion ---------------------------------------------------------------------------------------------------

    def numpy(self) -> Any:
        """A NumPy array that shares the tensor's memory and keeps it alive. It is read-only if the tensor requires a gradient."""
        return heed._arrays.numpy_of(self)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        array = heed._arrays.numpy_of(self)
        converted = array if dtype is None else array.astype(dtype, copy=False)
        if copy is False and converted is not array:
            raise ValueError(f"a tensor of {self.dtype} cannot become an array of {dtype} without a copy")
        return converted.copy() if copy and converted is array else converted

    def __dlpack__(self, *, copy: Optional[bool] = None, **_: Any) -> Any:
        return heed._arrays.capsule_of(heed._functions.clone(self) if copy else self)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (1, 0)  # the CPU's memory

    def __reduce__(self) -> Any:
        return heed._arrays.unpickled, (heed._arrays.numpy_of(self).copy(), self.is_leaf and self.requires_grad)


__all__: List[str] = ["Operators"]
