/* tests/kernels/test_kernels_attention.c - tests the kernels of dot-product attention of every instruction set against
 * their reference, and in cases whose right result is known to the last bit. Other cases are in
 * tests/ops/test_flash_attention.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "expected_attention.h"

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
                                  .visibility = {.heads = 1, .keys = s->keys}};
}

/* g v - g y is exactly 0, since its terms are the same numbers. */
START_TEST(saturated_weights_have_no_slope)
{
    FOR_EACH_TABLE(t)
    for (int n = 0; n < SIZES; n++) {
        const sizes *s = &all_sizes[n];
        heed__attention_args args = saturated(&t, s);
        const heed__attention_grads into = {.g = g.storage,
                                            .g_row = s->e,
                                            .dq = dq.storage,
                                            .dk = dk.storage,
                                            .dv = dv.storage,
                                            .dq_row = 1,
                                            .dk_row = 1,
                                            .dv_row = s->e};
        args.by_query = heed__attention_by_query(&args);
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

/* -- Against the reference ----------------------------------------------------------------------------------------- */

/* Ways to hide keys, to add to scores and to drop weights; TOGETHER combines all of them except for the mask. */
enum { EVERY_KEY, CAUSAL, LENGTHS_OF_ROWS, WINDOW, MASK, BIAS, BY_DISTANCE, DROPOUT, TOGETHER, KINDS };

static array bias, distances, dbias, distance_sum, distance_lost;
static bool mask[ARRAY_MAX];
static int64_t lens[256];

/* Queries are shorter than keys or longer, so that a causal query may see no key. Some biases are -inf. */
static heed__attention_args drawn(int dtype, const sizes *s, int64_t d, int kind)
{
    static const heed__dropout_numbers dropout = {.seed = 5, .position = 3, .threshold = 1 << 30, .factor = 4.0 / 3};
    const bool all = kind == TOGETHER;
    array_draw(dtype, q.storage, s->queries * d, -2, 2, 1);
    array_draw(dtype, k.storage, s->keys * d, -2, 2, 2);
    array_draw(dtype, v.storage, s->keys * s->e, -1, 1, 3);
    array_draw(dtype, g.storage, s->queries * s->e, -1, 1, 4);
    array_draw(dtype, bias.storage, s->queries * s->keys, -1, 1, 5);
    array_draw(dtype, distances.storage, s->queries + s->keys, -1, 1, 6);
    for (int64_t i = 0; i < s->queries; i++)
        lens[i] = (i * 31 + 17) % (s->keys + 1);
    for (int64_t i = 0; i < s->queries * s->keys; i++) {
        mask[i] = i * i % 7 < 3;
        if (i % 11 == 3)
            array_set(dtype, bias.storage, i, -INFINITY);
    }
    heed__attention_args args = {.queries = s->queries,
                                 .keys = s->keys,
                                 .d = d,
                                 .e = s->e,
                                 .q = q.storage,
                                 .k = k.storage,
                                 .v = v.storage,
                                 .q_row = d,
                                 .k_row = d,
                                 .v_row = s->e,
                                 .y = y.storage,
                                 .y_row = s->e,
                                 .statistics = statistics.storage,
                                 .scale = 0.3,
                                 .dropout = kind == DROPOUT || all ? &dropout : NULL,
                                 .first = 5,
                                 .visibility = {.lengths = kind == LENGTHS_OF_ROWS || all ? lens : NULL,
                                                .length_step = {.query = 1},
                                                .heads = 1,
                                                .keys = s->keys,
                                                .causal = kind == CAUSAL || all,
                                                .offset = kind == CAUSAL || all ? 1 : 0,
                                                .window = kind == WINDOW || all ? 1 + s->keys / 3 : 0}};
    const heed__pair_steps of_rows = {.query = s->keys, .key = 1};
    args.by_query = heed__attention_by_query(&args);
    args.visibility.mask_step = args.visibility.bias_step = of_rows;
    args.visibility.mask = kind == MASK ? mask : NULL;
    args.visibility.bias = kind == BIAS || all ? bias.storage : NULL;
    if (kind == BY_DISTANCE || all)
        args.visibility.relative_bias = array_at(dtype, distances.storage, s->queries - 1);
    return args;
}

/* Scores have sums of d terms, y of `keys`, gradients of `queries`, `keys` and e terms; an error of a score is a
 * relative error of its weight and of all others. */
static void find_limits_of(int dtype, const reference_attention *a)
{
    double score = 0;
    for (int64_t i = 0; i < a->queries * a->d; i++)
        score = fmax(score, fabs(a->q[i]));
    score = score * 2 * a->scale * (double)a->d + 2; /* keys are at most 2, biases together at most 2 */
    const double scores = 4 * score * (1 + (double)a->d / 8), sums = (double)(a->queries + a->keys) / 8;
    find_limits(a, epsilon(dtype) * (scores + sums + 8), epsilon(dtype) * 2 * (1 + (double)a->e / 8));
}

static void check_distances(const table_walk *t, const reference_attention *a)
{
    for (int64_t distance = 1 - a->queries; distance < a->keys; distance++) {
        double sum = 0, limit = smallest(t->dtype);
        for (int64_t i = 0; i < a->queries; i++)
            if (i + distance >= 0 && i + distance < a->keys) {
                sum += expected.ds[i * a->keys + i + distance];
                limit += expected.ds_off[i * a->keys + i + distance];
            }
        const int64_t at = distance + a->queries - 1;
        expect_near(t, "distance",
                    array_get(t->dtype, distance_sum.storage, at) + array_get(t->dtype, distance_lost.storage, at), sum,
                    distance, limit);
    }
}

static void check_attention(const table_walk *t, const sizes *s, int64_t d, int kind)
{
    const heed__attention_args args = drawn(t->dtype, s, d, kind);
    describe_case("%dx%dx%dx%d, kind %d", (int)s->queries, (int)s->keys, (int)d, (int)s->e, kind);
    const bool any = heed__has_score_bias(&args.visibility);
    const heed__attention_grads into = {
        .g = g.storage,
        .g_row = s->e,
        .dq = dq.storage,
        .dk = dk.storage,
        .dv = dv.storage,
        .dq_row = d,
        .dk_row = d,
        .dv_row = s->e,
        .dbias = any ? dbias.storage : NULL,
        .distance_sum = any ? array_at(t->dtype, distance_sum.storage, s->queries - 1) : NULL,
        .distance_lost = any ? array_at(t->dtype, distance_lost.storage, s->queries - 1) : NULL};
    array *const zeros[] = {&dbias, &distance_sum, &distance_lost};
    for (int i = 0; i < 3; i++)
        array_draw(t->dtype, zeros[i]->storage, s->queries * s->keys + s->queries + s->keys, 0, 0, 1);
    ck_assert_int_le(t->kernels->attention(&args, 0, s->queries, NULL), sizeof scratch.storage);
    ck_assert_int_le(t->kernels->attention_grad(&args, &into, 0, s->keys, NULL), sizeof scratch.storage);
    t->kernels->attention(&args, 0, s->queries, scratch.storage);
    t->kernels->attention_grad(&args, &into, 0, s->keys, scratch.storage);
    const reference_attention a = expect_attention(t->dtype, &args, g.storage);
    find_limits_of(t->dtype, &a);
    expect_all_within(t, "y", &y, expected.y, expected.y_off, s->queries * s->e, 1);
    expect_all_within(t, "dq", &dq, expected.dq, expected.dq_off, s->queries * d, 1);
    expect_all_within(t, "dk", &dk, expected.dk, expected.dk_off, s->keys * d, 1);
    expect_all_within(t, "dv", &dv, expected.dv, expected.dv_off, s->keys * s->e, 1);
    if (any) {
        expect_all_within(t, "dbias", &dbias, expected.ds, expected.ds_off, s->queries * s->keys, 1);
        check_distances(t, &a);
    }
}

START_TEST(attention_is_right)
{
    static const int64_t ds[] = {5, 8, 1, 16, 7, 3, 33, 24, 2, 64};
    FOR_EACH_TABLE(t)
    for (int n = 0; n < SIZES; n++)
        for (int kind = 0; kind < KINDS; kind++)
            check_attention(&t, &all_sizes[n], ds[n], kind);
}
END_TEST

HEED_TEST_MAIN("kernels of dot-product attention", attention_is_right, saturated_weights_have_no_slope)
