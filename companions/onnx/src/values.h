/* onnx/src/values.h - maps tensors of the recording to values in the file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_ONNX_VALUES_H
#define HEED_ONNX_VALUES_H

#include "graph.h"

typedef struct heed__onnx_entry {
    const heed_tensor *tensor; /* NULL: free */
    heed__onnx_step *step;     /* the step that computed it as output number `output`, or NULL */
    int output;
    const char *path;       /* path of the parameter or buffer, or NULL */
    heed__onnx_value value; /* name in the file; NULL: not yet known */
} heed__onnx_entry;

typedef struct heed__onnx_values {
    heed__onnx_entry *entries;
    size_t capacity; /* a power of 2 */
    const heed_onnx *model;
    heed__onnx_step **steps; /* in the order of the recording */
    size_t n_steps;
} heed__onnx_values;

/* Enters all tensors of the recording. `state` is the state of the module, or NULL. Returns false after heed_fail. */
bool heed__onnx_values_begin(heed__onnx_graph *g, const heed_onnx *model, const heed_dict *state);

/* Returns the entry of a tensor, or NULL after heed_fail. For a tensor that heed_detach made from a computed tensor,
 * returns the entry of the computed tensor. */
heed__onnx_entry *heed__onnx_entry_of(heed__onnx_graph *g, const heed_tensor *tensor);

/* The value of a tensor; a tensor that was not computed becomes a constant. Returns NULL after heed_fail. */
heed__onnx_value heed__onnx_value_of(heed__onnx_graph *g, heed_tensor *tensor);

#endif
