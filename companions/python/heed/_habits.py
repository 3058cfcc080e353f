"""heed/_habits.py - names of PyTorch and NumPy: methods and functions that heed has under a different name, and what to
write instead of names that heed lacks. heed/_spelling.py has the keywords."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from difflib import get_close_matches
from typing import Any, Callable, Dict, Iterable, Optional

import heed
from heed import _functions as F, _spelling
from heed._convert import as_tensor
from heed._handles import Tensor
from heed._kinds import NUMPY_DTYPES


# -- Functions --------------------------------------------------------------------------------------------------------

def view(x: Tensor, *shape: Any) -> Any:
    return x.reshape(*shape)


def size(x: Tensor, axis: Optional[int] = None) -> Any:
    """The shape, or the size of an axis."""
    return x.shape if axis is None else F.dim(x, axis)


def dim(x: Tensor, axis: Optional[int] = None) -> int:
    """The number of axes, or the size of an axis."""
    return x.ndim if axis is None else F.dim(x, axis)


def converted(dtype: str) -> Callable[[Tensor], Tensor]:
    return lambda x: x if x.dtype == dtype else F.to_dtype(x, dtype)


def to(x: Tensor, *what: Any, dtype: Any = None, device: Any = None, copy: bool = False) -> Tensor:
    """x with the dtype of the arguments, which may be a dtype, a tensor, or the device "cpu"."""
    for given in what:
        if isinstance(given, Tensor):
            dtype = given.dtype
        elif isinstance(given, str) and given.partition(":")[0] in ("cpu", "cuda", "mps") or type(given).__name__ == "device":
            device = given
        else:
            dtype = given
    _spelling.check_neutral(to, "device", device)
    made = x if dtype is None else F.to_dtype(x, dtype)
    return F.clone(x) if copy and made is x else made


def written(name: str) -> Callable[..., Tensor]:
    """x.add_(y) writes x.add(y) to x."""
    def method(x: Tensor, *arguments: Any, **keywords: Any) -> Tensor:
        function = getattr(Tensor, name)
        done: Tensor = x.copy_(function(x, *arguments, **keywords))
        return done
    method.__name__ = name + "_"
    return method


def compared(word: str) -> Callable[[Tensor, Any], Any]:
    return lambda x, y: getattr(as_tensor(x), f"__{word}__")(y)


def requires_grad_(x: Tensor, requires_grad: bool = True) -> Tensor:
    F.set_requires_grad(x, requires_grad)
    return x


def from_numpy(array: Any) -> Tensor:
    """A tensor on the array's memory."""
    return heed.tensor(array, copy=False)


def repeat(x: Tensor, *counts: Any) -> Tensor:
    """x repeated that number of times on every axis. torch: torch.Tensor.repeat"""
    return F.tile(x, heed._indexing.given(counts))


def typed(x: Tensor, *what: Any, **more: Any) -> Tensor:
    if not what and not more:
        raise TypeError("type: without a dtype it has no result here: write x.dtype")
    return to(x, *what, **more)


def filled_(x: Tensor, value: Any) -> Tensor:
    F.fill_(x, value)
    return x


def equal(x: Any, y: Any) -> bool:
    """Whether shapes and all elements are equal. torch: torch.equal"""
    x, y = as_tensor(x), as_tensor(y)
    return x.shape == y.shape and bool((x == y).all())


def rows(tensors: Any) -> Any:
    """numpy.vstack, torch.vstack"""
    return _spelling.FUNCTIONS["concat"]([t[None] if t.ndim < 2 else t for t in map(as_tensor, tensors)], 0)


def columns(tensors: Any) -> Any:
    """numpy.hstack, torch.hstack"""
    parts = list(map(as_tensor, tensors))
    return _spelling.FUNCTIONS["concat"](parts, min(1, parts[0].ndim - 1))


def outer(a: Any, b: Any) -> Any:
    return as_tensor(a).reshape(-1, 1) * as_tensor(b).reshape(-1)


