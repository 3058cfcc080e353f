"""companions/python/generate/api.py - reads what Python needs of the public functions: the kind and default of every
argument, and the comment above the prototype."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import re
from dataclasses import dataclass

from headers import Headers

LISTS = {"heed_tensor **": "tensors", "void **": "modules", "char **": "texts", "int64_t *": "i64s", "heed_schedule **": "handles",
         "heed_dataset **": "handles", "heed_plot_series *": "structs.heed_plot_series"}
OPTIONS = re.compile(r"heed_\w+_(?:options|call)$")  # structs whose fields are keywords
COUNTS = re.compile(r"(?:int|int64_t) (?:n|k|count|n_\w+)$")
SIMPLE = {"int": "i32", "int64": "i64", "size": "size", "real": "f64", "bool": "bool", "shape": "shape", "tensor": "tensor"}
WORDS = {"uint64_t": "u64", "uint32_t": "u32", "char": "char"}
POINTERS = {"double *": "f64_out", "uint64_t *": "u64_out", "heed_module *": "module", "void *": "void", "heed_dict *": "dict",
            "heed_activation": "activation", "heed_tensor *(*)(heed_tensor *)": "activation",
            "heed_np_prediction *": "out"}
RESULTS = {"heed_tensor *": "tensor", "heed_status": "status", "const char *": "text", "heed_dict *": "dict", "void": "none",
           "bool": "bool", "int": "i32", "int64_t": "i64", "uint64_t": "u64", "size_t": "size", "double": "f64"}
# C types of objects that a script keeps, and their Python classes.
HANDLES = {"heed_generator": "Generator", "heed_kv_cache": "KVCache", "heed_average": "Average", "heed_schedule": "Schedule",
           "heed_optimizer": "Optimizer", "heed_dataset": "Dataset", "heed_loader": "Loader", "heed_scaler": "Scaler",
           "heed_categories": "Categories", "heed_np": "Fit", "heed_comm": "Comm", "heed_data_parallel": "DataParallel"}
# The `heed_tensor **` arguments of a header that the function reads before writing.
STATES = {"recurrent.h": ("state", "h", "c")}
# Other `heed_tensor **` arguments: the function writes one tensor, or the number of tensors that a different argument gives.
ONE = {"weights", "self_weights", "memory_weights", "encoder_weights", "indices", "inverse", "counts", "statistics", "final_state", "state", "product", "scores",
       "probabilities", "sign"}
SEVERAL = {"parts", "grids", "batch", "grads", "products", "jacobians", "hessians", "outputs", "sums", "rows"}
# Arguments that may be NULL. They may be omitted, which means None, if only such arguments follow.
OPTIONAL = {"b", "bias", "weight", "valid_lens", "mask", "memory_lens", "src_lens", "tgt_lens", "positions", "weights",
            "generator", "names", "prefix"}
DEFAULTS = {"keepdim": "False", "correction": "1", "rtol": "1e-05", "atol": "1e-08", "equal_nan": "False", "reduction": '"mean"',
            "eps": "1e-05", "diagonal": "0", "offset": "0", "log_target": "False", "swap": "False", "descending": "False",
            "right": "False", "upper": "False", "replacement": "False", "reverse": "False", "min_length": "0", "mode": '"constant"', "value": "0.0",
            "dtype": '"f32"'}
NO_DEFAULTS = ("heed_to_dtype",)
KEYWORDS = {"in": "in_", "from": "from_", "lambda": "lambda_", "dict": "dict_"}


@dataclass
class Field:
    name: str
    kind: str
    default: str        # the representation of zero, the default of every option


@dataclass
class Argument:
    name: str
    kind: str
    fields: list
    default: str = ""

    @property
    def python(self):
        return KEYWORDS.get(self.name, self.name)


@dataclass
class Function:
    name: str
    header: str
    result: str
    arguments: list
    doc: str
    deprecated: str = ""


def words(constants):
    """HEED_REDUCTION_MEAN, HEED_REDUCTION_SUM: mean, sum."""
    prefix = os.path.commonprefix(list(constants))
    return tuple(c[prefix.rindex("_") + 1:].lower() for c in constants)


def camel(name):
    """batch_norm: BatchNorm; with PyTorch's capitals if it has the name."""
    whole = {"rnn": "RNN", "gru": "GRU", "lstm": "LSTM", "sgd": "SGD", "adamw": "AdamW", "rmsprop": "RMSprop", "lbfgs": "LBFGS",
             "nw": "NW", "rms": "RMS", "seq2seq": "Seq2Seq"}
    return "".join(whole.get(part, part[:1].upper() + part[1:]) for part in name.split("_"))


def is_list(c, i):
    """Whether argument i is a list, followed by its length."""
    return c.arguments[i].type in LISTS and i + 1 < len(c.parameters) and bool(COUNTS.match(c.parameters[i + 1]))


def written(c, a):
    """The kind of an output argument. A list declared as a single tensor would be written beyond its end."""
    if a.name in STATES.get(c.header, ()):
        return "state"
    if a.name not in ONE | SEVERAL:
        raise SystemExit(f"{c.name}: add {a.name} to ONE or SEVERAL in companions/python/generate/api.py: is it one tensor or several?")
    return "out" if a.name in ONE else "outs"


class Unknown(Exception):
    """An argument that Python cannot pass: functions that take it are left out."""


