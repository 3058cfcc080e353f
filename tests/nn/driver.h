/* tests/nn/driver.h - makes and runs a layer from a test case in tests/nn/NAME.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_NN_DRIVER_H
#define HEED_TESTS_NN_DRIVER_H

#include "cases.h"

#define LAYER_MAX_OUTPUTS 4

typedef struct layer_run {
    const layer_call *layer;
    const layer_case *c;
    heed_dtype dtype;
    heed_tensor *in[LAYER_MAX_INPUTS];
    heed_module *net;
    heed_tensor *out[LAYER_MAX_OUTPUTS], *before[LAYER_MAX_OUTPUTS];
    int n_out;
} layer_run;

/* Returns every layer of the headers, with its cases. */
const layer_call *layer_list(int *count);

/* Draws the inputs, the same in every call; floating-point inputs require a gradient. Aborts the test on failure. */
void layer_draw_inputs(layer_run *run);

/* Makes run->net, from the same random numbers in every call. Returns false after heed_fail. */
bool layer_make(layer_run *run);

/* Runs the layer on run->in, with the same random numbers in every call. Returns run->out[0]; the optional outputs
 * follow it in run->out and must be unchanged on failure. Returns NULL after heed_fail. */
heed_tensor *layer_forward(layer_run *run);

/* Returns the sum of the squares of all outputs that have a graph; NULL if all lack a graph, or after heed_fail. */
heed_tensor *layer_loss(const layer_run *run);

/* Returns the number of elements of inputs and parameters. */
int64_t layer_numel(const layer_run *run);

#endif
