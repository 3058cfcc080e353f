/* io/part.c - a tensor's elements as a part of a file. */

#include "io/part.h"

#include <heed/ops.h>

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
    *part = (heed__part){heed_data_bytes(rows), (size_t)size};
    return part->bytes != NULL;
}
