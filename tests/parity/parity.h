/* tests/parity/parity.h - shared by test_parity, the reader, the comparison and the calls.
 *
 * data/NAME.json has cases of heed_NAME with PyTorch's results (case.py describes the format of a file). Ops and
 * layers are called by their prototypes (tests/promises/calls/slots.py), with the inputs in order as tensors and the
 * arguments by their names. All of these functions end the test if there is a mistake.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PARITY_H
#define HEED_PARITY_H

#include <jansson.h>

#include "slots.h"

#define PARITY_MAX_TENSORS 24
#define PARITY_DATA HEED_SOURCE_DIR "/tests/parity/data"

/* A case while it runs. */
typedef struct parity_call {
    char where[128];     /* "softmax.json, case 3, f32": for messages */
    heed_dtype dtype;    /* the dtype for "float" */
    const json_t *args;  /* by name */
    json_t *unread;      /* the names in args that no slot has read yet */
    heed_module *module; /* NULL for an op */
    int n_in;
    heed_tensor *in[PARITY_MAX_TENSORS];
    heed_tensor *out[PARITY_MAX_TENSORS]; /* out[0] is the return value; NULL if the function has none */
    int n_out;                            /* number of outputs in PyTorch's file */
} parity_call;

typedef struct parity_subject {
    char name[64];           /* of the function without heed_, and of the file without .json */
    const layer_call *layer; /* NULL for an op */
} parity_subject;

/* The ops of ops.def, then the layers. Returns false after the last. */
bool parity_subject_at(int i, parity_subject *subject);

/* Makes a layer from the arguments, or returns NULL for an op. */
heed_module *parity_make(parity_call *c, const parity_subject *subject);

/* Calls the op of that name, or one of its forms (sum, or sum_axes), or runs the layer. Sets out[0] and further
 * outputs. */
heed_tensor *parity_run(parity_call *c, const parity_subject *subject);

/* Runs all cases of the subject's file with "float" as dtype. */
void parity_run_file(const parity_subject *subject, heed_dtype dtype);

/* -- Reading ------------------------------------------------------------------------------------------------------ */

/* A tensor of the file; NULL for null. */
heed_tensor *parity_tensor(const json_t *json, heed_dtype dtype);

heed_shape parity_shape(const json_t *json);

/* The number, including "nan", "inf" and "-inf". */
double parity_number(const json_t *json);

/* The values of a tensor of the file and the dtype it must have. */
const json_t *parity_values(const json_t *json, heed_dtype dtype, heed_dtype *stored);

/* -- Arguments: a missing name ends the test ---------------------------------------------------------------------- */

void parity_begin_arguments(parity_call *c, const json_t *args);
const json_t *parity_arg(parity_call *c, const char *name);

/* Returns the argument, or NULL if it is missing. */
const json_t *parity_option(parity_call *c, const char *name);

/* The index of the argument among the names, which end with NULL. */
unsigned parity_choice(parity_call *c, const char *name, const char *const *names);

/* Checks that every argument was read. */
void parity_end_arguments(parity_call *c);

/* -- Comparing ----------------------------------------------------------------------------------------------------
 * Shape, dtype, and i64 and bool values must be equal; a floating-point a counts as equal to b if
 *     |a - b| <= t (1 + |b|),   t = 1e-10 for f64 and 1e-5 for f32,
 * or both are NaN or the same infinity. */

void parity_compare(const parity_call *c, const heed_tensor *got, const json_t *expected, const char *what);

/* The same for a gradient; NULL means zeros. */
void parity_compare_gradient(const parity_call *c, const heed_tensor *got, const json_t *expected, const char *what);

#endif
