"""heed/nn.py - layers and user-defined modules.

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(784, 256), heed.relu, nn.Linear(256, 10))
            self.scale = nn.Parameter(heed.ones(1))

        def forward(self, x):
            return self.body(x) * self.scale
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from typing import Any, Iterable, Iterator, Mapping

from heed import _classes, _functions
from heed._call import C, call
from heed._classes import *  # noqa: F401,F403
from heed._classes import Residual as _Residual, Sequential as _Sequential
from heed._callbacks import Activation
from heed._kinds import KINDS
from heed._module import Buffer as Buffer, Head, Module as Module, Parameter as Parameter, type_name


class Function(_classes.Function):
    """A module that calls a function of one tensor: heed.relu or a Python function. Messages use its name."""

    def __init__(self, function: Any, name: str = "") -> None:
        activation = Activation(function)
        name = name or (function if isinstance(function, str) else getattr(function, "__name__", "function").strip("<>"))
        self._make(C.heed_nn_function_new, type_name(name), activation)
        self._recipe = "__init__", (function, name)


def _modules(parts: Any) -> Any:
    """Converts functions to modules. Checks modules before the call, because C frees modules that it refuses."""
    modules = [part if isinstance(part, Module) else Function(part) for part in parts]
    for i, module in enumerate(modules):
        if module._tree.root.value != module._as_parameter_.value:
            raise ValueError(f"module {i}, a {type(module).__name__}, is part of another module")
        if any(module is other for other in modules[:i]):
            raise ValueError(f"module {i}, a {type(module).__name__}, occurs twice")
        if not Head.from_address(module._as_parameter_.value).forward:
            raise TypeError(f"module {i}, a {type(module).__name__}, takes more than one tensor: define a Module whose forward calls it")
    return modules


class _List(Module):
    """Modules in sequence."""

    def _fill(self, function: Any, parts: Any, prefix: str = "") -> None:
        modules = _modules(parts)
        self._recipe = "_fill", (function.__name__, modules, prefix)
        given = KINDS["modules"].from_param(modules)
        for module in modules:
            module._tree.root.value = None  # C owns them from here on, and has freed them if it fails
        try:
            self._adopt(call(function, given, len(modules)), modules)
            self._take([(f"{prefix}{i}", module) for i, module in enumerate(modules)])
        except BaseException:
            for module in modules:
                object.__setattr__(module, "_as_parameter_", None)
            raise

    def __len__(self) -> int:
        return len(self._children)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, i: int) -> Any:
        return list(self._children.values())[i]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._children.values())


class Sequential(_List, _Sequential):
    __doc__ = _Sequential.__doc__

    def __init__(self, *modules: Any) -> None:
        self._fill(C.heed_nn_sequential_new, modules)


class Residual(_List, _Residual):
    __doc__ = _Residual.__doc__

    def __init__(self, *modules: Any) -> None:
        self._fill(C.heed_nn_residual_new, modules, "net.")


class _Container(Module):
    """Modules without a forward of their own."""

    def _add(self, name: str, part: Any) -> None:
        if not isinstance(part, Module) and not callable(part) and not isinstance(part, str):
            raise TypeError(f"module {name} is a {type(part).__name__}: must be a module or a function")
        module = part if isinstance(part, Module) else Function(part)
        if module._tree.root.value != module._as_parameter_.value:
            raise ValueError(f"module {name}, a {type(module).__name__}, is part of another module")
        self._register(name, module)

    def __len__(self) -> int:
        return len(self._children)


class ModuleList(_Container):
    """A list of modules, which a user-defined module calls itself. Functions become modules. Modules cannot be replaced
    or removed.
    torch: torch.nn.ModuleList"""

    def __init__(self, modules: Iterable[Any] = ()) -> None:
        super().__init__()
        self.extend(modules)

    def append(self, module: Any) -> "ModuleList":
        self._add(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Any]) -> "ModuleList":
        for module in modules:
            self.append(module)
        return self

    def __getitem__(self, i: Any) -> Any:
        """Module i, or a list of modules for a slice."""
        return list(self._children.values())[i]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._children.values())


class ModuleDict(_Container):
    """Modules by their names, which a user-defined module calls itself. Functions become modules. Modules cannot be
    replaced or removed.
    torch: torch.nn.ModuleDict"""

    def __init__(self, modules: Mapping[str, Any] = {}) -> None:
        super().__init__()
        self.update(modules)

    def update(self, modules: Mapping[str, Any]) -> None:
        for name, module in modules.items():
            self[name] = module

    def __setitem__(self, name: str, module: Any) -> None:
        if name in self._children:
            raise ValueError(f"the ModuleDict already contains {name!r}, which cannot be replaced")
        self._add(name, module)

    def __getitem__(self, name: str) -> Any:
        return self._children[name]

    def __contains__(self, name: object) -> bool:
        return name in self._children

    def __iter__(self) -> Iterator[str]:
        return iter(self._children)

    def keys(self) -> Any:
        return self._children.keys()

    def values(self) -> Any:
        return self._children.values()

    def items(self) -> Any:
        return self._children.items()


leave_one_out, silverman_width = _functions.nn_leave_one_out, _functions.nn_silverman_width
weight_norm, spectral_norm = _functions.nn_weight_norm, _functions.nn_spectral_norm
remove_parametrization = _functions.nn_remove_parametrization
init_uniform_, init_normal_ = _functions.nn_init_uniform_, _functions.nn_init_normal_
init_xavier_uniform_, init_kaiming_uniform_ = _functions.nn_init_xavier_uniform_, _functions.nn_init_kaiming_uniform_

__all__ = [name for name, cls in vars(_classes).items() if isinstance(cls, type) and issubclass(cls, Module)] + [
    "Buffer", "ModuleDict", "ModuleList", "Parameter", "init_kaiming_uniform_", "init_normal_", "init_uniform_",
    "init_xavier_uniform_", "leave_one_out", "remove_parametrization", "silverman_width", "spectral_norm", "weight_norm"]
