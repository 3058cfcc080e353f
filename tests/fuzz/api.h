/* tests/fuzz/api.h - a random program on the public interface: the state and functions that its commands share.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FUZZ_API_H
#define FUZZ_API_H

#include "fuzz.h"

#define POOL 8
#define MAX_SCOPES 4
#define MAX_NUMEL 1024 /* of a tensor that the program keeps using */
#define MAX_LEAVES 400
#define MAX_ORDER 3 /* recorded passes: each may multiply the graph */

typedef struct program {
    fuzz_input in;
    heed_tensor *pool[POOL]; /* retained; NULL at first */
    heed_scope *scopes[MAX_SCOPES];
    int depth;
    heed_module *net;
    size_t layer;                        /* the index of the layer, */
    const struct layer_case *layer_case; /* and the case it was made from; NULL before the first */
    heed_optimizer *optimizer;
    heed_schedule *schedule;
    heed_tensor *leaves[MAX_LEAVES]; /* retained: all tensors that may have a gradient */
    int n_leaves;
    int recorded_passes;
} program;

/* A tensor of the pool, perhaps NULL. */
heed_tensor *any_tensor(program *p);

/* Puts a result into the pool, replacing a tensor. Skips NULL and overlarge tensors. */
void keep(program *p, heed_tensor *t);

/* Records a leaf, whose gradient is dropped at the end, because create_graph makes a cycle of the two. Returns false
 * if the list is full; the leaf must then get no gradient. */
bool remember(program *p, heed_tensor *leaf);

heed_dtype any_dtype(fuzz_input *in);
int any_axis(fuzz_input *in);
heed_shape any_shape(fuzz_input *in);
heed_shape any_axes(fuzz_input *in);

/* Runs one command: ops that make a tensor; actions on tensors and graphs; modules and optimizers. */
void run_op(program *p);
void run_action(program *p);
void run_nn(program *p);

/* Frees the module and its optimizer and schedule. */
void end_nn(program *p);

#endif
