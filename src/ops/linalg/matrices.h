/* ops/linalg/matrices.h - shared by the ops of linear algebra: shapes, and work on every matrix of a batch.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_LINALG_MATRICES_H
#define HEED_OPS_LINALG_MATRICES_H

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "ops/linalg/blocks.h"

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

/* The size of the last axis (1) or of the axis before it (2). */
static inline int64_t heed__side(const heed_shape *shape, int from_last)
{
    return shape->dims[shape->rank - from_last];
}

/* Checks that a consists of square matrices. Returns false after heed_fail. */
bool heed__check_square(const char *where, const heed_tensor *a);

/* For ops of square matrices alone: all outputs have a's dtype and a's shape without its last `dropped` axes. */
bool heed__infer_square(const heed_call *call, heed_meta *out, int dropped);

/* For solutions of a x = b, or x a = b if `right`: the last axes of b, and the batch axes of both, broadcast. */
bool heed__infer_solution(const heed_call *call, bool right, heed_meta *out);

heed_tensor *heed__transposed(heed_tensor *a);

/* -- Work on every matrix ------------------------------------------------------------------------------------------ */

/* The scratch memory of a matrix. */
typedef struct heed__matrix_scratch {
    heed__linalg l;
    char *lu; /* (n, n) */
    int64_t *pivots;
} heed__matrix_scratch;

/* Returns HEED_FACTORED, HEED_NOT_FACTORED or the failure of a row (heed__failure_at). */
typedef struct heed__matrices heed__matrices;
typedef int64_t heed__matrix_fn(const heed__matrices *m, heed__matrix_scratch *s, int64_t batch);

struct heed__matrices {
    const heed_call *call;
    heed_tensor *const *out;
    heed__matrix_fn *run;
    int64_t n, count, batches; /* the rows of a matrix, right-hand sides, matrices */
    bool with_lu;
    const char *lacking; /* the message about a failure without NaN, up to the number of the pivot, */
    const char *pivot;   /* and after it */
    atomic_llong failed; /* the first failure: of row i of matrix b it is 2 n b + the failure of row i */
};

/* A failure of a row that was computed as NaN, or for a different reason. */
static inline int64_t heed__failure_at(int64_t row, bool is_nan)
{
    return 2 * row + is_nan;
}

/* The failure of a pivot, which is on the diagonal of a. Other results of factorisations stay as they are. */
int64_t heed__failure_of(const heed__linalg *l, int64_t n, const char *a, int64_t pivot);

/* Describe an op of square matrices, and one with right-hand sides, without LU factors. */
heed__matrices heed__matrices_of(const heed_call *call, heed_tensor *const *out, heed__matrix_fn *run);
heed__matrices heed__solutions_of(const heed_call *call, heed_tensor *const *out, bool right, heed__matrix_fn *run);

/* Runs m->run for every matrix. Returns false after a failure, with an error. */
bool heed__for_matrices(heed__matrices *m);

/* The matrix of t, contiguous, that belongs to matrix `batch` of a result to whose batch axes t's are broadcast. */
char *heed__matrix_of(const heed_tensor *t, const heed_tensor *result, int64_t batch);

/* Matrix `batch` of the first output, whose matrices have this number of elements. */
char *heed__result_matrix(const heed__matrices *m, int64_t batch, int64_t elements);

/* The products forward: `per_matrix` for every matrix of a, and the products of a (n, n) with every column of b. */
int64_t heed__solution_multiply_adds(const heed_call *call, int64_t n, int64_t per_matrix);

#endif