class Api:
    def __init__(self, folder):
        self.headers = Headers(folder)
        self.enums = {name: words(constants) for name, constants in self.headers.enums.items() if len(constants) > 1}
        self.comments = {}
        for path in folder.rglob("*.h"):
            self.comments.update(comments(path.read_text(encoding="utf-8")))
        self.structs = {}
        self.functions = {}
        for function in self.headers.functions:
            try:
                self.functions[function.name] = self.function(function)
            except Unknown:
                pass

    def function(self, c):
        if c.variadic:
            raise Unknown(c.name)
        arguments = [Argument(a.name, self.kind(c, i), self.fields(a)) for i, a in enumerate(c.arguments)]
        for argument in reversed(arguments):
            argument.default = default(argument) if c.name not in NO_DEFAULTS else ""
            if not argument.default and not argument.kind.startswith(("options.", "out", "state", "count")):
                break
        return Function(c.name, c.header, self.result(c.result), arguments, self.comments.get(c.name, ""), c.deprecated)

    def kind(self, c, i):
        a = c.arguments[i]
        if a.kind == "text":
            return "path" if a.name == "path" else "text"
        if i and is_list(c, i - 1):
            return "count" if a.kind == "int" else "count64"
        if a.type == "heed_plot_series *":
            self.struct("heed_plot_series")
        if is_list(c, i):
            return "outs" if a.type == "heed_tensor **" and "const" not in c.parameters[i] else LISTS[a.type]
        if a.type == "heed_tensor **" and "const" in c.parameters[i]:
            return "tensors"
        if a.type == "heed_tensor **":
            return written(c, a)
        return self.plain(a)

    def plain(self, a):
        """The kind of a single argument, or of a field."""
        if a.kind == "enum":
            return f"enum.{a.type}"
        if a.kind == "int" and (a.name.startswith("axis") or a.name.endswith("_axis")):
            return "axis"
        if a.kind in SIMPLE:
            return SIMPLE[a.kind]
        if a.kind == "text":
            return "text"
        if a.kind == "word":
            return WORDS[a.type]
        if a.points_to == "heed_tensor *(heed_tensor *)":
            return "activation"
        if a.points_to:
            return "function"
        if a.type == "heed_tensor **" and a.name.removeprefix("->") in ONE:
            return "out"
        name = a.type.rstrip("* ")
        if name in self.headers.structs and OPTIONS.match(name):
            return self.struct(name)
        if name.startswith("heed_nn_") and a.type.endswith(" *"):
            return f"module.{name.removeprefix('heed_nn_')}"
        if name in HANDLES and a.type.endswith(" *"):
            return f"handle.{name}"
        if name in HANDLES and a.type.endswith(" **"):
            return f"out.{name}"
        return POINTERS.get(a.type) or LISTS.get(a.type) or "void"

    def struct(self, name):
        """Records the struct's fields, in the order of C; returns the kind of a pointer to it."""
        if name not in self.structs:
            self.structs[name] = []
            found = {}
            for a in self.headers.fields(name, ""):
                bare = re.sub(r"\[\d+\]$", "", a.name.removeprefix("->"))
                if bare in found:
                    found[bare].default = "None"
                    found[bare].kind = f"{found[bare].kind.partition('*')[0]}*{int(a.name[-2]) + 1}"
                else:
                    kind = self.plain(a)
                    found[bare] = Field(bare, kind, self.zero(kind))
            for list_ in [f for f in found.values() if f.kind == "texts" and f"{f.name[:-1]}_count" in found]:
                found[f"{list_.name[:-1]}_count"].kind = "length"
            if "bytes" in found and "size" in found:  # a file in memory, which Python does not pass
                found["size"].kind = "bytes_size"
            for flag in [f for f in found.values() if f.name.startswith("has_") and f.name[4:] in found]:
                found[flag.name[4:]].default = "None"  # setting the value suffices
            self.structs[name] = list(found.values())
        return f"options.{name}"

    def zero(self, kind):
        """The value of an omitted option."""
        if kind.startswith("enum."):
            return f'"{self.enums[kind[5:]][0]}"'
        return {"bool": "False", "i32": "0", "i64": "0", "u64": "0", "u32": "0", "size": "0", "f64": "0.0"}.get(kind, "None")

    def fields(self, a):
        name = a.type.rstrip("* ")
        if a.kind == "pointer" and OPTIONS.match(name) and a.type.endswith(" *") and name in self.structs:
            return self.structs[name]
        return []

    def result(self, declared):
        if declared in RESULTS:
            return RESULTS[declared]
        name = declared.removeprefix("const ").rstrip("* ")
        if declared == "heed_module *" or name.startswith("heed_nn_") and declared.endswith("*"):
            return "module"
        if name in HANDLES:
            return f"handle.{name}"
        if name in self.headers.enums:
            return f"enum.{name}"
        raise Unknown(declared)


def default(argument):
    if argument.kind.startswith(("tensor", "handle", "options", "text")) and argument.name in OPTIONAL:
        return "None"
    return DEFAULTS.get(argument.name, "")


def comments(text):
    """The comment directly above the prototype of every function."""
    found = re.findall(r'/\*((?:(?!\*/).)*)\*/\s*(?:HEED_DEPRECATED\("[^"]*"\)\s*)?HEED_API[^;(]*?\b(heed_\w+)\(', text, re.S)
    return {name: "\n".join(re.sub(r"^ \* ?", "", line).rstrip() for line in body.strip().split("\n"))
            for body, name in found}

