/* tests/kernels/test_kernels_additive.c - tests the kernels of additive attention of every instruction set against
 * their reference.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/attention/reference.h"

enum { MAX_ROWS = 40, MAX_KEYS = 150, MAX_UNITS = 70 };

static array a, b, w, y, again, g, da, db, dw, scratch;
static int64_t lens[MAX_ROWS];

typedef struct sizes {
    int64_t rows, keys, units;
} sizes;

/* The kernels' tiles and blocks have sizes 4, 16, 32 and 64. */
static const sizes all_sizes[] = {{1, 1, 1},   {1, 10, 8},  {7, 5, 3},    {3, 4, 16},  {2, 17, 15},  {5, 3, 17},
                                  {2, 7, 31},  {4, 64, 32}, {3, 65, 33},  {32, 63, 7}, {17, 66, 64}, {31, 129, 5},
                                  {8, 19, 40}, {2, 8, 65},  {32, 1, 48},  {1, 130, 1}, {0, 3, 4},    {3, 0, 4},
                                  {3, 4, 0},   {9, 37, 24}, {11, 13, 70}, {6, 9, 12}};
enum { SIZES = sizeof all_sizes / sizeof all_sizes[0] };

/* Kinds of numbers: SMALL ones need the digits of tanh near 0; LARGE ones reach the largest products of exponentials;
 * OPPOSITE ones are a and b that mostly cancel; some of the WILD ones are too large for the products. */
enum { PLAIN, SMALL, LARGE, OPPOSITE, WILD, KINDS };

static double width_of(int kind)
{
    return kind == PLAIN ? 2 : kind == SMALL ? 1e-6 : kind == LARGE ? 12 : kind == OPPOSITE ? 1 : 90;
}

static void draw_numbers(int dtype, const sizes *s, int kind, double of_w)
{
    double width = width_of(kind) * (kind == LARGE && dtype == HEED_F64 ? 8 : 1);
    uint64_t seed = (uint64_t)(s->rows + 7 * s->keys + 31 * s->units + kind);
    array_draw(dtype, a.storage, s->rows * s->units, -width, width, seed);
    array_draw(dtype, b.storage, s->keys * s->units, -width, width, seed + 1);
    array_draw(dtype, w.storage, s->units, -of_w, of_w, seed + 2);
    array_draw(dtype, g.storage, s->rows * s->keys, -1, 1, seed + 3);
    for (int64_t h = 0; h < s->units && kind == OPPOSITE; h++) {
        double far = 8.5 * (h % 2 ? -1 : 1);
        for (int64_t i = h; i < s->rows * s->units; i += s->units)
            array_set(dtype, a.storage, i, array_get(dtype, a.storage, i) + far);
        for (int64_t j = h; j < s->keys * s->units; j += s->units)
            array_set(dtype, b.storage, j, array_get(dtype, b.storage, j) - far);
    }
}

/* Valid lengths: NULL; one for all rows; one per row; or one for all, where row i sees at most i + 1 keys. */
enum { ALL_KEYS, ONE_LENGTH, A_LENGTH_EACH, CAUSAL, LENGTH_KINDS };

static heed__additive_args args_of(const sizes *s, int length_kind)
{
    for (int64_t i = 0; i < s->rows; i++)
        lens[i] = (i * 31 + 17) % (s->keys + 1);
    return (heed__additive_args){.rows = s->rows,
                                 .keys = s->keys,
                                 .units = s->units,
                                 .a = a.storage,
                                 .b = b.storage,
                                 .w = w.storage,
                                 .visibility = {.lengths = length_kind == ALL_KEYS ? NULL : lens,
                                                .length_step = {.query = length_kind == A_LENGTH_EACH},
                                                .heads = 1,
                                                .keys = s->keys,
                                                .causal = length_kind == CAUSAL}};
}

static int64_t length(const heed__additive_args *s, int64_t i)
{
    return heed__visible_range(&s->visibility, s->first + i).end;
}

