/* tests/kernels/test_kernels_attention_bf16.c - tests dot-product attention with pairs of bf16, emulated and with the
 * CPU's instructions if it has them: errors against the reference, numbers that bf16 cannot represent, ranges.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "expected_attention.h"

heed__attention_kernel emulated_attention;
heed__attention_grad_kernel emulated_attention_grad;

typedef struct variant {
    const char *name, *isa;
    heed__attention_kernel *forward;
    heed__attention_grad_kernel *backward;
} variant;

typedef struct sizes {
    int64_t queries, keys, d, e;
} sizes;

/* Full and incomplete blocks of queries and keys; odd numbers of terms; less than a register, and more. */
static const sizes all_sizes[] = {{16, 16, 16, 16}, {33, 40, 17, 31},  {128, 112, 32, 32}, {130, 113, 61, 33},
                                  {64, 225, 64, 7}, {129, 226, 5, 65}, {17, 5, 33, 16},    {300, 119, 16, 40}};
enum { SIZES = sizeof all_sizes / sizeof all_sizes[0] };

/* The inputs and outputs of a call. */
typedef struct problem {
    sizes n;
    array q, k, v, g, y, statistics, dq, dk, dv;
    heed__attention_args args;
    heed__attention_grads grads;
} problem;
static problem one, other;
static _Alignas(64) unsigned char scratch[1 << 22];

static int list_variants(variant out[2])
{
    const char *named;
    out[0] = (variant){"emulated", "scalar", emulated_attention, emulated_attention_grad};
    out[1] = (variant){"pairs", "avx512", heed__choose_isa(&named) ? heed__attention_bf16() : NULL,
                       heed__attention_grad_bf16()};
    return out[1].forward ? 2 : 1;
}

#define FOR_EACH_VARIANT(w)                                                                                            \
    variant all_variants_[2];                                                                                          \
    const int count_ = list_variants(all_variants_);                                                                   \
    for (const variant *w = all_variants_; w < all_variants_ + count_; w++)

/* Random numbers, rounded to bf16 if `round_them`; a query sees only some of the keys. */
static void set_up(problem *p, const sizes *n, bool round_them, uint64_t seed)
{
    const int64_t counts[] = {n->queries * n->d, n->keys * n->d, n->keys * n->e, n->queries * n->e};
    array *const arrays[] = {&p->q, &p->k, &p->v, &p->g};
    p->n = *n;
    for (int i = 0; i < 4; i++) {
        array_draw(HEED_F32, arrays[i]->storage, counts[i], -2, 2, seed + (uint64_t)i);
        for (int64_t at = 0; round_them && at < counts[i]; at++)
            array_set(HEED_F32, arrays[i]->storage, at, bf16_of(array_get(HEED_F32, arrays[i]->storage, at)));
    }
    p->args = (heed__attention_args){.queries = n->queries,
                                     .keys = n->keys,
                                     .d = n->d,
                                     .e = n->e,
                                     .q = p->q.storage,
                                     .k = p->k.storage,
                                     .v = p->v.storage,
                                     .q_row = n->d,
                                     .k_row = n->d,
                                     .v_row = n->e,
                                     .y = p->y.storage,
                                     .y_row = n->e,
                                     .statistics = p->statistics.storage,
                                     .scale = 0.25,
                                     .visibility = {.heads = 1, .keys = n->keys, .causal = seed % 2 == 1},
                                     .pairs = true};
    p->args.by_query = heed__attention_by_query(&p->args);
    p->grads = (heed__attention_grads){.g = p->g.storage,
                                       .g_row = n->e,
                                       .dq = p->dq.storage,
                                       .dk = p->dk.storage,
                                       .dv = p->dv.storage,
                                       .dq_row = n->d,
                                       .dk_row = n->d,
                                       .dv_row = n->e};
}

