/* ops/logic/logic.h - shared by ops whose result is bool, and which lack gradients. Most of these ops are just one of
 * the macros below. */
#ifndef HEED_OPS_LOGIC_LOGIC_H
#define HEED_OPS_LOGIC_LOGIC_H

#include <string.h>

#include "ops/support.h"

/* heed_op.infer for inputs of any dtype (predicate), and for bool inputs only (logical). The result is bool and has the
 * shape to which the inputs broadcast. */
bool heed__infer_predicate(const heed_call *call, heed_meta *out);
bool heed__infer_logical(const heed_call *call, heed_meta *out);

/* heed_op.infer of any and all: x and the result are bool; the axes are reduced. */
bool heed__infer_mask_reduction(const heed_call *call, heed_meta *out);

#define HEED__PREDICATE_LOOP(name, type, formula)                                                                      \
    static void name(int64_t n, const void *x_, int64_t sx, void *y_, const double *p)                                 \
    {                                                                                                                  \
        const type *px = x_;                                                                                           \
        bool *restrict y = y_;                                                                                         \
        (void)p;                                                                                                       \
        for (int64_t i = 0; sx == 1 && i < n; i++) {                                                                   \
            const type x = px[i];                                                                                      \
            y[i] = formula;                                                                                            \
        }                                                                                                              \
        for (int64_t i = 0; sx != 1 && i < n; i++) {                                                                   \
            const type x = px[i * sx];                                                                                 \
            y[i] = formula;                                                                                            \
        }                                                                                                              \
    }

/* Defines heed_NAME(x): the value of `formula` for floating-point x, and the constant `of_whole` for i64 and bool. */
#define HEED__PREDICATE(op, formula, of_whole)                                                                         \
    HEED__PREDICATE_LOOP(op##_of_f32, float, formula)                                                                  \
    HEED__PREDICATE_LOOP(op##_of_f64, double, formula)                                                                 \
                                                                                                                       \
    static bool op##_forward(const heed_call *call, heed_tensor *const *out)                                           \
    {                                                                                                                  \
        const heed_tensor *x = call->inputs[0];                                                                        \
        if (heed_dtype_is_float(x->dtype))                                                                             \
            heed__map1(x->dtype == HEED_F32 ? op##_of_f32 : op##_of_f64, x, out[0], NULL);                             \
        else                                                                                                           \
            memset(out[0]->data, of_whole, (size_t)out[0]->numel);                                                     \
        return true;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    const heed_op heed_op_##op = {                                                                                     \
        .name = #op, .n_inputs = 1, .n_outputs = 1, .infer = heed__infer_predicate, .forward = op##_forward};          \
                                                                                                                       \
    heed_tensor *heed_##op(heed_tensor *x)                                                                             \
    {                                                                                                                  \
        return heed__apply1(&heed_op_##op, x, NULL);                                                                   \
    }

/* Defines heed_NAME(a, b) for two bool tensors. `formula` is computed from their elements a and b, which are 0 or 1. */
#define HEED__LOGICAL(op, formula)                                                                                     \
    static void op##_of_masks(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, void *y_,             \
                              const double *p)                                                                         \
    {                                                                                                                  \
        const uint8_t *pa = a_, *pb = b_;                                                                              \
        uint8_t *restrict y = y_;                                                                                      \
        (void)p;                                                                                                       \
        for (int64_t i = 0; sa == 1 && sb == 1 && i < n; i++) {                                                        \
            const unsigned a = pa[i], b = pb[i];                                                                       \
            y[i] = (uint8_t)(formula);                                                                                 \
        }                                                                                                              \
        for (int64_t i = 0; (sa != 1 || sb != 1) && i < n; i++) {                                                      \
            const unsigned a = pa[i * sa], b = pb[i * sb];                                                             \
            y[i] = (uint8_t)(formula);                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static bool op##_forward(const heed_call *call, heed_tensor *const *out)                                           \
    {                                                                                                                  \
        heed__map2(op##_of_masks, call->inputs[0], call->inputs[1], out[0], NULL);                                     \
        return true;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    const heed_op heed_op_##op = {                                                                                     \
        .name = #op, .n_inputs = 2, .n_outputs = 1, .infer = heed__infer_logical, .forward = op##_forward};            \
                                                                                                                       \
    heed_tensor *heed_##op(heed_tensor *a, heed_tensor *b)                                                             \
    {                                                                                                                  \
        return heed__apply2(&heed_op_##op, a, b, NULL);                                                                \
    }

#endif
