#!/usr/bin/env python3
"""tests/promises/calls/slots.py - writes calls of ops and layers, from their prototypes, with arguments in slots.

    slots.py ops HEADERS OUT
    slots.py layers HEADERS OUT CASES...
    slots.py cases HEADERS OUT DATA CASES...

For every function of heed/ops/*.h that returns a tensor OUT has

    static heed_tensor *call_gather(slots *from)
    {
        heed_tensor *x = slot_tensor(from, "x");
        int axis = slot_int(from, "axis");
        heed_tensor *index = slot_tensor(from, "index");
        return heed_gather(x, axis, index);
    }

and a line of the table op_calls; for every pair heed_nn_NAME_new and heed_nn_NAME_forward it has make_NAME, run_NAME
and a line of the table layer_calls, which points to the cases, of the file NAME.c. The including file first defines
the source of the arguments, `slots` and the functions slot_KIND of calls/op_calls.h: a file of PyTorch's numbers
(tests/parity), hostile values (tests/promises/misuse/test_misuse_ops.c, tests/promises/misuse/test_misuse_layers.c),
a fuzzer's bytes (fuzz/api_ops.c, tests/fuzz/api_nn.c), a case (tests/nn/driver.c). An unknown kind of argument fails the
build, and so does a layer without cases.

`cases` writes the cases of layers without a file NAME.c: the arguments and shapes of PyTorch's cases in
DATA/nn_NAME.json, and for every size of the constructor the error if it is missing.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import os
import sys
from pathlib import Path

from headers import Headers

SIMPLE = {"tensor", "int", "int64", "real", "bool", "shape", "text"}
TENSOR_FUNCTION = "heed_tensor *(heed_tensor *)"
# No layer takes an int, but a program that fills its slot is valid.
UNUSED = "__attribute__((unused)) static int (*const unused_slot)(slots *from, const char *name) = slot_int;\n"
LISTS = {"heed_tensor **": "heed_tensor *", "void **": "void *"}  # followed by their length: of tensors, of modules


def words(constants):
    """HEED_NW_GAUSSIAN, HEED_NW_BOXCAR: gaussian, boxcar."""
    prefix = os.path.commonprefix(list(constants))
    return [c[prefix.rindex("_") + 1:].lower() for c in constants]


def value(argument, name):
    """The expression that fills the slot of an argument, or of a field, called `name`."""
    if argument.kind in SIMPLE:
        return f'slot_{argument.kind}(from, "{name}")'
    if argument.kind == "enum":
        names = ", ".join(f'"{w}"' for w in words(argument.constants))
        return f'({argument.type})slot_enum(from, "{name}", (const char *const[]){{{names}, NULL}})'
    if argument.points_to == TENSOR_FUNCTION:
        return f'slot_function(from, "{name}")'
    if argument.type == "heed_tensor **":
        return f'slot_out(from, "{name}")'
    if argument.type == "heed_generator *":
        return f'slot_there(from, "{name}") ? heed_generator_default() : NULL'
    raise SystemExit(f"slots.py knows no slot for {argument.type} {name}")


def is_list(function, argument):
    behind = function.arguments[function.arguments.index(argument) + 1:]
    return argument.type in LISTS and behind and behind[0].name == "n"


def fill_field(pointer, field):
    """The lines that fill a field of options. Slots of the options that it points to are called attention.rope and so on."""
    name = field.name.split("->")[1]
    if not field.inner:
        return [f"        {pointer}.{name} = {value(field, name)};"]
    lines = [f'        if (slot_there(from, "{name}")) {{', f"            {pointer}.{name} = &{name};"]
    for inner in field.inner:
        of = inner.name.split("->")[1]
        lines.append(f"            {name}.{of} = {value(inner, f'{name}.{of}')};")
    return lines + ["        }"]


def fill(argument):
    """The lines before the call that fill the slot of a parameter; the arguments of the call."""
    name = argument.name
    if argument.fields:
        structs = [argument, *(field for field in argument.fields if field.inner)]
        lines = [f"    {s.type.rstrip(' *')} {s.name.split('->')[-1]} = {{0}};" for s in structs]
        lines += [f'    bool there = slot_there(from, "{name}");', "    if (there) {"]
        for field in argument.fields:
            lines += fill_field(name, field)
        return lines + ["    }"], f"there ? &{name} : NULL"
    type_ = "slot_function_type" if argument.points_to else ("const " if argument.kind == "text" else "") + argument.type
    space = "" if type_.endswith("*") else " "
    return [f"    {type_}{space}{name} = {value(argument, name)};"], name


def fill_list(argument, count):
    """The same for a list and its length. A missing list is not filled."""
    slot = "slot_list" if argument.type == "heed_tensor **" else "slot_modules"
    return [f"    {LISTS[argument.type]}list[SLOT_LIST];", f'    bool there = slot_there(from, "{argument.name}");',
            f'    int {count.name} = {slot}(from, "{argument.name}", there ? list : NULL);'], ["there ? list : NULL", count.name]


def call(function, head=None, net=None, cast=""):
    """The function in C. `net` replaces the first argument of a forward."""
    lines, given, arguments = [], [net] if net else [], list(function.arguments)[bool(net):]
    while arguments:
        argument = arguments.pop(0)
        if is_list(function, argument):
            filled, expressions = fill_list(argument, arguments.pop(0))
            given += expressions
        else:
            filled, expression = fill(argument)
            given.append(expression)
        lines += filled
    head = head or f"heed_tensor *call_{function.name.removeprefix('heed_')}(slots *from)"
    start = ["    (void)from;"] if not lines else []
    return f"static {head}\n{{\n" + "\n".join(start + lines) + f"\n    return {cast}{function.name}({', '.join(given)});\n}}\n"


def names_of(arguments):
    """The names of all slots, as in cases and PyTorch's files."""
    found = [a.name.split("->")[-1] for a in arguments if not a.fields and a.type != "heed_generator *"]
    found += [i.name.replace("->", ".") for a in arguments for i in a.inner]
    return "(const char *const[]){" + "".join(f'"{n}", ' for n in found) + "NULL}"


