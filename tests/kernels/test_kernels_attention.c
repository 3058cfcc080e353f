/* tests/kernels/test_kernels_attention.c - tests the kernels of dot-product attention of every instruction set in cases
 * whose right result is known to the last bit. Other cases are in tests/ops/test_flash_attention.c. */

#include "kernel_arrays.h"

static array q, k, v, y, statistics, g, dq, dk, dv, scratch;

typedef struct sizes {
    int64_t queries, keys, e;
} sizes;

/* Some sizes are computed by query, the others by tiles; one block of keys or two; values within a register or
 * longer. */
static const sizes all_sizes[] = {{1, 3, 5},    {8, 6, 7},     {5, 40, 8},     {33, 40, 1},   {40, 40, 9},
                                  {40, 130, 3}, {17, 113, 16}, {130, 119, 17}, {65, 130, 65}, {9, 226, 130}};
enum { SIZES = sizeof all_sizes / sizeof all_sizes[0] };

/* Scores are about ten thousand, and the largest (the first key's or the last key's) is thousands above all others, so
 * weights are 1 and 0. */
static heed__attention_args saturated(const table_walk *t, const sizes *s)
{
    for (int64_t i = 0; i < s->queries; i++)
        array_set(t->dtype, q.storage, i, i % 3 == 0 ? -3000 : 3000);
    for (int64_t j = 0; j < s->keys; j++)
        array_set(t->dtype, k.storage, j, (double)j - 0.5 * (double)(s->keys - 1));
    array_draw(t->dtype, v.storage, s->keys * s->e, -1, 1, 1);
    array_draw(t->dtype, g.storage, s->queries * s->e, -1, 1, 2);
    return (heed__attention_args){.queries = s->queries,
                                  .keys = s->keys,
                                  .d = 1,
                                  .e = s->e,
                                  .q = q.storage,
                                  .k = k.storage,
                                  .v = v.storage,
                                  .q_row = 1,
                                  .k_row = 1,
                                  .v_row = s->e,
                                  .y = y.storage,
                                  .y_row = s->e,
                                  .statistics = statistics.storage,
                                  .scale = 1,
                                  .lengths = {.heads = 1, .keys = s->keys}};
}

/* g v - g y is exactly 0, since its terms are the same numbers. */
START_TEST(saturated_weights_have_no_slope)
{
    FOR_EACH_TABLE(t)
    for (int n = 0; n < SIZES; n++) {
        const sizes *s = &all_sizes[n];
        const heed__attention_args args = saturated(&t, s);
        const heed__attention_grads into = {.g = g.storage,
                                            .g_row = s->e,
                                            .dq = dq.storage,
                                            .dk = dk.storage,
                                            .dv = dv.storage,
                                            .dq_row = 1,
                                            .dk_row = 1,
                                            .dv_row = s->e};
        ck_assert_int_le(t.kernels->attention(&args, 0, s->queries, NULL), sizeof scratch.storage);
        ck_assert_int_le(t.kernels->attention_grad(&args, &into, 0, s->keys, NULL), sizeof scratch.storage);
        t.kernels->attention(&args, 0, s->queries, scratch.storage);
        t.kernels->attention_grad(&args, &into, 0, s->keys, scratch.storage);
        for (int64_t i = 0; i < s->queries; i++) {
            const int64_t nearest = i % 3 == 0 ? 0 : s->keys - 1;
            for (int64_t c = 0; c < s->e; c++)
                EXPECT(array_get(t.dtype, y.storage, i * s->e + c) == array_get(t.dtype, v.storage, nearest * s->e + c),
                       "%s, sizes %d: y of query %d", t.name, n, (int)i);
            EXPECT(array_get(t.dtype, dq.storage, i) == 0, "%s, sizes %d: dq %d is %g", t.name, n, (int)i,
                   array_get(t.dtype, dq.storage, i));
        }
        for (int64_t j = 0; j < s->keys; j++)
            EXPECT(array_get(t.dtype, dk.storage, j) == 0, "%s, sizes %d: dk %d is %g", t.name, n, (int)j,
                   array_get(t.dtype, dk.storage, j));
    }
}
END_TEST

HEED_TEST_MAIN("kernels of dot-product attention", saturated_weights_have_no_slope)