/* -- Expected values ----------------------------------------------------------------------------------------------- */

enum { MAX_PAIRS = MAX_ROWS * MAX_KEYS, MAX_A = MAX_ROWS * MAX_UNITS, MAX_B = MAX_KEYS * MAX_UNITS };

/* Inputs, results of the reference, and how far results are off if a and b change in their last places. */
static struct {
    double a[MAX_A], b[MAX_B], w[MAX_UNITS], g[MAX_PAIRS];
    double y[MAX_PAIRS], da[MAX_A], db[MAX_B], dw[MAX_UNITS];
    double y_off[MAX_PAIRS], da_off[MAX_A], db_off[MAX_B], dw_off[MAX_UNITS];
    int64_t lengths[MAX_ROWS];
} expected;

static reference_additive read_inputs(int dtype, const heed__additive_args *s)
{
    memset(&expected, 0, sizeof expected);
    array_read(dtype, a.storage, s->rows * s->units, expected.a);
    array_read(dtype, b.storage, s->keys * s->units, expected.b);
    array_read(dtype, w.storage, s->units, expected.w);
    array_read(dtype, g.storage, s->rows * s->keys, expected.g);
    for (int64_t i = 0; i < s->rows; i++)
        expected.lengths[i] = length(s, i) > 0 ? length(s, i) : 0;
    return (reference_additive){.rows = s->rows,
                                .keys = s->keys,
                                .units = s->units,
                                .a = expected.a,
                                .b = expected.b,
                                .w = expected.w,
                                .lengths = expected.lengths};
}

/* u = 1 - t^2 cancels, so its absolute error is as large as for a number near 1. */
static void find_limits(const reference_additive *s)
{
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t j = 0; j < s->lengths[i]; j++)
            for (int64_t h = 0; h < s->units; h++) {
                const double x = s->a[i * s->units + h], z = s->b[j * s->units + h], t = tanh(x + z);
                const double off = fabs(t) + (1 - t * t) * (fabs(x) + fabs(z)), g_ij = expected.g[i * s->keys + j];
                expected.y_off[i * s->keys + j] += fabs(s->w[h]) * off;
                expected.da_off[i * s->units + h] += fabs(g_ij * s->w[h]) * (1 + off);
                expected.db_off[j * s->units + h] += fabs(g_ij * s->w[h]) * (1 + off);
                expected.dw_off[h] += fabs(g_ij) * off;
            }
}

static void check_scores_and_gradients(const table_walk *t, const heed__additive_args *args, bool scores)
{
    const reference_additive s = read_inputs(t->dtype, args);
    describe_case("%d rows, %d keys, %d units", (int)s.rows, (int)s.keys, (int)s.units);
    const double times = 12 * epsilon(t->dtype);
    reference_add_scores(&s, expected.y);
    reference_add_scores_grad(&s, expected.g, expected.da, expected.db, expected.dw);
    find_limits(&s);
    if (scores)
        expect_all_within(t, "y", &y, expected.y, expected.y_off, s.rows * s.keys, times);
    expect_all_within(t, "da", &da, expected.da, expected.da_off, s.rows * s.units, times);
    expect_all_within(t, "db", &db, expected.db, expected.db_off, s.keys * s.units, times);
    expect_all_within(t, "dw", &dw, expected.dw, expected.dw_off, s.units, times);
}

/* -- Calls of the kernels ------------------------------------------------------------------------------------------ */

/* Computes all rows, a few at a time. */
static void run_scores(const table_walk *t, const heed__additive_args *s, void *to)
{
    for (int64_t i = 0; i < s->rows; i += HEED_ADDITIVE_ROWS) {
        heed__additive_args part = *s;
        part.rows = s->rows - i < HEED_ADDITIVE_ROWS ? s->rows - i : HEED_ADDITIVE_ROWS;
        part.a = array_at(t->dtype, a.storage, i * s->units);
        part.first = i;
        t->kernels->additive_scores(&part, array_at(t->dtype, to, i * s->keys), scratch.storage);
    }
}