def op_calls(headers):
    functions = [f for f in headers.functions if f.header.startswith("ops/") and f.result == "heed_tensor *"]
    text = "\n".join(call(f) for f in functions) + "\nstatic const op_call op_calls[] = {\n"
    for f in functions:
        tensors = sum(2 if is_list(f, a) else a.kind == "tensor" for a in f.arguments)
        name = f.name.removeprefix("heed_")
        names = names_of(a for a in f.flat() if a.kind != "tensor")
        text += f'    {{"{name}", call_{name}, {tensors}, {names}}},\n'
    return text + "};\n"


def layers(headers):
    """By name: the constructor and the forward."""
    by_name = {f.name: f for f in headers.functions}
    pairs = ((f.name[8:-4], f, by_name.get(f.name[:-4] + "_forward")) for f in headers.functions
             if f.name.startswith("heed_nn_") and f.name.endswith("_new"))
    return {name: (new, forward) for name, new, forward in pairs if forward}


def check_cases(found, files):
    """Every file has its layer. Layers without a file have cases from PyTorch's (derived_cases)."""
    there = {Path(f).stem for f in files}
    for name in sorted(there - found.keys()):
        yield f"tests/nn/{name}.c: there is no layer with heed_nn_{name}_new and heed_nn_{name}_forward"


def layer_calls(headers, files):
    found = layers(headers)
    if wrong := list(check_cases(found, files)):
        raise SystemExit("\n".join(wrong))
    text = UNUSED + "".join(f"extern const layer_cases heed_cases_nn_{name};\n" for name in found) + "\n"
    for name, (new, forward) in found.items():
        text += call(new, f"heed_module *make_{name}(slots *from)", cast="(heed_module *)") + "\n"
        text += call(forward, f"heed_tensor *run_{name}(slots *from, heed_module *net)", f"(heed_nn_{name} *)net") + "\n"
    text += "static const layer_call layer_calls[] = {\n"
    for name, (new, forward) in found.items():
        names = names_of(new.flat() + forward.arguments[1:])
        text += f'    {{"{name}", make_{name}, run_{name}, {names},\n     &heed_cases_nn_{name}}},\n'
    return text + "};\n"


