"""heed/_show.py - the texts of modules, optimizers and other objects: the call that made them, and their numbers."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import html
import inspect
from typing import Any, Dict, Iterator, List, Sequence, Tuple

import numpy

import heed
from heed._handles import Tensor
from heed._library import text


def shape_text(shape: Sequence[int]) -> str:
    return f"({', '.join(map(str, shape))})"


def value_text(value: Any) -> str:
    """An argument, short."""
    if isinstance(value, (Tensor, numpy.ndarray)):
        return f"{value.dtype} {shape_text(value.shape)}"
    if isinstance(value, (list, tuple)) and len(value) <= 8 and any(isinstance(part, (Tensor, numpy.ndarray, type, list, tuple)) for part in value):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, (list, tuple)) and len(value) > 8:
        return f"[{', '.join(map(value_text, value[:3]))}, ... {len(value)} in all]"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{name}={value_text(part)}' for name, part in value.items() if part)})"
    if callable(value) and not isinstance(value, type):
        return getattr(value, "__name__", type(value).__name__)
    return f"{value:.6g}" if type(value) is float else repr(value)


def defaults(cls: Any) -> Dict[str, Any]:
    return {name: p.default for name, p in inspect.signature(cls.__init__).parameters.items() if name != "self"}


def arguments_text(cls: Any, arguments: Any, left_out: Tuple[type, ...] = ()) -> str:
    """The arguments of a constructor of C, without those that have their defaults, and without the lengths of lists."""
    names, shown = defaults(cls), []
    required = [name for name, default in names.items() if default is inspect.Parameter.empty]
    for i, value in enumerate(a for a in arguments if not isinstance(a, dict)):
        if i < max(len(required), len(names)) and not isinstance(value, left_out) and value is not None:
            shown.append(value_text(value))
    if len(shown) > 1 and isinstance(arguments[0], (list, tuple)) and shown[1] == str(len(arguments[0])):
        del shown[1]
    for options in (a for a in arguments if isinstance(a, dict)):
        shown += [f"{name}={value_text(value)}" for name, value in options.items() if value is not None and value != names.get(name)]
    return ", ".join(shown)


# -- Modules ----------------------------------------------------------------------------------------------------------

def counted(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def numbers_text(tensors: Sequence[Tensor]) -> str:
    """The number of different parameters among the tensors, and whether they are frozen."""
    found = {t._as_parameter_.value: t for t in tensors}.values()
    total = sum(int(t.numel()) for t in found)
    frozen = sum(int(t.numel()) for t in found if not t.requires_grad)
    if not total:
        return ""
    note = ", frozen" if frozen == total else f", {frozen:,} of them frozen" if frozen else ""
    return f"  # {counted(total, 'parameter')}{note}"


def head_text(module: Any, own: Sequence[Tuple[str, Tensor]]) -> Tuple[str, str]:
    """The name of the module's class and its arguments. A module that a layer of C has made shows its tensors."""
    name = type(module).__name__
    method, arguments = module._recipe or ("", ())
    if isinstance(module, heed.nn.Function):
        return text(heed._module.Head.from_address(module._as_parameter_.value).type), ""
    if method == "_make":
        made_by = next(cls for cls in type(module).__mro__ if cls.__module__ == "heed._classes")
        return name, arguments_text(made_by, arguments[1:])
    return name, "" if method else ", ".join(f"{path}: {shape_text(t.shape)}" for path, t in own)


