/* kernels/regression/forward.h - kernel regression, forward. The formulas are in kernels/kernels.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_REGRESSION_FORWARD_H
#define HEED_KERNELS_REGRESSION_FORWARD_H

#include <string.h>

#include "kernels/kernels.h"
#include "kernels/regression/sweeps.h"

static int64_t regression_kernel(const heed__regression_args *args, int64_t begin, int64_t end,
                                 const heed__regression_results *to, void *scratch)
{
    const int64_t d = args->d, v = args->v, m = args->m;
    arena a = {.base = scratch};
    T *u = take_array(&a, capacity_for_keys(args), sizeof(T)), *e = take_array(&a, capacity_for_keys(args), sizeof(T));
    for (int64_t row = begin; scratch && row < end; row++) {
        const saved_row saved = saved_row_of(args, to->rows, row);
        T *f = (T *)to->f + row * v, *slopes = to->slopes ? (T *)to->slopes + row * v : NULL;
        const T *q = (const T *)args->queries + row * d;
        const visible_keys keys = visible_keys_of(args, row, 0, m);
        if (keys.m == 0) {
            memset(f, 0, (size_t)v * sizeof(T));
            memset(saved.near, 0, (size_t)(d + HEED_REGRESSION_SAVED) * sizeof(T));
            if (slopes)
                memset(slopes, 0, (size_t)v * sizeof(T));
            continue;
        }
        for (int64_t c = 0; c < d; c++)
            saved.near[c] = nearest_key_distance(&keys, q[c], keys.keys + c * m);
        *saved.shrink = find_distances(args, &keys, q, saved.near, saved.top, u);
        const double factor = 1 / regression_weights(&keys, *saved.top, *saved.shrink, u, e);
        *saved.factor = (T)factor;
        for (int64_t c = 0; c < v; c++)
            f[c] = (T)(pooled_value(&keys, e, keys.values + c * m) * factor);
        for (int64_t c = 0; c < v && slopes; c++)
            slopes[c] = (T)(-pooled_slope(&keys, e, u, keys.values + c * m, f[c]) * factor *
                            (double)inverse_square(*saved.shrink));
    }
    return a.bytes;
}

#endif
