/* kernels/elementwise/loops.h - the loops of elementwise kernels. map1 and map2 call a formula of numbers, which the
 * compiler vectorises; map1_vec and map2_vec call a formula of registers. They are inlined with their formula.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ELEMENTWISE_LOOPS_H
#define HEED_KERNELS_ELEMENTWISE_LOOPS_H

#include "kernels/kernels.h"
#include "kernels/simd/vec.h"

/* An input: its numbers are `step` elements apart. */
typedef struct strided {
    const T *at;
    int64_t step;
} strided;

/* -- Formulas of numbers, from inputs and the kernel's numbers p. The common steps, 1 and 0, have separate loops --- */

typedef T formula1(T x, const double *p);
typedef T formula2(T a, T b, const double *p);

static ALWAYS_INLINE void loop1(formula1 *f, int64_t n, strided x, T *y, const double *p)
{
    INDEPENDENT
    for (int64_t i = 0; i < n; i++)
        y[i] = f(x.at[i * x.step], p);
}

static ALWAYS_INLINE void map1(formula1 *f, int64_t n, strided x, T *y, const double *p)
{
    if (x.step == 1)
        loop1(f, n, (strided){x.at, 1}, y, p);
    else
        loop1(f, n, x, y, p);
}

static ALWAYS_INLINE void loop2(formula2 *f, int64_t n, strided a, strided b, T *y, const double *p)
{
    INDEPENDENT
    for (int64_t i = 0; i < n; i++)
        y[i] = f(a.at[i * a.step], b.at[i * b.step], p);
}

static ALWAYS_INLINE void map2(formula2 *f, int64_t n, strided a, strided b, T *y, const double *p)
{
    if (a.step == 1 && b.step == 1)
        loop2(f, n, (strided){a.at, 1}, (strided){b.at, 1}, y, p);
    else if (a.step == 1 && b.step == 0)
        loop2(f, n, (strided){a.at, 1}, (strided){b.at, 0}, y, p);
    else if (a.step == 0 && b.step == 1)
        loop2(f, n, (strided){a.at, 0}, (strided){b.at, 1}, y, p);
    else
        loop2(f, n, a, b, y, p);
}

/* -- Formulas of registers ----------------------------------------------------------------------------------------- */

typedef vec formula1_vec(vec x, const double *p);
typedef vec formula2_vec(vec a, vec b, const double *p);

/* Strided numbers are gathered, GATHERED at a time, for a kernel that takes only contiguous numbers. */
enum { GATHERED = 64 };

static void map_gathered(heed__unary_kernel *kernel, int64_t n, strided x, T *y, const double *p)
{
    for (int64_t i = 0; i < n; i += GATHERED) {
        T gathered[GATHERED];
        const int64_t count = n - i < GATHERED ? n - i : GATHERED;
        for (int64_t j = 0; j < count; j++)
            gathered[j] = x.at[(i + j) * x.step];
        kernel(count, gathered, 1, y + i, p);
    }
}

/* y = f(x), including the end of the array; computes INTERLEAVE registers side by side as long as the array permits. */
static ALWAYS_INLINE void map_contiguous(formula1_vec *f, int64_t n, const T *x, T *y, const double *p)
{
    int64_t i = 0;
    for (; i + INTERLEAVE * WIDTH <= n; i += INTERLEAVE * WIDTH) {
        vec v[INTERLEAVE];
        UNROLL
        for (int k = 0; k < INTERLEAVE; k++)
            v[k] = load(x + i + k * WIDTH);
        UNROLL
        for (int k = 0; k < INTERLEAVE; k++)
            v[k] = f(v[k], p);
        UNROLL
        for (int k = 0; k < INTERLEAVE; k++)
            store(y + i + k * WIDTH, v[k]);
    }
    for (; i + WIDTH <= n; i += WIDTH)
        store(y + i, f(load(x + i), p));
    if (i < n)
        store_partial(y + i, f(load_partial(x + i, n - i, splat(1)), p), n - i);
}

/* `kernel` is the function that calls map1_vec with these arguments. */
static ALWAYS_INLINE void map1_vec(formula1_vec *f, heed__unary_kernel *kernel, int64_t n, strided x, T *y,
                                   const double *p)
{
    if (x.step == 1)
        map_contiguous(f, n, x.at, y, p);
    else
        map_gathered(kernel, n, x, y, p);
}

/* Gathers strided numbers in the same loop, so that all kinds of strides share it. */
static ALWAYS_INLINE void map2_vec(formula2_vec *f, int64_t n, strided a, strided b, T *y, const double *p)
{
    for (int64_t i = 0; i < n; i += WIDTH) {
        const vec va = load_strided(a.at + i * a.step, a.step, n - i),
                  vb = load_strided(b.at + i * b.step, b.step, n - i);
        store_at(y, i, n, f(va, vb, p));
    }
}

#endif
