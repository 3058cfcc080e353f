/* ops/conv/conv.h - shared by the convolutions: their geometry, and the three products that it defines.
 *
 * Let T(x, w, g) = the sum of g conv(x, w). The derivatives of T with respect to g, x and w are conv, conv_transpose
 * and conv_weight. Every one of these products takes two of x, w and g and returns a tensor of the third one's shape,
 * so its gradients are the other two products.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_CONV_CONV_H
#define HEED_OPS_CONV_CONV_H

#include "ops/support.h"

/* x (B, C, x[0], x[1]), w (O, C / groups, w[0], w[1]), g (B, O, y[0], y[1]). In 1-D convolutions, element 0 of the
 * arrays describes an axis of size 1. At position p of y, tap t of the kernel reads element p stride - before + t
 * dilation of x, or zero outside the plane. */
typedef struct heed__conv {
    int64_t x[2], w[2], y[2];
    int64_t stride[2], before[2], dilation[2];
    int64_t groups;
} heed__conv;

#define HEED__CONV_FIELDS                                                                                              \
    HEED_FIELDS(HEED_FIELD(heed__conv, x), HEED_FIELD(heed__conv, w), HEED_FIELD(heed__conv, y),                       \
                HEED_FIELD(heed__conv, stride), HEED_FIELD(heed__conv, before), HEED_FIELD(heed__conv, dilation),      \
                HEED_FIELD(heed__conv, groups))

/* Set the params of conv and conv_transpose. Return false after heed_fail. */
bool heed__conv_of(const char *where, const heed_tensor *x, const heed_tensor *w, const heed_conv_options *options,
                   heed__conv *conv);
bool heed__conv_transpose_of(const char *where, const heed_tensor *x, const heed_tensor *w,
                             const heed_conv_transpose_options *options, heed__conv *conv);

/* Compute the results of conv, conv_transpose and conv_weight. The result tensor must be new and contiguous. x, w, g
 * and the bias, which may be NULL, must be contiguous. Return false after heed_fail. */
bool heed__conv_run(const char *where, const heed__conv *conv, const heed_tensor *x, const heed_tensor *w,
                    const heed_tensor *bias, heed_tensor *y);
bool heed__conv_transpose_run(const char *where, const heed__conv *conv, const heed_tensor *g, const heed_tensor *w,
                              const heed_tensor *bias, heed_tensor *x);
bool heed__conv_weight_run(const char *where, const heed__conv *conv, const heed_tensor *x, const heed_tensor *g,
                           heed_tensor *dw);

/* Sets the params of unfold and fold for planes of that size. Returns false after heed_fail. */
bool heed__unfold_of(const char *where, const int64_t plane[2], const heed_shape *kernel,
                     const heed_unfold_options *options, heed__conv *conv);

/* Copies planes (B, C, x[0], x[1]) to columns (B, C w[0] w[1], y[0] y[1]) or, if `fold`, adds columns to planes. The
 * destination must hold zeros. Both must be contiguous. */
void heed__unfold_run(const heed__conv *conv, const heed_tensor *planes, const heed_tensor *columns, bool fold);

heed_tensor *heed__unfold_apply(heed_tensor *x, const heed__conv *conv);
heed_tensor *heed__fold_apply(heed_tensor *columns, const heed__conv *conv);

/* Checks that the params fit the two given tensors of x, w and g; the third is NULL. */
bool heed__check_conv(const heed_call *call, const heed_tensor *x, const heed_tensor *w, const heed_tensor *g);

/* Checks that the optional third input of conv and conv_transpose is a bias (channels) of x's dtype. */
bool heed__check_bias(const heed_call *call, int64_t channels);

/* -- Sizes of windows, also for pooling ---------------------------------------------------------------------------- */

/* Sets `numbers`, one per axis of a plane, from `given`: one number for all axes, or one number per axis; () selects
 * `otherwise` for all axes. All numbers must be at least `least`. With one axis, only numbers[1] is used. Returns false
 * after heed_fail. */
bool heed__window_numbers(const char *where, const char *name, int axes, const heed_shape *given, int64_t otherwise,
                          int64_t least, int64_t numbers[2]);

/* heed__window_extent returns the number of elements from the first to the last of `taps` taps. heed__window_padded
 * returns the size of an axis with padding on both ends. They return -1 if the result would overflow. */
int64_t heed__window_extent(int64_t taps, int64_t dilation);
int64_t heed__window_padded(int64_t size, int64_t padding);

/* "(3, 5)", or "(5)" with one axis */
heed_text heed__window_text(int axes, const int64_t numbers[2]);

#endif
