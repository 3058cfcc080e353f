/* tests/fuzz/shapes.h - the expected result of a random view: the rules of fuzz/shape_rules.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FUZZ_SHAPES_H
#define FUZZ_SHAPES_H

#include "fuzz.h"

#define MAX_VALUES 128 /* number of followed elements */

typedef struct plan plan;

/* The index in the source of element `at` of the result; rank -1: the element is not from the source, it is 0. */
typedef heed_shape (*source_rule)(heed_shape at, heed_shape from, const plan *p);

struct plan {
    bool valid; /* the library must accept the arguments, unless memory runs out */
    bool view;  /* the result must share the storage */
    heed_shape shape;
    source_rule source;
    int axis;
    int64_t number[HEED_MAX_RANK]; /* its meaning depends on the rule */
};

heed_shape position_of(int64_t i, heed_shape shape);
int64_t index_of(heed_shape at, heed_shape shape);

/* A shape, usually with few elements. */
heed_shape small_shape(fuzz_input *in);

/* Runs one step on x, chosen and filled by bytes, and fills in its expected result. */
heed_tensor *random_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p);

#endif
