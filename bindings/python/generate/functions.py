"""bindings/python/generate/functions.py - _functions.py: Python functions that call C functions."""

import re
import textwrap
from dataclasses import replace

from api import HANDLES

HEAD = '''\
"""heed/_functions.py - a function for each of the library's that works on tensors or files. Written by scripts/python from the
headers, whose words about them these are: a NULL there is None here, and an error an exception."""

from typing import Any, List, Optional, Sequence

from heed._call import C, Out, call, call_outs, length
from heed._handles import Handle, Tensor

'''
HEADERS = ("ops/", "tensor.h", "random.h", "nn/init.h", "nn/kernel_regression.h", "generate.h", "parallel.h", "precision.h", "io.h",
           "plot.h", "optim/clipping.h", "graph.h")
# Written by hand, if useful at all: memory, ownership, lists of results, functions that take Python functions, and
# os.path.samefile.
LEFT_OUT = {"heed_retain", "heed_release", "heed_from_array", "heed_from_buffer", "heed_from_values", "heed_print", "heed_format",
            "heed_copy_", "heed_generator_default", "heed_dtype_size", "heed_dtype_name", "heed_generator_new",
            "heed_generator_free", "heed_generator_seed", "heed_generate", "heed_beam_search", "heed_grad", "heed_backward_with",
            "heed_graph_dot", "heed_plot_fit", "heed_remove_hook",
            "heed_data_bytes", "heed_mutable_bytes", "heed_set_", "heed_get", "heed_get_i64",
            "heed_set_grad_enabled", "heed_set_matmul_precision", "heed_grad_of", "heed_set_grad", "heed_shape_of", "heed_backward",
            "heed_rank", "heed_io_same_file"}
TYPES = {"tensor": "Tensor", "i32": "int", "axis": "int", "i64": "int", "u64": "int", "u32": "int", "size": "int",
         "f64": "float", "bool": "bool", "text": "str",
         "path": "Any", "shape": "Any", "tensors": "Sequence[Tensor]", "texts": "Sequence[str]", "i64s": "Sequence[int]",
         "handles": "Sequence[Handle]", "char": "str", "activation": "Any", "module": "Any", "modules": "Any", "dict": "Any",
         "status": "None", "none": "None", "state": "Optional[Tensor]"}
REFUSED = ("void", "function", "length")
# Functions whose order of arguments in C differs from NumPy and PyTorch although the types fit. ORDER has the order of
# both libraries. NAMED has arguments that become keywords, because the libraries differ or have a different argument
# there.
ORDER = {"heed_roll": "x shift axis", "heed_topk": "x k axis largest", "heed_repeat_interleave": "x repeats axis",
         "heed_normal": "dtype mean std shape", "heed_generator_normal": "generator dtype mean std shape"}
NAMED = {"heed_trapezoid": "axis", "heed_trapezoid_scalar": "axis", "heed_exponential": "rate",
         "heed_generator_exponential": "rate",
         "heed_batch_norm": "eps", "heed_instance_norm": "weight bias eps", "heed_kl_div": "log_target reduction",
         "heed_smooth_l1_loss": "beta reduction", "heed_huber_loss": "delta reduction",
         "heed_triplet_margin_loss": "swap reduction",
         "heed_argsort": "descending", "heed_sort_axis": "descending", "heed_searchsorted": "right"}
MORE_DEFAULTS = {"heed_topk": {"axis": "-1", "largest": "True"}}


def type_of(kind, default=""):
    known = TYPES.get(kind, "str" if kind.startswith("enum.") else "Handle" if kind.startswith("handle.") else "Any")
    return f"Optional[{known}]" if default == "None" and known != "Any" else known


def option(field):
    return f"{field.name}: {type_of(field.kind, field.default)} = {field.default}"


def is_wrapped(function):
    kinds = [a.kind for a in function.arguments]
    return (function.header.startswith(HEADERS) and function.name not in LEFT_OUT and not function.name.startswith("heed_generator_")
            and not function.result.startswith("handle.") and not any(k in REFUSED or k in ("outs", "u64_out") for k in kinds)
            and not function.name.startswith(("heed_data_", "heed_mutable_")))


def in_order(function):
    """The arguments in the order of Python's parameters, with their defaults."""
    order, more = ORDER.get(function.name, "").split(), MORE_DEFAULTS.get(function.name, {})
    arguments = [replace(a, default=more.get(a.name, a.default)) for a in function.arguments]
    return sorted(arguments, key=lambda a: order.index(a.name) if a.name in order else len(order))


