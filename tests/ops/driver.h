/* tests/ops/driver.h - runs the cases of an op. Its checks of a case:
 *
 *     derivatives    heed_gradcheck and heed_gradgradcheck in f64, full Jacobian, of contiguous and of strided leaves
 *     views          the same with all inputs transposed, sliced with a step, at an offset, expanded; with one tensor
 *                    passed twice, and with a tensor and its view
 *     rules          backward_fused against backward, for contiguous, strided, expanded and zero output gradients
 *     subsets        every input in turn without a gradient
 *     computed       computed inputs (heed_set_compute) give the same numbers and gradients
 *     dtypes         f32 against f64, values and gradients
 *     ownership      no object is left, and no error is pending
 *
 * Every check that applies to the case is one sample. The op's values, points, examples and errors follow, one sample
 * each. For a row of an elementwise op the driver adds the errors for NULL, for dtypes that the op does not accept, for
 * mixed dtypes, and for shapes that do not broadcast.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_DRIVER_H
#define HEED_TESTS_OPS_DRIVER_H

#include "cases.h"

/* One line of src/ops/ops.def. */
typedef struct op_entry {
    const char *name;
    const op_cases *cases;
} op_entry;

/* All ops, in the order of ops.def. */
const op_entry *op_entries(int *count);

/* Returns NULL if there is no op of that name. */
const op_entry *op_find(const char *name);

/* Returns a case of these cases, with the function and the numbers of the row if it has no function. */
op_case op_case_of(const op_cases *cases, const op_case *c);

typedef struct op_result {
    int64_t samples;
    int64_t compared; /* derivatives compared with differences, or projections of them */
    double worst[2];  /* the largest error of order 1 and of order 2, as in heed_gradcheck_result; -1: no comparison */
    int failures;
} op_result;

typedef struct op_listener {
    void (*ran)(const char *sample, void *user);    /* before each sample; may be NULL */
    void (*failed)(const char *report, void *user); /* may be NULL */
    void *user;
} op_listener;

/* `order`: 1, 2, or 0 for both. Returns true if there was no failure. Ends every scope of the calling thread. */
bool op_run(const op_entry *op, int order, const op_listener *listener, op_result *result);

#endif
