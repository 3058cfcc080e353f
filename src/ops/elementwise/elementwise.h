/* ops/elementwise/elementwise.h - the code shared by elementwise ops. An op's record, its heed_op, names kernels of
 * kernels.def:
 *
 *     const heed_op heed_op_tanh = {
 *         .name = "tanh",
 *         HEED__UNARY_FUSED(tanh, tanh_grad),
 *         .saved = HEED_SAVE_OUTPUTS,
 *         .backward = backward,
 *     };
 *
 * The shared code runs the kernels on any layout, in threads. The parameters of such an op are the kernels' numbers p,
 * as doubles. */
#ifndef HEED_OPS_ELEMENTWISE_ELEMENTWISE_H
#define HEED_OPS_ELEMENTWISE_ELEMENTWISE_H

#include "ops/support.h"

/* The kernels of an op, in all their versions, and its loops for i64. The loops are not kernels; they are NULL if the
 * op does not support i64. */
typedef struct heed__elementwise {
    heed__unary_kernel *const *const (*kernel)[2];
    heed__binary_kernel *const *const (*pairs)[2], *const *const (*gradient)[2];
    heed__unary_kernel *i64_kernel;
    heed__binary_kernel *i64_pairs_kernel;
} heed__elementwise;

bool heed__unary_forward(const heed_call *call, heed_tensor *const *out);
bool heed__binary_forward(const heed_call *call, heed_tensor *const *out);

/* Like heed_infer_same and heed_infer_broadcast, but also accept i64. */
bool heed__infer_same_number(const heed_call *call, heed_meta *out);
bool heed__infer_broadcast_numbers(const heed_call *call, heed_meta *out);

/* Like heed__binary_forward, but fails with HEED_ERR_ARGUMENT if b is i64 and has an element 0. */
bool heed__quotient_forward(const heed_call *call, heed_tensor *const *out);

/* Returns true if x, which may be NULL or freed, is i64. */
static inline bool heed__is_i64(const heed_tensor *x)
{
    return heed__is_live(x) && x->dtype == HEED_I64;
}

/* Applies the op to x with one number as its parameter. The number is rounded to f32 if x is f32, and must be an
 * integer if x is i64. `name` is the number's name in messages. */
heed_tensor *heed__apply_number(const heed_op *op, heed_tensor *x, const char *name, double number);

/* Sets dx = gradient(saved, g), where `saved` is x or y, depending on the op's .saved. */
void heed__unary_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

/* Fields of a record, for y = kernel(x) (UNARY), for y = kernel(a, b) (BINARY), and for y = kernel(x) with a kernel for
 * the gradient (UNARY_FUSED). */
#define HEED__UNARY(kernel_)                                                                                           \
    HEED__ELEMENTWISE(1, .kernel = heed__kernel_##kernel_), .infer = heed_infer_same, .forward = heed__unary_forward
#define HEED__BINARY(kernel_)                                                                                          \
    HEED__ELEMENTWISE(2, .pairs = heed__kernel_##kernel_), .infer = heed_infer_broadcast,                              \
                                                           .forward = heed__binary_forward
#define HEED__UNARY_FUSED(kernel_, gradient_)                                                                          \
    HEED__ELEMENTWISE(1, .kernel = heed__kernel_##kernel_, .gradient = heed__kernel_##gradient_),                      \
        .infer = heed_infer_same, .forward = heed__unary_forward, .backward_fused = heed__unary_backward_fused

/* Fields of a record of an op that also supports i64, by `loop`, which one of the macros below defines. */
#define HEED__UNARY_NUMBER(kernel_, loop)                                                                              \
    HEED__ELEMENTWISE(1, .kernel = heed__kernel_##kernel_, .i64_kernel = (loop)), .infer = heed__infer_same_number,    \
                                                                                  .forward = heed__unary_forward
#define HEED__BINARY_NUMBERS(kernel_, loop)                                                                            \
    HEED__ELEMENTWISE(2, .pairs = heed__kernel_##kernel_, .i64_pairs_kernel = (loop)),                                 \
        .infer = heed__infer_broadcast_numbers, .forward = heed__binary_forward

#define HEED__UNARY_NUMBER_FUSED(kernel_, gradient_, loop)                                                             \
    HEED__ELEMENTWISE(1, .kernel = heed__kernel_##kernel_, .gradient = heed__kernel_##gradient_,                       \
                      .i64_kernel = (loop)),                                                                           \
        .infer = heed__infer_same_number, .forward = heed__unary_forward, .backward_fused = heed__unary_backward_fused

#define HEED__ELEMENTWISE(inputs, ...)                                                                                 \
    .n_inputs = (inputs), .n_outputs = 1, .data = &(const heed__elementwise)                                           \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* Defines a loop for i64. `formula` is an expression in x, a uint64_t, whose arithmetic wraps around, and c, the number
 * passed to heed__apply_number. */
#define HEED__I64_LOOP(loop, formula)                                                                                  \
    static void loop(int64_t n, const void *x_, int64_t sx, void *y_, const double *p)                                 \
    {                                                                                                                  \
        const uint64_t *px = x_, c = p ? (uint64_t)(int64_t)p[0] : 0;                                                  \
        uint64_t *y = y_;                                                                                              \
        (void)c;                                                                                                       \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            const uint64_t x = px[i * sx];                                                                             \
            y[i] = (formula);                                                                                          \
        }                                                                                                              \
    }
#define HEED__I64_PAIRS_LOOP(loop, formula)                                                                            \
    static void loop(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, void *y_, const double *p)     \
    {                                                                                                                  \
        const uint64_t *pa = a_, *pb = b_;                                                                             \
        uint64_t *y = y_;                                                                                              \
        (void)p;                                                                                                       \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            const uint64_t a = pa[i * sa], b = pb[i * sb];                                                             \
            y[i] = (formula);                                                                                          \
        }                                                                                                              \
    }

#endif
