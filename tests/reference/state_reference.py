#!/usr/bin/env python3
"""Writes state_reference.h: the names and shapes of torch.nn's state_dict, for tests/nn/test_module_state.c.

    /usr/bin/python3 tests/reference/state_reference.py | clang-format > tests/reference/state_reference.h
"""
import torch
from torch import nn

MODULES = {
    "linear": nn.Linear(3, 4),
    "embedding": nn.Embedding(7, 5),
    "layer_norm": nn.LayerNorm([3, 4]),
    "gru": nn.GRU(3, 4, num_layers=2),
    "multi_head_attention": nn.MultiheadAttention(6, 2),
    "multi_head_attention_sizes": nn.MultiheadAttention(6, 2, kdim=3, vdim=5),
    "transformer_encoder_block": nn.TransformerEncoderLayer(8, 2, 16),
    "sequential": nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Dropout(0.5), nn.Sequential(nn.LayerNorm(4), nn.Linear(4, 2))),
}


def main():
    print(f"/* tests/reference/state_reference.h - written by state_reference.py with PyTorch {torch.__version__}. */")
    print("#ifndef STATE_REFERENCE_H\n#define STATE_REFERENCE_H\n\n#include <heed/shape.h>\n")
    print("/* A parameter or buffer: its name and shape; the list ends with NULL. */")
    print("typedef struct state_entry {\n    const char *name;\n    heed_shape shape;\n} state_entry;\n")
    for name, module in MODULES.items():
        print(f"static const state_entry state_{name}[] = {{")
        for key, value in module.state_dict().items():
            dims = ", ".join(map(str, value.shape))
            print(f'    {{"{key}", {{.rank = {value.dim()}, .dims = {{{dims}}}}}}},')
        print("    {NULL, {0}},\n};\n")
    print("#endif")


main()
