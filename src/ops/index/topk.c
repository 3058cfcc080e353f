/* ops/index/topk.c    y = the k largest or smallest along an axis, in order.    dx = g, scattered to the indices */

#include "ops/index/sort.h"

heed_tensor *heed_topk(heed_tensor *x, int axis, int64_t k, bool largest, heed_tensor **indices)
{
    HEED_ENTER("topk");
    int64_t count = k == HEED__ALL ? -1 : k; /* HEED__ALL is not a valid count */
    return heed__sort("topk", x, axis, largest, count, indices);
}
