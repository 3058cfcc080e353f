/* onnx/values.h - which value of the file a tensor of the recording is. */
#ifndef HEED_ONNX_VALUES_H
#define HEED_ONNX_VALUES_H

#include "onnx/graph.h"

typedef struct heed__onnx_entry {
    const heed_tensor *tensor; /* NULL: free */
    heed__onnx_step *step;     /* that has made it, as its output number `output`; NULL: none */
    int output;
    const char *path;       /* of the parameter or buffer that it is; NULL: of none */
    heed__onnx_value value; /* NULL: not known yet */
} heed__onnx_entry;

typedef struct heed__onnx_values {
    heed__onnx_entry *entries;
    size_t room; /* a power of 2 */
    const heed_onnx *model;
    heed__onnx_step **steps; /* in their order */
    size_t n_steps;
} heed__onnx_values;

/* All tensors of the recording; `state` is that of the module, or NULL. False after heed_fail. */
bool heed__onnx_values_begin(heed__onnx_graph *g, const heed_onnx *model, const heed_dict *state);

/* The tensor's entry; of one that heed_detach has made of a computed one, that one's. NULL after heed_fail. */
heed__onnx_entry *heed__onnx_entry_of(heed__onnx_graph *g, const heed_tensor *tensor);

/* The value of a tensor, which becomes a constant where nothing has computed it. NULL after heed_fail. */
heed__onnx_value heed__onnx_value_of(heed__onnx_graph *g, heed_tensor *tensor);

#endif
