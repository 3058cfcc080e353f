/* ops/index/accumulate.h - sums of what indices send to one place each. */
#ifndef HEED_OPS_INDEX_ACCUMULATE_H
#define HEED_OPS_INDEX_ACCUMULATE_H

#include "ops/support.h"

typedef struct heed__accumulator {
    heed_tensor *y;
    char *lost; /* by rounding, so far, of each element of y; NULL where few terms are summed, and of i64 */
} heed__accumulator;

/* Clears y, to each element of which at most `terms` terms will be added. False after heed_fail. */
bool heed__accumulate_begin(const char *where, heed_tensor *y, int64_t terms, heed__accumulator *sums);

/* Adds x to n neighbours from element `at` on; i64 wraps around. */
void heed__accumulate(const heed__accumulator *sums, int64_t at, int64_t n, const void *x);

/* Adds each of the n elements of x to element `from` + index of its own, in this order. */
void heed__accumulate_each(const heed__accumulator *sums, int64_t from, const int64_t *index, int64_t n, const void *x);

void heed__accumulate_end(heed__accumulator *sums);

#endif
