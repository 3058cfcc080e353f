/* ops/index/accumulate.h - sums of elements that indices assign to the same position. */
#ifndef HEED_OPS_INDEX_ACCUMULATE_H
#define HEED_OPS_INDEX_ACCUMULATE_H

#include "ops/support.h"

typedef struct heed__accumulator {
    heed_tensor *y;
    char *lost; /* the rounding error of every element of y so far; NULL if the sums are short, and for i64 */
} heed__accumulator;

/* Sets y to 0 and prepares *sums for adding at most `terms` terms to every element of y. Returns false after
 * heed_fail. */
bool heed__accumulate_begin(const char *where, heed_tensor *y, int64_t terms, heed__accumulator *sums);

/* Adds x to n consecutive elements from element `at` on; i64 wraps around. */
void heed__accumulate(const heed__accumulator *sums, int64_t at, int64_t n, const void *x);

/* Adds element i of x, i = 0 .. n - 1, to element `from` + index[i], in this order. */
void heed__accumulate_each(const heed__accumulator *sums, int64_t from, const int64_t *index, int64_t n, const void *x);

void heed__accumulate_end(heed__accumulator *sums);

#endif
