/* ops/elementwise/elementwise.h - the frame of an elementwise op. Its record names its kernels, as kernels.def does:
 *
 *     const heed_op heed_op_tanh = {
 *         .name = "tanh",
 *         HEED__UNARY_FUSED(tanh, tanh_grad),
 *         .keeps = HEED_KEEP_OUTPUTS,
 *         .backward = backward,
 *     };
 *
 * The frame runs them, on any layout, in threads. Parameters of such an op are the kernels' numbers p: doubles. */
#ifndef HEED_OPS_ELEMENTWISE_ELEMENTWISE_H
#define HEED_OPS_ELEMENTWISE_ELEMENTWISE_H

#include "ops/support.h"

/* Places in heed__kernel_table. */
typedef struct heed__elementwise {
    size_t kernel, gradient;
} heed__elementwise;

bool heed__unary_forward(const heed_call *call, heed_tensor *const *out);
bool heed__binary_forward(const heed_call *call, heed_tensor *const *out);

/* dx = gradient(kept, g), where `kept` is x or y, as the op's .keeps says. */
void heed__unary_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

/* In a record: y = kernel(x); y = kernel(a, b); y = kernel(x), with the kernel of its gradient. */
#define HEED__UNARY(kernel_)                                                                                           \
    HEED__KERNELS(1, kernel_, kernel_), .infer = heed_infer_same, .forward = heed__unary_forward
#define HEED__BINARY(kernel_)                                                                                          \
    HEED__KERNELS(2, kernel_, kernel_), .infer = heed_infer_broadcast, .forward = heed__binary_forward
#define HEED__UNARY_FUSED(kernel_, gradient_)                                                                          \
    HEED__KERNELS(1, kernel_, gradient_), .infer = heed_infer_same, .forward = heed__unary_forward,                    \
                                          .backward_fused = heed__unary_backward_fused

#define HEED__KERNELS(inputs, kernel_, gradient_)                                                                      \
    .n_inputs = (inputs), .n_outputs = 1, .data = &(const heed__elementwise)                                           \
    {                                                                                                                  \
        offsetof(heed__kernel_table, kernel_), offsetof(heed__kernel_table, gradient_)                                 \
    }

#endif
