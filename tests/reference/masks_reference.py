#!/usr/bin/env python3
"""Writes masks_reference.h: PyTorch's Transformer, its blocks and its multi-head attention with masks, float64, for
tests/nn/test_nn_masks.c.

    /usr/bin/python3 tests/reference/masks_reference.py | clang-format > tests/reference/masks_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch
from torch import nn

STEPS, PLACES, SIZE, HEADS, FFN = 3, 4, 4, 2, 5


def made(k, *shape):
    """The numbers of tests/nn/layers.h."""
    t = torch.arange(torch.Size(shape).numel(), dtype=torch.float64)
    return torch.sin(1.3 * t + 0.9 * k + 0.4).reshape(shape)


def filled(module):
    with torch.no_grad():
        for k, parameter in enumerate(module.double().parameters()):
            parameter.copy_(made(k, *parameter.shape))
    return module


def show(name, t):
    print("static const double %s[] = {%s};" % (name, ", ".join("%.16e" % v for v in t.flatten().tolist())))


def seen(rows, keys):
    """The mask: a key is hidden if (row + 2 key) % 3 is 1."""
    i, j = torch.arange(rows)[:, None], torch.arange(keys)
    return (i + 2 * j) % 3 != 1


def one_head_of_keys():
    """Multi-head attention whose heads have the same keys and values; parameters as heed's with kv_heads = 1."""
    net, d = nn.MultiheadAttention(SIZE, HEADS, batch_first=True).double(), SIZE // HEADS
    with torch.no_grad():
        for parameter, k, width in ((net.in_proj_weight, 0, (SIZE,)), (net.in_proj_bias, 1, ())):
            q, key, value = made(k, SIZE + 2 * d, *width).split([SIZE, d, d])
            parameter.copy_(torch.cat([q] + HEADS * [key] + HEADS * [value]))
        net.out_proj.weight.copy_(made(2, SIZE, SIZE))
        net.out_proj.bias.copy_(made(3, SIZE))
    return net


def show_multi_head(x, memory, bias):
    """The result, the weights, and the gradient of the sum of squared results with respect to the bias. A window and ALiBi
    are passed as biases."""
    net, far = one_head_of_keys(), (torch.arange(STEPS)[:, None] - torch.arange(PLACES)).abs()
    slopes = torch.tensor([2.0 ** (-8 * (h + 1) / HEADS) for h in range(HEADS)], dtype=torch.float64)
    slanted = (-slopes[:, None, None] * far).repeat(len(x), 1, 1)
    ways = {"mask": torch.zeros_like(bias).masked_fill(~seen(STEPS, PLACES), -torch.inf), "bias": bias,
            "window": bias.masked_fill(far >= 2, -torch.inf), "alibi": slanted.masked_fill(~seen(STEPS, PLACES), -torch.inf)}
    for name, added in ways.items():
        added = added.clone().requires_grad_()
        y, weights = net(x, memory, memory, attn_mask=added, average_attn_weights=False)
        show("multi_head_by_" + name, y.detach())
        show("multi_head_weights_by_" + name, weights.detach())
        if name in ("bias", "window"):
            gradient, = torch.autograd.grad(y.square().sum(), added)
            show("multi_head_gradient_by_" + name, gradient.masked_fill(added.isinf(), 0.0))


def main():
    x, memory = made(20, 2, STEPS, SIZE), made(21, 2, PLACES, SIZE)
    own, other = made(22, STEPS, STEPS), made(23, STEPS, PLACES)
    print("/* tests/reference/masks_reference.h - written by masks_reference.py. */")
    print("#ifndef MASKS_REFERENCE_H\n#define MASKS_REFERENCE_H\n")
    with torch.no_grad():
        for pre_norm in (False, True):
            end = "_pre_norm" if pre_norm else ""
            options = dict(dropout=0.0, batch_first=True, norm_first=pre_norm)
            encoder = filled(nn.TransformerEncoderLayer(SIZE, HEADS, FFN, **options))
            show("encoder_by_mask" + end, encoder(x, src_mask=~seen(STEPS, STEPS)))
            show("encoder_by_bias" + end, encoder(x, src_mask=own))
            decoder = filled(nn.TransformerDecoderLayer(SIZE, HEADS, FFN, **options))
            show("decoder_by_mask" + end,
                 decoder(x, memory, tgt_mask=~seen(STEPS, STEPS), memory_mask=~seen(STEPS, PLACES)))
            show("decoder_by_bias" + end, decoder(x, memory, tgt_mask=own, memory_mask=other))
        whole = filled(nn.Transformer(SIZE, HEADS, 2, 1, FFN, dropout=0.0, batch_first=True))
        ahead = torch.ones(STEPS, STEPS, dtype=torch.bool).triu(1)
        show("whole_by_mask", whole(memory, x, src_mask=~seen(PLACES, PLACES), tgt_mask=~seen(STEPS, STEPS) | ahead,
                                    memory_mask=~seen(STEPS, PLACES)))
        show("whole_by_bias", whole(memory, x, src_mask=made(24, PLACES, PLACES),
                                    tgt_mask=own.masked_fill(ahead, -torch.inf), memory_mask=other))
    show_multi_head(x, memory, other)
    print("\n#endif")


if __name__ == "__main__":
    main()
