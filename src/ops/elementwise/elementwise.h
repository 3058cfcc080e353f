/* ops/elementwise/elementwise.h - the code shared by elementwise ops. An op's record, its heed_op, is one line that
 * names kernels of kernels.def, the tensors that backward reads, and backward:
 *
 *     const heed_op heed_op_exp = {HEED__UNARY("exp", HEED_SAVE_OUTPUTS, exp_backward, .kernel = heed__kernel_exp)};
 *
 * The shared code runs the kernels on any layout, in threads. The parameters of such an op are the kernels' numbers p,
 * as doubles.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_ELEMENTWISE_ELEMENTWISE_H
#define HEED_OPS_ELEMENTWISE_ELEMENTWISE_H

#include "ops/support.h"

/* The kernels of an op, in all their versions, and its loops for i64 (below), which are NULL if the op does not support
 * i64. */
typedef struct heed__elementwise {
    heed__unary_kernel *const *const (*kernel)[2];
    heed__binary_kernel *const *const (*pairs)[2], *const *const (*gradient)[2];
    heed__unary_kernel *i64;
    heed__binary_kernel *i64_pairs;
    bool divides; /* b must not be 0 if it is i64 */
    bool raises;  /* b must be at least 0 if it is i64 */
} heed__elementwise;

/* Like heed_infer_same and heed_infer_broadcast, but also accept i64 if the op supports it. */
bool heed__infer_unary(const heed_call *call, heed_meta *out);
bool heed__infer_binary(const heed_call *call, heed_meta *out);

bool heed__unary_forward(const heed_call *call, heed_tensor *const *out);
bool heed__binary_forward(const heed_call *call, heed_tensor *const *out);

/* Sets dx = gradient(saved, g), where `saved` is x or y, depending on the op's .saved. */
void heed__unary_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

/* Fields of a record. The last arguments are fields of heed__elementwise: `kernel` for an op of one input (UNARY),
 * HEED__KERNELS if a kernel also computes the gradient (UNARY_FUSED), `pairs` for an op of two inputs (BINARY), and a
 * loop for i64. */
#define HEED__UNARY(name_, saved_, backward_, ...)                                                                     \
    .infer = heed__infer_unary, .forward = heed__unary_forward,                                                        \
    HEED__ELEMENTWISE(name_, 1, saved_, backward_, __VA_ARGS__)
#define HEED__UNARY_FUSED(name_, saved_, backward_, ...)                                                               \
    .backward_fused = heed__unary_backward_fused, HEED__UNARY(name_, saved_, backward_, __VA_ARGS__)
#define HEED__BINARY(name_, saved_, backward_, ...)                                                                    \
    .infer = heed__infer_binary, .forward = heed__binary_forward,                                                      \
    HEED__ELEMENTWISE(name_, 2, saved_, backward_, __VA_ARGS__)
#define HEED__ELEMENTWISE(name_, inputs, saved_, backward_, ...)                                                       \
    .name = (name_), .n_inputs = (inputs), .n_outputs = 1, .saved = (saved_), .backward = (backward_),                 \
    .data = &((const heed__elementwise){__VA_ARGS__})

#define HEED__KERNELS(kernel_, gradient_) .kernel = heed__kernel_##kernel_, .gradient = heed__kernel_##gradient_

/* Fields of a record of an op whose only parameter is a number. */
#define HEED__NUMBER(label) .params_size = sizeof(double), .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, label))

/* -- Integers ------------------------------------------------------------------------------------------------------ */

/* Returns true if x, which may be NULL or freed, is i64. */
static inline bool heed__is_i64(const heed_tensor *x)
{
    return heed__is_live(x) && x->dtype == HEED_I64;
}

/* Defines a loop for i64. `formula` is an expression in x, a uint64_t, whose arithmetic wraps around, and c, the number
 * passed to apply_number. */
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

/* Defines a loop for i64, for a formula in a and b. */
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

/* -- Gradients -----------------------------------------------------------------------------------------------------
 *
 * A gradient composed of public ops is differentiated term by term, and the terms can cancel each other, or overflow
 * although their sum does not. Some slopes are therefore ops of their own. They compute a slope as one value and have
 * their own gradients, so that the second and third derivatives are as exact as the first. */

/* y = 1 / (1 + e^-x), the values of heed_sigmoid.    dx = g y(x) y(-x), without forming 1 - y */
heed_tensor *heed__logistic(heed_tensor *x);

/* Returns x clamped to -limit .. limit, for slopes that are constant outside this range. Unlike with heed_clamp, the
 * gradient for NaN is g and not 0, so that the derivatives for NaN are also NaN. */
heed_tensor *heed__within(heed_tensor *x, double limit);

/* backward of ops with a slope of 0. */
void heed__zero_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

/* Defines a loop over three inputs a, b and c of type T that writes the formula's result to y. */
#define HEED__TERNARY_LOOP(name, T, formula)                                                                           \
    static void name(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, const void *c_, int64_t sc,    \
                     void *y_)                                                                                         \
    {                                                                                                                  \
        const T *a = a_, *b = b_, *c = c_;                                                                             \
        T *y = y_;                                                                                                     \
        for (int64_t i = 0; i < n; i++)                                                                                \
            y[i] = formula(a[i * sa], b[i * sb], c[i * sc]);                                                           \
    }

#endif
