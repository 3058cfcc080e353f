"""docs/manual/make/python_source.py - the public names of the Python package, and their definitions.

This module reads the package's source without importing it, because the import needs NumPy and the built library. The
names in the modules' __all__ are public, and so are imports such as `from heed._module import Module as Module`."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3] / "companions" / "python" / "heed"


class Source:
    """A module's source: its definitions, and its names from other modules."""

    def __init__(self, name):
        path = PACKAGE / ("__init__.py" if name == "heed" else f"{name.removeprefix('heed.')}.py")
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.defined = {node.name: node for node in self.tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self.imported, self.exported, self.stars, self.assigned = {}, [], [], {}
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "heed":
                self.read_import(node)
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                self.read_assignment(node)

    def read_import(self, node):
        for alias in node.names:
            if alias.name == "*":
                self.stars.append(node.module)
            elif node.module == "heed":
                self.imported[alias.asname or alias.name] = (f"heed.{alias.name}", None)
            else:
                self.imported[alias.asname or alias.name] = (node.module, alias.name)
            if alias.name == alias.asname and not alias.name.startswith("_"):
                self.exported.append(alias.name)

    def read_assignment(self, node):
        """`a, b = _functions.x, _functions.y`, `a: int = 3`, and `a, b = (f(n) for n in ...)`, whose elements have no node."""
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            names = [part.id for part in (target.elts if isinstance(target, ast.Tuple) else [target]) if isinstance(part, ast.Name)]
            values = node.value.elts if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) else [node.value] * len(names)
            if names != ["__all__"]:
                self.assigned.update(zip(names, values))

    @property
    def lists(self):
        """The values that form __all__."""
        for node in self.tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and getattr(targets[0], "id", "") == "__all__":
                yield node.value


class Package:
    def __init__(self):
        self.sources = {}

    def source(self, name):
        if name not in self.sources:
            self.sources[name] = Source(name)
        return self.sources[name]

    def resolve(self, module, name):
        """(module, node) of the definition: a function, a class, or the value of an assignment. None for other names."""
        source = self.source(module)
        if name in source.defined:
            return module, source.defined[name]
        if name in source.assigned:
            value = source.assigned[name]
            return (self.followed(module, value) if isinstance(value, ast.Attribute) else None) or (module, value)
        if name in source.imported:
            other, there = source.imported[name]
            return self.resolve(other, there) if there else None
        return next((found for other in reversed(source.stars) if (found := self.resolve(other, name))), None)

    def is_a(self, module, name, bases):
        """Whether the class is derived from one of the bases."""
        found = self.resolve(module, name)
        if not found or not isinstance(found[1], ast.ClassDef):
            return False
        return any(base.id in bases or self.is_a(found[0], base.id, bases) for base in found[1].bases if isinstance(base, ast.Name))

    def listed(self, module, value):
        """The names that an expression of __all__ has: a list, the list of a different module, the name of a class, or all
        names of a module with a prefix or with a base class."""
        if isinstance(value, ast.BinOp):
            return self.listed(module, value.left) + self.listed(module, value.right)
        if isinstance(value, ast.List):
            return [name for part in value.elts for name in self.listed(module, part)]
        if isinstance(value, ast.Constant):
            return [value.value]
        if isinstance(value, ast.Attribute):
            other = value.value.id
            return [other] if value.attr == "__name__" else self.names(f"heed.{other}")
        calls = {getattr(node.func, "id", getattr(node.func, "attr", "")): node.args
                 for node in ast.walk(value) if isinstance(node, ast.Call)}
        other = f"heed.{calls['vars'][0].id}"
        if "startswith" in calls:
            prefix = calls["startswith"][0].value
            return [name[len(prefix):] for name in self.source(other).defined if name.startswith(prefix)]
        bases = {node.id for node in ast.walk(calls["issubclass"][1]) if isinstance(node, ast.Name)}
        return [name for name in self.source(other).defined if self.is_a(other, name, bases)]

    def names(self, module):
        """The public names in alphabetical order, without names such as __version__. A module without __all__ has its
        documented definitions."""
        source = self.source(module)
        names = [name for value in source.lists for name in self.listed(module, value)]
        if not names:
            names = [name for name, node in source.defined.items() if ast.get_docstring(node)]
        return sorted((name for name in {*names, *source.exported} if not name.startswith("_")), key=lambda name: (name.lower(), name))

    def bases(self, module, node):
        """(module, node) of the class and of its bases in the package."""
        yield module, node
        for base in node.bases:
            found = self.followed(module, base)
            if found and isinstance(found[1], ast.ClassDef):
                yield from self.bases(*found)

    def followed(self, module, node):
        """The definition of `name`, or of `other.name` where `other` is an imported module."""
        if isinstance(node, ast.Name):
            return self.resolve(module, node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self.source(module).imported:
            other, name = self.source(module).imported[node.value.id]
            return self.resolve(other, node.attr) if name is None else None
        return None
