#!/usr/bin/env python3
"""torch_bench.py - the workloads of heed_bench in PyTorch, with the same names and the same lines.

Needs torch only (Debian: python3-torch). A case is timed in this process, so run one case at a time with the thread
count in the environment (bench/compare does):

    OMP_NUM_THREADS=1 python3 bench/torch_bench.py -w W1 -c n50 -e -t 1
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math

from torch_measure import case, main

# W1: the book's kernel regression, trained leave-one-out. `book` repeats queries, keys and values, `broadcast` broadcasts them,
# and `distances` also squares their differences once, before training.
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

class Broadcast(NWKernelRegression):
    def forward(self, queries, own, values):
        scores = (-((queries[:, None] - queries) * self.w)**2 / 2).masked_fill(own, float('-inf'))
        return torch.mv(torch.softmax(scores, dim=1), values)

class Distances(NWKernelRegression):
    def forward(self, queries, distances, values):
        return torch.mv(torch.softmax(distances * self.w**2, dim=1), values)

def samples(n):
    torch.manual_seed(0)
    x, _ = torch.sort(torch.rand(n) * 5)
    return x, 2 * torch.sin(x) + x**0.8 + torch.normal(0.0, 0.5, (n,))

def data(n):
    x, y = samples(n)
    others = (1 - torch.eye(n)).type(torch.bool)
    return x, y, x.repeat((n, 1))[others].reshape((n, -1)), y.repeat((n, 1))[others].reshape((n, -1))

def broadcast_data(n):
    x, y = samples(n)
    return x, y, torch.eye(n, dtype=torch.bool), y

def distances_data(n):
    x, y, own, _ = broadcast_data(n)
    return x, y, (-(x[:, None] - x)**2 / 2).masked_fill(own, float('-inf')), y

def epoch(net, trainer, loss, x, y, keys, values):
    trainer.zero_grad()
    l = loss(net(x, keys, values), y) / 2
    l.sum().backward()
    trainer.step()
    return l
"""
REGRESSION_WAYS = {"book": ("NWKernelRegression", "data"), "broadcast": ("Broadcast", "broadcast_data"),
                   "distances": ("Distances", "distances_data")}
WHOLE_PROGRAM = REGRESSION + r"""
x, y, keys, values = DATA(50)
net, loss = MODULE(), nn.MSELoss(reduction='none')
trainer = torch.optim.SGD(net.parameters(), lr=0.5)
for i in range(5):
    print(f'epoch {i + 1}, loss {float(epoch(net, trainer, loss, x, y, keys, values).sum()):.6f}')
"""


def train(n, way):
    import torch
    book = {}
    exec(REGRESSION, book)
    module, data = REGRESSION_WAYS[way]
    tensors = book[data](n)
    net, loss = book[module](), torch.nn.MSELoss(reduction="none")
    trainer = torch.optim.SGD(net.parameters(), lr=0.5)
    count = 0

    def run():
        nonlocal count
        if count % 5 == 0:  # the book trains 5 epochs: restart from the same w
            with torch.no_grad():
                net.w.fill_(0.7)
        count += 1
        book["epoch"](net, trainer, loss, *tensors)
    return run


@case("W1", "n50", ways=REGRESSION_WAYS)
def w1_n50(b, way):
    b.time("epoch us", train(50, way), unit=1e6)


@case("W1", "n2000", 2000, ways=REGRESSION_WAYS)
@case("N1", "n51", 51, ways=REGRESSION_WAYS)
@case("N1", "n997", 997, ways=REGRESSION_WAYS)
def w1_large(b, way, n):
    run = train(n, way)
    b.peak("epoch", run)
    b.time("epoch ms", run, unit=1e3)


@case("W1", "process_n50_5epochs", ways=REGRESSION_WAYS)
def w1_process(b, way):
    module, data = REGRESSION_WAYS[way]
    b.process(WHOLE_PROGRAM.replace("MODULE", module).replace("DATA", data))


