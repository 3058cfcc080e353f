/* ops/shape/triangle.h - shared by tril and triu. */
#ifndef HEED_OPS_SHAPE_TRIANGLE_H
#define HEED_OPS_SHAPE_TRIANGLE_H

#include "ops/support.h"

/* The params of tril and triu are the number of a diagonal, counted as in PyTorch: diagonal j - i contains element
 * (i, j). */
bool heed__infer_triangle(const heed_call *call, heed_meta *out);
bool heed__triangle(const heed_call *call, heed_tensor *const *out);
void heed__triangle_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

/* The kept side, which includes the diagonal. */
typedef enum heed__triangle_side { HEED__LOWER, HEED__UPPER } heed__triangle_side;
extern const heed__triangle_side heed__lower, heed__upper;

#define HEED__TRIANGLE(side)                                                                                           \
    .n_inputs = 1, .n_outputs = 1, .params_size = sizeof(int64_t), .saved = HEED_SAVE_NOTHING, .contiguous = true,     \
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(int64_t, "diagonal")), .data = &(side), .infer = heed__infer_triangle,      \
    .forward = heed__triangle, .backward = heed__triangle_backward

#endif
