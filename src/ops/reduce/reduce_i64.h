/* ops/reduce/reduce_i64.h - reductions of i64, which are not kernels. HEED__REDUCE_I64(loop, first, formula) defines
 * the heed__reduce_kernel `loop`: the result a starts as `first`, and for every element b, a becomes `formula`. a and b
 * are uint64_t, whose arithmetic wraps around. */
#ifndef HEED_OPS_REDUCE_REDUCE_I64_H
#define HEED_OPS_REDUCE_REDUCE_I64_H

#include "ops/support.h"

#define HEED__REDUCE_I64(loop, first, formula)                                                                         \
    static void loop(int64_t outer, int64_t r, int64_t inner, const void *x_, void *y_)                                \
    {                                                                                                                  \
        const uint64_t *x = x_;                                                                                        \
        uint64_t *restrict y = y_;                                                                                     \
        for (int64_t o = 0; o < outer; o++, x += r * inner, y += inner) {                                              \
            for (int64_t i = 0; i < inner; i++)                                                                        \
                y[i] = (uint64_t)(first);                                                                              \
            for (int64_t j = 0; inner > 1 && j < r; j++)                                                               \
                for (int64_t i = 0; i < inner; i++) {                                                                  \
                    const uint64_t a = y[i], b = x[j * inner + i];                                                     \
                    y[i] = (formula);                                                                                  \
                }                                                                                                      \
            uint64_t a = (uint64_t)(first);                                                                            \
            for (int64_t j = 0; inner == 1 && j < r; j++) {                                                            \
                const uint64_t b = x[j];                                                                               \
                a = (formula);                                                                                         \
            }                                                                                                          \
            if (inner == 1)                                                                                            \
                y[0] = a;                                                                                              \
        }                                                                                                              \
    }

#endif
