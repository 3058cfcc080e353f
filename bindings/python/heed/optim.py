"""heed/optim.py - optimizers, learning-rate schedules, averages of parameters, gradient clipping."""

from typing import Any

from heed import _classes, _functions
from heed._classes import *  # noqa: F401,F403
from heed._classes import Average
from heed._module import Module
from heed._optimizer import ChainedSchedule, Optimizer, Schedule, SequentialSchedule, listed


def clip_grad_norm_(parameters: Any, max_norm: float) -> float:
    """Scales the gradients of a module or of tensors so that their norm is at most max_norm; returns the norm before."""
    if isinstance(parameters, Module):
        return float(_functions.optim_clip_grad_norm_(parameters, max_norm))
    return float(_functions.optim_clip_grad_norm_tensors_(listed(parameters), max_norm))


def clip_grad_value_(parameters: Any, limit: float) -> None:
    """Limits every element of the gradients of a module or of tensors to -limit .. limit."""
    if isinstance(parameters, Module):
        _functions.optim_clip_grad_value_(parameters, limit)
    else:
        _functions.optim_clip_grad_value_tensors_(listed(parameters), limit)


__all__ = [name for name, cls in vars(_classes).items() if isinstance(cls, type) and issubclass(cls, (Optimizer, Schedule))] + [
    Average.__name__, ChainedSchedule.__name__, SequentialSchedule.__name__, "clip_grad_norm_", "clip_grad_value_"]