def module_lines(module: Any) -> Iterator[str]:
    """The module as a tree, a line for every module and for every tensor that a Python class has assigned."""
    modules = dict(module.named_modules())
    tensors = module._walk()
    parents = {path: max((p for p in modules if not p or path.startswith(p + ".")), key=len) if path else None for path in modules}
    owners = {path: max((p for p in modules if not p or path.startswith(p + ".")), key=len) for path, _, _ in tensors}

    def lines(path: str, label: str, indent: str) -> Iterator[str]:
        inside = path + "." if path else ""
        own = [(p[len(inside):], t) for p, t, _ in tensors if owners[p] == path]
        name, arguments = head_text(modules[path], own)
        count = numbers_text([t for p, t, is_buffer in tensors if p.startswith(inside) and not is_buffer])
        assigned = {name for name, _ in modules[path]._own}
        children = [p for p in modules if parents[p] == path]
        parts = [f"{indent}  {p}: {value_text(t)}" for p, t in own if p in assigned]
        yield f"{indent}{label}{name}({arguments}{'' if children or parts else ')'}{count}"
        yield from parts
        for p in children:
            yield from lines(p, f"({p[len(inside):]}): ", indent + "  ")
        if children or parts:
            yield indent + ")"
    return lines("", "", "")


def module_text(module: Any) -> str:
    if "_tree" not in module.__dict__ or not module._as_parameter_:
        return f"<{type(module).__name__}>"
    return "\n".join(module_lines(module))


# -- Other objects ----------------------------------------------------------------------------------------------------

def recipe_text(cls: Any, recipe: Any) -> str:
    method, arguments = recipe
    arguments = arguments[1:] if arguments and isinstance(arguments[0], str) and arguments[0].startswith("heed_") else arguments
    if method == "_rejoin":
        parts = [recipe_text(*part) for part in arguments[1]]
        return f"{cls.__name__}([{', '.join(parts)}]{''.join(f', {list(more)}' for more in arguments[2:] if more)})"
    left_out = (heed._module.Module, heed._module.Parameters, heed._optimizer.Optimizer, heed._data.DatasetBase)
    return f"{cls.__name__}({arguments_text(cls, arguments, left_out)})"


def dataset_text(dataset: Any) -> str:
    sample = [f"{t.dtype} {shape_text(t.shape[1:])}" for t in dataset.take(heed.tensor([0]))] if len(dataset) else []
    return counted(len(dataset), "sample") + (f" of {', '.join(sample)}" if sample else "")


def note_text(x: Any) -> str:
    """The numbers of an object that change."""
    if isinstance(x, heed._optimizer.Optimizer):
        rates = [f"{x.group_lr(i):.6g}" for i in range(x.groups)]
        return f"lr {', '.join(rates)}; {counted(sum(int(p.numel()) for p in x.parameters), 'parameter')}"
    if isinstance(x, heed._optimizer.Schedule):
        optimizer = heed._copying.optimizer_of(x._recipe[1]) if x._recipe else None
        return counted(x.steps, "step") + (f", lr {optimizer.lr:.6g}" if optimizer is not None else "")
    if isinstance(x, heed._data.DatasetBase):
        return dataset_text(x)
    if isinstance(x, heed._data.LoaderBase):
        return dataset_text(x.dataset)
    return ""


def handle_text(x: Any) -> str:
    name = type(x).__name__
    if not x._as_parameter_:
        return f"<{name}>"
    if isinstance(x, heed._data.DatasetBase):
        return f"{name}({dataset_text(x)})"
    if isinstance(x, heed.data.Scaler):
        return f"{name}({value_text(x.mean())})"
    if isinstance(x, heed.data.Categories):
        return f"{name}({value_text([x.name(i) for i in range(x.count())])})"
    made = recipe_text(type(x), x._recipe) if x._recipe else f"{name}(...)"
    note = note_text(x)
    return made + (f"  # {note}" if note else "")


def html_table(rows: Sequence[Sequence[Any]], head: Sequence[str] = ()) -> str:
    """An HTML table; numbers are aligned to the right."""
    def cell(tag: str, value: Any) -> str:
        number = isinstance(value, (int, float, numpy.number)) and not isinstance(value, bool)
        shown = f"{value:.6g}" if number else str(value)
        style = ' style="text-align: right"' if number else ""
        return f"<{tag}{style}>{html.escape(shown)}</{tag}>"
    lines: List[str] = ["".join(cell("th", name) for name in head)] if head else []
    lines += ["".join(cell("td", value) for value in row) for row in rows]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
