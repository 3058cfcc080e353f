/* tests/reference/state_reference.h - written by state_reference.py with PyTorch 1.13.0a0. */
#ifndef STATE_REFERENCE_H
#define STATE_REFERENCE_H

#include <heed/shape.h>

/* A parameter or buffer: its name and shape; the list ends with NULL. */
typedef struct state_entry {
    const char *name;
    heed_shape shape;
} state_entry;

static const state_entry state_linear[] = {
    {"weight", {.rank = 2, .dims = {4, 3}}},
    {"bias", {.rank = 1, .dims = {4}}},
    {NULL, {0}},
};

static const state_entry state_embedding[] = {
    {"weight", {.rank = 2, .dims = {7, 5}}},
    {NULL, {0}},
};

static const state_entry state_layer_norm[] = {
    {"weight", {.rank = 2, .dims = {3, 4}}},
    {"bias", {.rank = 2, .dims = {3, 4}}},
    {NULL, {0}},
};

static const state_entry state_gru[] = {
    {"weight_ih_l0", {.rank = 2, .dims = {12, 3}}},
    {"weight_hh_l0", {.rank = 2, .dims = {12, 4}}},
    {"bias_ih_l0", {.rank = 1, .dims = {12}}},
    {"bias_hh_l0", {.rank = 1, .dims = {12}}},
    {"weight_ih_l1", {.rank = 2, .dims = {12, 4}}},
    {"weight_hh_l1", {.rank = 2, .dims = {12, 4}}},
    {"bias_ih_l1", {.rank = 1, .dims = {12}}},
    {"bias_hh_l1", {.rank = 1, .dims = {12}}},
    {NULL, {0}},
};

static const state_entry state_multi_head_attention[] = {
    {"in_proj_weight", {.rank = 2, .dims = {18, 6}}},
    {"in_proj_bias", {.rank = 1, .dims = {18}}},
    {"out_proj.weight", {.rank = 2, .dims = {6, 6}}},
    {"out_proj.bias", {.rank = 1, .dims = {6}}},
    {NULL, {0}},
};

static const state_entry state_multi_head_attention_sizes[] = {
    {"q_proj_weight", {.rank = 2, .dims = {6, 6}}},
    {"k_proj_weight", {.rank = 2, .dims = {6, 3}}},
    {"v_proj_weight", {.rank = 2, .dims = {6, 5}}},
    {"in_proj_bias", {.rank = 1, .dims = {18}}},
    {"out_proj.weight", {.rank = 2, .dims = {6, 6}}},
    {"out_proj.bias", {.rank = 1, .dims = {6}}},
    {NULL, {0}},
};

static const state_entry state_transformer_encoder_block[] = {
    {"self_attn.in_proj_weight", {.rank = 2, .dims = {24, 8}}},
    {"self_attn.in_proj_bias", {.rank = 1, .dims = {24}}},
    {"self_attn.out_proj.weight", {.rank = 2, .dims = {8, 8}}},
    {"self_attn.out_proj.bias", {.rank = 1, .dims = {8}}},
    {"linear1.weight", {.rank = 2, .dims = {16, 8}}},
    {"linear1.bias", {.rank = 1, .dims = {16}}},
    {"linear2.weight", {.rank = 2, .dims = {8, 16}}},
    {"linear2.bias", {.rank = 1, .dims = {8}}},
    {"norm1.weight", {.rank = 1, .dims = {8}}},
    {"norm1.bias", {.rank = 1, .dims = {8}}},
    {"norm2.weight", {.rank = 1, .dims = {8}}},
    {"norm2.bias", {.rank = 1, .dims = {8}}},
    {NULL, {0}},
};

static const state_entry state_sequential[] = {
    {"0.weight", {.rank = 2, .dims = {4, 3}}},
    {"0.bias", {.rank = 1, .dims = {4}}},
    {"3.0.weight", {.rank = 1, .dims = {4}}},
    {"3.0.bias", {.rank = 1, .dims = {4}}},
    {"3.1.weight", {.rank = 2, .dims = {2, 4}}},
    {"3.1.bias", {.rank = 1, .dims = {2}}},
    {NULL, {0}},
};

#endif
