/* ops/index/sort.h - the op shared by sort, argsort and topk. */
#ifndef HEED_OPS_INDEX_SORT_H
#define HEED_OPS_INDEX_SORT_H

#include "ops/support.h"

#define HEED__ALL INT64_MIN

/* Like heed_sort_axis, but returns only the first `count` elements of a row, or all elements for HEED__ALL. The caller
 * must have called HEED_ENTER(where). */
heed_tensor *heed__sort(const char *where, heed_tensor *x, int axis, bool descending, int64_t count,
                        heed_tensor **indices);

#endif
