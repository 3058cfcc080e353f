/* kernels/matmul/epilogue.h - the end of every matmul algorithm: bias and activation, and the step to the next batch
 * element.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_MATMUL_EPILOGUE_H
#define HEED_KERNELS_MATMUL_EPILOGUE_H

#include "kernels/elementwise/elementwise.h"
#include "kernels/kernels.h"

/* Adds the bias to rows i .. i + rows - 1 of the range, and applies the activation. */
static void epilogue(const heed__matmul_args *s, const heed__matmul_range *p, int64_t i, int64_t rows)
{
    int64_t columns = p->j1 - p->j0;
    T *c = (T *)s->c + i * s->n + p->j0;
    const bool of_rows = s->bias_of_rows;
    for (int64_t r = 0; s->bias && r < rows; r++)
        add_kernel(columns, c + r * s->n, 1, (const T *)s->bias + (of_rows ? i + r : p->j0), !of_rows, c + r * s->n,
                   NULL);
    if (!s->activation)
        return;
    if (columns == s->n)
        s->activation(rows * columns, c, 1, c, NULL);
    else
        for (int64_t r = 0; r < rows; r++, c += s->n)
            s->activation(columns, c, 1, c, NULL);
}

static void next_batch(heed__matmul_args *s)
{
    s->a = (const T *)s->a + s->a_batch;
    s->b = (const T *)s->b + s->b_batch;
    s->c = (T *)s->c + s->c_batch;
}

#endif