def addmm(x: Any, a: Any, b: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    product = as_tensor(a) @ b
    return (x if beta == 1 else x * beta) + (product if alpha == 1 else product * alpha)


def new(name: str) -> Callable[..., Tensor]:
    """x.new_zeros(2, 3): zeros with the dtype of x."""
    def method(x: Tensor, *size: Any, dtype: Any = None) -> Tensor:
        made: Tensor = getattr(F, name)(heed._indexing.given(size), dtype or x.dtype)
        return made
    return method


# -- Methods of modules -----------------------------------------------------------------------------------------------

def module_to(module: Any, *what: Any, dtype: Any = None, device: Any = None) -> Any:
    """The module itself, if it has that dtype and the device is the CPU."""
    for t in [*module.parameters(), *(t for _, t in module.named_buffers() if t.dtype[0] == "f")]:
        wanted = to(t.detach(), *what, dtype=dtype, device=device).dtype
        if wanted != t.dtype:
            raise TypeError(f"a module keeps the dtype that it was made with, which is {t.dtype}: make it with dtype={wanted!r}")
    return module


def apply(module: Any, function: Callable[[Any], Any]) -> Any:
    """Calls the function with all modules below, then with the module. torch: torch.nn.Module.apply"""
    for part in sorted(module.named_modules(), key=lambda part: -len(part[0].split(".")) if part[0] else 0):
        function(part[1])
    return module


def named_children(module: Any) -> Any:
    """The modules directly below, with their names."""
    found = [(path, part) for path, part in module.named_modules() if path]
    return iter([(path, part) for path, part in found if not any(path.startswith(other + ".") for other, _ in found)])


def submodule(module: Any, path: str) -> Any:
    found = dict(module.named_modules())
    if path not in found:
        raise AttributeError(f"{type(module).__name__} has no module {path!r}: it has {', '.join(filter(None, found))}")
    return found[path]


MODULE_METHODS: Dict[str, Any] = {
    "to": module_to, "cpu": lambda module: module, "float": lambda module: module_to(module, "f32"),
    "double": lambda module: module_to(module, "f64"), "apply": apply, "named_children": named_children,
    "children": lambda module: (part for _, part in named_children(module)), "get_submodule": submodule,
    "get_parameter": lambda module, path: module.find(path), "get_buffer": lambda module, path: module.find(path),
    "register_buffer": lambda module, name, t: module._register(name, heed.nn.Buffer(t)),
    "register_parameter": lambda module, name, p: setattr(module, name, p if isinstance(p, heed.nn.Parameter) else heed.nn.Parameter(p)),
    "add_module": lambda module, name, part: module._register(name, part)}


# -- Names ------------------------------------------------------------------------------------------------------------

def same_names(names: str) -> Dict[str, Any]:
    """Functions of heed under different names: "cat=concat mm=matmul"."""
    return {other: _spelling.FUNCTIONS[name] for other, _, name in (pair.partition("=") for pair in names.split())}


# companions/python/generate/names.py reads the next three.
SAME = ("cat=concat concatenate=concat clip=clamp absolute=abs power=pow multiply=mul subtract=sub divide=div true_divide=div "
        "negative=neg swapaxes=transpose swapdims=transpose expand_dims=unsqueeze mm=matmul mv=matmul dot=matmul amax=max amin=min randperm=permutation "
        "broadcast_to=expand is_grad_enabled=grad_enabled get_num_threads=num_threads")
OWN: Dict[str, Any] = {
    "ravel": lambda x: F.reshape(x, -1), "from_numpy": from_numpy, "dim": dim, "size": size, "is_tensor": lambda x: isinstance(x, Tensor),
    "tensor": heed.tensor, "as_tensor": heed.tensor, "asarray": heed.tensor, "array": heed.tensor, "eq": compared("eq"), "ne": compared("ne"),
    "lt": compared("lt"), "le": compared("le"), "gt": compared("gt"), "ge": compared("ge"), "equal": equal, "outer": outer, "addmm": addmm,
    "hstack": columns, "vstack": rows, "reciprocal": lambda x: 1 / as_tensor(x), "trace": lambda x: F.diagonal(x, 0, 0, 1).sum(),
    "take": lambda x, index: F.reshape(x, -1)[index], "is_floating_point": lambda x: x.dtype[0] == "f", "fill_": filled_,
    "empty_like": lambda x: F.empty(x.shape, x.dtype), "count_nonzero": lambda x: (as_tensor(x) != 0).sum(),
    "fliplr": lambda x: F.flip(x, (1,)), "flipud": lambda x: F.flip(x, (0,))}
CONSTANTS = {**NUMPY_DTYPES, "float": "f32", "double": "f64", "long": "i64", "inf": float("inf"), "nan": float("nan"),
             "pi": 3.141592653589793, "newaxis": None}
FUNCTIONS: Dict[str, Any] = {**same_names(SAME), **{name: _spelling.named(function) for name, function in OWN.items()}}
METHODS: Dict[str, Any] = {
    **{name: FUNCTIONS[name] for name in ("clip", "swapaxes", "ravel", "mm", "mv", "dot", "amax", "amin", "absolute", "size", "dim", "eq", "ne",
                                          "lt", "le", "gt", "ge", "multiply", "divide", "subtract", "equal", "outer", "addmm", "reciprocal",
                                          "trace", "take", "is_floating_point", "broadcast_to", "fill_",
                                          "negative", "true_divide", "swapdims", "count_nonzero", "fliplr", "flipud")},
    **{f"new_{name}": new(name) for name in ("zeros", "ones", "empty")},
    "new_full": lambda x, size, value, dtype=None: F.full(size, value, dtype or x.dtype),
    "new_tensor": lambda x, data, dtype=None: heed.tensor(data, dtype or x.dtype, copy=True),
    "element_size": lambda x: x.itemsize,
    "clamp_min": lambda x, low: _spelling.FUNCTIONS["clamp"](x, min=low), "clamp_max": lambda x, high: _spelling.FUNCTIONS["clamp"](x, max=high),
    "view": view, "float": converted("f32"), "double": converted("f64"), "long": converted("i64"),
    "bool": converted("bool"), "to": to, "type": typed, "astype": lambda x, dtype, copy=True: to(x, dtype, copy=copy), "cpu": lambda x: x,
    "t": lambda x: x.T, "requires_grad_": requires_grad_, "nelement": F.numel, "copy": F.clone, "repeat": repeat,
    "reshape_as": lambda x, y: x.reshape(y.shape), "ndimension": lambda x: x.ndim, "expand_as": lambda x, y: x.expand(y.shape), "view_as": lambda x, y: x.reshape(y.shape), "type_as": lambda x, y: to(x, y),
    "zero_": lambda x: x.copy_(F.zeros_like(x)),
    **{name + "_": written(name) for name in ("add", "sub", "mul", "div", "clamp", "masked_fill", "exp", "sqrt", "relu", "pow", "abs", "neg",
                                             "sigmoid", "tanh", "clip", "square")}}


# -- Names that heed lacks --------------------------------------------------------------------------------------------

ACTIVATION = "the function heed.{}: nn.Sequential takes it as a module, and nn.Function makes one"
SIZES = "nn.{}, with the size of every axis: {}"
INSTEAD: Dict[str, str] = {
    "cuda": "nothing: heed computes on the CPU", "half": 'x.to_dtype("f32")', "data": "x.detach()",
    "device": "nothing: heed computes on the CPU", "backends": "heed.set_num_threads", "functional": "the functions of heed",
    "utils": "heed.data for loaders, heed.optim.clip_grad_norm_ for clipping", "random": "heed.randn, heed.manual_seed",
    "linalg": "heed.solve, heed.inverse, heed.cholesky, heed.norm",
    "distributed": "heed.Comm, heed.DataParallel", "DistributedDataParallel": "heed.DataParallel",
    "iloc": "x[...]", "values": "x.numpy(); max, sort and topk return the values themselves",
    "indices": "x.argmax(axis) for max, return_indices=True for sort and topk", "H": "x.T", "is_cuda": "False: heed computes on the CPU",
    "autograd": "heed.grad, heed.no_grad, heed.detect_anomaly", "autocast": "heed.set_matmul_precision", "amp": "heed.set_matmul_precision",
    "set_grad_enabled": "heed.no_grad or heed.enable_grad", "grad_fn": "heed.explain(x)", "storage": "heed.explain(x)", "Size": "a tuple",
    "data_ptr": "x.numpy().ctypes.data", "detach_": "x = x.detach()", "normal_": "nn.init_normal_(x)", "uniform_": "nn.init_uniform_(x, low, high)",
    "bernoulli_": "x.copy_(heed.bernoulli(p, x.shape))", "apply_": "x.copy_(...)", "map_": "x.copy_(...)", "trunc": "x.sign() * x.abs().floor()",
    "frac": "x - x.sign() * x.abs().floor()", "nan_to_num": "heed.where(heed.isnan(x), 0.0, x)", "var_mean": "x.var(), x.mean()",
    "histc": "numpy.histogram(x, bins)", "isin": "numpy.isin(x, values)", "mode": "numpy.unique(x, return_counts=True)",
    "det": "numpy.linalg.det(x)", "inner": "a @ b.T", "scatter_add": "heed.scatter(x, axis, index, src, reduce='add')",
    "special": "the functions of heed", "func": "heed.grad, heed.jacobian, heed.vjp", "vmap": "an axis for the batch", "jit": "nothing: call the function",
    "byte": 'x.to_dtype("i64")', "short": 'x.to_dtype("i64")', "char": 'x.to_dtype("i64")', "tensordot": "heed.einsum", "kron": "heed.einsum",
    "baddbmm": "x + a @ b", "logspace": "10 ** heed.linspace(first, last, n)", "finfo": "numpy.finfo(numpy.float32)", "real": "x itself",
    "pin_memory": "x itself: heed computes on the CPU", "share_memory_": "x.numpy()", "cov": "numpy.cov(x)", "corrcoef": "numpy.corrcoef(x)",
    "cross": "numpy.cross(x, y)", "dist": "heed.norm(x - y)", "diff": "x[1:] - x[:-1]", "column_stack": "heed.stack(vectors, 1)", "dstack": "heed.stack(ts, 2)",
    "index_add": "heed.scatter_sum", "index_fill": "heed.index_copy", "layout": "x.is_contiguous()",
    "int32": "heed.int64", "int": 'x.to_dtype("i64")', "float16": "heed.float32", "bfloat16": "heed.float32", "LongTensor": 'heed.tensor(data, "i64")',
    "FloatTensor": 'heed.tensor(data, "f32")', "DoubleTensor": 'heed.tensor(data, "f64")', "set_default_dtype": 'dtype="f64" for new tensors',
    "get_default_dtype": '"f32"', "set_printoptions": "numpy.set_printoptions and print(x.numpy())", "use_deterministic_algorithms":
    "nothing: all results are deterministic", "random_split": "dataset.split(fraction)", "param_groups": "optimizer.lr, or group_lr(i) and set_group_lr(i, lr)",
    "get_last_lr": "optimizer.lr", "in_features": "layer.weight.shape", "out_features": "layer.weight.shape", "append": "all layers in the "
    "constructor, or nn.ModuleList", "to_numpy": "x.numpy()", "inference_mode": "heed.no_grad", "compile": "nothing: call the function",
    **{torch: ACTIVATION.format(ours) for torch, ours in {
        "ReLU": "relu", "GELU": "gelu", "SiLU": "silu", "Tanh": "tanh", "Sigmoid": "sigmoid", "Softplus": "softplus", "Mish": "mish",
        "Hardswish": "hardswish", "LeakyReLU": "leaky_relu", "ELU": "elu"}.items()},
    "Softmax": "heed.softmax(x, axis)", "LogSoftmax": "heed.log_softmax(x, axis)", "CrossEntropyLoss": "heed.cross_entropy(logits, labels)",
    "MSELoss": "heed.mse_loss(y_hat, y)", "L1Loss": "heed.l1_loss(y_hat, y)", "NLLLoss": "heed.nll_loss", "BCELoss": "heed.binary_cross_entropy",
    "BCEWithLogitsLoss": "heed.binary_cross_entropy_with_logits", "SmoothL1Loss": "heed.smooth_l1_loss", "HuberLoss": "heed.huber_loss",
    **{f"Conv{d}d": SIZES.format("Conv", f"nn.Conv(3, 8, {shape})") for d, shape in ((1, "(3,)"), (2, "(3, 3)"), (3, "(3, 3, 3)"))},
    **{f"{kind}Pool{d}d": SIZES.format(kind + "Pool", f"nn.{kind}Pool({shape})") for kind in ("Max", "Avg")
       for d, shape in ((1, "(2,)"), (2, "(2, 2)"), (3, "(2, 2, 2)"))},
    **{f"BatchNorm{d}d": "nn.BatchNorm(num_features)" for d in (1, 2, 3)},
    "MultiheadAttention": "nn.MultiHeadAttention", "TransformerEncoderLayer": "nn.TransformerEncoderBlock", "PReLU": "nn.Prelu",
    "TransformerDecoderLayer": "nn.TransformerDecoderBlock", "init": "nn.init_xavier_uniform_, nn.init_kaiming_uniform_",
    "lr_scheduler": "optim.StepSchedule, optim.CosineSchedule and others", "StepLR": "optim.StepSchedule",
    "CosineAnnealingLR": "optim.CosineSchedule", "OneCycleLR": "optim.OneCycleSchedule", "ReduceLROnPlateau": "optim.PlateauSchedule",
    "LambdaLR": "optim.LambdaSchedule", "TensorDataset": "data.Dataset([x, y])", "DataLoader": "data.Loader(dataset, batch_size=64)"}


def lacking(owner: str, name: str, names: Iterable[str], what: str = "") -> AttributeError:
    """The exception for a name that `owner` lacks, with what to write instead."""
    close = get_close_matches(name, [n for n in names if not n.startswith("_")], 3, 0.75)
    instead = INSTEAD.get(name) or " or ".join(close)
    return AttributeError(f"{owner} has no {what}{name!r}" + (f": write {instead}" if instead else ""))


def module_getattr(module: Any) -> Callable[[str], Any]:
    """The module's __getattr__, for names that it lacks."""
    def missing(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{module['__name__']} has no {name!r}")
        raise lacking(module["__name__"], name, module.get("__all__") or module)
    return missing
