"""tests/promises/calls/headers.py - the public functions, as the headers declare them: the input of calls.py."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re
from dataclasses import dataclass, field


@dataclass
class Argument:
    """One parameter, or one field of an options struct ("options->lr")."""
    name: str
    kind: str           # tensor, pointer, text, enum, bool, int, int64, size, word, real, shape
    constants: tuple = ()                       # of an enum
    fields: list = field(default_factory=list)  # of the struct that this parameter points to
    type: str = ""      # as declared, without const and the name
    points_to: str = "" # of a pointer to a function: its type, "heed_tensor *(heed_tensor *)"
    inner: list = field(default_factory=list)   # of the struct that this field points to, which reports leave out

    @property
    def enum_count(self):
        return len(self.constants)


@dataclass
class Function:
    name: str
    result: str
    parameters: list    # as declared
    arguments: list     # of Argument; without the format of a variadic function
    variadic: bool
    header: str         # "ops/loss.h"
    nodiscard: bool     # its result must be used
    deprecated: str = "" # the text of HEED_DEPRECATED

    def flat(self):
        """Arguments, with the fields of options after the pointer to them: the order of a report."""
        return [a for argument in self.arguments for a in (argument, *argument.fields)]


KINDS = {"bool": "bool", "int": "int", "int64_t": "int64", "size_t": "size", "uint64_t": "word", "uint32_t": "word", "char": "word",
         "double": "real", "heed_shape": "shape"}


# "heed_tensor *(*activation)(heed_tensor *x)": the result, the name, the parameters.
FUNCTION_POINTER = r"(?:const )?([\w ]+\*?)\(\*(\w+)\)\(((?:[^()]|\([^()]*\))*)\)"


def function_type(match):
    """"heed_tensor *(heed_tensor *)": without names."""
    parameters = (re.sub(r"(?<=[ *])\w+$", "", p).strip() for p in split(match[3]))
    return f"{match[1]}({', '.join(parameters)})"


def split(text):
    """Splits at commas outside parentheses."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", text) if part.strip()]


def plain(text):
    """A header without comments and directives, on one line."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^\s*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    return re.sub(r"\s+", " ", text)


class Headers:
    def __init__(self, folder):
        texts = {str(p.relative_to(folder)): plain(p.read_text(encoding="utf-8")) for p in sorted(folder.rglob("*.h"))}
        text = " ".join(texts.values())
        self.enums = {name: tuple(re.findall(r"(\w+)(?: = [^,]*)?(?:,|$)", body.strip()))
                      for body, name in re.findall(r"typedef enum \w+ \{([^}]*)\} (\w+);", text)}
        self.callbacks = {m[2]: function_type(m) for m in re.finditer("typedef " + FUNCTION_POINTER, text)}
        self.structs = {name: body for body, name in re.findall(r"typedef struct \w+ \{([^}]*)\} (\w+);", text)}
        self.functions = [self.function(header, *m) for header, part in texts.items() for m in re.findall(
            r'(?:HEED_DEPRECATED\("([^"]*)"\) )?HEED_API ([\w ]+?[ *]+)(heed_\w+)\(((?:[^()]|\([^()]*\))*)\)(?: HEED_PRINTF\([^)]*\))?;', part)]

    def function(self, header, deprecated, result, name, parameters):
        parts = [] if parameters == "void" else split(parameters)
        variadic = bool(parts) and parts[-1] == "..."
        arguments = [self.argument(part, following) for part, following in zip(parts, [*parts[1:], ""])
                     if part != "..."]
        nodiscard = result.startswith("HEED_NODISCARD ")
        return Function(name, result.removeprefix("HEED_NODISCARD ").strip(), parts,
                        arguments[:-1] if variadic else arguments, variadic, header, nodiscard, deprecated)

    def argument(self, declared, following=""):
        name = re.search(r"\(\*(\w+)\)\(", declared) or re.search(r"(\w+)(?:\[\w*\])?$", declared)
        name, bare = name[1], declared.replace("const ", "")
        type_ = bare[:bare.rindex(name)].strip()
        if type_ == "heed_tensor *":
            return Argument(name, "tensor", type=type_)
        if re.match(r"const char \*\w+$", declared) and not following.startswith("size_t"):
            return Argument(name, "text", type=type_)
        if "*" in declared or "[" in declared or type_ in self.callbacks:
            options = re.match(r"const (heed_\w+_(?:options|call)) \*\w+$", declared)
            called = re.match(FUNCTION_POINTER, declared)
            return Argument(name, "pointer", (), self.fields(options[1], name) if options else [], type_,
                            function_type(called) if called else self.callbacks.get(type_, ""))
        if type_ in self.enums:
            return Argument(name, "enum", self.enums[type_], type=type_)
        if type_ not in KINDS:
            raise SystemExit(f"{declared}: a parameter of a kind that tests/promises/calls does not know")
        return Argument(name, KINDS[type_], type=type_)

    def fields(self, struct, pointer):
        found = []
        for line in self.structs[struct].replace("HEED_RESERVED;", "").split(";"):
            declared = split(line.strip())
            for position, part in enumerate(declared):
                if position > 0:  # "int64_t a, b": the type is before the first
                    part = re.match(r"[\w ]+?(?=\W*\w+(?:\[\w+\])?$)", declared[0])[0] + " " + part
                found.extend(self.field(part, pointer))
        return found

    def field(self, declared, pointer):
        array = re.match(r"(.*)\[(\d+)\]$", declared)
        argument = self.argument(array[1] if array else declared)
        argument.name, argument.fields, argument.inner = f"{pointer}->{argument.name}", [], argument.fields
        if not array:
            return [argument]
        return [Argument(f"{argument.name}[{i}]", argument.kind, argument.constants) for i in range(int(array[2]))]
