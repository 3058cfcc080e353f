/* io/data.c - where the readers write, and the writers read. */

#include "io/data.h"

#include <heed/ops.h>

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
    default:
        return heed_mutable_bool(t);
    }
}

static const void *data_of(const heed_tensor *t)
{
    switch (heed_dtype_of(t)) {
    case HEED_F32:
        return heed_data_f32(t);
    case HEED_F64:
        return heed_data_f64(t);
    case HEED_I64:
        return heed_data_i64(t);
    case HEED_BOOL:
    default:
        return heed_data_bool(t);
    }
}

bool heed__io_part(const char *where, heed_tensor *t, heed__part *part)
{
    int64_t size;
    if (__builtin_mul_overflow(heed_numel(t), (int64_t)heed_dtype_size(heed_dtype_of(t)), &size) ||
        size > INT64_MAX / 2)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "no file holds the elements of a view of shape %s",
                               heed_shape_text(heed_shape_of(t)).s);
    heed_tensor *rows = heed_contiguous(t);
    if (!rows)
        return false;
    *part = (heed__part){data_of(rows), (size_t)size};
    return part->bytes != NULL;
}
