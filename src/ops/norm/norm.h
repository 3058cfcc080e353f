/* ops/norm/norm.h - shared by the normalisations: checks, and gradients composed of public ops, over any axes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_NORM_NORM_H
#define HEED_OPS_NORM_NORM_H

#include "ops/support.h"

/* Checks that eps is finite and not negative. Raises a positive *eps below the smallest normal number of x's dtype to
 * that number. Returns false after heed_fail. */
bool heed__norm_check_eps(const char *where, const heed_tensor *x, double *eps);

/* Checks that x is floating-point and has channels, (B, C, ...). Returns false after heed_fail. */
bool heed__norm_check_channels(const char *where, const heed_tensor *x);

/* heed__norm_given returns the input with index `input`, and heed__norm_needs whether its gradient is requested. They
 * return NULL and false if the call has fewer inputs. */
heed_tensor *heed__norm_given(const heed_call *call, int input);
bool heed__norm_needs(const heed_call *call, int input);

/* h = (x - mean) factor with factor = 1 / sqrt(variance + eps); mean and variance are taken over the given axes.
 * heed__normalize subtracts the mean twice, as the kernels do, and is composed of public ops. If squares leave the
 * range of x's dtype, h and factor are f64 and computed from x times `by`. */
typedef struct heed__normalized {
    heed_tensor *h, *factor;
    heed_tensor *by; /* NULL means 1 */
} heed__normalized;
heed__normalized heed__normalize(heed_tensor *x, heed_shape axes, double eps, bool uncentred);

/* Returns a h in a's dtype; NULL after an error. */
heed_tensor *heed__normalized_product(const heed__normalized *of, heed_tensor *a);

/* Returns dx = factor (a - mean(a) - h mean(a h)) for a = g weight, without the term mean(a) if `uncentred`. NULL after
 * an error. */
heed_tensor *heed__normalize_gradient(const heed__normalized *of, heed_tensor *a, heed_shape axes, bool uncentred);

#endif
