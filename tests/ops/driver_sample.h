/* tests/ops/driver_sample.h - shared by the files of the driver: inputs are drawn, laid out, and run.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_DRIVER_SAMPLE_H
#define HEED_TESTS_OPS_DRIVER_SAMPLE_H

#include "driver.h"

/* The layout of an op's input as a view of its leaf. */
typedef enum op_layout {
    OP_PLAIN = 0,  /* it is the leaf */
    OP_TRANSPOSED, /* axes reversed */
    OP_SLICED,     /* every second element of the last axis, NaN between them */
    OP_OFFSET,     /* after a row of NaN */
    OP_EXPANDED,   /* stride 0 on the first axis longer than 1 */
    OP_ALIAS,      /* a second tensor on the same elements */
    OP_LAYOUT_COUNT
} op_layout;

/* A case with its inputs. */
typedef struct op_sample {
    const op_case *c;
    heed_tensor *leaves[OP_MAX_INPUTS];
    op_layout layouts[OP_MAX_INPUTS];
} op_sample;

/* The run of one op: the listener, and the current case. */
typedef struct op_run_state {
    const op_entry *op;
    int order;
    const op_listener *listener;
    op_result *result;
    char sample[160]; /* "tanh (2, 3), sliced" */
} op_run_state;

/* -- driver_sample.c ----------------------------------------------------------------------------------------------- */

/* Draws values for the inputs of c: f64, i64 or bool, contiguous; the same ones in every run. Returns false after
 * heed_fail. */
bool op_draw(const char *op, const op_case *c, heed_tensor **values);

/* Whether the layout differs from OP_PLAIN for this shape. */
bool op_layout_applies(op_layout layout, const heed_shape *shape);
const char *op_layout_name(op_layout layout);

/* Makes leaf i from `values`, with or without a gradient. Returns false after heed_fail. */
bool op_set_leaf(op_sample *s, int i, heed_tensor *values, op_layout layout, bool requires_grad);

/* The values in that layout, outside any graph. Returns NULL after heed_fail. */
heed_tensor *op_lay_out(heed_tensor *values, op_layout layout);

/* The inputs of the op as views of their leaves. Recorded. Returns false after heed_fail. */
bool op_inputs(const op_sample *s, heed_tensor *const *leaves, heed_tensor **inputs);

/* Runs the case on leaves laid out as in the sample: a heed_gradcheck_fn, `user` is the sample. */
heed_tensor *op_call(heed_tensor *const *leaves, void *user);

/* The values as f64, contiguous; returns NULL after heed_fail. */
heed_tensor *op_read(heed_tensor *x);

/* The largest |a - b| / (1 + |b|); infinite if the shapes differ or only one element is NaN; -1 if one is NULL. */
double op_mismatch(heed_tensor *a, heed_tensor *b);

/* -- driver_checks.c ----------------------------------------------------------------------------------------------- */

/* Runs all checks of a case, in a separate scope. */
void op_check_case(op_run_state *run, const op_case *c, heed_tensor *const *values);

/* -- driver.c ------------------------------------------------------------------------------------------------------ */

/* Counts a sample and sets its name. */
void op_begin_sample(op_run_state *run, const char *where, const char *what);

/* Reports a failure of the current sample; clears the pending error. */
void op_fail(op_run_state *run, const char *format, ...) HEED_PRINTF(2, 3);

#endif
