/* tests/nn/driver.h - makes and runs a layer as a case of tests/nn/NAME.c says. */
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

/* Every layer of the headers, with its cases. */
const layer_call *layer_list(int *count);

/* Draws the inputs, the same ones each time; the floating-point ones require a gradient. Ends the test on failure. */
void layer_draw_inputs(layer_run *run);

/* Makes run->net, from the same random numbers each time. False after heed_fail. */
bool layer_make(layer_run *run);

/* Runs it on run->in, with the same random numbers each time. Gives run->out[0]; what it writes beside is behind that,
 * and unless it succeeds must be what it was. NULL after heed_fail. */
heed_tensor *layer_forward(layer_run *run);

/* The sum of the squares of all outputs that a gradient flows from; NULL for none, or after heed_fail. */
heed_tensor *layer_loss(const layer_run *run);

/* Elements of inputs and parameters. */
int64_t layer_numel(const layer_run *run);

#endif
