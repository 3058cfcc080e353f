"""heed/_habits.py - names of PyTorch and NumPy: methods and functions that heed has under a different name, and what to
write instead of names that heed lacks. heed/_spelling.py has the keywords."""

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


def same_names(names: str) -> Dict[str, Any]:
    """Functions of heed under different names: "cat=concat mm=matmul"."""
    return {other: _spelling.FUNCTIONS[name] for other, _, name in (pair.partition("=") for pair in names.split())}


FUNCTIONS: Dict[str, Any] = {
    **same_names("cat=concat concatenate=concat clip=clamp absolute=abs power=pow multiply=mul subtract=sub divide=div true_divide=div "
                 "negative=neg swapaxes=transpose expand_dims=unsqueeze mm=matmul dot=matmul amax=max amin=min"),
    **{name: _spelling.named(function) for name, function in {
        "ravel": lambda x: F.reshape(x, -1), "from_numpy": from_numpy, "dim": dim, "size": size, "is_tensor": lambda x: isinstance(x, Tensor),
        **{word: heed.tensor for word in ("tensor", "as_tensor", "asarray", "array")},
        **{word: compared(word) for word in ("eq", "ne", "lt", "le", "gt", "ge")}}.items()}}
METHODS: Dict[str, Any] = {
    **{name: FUNCTIONS[name] for name in ("clip", "swapaxes", "ravel", "mm", "dot", "amax", "amin", "absolute", "size", "dim", "eq", "ne",
                                          "lt", "le", "gt", "ge", "multiply", "divide", "subtract")},
    "view": view, "float": converted("f32"), "double": converted("f64"), "long": converted("i64"),
    "bool": converted("bool"), "to": to, "type": to, "astype": lambda x, dtype, copy=True: to(x, dtype, copy=copy), "cpu": lambda x: x,
    "t": lambda x: x.T, "requires_grad_": requires_grad_, "nelement": F.numel, "copy": F.clone, "repeat": repeat,
    "expand_as": lambda x, y: x.expand(y.shape), "view_as": lambda x, y: x.reshape(y.shape), "type_as": lambda x, y: to(x, y),
    "zero_": lambda x: x.copy_(F.zeros_like(x)),
    **{name + "_": written(name) for name in ("add", "sub", "mul", "div", "clamp", "masked_fill", "exp", "sqrt", "relu", "pow")}}
CONSTANTS = {**NUMPY_DTYPES, "float": "f32", "double": "f64", "long": "i64", "inf": float("inf"), "nan": float("nan"),
             "pi": 3.141592653589793, "newaxis": None}


# -- Names that heed lacks --------------------------------------------------------------------------------------------

ACTIVATION = "the function heed.{}: nn.Sequential takes it as a module, and nn.Function makes one"
SIZES = "nn.{}, with the size of every axis: {}"
INSTEAD: Dict[str, str] = {
    "cuda": "nothing: heed computes on the CPU", "half": 'x.to_dtype("f32")', "int": 'x.to_dtype("i64")', "data": "x.detach()",
    "device": "nothing: heed computes on the CPU", "backends": "heed.set_num_threads", "functional": "the functions of heed",
    "utils": "heed.data for loaders, heed.optim.clip_grad_norm_ for clipping", "random": "heed.randn, heed.manual_seed",
    "linalg": "heed.solve, heed.inverse, heed.cholesky, heed.norm",
    "distributed": "heed.Comm, heed.DataParallel", "DistributedDataParallel": "heed.DataParallel",
    "iloc": "x[...]", "values": "x.numpy()", "to_numpy": "x.numpy()", "inference_mode": "heed.no_grad", "compile": "nothing: call the function",
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


def lacking(owner: str, name: str, names: Iterable[str]) -> AttributeError:
    """The exception for a name that `owner` lacks, with what to write instead."""
    close = get_close_matches(name, [n for n in names if not n.startswith("_")], 3, 0.75)
    instead = INSTEAD.get(name) or " or ".join(close)
    return AttributeError(f"{owner} has no {name!r}" + (f": write {instead}" if instead else ""))


def module_getattr(module: Any) -> Callable[[str], Any]:
    """The module's __getattr__, for names that it lacks."""
    def missing(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{module['__name__']} has no {name!r}")
        raise lacking(module["__name__"], name, module.get("__all__") or module)
    return missing
