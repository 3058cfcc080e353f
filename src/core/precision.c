/* core/precision.c - how exact products of f32 have to be. */

#include <heed/precision.h>

#include "core/thread.h"

heed_status heed_set_matmul_precision(heed_precision precision)
{
    if ((unsigned)precision > HEED_PRECISION_MEDIUM)
        return heed_fail(HEED_ERR_ARGUMENT, "set_matmul_precision", "precision is %d: must be a heed_precision",
                         (int)precision);
    heed__thread()->precision = precision;
    return HEED_OK;
}

heed_precision heed_matmul_precision(void)
{
    return heed__thread()->precision;
}
