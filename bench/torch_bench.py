#!/usr/bin/env python3
"""torch_bench.py - the workloads of heed_bench in PyTorch, with the same names and the same lines.

Needs torch only (Debian: python3-torch). Each case is timed in this process, so run one case at a time with the thread count
in the environment (bench/compare does):

    OMP_NUM_THREADS=1 python3 bench/torch_bench.py -w W1 -c n50 -t 1
"""
import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time

CASES = []


def case(workload, name, one_thread_only=False):
    def register(fn):
        CASES.append((workload, name, fn, one_thread_only))
        return fn
    return register


def busy():
    """CPU seconds that everybody on the machine has used so far."""
    with open("/proc/stat") as f:
        v = [int(x) for x in f.readline().split()[1:8]]
    return (sum(v) - v[3] - v[4]) / os.sysconf("SC_CLK_TCK")


def own():
    return sum(r.ru_utime + r.ru_stime
               for r in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)))


class Bench:
    """Times things and prints their lines."""

    def __init__(self, workload, name, threads, quick):
        self.head = {"peer": "pytorch", "version": "", "workload": workload, "case": name, "threads": threads}
        self.quick = quick

    def report(self, metric, values, foreign):
        values = sorted(values)
        if not self.head["version"]:
            import torch
            self.head["version"] = torch.__version__
        print(json.dumps({**self.head, "metric": metric, "value": values[len(values) // 2], "min": values[0],
                          "max": values[-1], "n": len(values), "foreign": round(foreign, 3)}), flush=True)

    def time(self, metric, unit, per, sample, total, fn):
        if self.quick:
            sample = total = 0.0
        fn()
        begin, calls = time.perf_counter(), 0
        while calls == 0 or time.perf_counter() - begin < (0.0 if self.quick else 0.25):
            fn()
            calls += 1
        inner = max(1, math.ceil(sample / ((time.perf_counter() - begin) / calls)))
        values = []
        begin, before = time.perf_counter(), (busy(), own())
        while len(values) < 7 or time.perf_counter() - begin < total:
            start = time.perf_counter()
            for _ in range(inner):
                fn()
            values.append((time.perf_counter() - start) / inner * unit / per)
        wall = time.perf_counter() - begin
        self.report(metric, values, max(0.0, (busy() - before[0] - (own() - before[1])) / wall))

    def peak(self, what, fn):
        def status(field):
            with open("/proc/self/status") as f:
                return next(int(line.split()[1]) / 1024.0 for line in f if line.startswith(field))
        before = status("VmRSS")
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
        fn()
        fn()
        high = status("VmHWM")
        self.report(f"{what} peak_rss_mb", [high], 0.0)
        self.report(f"{what} peak_extra_mb", [high - before], 0.0)

    def process(self, code):
        wall, cpu, memory = [], [], []
        begin, before = time.perf_counter(), (busy(), own())
        for i in range(2 if self.quick else 12):
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


# W1: the book's kernel regression, trained leave-one-out.
REGRESSION = r"""
import torch
from torch import nn

class NWKernelRegression(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.rand((1,)))

    def forward(self, queries, keys, values):
        queries = queries.repeat_interleave(keys.shape[1]).reshape((-1, keys.shape[1]))
        self.attention_weights = nn.functional.softmax(-((queries - keys) * self.w)**2 / 2, dim=1)
        return torch.bmm(self.attention_weights.unsqueeze(1), values.unsqueeze(-1)).reshape(-1)

def data(n):
    torch.manual_seed(0)
    x, _ = torch.sort(torch.rand(n) * 5)
    y = 2 * torch.sin(x) + x**0.8 + torch.normal(0.0, 0.5, (n,))
    others = (1 - torch.eye(n)).type(torch.bool)
    return x, y, x.repeat((n, 1))[others].reshape((n, -1)), y.repeat((n, 1))[others].reshape((n, -1))

def epoch(net, trainer, loss, x, y, keys, values):
    trainer.zero_grad()
    l = loss(net(x, keys, values), y) / 2
    l.sum().backward()
    trainer.step()
    return l
"""
WHOLE_PROGRAM = REGRESSION + r"""
x, y, keys, values = data(50)
net, loss = NWKernelRegression(), nn.MSELoss(reduction='none')
trainer = torch.optim.SGD(net.parameters(), lr=0.5)
for i in range(5):
    print(f'epoch {i + 1}, loss {float(epoch(net, trainer, loss, x, y, keys, values).sum()):.6f}')
"""


def train(n):
    import torch
    book = {}
    exec(REGRESSION, book)
    tensors = book["data"](n)
    net, loss = book["NWKernelRegression"](), torch.nn.MSELoss(reduction="none")
    trainer = torch.optim.SGD(net.parameters(), lr=0.5)
    count = 0

    def run():
        nonlocal count
        if count % 5 == 0:  # the book trains 5 epochs: start again from the same w
            with torch.no_grad():
                net.w.fill_(0.7)
        count += 1
        book["epoch"](net, trainer, loss, *tensors)
    return run


@case("W1", "n50")
def w1_n50(b):
    b.time("epoch us", 1e6, 1.0, 0.02, 2.0, train(50))


@case("W1", "n2000")
def w1_n2000(b):
    run = train(2000)
    b.peak("epoch", run)
    b.time("epoch ms", 1e3, 1.0, 0.01, 1.2, run)


@case("W1", "process_n50_5epochs")
def w1_process(b):
    b.process(WHOLE_PROGRAM)


# W6: what an op costs on a tiny tensor.
def overhead(b, n, params):
    import torch
    x = torch.randn(n, requires_grad=True)
    a = torch.full((n,), 1.01, requires_grad=params)
    c = torch.full((n,), 0.01, requires_grad=params)
    g = torch.ones(n)

    def chain():
        y = x
        for _ in range(1000):
            y = torch.tanh(y * a + c)
        return y

    def quiet():
        with torch.no_grad():
            chain()

    def backward():
        for p in (x, a, c):
            p.grad = None
        chain().backward(g)
    b.time("fwd no graph ns/op", 1e9, 3000, 0.01, 1.2, quiet)
    b.time("fwd with graph ns/op", 1e9, 3000, 0.01, 1.2, chain)
    b.time("fwdbwd ns/op", 1e9, 3000, 0.01, 1.2, backward)


for _n in (1, 64):
    for _params in (True, False):
        case("W6", f"n{_n} {'a,b require grad' if _params else 'only x requires grad'}", True)(
            lambda b, n=_n, params=_params: overhead(b, n, params))


# W9: starting a process and doing one op.
@case("W9", "import torch + one op")
def w9_start(b):
    b.process("import torch; (torch.ones(2) + 1).sum().item()")


def main():
    parser = argparse.ArgumentParser(description="Times PyTorch on the workloads of heed_bench.")
    parser.add_argument("-w", "--workloads", default="W1,W6,W9")
    parser.add_argument("-c", "--case", default="", help="only cases whose name contains this")
    parser.add_argument("-t", "--threads", type=int, default=1)
    parser.add_argument("-q", "--quick", action="store_true", help="as few runs as possible, to see that it works")
    parser.add_argument("-l", "--list", action="store_true", help="names of the cases")
    a = parser.parse_args()
    for workload, name, fn, one_thread_only in CASES:
        if workload not in a.workloads.split(",") or a.case not in name or (one_thread_only and a.threads > 1):
            continue
        if a.list:
            print(f"{workload}/{name}")
            continue
        if workload != "W9" and "process" not in name:
            import torch
            torch.set_num_threads(a.threads)
        fn(Bench(workload, name, a.threads, a.quick))


if __name__ == "__main__":
    main()
