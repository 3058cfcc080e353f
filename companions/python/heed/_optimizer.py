"""heed/_optimizer.py - the base classes of optimizers and schedules."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from ctypes import c_void_p
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import heed
from heed._call import C, Out, call, call_outs, length
from heed._callbacks import of_nothing, of_step_number
from heed._dict import State, load_into
from heed._handles import Handle, Tensor
from heed._library import ByValue
from heed._module import Module, Parameters, zero_gradients


def listed(parameters: Any) -> List[Tensor]:
    """Tensors, or (name, tensor) pairs as from named_parameters."""
    if isinstance(parameters, Tensor) or not hasattr(parameters, "__iter__"):
        raise TypeError(f"parameters are a {type(parameters).__name__}: must be a module or a sequence of tensors")
    found = [p[1] if isinstance(p, tuple) else p for p in parameters]
    if any(isinstance(p, dict) for p in found):
        raise TypeError("parameters are dicts: make the optimizer from the first group, and write optimizer.add_group(parameters, lr=...) "
                        "for the others")
    return found


class Listed(Module):
    """A module of the given tensors, for functions that take a module."""

    def __init__(self, tensors: List[Tensor]) -> None:
        self._make(C.heed_nn_parameter_list_new, tensors, length(tensors))


def whole(parameters: Any) -> Any:
    """The module for module.parameters(), if nobody has read from it."""
    return parameters.module if isinstance(parameters, Parameters) and not parameters.started else parameters


class Optimizer(ByValue, Handle):
    """An optimizer: the parameters of a module, or tensors, and the rule that updates them by their gradients."""

    _C = "heed_optimizer"

    def _begin(self, function: Any, parameters: Any, options: Dict[str, Any]) -> None:
        parameters = whole(parameters)
        self._recipe = "_begin", (function.__name__, parameters, options)
        self._log: List[Any] = [self._recipe]
        if isinstance(parameters, Module):
            self._adopt(call(function, parameters, options), (parameters,))
        else:
            self._adopt(call(function, Listed(listed(parameters)), options), ())

    def _add(self, function: Any, parameters: Any, options: Dict[str, Any]) -> None:
        parameters = whole(parameters)
        call(function, self, parameters if isinstance(parameters, Module) else Listed(listed(parameters)), options)
        self._log.append(("_add", (function.__name__, parameters, options)))

    def _reduced(self) -> Any:
        return heed._copying.reduce_optimizer(self)

    def __setstate__(self, state: Any) -> None:
        heed._copying.set_optimizer(self, state)

    def step(self, closure: Optional[Callable[[], Tensor]] = None) -> Optional[float]:
        """Changes every parameter by its gradient. With a closure, which LBFGS needs, the step first drops the
        gradients, calls the closure for the loss, and differentiates it; it returns the loss before the step."""
        if closure is None:
            call(C.heed_optimizer_step, self)
            return None
        loss: float = call_outs(C.heed_optimizer_step_closure, self, of_nothing(closure), None, Out("f64_out"))
        return loss

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drops the gradients of the parameters, or sets them to zeros."""
        call(C.heed_optimizer_zero_grad, self)
        if not set_to_none:
            zero_gradients(self.parameters)

    @property
    def parameters(self) -> List[Tensor]:
        return [call(C.heed_optimizer_parameter, self, i) for i in range(call(C.heed_optimizer_parameter_count, self))]

    @property
    def lr(self) -> float:
        """The current learning rate of group 0. Setting it sets the rates of all groups."""
        return self.group_lr(0)

    @lr.setter
    def lr(self, lr: float) -> None:
        for group in range(self.groups):
            self.set_group_lr(group, lr)

    @property
    def groups(self) -> int:
        return int(call(C.heed_optimizer_groups, self))

    def group_lr(self, group: int) -> float:
        return float(call(C.heed_optimizer_lr, self, group))

    def set_group_lr(self, group: int, lr: float) -> None:
        call(C.heed_optimizer_set_lr, self, group, lr)

    def set_options(self, module: Module, pattern: str, *, lr: float = 0.0, weight_decay: float = 0.0,
                    no_decay: bool = False) -> int:
        """Gives the parameters of the module whose paths match the pattern, such as "*bias|*norm:*", options of their own in
        a new group: a learning rate, a weight decay, or none. An option of 0 changes nothing. Returns the number of
        parameters that match."""
        found = int(call(C.heed_optimizer_set_options, self, module, pattern, dict(lr=lr, weight_decay=weight_decay, no_decay=no_decay)))
        self._log.append(("_set_options", (module, pattern, lr, weight_decay, no_decay)))
        return found

    def _set_options(self, module: Module, pattern: str, lr: float, weight_decay: float, no_decay: bool) -> None:
        self.set_options(module, pattern, lr=lr, weight_decay=weight_decay, no_decay=no_decay)

    def state_dict(self) -> State:
        """The state of the optimizer and of its schedule: the buffers themselves, which later steps change."""
        state: State = call(C.heed_optimizer_state, self)
        return state

    def load_state_dict(self, state: Union[State, Dict[str, Tensor]], prefix: Optional[str] = None, *,
                        allow_missing: bool = False, allow_unexpected: bool = False,
                        allow_unlike: bool = False) -> Dict[str, str]:
        """Copies a state into the optimizer and its schedule. The options skip missing entries, unexpected entries, and
        entries of a different dtype or shape. A parameter of which an entry is skipped starts anew. Returns the skipped
        entries, with the reasons."""
        return load_into(C.heed_optimizer_load_state, self, state, prefix=prefix, allow_missing=allow_missing,
                         allow_unexpected=allow_unexpected, allow_unlike=allow_unlike)