static void run_gradients(const table_walk *t, const heed__additive_args *s)
{
    memset(da.storage, 0, (size_t)(s->rows * s->units) * element_size(t->dtype));
    memset(db.storage, 0, (size_t)(s->keys * s->units) * element_size(t->dtype));
    for (int64_t h = 0; h < s->units; h += HEED_ADDITIVE_UNITS) {
        int64_t end = s->units - h < HEED_ADDITIVE_UNITS ? s->units : h + HEED_ADDITIVE_UNITS;
        const heed__additive_grads grads = {.g = g.storage, .da = da.storage, .db = db.storage, .dw = dw.storage};
        t->kernels->additive_grad(s, &grads, h, end, scratch.storage);
    }
}

static void check(const table_walk *t, const sizes *s, int kind, double of_w)
{
    draw_numbers(t->dtype, s, kind, of_w);
    for (int length_kind = 0; length_kind < LENGTH_KINDS && s->rows > 0; length_kind++) {
        heed__additive_args args = args_of(s, length_kind);
        run_scores(t, &args, y.storage);
        run_gradients(t, &args);
        check_scores_and_gradients(t, &args, true);
    }
}

START_TEST(right)
{
    FOR_EACH_TABLE(t)
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < SIZES; i++)
            check(&t, &all_sizes[i], kind, 1);
}
END_TEST

/* Factors too large for the shared denominators. */
START_TEST(large_factors)
{
    FOR_EACH_TABLE(t)
    for (int i = 0; i < SIZES; i++)
        check(&t, &all_sizes[i], LARGE, t.dtype == HEED_F32 ? 1e30 : 1e300);
}
END_TEST

/* -- Elements that must not be used -------------------------------------------------------------------------------- */

static const double bad_numbers[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 3e38, 25};

static bool same_bits(const table_walk *t, const void *x, const void *z, int64_t n)
{
    return memcmp(x, z, (size_t)n * element_size(t->dtype)) == 0;
}

static void spoil(const table_walk *t, array *x, int64_t i, int64_t n, double value)
{
    for (int64_t h = 0; h < n; h += 3)
        array_set(t->dtype, x->storage, i * n + h, value);
}

/* The keys from `from` on are bad: rows that do not see them keep their bits, and so do all gradients if no row sees
 * them. */
static void check_bad_key(const table_walk *t, const heed__additive_args *s, int64_t key, double value)
{
    run_scores(t, s, again.storage);
    spoil(t, &b, key, s->units, value);
    run_scores(t, s, y.storage);
    for (int64_t i = 0; i < s->rows; i++) {
        void *got = array_at(t->dtype, y.storage, i * s->keys), *clean = array_at(t->dtype, again.storage, i * s->keys);
        EXPECT(length(s, i) > key || same_bits(t, got, clean, s->keys), "%s: row %d changes", t->name, (int)i);
        for (int64_t j = 0; j < s->keys; j++)
            EXPECT(j == key || array_get(t->dtype, got, j) == array_get(t->dtype, clean, j), "%s: key %d changes",
                   t->name, (int)j);
        EXPECT(length(s, i) <= key || !isnan(value) || isnan(array_get(t->dtype, got, key)), "%s: row %d hides it",
               t->name, (int)i);
    }
}

START_TEST(bad_keys)
{
    static const sizes s = {6, 70, 19};
    FOR_EACH_TABLE(t)
    for (int n = 0; n < 5; n++)
        for (int64_t key = 0; key < s.keys; key += 23)
            for (int length_kind = 0; length_kind < LENGTH_KINDS; length_kind++) {
                draw_numbers(t.dtype, &s, PLAIN, 1);
                heed__additive_args args = args_of(&s, length_kind);
                check_bad_key(&t, &args, key, bad_numbers[n]);
            }
}
END_TEST

