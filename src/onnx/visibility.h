/* onnx/visibility.h - which keys the rows of scores may see, as a mask in the graph. */
#ifndef HEED_ONNX_VISIBILITY_H
#define HEED_ONNX_VISIBILITY_H

#include "onnx/forms.h"

/* Scores (..., rows, keys), of rank 3 or, with heads, 4. */
typedef struct heed__onnx_visibility {
    int64_t batch, heads, rows, keys; /* at rank 3, the batch may include heads */
    int rank;
    bool causal;
    int64_t window, offset;
} heed__onnx_visibility;

/* Returns a bool mask that broadcasts to the scores, or NONE if all keys are visible. Input number `input`, or no input
 * if it is 0, is i64 lengths (B) or (B, Q), or a bool mask of the scores' shape. Returns NULL after heed_fail. */
heed__onnx_value heed__onnx_visible(heed__onnx_graph *g, const heed__onnx_step *step,
                                    const heed__onnx_visibility *visibility, int input);

/* a and b; either may be NONE. */
heed__onnx_value heed__onnx_both(heed__onnx_graph *g, heed__onnx_value a, heed__onnx_value b);

/* x where visible, otherwise `other`; x itself if everything is visible. */
heed__onnx_value heed__onnx_where_visible(heed__onnx_graph *g, heed__onnx_value visible, heed__onnx_value x,
                                          heed_dtype dtype, double other);

/* The softmax of every row over its visible keys; 0 for hidden keys. */
heed__onnx_value heed__onnx_visible_softmax(heed__onnx_graph *g, heed__onnx_value visible, heed__onnx_value x,
                                            heed_dtype dtype);

#endif
