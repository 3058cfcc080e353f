#!/usr/bin/env python3
"""tests/promises/calls/freed.py - writes a call of every public function with every object that it takes freed.

    freed.py HEADERS OUT

A handle is a type for which the headers have a function heed_NAME_free or heed_NAME_close. OUT has, for every
handle, a line of the table `handles` (calls/freed.h) with its functions. It calls make_NAME, which the including
program defines, so a new handle without one does not compile. Every call passes one object that was freed and, for
all other arguments, values that suffice for a function that checks its objects first. Objects also come in lists and
in the fields of options.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
import sys
from pathlib import Path

from headers import Headers

# Functions that take an object and may not access it, and why.
NEVER_LOOK = {
    "heed_debug_set_owner": "notes addresses, also those of objects that are being freed",
    "heed_enter": "runs in every forward, which has checked the module",
}

# Calls with a freed object of a handle that need more than an expression per argument, like all calls that also take
# a layer: the including program defines freed_in_NAME for these.
BY_HAND = {("heed_generate", "heed_generator"), ("heed_schedule_new_chained", "heed_optimizer"),
           ("heed_schedule_new_sequential", "heed_optimizer")}

# Objects that a function compares by address or ignores, without access.
COMPARED = {("heed_data_parallel_save", "heed_optimizer"), ("heed_attention_visible_keys", "heed_generator")}

# Fields of options that are set together with the object, which is otherwise unused.
FIELDS = {
    "heed_attention_options": ".dropout = 0.5",
    "heed_loader_options": ".shuffle = true",
    "heed_sample_options": ".temperature = 1.0",
}

# Arguments that a function checks before the object, by the function and the parameter.
ARGUMENTS = {
    (r"heed_kernel_regression_by_\w+", "width"): "numbers(HEED_SHAPE(1))",
    (r"heed_kernel_regression_by_data", "data"): "pairs()",
    (r"heed_kernel_regression_by_data", "queries"): "numbers(HEED_SHAPE(4, 1))",
    (r"heed_np_fit\w*|heed_np_bootstrap", "x"): "numbers(HEED_SHAPE(8, 1))",
    (r"heed_np_fit\w*", "y"): "numbers(HEED_SHAPE(8))",
    (r"heed_np_fit_classes", "labels"): "heed_to_dtype(numbers(HEED_SHAPE(8)), HEED_I64)",
    (r"heed_\w+_attention", "[qkv]"): "numbers(HEED_SHAPE(1, 2, 2))",
    (r"heed_additive_attention", "W_[qk]"): "numbers(HEED_SHAPE(2, 2))",
    (r"heed_additive_attention", "w_v"): "numbers(HEED_SHAPE(2))",
    (r"heed_optim_sgd\w*", "options"): "&(heed_optim_sgd_options){.lr = 0.1}",
    (r"heed_dataset_split|heed_dataset_fold", "second|held_out"): "(heed_dataset **)SCRATCH + 1",
    (r"heed_module_summary_with", "forward"): "run_module",
}

VALUES = {"bool": "true", "int": "1", "int64_t": "1", "size_t": "1", "uint64_t": "1", "uint32_t": "1", "char": "','",
          "double": "0.5", "heed_shape": "HEED_SHAPE(1)", "FILE *": "stdout", "heed_tensor *": "tensor()",
          "heed_tensor **": "TENSORS", "heed_tensor *const *": "TENSORS", "const char *": '"x"',
          "const char *const *": '(const char *const[]){"x"}'}


def given(function, parameter):
    fits = (value for (f, p), value in ARGUMENTS.items() if re.fullmatch(f, function) and re.fullmatch(p, parameter))
    return next(fits, None)


class Calls:
    def __init__(self, headers):
        self.headers = headers
        found = {}
        for f in headers.functions:
            ends = re.fullmatch(r"heed_\w+_(free|close)", f.name) and len(f.parameters) == 1
            handle = ends and re.match(r"(heed_\w+) \*", f.parameters[0])
            if handle:
                found[handle[1]] = f
        self.handles = dict(sorted(found.items()))

    def handle(self, type_):
        """The handle that a pointer type points to: layers begin with a module."""
        name = re.match(r"(?:const )?(heed_\w+) \*$", type_)
        if not name:
            return None
        body = self.headers.structs.get(name[1], "")
        if re.match(r"\s*heed_module base;", body):
            return "heed_module"
        return name[1] if name[1] in self.handles else None

    def value(self, type_):
        handle = self.handle(type_)
        if handle:
            return f"live({names(handle)})"
        bare = re.sub(r"^const (?!char)", "", type_)
        if bare in VALUES:
            return VALUES[bare]
        if bare in self.headers.enums:
            return f"({bare})0"
        if re.match(r"const heed_\w+ \*$", type_) and "options" in type_:
            return "NULL"
        if bare in self.headers.callbacks or "(*" in type_:
            return "NULL"
        return "SCRATCH"

    def variants(self, type_, name):
        """Expressions for a parameter that has a freed object, with the object's handle."""
        if (type_, name) == ("void *", "module"):
            yield "heed_module", "freed"
        handle = self.handle(type_)
        if handle:
            yield handle, "freed"
        listed = re.match(r"((?:const )?(heed_\w+|void) \*)const \*$", type_)
        if listed and listed[2] in (*self.handles, "void"):  # void * lists contain modules
            yield listed[2].replace("void", "heed_module"), f"({listed[1]}const[]){{freed}}"
        struct = re.match(r"const (heed_\w+) \*$", type_)
        for field in self.headers.structs.get(struct[1], "").split(";") if struct else []:
            held = re.match(r"\s*((?:const )?heed_\w+ \*)(\w+)$", field)
            if held and self.handle(held[1]):
                others = FIELDS.get(struct[1], "")
                yield self.handle(held[1]), f"&({struct[1]}){{.{held[2]} = freed{', ' if others else ''}{others}}}"

    def of(self, handle):
        """(function, statement) of every call with a freed object of that handle."""
        for f in self.headers.functions:
            if f is self.handles[handle] or f.name in NEVER_LOOK:
                continue
            named = [self.type_and_name(p) for p in f.parameters if p != "..."]
            types = [type_ for type_, _ in named]
            for i, (type_, name) in enumerate(named):
                for found, expression in self.variants(type_, name):
                    if found == handle:
                        if (f.name, handle) in COMPARED:
                            continue
                        values = [given(f.name, n) or self.value(t) for t, n in named]
                        values[i] = expression
                        layers = any(t.startswith("heed_nn_") and self.handle(t) for t in types[:i] + types[i + 1:])
                        by_hand = layers or (f.name, handle) in BY_HAND
                        call = f"(void){'!' if f.nodiscard else ''}{f.name}({', '.join(values)})"
                        yield f, f"freed_in_{names(f.name)}(freed)" if by_hand else call

    @staticmethod
    def type_and_name(declared):
        if re.search(r"\(\*\w+\)\(", declared):
            return "(*)", re.search(r"\(\*(\w+)\)\(", declared)[1]
        match = re.match(r"(.*?)(\w+)(\[\w*\])?$", declared)
        type_ = match[1].strip()
        return type_ + ("" if not match[3] else "*" if type_.endswith("*") else " *"), match[2]


