/* kernels/conv/winograd_points.h - convolution with 3 adjacent taps in fewer multiplications, along one axis: the
 * transforms that every form applies to elements of x, to w and to the sums. With two axes they are applied to the rows
 * of a tile, then to its columns.
 *
 * PLAIN, with a stride of 1, is Winograd's F(2, 3), as Lavin and Gray use it ("Fast Algorithms for Convolutional Neural
 * Networks", 2016): 4 multiplications for two results instead of 6. With a stride of 2, STRIDED,
 *
 *     y0 = w0 x0 + w1 x1 + w2 x2,    y1 = w0 x2 + w1 x3 + w2 x4,
 *
 * two of the taps are a convolution with a stride of 1 of every second x, for which F(2, 2) needs 3 multiplications
 * instead of 4:
 *
 *     y0 = w0 (x0 - x2) + (w0 + w2) x2 + w1 x1,    y1 = w2 (x4 - x2) + (w0 + w2) x2 + w1 x3.
 *
 * Its gradient by x, SPREAD, has the same products. With w reversed, so that w0 is the last tap here,
 *
 *     y0 = w1 x0,    y1 = w0 x0 + w2 x1,    y2 = w1 x1,    y3 = w0 x1 + w2 x2.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_WINOGRAD_POINTS_H
#define HEED_KERNELS_CONV_WINOGRAD_POINTS_H

#include "kernels/kernels.h"
#include "kernels/simd/vec.h"

enum { WEIGHT_POINTS = 4, MOST_POINTS = 5, MOST_RESULTS = 4 };

_Static_assert(HEED_WINOGRAD_WEIGHTS == WEIGHT_POINTS * WEIGHT_POINTS, "packed w must hold all points");

/* Sum number c += point number w of w times point number d of x. */
typedef struct winograd_product {
    int8_t w, d, c;
    bool w_again, c_again; /* already used by an earlier product */
} winograd_product;

#define FIRST(w, d, c)                                                                                                 \
    {                                                                                                                  \
        w, d, c, false, false                                                                                          \
    }
static const winograd_product winograd_products[][MOST_POINTS] = {
    [HEED_WINOGRAD_PLAIN] = {FIRST(0, 0, 0), FIRST(1, 1, 1), FIRST(2, 2, 2), FIRST(3, 3, 3)},
    [HEED_WINOGRAD_STRIDED] =
        {FIRST(0, 0, 0), FIRST(1, 1, 1), FIRST(2, 2, 2), {3, 3, 0, false, true}, {3, 4, 2, true, true}},
    [HEED_WINOGRAD_SPREAD] = {FIRST(0, 0, 0), FIRST(1, 1, 1), FIRST(2, 2, 2), FIRST(3, 3, 3), {3, 1, 4, true, false}},
};
#undef FIRST

/* Transforms w0, w1, w2 into the points of w. */
static ALWAYS_INLINE void points_of_weights(heed__winograd_form form, const vec w[3], vec to[WEIGHT_POINTS])
{
    if (form == HEED_WINOGRAD_PLAIN) {
        const vec half = splat(K(0.5)), sum = half * (w[0] + w[2]), middle = half * w[1];
        to[0] = w[0];
        to[1] = sum + middle;
        to[2] = sum - middle;
        to[3] = w[2];
    } else {
        to[0] = w[0];
        to[1] = w[0] + w[2];
        to[2] = w[2];
        to[3] = w[1];
    }
}

/* The adjoint: the gradient by w0, w1, w2. */
static ALWAYS_INLINE void weights_of_points(heed__winograd_form form, const vec m[WEIGHT_POINTS], vec to[3])
{
    if (form == HEED_WINOGRAD_PLAIN) {
        const vec half = splat(K(0.5)), sum = half * (m[1] + m[2]);
        to[0] = m[0] + sum;
        to[1] = half * (m[1] - m[2]);
        to[2] = sum + m[3];
    } else {
        to[0] = m[0] + m[1];
        to[1] = m[3];
        to[2] = m[1] + m[2];
    }
}

/* Transforms the elements of x that a tile reads into points. */
static ALWAYS_INLINE void points_of_tile(heed__winograd_form form, const vec *x, vec *to)
{
    switch (form) {
    case HEED_WINOGRAD_PLAIN:
        to[0] = x[0] - x[2];
        to[1] = x[1] + x[2];
        to[2] = x[2] - x[1];
        to[3] = x[1] - x[3];
        break;
    case HEED_WINOGRAD_STRIDED:
        to[0] = x[0] - x[2];
        to[1] = x[2];
        to[2] = x[4] - x[2];
        to[3] = x[1];
        to[4] = x[3];
        break;
    case HEED_WINOGRAD_SPREAD:
        to[0] = x[0] - x[1];
        to[1] = x[1];
        to[2] = x[2] - x[1];
        to[3] = x[0];
    }
}

/* Transforms the sums of products into results. */
static ALWAYS_INLINE void results_of_sums(heed__winograd_form form, const vec *c, vec *y)
{
    switch (form) {
    case HEED_WINOGRAD_PLAIN:
        y[0] = c[0] + c[1] + c[2];
        y[1] = c[1] - c[2] - c[3];
        break;
    case HEED_WINOGRAD_STRIDED:
        y[0] = c[0] + c[1];
        y[1] = c[1] + c[2];
        break;
    case HEED_WINOGRAD_SPREAD:
        y[0] = c[3];
        y[1] = c[0] + c[1];
        y[2] = c[4];
        y[3] = c[1] + c[2];
    }
}

/* The adjoint, for forms with two results: transforms g0, g1 into the gradients of the sums. */
static ALWAYS_INLINE void sums_of_results(heed__winograd_form form, const vec g[2], vec *to)
{
    to[0] = g[0];
    to[1] = g[0] + g[1];
    if (form == HEED_WINOGRAD_PLAIN) {
        to[2] = g[0] - g[1];
        to[3] = -g[1];
    } else {
        to[2] = g[1];
    }
}

#endif
