/* ops/pool/adaptive_max_pool2d.c    max_pool2d with windows that divide x evenly. */

#include "ops/pool/pool.h"

heed_tensor *heed_adaptive_max_pool2d(heed_tensor *x, heed_shape size, heed_tensor **indices)
{
    HEED_ENTER("adaptive_max_pool2d");
    heed__pool pool;
    if (indices)
        *indices = NULL;
    return heed__adaptive_pool_of("adaptive_max_pool2d", 2, x, &size, &pool) ? heed__max_pool(x, &pool, indices) : NULL;
}
