/* ops/product/linear.h - shared by linear and linear_activated. */
#ifndef HEED_OPS_PRODUCT_LINEAR_H
#define HEED_OPS_PRODUCT_LINEAR_H

#include "ops/support.h"

/* Inputs: x (..., in), w (out, in) and, optionally, b (out). */
heed_tensor *heed__apply_linear(const heed_op *op, heed_tensor *x, heed_tensor *w, heed_tensor *b, const void *params);
bool heed__linear_infer(const heed_call *call, heed_meta *out);

/* out = activation(x w^T + b); the activation may be NULL. */
bool heed__linear_forward(const heed_call *call, heed__unary_kernel *activation, heed_tensor *out);

/* Set the gradients of the inputs, given the gradient g of x w^T + b. heed__linear_backward is composed of ops;
 * heed__linear_backward_fused calls kernels directly. */
void heed__linear_backward(const heed_call *call, heed_tensor *g, heed_tensor **dx);
void heed__linear_backward_fused(const heed_call *call, heed_tensor *g, heed_tensor **dx);

/* heed_op.multiply_adds of linear and linear_activated. */
int64_t heed__linear_multiply_adds(const heed_call *call);

#endif
