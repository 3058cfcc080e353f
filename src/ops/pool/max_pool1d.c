/* ops/pool/max_pool1d.c    max_pool2d on planes of one row. */

#include "ops/pool/pool.h"

heed_tensor *heed_max_pool1d(heed_tensor *x, heed_shape kernel, const heed_max_pool_options *options,
                             heed_tensor **indices)
{
    HEED_ENTER("max_pool1d");
    heed__pool pool;
    if (indices)
        *indices = NULL;
    return heed__pool_of("max_pool1d", 1, x, &kernel, options, &pool) ? heed__max_pool(x, &pool, indices) : NULL;
}
