"""bindings/python/generate/prototypes.py - _prototypes.py: the declarations of the C functions for ctypes."""

HEAD = '''\
"""heed/_prototypes.py - the C functions' results and arguments, the structs' fields, the enums' names. Written by scripts/python
from the headers. heed/_kinds.py says what the kinds are."""

from typing import Dict, Tuple

'''


def listed(fields):
    return " ".join(f"{f.name}:{f.kind}" for f in fields)


def table(name, type_, lines):
    return f"{name}: {type_} = {{\n" + "".join(f"    {line},\n" for line in lines) + "}\n"


def text(api):
    enums = table("ENUMS", "Dict[str, Tuple[str, ...]]", (f'"{name}": {values!r}' for name, values in api.enums.items()))
    structs = table("STRUCTS", "Dict[str, str]", (f'"{n}": "{listed(f)}"' for n, f in api.structs.items()))
    functions = table("FUNCTIONS", "Dict[str, str]", (
        f'"{f.name}": "{f.result} {listed(f.arguments)}"' for f in api.functions.values()))
    return HEAD + enums + "\n" + structs + "\n" + functions
