/* tensorboard/buckets.h - how many numbers lie in each of many intervals. */
#ifndef HEED_TENSORBOARD_BUCKETS_H
#define HEED_TENSORBOARD_BUCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include <heed/tensor.h>

/* 1e-12, 1.1 times as much, ... below 1e20; as many below 0, 0 itself, and the least and the largest number. */
enum { HEED__TB_EACH = 774, HEED__TB_EDGES = 2 * HEED__TB_EACH + 3 };

/* counts[i + 1] numbers are in edges[i] <= x < edges[i + 1]; counts[0] is 0. */
typedef struct heed__tb_buckets {
    double edges[HEED__TB_EDGES];
    double counts[HEED__TB_EDGES];
    double min, max, count, sum, sum_of_squares;
} heed__tb_buckets;

void heed__tb_buckets_init(heed__tb_buckets *buckets);

/* Counts the finite elements. False with an error pending. */
bool heed__tb_buckets_fill(heed__tb_buckets *buckets, heed_tensor *values);

/* Those that are not empty and lie between such, with an empty one before them, whose upper edge is the lower one of
 * the first: from counts[*first] and edges[*first] on, so many. 0 where all are empty. */
int heed__tb_buckets_span(const heed__tb_buckets *buckets, int *first);

#endif
