/* onnx/src/visibility.h - which keys the rows of scores may see, as a mask in the graph.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_ONNX_VISIBILITY_H
#define HEED_ONNX_VISIBILITY_H

#include "forms.h"

/* The shape of scores, and the rules for visible keys. The scores are (batch, rows, keys), of rank 3, or (batch, heads,
 * rows, keys), of rank 4. */
typedef struct heed__onnx_visibility {
    int64_t batch, heads, rows, keys; /* at rank 3, the batch may include heads */
    int rank;
    bool causal;
    int64_t window, offset;
} heed__onnx_visibility;

/* Returns a bool mask that broadcasts to the scores, or NONE if all keys are visible; NULL after heed_fail. `input` is
 * the number of an input of the step, either i64 lengths (B) or (B, Q), or a bool mask of the scores' shape; -1 if the
 * step lacks such an input. */
heed__onnx_value heed__onnx_visible(heed__onnx_graph *g, const heed__onnx_step *step,
                                    const heed__onnx_visibility *visibility, int input);

/* The mask "a and b". NONE stands for a mask that hides no key. */
heed__onnx_value heed__onnx_both(heed__onnx_graph *g, heed__onnx_value a, heed__onnx_value b);

/* x where visible, otherwise `other`; x itself if everything is visible. */
heed__onnx_value heed__onnx_where_visible(heed__onnx_graph *g, heed__onnx_value visible, heed__onnx_value x,
                                          heed_dtype dtype, double other);

/* The softmax of every row over its visible keys; 0 for hidden keys. */
heed__onnx_value heed__onnx_visible_softmax(heed__onnx_graph *g, heed__onnx_value visible, heed__onnx_value x,
                                            heed_dtype dtype);

#endif