def case_argument(layer, argument, given):
    """An argument in the form of tests/nn/cases.h, from its value in a case of PyTorch."""
    name = argument.name.split("->")[-1]
    if argument.points_to == TENSOR_FUNCTION:
        return f"ARG_FUNCTION({name}, heed_{given})"
    if argument.kind == "shape":
        return f"ARG_SHAPE({name}, {', '.join(map(str, given))})"
    if argument.kind in ("int", "int64", "real", "bool"):
        return f"ARG({name}, {str(given).lower()})"
    raise SystemExit(f"the layer {layer}: write tests/nn/{layer}.c, because {name} is a {argument.kind} (see tests/nn/cases.h)")


def case_input(name, tensor):
    (kind, values), shape = next(item for item in tensor.items() if item[0] != "shape"), ", ".join(map(str, tensor["shape"]))
    return f"WHOLE({name}, {max(values, default=0) + 1}, {shape})" if kind == "i64" else f"INPUT({name}, {shape})"


def case_text(name, args, inputs, rest=""):
    lists = [f".{field} = {{{', '.join(items)}}}, " for field, items in (("args", args), ("in", inputs)) if items]
    return f'    {{.name = "{name}", {"".join(lists)}{rest}}},\n'


def derived_cases(layer, new, forward, cases):
    """The list of cases and the list of errors of a layer, in C."""
    arguments = {a.name.split("->")[-1]: a for a in new.flat()}
    tensors = [a.name for a in forward.arguments[1:] if a.kind == "tensor"]
    good, errors, first = "", "", None
    for i, case in enumerate(cases):
        args = {name: case_argument(layer, arguments[name], given) for name, given in case["args"].items()}
        inputs = [case_input(name, t) for name, t in zip(tensors, case["inputs"]) if t]
        empty = any(0 in t["shape"] for t in case["inputs"] if t)
        good += case_text(f"PyTorch {i}", args.values(), inputs, ".max_order = -1" if empty else "")
        first = first or (args, inputs)
    for a in new.arguments:
        if a.kind in ("int64", "shape"):
            errors += case_text(f"no {a.name}", [given for name, given in first[0].items() if name != a.name], first[1],
                                f'.status = HEED_ERR_ARGUMENT, .text = "nn_{layer}_new: {a.name} is "')
    errors += case_text("no input", first[0].values(), [], f'.status = HEED_ERR_ARGUMENT, .text = "nn_{layer}_forward: {tensors[0]} is NULL"')
    return (f"static const layer_case cases_{layer}[] = {{\n{good}    {{0}},\n}};\n\nstatic const layer_case errors_{layer}[] = {{\n{errors}"
            f"    {{0}},\n}};\n\nconst layer_cases heed_cases_nn_{layer} = {{cases_{layer}, errors_{layer}}};\n")


def all_derived_cases(headers, data, files):
    text = '#include "cases.h"\n'
    for name, (new, forward) in layers(headers).items():
        if name in {Path(f).stem for f in files}:
            continue
        if not (path := Path(data, f"nn_{name}.json")).exists():
            raise SystemExit(f"the layer {name} of heed/{new.header} has no cases: add it to tests/parity and run scripts/generate parity, "
                             f"or write tests/nn/{name}.c (see tests/nn/cases.h)")
        text += "\n" + derived_cases(name, new, forward, json.loads(path.read_text(encoding="utf-8"))["cases"])
    return text


def main():
    writers = {"ops": op_calls, "layers": lambda headers, *files: layer_calls(headers, files),
               "cases": lambda headers, data, *files: all_derived_cases(headers, data, files)}
    if len(sys.argv) < 4 or sys.argv[1] not in writers:
        sys.exit(__doc__)
    headers = Headers(Path(sys.argv[2]))
    text = writers[sys.argv[1]](headers, *sys.argv[4:])
    Path(sys.argv[3]).write_text(f"/* Written by tests/promises/calls/slots.py. */\n\n{text}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
