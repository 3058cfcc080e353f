/* tensorboard/src/buckets.h - counts numbers in the intervals of a histogram.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TENSORBOARD_BUCKETS_H
#define HEED_TENSORBOARD_BUCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include <heed/tensor.h>

/* Edges: HEED__TB_PER_SIGN positive numbers, 1e-12 times powers of 1.1 up to 1e20, their negatives, 0, and
 * +-DBL_MAX. */
enum { HEED__TB_PER_SIGN = 774, HEED__TB_EDGES = 2 * HEED__TB_PER_SIGN + 3 };

/* counts[i + 1] is the number of x in edges[i] <= x < edges[i + 1]; counts[0] is 0. */
typedef struct heed__tb_buckets {
    double edges[HEED__TB_EDGES];
    double counts[HEED__TB_EDGES];
    double min, max, count, sum, sum_of_squares;
} heed__tb_buckets;

void heed__tb_buckets_init(heed__tb_buckets *buckets);

/* Counts the finite elements. Returns false with an error pending. */
bool heed__tb_buckets_fill(heed__tb_buckets *buckets, heed_tensor *values);

/* Finds the buckets from the first to the last nonempty one, preceded by an empty bucket whose upper edge is the
 * lower edge of the first. They begin at counts[*first] and edges[*first]. Returns their number, or 0 if all are
 * empty. */
int heed__tb_buckets_span(const heed__tb_buckets *buckets, int *first);

#endif
