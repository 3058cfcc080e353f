#!/usr/bin/env python3
"""companions/python/tests/test_modules.py - layers, user-defined modules, optimizers, data."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ast
import copy
import ctypes
import gc
import os
import pickle
import re
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

import setting
import heed
import numpy
from heed import data, nn, optim
from heed._kinds import KINDS, kind_of
from heed._module import MODULE_SIZE, Head, Visit
from heed._prototypes import FUNCTIONS, STRUCTS


class Net(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, n), heed.relu, nn.Linear(n, 2))
        self.scale = nn.Parameter(heed.ones(1))
        self.seen = nn.Buffer(heed.zeros(1))
        self.n = n

    def forward(self, x):
        return self.body(x) * self.scale


class Layout(setting.Case):
    def test_structs_are_those_of_c(self):
        structs = {name: kind_of(f"options.{name}").struct for name in STRUCTS}
        structs.update(heed_memory_stats=heed._handles.MemoryStats, heed_module_visit=Visit, heed_checkpoint=heed._files._Run,
                       heed_gradcheck_result=heed._derivatives.GradcheckResult)
        lines = [f'printf("{name} %zu", sizeof({name}));' + "".join(
            f'printf(" %zu", offsetof({name}, {field[0]}));' for field in struct._fields_) + 'puts("");'
            for name, struct in structs.items()]
        head = "".join(f'printf("%zu ", offsetof(heed_module, {field[0]}));' for field in Head._fields_)
        program = ("#include <heed/heed.h>\n#include <stddef.h>\nint main(void) { " + " ".join(lines) + head +
                   'printf("%zu", sizeof(heed_module)); return 0; }\n')
        with tempfile.TemporaryDirectory() as folder:
            source, binary = Path(folder, "layout.c"), Path(folder, "layout")
            source.write_text(program, encoding="ascii")
            subprocess.run([os.environ.get("CC", "cc"), "-I", os.environ.get("HEED_INCLUDE", setting.ROOT / "include"), source, "-o",
                            binary], check=True)
            told = subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()
        for line, (name, struct) in zip(told, structs.items()):
            ours = [ctypes.sizeof(struct)] + [getattr(struct, field[0]).offset for field in struct._fields_]
            self.assertEqual(line.split(), [name] + [str(n) for n in ours])
        *offsets, size = (int(n) for n in told[-1].split())
        self.assertEqual(offsets, [getattr(Head, field[0]).offset for field in Head._fields_])
        self.assertLessEqual(size, MODULE_SIZE)

    def test_what_the_headers_have_is_there(self):
        headers = Path(os.environ.get("HEED_INCLUDE", setting.ROOT / "include"), "heed")
        prototypes = "".join(path.read_text(encoding="utf-8") for path in headers.rglob("*.h"))
        ops = "".join(path.read_text(encoding="utf-8") for path in headers.glob("ops/*.h"))
        found = re.findall(r"^HEED_API heed_tensor \*heed_(\w+)\(", ops, re.M)
        self.assertGreater(len(found), 150)
        for name in found:
            self.assertTrue(callable(getattr(heed, name, None)), name)
        for name in re.findall(r"\bheed_nn_(\w+)_new\(", prototypes):
            self.assertEqual(nn.Module._classes[name]._C, name)
        rules = set(re.findall(r"\*heed_optim_([a-z]+)\(heed_module", prototypes))
        self.assertEqual(len(rules), sum(isinstance(c, type) and issubclass(c, optim.Optimizer) for c in vars(optim).values()) - 1)

    # The features that Python lacks according to the pages, with their C functions.
    LACKS = {"activation checkpointing": "checkpointed|is_recomputing",
             "computed tensors": "set_compute", "user-defined ops": r"apply(_all)?|call_\w+|infer_\w+",
             "observers": r"(add|remove)_observer|event_\w+|span_\w+", "storage": "storage_of", "handlers of notices": "debug_set_owner|set_notice_handler",
             "progress lines": r"progress_\w+", "cache of memory": r"memory_\w+", "reading CSV files": r"io_csv_\w+",
             "datasets that read files": r"io_\w+_dataset|dataset_new_source", "saved scalers and categories": r"(scaler|categories)_(save|load)",
             "plots of fits": "plot_fit", "panels": "plot_panels|plot_png", "pictures as text": "plot_text",
             "training in several threads": r"comm_\w+|data_parallel_\w+|shards_\w+|kernel_regression_by_\w+|parallel_\w+"}
    # C functions that Python replaces: ownership, texts, errors, arrays, C's own types.
    OTHERWISE = (r"\w+_free|free|alloc|calloc|set_allocator|fail\w*|error_\w+|set_error_handler|status_name|site|no_grad_begin|thread_cleanup|"
                 r"callback_\w+|shape_\w+|dtype_\w+|from_values|rank|get|get_i64|data_\w+|mutable_\w+|set_|print|dict_\w+|module_parameter_(count|numel)|enter|leave|"
                 r"nn_decoder_step|nn_sequential_add|np_classes|backward|io_same_file|dataset_zip|dataset_take|(loader|generator)_\w+_state")

    def test_the_pages_say_what_is_lacking(self):
        used, sources = set(), Path(heed.__file__).parent
        for path in sources.glob("*.py"):
            if path.name != "_prototypes.py":
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "value", "")
                    used.add(name) if isinstance(name, str) else None
        headers = Path(os.environ.get("HEED_INCLUDE", setting.ROOT / "include"), "heed")
        text = "".join(p.read_text(encoding="utf-8") for p in sorted(headers.rglob("*.h")) if p.name != "sites.h")
        exported = set(re.findall(r"^HEED_API [^;(]*?\bheed_(\w+)\(", text, re.M))
        self.assertGreater(len(exported), 500)
        lacking = {name for name in exported if f"heed_{name}" not in used and not re.fullmatch(self.OTHERWISE, name)}
        for name in sorted(lacking):
            self.assertTrue(any(re.fullmatch(names, name) for names in self.LACKS.values()), f"no page says that Python lacks {name}")
        page = (setting.ROOT / "companions" / "python" / "README.md").read_text(encoding="utf-8")
        words = page[page.index("What Python lacks"):]
        words = words[:words.index("\n## ")]
        for phrase, names in self.LACKS.items():
            self.assertTrue(any(re.fullmatch(names, name) for name in lacking), f"Python does not lack {phrase}")
            self.assertIn(phrase, words)

    def test_every_function_is_declared(self):
        for name in FUNCTIONS:
            self.assertTrue(callable(getattr(heed._call.C, name)), name)
        self.assertGreater(len(KINDS), 20)


class Modules(setting.Case):
    def test_a_layer(self):
        layer = nn.Linear(3, 4)
        x = numpy.ones((2, 3), numpy.float32)
        self.same(layer(heed.tensor(x)), x @ layer.weight.numpy().T + layer.bias.numpy(), 1e-5)
        self.assertEqual([name for name, _ in layer.named_parameters()], ["weight", "bias"])
        self.assertEqual([p.shape for p in nn.Linear(3, 4, no_bias=True, dtype="f64").parameters()], [(4, 3)])
        self.same(nn.Linear(3, 4, activation=heed.relu)(heed.tensor(x)) < 0, numpy.zeros((2, 4)))
        self.assertEqual(repr(layer), "Linear(3, 4)  # 16 parameters")
        self.raises(ValueError, "nn_linear_new", nn.Linear, 0, 4)
        self.raises(TypeError, "in must be an int, not str 'a'", nn.Linear, "a", 4)
        self.raises(TypeError, "unexpected keyword argument 'biases'", nn.Linear, 3, 4, biases=False)
        self.raises(ValueError, "f16", nn.Linear, 3, 4, dtype="f16")
        with self.assertRaises(AttributeError):
            layer.nothing

    def test_attention(self):
        layer = nn.MultiHeadAttention(8, 2, no_bias=True)
        x = heed.randn((2, 3, 8))
        y, weights = layer(x, x, x, heed.tensor([1, 3]), return_weights=True)
        self.assertEqual((y.shape, weights.shape), ((2, 3, 8), (2, 2, 3, 3)))
        self.same(weights[0, :, :, 1:], numpy.zeros((2, 3, 2)))
        self.assertEqual(layer(x, x, x).shape, (2, 3, 8))
        self.assertEqual(layer.out_proj.weight.shape, (8, 8))
        self.assertIsInstance(layer.out_proj, nn.Linear)
        cache = heed.KVCache()
        steps = [layer.forward_with(x[:, t:t + 1], x[:, t:t + 1], x[:, t:t + 1], cache=cache) for t in range(3)]
        self.assertEqual((cache.length(), steps[2].shape), (3, (2, 1, 8)))

    def test_optional_arguments_of_attention(self):
        layer = nn.MultiHeadAttention(8, 2)
        x = heed.randn((2, 3, 8))
        mask = heed.tensor([[True, False, False], [True, True, False], [True, True, True]])
        y, weights = layer.forward_with(x, x, x, mask=mask, return_weights=True)
        self.same(weights[:, :, 0, 1:], numpy.zeros((2, 2, 2)))
        self.same(layer.forward_with(x, x, x, mask=mask), y.numpy())
        self.same(layer.forward_with(x, x, x), layer(x, x, x).numpy())
        self.raises(ValueError, "call->memory_weights is given", layer.forward_with, x, x, x, return_memory_weights=True)
        self.raises(TypeError, "mask must be a heed.Tensor", layer.forward_with, x, x, x, mask="causal")

    def test_options_in_options(self):
        x = heed.rand((1, 3, 6), "f64")
        heed.manual_seed(1)
        plain = nn.TransformerEncoderBlock(6, 3, 4, dtype="f64")
        block = nn.TransformerEncoderBlock(6, 3, 4, dtype="f64", attention=dict(rope=True, kv_heads=1))
        self.assertEqual(plain.state_dict()["self_attn.in_proj_weight"].shape, (18, 6))
        self.assertEqual(block.state_dict()["self_attn.in_proj_weight"].shape, (10, 6))
        self.assertEqual(block(x[:, :2]).shape, (1, 2, 6))
        self.raises(TypeError, "attention has an unknown key 'heads'", nn.TransformerEncoderBlock, 6, 3, 4, attention=dict(heads=1))
        self.raises(ValueError, "attention->causal is set", nn.TransformerEncoderBlock, 6, 3, 4, attention=dict(causal=True))

    def test_states_go_in_and_come_out(self):
        lstm = nn.LSTM(3, 5)
        x = heed.randn((4, 2, 3))
        y, h, c = lstm(x)
        first, h1, c1 = lstm(x[:2])
        second, h2, c2 = lstm(x[2:], None, h1, c1)
        self.same(heed.concat([first, second], 0), y.numpy(), 1e-5)
        self.same(h2, h.numpy(), 1e-5)
        self.same(c2, c.numpy(), 1e-5)
        self.raises(TypeError, "a state must be a heed.Tensor", lstm, x, None, "h")

    def test_a_module_of_ones_own(self):
        net = Net()
        x = heed.randn((5, 3))
        self.assertEqual(net(x).shape, (5, 2))
        self.assertEqual(list(net.state_dict()), ["body.0.weight", "body.0.bias", "body.2.weight", "body.2.bias", "scale", "seen"])
        self.assertEqual([n for n, _ in net.named_buffers()], ["seen"])
        self.assertEqual([path for path, _ in net.named_modules()], ["", "body", "body.0", "body.1", "body.2"])
        self.assertIs(net.body[0], dict(net.named_modules())["body.0"])
        self.assertEqual((net.n, net.scale.requires_grad, net.training), (4, True, True))
        net.eval()
        self.assertFalse(net.body[2].training)
        net.train().requires_grad_(False, "body.*")
        self.assertEqual([p.requires_grad for p in net.parameters()], [False] * 4 + [True])
        outer = nn.Sequential(net, heed.tanh, lambda y: y * 2)
        self.same(outer(x), 2 * numpy.tanh(net(x).numpy()), 1e-5)
        self.raises(ValueError, "linear", outer, heed.ones((2, 7)))

    def test_a_layer_may_be_extended(self):
        class Twice(nn.Linear):
            def __init__(self):
                super().__init__(3, 2)
                self.gain = nn.Parameter(heed.full((1,), 2.0))

            def forward(self, x):
                return super().forward(x) * self.gain
        layer, x = Twice(), heed.randn((4, 3))
        plain = nn.Linear.forward(layer, x).numpy()
        self.same(layer(x), 2 * plain)
        self.same(nn.Sequential(layer)(x), 2 * plain)
        self.assertEqual([n for n, _ in layer.named_parameters()], ["weight", "bias", "gain"])

    def test_parametrizations(self):
        net, x = Net(), heed.randn((5, 3))
        plain, before = net(x).numpy(), net.body[0].weight.numpy()
        nn.weight_norm(net.body[0])
        nn.weight_norm(net, "body.2.weight", dim=-1)
        self.same(net(x), plain, 1e-5)
        self.same(net.body[0].weight, before, 1e-5)
        names = [name for name, _ in net.named_parameters()]
        self.assertEqual(names[:3], ["body.0.bias", "body.0.parametrizations.weight.original0",
                                     "body.0.parametrizations.weight.original1"])
        net(x).sum().backward()
        self.assertEqual(net.find("body.2.parametrizations.weight.original0").grad.shape, ())
        nn.remove_parametrization(net.body[0], "weight")
        nn.spectral_norm(net.body[0], n_power_iterations=30)
        net(x)
        self.same(numpy.linalg.norm(net.body[0].weight.numpy(), 2), 1.0, 1e-5)
        self.raises(ValueError, "dim is 2", nn.weight_norm, nn.Linear(2, 2), dim=2)
        self.raises(heed.Error, "already has spectral_norm", nn.weight_norm, net, "body.0.weight")

    def test_what_a_forward_raises_comes_through(self):
        class Bad(nn.Module):
            def forward(self, x):
                raise ZeroDivisionError("of mine")

        class None_(nn.Module):
            def forward(self, x):
                return None
        self.raises(ZeroDivisionError, "of mine", nn.Sequential(Bad()), heed.ones(3))
        self.raises(TypeError, "the function returned NoneType", nn.Sequential(None_()), heed.ones(3))

    def test_lists_and_dicts_of_modules(self):
        class Tower(nn.Module):
            def __init__(self):
                super().__init__()
                self.steps = nn.ModuleList(nn.Linear(3, 3) for _ in range(2))
                self.steps.append(heed.tanh).extend([nn.Linear(3, 3)])
                self.heads = nn.ModuleDict({"one": nn.Linear(3, 1), "two": nn.Linear(3, 2)})
                self.heads["none"] = heed.relu

            def forward(self, x, head="one"):
                for step in self.steps:
                    x = step(x)
                return self.heads[head](x)

        net = Tower()
        x = heed.randn((5, 3))
        self.assertEqual((net(x).shape, net(x, "two").shape, net(x, "none").shape), ((5, 1), (5, 2), (5, 3)))
        self.assertEqual((len(net.steps), len(net.heads), list(net.heads), "two" in net.heads, 3 in net.heads),
                         (4, 3, ["one", "two", "none"], True, False))
        self.assertEqual(list(net.state_dict()), [f"steps.{i}.{w}" for i in (0, 1, 3) for w in ("weight", "bias")] + [
            f"heads.{h}.{w}" for h in ("one", "two") for w in ("weight", "bias")])
        self.assertIs(net.steps[-1], net.steps[3])
        self.assertEqual(net.steps[1:3], [net.steps[1], net.steps[2]])
        self.assertEqual([h for h, _ in net.heads.items()], list(net.heads.keys()))
        self.assertIs(list(net.heads.values())[1], net.heads["two"])
        adam = optim.Adam(net.parameters(), lr=0.1)
        net(x).sum().backward()
        adam.step()
        twin = copy.deepcopy(net)
        self.assertEqual(twin(x, "two").tolist(), net(x, "two").tolist())
        self.assertEqual(repr(net).splitlines()[1], "  (steps): ModuleList(  # 36 parameters")
        self.raises(IndexError, "list index out of range", lambda: net.steps[4])
        self.raises(KeyError, "three", lambda: net.heads["three"])
        self.raises(ValueError, "is part of another module", net.steps.append, net.heads["one"])
        self.raises(ValueError, "'one'", net.heads.__setitem__, "one", nn.Linear(3, 1))
        self.raises(TypeError, "must be a module or a function", net.steps.append, 3)
        with self.assertRaisesRegex(TypeError, "does not support item assignment"):
            net.steps[0] = heed.relu

    def test_mistakes(self):
        class Early(nn.Module):
            def __init__(self):
                self.w = nn.Parameter(heed.ones(1))
        self.raises(TypeError, "call super().__init__() before w is assigned", Early)
        net, part = Net(), nn.Linear(2, 2)
        self.raises(ValueError, "module_child", setattr, net, "body", part)
        self.raises(ValueError, "is part of another module", nn.Sequential, net.body[0])
        self.raises(ValueError, "occurs twice", nn.Sequential, part, part)
        self.raises(TypeError, "takes more than one tensor", nn.Sequential, nn.MultiHeadAttention(4, 2))
        self.raises(TypeError, "must be a function of one tensor", nn.Sequential, 3)
        self.raises(ValueError, "no_such", nn.Linear, 2, 2, activation="no_such")
        self.raises(TypeError, "net must be a linear", nn.Linear.forward, net, heed.ones((1, 2)))
        self.raises(ValueError, "module_child", setattr, net, "loop", net)
        self.raises(ValueError, "module_find", net.find, "nothing")
        self.raises(TypeError, "weight is a parameter or buffer: write to it", setattr, part, "weight", heed.ones((2, 2)))
        part.noted = heed.ones(1)
        self.same(part.noted, [1])
        self.raises(ValueError, "linear is the type of a layer", nn.Function, heed.relu, "linear")
        self.raises(ValueError, "multi_head_attention is the type", type("multi_head_attention", (nn.Module,), {}))
        self.raises(heed.Error, "Module has no forward", nn.Module(), heed.ones(3))
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            self.raises(TypeError, "cannot be copied or pickled", copied, heed.KVCache())

    def test_parts_outlive_the_whole(self):
        net = Net()
        part, weight = net.body[0], net.body[0].weight
        view = nn.TransformerEncoderBlock(4, 2, 8).self_attn
        del net
        gc.collect()
        self.assertEqual((part(heed.ones((1, 3))).shape, weight.shape), ((1, 4), (4, 3)))
        x = heed.ones((1, 2, 4))
        self.assertEqual(view(x, x, x).shape, (1, 2, 4))
        whole = nn.Sequential(nn.Linear(2, 2, activation=lambda y: y * 2))
        gc.collect()
        self.assertEqual(whole(heed.ones((1, 2))).shape, (1, 2))

    def test_threads_share_a_module(self):
        net, x, failures = Net(), heed.randn((4, 3)), []
        expected = net(x).numpy()

        def work():
            try:
                for _ in range(50):
                    self.same(net(x), expected)
                    heed.grad(net(x).sum(), list(net.parameters()))
            except BaseException as wrong:
                failures.append(wrong)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Training(setting.Case):
    def test_sgd_is_that_of_numpy(self):
        w = heed.tensor(numpy.array([1.0, 2.0]), copy=True, requires_grad=True)
        sgd = optim.SGD([w], lr=0.1, momentum=0.9)
        a, buffer = numpy.array([1.0, 2.0]), 0
        for _ in range(5):
            sgd.zero_grad()
            (w * w).sum().backward()
            sgd.step()
            buffer = 0.9 * buffer + 2 * a
            a = a - 0.1 * buffer
        self.same(w.detach(), a, 1e-12)
        self.assertEqual((sgd.lr, sgd.groups, len(sgd.parameters)), (0.1, 1, 1))
        sgd.add_group([heed.tensor([1.0], requires_grad=True)], lr=0.5)
        self.assertEqual((sgd.groups, sgd.group_lr(1)), (2, 0.5))
        net = Net()
        sgd.add_group(net, lr=0.25)
        self.assertEqual((sgd.group_lr(2), len(sgd.parameters)), (0.25, 2 + len(list(net.parameters()))))
        self.assertEqual(list(sgd.state_dict())[:2], ["lr", "initial_lr"])
        self.assertEqual(sgd.state_dict().texts["kind"], "sgd")

    def test_options_by_pattern(self):
        net = Net()
        names = [name for name, _ in net.named_parameters() if name.endswith("bias")]
        adamw = optim.AdamW(net, weight_decay=0.1)
        self.assertEqual(adamw.set_options(net, "*bias", no_decay=True), len(names))
        self.assertEqual(adamw.set_options(net, names[0], lr=0.5), 1)
        self.assertEqual([adamw.group_lr(i) for i in range(adamw.groups)], [0.001, 0.001, 0.5])
        self.assertEqual([name for name, _ in net.matching("*bias")], names)
        self.assertEqual(net.set_requires_grad("*bias", False), len(names))
        self.assertTrue(all(not p.requires_grad for _, p in net.matching("*bias")))
        with self.assertRaisesRegex(ValueError, "no parameter"):
            adamw.set_options(net, "no such name")

    def test_every_rule_lowers_a_loss(self):
        for rule in (optim.Adam, optim.AdamW, optim.RMSprop, optim.Adagrad, optim.Lion, optim.Muon):
            with self.subTest(rule.__name__):
                heed.manual_seed(0)
                net, x = Net(), heed.randn((32, 3))
                target, losses = heed.sum(x, 1, keepdim=True).expand(32, 2).contiguous(), []
                rules = rule(net.body.parameters() if rule is not optim.Muon else [net.body[0].weight], lr=0.01)
                for _ in range(20):
                    loss = heed.mse_loss(net(x), target)
                    rules.zero_grad()
                    loss.backward()
                    optim.clip_grad_norm_(rules.parameters, 10.0)
                    rules.step()
                    losses.append(loss.item())
                self.assertLess(losses[-1], losses[0])

    def test_lbfgs_calls_back(self):
        w = heed.tensor([3.0, -2.0], "f64", requires_grad=True)
        lbfgs = optim.LBFGS([w], lr=1.0)
        self.assertEqual(lbfgs.step(lambda: (w * w).sum()), 13)
        self.same(w.detach(), [0, 0])
        self.raises(ZeroDivisionError, "division", lbfgs.step, lambda: 1 / 0)
        self.raises(heed.Error, "optimizer_step", lbfgs.step)

    def test_schedules(self):
        sgd = optim.SGD([heed.tensor([1.0], requires_grad=True)], lr=1.0)
        warm, fall = optim.LinearSchedule(None, 0.5, 1.0, 2), optim.StepSchedule(None, 1, 0.5)
        both = optim.SequentialSchedule(sgd, [warm, fall], [2])
        rates = []
        for _ in range(4):
            rates.append(sgd.lr)
            both.step()
        self.same(numpy.array(rates), [0.5, 0.75, 1.0, 0.5])
        self.assertEqual(both.steps, 4)
        self.raises(heed.Error, "has a schedule", optim.StepSchedule, sgd, 1, 0.5)
        self.raises(TypeError, "must be a schedule", optim.ChainedSchedule, None, [warm])
        self.raises(TypeError, "must be a schedule", optim.ChainedSchedule, None, [3])
        self.raises(ValueError, "0 milestones for 2 parts", optim.SequentialSchedule, None, [warm, fall], [])
        twice = optim.StepSchedule(None, 1, 0.5)
        self.raises(ValueError, "schedule_new_chained", optim.ChainedSchedule, None, [twice, twice])

    def test_lenient_loads(self):
        net, other = heed.nn.Linear(3, 2), heed.nn.Linear(3, 4)
        state = dict(other.state_dict(), more=heed.zeros(1))
        with self.assertRaises(ValueError):
            net.load_state_dict(state, allow_unexpected=True)
        skipped = net.load_state_dict(state, allow_unexpected=True, allow_unlike=True)
        self.assertEqual(skipped, {"weight": "is f32 (4, 3): must be f32 (2, 3)", "bias": "is f32 (4): must be f32 (2)",
                                   "more": "unexpected"})
        adam, before = optim.Adam(net), optim.Adam(other)
        before.zero_grad()
        other(heed.ones((1, 3))).sum().backward()
        before.step()
        self.raises(ValueError, "allow_unlike", adam.load_state_dict, before.state_dict())
        skipped = adam.load_state_dict(before.state_dict(), allow_unlike=True)
        self.assertEqual((len(skipped), skipped["1.exp_avg"]), (6, "is f32 (4): must be f32 (2)"))
        self.assertEqual(before.load_state_dict(before.state_dict()), {})

    def test_schedules_of_functions(self):
        sgd = optim.SGD([heed.tensor([1.0], requires_grad=True)], lr=1.0)

        def rates(make, steps):
            schedule, found = make(), []
            for _ in range(steps):
                found.append(sgd.lr)
                schedule.step()
            return numpy.array(found)
        self.same(rates(lambda: optim.MultiStepSchedule(sgd, [1, 3], 0.5), 4), [1, 0.5, 0.5, 0.25])
        self.same(rates(lambda: optim.CosineRestartsSchedule(sgd, 2, 2, 0.0), 5), [1, 0.5, 1, 0.5 + 0.125 ** 0.5, 0.5], 1e-12)
        self.same(rates(lambda: optim.LambdaSchedule(sgd, lambda t: 1 / (1 + t)), 3), [1, 1 / 2, 1 / 3], 1e-12)
        parts = [optim.LambdaSchedule(None, lambda t: 2.0), optim.LambdaSchedule(None, lambda t: 3.0)]
        self.same(rates(lambda: optim.ChainedSchedule(sgd, parts), 2), [6, 6])
        failing = optim.LambdaSchedule(sgd, lambda t: 1 / (1 - t))
        self.raises(ZeroDivisionError, "division", failing.step)
        self.assertEqual((failing.steps, sgd.lr), (0, 1))
        del failing
        self.raises(ValueError, "must be finite", optim.LambdaSchedule(sgd, lambda t: -t).step)

    def test_clipping(self):
        w = heed.tensor([3.0, 4.0], requires_grad=True)
        w.grad = heed.tensor([3.0, 4.0])
        self.assertEqual(optim.clip_grad_norm_([w], 1.0), 5)
        self.same(w.grad, [0.6, 0.8], 1e-5)
        optim.clip_grad_value_([w], 0.7)
        self.same(w.grad, [0.6, 0.7], 1e-5)
        frozen = heed.tensor([1.0])
        self.assertAlmostEqual(optim.clip_grad_norm_([w, frozen], 10.0), 0.85 ** 0.5, 5)
        net = Net()
        self.assertEqual(optim.clip_grad_norm_(net, 1.0), 0)
        self.assertEqual(optim.grad_norm(net), 0)
        w.grad = heed.tensor([3.0, -4.0])
        self.assertEqual(optim.grad_norm([w]), 5)
        w.grad = heed.tensor([3.0, float("inf")])
        self.raises(heed.Error, "the gradient of \"0\" has inf", optim.clip_grad_norm_, [w], 1.0)

    def test_an_optimizer_of_nothing(self):
        self.raises(TypeError, "parameters are a int", optim.SGD, 3, lr=0.1)
        self.raises(TypeError, "parameters are a Tensor", optim.SGD, heed.ones(1), lr=0.1)
        self.raises(ValueError, "optim_sgd", optim.SGD, Net())
        self.raises(TypeError, "unexpected keyword argument 'rate'", optim.SGD, Net(), rate=1)
        self.raises(heed.Error, "does not require a gradient", optim.SGD, [heed.ones(1)], lr=0.1)

    def test_averages(self):
        net = Net()
        average = optim.Average(net, decay=0.5)
        average.update()
        average.swap()
        average.swap()
        self.assertEqual(average.state()["n_averaged"].item(), 1)


class Data(setting.Case):
    def test_a_loader(self):
        x, y = numpy.arange(10.0).reshape(10, 1), numpy.arange(10)
        dataset = data.Dataset([heed.tensor(x), heed.tensor(y)])
        loader = data.Loader(dataset, batch_size=4, shuffle=True)
        self.assertEqual((len(dataset), len(loader)), (10, 3))
        for _ in range(2):
            numbers = [b[1].tolist() for b in loader]
            self.assertEqual([len(b) for b in numbers], [4, 4, 2])
            self.assertEqual(sorted(sum(numbers, [])), list(range(10)))
        weighted = data.Loader(dataset, weights=heed.tensor([0.0] * 9 + [2.0]), samples=3, readers=2)
        self.assertEqual([b[1].item() for b in weighted], [9, 9, 9])
        del weighted
        train, test = dataset.split(0.7)
        self.assertEqual((len(train), len(test)), (7, 3))
        del dataset
        gc.collect()
        self.assertEqual(len(next(iter(loader))), 2)
        self.same(test.all()[0].reshape(-1), test.all()[1].numpy())
        self.same(train.take(heed.tensor([0, 0]))[1], [train.all()[1][0].item()] * 2)
        self.assertEqual(data.Scaler(heed.ones((2, 3, 4, 4)), axes=(0, 2, 3)).mean().shape, (3, 1, 1))
        scaler = data.Scaler(heed.tensor(x))
        self.same(scaler.transform(heed.tensor(x)).mean(), 0.0, 1e-9)


if __name__ == "__main__":
    unittest.main()
