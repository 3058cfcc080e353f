/* ops/pool/adaptive_avg_pool1d.c    avg_pool2d with windows that divide x evenly. */

#include "ops/pool/pool.h"

heed_tensor *heed_adaptive_avg_pool1d(heed_tensor *x, heed_shape size)
{
    HEED_ENTER("adaptive_avg_pool1d");
    heed__pool pool;
    return heed__adaptive_pool_of("adaptive_avg_pool1d", 1, x, &size, &pool) ? heed__avg_pool(x, &pool) : NULL;
}
