/* ops/attention/relative_bias.c    y[h, i, j] = table[h, R + min(max(j - i - offset, -R), R)].    dtable: the sum over the
 * pairs of each distance */

#include <inttypes.h>

#include "ops/attention/sight.h"

static const char where[] = "relative_bias";

static bool check(const heed_tensor *table, int64_t queries, int64_t keys, int64_t offset)
{
    if (!heed__check_tensor(where, table) || !heed__check_float(where, table))
        return false;
    if (table->shape.rank != 2 || table->shape.dims[1] % 2 == 0)
        return heed_fail_false(HEED_ERR_SHAPE, where, "table %s: must be (H, 2 R + 1), distances -R .. R",
                               heed_shape_text(table->shape).s);
    if (queries < 0 || keys < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%" PRId64 " queries, %" PRId64 " keys: must not be negative",
                               queries, keys);
    if (!heed__check_query_offset(where, offset))
        return false;
    const heed_shape pairs = HEED_SHAPE(queries, keys), all = HEED_SHAPE(table->shape.dims[0], queries, keys);
    return heed__check_shape(where, &pairs) && heed__check_shape(where, &all);
}

/* Of each pair, the place of its distance in a row of the table: i64 (queries keys). */
static heed_tensor *places(int64_t most, int64_t queries, int64_t keys, int64_t offset)
{
    heed_tensor *all = heed_zeros(HEED_I64, HEED_SHAPE(queries * keys));
    int64_t *at = heed_mutable_i64(all);
    for (int64_t i = 0; at && keys > 0 && i < queries; i++)
        for (int64_t j = 0; j < keys; j++, at++) {
            const int64_t distance = j - i - offset;
            *at = most + (distance < -most ? -most : distance > most ? most : distance);
        }
    return all;
}

heed_tensor *heed_relative_bias(heed_tensor *table, int64_t queries, int64_t keys, int64_t query_offset)
{
    HEED_ENTER(where);
    if (!check(table, queries, keys, query_offset))
        return NULL;
    heed_tensor *at = places(table->shape.dims[1] / 2, queries, keys, query_offset);
    return heed_reshape(heed_index_select(table, 1, at), HEED_SHAPE(table->shape.dims[0], queries, keys));
}
