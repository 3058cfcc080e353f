"""docs/manual/make/python_pages.py - the manual's pages of the Python package: one page for every module, with the signature,
the docstring and the functions of C of every public name."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ast
import re

from headers import split_names
from python_source import Package

MODULES = {"heed": "tensors, ops, derivatives, files", "heed.nn": "layers and user-defined modules",
           "heed.optim": "optimizers, schedules, gradient clipping, averages", "heed.data": "datasets, loaders, scalers, categories",
           "heed.np": "kernel regression of data", "heed.plot": "curves, heatmaps, images", "heed.io": "files of one format"}
WIDTH = 100  # columns of a signature
FUNCTION_OF_C = re.compile(r"heed_\w+")
ABOUT = """Python {#python}
======

The package `heed` calls the library from Python; `companions/python/README.md` describes the installation, the memory
that tensors share with NumPy, and the differences from C. These pages have all public names, with the text that
`help()` shows.

@TABLE@

`Data` in a signature is a tensor, an array of NumPy or of a different library with DLPack, a list or a number.
`Handle` is an object of the library, such as a generator. The texts come from the headers of C: NULL means None, and an
error raises an exception. Further names, of PyTorch and NumPy, also work.
"""


def page_of(module):
    return "python_" + module.replace(".", "_")


def anchor_of(module, name):
    return f"{page_of(module)}_{name}"


def parameters(arguments, skip):
    """The parameters of a function as text, without the first `skip` ones."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
    shown = [parameter(*pair) for pair in zip(plain, defaults)][skip:]
    if arguments.vararg or arguments.kwonlyargs:
        shown.append("*" + (parameter(arguments.vararg, None) if arguments.vararg else ""))
    shown += [parameter(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return shown + (["**" + parameter(arguments.kwarg, None)] if arguments.kwarg else [])


def parameter(argument, default):
    annotation = f": {ast.unparse(argument.annotation).strip(chr(39))}" if argument.annotation else ""
    equals = " = " if annotation else "="
    return argument.arg + annotation + (equals + ast.unparse(default) if default else "")


def signature(name, node, skip=0):
    """The call of a function, in lines of at most WIDTH columns if possible."""
    lines, returns = [f"{name}("], f" -> {ast.unparse(node.returns).strip(chr(39))}" if node.returns else ""
    shown = parameters(node.args, skip)
    for i, text in enumerate(shown):
        text += ", " if i + 1 < len(shown) else ")" + returns
        if len(lines[-1]) + len(text) > WIDTH:
            lines.append("    ")
        lines[-1] += text
    return "\n".join(line.rstrip() for line in lines) + ("" if shown else ")" + returns)


def is_property(node):
    return any(getattr(decorator, "id", "") in ("property", "cached_property") for decorator in node.decorator_list)


def made_by(source, node):
    """The inner function of the function that makes `sum, mean = (over(name) for name in ...)`, or None."""
    maker = source.defined.get(getattr(getattr(getattr(node, "elt", None), "func", None), "id", ""))
    return next((inner for inner in maker.body if isinstance(inner, ast.FunctionDef)), None) if maker else None


class PythonPages:
    def __init__(self, pages):
        self.pages, self.package = pages, Package()
        self.public = {module: [name for name in self.package.names(module) if f"{module}.{name}" not in MODULES] for module in MODULES}

    def docstring(self, module, node):
        """Of a class also a base's docstring."""
        found = (ast.get_docstring(each) for _, each in self.package.bases(module, node)) if isinstance(node, ast.ClassDef) else [
            ast.get_docstring(node)] if isinstance(node, ast.FunctionDef) else []
        return next((text for text in found if text), "")

    def functions_of_c(self, module, node):
        """The functions of C that a definition names, also through a function of the package, in order."""
        found = []
        for each in ast.walk(node):
            if isinstance(each, ast.Attribute) and FUNCTION_OF_C.fullmatch(each.attr):
                found.append(each.attr)
            elif isinstance(each, ast.Constant) and isinstance(each.value, str) and FUNCTION_OF_C.fullmatch(each.value):
                found.append(each.value)
            elif isinstance(each, ast.Attribute) and (there := self.package.followed(module, each)) and there[0] != module:
                found += self.functions_of_c(*there)
        return [name for name in dict.fromkeys(found) if name in self.pages.library.functions]

    def body(self, docstring, functions):
        text, *named = split_names(docstring)
        also = {"In C": [self.pages.plain(name) for name in functions],
                **{f"In {project}": [f"`{name}`" for name in names] for project, names in zip(("PyTorch", "NumPy"), named)}}
        names = ". ".join(f"{where}: {', '.join(found)}" for where, found in also.items() if found)
        return "\n\n".join(part for part in (self.pages.text(text.strip()), names + "." if names else "") if part)

    def method(self, module, owner, node):
        name = f"{owner}.{node.name}"
        shown = name if is_property(node) else signature(name, node, 1)
        if is_property(node) and node.returns:
            shown += f": {ast.unparse(node.returns).strip(chr(39))}"
        return f"```py\n{shown}\n```\n\n{self.body(self.docstring(module, node), self.functions_of_c(module, node))}"

    def methods(self, module, node, page):
        """The public methods of a class and of its bases, except bases with an entry of their own."""
        shown, own = {}, node.name
        for where, each in self.package.bases(module, node):
            if each is not node and each.name in self.public[page]:
                shown.setdefault("", f"Methods of its base: @ref {anchor_of(page, each.name)} \"{each.name}\".")
                break
            for method in each.body:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    shown.setdefault(method.name, self.method(where, own, method))
        return list(shown.values())

    def of_class(self, module, node, page, name):
        made = next((method for _, each in self.package.bases(module, node) for method in each.body
                     if isinstance(method, ast.FunctionDef) and method.name == "__init__"), None)
        shown = signature(f"{page}.{name}", made, 1).removesuffix(" -> None") if made else f"{page}.{name}"
        parts = [f"```py\n{shown}\n```", self.body(self.docstring(module, node), self.functions_of_c(module, made) if made else [])]
        if attributes := list(dict.fromkeys(self.attributes(module, node))):
            parts.append("Attributes: " + ", ".join(f"`{each}`" for each in attributes) + ".")
        if name == "Tensor":
            parts.append("These functions of heed are also methods: " + ", ".join(
                f"@ref {anchor_of('heed', n)} \"{n}\"" for n in self.tensor_methods() if n in self.public["heed"]) + ".")
        return "\n\n".join(parts + self.methods(module, node, page))

    def attributes(self, module, node):
        """The attributes with a type: `rows: int` in a class, and `self.rows: int = 3` in its methods."""
        for _, each in self.package.bases(module, node):
            for found in ast.walk(each):
                target = found.target if isinstance(found, ast.AnnAssign) else None
                name = getattr(target, "attr" if isinstance(target, ast.Attribute) else "id", "_")
                if not name.startswith("_") and (isinstance(target, ast.Attribute) or found in each.body):
                    yield f"{name}: {ast.unparse(found.annotation)}"

    def tensor_methods(self):
        return sorted(ast.literal_eval(self.package.source("heed._functions").assigned["METHODS"]))

    def entry(self, page, name):
        """The text about a public name."""
        module, node = self.package.resolve(page, name) or self.package.resolve("heed._functions", f"{page.removeprefix('heed.')}_{name}")
        if isinstance(node, ast.ClassDef):
            return self.of_class(module, node, page, name)
        if isinstance(node, ast.FunctionDef):
            return f"```py\n{signature(f'{page}.{name}', node)}\n```\n\n{self.body(self.docstring(module, node), self.functions_of_c(module, node))}"
        inner = made_by(self.package.source(module), node)
        if inner:
            generated = self.package.resolve("heed._functions", name)
            return (f"```py\n{signature(f'{page}.{name}', inner)}\n```\n\n"
                    f"{self.body(self.docstring(*generated), self.functions_of_c(*generated))}")
        return f"```py\n{page}.{name}\n```"

    def page(self, module):
        names = self.public[module]
        about = ast.get_docstring(self.package.source(module).tree, clean=False)
        about = re.sub(r"^\w+/\w+\.py - ", "", about.strip())
        index = ", ".join(f'@ref {anchor_of(module, name)} "{name}"' for name in names)
        sections = [f"## {name} {{#{anchor_of(module, name)}}}\n\n{self.entry(module, name)}" for name in names]
        title = f"{module} {{#{page_of(module)}}}\n{'=' * len(module)}"
        return "\n\n".join([title, self.pages.text(about[:1].upper() + about[1:]).replace("@code{.c}", "@code{.py}"), index, *sections]) + "\n"

    def write(self, folder):
        rows = "".join(f"| @subpage {page_of(module)} \"{module}\" | {about} |\n" for module, about in MODULES.items())
        (folder / "python.md").write_text(ABOUT.replace("@TABLE@", f"| module | contents |\n|---|---|\n{rows}"), encoding="utf-8")
        for module in MODULES:
            (folder / f"{page_of(module)}.md").write_text(self.page(module), encoding="utf-8")
