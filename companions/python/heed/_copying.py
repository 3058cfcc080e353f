"""heed/_copying.py - copies of modules, optimizers and schedules by value, for copy.deepcopy and pickle. An object is
made again by the calls that made it, and then gets the values."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from typing import Any, Dict, List, Tuple

import heed
from heed import _functions as F
from heed._call import C
from heed._module import Buffer, Head, Module, Parameter

OF_C = {"_as_parameter_", "_kept", "_children", "_tree", "_recipe", "_own", "_hooks"}  # attributes of a new object


def remade(cls: Any, method: str, *arguments: Any) -> Any:
    """A new object of the class. Its random initial values do not come from the default generator."""
    made = cls.__new__(cls)
    with heed.Generator(0):
        call_again(made, method, arguments)
    return made


def call_again(made: Any, method: str, arguments: Any) -> None:
    """Calls the method with a function of C, which is recorded by its name, or without one."""
    of_c = arguments and isinstance(arguments[0], str) and arguments[0].startswith("heed_")
    getattr(made, method)(*((getattr(C, arguments[0]), *arguments[1:]) if of_c else arguments))


# -- Modules ----------------------------------------------------------------------------------------------------------

def owner(module: Module, path: str) -> str:
    """The child, made in Python, that contains the path, or "" for the module's own tensors."""
    return next((name for name in module._children if path.startswith(name + ".")), "")


def firsts(module: Module) -> Dict[str, str]:
    """The paths of own tensors of a Python class that occur twice, each with the path of its first occurrence."""
    found: Dict[Any, str] = {}
    same: Dict[str, str] = {}
    for path, tensor, _ in module._walk():
        first = found.setdefault(tensor._as_parameter_.value, path)
        if first == path or owner(module, path) and owner(module, path) == owner(module, first):
            continue
        if owner(module, path):
            raise TypeError(f"a {type(module).__name__} cannot be copied or pickled: {first} and {path} are the same tensor, "
                            "which a copy would separate: copy its state (save, load, copy_state)")
        same[path] = first
    return same


def parts_of(module: Module) -> List[Tuple[str, str, Any]]:
    """The parameters, buffers and modules that a Python class has assigned, in order."""
    same = firsts(module)
    parts: List[Tuple[str, str, Any]] = []
    for name, kind in module._own:
        if kind == "child":
            parts.append((name, kind, module._children[name]))
        else:
            parts.append((name, kind, same[name] if name in same else F.detach(module.find(name))))
    return parts


def reduce_module(module: Module) -> Any:
    own = {name for name, _ in module._own}
    tensors = [(path, F.detach(t)) for path, t, _ in module._walk() if not owner(module, path) and path not in own]
    state = {"parts": parts_of(module), "tensors": tensors,
             "frozen": [path for path, t in module.named_parameters() if not owner(module, path) and not t.requires_grad],
             "training": [(path, bool(Head.from_address(at).training)) for path, at in module._pointers()],
             "attributes": {name: value for name, value in module.__dict__.items() if name not in OF_C}}
    method, arguments = module._recipe
    return remade, (type(module), method, *arguments), state


def set_module(module: Module, state: Dict[str, Any]) -> None:
    for name, kind, value in state["parts"]:
        if isinstance(value, str):
            value = module.find(value)
        module._register(name, value if kind == "child" else (Buffer if kind == "buffer" else Parameter)(value))
    with heed.no_grad():
        for path, value in state["tensors"]:
            module.find(path).copy_(value)
    for path in state["frozen"]:
        F.set_requires_grad(module.find(path), False)
    pointers = dict(module._pointers())
    for path, training in state["training"]:
        Head.from_address(pointers[path]).training = training
    module.__dict__.update(state["attributes"])


# -- Optimizers and schedules -----------------------------------------------------------------------------------------

def reduce_optimizer(optimizer: Any) -> Any:
    modules = [next(a for a in arguments if not isinstance(a, str)) for _, arguments in optimizer._log]
    if not all(isinstance(module, Module) and not isinstance(module, heed._optimizer.Listed) for module in modules):
        raise TypeError(f"a {type(optimizer).__name__} of a list of tensors cannot be copied or pickled: make it from a module "
                        "(optim.SGD(net)), or save its state_dict()")
    state = {"log": optimizer._log[1:], "state": optimizer.state_dict(),
             "rates": [optimizer.group_lr(i) for i in range(optimizer.groups)]}
    return remade, (type(optimizer), optimizer._log[0][0], *optimizer._log[0][1]), state


def set_optimizer(optimizer: Any, state: Dict[str, Any]) -> None:
    for method, arguments in state["log"]:
        call_again(optimizer, method, arguments)
    optimizer.load_state_dict(state["state"], allow_unexpected=True)  # the state of a schedule
    for group, rate in enumerate(state["rates"]):
        optimizer.set_group_lr(group, rate)


def optimizer_of(arguments: Any) -> Any:
    return next((a for a in arguments if isinstance(a, heed._optimizer.Optimizer)), None)


def scheduled(cls: Any, rates: List[float], method: str, *arguments: Any) -> Any:
    """A schedule, made again at the rates that the optimizer had when the schedule was made."""
    optimizer = optimizer_of(arguments)
    for group, rate in enumerate(rates):
        optimizer.set_group_lr(group, rate)
    return remade(cls, method, *arguments)


def reduce_schedule(schedule: Any) -> Any:
    method, arguments = schedule._recipe
    optimizer = optimizer_of(arguments)
    if optimizer is None:
        return remade, (type(schedule), method, *arguments)
    return scheduled, (type(schedule), schedule._rates, method, *arguments), {"state": optimizer.state_dict()}


def set_schedule(schedule: Any, state: Dict[str, Any]) -> None:
    optimizer_of(schedule._recipe[1]).load_state_dict(state["state"])
