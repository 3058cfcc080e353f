#!/usr/bin/env python3
"""team_torch.py - bench_team's work by PyTorch's DistributedDataParallel over gloo: one process of the team.

    team_torch.py MODEL WAY BATCH STEPS RANK PROCESSES FILE      FILE: new, for the rendezvous of the processes

MODEL is w7 or w8, WAY is "" or one of torch_bench.py's ways of W8. A process takes its shard of BATCH; process 0
prints bench_team's line. bench/compare_teams starts them.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import json
import statistics
import sys
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn

from torch_bench import language_model

WARM_UP = 5


def w7(way, samples):
    net = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    images, labels = torch.rand(6144, 784), torch.randint(0, 10, (6144,))
    return net, torch.optim.SGD(net.parameters(), lr=0.1), images, labels, F.cross_entropy


def w8(way, samples):
    net = language_model(65, 64, 128, 4, 4, "sdpa" in way)
    options = {"fused": True} if "fused" in way else {}
    trainer = torch.optim.AdamW(net.parameters(), lr=3e-4, weight_decay=0.1, **options)
    texts, after = torch.randint(0, 65, (512, 64)), torch.randint(0, 65, (512, 64))
    return net, trainer, texts, after, lambda y, after: F.cross_entropy(y.reshape(-1, 65), after.reshape(-1))


def main():
    model, way, batch, steps, rank, processes, file = sys.argv[1:]
    batch, steps, rank, processes = int(batch), int(steps), int(rank), int(processes)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=processes)
    mine = batch // processes
    net, trainer, x, y, loss = {"w7": w7, "w8": w8}[model](way, mine)
    # The gradients are then views of the sent buffers, and are not copied.
    net = nn.parallel.DistributedDataParallel(net, gradient_as_bucket_view=True)
    times = []
    for step in range(-WARM_UP, steps):
        begin = time.perf_counter()
        at = (step + WARM_UP) * batch % (len(x) - batch) + rank * mine
        trainer.zero_grad()
        loss(net(x[at:at + mine]), y[at:at + mine]).backward()
        trainer.step()
        if step >= 0:
            times.append(1e3 * (time.perf_counter() - begin))
    if rank == 0:
        print(json.dumps({"peer": "pytorch", "version": torch.__version__, "way": way, "model": model,
                          "processes": processes, "threads": 1, "batch": batch, "least ms": round(min(times), 3),
                          "median ms": round(statistics.median(times), 3),
                          "parameters": sum(p.numel() for p in net.parameters())}))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
