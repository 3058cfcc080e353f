/* ops/rescale.h - sums of powers |x|^p whose terms overflow or underflow although the result is in range.
 *
 * The caller computes the sum as usual. If a sum has left the range of its dtype, heed__rescale returns x in f64, times
 * a power of two for every sum that needs one. The caller repeats the computation with this x and uses the new results
 * only for the sums that left the range; all other results keep their bits.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_RESCALE_H
#define HEED_OPS_RESCALE_H

#include "ops/support.h"

/* Describes how a sum was computed. */
typedef struct heed__powers {
    unsigned mask; /* the summed axes */
    double p;
    bool centred;  /* the terms are powers of x - mean, with the mean over the summed axes */
    bool by_sum;   /* the gradient is divided by the sum itself, not only by its root */
    double terms;  /* number of terms that may have lost digits by underflow; 0 if that is harmless */
    double factor; /* the factor of x; 0 selects a power of two that depends on the largest |x| of the sum */
} heed__powers;

typedef struct heed__rescaled {
    heed_tensor *rows;  /* bool, x's shape with the summed axes as size 1: true for the sums that left the range */
    heed_tensor *plain; /* x, but 1 in the rows of the sums that left the range */
    heed_tensor *x;     /* f64: x times `by` */
    heed_tensor *by;    /* f64, shaped like `rows`: one factor per sum; NULL if all factors are 1 */
} heed__rescaled;

/* Returns false if no sum needs rescaling. A sum needs none if it is in range, or if its largest |x| (smallest if
 * p < 0) is 0, infinite or NaN. Otherwise sets *r and returns true; if heed_fail was called, some of r's tensors are
 * NULL. `sum` must be contiguous. Built from public ops and differentiable; leaves temporaries in the scope. */
bool heed__rescale(heed_tensor *x, const heed__powers *of, const heed_tensor *sum, heed__rescaled *r);

/* Returns y / by, where y was computed from r->x and has one element per sum. */
heed_tensor *heed__unscaled(const heed__rescaled *r, heed_tensor *y);

/* Returns `scaled` for the sums that left the range and `plain` for all other sums. `plain` must have been computed
 * from r->plain. Both tensors have one element per sum, or both have x's shape. */
heed_tensor *heed__joined(const heed__rescaled *r, heed_tensor *plain, heed_tensor *scaled);

#endif
