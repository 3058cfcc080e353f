#!/usr/bin/env python3
"""Writes attention_reference.h: what torch.nn.MultiheadAttention gives, and positional encodings by NumPy, float64, for
tests/nn/test_nn_attention.c.

    /usr/bin/python3 tests/reference/attention_reference.py | clang-format > tests/reference/attention_reference.h

Every tensor is wave(shape, phase) = 0.6 sin(0.7 i + phase), i counting its elements in row-major order; the phases are
those of PHASES. The gradients are those of sum(output * wave(.., 9)), each given as its sum of products with a wave of
phase 10.
"""
import numpy as np
import torch

PHASES = dict(query=0.1, key=1.3, value=2.1, in_proj_weight=3.0, q_proj_weight=3.0, k_proj_weight=4.4, v_proj_weight=5.2,
              in_proj_bias=6.0, **{"out_proj.weight": 7.0, "out_proj.bias": 8.0})
CASES = [
    dict(name="cross", h=6, heads=2, Q=3, K=4, lens=[2, 4]),
    dict(name="no mask, no bias", h=6, heads=2, Q=2, K=3, bias=False),
    dict(name="self", h=6, heads=3, Q=4, K=4, same=True, lens=[3, 1]),
    dict(name="self, causal, no bias", h=4, heads=2, Q=5, K=5, same=True, causal=True, bias=False),
    dict(name="self, causal, lengths", h=4, heads=1, Q=4, K=4, same=True, causal=True, lens=[4, 2]),
    dict(name="other sizes", h=6, heads=2, Q=3, K=4, kdim=5, vdim=3, lens=[1, 3]),
    dict(name="other sizes, no bias", h=4, heads=4, Q=2, K=5, kdim=4, vdim=2, bias=False),
    dict(name="causal, more keys", h=3, heads=3, Q=2, K=4, causal=True),
]
B = 2
GRADIENTS = ["query", "key", "value", "in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight",
             "in_proj_bias", "out_proj.weight", "out_proj.bias"]


def wave(shape, phase):
    n = int(np.prod(shape))
    return torch.from_numpy(0.6 * np.sin(0.7 * np.arange(n) + phase)).reshape(tuple(shape))


def run(c):
    kdim, vdim = c.get("kdim", c["h"]), c.get("vdim", c["h"])
    net = torch.nn.MultiheadAttention(c["h"], c["heads"], bias=c.get("bias", True), kdim=kdim, vdim=vdim,
                                      batch_first=True, dtype=torch.float64)
    leaves = dict(net.named_parameters())
    with torch.no_grad():
        for name, p in leaves.items():
            p.copy_(wave(p.shape, PHASES[name]))
    q = wave((B, c["Q"], c["h"]), PHASES["query"]).requires_grad_()
    k = q if c.get("same") else wave((B, c["K"], kdim), PHASES["key"]).requires_grad_()
    v = q if c.get("same") else wave((B, c["K"], vdim), PHASES["value"]).requires_grad_()
    leaves["query"] = q
    if not c.get("same"):
        leaves.update(key=k, value=v)
    steps = torch.arange(c["K"])
    padding = steps >= torch.tensor(c["lens"])[:, None] if "lens" in c else None
    future = steps > torch.arange(c["Q"])[:, None] if c.get("causal") else None
    y, weights = net(q, k, v, key_padding_mask=padding, attn_mask=future, average_attn_weights=False)
    (y * wave(y.shape, 9)).sum().backward()
    gradients = [(leaves[n].grad * wave(leaves[n].shape, 10)).sum().item() if n in leaves else float("nan")
                 for n in GRADIENTS]
    return y.flatten().tolist(), weights.flatten().tolist(), gradients


def braces(numbers):
    return "{" + ", ".join("NAN" if v != v else "%.16e" % v for v in numbers) + "}"


def encoding(h, positions):
    j = np.arange(h)
    angle = np.array(positions)[:, None] / np.power(10000.0, (j - j % 2) / h)
    return np.where(j % 2 == 0, np.sin(angle), np.cos(angle)).flatten().tolist()


def main():
    print("/* tests/reference/attention_reference.h - written by attention_reference.py with PyTorch %s. */" %
          torch.__version__)
    print("#ifndef ATTENTION_REFERENCE_H\n#define ATTENTION_REFERENCE_H\n\n#include <math.h>\n#include <stdbool.h>\n"
          "#include <stdint.h>\n")
    print("/* Two sequences; kdim and vdim 0: h; lens 0: none. */")
    print("typedef struct mha_case {\n    const char *name;\n    struct { int64_t h, heads, Q, K, kdim, vdim; } size;\n    int64_t lens[2];\n"
          "    bool same, causal, no_bias;\n    double y[%d], weights[%d], gradients[%d];\n} mha_case;\n" %
          (max(B * c["Q"] * c["h"] for c in CASES), max(B * c["heads"] * c["Q"] * c["K"] for c in CASES),
           len(GRADIENTS)))
    print("#define MHA_TENSORS %d" % len(GRADIENTS))
    print("static const char *const mha_names[MHA_TENSORS] = {%s};" % ", ".join('"%s"' % n for n in GRADIENTS))
    print("static const double mha_phases[MHA_TENSORS] = %s;\n" % braces(PHASES[n] for n in GRADIENTS))
    print("static const mha_case mha_cases[] = {")
    for c in CASES:
        y, weights, gradients = run(c)
        sizes = [c["h"], c["heads"], c["Q"], c["K"], c.get("kdim", 0), c.get("vdim", 0)]
        flags = [f".{f} = true" for f in ("same", "causal") if c.get(f)] + [".no_bias = true"] * (not c.get("bias", 1))
        lens = c.get("lens", [0, 0])
        print("{.name = \"%s\", .size = {%s}, .lens = {%s}, %s" %
              (c["name"], ", ".join(map(str, sizes)), ", ".join(map(str, lens)), "".join(f + ", " for f in flags)))
        print(".y = %s,\n.weights = %s,\n.gradients = %s}," % (braces(y), braces(weights), braces(gradients)))
    print("};\n\n/* Rows 0, 1, 2, 59 and 999 of the encodings of 5 and of 4 numbers. */")
    for h in (5, 4):
        print("static const double positions_%d[] = %s;" % (h, braces(encoding(h, [0, 1, 2, 59, 999]))))
    print("\n#endif")


if __name__ == "__main__":
    main()
