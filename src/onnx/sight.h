/* onnx/sight.h - which keys a row of scores sees, as a mask in the graph. */
#ifndef HEED_ONNX_SIGHT_H
#define HEED_ONNX_SIGHT_H

#include "onnx/forms.h"

/* Scores (..., rows, keys), of rank 3 or, with heads, 4. */
typedef struct heed__onnx_sight {
    int64_t batch, heads, rows, keys; /* of rank 3: heads that lengths do not tell apart are part of the batch */
    int rank;
    bool causal;
    int64_t window, offset;
} heed__onnx_sight;

/* bool that broadcasts to the scores, NONE where all see all; `lens`, input number `input`, or 0 for none, is i64 (B)
 * or (B, Q), or bool as the scores. NULL after heed_fail. */
heed__onnx_value heed__onnx_seen(heed__onnx_graph *g, const heed__onnx_step *step, const heed__onnx_sight *sight,
                                 int input);

/* a and b, where either may be NONE. */
heed__onnx_value heed__onnx_both(heed__onnx_graph *g, heed__onnx_value a, heed__onnx_value b);

/* x where it is seen, else a number; x itself where all is seen. */
heed__onnx_value heed__onnx_where_seen(heed__onnx_graph *g, heed__onnx_value seen, heed__onnx_value x, heed_dtype dtype,
                                       double other);

/* The softmax of what is seen of each row, and 0 elsewhere. */
heed__onnx_value heed__onnx_seen_softmax(heed__onnx_graph *g, heed__onnx_value seen, heed__onnx_value x,
                                         heed_dtype dtype);

#endif
