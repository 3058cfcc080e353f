/* ops/pool/avg_pool1d.c    avg_pool2d on planes of one row. */

#include "ops/pool/pool.h"

heed_tensor *heed_avg_pool1d(heed_tensor *x, heed_shape kernel, const heed_avg_pool_options *options)
{
    HEED_ENTER("avg_pool1d");
    heed__pool pool;
    return heed__avg_pool_of("avg_pool1d", 1, x, &kernel, options, &pool) ? heed__avg_pool(x, &pool) : NULL;
}