# Lengths: one per batch element, ragged, with mean 0.75 K; or one per query.
def lengths(batch, keys):
    import torch
    return torch.tensor([keys // 2 + keys * (2 * b + 1) // (4 * batch) for b in range(batch)])


def lengths_of_queries(batch, queries, keys):
    import torch
    return torch.tensor([[1 + (31 * b + 17 * q) % keys for q in range(queries)] for b in range(batch)])


# The book writes the mask into its argument, by index assignment.
def masked_softmax_d2l(x, lens):
    import torch
    lens = torch.repeat_interleave(lens, x.shape[1]) if lens.dim() == 1 else lens.reshape(-1)
    rows = x.reshape(-1, x.shape[-1])
    rows[~(torch.arange(x.shape[-1], dtype=torch.float32)[None, :] < lens[:, None])] = -1e6
    return torch.softmax(rows.reshape(x.shape), dim=-1)


# Faster: masked_fill.
def masked_softmax_fill(x, lens):
    import torch
    lens = lens[:, None, None] if lens.dim() == 1 else lens[:, :, None]
    return torch.softmax(x.masked_fill(torch.arange(x.shape[-1]) >= lens, -1e6), dim=-1)


MASKED_SOFTMAX = {"d2l": masked_softmax_d2l, "fill": masked_softmax_fill}


# W2: masked softmax.
@case("W2", "64x128x128 lens1D", 64, 128, 128, 1, ways=("d2l", "fill"))
@case("W2", "64x128x128 lens2D", 64, 128, 128, 2, ways=("d2l", "fill"))
@case("W2", "8x1024x1024 lens1D", 8, 1024, 1024, 1, ways=("d2l", "fill"))
@case("W2", "8x1024x1024 lens2D", 8, 1024, 1024, 2, ways=("d2l", "fill"))
@case("N2", "2x2x4 lens1D", 2, 2, 4, 1, ways=("fill",))
@case("N2", "3x257x131 lens1D", 3, 257, 131, 1, ways=("fill",))
@case("N2", "3x257x131 lens2D", 3, 257, 131, 2, ways=("fill",))
@case("N2", "1x100000x10 lens2D", 1, 100000, 10, 2, ways=("fill",))
@case("N2", "1x10x100003 lens2D", 1, 10, 100003, 2, ways=("fill",))
@case("N2", "1x1x4096 lens1D", 1, 1, 4096, 1, ways=("fill",))
def w2(b, way, batch, queries, keys, dimensions):
    import torch
    x = torch.randn(batch, queries, keys, requires_grad=True)
    lens = lengths(batch, keys) if dimensions == 1 else lengths_of_queries(batch, queries, keys)

    def output():
        if way == "fill":
            return masked_softmax_fill(x, lens)
        return masked_softmax_d2l(x.clone() if torch.is_grad_enabled() else x.detach(), lens)
    b.function(output, [x], torch.randn(batch, queries, keys))


# W3: additive attention.
@case("W3", "B16 Q128 K128 d64 H128", 16, 128, 128, 64, 64, 64, 128, ways=("d2l", "fill"), heavy=True)
@case("W3", "B8 Q256 K256 d64 H256", 8, 256, 256, 64, 64, 64, 256, ways=("d2l", "fill"), heavy=True)
@case("W3", "toy B2 Q1 K10 dq20 dk2 dv4 H8", 2, 1, 10, 20, 2, 4, 8, ways=("d2l", "fill"))
@case("N3", "B3 Q67 K101 d31 H37", 3, 67, 101, 31, 31, 31, 37, ways=("fill",))
@case("N3", "B1 Q1 K4096 d64 H64", 1, 1, 4096, 64, 64, 64, 64, ways=("fill",))
@case("N3", "B64 Q1 K10 d64 H64", 64, 1, 10, 64, 64, 64, 64, ways=("fill",))
@case("N3", "B1 Q1000 K7 d5 H3", 1, 1000, 7, 5, 5, 5, 3, ways=("fill",))
@case("N3", "B1 Q128 K128 d64 H1024", 1, 128, 128, 64, 64, 64, 1024, ways=("fill",), heavy=True)
def w3(b, way, batch, queries, keys, dq, dk, dv, hidden):
    import torch
    W_q, W_k, w_v = (torch.nn.Linear(i, o, bias=False) for i, o in ((dq, hidden), (dk, hidden), (hidden, 1)))
    q, k, v = (torch.randn(batch, n, d, requires_grad=True) for n, d in ((queries, dq), (keys, dk), (keys, dv)))
    lens = lengths(batch, keys)

    def output():
        features = torch.tanh(W_q(q).unsqueeze(2) + W_k(k).unsqueeze(1))
        return torch.bmm(MASKED_SOFTMAX[way](w_v(features).squeeze(-1), lens), v)
    b.function(output, [q, k, v, W_q.weight, W_k.weight, w_v.weight], torch.randn(batch, queries, dv))


# W4: dot-product attention.
def dot_product_attention(way, mask, q, k, v, table):
    """None if this PyTorch lacks the function."""
    import torch
    import torch.nn.functional as F
    queries, keys, d = q.shape[1], k.shape[1], q.shape[2]
    lens = lengths(q.shape[0], keys)
    above = torch.ones(queries, keys, dtype=torch.bool).triu(1)
    distance = torch.arange(keys) - torch.arange(queries)[:, None]
    falls, places = -0.25 * distance.abs(), distance.clamp(-REACH, REACH) + REACH

    def by_distance():
        return falls if mask == "slope" else table[places]

    def weights(scores):
        if mask in ("slope", "relative"):
            scores = scores + by_distance()
        if mask == "causal":
            scores = scores.masked_fill(above, -math.inf)
        return MASKED_SOFTMAX[way](scores, lens) if mask == "lengths" else torch.softmax(scores, dim=-1)

    def composed():
        return torch.bmm(weights(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(d)), v)
    if way != "sdpa":
        return composed
    if not hasattr(F, "scaled_dot_product_attention"):
        return None
    bias = torch.zeros(q.shape[0], 1, 1, keys).masked_fill_(torch.arange(keys) >= lens[:, None, None, None], -1e6)
    options = {"lengths": {"attn_mask": bias.expand(-1, 1, queries, keys)}, "causal": {"is_causal": True}}.get(mask, {})

    def fused():
        given = {"attn_mask": by_distance()} if mask in ("slope", "relative") else options
        return F.scaled_dot_product_attention(q.unsqueeze(1), k.unsqueeze(1), v.unsqueeze(1), **given).squeeze(1)
    return fused


ALL, FAST = ("d2l", "fill", "sdpa"), ("fill", "sdpa")
REACH = 128  # of a relative bias


@case("W4", "B32 Q256 K256 d64", 32, 256, 256, 64, 64, "lengths", ways=ALL)
@case("W4", "B32 Q256 K256 d64 no mask", 32, 256, 256, 64, 64, "none", ways=FAST)
@case("W4", "B32 Q256 K256 d64 causal", 32, 256, 256, 64, 64, "causal", ways=FAST)
@case("W4", "B8 Q1024 K1024 d64", 8, 1024, 1024, 64, 64, "lengths", ways=ALL, heavy=True)
@case("W4", "B8 Q1024 K1024 d64 no mask", 8, 1024, 1024, 64, 64, "none", ways=FAST, heavy=True)
@case("W4", "B8 Q1024 K1024 d64 causal", 8, 1024, 1024, 64, 64, "causal", ways=FAST, heavy=True)
@case("W4", "B1 Q4096 K4096 d64", 1, 4096, 4096, 64, 64, "lengths", ways=ALL, heavy=True)
@case("W4", "B1 Q4096 K4096 d64 no mask", 1, 4096, 4096, 64, 64, "none", ways=FAST, heavy=True)
@case("W4", "B1 Q4096 K4096 d64 causal", 1, 4096, 4096, 64, 64, "causal", ways=FAST, heavy=True)
@case("W4", "toy B2 Q1 K10 d2 dv4", 2, 1, 10, 2, 4, "lengths", ways=ALL)
@case("N4", "B8 Q1024 K1024 d64 slope", 8, 1024, 1024, 64, 64, "slope", ways=FAST, heavy=True)
@case("N4", "B8 Q1024 K1024 d64 relative", 8, 1024, 1024, 64, 64, "relative", ways=FAST, heavy=True)
@case("N4", "B3 Q257 K131 d61", 3, 257, 131, 61, 61, "lengths", ways=FAST)
@case("N4", "B3 Q257 K257 d61 causal", 3, 257, 257, 61, 61, "causal", ways=FAST)
@case("N4", "B1 Q1 K4096 d64", 1, 1, 4096, 64, 64, "lengths", ways=FAST)
@case("N4", "B1 Q4096 K1 d64 no mask", 1, 4096, 1, 64, 64, "none", ways=FAST)
@case("N4", "B64 Q32 K32 d32", 64, 32, 32, 32, 32, "lengths", ways=FAST)
@case("N4", "B64 Q10 K10 d16 no mask", 64, 10, 10, 16, 16, "none", ways=FAST)
@case("N4", "B16 Q64 K64 d128 dv96", 16, 64, 64, 128, 96, "lengths", ways=FAST)
@case("N4", "B1 Q509 K2003 d7 dv1", 1, 509, 2003, 7, 1, "lengths", ways=FAST)
@case("N4", "B2 Q128 K128 d512", 2, 128, 128, 512, 512, "lengths", ways=FAST)
def w4(b, way, batch, queries, keys, d, dv, mask):
    import torch
    q, k, v = (torch.randn(batch, n, size, requires_grad=True) for n, size in ((queries, d), (keys, d), (keys, dv)))
    table = torch.randn(2 * REACH + 1, requires_grad=True)
    output = dot_product_attention(way, mask, q, k, v, table)
    if output:
        b.function(output, [q, k, v, table] if mask == "relative" else [q, k, v], torch.randn(batch, queries, dv))


# W5: a batch of matrix products.
@case("W5", "b64 128x64x128", 64, 128, 64, 128, False)
@case("W5", "b2 1024x1024x1024", 2, 1024, 1024, 1024, False, heavy=True)
@case("W5", "b10000 8x8x8", 10000, 8, 8, 8, False)
@case("N5", "b64 128x64x128 B transposed", 64, 128, 64, 128, True)
@case("N5", "b10000 8x8x8 B transposed", 10000, 8, 8, 8, True)
@case("N5", "b1 1000x1000x1", 1, 1000, 1000, 1, False)
@case("N5", "b1 1x1000x1000", 1, 1, 1000, 1000, False)
@case("N5", "b1 1x512x2048", 1, 1, 512, 2048, False)
@case("N5", "b1 1000x1x1000", 1, 1000, 1, 1000, False)
@case("N5", "b7 31x67x129", 7, 31, 67, 129, False)
@case("N5", "b1 4096x32x32", 1, 4096, 32, 32, False)
@case("N5", "b16 333x80x517", 16, 333, 80, 517, False)
@case("N5", "b1 64x64x64", 1, 64, 64, 64, False)
@case("N5", "b1 509x1021x257", 1, 509, 1021, 257, False)
@case("N5", "b1000 3x5x7", 1000, 3, 5, 7, False)
@case("N5", "b500 16x16x16", 500, 16, 16, 16, False)
def w5(b, way, batch, m, k, n, transposed):
    import torch
    x = torch.randn(batch, m, k, requires_grad=True)
    y = torch.randn(*((batch, n, k) if transposed else (batch, k, n)), requires_grad=True)

    def output():
        return torch.bmm(x, y.transpose(1, 2) if transposed else y)
    b.function(output, [x, y], torch.randn(batch, m, n), operations=2.0 * batch * m * k * n)


# W6: the cost of an op on a tiny tensor.
@case("W6", "n1 a,b require grad", 1, True, one_thread_only=True)
@case("W6", "n1 only x requires grad", 1, False, one_thread_only=True)
@case("W6", "n64 a,b require grad", 64, True, one_thread_only=True)
@case("W6", "n64 only x requires grad", 64, False, one_thread_only=True)
def overhead(b, way, n, params):
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
        with torch.inference_mode():
            chain()

    def backward():
        for p in (x, a, c):
            p.grad = None
        chain().backward(g)
    b.time("fwd no graph ns/op", quiet, unit=1e9 / 3000)
    b.time("fwd with graph ns/op", chain, unit=1e9 / 3000)
    b.time("fwdbwd ns/op", backward, unit=1e9 / 3000)


# Trainers: PyTorch 2.4 and later has a fused SGD. None if this PyTorch lacks it.
FUSED = ("", "fused")  # the optimizer updates one parameter after another, or all at once


def sgd(net, way):
    import torch
    try:
        return torch.optim.SGD(net.parameters(), lr=0.1, **({"fused": True} if "fused" in way else {}))
    except TypeError:
        return None


# W7: training a multilayer perceptron, batch after batch of 60,000 images.
@case("W7", "mlp 784-256-10 batch64", 64, ways=FUSED)
@case("W7", "mlp 784-256-10 batch256", 256, ways=FUSED)
@case("N7", "mlp 784-256-10 batch1", 1, ways=FUSED)
@case("N7", "mlp 784-256-10 batch97", 97, ways=FUSED)
@case("N7", "mlp 784-256-10 batch2000", 2000, ways=FUSED)
def w7(b, way, batch):
    import torch
    from torch import nn
    count = batch if b.quick else 60000
    images, labels = torch.rand(count, 784), torch.randint(0, 10, (count,))
    net = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    trainer, loss = sgd(net, way), nn.CrossEntropyLoss()
    if not trainer:
        return
    at = 0

    def step():
        nonlocal at
        if at + batch > count:
            at = 0
        trainer.zero_grad()
        loss(net(images[at:at + batch]), labels[at:at + batch]).backward()
        trainer.step()
        at += batch
    b.time("train samples/s", step, work=batch)


# W8: a training step of a character Transformer: pre-norm, learned positions, the last layer tied to the embedding.
def language_model(vocabulary, steps, d, heads, layers, fused):
    import torch
    import torch.nn.functional as F
    from torch import nn
    above = torch.full((steps, steps), -math.inf).triu(1)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
            self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
            self.linear1, self.linear2 = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
            self.gelu = nn.GELU()

        def forward(self, x):
            q, k, v = (t.view(*x.shape[:2], heads, -1).transpose(1, 2) for t in self.qkv(self.norm1(x)).split(d, dim=2))
            if fused:
                y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            else:
                y = F.softmax(q @ k.transpose(-2, -1) / math.sqrt(d // heads) + above, dim=-1) @ v
            x = x + self.out(y.transpose(1, 2).reshape(x.shape))
            return x + self.linear2(self.gelu(self.linear1(self.norm2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.positions = nn.Embedding(vocabulary, d), nn.Embedding(steps, d)
            self.blocks, self.norm = nn.Sequential(*[Block() for _ in range(layers)]), nn.LayerNorm(d)
            for p in self.parameters():
                if p.dim() > 1:
                    nn.init.normal_(p, 0, 0.02)

        def forward(self, text):
            x = self.blocks(self.tokens(text) + self.positions.weight)
            return F.linear(self.norm(x), self.tokens.weight)
    return Model()


@case("W8", "charlm V65 T64 d128 h4 L4 B16", 16, 64, 128, 4, ways=("composed", "sdpa", "sdpa fused-adamw"), heavy=True)
@case("N8", "charlm V65 T10 d32 h4 L2 B64", 64, 10, 32, 2, ways=("composed", "sdpa", "sdpa fused-adamw"))
@case("N8", "charlm V65 T61 d52 h4 L2 B3", 3, 61, 52, 2, ways=("composed", "sdpa", "sdpa fused-adamw"))
@case("N8", "charlm V65 T256 d128 h4 L1 B1", 1, 256, 128, 1, ways=("composed", "sdpa", "sdpa fused-adamw"))
def w8(b, way, batch, steps, d, layers):
    import torch
    import torch.nn.functional as F
    if "sdpa" in way and not hasattr(F, "scaled_dot_product_attention"):
        return
    net = language_model(65, steps, d, 4, layers, "sdpa" in way)
    options = {"fused": True} if "fused" in way else {}
    trainer = torch.optim.AdamW(net.parameters(), lr=3e-4, weight_decay=0.1, **options)
    text, after = torch.randint(0, 65, (batch, steps)), torch.randint(0, 65, (batch, steps))

    def step():
        trainer.zero_grad()
        F.cross_entropy(net(text).reshape(-1, 65), after.reshape(-1)).backward()
        trainer.step()
    b.peak("train", step)
    b.time("train tokens/s", step, work=batch * steps)


# W9: starting a process and doing one op.
@case("W9", "import torch + one op")
def w9_start(b, way):
    b.process("import torch; (torch.ones(2) + 1).sum().item()")


# W10: convolutions. Tensors are laid out with channels first or last, and computed by oneDNN or, as `native`, without it.
CONVOLUTIONS = ("", "channels_last", "native")


def laid_out(t, way):
    import torch
    return t.contiguous(memory_format=torch.channels_last) if "channels_last" in way else t


@case("W10", "b16 64x56x56 to 64 3x3", 16, 64, 64, 56, 3, 1, 1, 1, ways=CONVOLUTIONS)
@case("W10", "b16 128x28x28 to 128 3x3", 16, 128, 128, 28, 3, 1, 1, 1, ways=CONVOLUTIONS)
@case("W10", "b16 256x14x14 to 256 3x3", 16, 256, 256, 14, 3, 1, 1, 1, ways=CONVOLUTIONS)
@case("W10", "b16 512x7x7 to 512 3x3", 16, 512, 512, 7, 3, 1, 1, 1, ways=CONVOLUTIONS)
@case("W10", "b16 64x56x56 to 128 3x3 stride 2", 16, 64, 128, 56, 3, 2, 1, 1, ways=CONVOLUTIONS)
@case("W10", "b16 64x56x56 to 128 1x1 stride 2", 16, 64, 128, 56, 1, 2, 0, 1, ways=CONVOLUTIONS)
@case("W10", "b16 64x56x56 to 256 1x1", 16, 64, 256, 56, 1, 1, 0, 1, ways=CONVOLUTIONS)
@case("W10", "b64 1x28x28 to 6 5x5", 64, 1, 6, 28, 5, 1, 2, 1, ways=CONVOLUTIONS)
@case("W10", "b64 6x14x14 to 16 5x5", 64, 6, 16, 14, 5, 1, 0, 1, ways=CONVOLUTIONS)
@case("N10", "b16 3x224x224 to 64 7x7 stride 2", 16, 3, 64, 224, 7, 2, 3, 1, ways=CONVOLUTIONS)
@case("N10", "b16 96x28x28 depthwise 3x3", 16, 96, 96, 28, 3, 1, 1, 96, ways=CONVOLUTIONS)
@case("N10", "b16 96x28x28 depthwise 3x3 stride 2", 16, 96, 96, 28, 3, 2, 1, 96, ways=CONVOLUTIONS)
@case("N10", "b16 128x28x28 to 128 3x3 groups 32", 16, 128, 128, 28, 3, 1, 1, 32, ways=CONVOLUTIONS)
@case("N10", "b7 37x29x29 to 53 3x3", 7, 37, 53, 29, 3, 1, 1, 1, ways=CONVOLUTIONS)
@case("N10", "b1 256x14x14 to 256 3x3", 1, 256, 256, 14, 3, 1, 1, 1, ways=CONVOLUTIONS)
@case("N10", "b3 1x127x127 to 1 11x11", 3, 1, 1, 127, 11, 1, 5, 1, ways=CONVOLUTIONS)
def w10(b, way, batch, channels, out, side, kernel, stride, padding, groups):
    import torch
    torch.backends.mkldnn.enabled = way != "native"
    x = laid_out(torch.randn(batch, channels, side, side), way).requires_grad_()
    w = laid_out(torch.randn(out, channels // groups, kernel, kernel), way).requires_grad_()

    def output():
        return torch.nn.functional.conv2d(x, w, None, stride, padding, 1, groups)
    g = torch.randn_like(output())
    b.function(output, [x, w], g, operations=2.0 * g.numel() * (channels // groups) * kernel * kernel)


LENETS = ("", "fused", "channels_last fused", "native fused")


@case("W10", "lenet batch64", 64, ways=LENETS)
@case("W10", "lenet batch256", 256, ways=LENETS)
def w10_lenet(b, way, batch):
    import torch
    from torch import nn
    count = batch if b.quick else 6000
    torch.backends.mkldnn.enabled = "native" not in way
    images, labels = laid_out(torch.rand(count, 1, 28, 28), way), torch.randint(0, 10, (count,))
    net = nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.Sigmoid(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Sigmoid(),
                        nn.AvgPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.Sigmoid(), nn.Linear(120, 84), nn.Sigmoid(),
                        nn.Linear(84, 10))
    if "channels_last" in way:
        net = net.to(memory_format=torch.channels_last)
    trainer, loss = sgd(net, way), nn.CrossEntropyLoss()
    if not trainer:
        return
    at = 0

    def step():
        nonlocal at
        if at + batch > count:
            at = 0
        trainer.zero_grad()
        loss(net(images[at:at + batch]), labels[at:at + batch]).backward()
        trainer.step()
        at += batch
    b.time("train samples/s", step, work=batch)


# W11: recurrent layers.
@case("W11", "lstm b64 t100 h256", "LSTM", 64, 100, 256, 256, 4, ways=("", "native"))
@case("N11", "gru b64 t100 h256", "GRU", 64, 100, 256, 256, 3, ways=("", "native"))
@case("N11", "lstm b1 t35 h64", "LSTM", 1, 35, 64, 64, 4, ways=("", "native"))
@case("N11", "gru b1 t35 h64", "GRU", 1, 35, 64, 64, 3, ways=("", "native"))
@case("N11", "lstm b20 t35 h200", "LSTM", 20, 35, 200, 200, 4, ways=("", "native"))
@case("N11", "lstm b7 t61 h53", "LSTM", 7, 61, 29, 53, 4, ways=("", "native"))
@case("N11", "lstm b256 t1 h256", "LSTM", 256, 1, 256, 256, 4, ways=("", "native"))
@case("N11", "lstm b16 t50 h1024", "LSTM", 16, 50, 1024, 1024, 4, ways=("", "native"))
def w11(b, way, kind, batch, steps, inputs, hidden, gates):
    import torch
    torch.backends.mkldnn.enabled = way != "native"
    net = getattr(torch.nn, kind)(inputs, hidden)
    x = torch.randn(steps, batch, inputs, requires_grad=True)

    def output():
        return net(x)[0]
    g = torch.randn(steps, batch, hidden)
    b.function(output, [x, *net.parameters()], g, operations=2.0 * batch * steps * gates * hidden * (inputs + hidden))


# W12: a decoder that generates with a cache.
def llama(batch, d, heads, groups, ffn, layers, way):
    """Returns a function of the next tokens (B, T) that returns the likeliest tokens after them. Linear maps of the same input
    are one product. The cache has its final size from the start, or grows by torch.cat."""
    import torch
    import torch.nn.functional as F
    size, longest, vocabulary = d // heads, 96, 4096

    def matrix(*shape):
        return 0.02 * torch.randn(*shape)
    embedding, output = matrix(vocabulary, d), matrix(vocabulary, d)
    blocks = [(matrix(d + 2 * groups * size, d), matrix(d, d), matrix(2 * ffn, d), matrix(d, ffn)) for _ in range(layers)]
    angles = torch.arange(longest)[:, None] * 10000.0 ** (-torch.arange(0, size, 2) / size)
    cos, sin = (torch.cat([f(angles)] * 2, -1)[:, None] for f in (torch.cos, torch.sin))
    causal = torch.ones(longest, longest, dtype=torch.bool).triu(1)

    def norm(x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5)

    def rope(x, first, last):
        a, b = x.chunk(2, -1)
        return x * cos[first:last] + torch.cat([-b, a], -1) * sin[first:last]

    def step(tokens, cache):
        first, x = cache["length"], embedding[tokens]
        steps = tokens.shape[1]
        last = cache["length"] = first + steps
        for i, (qkv, out, gate_up, down) in enumerate(blocks):
            q, k, v = F.linear(norm(x), qkv).unflatten(-1, (-1, size)).split([heads, groups, groups], 2)
            q, k = rope(q, first, last), rope(k, first, last)
            if way == "cat":
                k, v = cache[i] = [torch.cat([old, new], 1) for old, new in zip(cache[i], (k, v))] if first else [k, v]
            else:
                for old, new in zip(cache[i], (k, v)):
                    old[:, first:last] = new
                k, v = (old[:, :last] for old in cache[i])
            q = q.unflatten(2, (groups, -1)).permute(0, 2, 3, 1, 4).reshape(batch, groups, -1, size)
            scores = q @ k.permute(0, 2, 3, 1) * size ** -0.5
            if steps > 1:
                scores = scores.unflatten(2, (-1, steps)).masked_fill(causal[first:last, :last], -math.inf).flatten(2, 3)
            y = (scores.softmax(-1) @ v.transpose(1, 2)).unflatten(2, (-1, steps)).permute(0, 3, 1, 2, 4).flatten(2)
            x = x + F.linear(y, out)
            gate, up = F.linear(norm(x), gate_up).chunk(2, -1)
            x = x + F.linear(F.silu(gate) * up, down)
        return F.linear(norm(x[:, -1]), output).argmax(-1, keepdim=True)

    def empty():
        whole = range(layers if way == "static" else 0)
        return {"length": 0, **{i: [torch.empty(batch, longest, groups, size) for _ in "kv"] for i in whole}}
    return step, empty


@case("W12", "llama d512 h8 kv4 L6 B1", 1, 512, 8, 4, 1376, 6, ways=("static", "cat"), heavy=True)
@case("W12", "llama d512 h8 kv4 L6 B16", 16, 512, 8, 4, 1376, 6, ways=("static", "cat"), heavy=True)
@case("N12", "llama d64 h4 kv2 L2 B1", 1, 64, 4, 2, 172, 2, ways=("static", "cat"))
@case("N12", "llama d272 h8 kv1 L4 B5", 5, 272, 8, 1, 731, 4, ways=("static", "cat"), heavy=True)
def w12(b, way, batch, *sizes):
    import torch
    step, empty = llama(batch, *sizes, way)
    prompt = torch.randint(0, 4096, (batch, 32))

    def generate():
        with torch.inference_mode():
            cache, tokens = empty(), prompt
            for _ in range(64):
                tokens = step(tokens, cache)
    b.time("tokens/s", generate, work=batch * 64)


# W13: index_select.
@case("W13", "last axis of 4096x1024", 4096, 1024, 1)
@case("W13", "first axis of 4096x1024", 4096, 1024, 0)
def w13(b, way, rows, columns, axis):
    import torch
    x = torch.randn(rows, columns, requires_grad=True)
    index = torch.randperm(x.shape[axis])
    b.function(lambda: torch.index_select(x, axis, index), [x], torch.randn(rows, columns))


# W14: steps of small networks by Adam, over whole batches.
@case("W14", "4-32-16-4, 10000 rows", "tanh", 10000, ways=FUSED)
@case("W14", "24-8-2 f64, 200 rows", "dropout", 200, ways=FUSED)
@case("W14", "lenet, 2048 images", "lenet", 2048, ways=FUSED)
def w14(b, way, network, rows):
    import torch
    from torch import nn
    if network == "lenet":
        net = nn.Sequential(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2),
                            nn.Flatten(), nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))
        x, y, loss = torch.rand(rows, 1, 28, 28), torch.randint(0, 10, (rows,)), nn.CrossEntropyLoss()
    elif network == "dropout":
        net = nn.Sequential(nn.Linear(24, 8), nn.Tanh(), nn.Dropout(0.2), nn.Linear(8, 2)).double()
        x, y, loss = torch.randn(rows, 24).double(), torch.randn(rows, 2).double(), nn.MSELoss()
    else:
        net = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 16), nn.Tanh(), nn.Linear(16, 4))
        x, y, loss = torch.randn(rows, 4), torch.randn(rows, 4), nn.MSELoss()
    try:
        adam = torch.optim.Adam(net.parameters(), lr=3e-4, fused=way == "fused")
    except (TypeError, RuntimeError):  # older versions have no fused Adam on the processor
        return

    def step():
        adam.zero_grad()
        loss(net(x), y).backward()
        adam.step()
    b.time("step us", step, unit=1e6)


# W16: linear algebra.
@case("W16", "cholesky 1000 f64", 1000)
def w16_cholesky(b, way, n):
    import torch
    x = torch.randn(n, n, dtype=torch.float64)
    a = (x @ x.T / n + torch.eye(n, dtype=torch.float64)).requires_grad_()
    b.function(lambda: torch.linalg.cholesky(a), [a], torch.randn(n, n, dtype=torch.float64), n ** 3 / 3)


@case("W16", "gaussian process 1000x5 f64", 1000, 5, ways=("triangular", "cholesky_solve"))
def w16_process(b, way, n, d):
    import torch
    x, y = torch.randn(n, d, dtype=torch.float64), torch.randn(n, 1, dtype=torch.float64)
    unit = torch.eye(n, dtype=torch.float64)
    lengths = torch.zeros(d, dtype=torch.float64, requires_grad=True)
    signal = torch.zeros((), dtype=torch.float64, requires_grad=True)
    noise = torch.full((), -1.0, dtype=torch.float64, requires_grad=True)

    def likelihood():
        a = x / lengths.exp()
        halves = (a * a).sum(1, keepdim=True) / 2
        k = torch.exp(a @ a.T - halves - halves.T + 2 * signal) + unit * torch.exp(2 * noise)
        factor = torch.linalg.cholesky(k)
        if way == "triangular":
            fit = torch.linalg.solve_triangular(factor, y, upper=False).square().sum() / 2
        else:
            fit = (y * torch.cholesky_solve(y, factor)).sum() / 2
        return fit + factor.diagonal().log().sum()
    b.function(likelihood, [lengths, signal, noise], torch.ones((), dtype=torch.float64))


if __name__ == "__main__":
    main()
