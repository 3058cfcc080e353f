"""tests/bench/test_bench.py - the programs of bench end with 0, and every figure that they print is one.

    python3 tests/bench/test_bench.py FOLDER_OF_PROGRAMS KERNELS_DEF [TEST...]
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "examples"))
import pictures  # noqa: E402

PROGRAMS, KERNELS = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1))
NUMBER = r"(\d+(?:\.\d+)?(?:e[-+]\d+)?)"


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heed-bench-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def output(self, name, *arguments, text=None, environment=None):
        done = subprocess.run([PROGRAMS / name, *arguments], cwd=self.folder, input=text, capture_output=True, text=True, check=False,
                              env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def numbers(self, line, count):
        """The last numbers of a line, which are finite and not negative."""
        found = [float(word) for word in line.split()[-count:]]
        self.assertTrue(all(math.isfinite(n) and n >= 0 for n in found), line)
        return found


class Workloads(Bench):
    def test_every_workload_has_figures(self):
        self.check(set(range(1, 17)), "")

    def test_fused_workloads_have_figures_by_ops(self):
        self.check({1, 2, 3, 4}, "ops", "--ops")

    def check(self, workloads, way, *options):
        rows = [json.loads(line) for line in self.output("heed_bench", "--quick", *options).splitlines()]
        self.assertEqual({int(row["workload"][1:]) for row in rows}, workloads)
        for row in rows:
            with self.subTest(row=row):
                self.assertEqual(row.get("way", ""), way)
                self.assertTrue(math.isfinite(row["value"]))
                self.assertLessEqual(row["min"], row["value"])
                self.assertLessEqual(row["value"], row["max"])
                self.assertGreaterEqual(row["n"], 1)
                if "peak_extra" not in row["metric"]:
                    self.assertGreater(row["value"], 0)


class Kernels(Bench):
    def test_every_kernel_has_rates(self):
        lines = self.output("bench_kernels", "--quick").splitlines()[1:]
        timed = set()
        for line in lines:
            kernel, rates = re.match(r"(.+? +(?:f32|f64|bf16) +(?:scalar|avx2|avx512|neon)) +([0-9. ]+)$", line).groups()
            timed.add(tuple(kernel.rsplit(maxsplit=2)))
            self.assertGreater(max(self.numbers(rates, len(rates.split()))), 0, line)
        self.assertEqual(len(timed), len(lines))
        elementwise = set(re.findall(r"^(?:UNARY|BINARY)(?:_VEC|_OWN)?\((\w+)", KERNELS.read_text(encoding="utf-8"), re.M))
        self.assertGreater(len(elementwise), 20)
        self.assertLessEqual(elementwise, {name for name, _, _ in timed})


class Limits(Bench):
    def test_every_limit_is_a_rate(self):
        lines = self.output("bench_limits", "--quick").splitlines()[1:]
        self.assertGreater(len(lines), 8)
        for line in lines:
            figures = re.search(rf"  +{NUMBER}(?:  +{NUMBER})?  +(GFLOP/s|10\^9/s|GB/s)$", line)
            self.assertIsNotNone(figures, line)
            self.assertGreater(float(figures[1]), 0)


class Scaling(Bench):
    RUN = {"model": "w8", "shards": 4, "shards ms": 40, "median ms": 42, "processor ms": 42, "parameters": 800000}

    def test_predictions(self):
        lines = self.output("bench_scaling", "scaling.png", text=json.dumps(self.RUN) + "\n").splitlines()
        halving = next(line for line in lines if "halving" in line)
        own = next(line for line in lines if "heed's" in line)
        self.assertEqual(re.findall(r"\d+\.\d", halving)[:4], ["1.0", "2.0", "4.0", "8.0"])
        self.assertEqual(re.findall(r"\d+\.\d", own)[:2], ["1.0", "2.0"])
        pictures.assert_picture(self, self.folder / "scaling.png")


class Growth(Bench):
    def test_exponent(self):
        (self.folder / "growth.csv").write_text("columns,rows,heed,peer\n1,100,1,2\n1,1000,10,\n", encoding="utf-8")
        self.assertRegex(self.output("bench_growth", "growth.csv", "growth.png"),
                         r"heed, 1 column +10\.000 s for 1000 rows, as n\^1\.00")
        pictures.assert_picture(self, self.folder / "growth.png")


class Calls(Bench):
    def test_the_same_cases_in_c_and_in_python(self):
        rows = [json.loads(line) for line in self.output("bench_calls", "--quick").splitlines()]
        source = (Path(__file__).resolve().parents[2] / "bench" / "compare-calls").read_text(encoding="utf-8")
        for row in rows:
            with self.subTest(row=row):
                self.assertEqual(row["metric"], "us")
                self.assertGreater(row["min"], 0)
                self.assertIn(f'"{row["case"]}"' if not row["case"].startswith("fit") else row["case"].split()[1], source)
        self.assertEqual(len(rows), 6)


class Products(Bench):
    def sizes(self, *arguments, **options):
        lines = self.output("bench_products", "-n", "3", "-s", "0", *arguments, **options).splitlines()
        sizes = [line.split() for line in lines if re.match(r" +\d+ +\d+ +\d+ ", line)]
        self.assertGreaterEqual(len(sizes), 3)
        self.assertTrue(all(len(size) == 7 for size in sizes), sizes)
        return sizes

    def test_every_size_has_rates(self):
        for size in (sizes := self.sizes()):
            rates = [word for word in size if word != "-"]
            self.numbers(" ".join(rates), len(rates))
        self.assertGreater(max(float(size[3]) for size in sizes), 0, sizes)  # of a tiny size 0.00 may be shown

    def test_square_sizes(self):
        self.assertEqual([size[:3] for size in self.sizes("-d", "2,30,4")], [["2"] * 3, ["30"] * 3, ["4"] * 3])

    def test_without_a_peer_there_is_no_ratio(self):
        for library in ("libopenblas.so.0", "libdnnl.so.2", "libdnnl.so.3", "libdnnl.so.3.6"):
            (self.folder / library).touch()  # an empty file in their place cannot be loaded
        sizes = self.sizes(environment={"LD_LIBRARY_PATH": str(self.folder)})
        self.assertEqual([size[4:] for size in sizes], [["-"] * 3] * 3)


if __name__ == "__main__":
    unittest.main()
