#!/usr/bin/env python3
"""Writes clip_reference.h: results of torch.nn.utils.clip_grad_norm_ and clip_grad_value_, for tests/optim/test_clip.c.

    /usr/bin/python3 tests/reference/clip_reference.py | clang-format > tests/reference/clip_reference.h

There are three parameters of shapes (11), (2, 3) and (). Their gradients are concatenated.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import math
import torch

SHAPES = [(11,), (2, 3), ()]
GRADS = [round(3 * math.sin(1.3 * i + 0.2), 3) for i in range(18)]
NORMS = [0.5, 2.0, 100.0]
LIMITS = [0.25, 2.0, 100.0]


def run(clip, limit, dtype):
    parameters, at = [], 0
    for shape in SHAPES:
        p = torch.zeros(shape, dtype=dtype, requires_grad=True)
        p.grad = torch.tensor(GRADS[at:at + p.numel()], dtype=dtype).reshape(shape)
        at += p.numel()
        parameters.append(p)
    norm = clip(parameters, limit)
    grads = [v for p in parameters for v in p.grad.flatten().tolist()]
    return "{%.17g, %.17g, {%s}}" % (limit, norm or 0, ", ".join("%.17g" % v for v in grads))


def main():
    print("/* tests/reference/clip_reference.h - written by clip_reference.py with PyTorch %s. */" % torch.__version__)
    print("#ifndef CLIP_REFERENCE_H\n#define CLIP_REFERENCE_H\n")
    print("#define CLIP_SIZE %d\n#define CLIP_CASES %d" % (len(GRADS), len(NORMS)))
    print("static const double clip_grads[CLIP_SIZE] = {%s};" % ", ".join(map(repr, GRADS)))
    print("\n/* The limit of the norm or value, the norm before clipping, and the gradients after clipping. */")
    print("typedef struct clip_case {\n    double limit, norm;\n    double grads[CLIP_SIZE];\n} clip_case;")
    utils = torch.nn.utils
    for name, clip, limits in (("norm", utils.clip_grad_norm_, NORMS), ("value", utils.clip_grad_value_, LIMITS)):
        for dtype in ("f64", "f32"):
            rows = [run(clip, v, torch.float64 if dtype == "f64" else torch.float32) for v in limits]
            print("static const clip_case clip_%s_%s[CLIP_CASES] = {%s};" % (name, dtype, ",\n".join(rows)))
    print("\n#endif")


if __name__ == "__main__":
    main()
