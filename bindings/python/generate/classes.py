"""bindings/python/generate/classes.py - _classes.py: classes of the objects that a script makes and keeps."""

from api import HANDLES, camel
from functions import NAMED, REFUSED, body, define, docstring, filled, in_order, option, result, signature

HEAD = '''\
"""heed/_classes.py - a class for each layer, optimizer, schedule, and other thing that a script holds on to. Written by
scripts/python from the headers, whose words about them these are: a NULL there is None here, and an error an exception."""

from typing import Any, Optional, Sequence

from heed._call import C, Out, call, call_outs, length
from heed._data import DatasetBase, LoaderBase
from heed._handles import Handle, Tensor
from heed._module import Module
from heed._optimizer import Optimizer, Schedule

'''
# Written by hand: functions that need lists, free objects, or take a Python function.
LEFT_OUT = {"heed_nn_sequential_new", "heed_nn_residual_new", "heed_nn_sequential_add", "heed_nn_function_new", "heed_nn_decoder_step",
            "heed_dataset_take", "heed_dataset_all", "heed_dataset_tensors", "heed_loader_next", "heed_loader_dataset",
            "heed_optimizer_step_closure",
            "heed_dataset_new_source", "heed_generator_seed",
            "heed_generator_get_state", "heed_scaler_save", "heed_categories_save", "heed_schedule_new_chained",
            "heed_schedule_new_sequential"}
BY_HAND = ("Optimizer", "Schedule", "Fit")
BASES = {"Dataset": "DatasetBase", "Loader": "LoaderBase"}


def usable(function):
    return (function.name not in LEFT_OUT and not function.name.endswith("_free")
            and not any(a.kind in REFUSED or a.kind in ("outs", "u64_out", "f64_out") for a in function.arguments))


def method(function, prefix):
    arguments = function.arguments[1:]
    name = function.name.removeprefix(prefix)
    parameters = signature(in_order(function)[1:], NAMED.get(function.name, ""))
    return define(name, ["self", *parameters], result(function, arguments), function.doc,
                  body(function, arguments, ["self"]), "    ")


def constructor(function):
    parameters = ["self", *signature(function.arguments)]
    given = ", ".join(filled(function.arguments)[1])
    line = f"self._make(C.{function.name}, {given})"
    return define("__init__", parameters, "None", "", [line], "    ")


def methods(api, prefix, first):
    found = (f for f in api.functions.values() if f.name.startswith(prefix) and f.arguments and f.arguments[0].kind == first)
    return [method(f, prefix) for f in found if usable(f)]


def define_class(name, base, doc, members, of):
    lines = [f"class {name}({base}):", *([docstring(doc, "    ")] if doc else []), "", f'    _C = "{of}"', ""]
    return "\n".join(lines) + "\n" + "\n".join(members)


def layers(api):
    """heed_nn_linear_new, and all functions that begin with heed_nn_linear_ but not with a longer layer name."""
    names = sorted(n.removesuffix("_new") for n in api.functions if n.startswith("heed_nn_") and n.endswith("_new"))
    for name in names:
        longer = [other for other in names if other.startswith(name + "_")]
        made = api.functions[name + "_new"]
        found = [f for f in api.functions.values() if f.name.startswith(name + "_") and f is not made and usable(f)
                 and f.arguments[0].kind.startswith("module") and not any(f.name.startswith(o + "_") for o in longer)]
        members = ([constructor(made)] if usable(made) else []) + [method(f, name + "_") for f in found]
        short = name.removeprefix("heed_nn_")
        yield define_class(camel(short), "Module", made.doc, members, short)


def optimizers(api):
    for name, f in api.functions.items():
        if f.header == "optim/rules.h" and not name.endswith(("_tensors", "_add_group")):
            fields = f.arguments[1].fields
            named = [option(x) for x in fields]
            given = "dict(" + ", ".join(f"{x.name}={x.name}" for x in fields) + ")"
            members = [define("__init__", ["self", "parameters: Any", "*", *named], "None", "",
                              [f"self._begin(C.{name}, C.{name}_tensors, parameters, {given})"], "    ")]
            if f"{name}_add_group" in api.functions:
                group = api.functions[f"{name}_add_group"]
                members.append(define("add_group", ["self", "parameters: Any", "*", *named], "None", group.doc,
                                      [f"self._add(C.{name}_add_group, parameters, {given})"], "    "))
            yield define_class(camel(name.removeprefix("heed_optim_")), "Optimizer", f.doc, members, "heed_optimizer")


def schedules(api):
    for name, f in api.functions.items():
        if name.startswith("heed_schedule_new_") and usable(f):
            yield define_class(camel(name.removeprefix("heed_schedule_new_")) + "Schedule", "Schedule", f.doc, [constructor(f)],
                               "heed_schedule")


def others(api):
    for c_name, name in HANDLES.items():
        if name in BY_HAND:
            continue
        made = api.functions.get(c_name + "_new")
        members = ([constructor(made)] if made and usable(made) else []) + methods(api, c_name + "_", f"handle.{c_name}")
        yield define_class(name, BASES.get(name, "Handle"), made.doc if made else "", members, c_name)


def text(api):
    parts = [*others(api), *optimizers(api), *schedules(api), *layers(api)]
    return HEAD + "\n" + "\n\n".join(parts)
