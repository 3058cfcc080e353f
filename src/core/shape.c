/* core/shape.c - counts, compares, broadcasts and formats shapes. */

#include <heed/shape.h>

#include <inttypes.h>
#include <stdio.h>

#include "core/tensor.h"

int64_t heed_shape_numel(heed_shape shape)
{
    return heed__numel(&shape);
}

bool heed_shape_equal(heed_shape a, heed_shape b)
{
    if (a.rank != b.rank || a.rank < 0 || a.rank > HEED_MAX_RANK)
        return false;
    for (int i = 0; i < a.rank; i++)
        if (a.dims[i] != b.dims[i])
            return false;
    return true;
}

size_t heed_shape_format(heed_shape shape, char *text, size_t size)
{
    int rank = shape.rank < 0 ? 0 : shape.rank > HEED_MAX_RANK ? HEED_MAX_RANK : shape.rank;
    char whole[24 * HEED_MAX_RANK + 16];
    size_t used = 0;
    whole[used++] = '(';
    for (int i = 0; i < rank; i++)
        used += (size_t)snprintf(whole + used, sizeof whole - used, i ? ", %" PRId64 : "%" PRId64, shape.dims[i]);
    if (shape.rank != rank)
        used += (size_t)snprintf(whole + used, sizeof whole - used, "; rank %d", shape.rank);
    whole[used++] = ')';
    whole[used] = '\0';
    if (text && size > 0)
        (void)snprintf(text, size, "%s", whole);
    return used;
}

heed_text heed_shape_text(heed_shape shape)
{
    heed_text text;
    (void)heed_shape_format(shape, text.s, sizeof text.s);
    return text;
}

bool heed_shape_broadcast(heed_shape a, heed_shape b, heed_shape *out)
{
    if (heed_shape_numel(a) < 0 || heed_shape_numel(b) < 0 || !out)
        return false;
    heed_shape result = {.rank = a.rank > b.rank ? a.rank : b.rank};
    for (int i = 1; i <= result.rank; i++) {
        int64_t da = i <= a.rank ? a.dims[a.rank - i] : 1;
        int64_t db = i <= b.rank ? b.dims[b.rank - i] : 1;
        if (da != db && da != 1 && db != 1)
            return false;
        result.dims[result.rank - i] = da == 1 ? db : da;
    }
    *out = result;
    return heed_shape_numel(result) >= 0;
}
