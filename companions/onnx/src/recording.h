/* onnx/src/recording.h - a recording: the applied ops, and the inputs and outputs.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_ONNX_RECORDING_H
#define HEED_ONNX_RECORDING_H

#include <stdint.h>

#include <heed/observe.h>
#include <heed/onnx.h>

#include "arena.h"

/* An applied op. It retains its tensors. */
typedef struct heed__onnx_step {
    struct heed__onnx_step *previous;
    const heed_op *op;
    const void *params;
    const char *module; /* path of the module that applied it, or "" */
    heed_tensor **inputs;
    int n_inputs, n_outputs;
    heed_tensor *outputs[HEED_MAX_OUTPUTS];
    const char *values[HEED_MAX_OUTPUTS]; /* names of the outputs in the file; NULL: no ONNX form */
    bool needed;
} heed__onnx_step;

/* An input or an output. It retains its tensor. */
typedef struct heed__onnx_named {
    struct heed__onnx_named *next;
    const char *name;
    heed_tensor *tensor;
} heed__onnx_named;

struct heed_onnx {
    heed_module *module;
    const char *name;
    bool dynamic;
    heed__arena arena; /* holds all other memory of the recording */
    int64_t observer;
    const void *thread;
    heed__onnx_step *last;
    size_t tensors; /* number of tensors in all steps, inputs and outputs */
    heed__onnx_named *inputs, *outputs;
    uint64_t mark;
};

#endif