static void run_range(problem *p, const variant *by, int64_t begin, int64_t end, bool backward)
{
    const size_t bytes = (size_t)(backward ? by->backward(&p->args, &p->grads, begin, end, NULL)
                                           : by->forward(&p->args, begin, end, NULL));
    ck_assert_uint_lt(bytes, sizeof scratch);
    memset(scratch, 0xff, bytes); /* NaN */
    scratch[bytes] = 0x5a;
    if (backward)
        by->backward(&p->args, &p->grads, begin, end, scratch);
    else
        by->forward(&p->args, begin, end, scratch);
    EXPECT(scratch[bytes] == 0x5a, "%s: writes behind its scratch", by->name);
}

static void run(problem *p, const variant *by)
{
    run_range(p, by, 0, p->n.queries, false);
    run_range(p, by, 0, p->n.keys, true);
}

static void run_in_f32(problem *p, const char *isa)
{
    const kernel_table *kernels = kernels_of(isa, HEED_F32);
    p->args.pairs = false;
    run(p, &(variant){"f32", isa, kernels->attention, kernels->attention_grad});
}

/* -- Values -------------------------------------------------------------------------------------------------------- */

static void compare(const char *name, const sizes *n, const char *what, const array *found, const double *exact,
                    const double *limits, int64_t count)
{
    static const double tiny = 2e-5;
    for (int64_t i = 0; i < count; i++) {
        const double y = array_get(HEED_F32, found->storage, i);
        EXPECT(fabs(y - exact[i]) <= limits[i] + tiny, "%s, %dx%dx%dx%d: %s[%d] is %.9g, not %.9g to %.2g", name,
               (int)n->queries, (int)n->keys, (int)n->d, (int)n->e, what, (int)i, y, exact[i], limits[i]);
    }
}

/* If bf16 represents all numbers, scores and products with g are exact except for their sums. Rounding changes a weight
 * or a slope by a relative error of at most 2^-8; y, from which D is computed, changes accordingly. */
START_TEST(sums_of_rounded_weights)
{
    FOR_EACH_VARIANT(by)
    for (int i = 0; i < 2 * SIZES; i++) {
        const sizes *n = &all_sizes[i / 2];
        set_up(&one, n, true, (uint64_t)i);
        run(&one, by);
        const reference_attention a = expect_attention(HEED_F32, &one.args, one.g.storage);
        find_limits(&a, 0x1.08p-8, 0);
        compare(by->name, n, "y", &one.y, expected.y, expected.y_off, n->queries * n->e);
        compare(by->name, n, "dq", &one.dq, expected.dq, expected.dq_off, n->queries * n->d);
        compare(by->name, n, "dk", &one.dk, expected.dk, expected.dk_off, n->keys * n->d);
        compare(by->name, n, "dv", &one.dv, expected.dv, expected.dv_off, n->keys * n->e);
    }
}
END_TEST

/* -- Bits ---------------------------------------------------------------------------------------------------------- */

static bool same_bits(const array *a, const array *b, int64_t n)
{
    return memcmp(a->storage, b->storage, (size_t)n * sizeof(float)) == 0;
}

static void expect_same(const problem *a, const problem *b, const char *name, const char *what)
{
    const sizes *n = &a->n;
    const array *const of_a[] = {&a->y, &a->dq, &a->dk, &a->dv}, *const of_b[] = {&b->y, &b->dq, &b->dk, &b->dv};
    const int64_t counts[] = {n->queries * n->e, n->queries * n->d, n->keys * n->d, n->keys * n->e};
    for (int i = 0; i < 4; i++)
        EXPECT(same_bits(of_a[i], of_b[i], counts[i]), "%s, %dx%dx%dx%d: result %d: %s", name, (int)n->queries,
               (int)n->keys, (int)n->d, (int)n->e, i, what);
}

/* The bits are the same whether the caller or the kernel rounds: everything computed from q, k, v and g, including D,
 * uses them as bf16. The scale is a power of 2, so it commutes with rounding. */