/* NaN lies after the longest row, also in the gradient of the scores; rows without keys are NaN, too. */
START_TEST(gradients_of_visible_keys)
{
    static const sizes s = {5, 70, 33};
    static const int64_t some[] = {3, 0, 66, 20, 0};
    FOR_EACH_TABLE(t)
    {
        draw_numbers(t.dtype, &s, PLAIN, 1);
        heed__additive_args args = args_of(&s, A_LENGTH_EACH);
        memcpy(lens, some, sizeof some);
        for (int64_t i = 0; i < s.rows; i++)
            for (int64_t j = some[i]; j < s.keys; j++)
                array_set(t.dtype, g.storage, i * s.keys + j, (double)NAN);
        for (int64_t j = 66; j < s.keys; j++)
            spoil(&t, &b, j, s.units, (double)NAN);
        spoil(&t, &a, 1, s.units, (double)NAN);
        spoil(&t, &a, 4, s.units, (double)INFINITY);
        run_gradients(&t, &args);
        check_scores_and_gradients(&t, &args, false);
    }
}
END_TEST

/* Special numbers among the visible keys: limits of tanh, and NaN. */
START_TEST(special_numbers)
{
    static const double of_a[] = {
        (double)INFINITY, -(double)INFINITY, (double)INFINITY, (double)NAN, 1e-40, -0.0, 3e38};
    static const double of_b[] = {1, 40, -(double)INFINITY, 1, -2e-40, -0.0, 3e38};
    FOR_EACH_TABLE(t)
    for (int i = 0; i < 7; i++) {
        heed__additive_args args = {.rows = 1,
                                    .keys = 1,
                                    .units = 1,
                                    .a = a.storage,
                                    .b = b.storage,
                                    .w = w.storage,
                                    .visibility = {.heads = 1, .keys = 1}};
        array_set(t.dtype, a.storage, 0, of_a[i]);
        array_set(t.dtype, b.storage, 0, of_b[i]);
        array_set(t.dtype, w.storage, 0, 0.5);
        run_scores(&t, &args, y.storage);
        double x = array_get(t.dtype, a.storage, 0) + array_get(t.dtype, b.storage, 0);
        double got = array_get(t.dtype, y.storage, 0), exact = 0.5 * tanh(x);
        EXPECT(same(got, exact) || fabs(got - exact) <= 4 * epsilon(t.dtype) * fabs(exact) + 2 * smallest(t.dtype),
               "%s: tanh(%g + %g) / 2 is %g", t.name, of_a[i], of_b[i], got);
    }
}
END_TEST

/* Scratch and results are written within their bounds, and a and b may have any alignment. */
START_TEST(within_bounds)
{
    FOR_EACH_TABLE(t)
    for (int i = 0; i < SIZES; i++) {
        const sizes *s = &all_sizes[i];
        size_t size = element_size(t.dtype);
        draw_numbers(t.dtype, s, WILD, 1);
        heed__additive_args args = args_of(s, ALL_KEYS);
        int64_t bytes = t.kernels->additive_scores(&args, NULL, NULL),
                for_grads = t.kernels->additive_grad(&args, NULL, 0, s->units, NULL);
        bytes = bytes > for_grads ? bytes : for_grads;
        int64_t ends[] = {s->rows * s->keys, bytes / (int64_t)size, s->rows * s->units, s->keys * s->units, s->units};
        array *outputs[] = {&y, &scratch, &da, &db, &dw};
        for (int o = 0; o < 5; o++)
            memset(array_at(t.dtype, outputs[o]->storage, ends[o]), 0x5a, 64 * size);
        run_scores(&t, &args, y.storage);
        run_gradients(&t, &args);
        for (int o = 0; o < 5; o++)
            for (size_t byte = 0; byte < 64 * size; byte++)
                EXPECT(((char *)array_at(t.dtype, outputs[o]->storage, ends[o]))[byte] == 0x5a,
                       "%s: output %d, %d units", t.name, o, (int)s->units);
    }
}
END_TEST

HEED_TEST_MAIN("kernels of additive attention", right, large_factors, bad_keys, gradients_of_visible_keys,
               special_numbers, within_bounds)
