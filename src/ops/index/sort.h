/* ops/index/sort.h - the op that sort, argsort and topk apply. */
#ifndef HEED_OPS_INDEX_SORT_H
#define HEED_OPS_INDEX_SORT_H

#include "ops/support.h"

#define HEED__ALL INT64_MIN

/* heed_sort_axis, and of each row the first `count`, HEED__ALL for all. The caller has entered `where`. */
heed_tensor *heed__sort(const char *where, heed_tensor *x, int axis, bool descending, int64_t count,
                        heed_tensor **indices);

#endif
