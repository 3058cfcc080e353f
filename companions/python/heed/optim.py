"""heed/optim.py - optimizers, learning-rate schedules, averages of parameters, gradient clipping."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

from typing import Any

from heed import _classes, _functions
from heed._classes import *  # noqa: F401,F403
from heed._classes import Average as Average
from heed._module import Module
from heed._optimizer import (ChainedSchedule as ChainedSchedule, LambdaSchedule as LambdaSchedule, Listed, Optimizer as Optimizer,
                             Schedule as Schedule, SequentialSchedule as SequentialSchedule, listed, whole)


def _module_of(parameters: Any) -> Module:
    """The module itself, or a module of the tensors that are not frozen."""
    parameters = whole(parameters)
    return parameters if isinstance(parameters, Module) else Listed([t for t in listed(parameters) if t.requires_grad])


def clip_grad_norm_(parameters: Any, max_norm: float) -> float:
    """Scales the gradients of a module or of tensors so that their norm is at most max_norm; returns the norm before.
    An infinite or NaN norm is an error, which names the parameter."""
    return float(_functions.optim_clip_grad_norm_(_module_of(parameters), max_norm))


def grad_norm(parameters: Any) -> float:
    """The norm of the gradients of a module or of tensors, all of them together."""
    return float(_functions.optim_grad_norm(_module_of(parameters)))


def clip_grad_value_(parameters: Any, limit: float) -> None:
    """Limits every element of the gradients of a module or of tensors to -limit .. limit."""
    _functions.optim_clip_grad_value_(_module_of(parameters), limit)


__all__ = [name for name, cls in vars(_classes).items() if isinstance(cls, type) and issubclass(cls, (Optimizer, Schedule))] + [
    Average.__name__, ChainedSchedule.__name__, LambdaSchedule.__name__, SequentialSchedule.__name__, "clip_grad_norm_", "clip_grad_value_", "grad_norm"]
