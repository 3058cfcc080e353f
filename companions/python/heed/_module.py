"""heed/_module.py - modules: layers of the library, and Python classes with their own parameters and forward."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ctypes
import weakref
from ctypes import POINTER, c_bool, c_char_p, c_int, c_void_p
from typing import Any, Dict, Iterator, List, Optional, Tuple, Type

import heed
from heed._call import C, call, check_raised
from heed._callbacks import CallbackType, OfModule, kept, of_module
from heed._convert import as_tensor
from heed._dict import State, load_into
from heed._handles import Tensor, error, own, retain
from heed._kinds import KINDS, Instance, List as ListKind
from heed._library import ByValue, C as LIBRARY, Error, declared, Owned, owned, text, Uncopied


class Head(ctypes.Structure):
    """The first fields of struct heed_module."""

    _fields_ = [("type", c_char_p), ("training", c_bool), ("forward", c_void_p)]


class Visit(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("tensor", c_void_p), ("is_buffer", c_bool), ("owner", c_void_p)]


Visitor = CallbackType(c_int, POINTER(Visit), c_void_p)
PathVisitor = CallbackType(c_int, c_char_p, c_void_p, c_void_p)
module_new = declared(LIBRARY, "heed_module_new", owned("heed_module_free"), c_char_p, ctypes.c_size_t)
MODULE_SIZE = 256  # at least sizeof(heed_module)
TYPES: Dict[str, c_char_p] = {}


def type_name(name: str) -> c_char_p:
    """The name of a type, which C does not copy. _at finds the Python class of a layer by this name."""
    if name in Module._classes:
        raise ValueError(f"{name} is the type of a layer of the library: choose a different name")
    return TYPES.setdefault(name, KINDS["text"].from_param(name))


class Tree(Uncopied):
    """A tree of C modules, which is freed when its last Python object is gone. A child's tree is part of its parent's."""

    def __init__(self, root: Owned) -> None:
        self.root = root
        self.above: Optional[Tree] = None

    def join(self, above: "Tree") -> None:
        self.root.value, self.above = None, above


class Parameter:
    """self.w = nn.Parameter(t) registers t as a parameter of the module."""

    def __init__(self, t: Any, requires_grad: bool = True) -> None:
        self.tensor = as_tensor(t)
        self.requires_grad = requires_grad

    def __repr__(self) -> str:
        return f"{type(self).__name__}({heed._show.value_text(self.tensor)})"


class Buffer(Parameter):
    """self.mean = nn.Buffer(t): part of the state, but not trained."""


def zero_gradients(parameters: Any) -> None:
    for p in parameters:
        p.grad = heed.zeros_like(p)


class Hook:
    """A function that a module calls until remove() is called."""

    def __init__(self, functions: List[Any], function: Any) -> None:
        self.functions, self.entry = functions, [function]
        functions.append(self.entry)

    def remove(self) -> None:
        self.functions[:] = [entry for entry in self.functions if entry is not self.entry]

    def __repr__(self) -> str:
        removed = all(entry is not self.entry for entry in self.functions)
        return f"<Hook: {'removed' if removed else heed._show.value_text(self.entry[0])}>"


class Hooks:
    """The hooks of one module."""

    def __init__(self) -> None:
        self.before: List[Any] = []
        self.after: List[Any] = []

    def add(self, when: str, function: Any) -> Hook:
        return Hook(getattr(self, when), function)

    def around(self, module: Any, forward: Any, arguments: Any) -> Any:
        for hook, in list(self.before):
            found = hook(module, arguments)
            if found is not None:
                arguments = found if isinstance(found, tuple) else (found,)
        result = forward(*arguments)
        for hook, in list(self.after):
            found = hook(module, arguments, result)
            result = result if found is None else found
        return result


class Module(ByValue):
    """A module: parameters and buffers with names, in a tree of modules.

    A user-defined class assigns parameters (nn.Parameter), buffers (nn.Buffer), modules and lists of modules
    (nn.Sequential) in __init__, which registers them, and defines forward. The attributes of library modules are their
    parameters and modules: net.out_proj.weight."""

    _C = ""
    _classes: Dict[str, Type["Module"]] = {}
    _instead = "copy its state (save, load, copy_state)"

    def __init_subclass__(cls) -> None:
        if "_C" in cls.__dict__ and cls._C:
            Module._classes[cls._C] = cls

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._recipe = "_begin", ()
        pointer = module_new(type_name(type(self).__name__), MODULE_SIZE)
        if not pointer:
            raise error()
        self._adopt(pointer, ())

    def _adopt(self, pointer: c_void_p, parts: Any, tree: Optional[Tree] = None) -> None:
        """Represents the module at that address, which belongs to a new tree or to the given tree."""
        set_ = object.__setattr__
        set_(self, "_as_parameter_", c_void_p(pointer.value))
        set_(self, "_kept", list(parts))
        set_(self, "_children", {})
        set_(self, "_own", [])  # the names and kinds of what Python has assigned
        set_(self, "_tree", tree or Tree(pointer))  # type: ignore[arg-type]
        if tree is None and not (getattr(type(self).forward, "__module__", "") or "").startswith("heed."):
            me = weakref.ref(self)
            thunk = of_module(lambda x: _alive(me).forward(x))
            self._kept.append(thunk)
            Head.from_address(pointer.value or 0).forward = ctypes.cast(thunk, c_void_p).value  # C runs Python's forward

    def _make(self, function: Any, *arguments: Any) -> None:
        self._recipe = "_make", (function.__name__, *arguments)
        arguments = kept(arguments)
        self._adopt(call(function, *arguments), arguments)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Parameter) or isinstance(value, Module) and not name.startswith("_"):
            if "_tree" not in self.__dict__:
                raise TypeError(f"{type(self).__name__}: call super().__init__() before {name} is assigned")
            self._register(name, value)
        elif isinstance(value, Tensor) and self._found(name) is not None:
            raise TypeError(f"{name} is a parameter or buffer: write to it with {name}.copy_(tensor) in heed.no_grad()")
        else:
            object.__setattr__(self, name, value)

    def _register(self, name: str, value: Any) -> None:
        if isinstance(value, Buffer):
            call(C.heed_module_buffer, self, name, value.tensor)
        elif isinstance(value, Parameter):
            call(C.heed_module_parameter, self, name, value.tensor)
            if not value.requires_grad:
                self.set_requires_grad(name, False)
        else:
            try:
                call(C.heed_module_child, self, name, value)
                self._take([(name, value)])
            except BaseException:
                # An interrupt may have arrived after C had taken the child.
                if value._tree.root.value in (at for path, at in self._pointers() if path):
                    self._take([(name, value)])
                raise

        self._own.append((name, "buffer" if isinstance(value, Buffer) else "parameter" if isinstance(value, Parameter) else "child"))

    def _reduced(self) -> Any:
        return heed._copying.reduce_module(self)

    def __setstate__(self, state: Any) -> None:
        heed._copying.set_module(self, state)

    def __copy__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled in part: use copy.deepcopy")

    def _take(self, children: List[Tuple[str, "Module"]]) -> None:
        """Records that the children are in C's tree now."""
        for name, child in children:
            child._tree.join(self._tree)
            self._children[name] = child

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or "_tree" not in self.__dict__:
            raise AttributeError(name)
        if name in self._children:
            return self._children[name]
        found: Any = self._found(name)
        if found is None:
            found = dict(self.named_modules()).get(name)
        if found is None:
            raise heed._habits.lacking(type(self).__name__, name, dir(type(self)), "attribute, parameter or module ")
        return found

    def _found(self, name: str) -> Optional[Tensor]:
        """The parameter or buffer of that name, or path."""
        try:
            return self.find(name) if "_tree" in self.__dict__ else None
        except ValueError:
            return None

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if "_hooks" not in self.__dict__:
            return self.forward(*arguments, **keywords)
        return self._hooks.around(self, lambda *given: self.forward(*given, **keywords), arguments)

    def register_forward_hook(self, hook: Any) -> Hook:
        """Calls hook(module, arguments, result) after every forward, also if C calls it, such as in nn.Sequential. The hook
        may return a different result. Returns an object whose remove() ends this. A copy has no hooks.
        torch: torch.nn.Module.register_forward_hook"""
        return self._hooked().add("after", hook)

    def register_forward_pre_hook(self, hook: Any) -> Hook:
        """Calls hook(module, arguments) before every forward. The hook may return different arguments.
        torch: torch.nn.Module.register_forward_pre_hook"""
        return self._hooked().add("before", hook)

    def _hooked(self) -> Hooks:
        if self._recipe is None:
            raise TypeError(f"a {type(self).__name__} that is part of a layer of the library has no hooks: add a hook to the layer")
        if "_hooks" not in self.__dict__:
            head = Head.from_address(self._as_parameter_.value)
            self._hooks = Hooks()
            if head.forward:
                me, forward = weakref.ref(self), OfModule.entry(head.forward)
                thunk = of_module(lambda x: _alive(me)._hooks.around(
                    _alive(me), lambda given: _called(forward, self_pointer, given), (x,)))
                self_pointer = self._as_parameter_.value
                self._kept.append(thunk)
                head.forward = ctypes.cast(thunk, c_void_p).value
        return self._hooks

    def forward(self, x: Tensor) -> Any:
        """The module as a function of one tensor."""
        if self._recipe == ("_begin", ()):
            raise Error(f"{type(self).__name__} has no forward: define forward(self, x)")
        return call(C.heed_module_forward, self, x)

    # -- Contents -----------------------------------------------------------------------------------------------------

    def _walk(self) -> List[Tuple[str, Tensor, bool]]:
        found: List[Tuple[str, Tensor, bool]] = []

        def visit(at: Any, _: Any) -> int:
            v = at.contents
            found.append((text(v.name), own(retain(v.tensor)), v.is_buffer))
            return 0
        call(C.heed_module_walk, self, Visitor(visit), None)
        return found

    def _pointers(self) -> List[Tuple[str, int]]:
        """The paths and addresses of this module, with the path "", and of all modules below it."""
        found: List[Tuple[str, int]] = []

        def visit(path: bytes, at: int, _: Any) -> int:
            found.append((text(path), at))
            return 0
        call(C.heed_module_walk_modules, self, PathVisitor(visit), None)
        return found

    def named_modules(self) -> Iterator[Tuple[str, "Module"]]:
        """This module, with the path "", and all modules below it."""
        return iter([(path, self._at(path, pointer)) for path, pointer in self._pointers()])

    def _at(self, path: str, pointer: int) -> "Module":
        """The Python object of a module below, which is made on first use."""
        if not path:
            return self
        parts = path.split(".")
        for n in (1, 2):  # "net.0" is a child of nn.Residual
            child = self._children.get(".".join(parts[:n]))
            if child is not None:
                return child._at(".".join(parts[n:]), pointer)  # type: ignore[no-any-return]
        cls = Module._classes.get(text(Head.from_address(pointer).type), Module)
        view = cls.__new__(cls)
        view._adopt(c_void_p(pointer), (self,), self._tree)
        return view

    def modules(self) -> Iterator["Module"]:
        return (module for _, module in self.named_modules())

    def named_parameters(self) -> Iterator[Tuple[str, Tensor]]:
        return ((name, tensor) for name, tensor, is_buffer in self._walk() if not is_buffer)

    def parameters(self) -> "Parameters":
        return Parameters(self)

    def named_buffers(self) -> Iterator[Tuple[str, Tensor]]:
        return ((name, tensor) for name, tensor, is_buffer in self._walk() if is_buffer)

    def find(self, path: str) -> Tensor:
        """The parameter or buffer of that path, "encoder.0.weight"."""
        found: Tensor = call(C.heed_module_find, self, path)
        return found

    def __repr__(self) -> str:
        return heed._show.module_text(self)

    # -- State and modes ----------------------------------------------------------------------------------------------

    @property
    def training(self) -> bool:
        return bool(Head.from_address(self._as_parameter_.value).training)

    def train(self, mode: bool = True) -> "Module":
        call(C.heed_module_train if mode else C.heed_module_eval, self)
        return self

    def eval(self) -> "Module":
        return self.train(False)

    def zero_grad(self, set_to_none: bool = True) -> None:
        call(C.heed_module_zero_grad, self)
        if not set_to_none:
            zero_gradients(self.parameters())

    def requires_grad_(self, requires_grad: bool = True, pattern: str = "*") -> "Module":
        """Freezes (False) or unfreezes (True) the parameters whose paths match the pattern: "encoder.*", "*bias|*norm:*"."""
        self.set_requires_grad(pattern, requires_grad)
        return self

    def set_requires_grad(self, pattern: str, requires_grad: bool) -> int:
        """The same as requires_grad_; returns the number of matching parameters."""
        return int(call(C.heed_module_set_requires_grad, self, pattern, requires_grad))

    def matching(self, pattern: str) -> List[Tuple[str, Tensor]]:
        """The parameters whose paths match the pattern, with their paths."""
        found: List[Tuple[str, Tensor]] = []

        def visit(at: Any, _: Any) -> int:
            found.append((text(at.contents.name), own(retain(at.contents.tensor))))
            return 0
        call(C.heed_module_walk_matching, self, pattern, Visitor(visit), None)
        return found

    def state_dict(self) -> State:
        """The parameters and buffers themselves, by their paths."""
        state: State = call(C.heed_module_state, self)
        return state

    def load_state_dict(self, state: Any, strict: bool = True, *, allow_missing: bool = False, allow_unexpected: bool = False,
                        allow_unlike: bool = False, prefix: Optional[str] = None) -> Dict[str, str]:
        """Copies values into the parameters and buffers. If names or shapes do not match, nothing is copied, and a ValueError
        lists the mismatches. The options skip missing entries, unexpected entries, and entries of a different dtype or shape;
        strict=False skips the first two. Returns the skipped entries, with the reasons."""
        return load_into(C.heed_module_load_state, self, state, prefix=prefix, allow_missing=allow_missing or not strict,
                         allow_unexpected=allow_unexpected or not strict, allow_unlike=allow_unlike)

    def copy_state(self, other: "Module") -> None:
        """Copies the values of a second module with the same structure."""
        call(C.heed_module_copy_state, self, other)

    def save(self, path: Any) -> None:
        """Writes the state to a .safetensors or .npz file."""
        from heed._files import save
        save(path, self.state_dict())

    def load(self, path: Any, **options: Any) -> None:
        """Reads the state from a file that heed.load can read."""
        from heed._files import load
        self.load_state_dict(load(path), **options)


class Parameters(Uncopied):
    """The parameters of a module, one after another. An optimizer of all of them takes the module."""

    _instead = "copy the module, or write list(net.parameters())"

    def __init__(self, module: Module) -> None:
        self.module, self.started = module, False
        self.rest = (tensor for _, tensor in module.named_parameters())

    def __repr__(self) -> str:
        return f"<Parameters of {type(self.module).__name__}>"

    def __iter__(self) -> Iterator[Tensor]:
        return self

    def __next__(self) -> Tensor:
        self.started = True
        return next(self.rest)


def _called(forward: Any, module: int, x: Tensor) -> Tensor:
    """The result of a forward of C, called from a function that C has called."""
    pointer = forward(module, x)
    if not pointer:
        check_raised()
        raise error()
    return own(retain(pointer))


def _alive(reference: Any) -> Module:
    module: Optional[Module] = reference()
    if module is None:
        raise RuntimeError("the Python object of a module in the tree was deleted, and with it its forward")
    return module


MODULE = Instance(Module, "a heed.nn.Module")
KINDS["module"], KINDS["modules"] = MODULE, ListKind(MODULE, "of modules")
