#!/usr/bin/env python3
"""tests/promises/calls/slots.py - writes the ops' calls, from their prototypes in heed/ops/*.h, with arguments in slots.

    slots.py HEADERS OUT

For each function that gives a tensor OUT has

    static heed_tensor *call_gather(slots *from)
    {
        heed_tensor *x = slot_tensor(from, "x");
        int axis = slot_int(from, "axis");
        heed_tensor *index = slot_tensor(from, "index");
        return heed_gather(x, axis, index);
    }

and a line of the table op_calls. Who includes it says first where the arguments come from, by defining `slots` and the
functions slot_KIND: a file of PyTorch's numbers (tests/parity), hostile values (tests/promises/misuse/test_misuse_ops.c), a fuzzer's bytes
(fuzz/api_ops.c). A function of a kind of argument that this does not know ends the build.
"""

import os
import sys
from pathlib import Path

from headers import Headers

SIMPLE = {"tensor", "int", "int64", "real", "bool", "shape"}


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
    if argument.type == "heed_tensor **":
        return f'slot_out(from, "{name}")'
    if argument.type == "heed_generator *":
        return f'slot_there(from, "{name}") ? heed_generator_default() : NULL'
    raise SystemExit(f"slots.py knows no slot for {argument.type} {name}")


def is_list(function, argument):
    """Of tensors, with their number behind it."""
    behind = function.arguments[function.arguments.index(argument) + 1:]
    return argument.type == "heed_tensor **" and behind and behind[0].name == "n"


def fill(argument):
    """The lines before the call that fill the slot of a parameter; what the call is given."""
    name = argument.name
    if argument.fields:
        lines = [f"    {argument.type.rstrip(' *')} {name} = {{0}};", f'    bool there = slot_there(from, "{name}");',
                 "    if (there) {"]
        for field in argument.fields:
            inner = field.name.split("->")[1]
            lines.append(f"        {name}.{inner} = {value(field, inner)};")
        return lines + ["    }"], f"there ? &{name} : NULL"
    space = "" if argument.type.endswith("*") else " "
    return [f"    {argument.type}{space}{name} = {value(argument, name)};"], name


def call(function):
    """The function in C."""
    lines, given, arguments = [], [], list(function.arguments)
    while arguments:
        argument = arguments.pop(0)
        if is_list(function, argument):
            count = arguments.pop(0)
            lines += ["    heed_tensor *list[SLOT_LIST];", f'    int {count.name} = slot_list(from, "{argument.name}", list);']
            given += [f'slot_there(from, "{argument.name}") ? list : NULL', count.name]
            continue
        filled, expression = fill(argument)
        lines += filled
        given.append(expression)
    name = function.name.removeprefix("heed_")
    return (f"static heed_tensor *call_{name}(slots *from)\n{{\n" + "\n".join(lines) +
            f"\n    return {function.name}({', '.join(given)});\n}}\n")


def names_of(function):
    """Of all slots but the tensors', as PyTorch's files name them."""
    found = []
    for argument in function.flat():
        if argument.kind != "tensor" and not argument.fields and argument.type != "heed_generator *":
            found.append(argument.name.split("->")[-1])
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    functions = [f for f in Headers(Path(sys.argv[1])).functions
                 if f.header.startswith("ops/") and f.result == "heed_tensor *"]
    text = "/* Written by tests/promises/calls/slots.py. */\n\n" + "\n".join(call(f) for f in functions)
    text += "\nstatic const op_call op_calls[] = {\n"
    for f in functions:
        tensors = sum(2 if is_list(f, a) else a.kind == "tensor" for a in f.arguments)
        names = "".join(f'"{n}", ' for n in names_of(f))
        text += f'    {{"{f.name.removeprefix("heed_")}", call_{f.name.removeprefix("heed_")}, {tensors}, ' \
                f"(const char *const[]){{{names}NULL}}}},\n"
    Path(sys.argv[2]).write_text(text + "};\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
