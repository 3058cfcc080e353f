/* io/part.c - chunks, which are concatenated to make a file. */

#include "io/part.h"

#include <stdint.h>

#include <heed/ops.h>

#include "io/elements.h"

bool heed__io_part(const char *where, heed_tensor *t, heed__part *part)
{
    const size_t element = heed_dtype_size(heed_dtype_of(t));
    int64_t size;
    if (__builtin_mul_overflow(heed_numel(t), (int64_t)element, &size) || size > INT64_MAX / 2)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "no file holds the elements of a view of shape %s",
                               heed_shape_text(heed_shape_of(t)).s);
    heed_tensor *rows = heed_contiguous(t);
    if (!rows)
        return false;
    *part = (heed__part){
        .bytes = heed_data_bytes(rows), .size = (size_t)size, .reversed = HEED_BIG_ENDIAN && element > 1 ? element : 0};
    return part->bytes != NULL;
}

static void reverse(const uint8_t *from, size_t size, size_t element, uint8_t *to)
{
    for (size_t at = 0; at < size; at += element)
        for (size_t i = 0; i < element; i++)
            to[at + i] = from[at + element - 1 - i];
}

bool heed__part_each(const heed__part *part, heed__take_bytes *take, void *user)
{
    uint8_t piece[2048]; /* a multiple of all element sizes */
    if (part->reversed == 0)
        return part->size == 0 || take(user, part->bytes, part->size);
    for (size_t at = 0, n; at < part->size; at += n) {
        n = part->size - at < sizeof piece ? part->size - at : sizeof piece;
        reverse((const uint8_t *)part->bytes + at, n, part->reversed, piece);
        if (!take(user, piece, n))
            return false;
    }
    return true;
}
