/* onnx/recording.h - what a recording has: the ops that were applied, and the tensors that are inputs and outputs. */
#ifndef HEED_ONNX_RECORDING_H
#define HEED_ONNX_RECORDING_H

#include <stdint.h>

#include <heed/observe.h>
#include <heed/onnx.h>

#include "onnx/arena.h"

/* An op that was applied; each of its tensors is retained. */
typedef struct heed__onnx_step {
    struct heed__onnx_step *before;
    const heed_op *op;
    const void *params;
    const char *module; /* the path of the module that has applied it; "" for none */
    heed_tensor **inputs;
    int n_inputs, n_outputs;
    heed_tensor *outputs[HEED_MAX_OUTPUTS];
    const char
        *values[HEED_MAX_OUTPUTS]; /* while a file is made: what they are called in it; NULL: they have no form */
    bool needed;
} heed__onnx_step;

/* An input or an output; its tensor is retained. */
typedef struct heed__onnx_named {
    struct heed__onnx_named *next;
    const char *name;
    heed_tensor *tensor;
} heed__onnx_named;

struct heed_onnx {
    heed_module *module;
    const char *name;
    bool dynamic;
    heed__arena arena; /* of all the rest */
    int64_t observer;
    const void *thread;
    heed__onnx_step *last;
    size_t tensors; /* of all steps, inputs and outputs */
    heed__onnx_named *inputs, *outputs;
    uint64_t mark;
};

#endif