START_TEST(factors_are_rounded)
{
    FOR_EACH_VARIANT(by)
    for (int i = 0; i < SIZES; i++) {
        set_up(&one, &all_sizes[i], false, (uint64_t)i);
        set_up(&other, &all_sizes[i], true, (uint64_t)i);
        run(&one, by);
        run(&other, by);
        expect_same(&one, &other, by->name, "not the same as of rounded numbers");
    }
}
END_TEST

/* bf16 cannot represent a key and its value, or all queries: results computed from them have the bits of f32. */
START_TEST(numbers_that_bf16_cannot_represent)
{
    static const double numbers[] = {0x1.01p126, 0x1p-127, -0x1p-149, FLT_MIN / 2};
    FOR_EACH_VARIANT(by)
    for (int i = 0; i < 4; i++) {
        const sizes n = {40, 100, 20, 24};
        for (int changed = 0; changed < 2; changed++) {
            problem *p = changed ? &other : &one;
            set_up(p, &n, false, 2);
            array_set(HEED_F32, p->v.storage, 99 * 24 + 5, numbers[i]);
            array_set(HEED_F32, p->k.storage, 99 * 20 + 7, i == 0 ? 0x1p-130 : numbers[i]);
            for (int64_t query = 0; query < 40; query += 4) {
                array_set(HEED_F32, p->q.storage, query * 20 + 3, numbers[3]);
                array_set(HEED_F32, p->g.storage, query * 24 + 3, numbers[3]);
            }
        }
        run(&one, by);
        run_in_f32(&other, by->isa);
        expect_same(&one, &other, by->name, "not the bits of f32");
        set_up(&one, &n, false, 2);
        run(&one, by);
        EXPECT(!same_bits(&one.y, &other.y, 40 * 24), "%s: f32 without a reason", by->name);
    }
}
END_TEST

/* Numbers that would round to infinity, times 0. */
START_TEST(numbers_beyond_bf16)
{
    FOR_EACH_VARIANT(by)
    for (int i = 0; i < 4; i++) {
        const sizes n = {40, 100, 20, 24};
        set_up(&one, &n, false, 2);
        array *const arrays[] = {&one.q, &one.k, &one.v, &one.g};
        const int64_t row = i < 2 ? n.d : n.e, rows = i % 3 ? n.keys : n.queries;
        const int64_t partner = (const int[]){1, 0, 3, 2}[i];
        for (int64_t at = 0; at < (partner % 3 ? n.keys : n.queries); at++)
            array_set(HEED_F32, arrays[partner]->storage, at * row + 5, 0);
        array_set(HEED_F32, arrays[i]->storage, (rows - 1) / 2 * row + 5, 0x1.ffcp127);
        run(&one, by);
        const array *const found[] = {&one.y, &one.dq, &one.dk, &one.dv};
        const int64_t counts[] = {n.queries * n.e, n.queries * n.d, n.keys * n.d, n.keys * n.e};
        for (int a = 0; a < 4; a++)
            for (int64_t at = 0; at < counts[a]; at++)
                EXPECT(isfinite(array_get(HEED_F32, found[a]->storage, at)), "%s, %d: result %d, element %d is %g",
                       by->name, i, a, (int)at, array_get(HEED_F32, found[a]->storage, at));
    }
}
END_TEST

