"""torch_measure.py - registers, times and prints the workloads of torch_bench.py."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import argparse
import contextlib
import json
import math
import os
import resource
import subprocess
import sys
import time

CASES = []


def case(workload, name, *sizes, ways=("",), one_thread_only=False, heavy=False):
    """Registers fn(bench, way, *sizes) as a case; ways are formulations of the same work, of which the best counts."""
    def register(fn):
        for way in ways:
            CASES.append((workload, name, way, fn, sizes, one_thread_only, heavy))
        return fn
    return register


def busy():
    """CPU seconds that all processes have used so far on the processors that this one may use."""
    ours = [f"cpu{i}" for i in os.sched_getaffinity(0)]
    with open("/proc/stat") as f:
        ticks = [[int(x) for x in words[1:8]] for words in map(str.split, f) if words[0] in ours]
    return sum(sum(v) - v[3] - v[4] for v in ticks) / os.sysconf("SC_CLK_TCK")


def own():
    return sum(r.ru_utime + r.ru_stime
               for r in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)))


class Bench:
    """Times things and prints their lines."""

    def __init__(self, workload, name, way, a):
        self.head = {"peer": "pytorch", "version": "", "workload": workload, "case": name, "way": way + " autocast" * a.autocast,
                     "threads": a.threads}
        self.quick, self.seconds = a.quick, 0.0 if a.quick else a.seconds
        self.figures, self.before = a.figures, None

    def report(self, metric, values, foreign):
        values = sorted(values)
        if not self.head["version"]:
            import torch
            self.head["version"] = torch.__version__
        print(json.dumps({**self.head, "metric": metric, "value": values[len(values) // 2], "min": values[0],
                          "max": values[-1], "n": len(values), "foreign": round(foreign, 3)}), flush=True)

    def time(self, metric, fn, unit=1.0, work=0.0):
        """Seconds per call times `unit`, or `work` over them."""
        if self.figures == "peaks":
            return
        fn()
        inner = 1
        if not self.quick:
            begin, calls = time.perf_counter(), 0
            while calls == 0 or time.perf_counter() - begin < 0.25:
                fn()
                calls += 1
            inner = max(1, math.ceil(0.01 / ((time.perf_counter() - begin) / calls)))
        values, least = [], 1 if self.quick else 7
        begin, before = time.perf_counter(), (busy(), own())
        while len(values) < least or time.perf_counter() - begin < self.seconds:
            start = time.perf_counter()
            for _ in range(inner):
                fn()
            each = (time.perf_counter() - start) / inner
            values.append(work / each if work else unit * each)
        wall = time.perf_counter() - begin
        self.report(metric, values, max(0.0, (busy() - before[0] - (own() - before[1])) / wall))

    def peak(self, what, fn):
        """Peak memory, and the difference to the memory before the first run of a case."""
        if self.figures == "times":
            return

        def status(field):
            with open("/proc/self/status") as f:
                return next(int(line.split()[1]) / 1024.0 for line in f if line.startswith(field))
        if self.before is None:
            import torch
            (torch.ones(64, 64) @ torch.ones(64, 64)).sum().item()  # loads the libraries that all work needs
            self.before = status("VmRSS")
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
        fn()
        fn()
        high = status("VmHWM")
        self.report(f"{what} peak_rss_mb", [high], 0.0)
        self.report(f"{what} peak_extra_mb", [high - self.before], 0.0)

    def function(self, output, leaves, g, operations=0.0):
        """output() without a graph, and with it and a backward pass of g: times and memory, or operations per second."""
        import torch

        def forward():
            with torch.inference_mode():
                output()

        def train():
            for p in leaves:
                p.grad = None
            output().backward(g)
        if operations:
            self.time("fwd GFLOP/s", forward, work=1e-9 * operations)
            self.time("fwdbwd GFLOP/s", train, work=3e-9 * operations)
        else:
            self.peak("fwd", forward)
            self.peak("fwdbwd", train)
            self.time("fwd ms", forward, unit=1e3)
            self.time("fwdbwd ms", train, unit=1e3)

    def process(self, code):
        if self.figures == "peaks":
            return
        wall, cpu, memory = [], [], []
        begin, before = time.perf_counter(), (busy(), own())
        for i in range(2 if self.quick else 6):
            start = time.perf_counter()
            p = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
            _, _, usage = os.wait4(p.pid, 0)
            p.returncode = 0
            if i:  # the first one warms up
                wall.append(1e3 * (time.perf_counter() - start))
                cpu.append(1e3 * (usage.ru_utime + usage.ru_stime))
                memory.append(usage.ru_maxrss / 1024.0)
        foreign = max(0.0, (busy() - before[0] - (own() - before[1])) / (time.perf_counter() - begin))
        self.report("wall ms", wall, foreign)
        self.report("cpu ms", cpu, foreign)
        self.report("peak_rss_mb", memory, foreign)


def main():
    parser = argparse.ArgumentParser(description="Times PyTorch on the workloads of heed_bench.")
    parser.add_argument("-w", "--workloads", default="", help="W1 to W14, W16, and N1 to N5, N7, N8, N10 to N12, whose shapes are similar")
    parser.add_argument("-c", "--case", default="", help="only cases whose name contains this")
    parser.add_argument("-e", "--exact", action="store_true", help="only the case with exactly this name")
    parser.add_argument("--way", help="only this formulation: d2l, fill, sdpa ...")
    parser.add_argument("-t", "--threads", type=int, default=1)
    parser.add_argument("-s", "--seconds", type=float, default=1.2, help="time per figure")
    parser.add_argument("-q", "--quick", action="store_true", help="one sample per figure and no large cases, to see that it works")
    parser.add_argument("--figures", choices=("all", "times", "peaks"), default="all", help="times, peaks of memory, or both")
    parser.add_argument("-p", "--precision", choices=("highest", "high", "medium"), default="highest", help="precision of products")
    parser.add_argument("--autocast", action="store_true", help="compute products in bf16")
    parser.add_argument("-l", "--list", action="store_true", help="list the names of the cases and their ways")
    a = parser.parse_args()
    for workload, name, way, fn, sizes, one_thread_only, heavy in CASES:
        if (a.workloads and workload not in a.workloads.split(",")) or (one_thread_only and a.threads > 1) or \
           (name != a.case if a.exact else a.case not in name) or (a.way is not None and way != a.way) or \
           (heavy and a.quick):
            continue
        if a.list:
            print(f"{workload}/{name}/{way}")
            continue
        rounding = contextlib.nullcontext()
        if workload != "W9" and "process" not in name:
            import torch
            torch.set_num_threads(a.threads)
            torch.manual_seed(0)
            torch.set_flush_denormal(True)
            torch.set_float32_matmul_precision(a.precision)
            if a.autocast:
                rounding = torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=False)  # of casts without a graph
        with rounding:
            fn(Bench(workload, name, way, a), way, *sizes)
