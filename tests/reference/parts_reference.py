#!/usr/bin/env python3
"""Writes parts_reference.h: PyTorch's results of split, chunk and meshgrid, for tests/ops/test_parts.c.

    /usr/bin/python3 tests/reference/parts_reference.py | clang-format > tests/reference/parts_reference.h
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import torch

SHAPE = (2, 5, 3)
VECTORS = ((2,), (3,), (2,))


def counting(*shape):
    return torch.arange(torch.Size(shape).numel(), dtype=torch.float64).reshape(shape).requires_grad_()


def listed(values):
    return "{" + ", ".join("%g" % v for v in values) + "}"


def flat(tensors):
    return listed(v for t in tensors for v in t.flatten().tolist())


def show(function, axis, size, parts, inputs):
    """The gradients of the sum of (i + 1) times the squares of part i."""
    loss = sum((i + 1) * p.square().sum() for i, p in enumerate(parts))
    gradients = torch.autograd.grad(loss, inputs)
    shapes = ", ".join(listed(p.shape) for p in parts)
    print(f'    {{"{function}", {axis}, {listed(size)}, {len(parts)}, {parts[0].dim()}, {{{shapes}}}, '
          f"{flat(parts)}, {flat(gradients)}}},")


def main():
    print("/* tests/reference/parts_reference.h - written by parts_reference.py. */")
    print("#ifndef PARTS_REFERENCE_H\n#define PARTS_REFERENCE_H\n\n#include <stdint.h>\n")
    print("static const struct parts_of_torch {\n    const char *function;\n    int axis;\n    int64_t sizes[5]; /* of every part of split "
          "*/\n    int n, rank;\n    int64_t shapes[5][3];\n"
          "    double values[36], gradients[30];\n} parts_of_torch[] = {")
    x = counting(*SHAPE)
    for axis, size in ((0, 1), (1, 2), (1, 4), (-1, 3), (2, 2), (-2, 1)):
        parts = torch.split(x, size, axis)
        show("split", axis, [p.shape[axis] for p in parts], parts, [x])
    for axis, sizes in ((1, [2, 0, 3]), (-1, [1, 2]), (0, [2])):
        show("split", axis, sizes, torch.split(x, sizes, axis), [x])
    for axis, n in ((0, 2), (1, 2), (1, 3), (2, 2), (-1, 3), (1, 5)):
        show("chunk", axis, [0], torch.chunk(x, n, axis), [x])
    vectors = [counting(*s) for s in VECTORS]
    show("meshgrid", 0, [0], torch.meshgrid(*vectors, indexing="ij"), vectors)
    show("meshgrid_xy", 0, [0], torch.meshgrid(*vectors, indexing="xy"), vectors)
    print("};\n\n#endif")


if __name__ == "__main__":
    main()
