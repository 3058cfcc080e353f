#!/usr/bin/env python3
"""companions/python/tests/test_interrupts.py - Ctrl-C at any point: the call raises KeyboardInterrupt, leaves no objects,
and works when repeated."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import ast
import gc
import inspect
import os
import random
import signal
import subprocess
import sys
import textwrap
import unittest

import setting
import heed
import numpy
from heed import _arrays, _callbacks, _derivatives, nn, np as hnp, optim

FOLDER = setting.ROOT / "companions" / "python" / "heed"


class Twice(nn.Module):
    def forward(self, x):
        return x * 2


def deep(frames, call):
    return deep(frames - 1, call) if frames > 0 else call()


def closure_step():
    net = nn.Linear(2, 1)
    rule = optim.LBFGS(net, lr=0.1, max_iter=2)
    return rule.step(lambda: (net(heed.ones((3, 2)))**2).mean())


def scheduled_rate():
    rule = optim.SGD([heed.ones(2).set_requires_grad(True)], lr=1.0)
    schedule = optim.LambdaSchedule(rule, lambda t: 0.5)
    schedule.step()
    return rule.lr


def fitted(**options):
    x = numpy.linspace(0, 1, 30)
    return hnp.fit(x, numpy.sin(9 * x), **options)


# By the type of the function that C calls, calls that end in such a function.
def hooked():
    w = heed.ones(2, requires_grad=True)
    with w.register_hook(lambda g: g * 3):
        (w * w).sum().backward()
    return w.grad.tolist()


CALLS = {
    "OfList": (lambda: heed.gradcheck(lambda a: a * a, [heed.ones(2, "f64").set_requires_grad(True)]).passed,
               lambda: heed.jacobian(lambda a: a * a, heed.ones(2))[1].sum().item(),
               lambda: heed.vjp(lambda a: a.sum(), heed.ones(2))[1].sum().item()),
    "OfNothing": (closure_step,),
    "OfStepNumber": (scheduled_rate,),
    "OfStep": (lambda: heed.generate(lambda t, r: heed.one_hot(t[:, -1], 5) * 9, heed.tensor([[1]]), 3).tolist(),
               lambda: heed.beam_search(lambda t, r: heed.one_hot(t[:, -1], 5) * 9, heed.tensor([[1]]), 3)[0].shape),
    "OfTensor": (lambda: heed.linear_activated(heed.ones((1, 2)), heed.ones((2, 2)), heed.zeros(2), lambda x: x).sum().item(),
                 lambda: nn.Linear(2, 2, activation=lambda x: x * 0)(heed.ones((1, 2))).sum().item(),
                 lambda: nn.Sequential(lambda x: x * 3)(heed.ones(2)).sum().item()),
    "OfModule": (lambda: nn.Sequential(Twice())(heed.ones(2)).sum().item(),),
    "Visitor": (lambda: [name for name, _ in nn.Linear(2, 2).named_parameters()],),
    "PathVisitor": (lambda: [name for name, _ in nn.Sequential(heed.relu).named_modules()],),
    "OfProgress": (lambda: fitted().criterion, lambda: hnp.density(numpy.linspace(0, 1, 30)).criterion,
                   lambda: hnp.classes(numpy.linspace(0, 1, 30), numpy.arange(30) % 2).criterion,
                   lambda: fitted(progress=lambda now: True).criterion),
    "OfHook": (hooked,),
    "OfFree": (lambda: heed.ones(2, requires_grad=True).register_hook(print).remove(),),
    "Destructor": (lambda: heed.ones(2).__dlpack__() is None,),
}
BODIES = (_callbacks.GUARDED, _arrays._give_back.__code__, _derivatives._drop.__code__)


class AtEntry(setting.Case):
    def interrupted(self, call, body):
        """The call, with a SIGINT as the body is entered for the first time."""
        sent = []

        def profile(frame, event, _):
            if event == "call" and frame.f_code in BODIES and not sent:
                sent.append(True)
                signal.raise_signal(signal.SIGINT)
        sys.setprofile(profile)
        try:
            call()
            for _ in range(100):
                pass  # Python raises an interrupt here that a destructor has put off
        finally:
            sys.setprofile(None)
        self.assertTrue(sent, "C has not called the function")

    def test_every_type_of_callback(self):
        for name, calls in CALLS.items():
            for i, call in enumerate(calls):
                with self.subTest(f"{name} {i}"):
                    heed.manual_seed(3)
                    wanted = call()
                    gc.collect()
                    before = heed.memory().live_objects
                    with self.assertRaises(KeyboardInterrupt):
                        self.interrupted(call, name)
                    gc.collect()
                    self.assertEqual(heed.memory().live_objects, before)
                    self.assertEqual(heed._handles.error_code(), 0)
                    self.assertEqual(_callbacks.RAISED, {})
                    heed.manual_seed(3)
                    self.assertEqual(call(), wanted)

    def test_the_list_is_complete(self):
        """Every callback type of the package is in CALLS, unless it is a struct's, or made for a C function."""
        found = set()
        for path in sorted(FOLDER.glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in (n for n in ast.walk(tree) if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)):
                for call in (n for n in ast.walk(node.value) if isinstance(n, ast.Call)):
                    maker = getattr(call.func, "attr", getattr(call.func, "id", ""))
                    if maker == "CallbackType" or maker.endswith("FUNCTYPE") and call is node.value:
                        found.add(node.targets[0].id)
        self.assertEqual(found, set(CALLS))
        uses = sum(path.read_text(encoding="utf-8").count("FUNCTYPE(") for path in FOLDER.glob("*.py"))
        self.assertEqual(uses, 13, "a new use of ctypes' function types: a function that C calls is made by a CallbackType")