def names(handle):
    return handle.removeprefix("heed_")


def write(calls, out):
    lines = ["/* Written by tests/promises/calls/freed.py. */\n"]
    order = list(calls.handles)
    lines += [f"enum {{ {', '.join('HANDLE_' + names(h) for h in order)} }};\n"]
    table = []
    for handle in order:
        free = calls.handles[handle]
        lines.append(f"static void end_{names(handle)}(void *freed)\n{{\n    (void){free.name}(freed);\n}}\n")
        rows = []
        for i, (f, statement) in enumerate(calls.of(handle)):
            lines.append(f"static void {names(handle)}_{i}(void *freed)\n{{\n    {statement};\n}}\n")
            rows.append(f'    {{"{names(f.name)}", {names(handle)}_{i}}},\n')
        lines.append(f"static const freed_call calls_of_{names(handle)}[] = {{\n{''.join(rows)}    {{NULL, NULL}}}};\n")
        name = names(handle)
        table.append(f'    {{"{names(free.name)}", make_{name}, end_{name}, calls_of_{name}}},\n')
    lines.append(f"static const freed_handle handles[] = {{\n{''.join(table)}}};\n")
    Path(out).write_text("\n".join(lines).replace("live(", "live(HANDLE_"), encoding="utf-8")


def main():
    headers, out = sys.argv[1:]
    calls = Calls(Headers(Path(headers)))
    unknown = set(NEVER_LOOK) - {f.name for f in calls.headers.functions}
    if unknown and "heed_onnx" not in calls.handles and "heed_tensorboard" not in calls.handles:
        raise SystemExit(f"freed.py excepts functions that do not exist: {', '.join(sorted(unknown))}")
    write(calls, out)


if __name__ == "__main__":
    main()
