/* io/data.c - where the readers write. */

#include "io/data.h"

void *heed__io_data(heed_tensor *t)
{
    switch (heed_dtype_of(t)) {
    case HEED_F32:
        return heed_mutable_f32(t);
    case HEED_F64:
        return heed_mutable_f64(t);
    case HEED_I64:
        return heed_mutable_i64(t);
    case HEED_BOOL:
        return heed_mutable_bool(t);
    }
    return NULL;
}