class FullStack(unittest.TestCase):
    def test_a_full_stack(self):
        """If the stack is full when C calls Python, the call raises an exception and does not invent a result."""
        net, x = nn.Sequential(Twice(), lambda t: t + 1), heed.ones(2)
        limit, seen = sys.getrecursionlimit() - len(inspect.stack()), set()
        for left in range(60):
            try:
                seen.add(tuple(deep(limit - left, lambda: net(x)).tolist()))
            except (RecursionError, heed.Error) as error:
                seen.add(type(error))
        self.assertTrue(seen <= {(3.0, 3.0), RecursionError, heed.Error}, seen)
        self.assertIn((3.0, 3.0), seen)
        self.assertEqual(net(x).tolist(), [3, 3])


class AtAnyTime(setting.Case):
    def attempts(self, call, wanted, count=120):
        """Interrupts after delays spread over the call."""
        draw, raised = random.Random(5), 0
        for _ in range(count):
            try:
                signal.setitimer(signal.ITIMER_REAL, draw.random() * self.seconds + 2e-6, 2)
                while True:
                    self.assertEqual(call(), wanted)
            except KeyboardInterrupt:
                raised += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        gc.collect()
        self.assertEqual(raised, count)
        self.assertEqual(heed._handles.error_code(), 0)
        self.assertEqual(call(), wanted)

    def setUp(self):
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, signal.default_int_handler))
        self.seconds = 0.002

    def test_ops(self):
        x = heed.tensor([1.0, 2.0])
        self.attempts(lambda: heed.softmax(x * 2 + 1, 0).sum(0, keepdim=True).shape, (1,))

    def test_modules(self):
        net, x = nn.Sequential(nn.Linear(2, 2), Twice(), lambda t: t * 0), heed.ones((1, 2))
        self.attempts(lambda: net(x).tolist(), [[0, 0]])

    def test_owners(self):
        self.attempts(lambda: (heed.Generator(1) is None, nn.Linear(2, 2).training, optim.SGD(nn.Linear(1, 1), lr=0.1).groups),
                      (False, True, 1))

    def test_arrays(self):
        x = heed.tensor([1.0, 2.0])
        self.attempts(lambda: x.numpy().tolist() + heed.tensor(numpy.ones(1)).tolist(), [1, 2, 1])

    def test_fits(self):
        self.seconds = 0.02
        self.attempts(lambda: round(fitted(bandwidths=[0.1]).predict([0.5]).mean[0], 6), round(fitted(bandwidths=[0.1]).predict([0.5]).mean[0], 6))
        self.attempts(lambda: fitted().evaluations, fitted().evaluations, 20)


class FromOutside(unittest.TestCase):
    """A SIGINT from a different process during long calls."""

    SETTING = """
        import os, signal, sys, threading, time
        import numpy, heed
        from heed import nn, np as hnp
        random = numpy.random.default_rng(1)
        x = random.normal(size=(1200, 4)); y = x.sum(1) + random.normal(size=1200)
        g = heed.tensor(random.normal(size=20), requires_grad=True)
        class Net(nn.Module):
            def forward(self, t):
                return t * 2
        net, t = nn.Sequential(Net(), lambda t: t + 1), heed.ones(3)
        made = hnp.fit(x[:300, 0], y[:300], bandwidths=[0.5])
        """
    TRY = """
        before = heed.memory().live_objects
        for delay in (0.05, 0.2, 0.11):
            try:
                threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT)).start()
                while True:
                    CALL
            except KeyboardInterrupt:
                pass
        import gc; gc.collect()
        f = hnp.fit([0.0, 1, 2, 3], [0.0, 1, 0, 2], bandwidths=[1.0]); net(t); heed.gradcheck(lambda a: a * a, [g]); del f
        gc.collect()
        print(heed.memory().live_objects - before, heed._handles.error_code())
        """

    def test_calls_that_last(self):
        for call in ("hnp.fit(x, y, degree=1)", "hnp.density(x)", "hnp.classes(x, y > 0)", "heed.gradcheck(lambda a: (a * a).sum(), [g])",
                     "net(t)", "made.bootstrap(x[:50, 0], draws=500)", "made.predict(x[:50, 0], band='simultaneous')"):
            with self.subTest(call):
                program = textwrap.dedent(self.SETTING) + textwrap.dedent(self.TRY.replace("CALL", call))
                done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120,
                                      env={**os.environ, "PYTHONPATH": str(FOLDER.parent)})
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "0 0\n", ""))


if __name__ == "__main__":
    unittest.main()
