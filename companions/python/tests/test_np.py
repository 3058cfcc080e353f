#!/usr/bin/env python3
"""companions/python/tests/test_np.py - heed.np against the C library's layout, R np's numbers, and NumPy. Run by pytest or alone,
with HEED_LIBRARY and, for the layout, HEED_INCLUDE."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import contextlib
import csv
import ctypes
import gc
import io
import os
import subprocess
import tempfile
import threading
import tracemalloc
import unittest
from pathlib import Path

from setting import ROOT
import numpy
from heed import Error, _arrays, _library, np as hnp


def load(name, x, y):
    with open(ROOT / "examples" / "data" / name, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    return numpy.array([float(r[x]) for r in rows]), numpy.array([float(r[y]) for r in rows])


class Layout(unittest.TestCase):
    def test_structs_are_those_of_c(self):
        structs = {"heed_shape": _library.Shape, "heed_np_progress": hnp.Progress, "heed_np_report": hnp.Report,
                   "heed_np_prediction": hnp.Prediction}
        lines = [f'printf("{name} %zu", sizeof({name}));' + "".join(
            f'printf(" %zu", offsetof({name}, {field[0]}));' for field in struct._fields_) + 'puts("");'
            for name, struct in structs.items()]
        program = "#include <heed/heed.h>\n#include <stddef.h>\nint main(void) { " + " ".join(lines) + " return 0; }\n"
        with tempfile.TemporaryDirectory() as folder:
            source, binary = Path(folder, "layout.c"), Path(folder, "layout")
            source.write_text(program, encoding="ascii")
            subprocess.run([os.environ.get("CC", "cc"), "-I", os.environ.get("HEED_INCLUDE", ROOT / "include"), source, "-o",
                            binary], check=True)
            told = subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()
        for line, (name, struct) in zip(told, structs.items()):
            ours = [ctypes.sizeof(struct)] + [getattr(struct, field[0]).offset for field in struct._fields_]
            self.assertEqual(line.split(), [name] + [str(n) for n in ours])


class Numbers(unittest.TestCase):
    def test_those_of_np(self):
        x, y = load("mcycle.csv", "times", "accel")
        fit = hnp.fit(x, y, degree=1)
        self.assertAlmostEqual(fit.bandwidths[0], 1.475794, 5)
        self.assertAlmostEqual(fit.criterion, 561.339453528, 6)
        self.assertAlmostEqual(hnp.fit(x, y, criterion="aicc").criterion, 7.525150003, 8)
        self.assertEqual(fit.minima[0].value, fit.criterion)
        self.assertTrue(numpy.allclose(fit.residuals, y - fit.fitted))
        self.assertAlmostEqual(fit.leverages.sum(), fit.trace, 9)

    def test_rules(self):
        x, y = load("mcycle.csv", "times", "accel")
        fit = hnp.fit(x, y, degree=1, criterion="plug-in")
        self.assertAlmostEqual(fit.bandwidths[0], 1.44692142811949, 11)
        self.assertEqual((fit.minima, fit.evaluations), ([], 0))
        quartiles = numpy.quantile(x, (0.25, 0.75))
        h = (4 / 3 / len(x)) ** 0.2 * min(x.std(ddof=1), (quartiles[1] - quartiles[0]) / 1.349)
        self.assertAlmostEqual(hnp.fit(x, y, criterion="rule").bandwidths[0], h, 12)
        self.assertAlmostEqual(hnp.density(x, criterion="rule").bandwidths[0], h, 12)

    def test_a_mixed_fit_is_that_of_numpy(self):
        random = numpy.random.default_rng(1)
        x = numpy.column_stack([random.random(60), random.integers(0, 3, 60), random.integers(0, 4, 60)])
        y, q = random.random(60), numpy.array([0.4, 1, 2])
        fit = hnp.fit(x, y, degree=1, columns=("continuous", "unordered", "ordered"), bandwidths=(0.2, 0.3, 0.5))
        w = numpy.exp(-((x[:, 0] - q[0]) / 0.2) ** 2 / 2) * numpy.where(x[:, 1] == q[1], 1, 0.3) * 0.5 ** abs(x[:, 2] - q[2])
        powers = numpy.column_stack([numpy.ones(60), x[:, 0] - q[0]])
        beta = numpy.linalg.solve(powers.T @ (w[:, None] * powers), powers.T @ (w * y))
        at = fit.predict(q[None, :])
        self.assertAlmostEqual(at.mean[0], beta[0], 12)
        self.assertAlmostEqual(at.slopes[0, 0], beta[1], 11)

    def test_bands(self):
        x, y = load("mcycle.csv", "times", "accel")
        fit = hnp.fit(x, y, degree=1, bandwidths=[1.5])
        point, wide = fit.predict([10, 20]), fit.predict([10, 20], band="simultaneous", seed=3)
        self.assertTrue((wide.upper > point.upper).all())
        self.assertTrue(numpy.allclose(point.upper - point.mean, 1.959963984540054 * point.se))

    def test_draws(self):
        x, y = load("mcycle.csv", "times", "accel")
        fit = hnp.fit(x, y, degree=1, bandwidths=[1.5])
        draws = fit.bootstrap([10, 20, 45], draws=4000, seed=2)
        self.assertEqual(draws.shape, (4000, 3))
        self.assertTrue(numpy.allclose(draws.std(0), fit.predict([10, 20, 45], local=True).se, rtol=0.05))
        self.assertEqual(fit.bootstrap([10], resampling="pairs", draws=5).shape, (5, 1))
        self.assertEqual(fit.significance(0, draws=19), 0.05)
        lower, upper = fit.quantile(x, 0.05), fit.quantile(x, 0.95)
        self.assertTrue(0.8 < ((lower <= y) & (y <= upper)).mean() < 0.98)

    def test_density(self):
        x, _ = load("faithful.csv", "eruptions", "waiting")
        density = hnp.density(x, bandwidths=[0.2])
        at = density.predict([1.75, 3.0])
        mine = numpy.exp(-((numpy.array([[1.75], [3.0]]) - x) / 0.2) ** 2 / 2).mean(1) / (0.2 * numpy.sqrt(2 * numpy.pi))
        self.assertTrue(numpy.allclose(at.density, mine, rtol=1e-12))
        self.assertTrue((at.lower < at.density).all() and (at.density < at.upper).all())
        self.assertAlmostEqual(hnp.density(x).bandwidths[0], 0.10269, 3)
        self.assertEqual(density.bootstrap([2.0], draws=7).shape, (7, 1))
        self.assertIn("likelihood", str(density))

    def test_classes(self):
        random = numpy.random.default_rng(3)
        x = random.random((40, 2))
        kinds = numpy.where(x[:, 0] + 0.3 * random.random(40) > 0.6, "tall", "short")
        fit = hnp.classes(x, kinds, bandwidths=[0.2, 0.4, 0.1])
        self.assertEqual(list(fit.labels), ["short", "tall"])
        w = numpy.exp(-(((x[:3, None, :] - x[None, :, :]) / [0.2, 0.4]) ** 2).sum(2) / 2)
        tall = (w @ numpy.where(kinds == "tall", 1, 0.1) / 1.1) / w.sum(1)
        self.assertTrue(numpy.allclose(fit.probabilities(x[:3]), numpy.column_stack([1 - tall, tall]), rtol=1e-12))
        self.assertEqual(list(fit.predict(x[:3])), list(numpy.where(tall > 0.5, "tall", "short")))
        searched = hnp.classes(x, kinds)
        self.assertTrue(searched.criterion < fit.criterion and len(searched.bandwidths) == 3)
        self.assertIn("likelihood", str(searched))
        with self.assertRaisesRegex(ValueError, "2 bandwidths for 2 columns and the labels"):
            hnp.classes(x, kinds, bandwidths=[1, 2])

    def test_without_rows_in_the_window(self):
        x = numpy.concatenate([numpy.linspace(0, 3, 20), numpy.linspace(7, 10, 20)])
        options = {"kernel": "epanechnikov", "bandwidths": [0.5]}
        fit, q = hnp.fit(x, 100 + numpy.sin(x), **options), [5.0, 1.0]
        at = fit.predict(q)
        for numbers in (at.mean, at.se, at.lower, at.upper, at.slopes[:, 0], at.slope_se[:, 0], fit.quantile(q, 0.5),
                        fit.bootstrap(q, draws=1)[0]):
            self.assertEqual(list(numpy.isnan(numbers)), [True, False])
        options["bandwidths"] = [0.5, 0.1]
        fit = hnp.classes(x, numpy.where(x > 5, "high", "low"), **options)
        self.assertEqual(list(numpy.isnan(fit.probabilities(q)).all(1)), [True, False])
        self.assertEqual(list(fit.predict(q)), [None, "low"])
        self.assertEqual(fit.predict([1.0]).dtype, fit.labels.dtype)

    def test_notices(self):
        x = numpy.random.default_rng(4).normal(size=60)
        fit = hnp.fit(x, numpy.full(60, 3.0))
        self.assertTrue(numpy.isnan(fit.r2))
        self.assertEqual(fit.significance(0), 1)
        self.assertIn("R2 is undefined", fit.notice)
        self.assertTrue(str(fit).endswith(fit.notice))
        self.assertEqual(hnp.fit(x, x ** 2).notice, "")
        self.assertIn("1 of 1 rows have no other row", hnp.density([2.0], bandwidths=[1.0]).notice)

    def test_rows_of_weight_0(self):
        x, w = numpy.arange(6.0), numpy.array([1, 1, 1, 1, 1, 0])
        fit = hnp.classes(x, numpy.array(["a", "a", "b", "c", "c", "aa"]), bandwidths=[0.3, 0.1], weights=w)
        self.assertEqual(list(fit.labels), ["a", "b", "c"])
        self.assertEqual(list(fit.predict([0, 2, 4])), ["a", "b", "c"])
        self.assertEqual(len(hnp.fit(x, x ** 2, bandwidths=[0.5], weights=w).fitted), 6)


class Readme(unittest.TestCase):
    def test_its_program_runs(self):
        text = (ROOT / "companions" / "python" / "README.md").read_text(encoding="utf-8")
        program = text.split("```python\n")[-1].split("```")[0].replace("examples/data", str(ROOT / "examples" / "data"))
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            exec(compile(program, "README.md", "exec"), {})
        self.assertIn("133 rows", told.getvalue())


class Errors(unittest.TestCase):
    def test_become_exceptions(self):
        x = numpy.arange(5.0)
        for wrong, text in (({"degree": 7}, "np_fit: degree is 7"), ({"kernel": "cosine"}, "kernel is 'cosine'"),
                            ({"bandwidths": [1, 2]}, "2 bandwidths for 1"), ({"columns": ["odd"]}, "columns is 'odd'")):
            with self.assertRaisesRegex(ValueError, text):
                hnp.fit(x, x, **wrong)
        with self.assertRaisesRegex(ValueError, "np_fit: y is nan in row 1"):
            hnp.fit(x, [1, numpy.nan, 2, 3, 4])
        with self.assertRaisesRegex(ValueError, "must be"):
            hnp.fit(x, x[:3])
        with self.assertRaisesRegex(ValueError, "resampling is 'tame'"):
            hnp.fit(x, x, bandwidths=[2]).bootstrap(x, resampling="tame")
        with self.assertRaisesRegex(IndexError, "column is 3: must be in 0 .. "):
            hnp.fit(x, x, bandwidths=[2]).significance(3)
        with self.assertRaisesRegex(Error, "corrected"):
            hnp.fit(x, x, degree=3, bandwidths=[2]).predict(x, corrected=True)
        self.assertEqual(_library.C.heed_error_code(), 0)

    def test_a_search_that_is_left(self):
        x, y = load("mcycle.csv", "times", "accel")
        self.assertEqual(hnp.fit(x, y, progress=lambda now: now.evaluations < 3).evaluations, 3)
        with self.assertRaises(KeyboardInterrupt):
            hnp.fit(x, y, progress=self.interrupt)

    @staticmethod
    def interrupt(now):
        raise KeyboardInterrupt


class Memory(unittest.TestCase):
    def address_of(self, values):
        tensor = hnp._tensor(values, "x", (1, 2))
        self.assertEqual(tensor.numpy().tolist(), numpy.asarray(values, dtype=float).tolist())
        return tensor.numpy().ctypes.data

    def test_arrays_enter_without_a_copy(self):
        for dtype in (numpy.float32, numpy.float64, numpy.int64):
            x = numpy.arange(12, dtype=dtype)
            x.flags.writeable = False
            self.assertEqual(self.address_of(x), x.ctypes.data)
            self.assertEqual(self.address_of(x[3:]), x[3:].ctypes.data)
            self.assertEqual(self.address_of(x.reshape(4, 3)), x.ctypes.data)

    def test_others_are_converted(self):
        x = numpy.arange(12.0)
        odd = numpy.frombuffer(b" " + x.tobytes(), dtype=numpy.uint8)[1:].view(numpy.float64)  # not aligned
        for other in (x[::2], x.reshape(4, 3).T, x.astype(">f8"), x.astype(numpy.int32), odd):
            self.assertNotEqual(self.address_of(other), other.ctypes.data)
        self.address_of([1, 2.5, True])

    def test_converted_arrays_live_as_long_as_the_fit_needs_them(self):
        x = numpy.linspace(0, 1, 2000)
        want = hnp.fit(x, x ** 2, bandwidths=[0.1]).fitted
        got = hnp.fit(list(x), (x ** 2)[::-1][::-1], weights=numpy.ones(2000, dtype=numpy.int32), bandwidths=[0.1],
                      progress=lambda now: gc.collect() or True).fitted
        self.assertTrue((want == got).all())

    def test_results_leave_without_a_copy(self):
        x = numpy.linspace(0, 1, 200000)
        fit = hnp.fit(x[::1000], x[::1000] ** 2, kernel="epanechnikov", degree=1, bandwidths=[0.1])
        fit.predict(x[:10])
        tracemalloc.start()
        at = fit.predict(x)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, 100000)  # x alone has 1,600,000 bytes
        self.assertIsInstance(at.mean.base, _arrays.Memory)
        self.assertEqual(at.slopes.shape, (200000, 1))
        inside = (x > 0.1) & (x < 0.9)
        self.assertTrue(numpy.allclose(at.mean[inside], x[inside] ** 2, atol=0.01))
        at.mean[0] = 5  # the program's own
        self.assertNotEqual(fit.predict(x[:1]).mean[0], 5)

    def test_results_outlive_their_fit(self):
        x = numpy.linspace(0, 1, 50)
        gc.collect()
        before = live_bytes()
        fit = hnp.fit(x, x ** 2, bandwidths=[0.2])
        last = fit.fitted[-3:]
        want = last.copy()
        del fit
        gc.collect()
        self.assertGreater(live_bytes(), before)
        hnp.fit(x, x ** 3, bandwidths=[0.3]).predict(x)  # which would reuse its memory
        self.assertTrue((last == want).all())
        del last
        gc.collect()
        self.assertEqual(live_bytes(), before)

    def test_empty_results(self):
        fit = hnp.fit([0.0, 1.0, 2.0], [0.0, 1.0, 2.0], bandwidths=[1])
        self.assertEqual(fit.predict(numpy.empty(0)).slopes.shape, (0, 1))


class Stats(ctypes.Structure):
    _fields_ = [("live_objects", ctypes.c_int64), ("live_bytes", ctypes.c_int64)] + [(f"n{i}", ctypes.c_int64) for i in range(4)]


def live_bytes():
    _library.C.heed_memory_get_stats.restype = Stats
    return _library.C.heed_memory_get_stats().live_bytes


class Lifetimes(unittest.TestCase):
    def test_threads(self):
        x, y = load("mcycle.csv", "times", "accel")
        values = []
        threads = [threading.Thread(target=lambda: values.append(hnp.fit(x, y).criterion)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(values)), 1)
        self.assertEqual(len(values), 4)

    def test_nothing_is_left(self):
        stats = _library.C.heed_memory_get_stats
        stats.restype = Stats
        x = numpy.linspace(0, 1, 50)
        before = None
        for i in range(200):
            fit = hnp.fit(x, x ** 2, bandwidths=[0.2])
            fit.predict(x)
            del fit
            gc.collect() if i % 100 == 0 else None
            now = stats()
            before = before or (now.live_objects, now.live_bytes)
        self.assertEqual((now.live_objects, now.live_bytes), before)


if __name__ == "__main__":
    unittest.main()
