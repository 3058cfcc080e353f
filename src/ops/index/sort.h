/* ops/index/sort.h - the op shared by sort, argsort and topk. */
#ifndef HEED_OPS_INDEX_SORT_H
#define HEED_OPS_INDEX_SORT_H

#include "ops/support.h"

#define HEED__ALL INT64_MIN

/* heed_sort_axis, limited to the first `count` entries of a row; HEED__ALL keeps all. The caller must have entered
 * `where`. */
heed_tensor *heed__sort(const char *where, heed_tensor *x, int axis, bool descending, int64_t count,
                        heed_tensor **indices);

#endif
