/* ops/valid_lens.c - see valid_lens.h. */

#include "ops/valid_lens.h"

#include <inttypes.h>
#include <string.h>

/* -- Checks -------------------------------------------------------------------------------------------------------- */

static bool check_shape(const char *where, const heed_tensor *lens, int64_t batch, int64_t rows)
{
    const heed_shape *shape = &lens->shape;
    const bool by_row = shape->rank == 2 && (rows == HEED_ANY_ROWS || shape->dims[1] == rows);
    if ((shape->rank == 1 || by_row) && shape->dims[0] == batch)
        return true;
    if (rows == HEED_ANY_ROWS)
        return heed_fail_false(HEED_ERR_SHAPE, where, "valid_lens is %s: must be (%" PRId64 ") or (%" PRId64 ", any)",
                               heed_shape_text(*shape).s, batch, batch);
    return heed_fail_false(HEED_ERR_SHAPE, where,
                           "valid_lens is %s: must be (%" PRId64 ") or (%" PRId64 ", %" PRId64 ")",
                           heed_shape_text(*shape).s, batch, batch, rows);
}

static bool out_of_range(const char *where, int rank, int64_t b, int64_t row, int64_t length, int64_t keys)
{
    const heed_shape at = {.rank = rank, .dims = {b, row}};
    return heed_fail_false(HEED_ERR_INDEX, where, "valid length %" PRId64 " at %s is outside 0 .. %" PRId64, length,
                           heed_shape_text(at).s, keys);
}

bool heed__check_lengths(const char *where, const heed_tensor *lens, int64_t batch, int64_t rows, int64_t keys)
{
    if (lens->dtype != HEED_I64)
        return heed_fail_false(HEED_ERR_DTYPE, where, "valid_lens is %s %s: must be i64", heed_dtype_name(lens->dtype),
                               heed_shape_text(lens->shape).s);
    if (!check_shape(where, lens, batch, rows))
        return false;
    const int64_t *lengths = (const void *)lens->data;
    const bool by_row = lens->shape.rank == 2;
    const int64_t columns = by_row ? lens->shape.dims[1] : 1, step = by_row ? lens->strides[1] : 0;
    for (int64_t b = 0; b < batch && columns > 0; b++)
        for (int64_t row = 0; row < columns; row++) {
            const int64_t length = lengths[b * lens->strides[0] + row * step];
            if (length < 0 || length > keys)
                return out_of_range(where, lens->shape.rank, b, row, length, keys);
        }
    return true;
}

/* -- Access -------------------------------------------------------------------------------------------------------- */

heed__lengths heed__lengths_of(const heed_tensor *lens, int64_t batch, int64_t keys, bool causal)
{
    heed__lengths lengths = {.heads = 1, .keys = keys, .causal = causal};
    if (!lens)
        return lengths;
    if (lens->dtype == HEED_BOOL) {
        lengths.visible = (const void *)lens->data;
        lengths.batch_step = lens->shape.dims[1] * keys;
        return lengths;
    }
    lengths.at = (const void *)lens->data;
    lengths.heads = lens->shape.dims[0] > 0 && batch > 0 ? batch / lens->shape.dims[0] : 1;
    lengths.batch_step = lens->strides[0];
    lengths.row_step = lens->shape.rank == 2 ? lens->strides[1] : 0;
    return lengths;
}

/* Returns a bool tensor (batch, rows, keys): true if the row sees the key. */
static heed_tensor *visible_mask(const heed__lengths *lengths, int64_t batch, int64_t rows)
{
    heed_tensor *mask = heed_zeros(HEED_BOOL, HEED_SHAPE(batch, rows, lengths->keys));
    bool *out = heed_mutable_bool(mask);
    for (int64_t n = 0; out && n < batch; n++) {
        const heed__lengths own = heed__lengths_in(lengths, n);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < heed__length(&own, i); j++)
                out[(n * rows + i) * lengths->keys + j] = heed__is_visible(&own, i, j);
    }
    return mask;
}

heed_tensor *heed__where_visible(heed_tensor *x, const heed__lengths *lengths, double other)
{
    if (!x || x->numel == 0 || (!lengths->at && !lengths->causal && !lengths->visible))
        return x;
    heed_tensor *mask = visible_mask(lengths, x->shape.dims[0], heed__lengths_differ(lengths) ? x->shape.dims[1] : 1);
    if (x->shape.rank == 4)
        mask = heed_unsqueeze(mask, 3);
    return heed_where(mask, x, heed_full(x->dtype, HEED_SCALAR, other));
}