/* NaN and infinity propagate as in f32. */
START_TEST(numbers_that_are_not_finite)
{
    static const double numbers[] = {NAN, INFINITY, -INFINITY};
    FOR_EACH_VARIANT(by)
    for (int i = 0; i < 3 * 4; i++) {
        const sizes n = {140, 130, 17, 33};
        set_up(&one, &n, false, 1);
        set_up(&other, &n, false, 1);
        for (int changed = 0; changed < 2; changed++) {
            problem *p = changed ? &other : &one;
            array *const arrays[] = {&p->q, &p->k, &p->v, &p->g};
            array_set(HEED_F32, arrays[i / 3]->storage, 70 * (i / 3 < 2 ? 17 : 33) + 4, numbers[i % 3]);
        }
        run(&one, by);
        run_in_f32(&other, by->isa);
        const array *const found[] = {&one.y, &one.dq, &one.dk, &one.dv}, *const f32[] = {&other.y, &other.dq,
                                                                                          &other.dk, &other.dv};
        const int64_t counts[] = {140 * 33, 140 * 17, 130 * 17, 130 * 33};
        for (int a = 0; a < 4; a++)
            for (int64_t at = 0; at < counts[a]; at++) {
                const double x = array_get(HEED_F32, found[a]->storage, at),
                             y = array_get(HEED_F32, f32[a]->storage, at);
                EXPECT(isfinite(y) ? fabs(x - y) <= 0.1 * (1 + fabs(y)) : same(x, y),
                       "%s, %d: result %d, element %d is %g, not %g", by->name, i, a, (int)at, x, y);
            }
    }
}
END_TEST

START_TEST(ranges_give_the_same_bits)
{
    FOR_EACH_VARIANT(by)
    for (int i = 0; i < 2; i++) {
        const sizes n = {300, 300, 33, 40};
        set_up(&one, &n, false, (uint64_t)i);
        set_up(&other, &n, false, (uint64_t)i);
        run(&one, by);
        run_range(&other, by, 128, 300, false);
        run_range(&other, by, 0, 128, false);
        run_range(&other, by, 224, 300, true);
        run_range(&other, by, 0, 224, true);
        memcpy(other.dq.storage, one.dq.storage, sizeof one.dq); /* every call writes its own share */
        expect_same(&one, &other, by->name, "not the same in parts");
    }
}
END_TEST

/* Weights are 1 and 0: y is a rounded value, and the slopes are 0. */
START_TEST(saturated_weights_have_no_slope)
{
    FOR_EACH_VARIANT(by)
    for (int i = 0; i < SIZES; i++) {
        const sizes *n = &all_sizes[i];
        set_up(&one, n, false, 0);
        for (int64_t j = 0; j < n->keys * n->d; j++)
            array_set(HEED_F32, one.k.storage, j, j % n->d == 0 ? (double)(j / n->d) - 0.5 * (double)(n->keys - 1) : 0);
        for (int64_t query = 0; query < n->queries; query++)
            array_set(HEED_F32, one.q.storage, query * n->d, query % 3 == 0 ? -12000 : 12000);
        run(&one, by);
        for (int64_t at = 0; at < n->queries * n->e; at++) {
            const int64_t nearest = at / n->e % 3 == 0 ? 0 : n->keys - 1;
            EXPECT(array_get(HEED_F32, one.y.storage, at) ==
                       bf16_of(array_get(HEED_F32, one.v.storage, nearest * n->e + at % n->e)),
                   "%s, sizes %d: y %d", by->name, i, (int)at);
        }
        for (int64_t at = 0; at < n->queries * n->d; at++)
            EXPECT(array_get(HEED_F32, one.dq.storage, at) == 0, "%s, sizes %d: dq %d is %g", by->name, i, (int)at,
                   array_get(HEED_F32, one.dq.storage, at));
        for (int64_t at = 0; at < n->keys * n->d; at++)
            EXPECT(array_get(HEED_F32, one.dk.storage, at) == 0, "%s, sizes %d: dk %d is %g", by->name, i, (int)at,
                   array_get(HEED_F32, one.dk.storage, at));
    }
}
END_TEST

HEED_TEST_MAIN("kernels of attention by pairs of bf16", sums_of_rounded_weights, factors_are_rounded,
               numbers_that_bf16_cannot_represent, numbers_beyond_bf16, numbers_that_are_not_finite,
               ranges_give_the_same_bits, saturated_weights_have_no_slope)