def signature(arguments, by_name=""):
    """The parameters of the Python function. A dtype that comes first goes last. Options, further results and the
    arguments in by_name are keywords."""
    plain, named = [], []
    for a in arguments:
        if a.name in by_name.split():
            named.append(f"{a.python}: {type_of(a.kind, a.default)}" + (f" = {a.default}" if a.default else ""))
        elif a.fields:
            named += [option(f) for f in a.fields if f.kind not in REFUSED]
        elif a.kind == "out":
            named.append(f"return_{a.name}: bool = False")
        elif a.kind == "state" or not is_out(a) and not a.kind.startswith("count"):
            default = f" = {a.default}" if a.default else " = None" if a.kind == "state" else ""
            plain.append(f"{a.python}: {type_of(a.kind, a.default)}{default}")
    if plain and plain[0] == "dtype: str":
        plain.append(plain.pop(0) + ' = "f32"')
    return plain + (["*"] + named if named else [])


def filled(arguments):
    """The lines before the call, its arguments, and whether it writes results in addition to its return value."""
    lines, given = [], []
    for before, a in zip([None, *arguments], arguments):
        if a.kind.startswith("count"):
            given.append(f"length({before.python})")
        elif a.fields:
            given.append("dict(" + ", ".join(f"{f.name}={f.name}" for f in a.fields if f.kind not in REFUSED) + ")")
        elif is_out(a):
            kind = a.kind[4:] if a.kind.startswith("out.") else a.kind
            before = f", {a.python}" if kind == "state" else ""
            wanted = f" if return_{a.name} else None" if kind == "out" else ""
            lines.append(f'{a.python}_ = Out("{kind}"{before}){wanted}')
            given.append(f"{a.python}_")
        else:
            given.append(a.python)
    return lines, given


def is_out(argument):
    return argument.kind in ("out", "state", "f64_out") or argument.kind.startswith("out.")


def body(function, arguments, first=()):
    """The lines of the Python function."""
    lines, given = filled(arguments)
    given = [*first, *given]
    outs = any(map(is_out, arguments))
    called = f"{'call_outs' if outs else 'call'}({', '.join([f'C.{function.name}', *given])})"
    if function.result.startswith("handle."):
        return lines + [f"return {HANDLES[function.result[7:]]}._of({', '.join([called, *given])})"]
    return [*lines, called if function.result in ("status", "none") and not outs else f"return {called}"]


def result(function, arguments):
    if any(map(is_out, arguments)):
        return "Any"
    if function.result.startswith("handle."):
        return f'"{HANDLES[function.result[7:]]}"'
    return type_of(function.result)


def docstring(text, indent):
    text = text.replace("\\", "\\\\")
    return textwrap.indent(f'"""{text}"""' if not text.endswith('"') else f'"""{text} """', indent)


def wrapped(line, indent):
    """Breaks a long line, but neither at a default nor outside parentheses."""
    line = re.sub(r" (=|->) ", "\u00a0\\1\u00a0", re.sub(r"(?<=\w): (?=\w)", ":\u00a0", line))
    return textwrap.fill(line, 128, initial_indent=indent, subsequent_indent=indent + "    ", break_long_words=False,
                         break_on_hyphens=False).replace("\u00a0", " ")


def define(name, parameters, returns, doc, lines, indent=""):
    head = wrapped(f"def {name}({', '.join(parameters)}) -> {returns}:", indent)
    inner = indent + "    "
    return "\n".join([head, *([docstring(doc, inner)] if doc else []), *(wrapped(line, inner) for line in lines)]) + "\n"


def python(function):
    arguments = function.arguments
    return define(function.name.removeprefix("heed_"), signature(in_order(function), NAMED.get(function.name, "")),
                  result(function, arguments), function.doc,
                  body(function, arguments))


def text(api):
    chosen = [f for f in api.functions.values() if is_wrapped(f)]
    methods = [f.name.removeprefix("heed_") for f in chosen if f.arguments and f.arguments[0].kind == "tensor" and "_nn_" not in f.name
               and not f.name.startswith(("heed_plot_", "heed_io_"))]
    public = [n for n in (f.name.removeprefix("heed_") for f in chosen) if not n.startswith(("nn_", "io_", "plot_", "optim_"))]
    lists = (wrapped(f"{what}: List[str] = {of!r}".replace("'", '"'), "") for what, of in (("__all__", public), ("METHODS", methods)))
    return HEAD + "\n" + "\n\n".join(python(f) for f in chosen) + "\n\n{}\n# Those of a tensor's methods.\n{}\n".format(*lists)