class Schedule(ByValue, Handle):
    """Learning rates as a function of the number of steps. A schedule inside a second schedule is owned by it."""

    _C = "heed_schedule"

    _rates: List[float] = []  # of the optimizer when the schedule was made

    def _begin(self, optimizer: Optional[Optimizer]) -> None:
        self._rates = [optimizer.group_lr(group) for group in range(optimizer.groups)] if isinstance(optimizer, Optimizer) else []

    def _make(self, function: Any, *arguments: Any) -> None:
        self._begin(arguments[0])
        super()._make(function, *arguments)

    def _join(self, function: Any, optimizer: Optional[Optimizer], parts: Sequence["Schedule"], *more: Any) -> None:
        """C owns the parts from here on, and has freed them if it fails."""
        for part in parts:
            if not isinstance(part, Schedule) or not part._as_parameter_:
                raise TypeError(f"a part is {part!r}: must be a schedule that was made with optimizer None and is not part of "
                                "another schedule")
        self._begin(optimizer)
        self._recipe = "_rejoin", (function.__name__, optimizer, [(type(part), part._recipe) for part in parts], *more)
        kept = [part._as_parameter_.kept for part in parts]
        pointers = (c_void_p * len(parts))(*(part._as_parameter_.value for part in parts))
        for part in set(parts):
            part._as_parameter_.value = None
            part._as_parameter_ = None
        self._adopt(call(function, optimizer, pointers, len(parts), *more), (optimizer, kept))

    def _rejoin(self, function: Any, optimizer: Optional[Optimizer], recipes: Any, *more: Any) -> None:
        parts = [heed._copying.remade(cls, method, *arguments) for cls, (method, arguments) in recipes]
        self._join(function, optimizer, parts, *more)

    def _reduced(self) -> Any:
        return heed._copying.reduce_schedule(self)

    def __setstate__(self, state: Any) -> None:
        heed._copying.set_schedule(self, state)

    def step(self, metric: Optional[float] = None) -> None:
        """Adds 1 to the steps and sets the rates; a plateau schedule uses the metric."""
        if metric is None:
            call(C.heed_schedule_step, self)
        else:
            call(C.heed_schedule_step_metric, self, metric)

    @property
    def steps(self) -> int:
        return int(call(C.heed_schedule_steps, self))

    @steps.setter
    def steps(self, t: int) -> None:
        call(C.heed_schedule_set_steps, self, t)


class LambdaSchedule(Schedule):
    """Every rate is its group's own rate times function(t), where t is the number of steps."""

    def __init__(self, optimizer: Optional[Optimizer], function: Callable[[int], float]) -> None:
        self._begin(optimizer)
        self._recipe = "__init__", (optimizer, function)
        thunk = of_step_number(function)
        self._adopt(call(C.heed_schedule_new_lambda, optimizer, thunk, None), (optimizer, thunk))


class ChainedSchedule(Schedule):
    """Several schedules at once: every schedule uses the rate of the previous one as its lr. The parts are made with
    optimizer None and are owned by this schedule."""

    def __init__(self, optimizer: Optional[Optimizer], parts: Sequence[Schedule]) -> None:
        self._join(C.heed_schedule_new_chained, optimizer, parts)


class SequentialSchedule(Schedule):
    """Several schedules one after another: part i from t = milestones[i - 1] on, where its own t is 0. The parts
    are made with optimizer None and are owned by this schedule."""

    def __init__(self, optimizer: Optional[Optimizer], parts: Sequence[Schedule], milestones: Sequence[int]) -> None:
        if len(milestones) != len(parts) - 1:
            raise ValueError(f"{len(milestones)} milestones for {len(parts)} parts: must be one less than parts")
        self._join(C.heed_schedule_new_sequential, optimizer, parts, milestones or None)


class AverageBase(ByValue, Handle):
    def _reduced(self) -> Any:
        method, arguments = self._recipe
        return heed._copying.remade, (type(self), method, *arguments), dict(self.state())  # type: ignore[attr-defined]

    def __setstate__(self, state: Dict[str, Tensor]) -> None:
        own = self.state()  # type: ignore[attr-defined]
        for name, value in state.items():
            own[name].copy_(value)
