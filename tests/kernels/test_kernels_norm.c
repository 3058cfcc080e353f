/* tests/kernels/test_kernels_norm.c - tests the kernels of layer, RMS and batch norm and of rotary embedding of every
 * instruction set against their reference.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/rows/reference.h"
#include "kernels/rows/reference_norm.h"

enum { ROWS = 7 /* some computed together, and a remainder */, MAX_NUMBERS = ROWS * 1009 };

static array x, g, weight, bias, y, dx, dweight, dbias, again;

/* The inputs as doubles, and the results of the reference. */
static struct {
    double x[MAX_NUMBERS], g[MAX_NUMBERS], weight[1009], bias[1009];
    double h[MAX_NUMBERS], y[MAX_NUMBERS], dh[MAX_NUMBERS], dx[MAX_NUMBERS], dweight[1009], dbias[1009];
} expected;

static void draw_inputs(int dtype, int64_t n, int64_t parameters)
{
    array_draw(dtype, x.storage, n, -1, 2, (uint64_t)n);
    array_draw(dtype, g.storage, n, -1, 1, (uint64_t)n + 1);
    array_draw(dtype, weight.storage, parameters, 0.5, 2, (uint64_t)n + 2);
    array_draw(dtype, bias.storage, parameters, -1, 1, (uint64_t)n + 3);
}

/* A missing weight counts as 1, a missing bias as 0. */
static void read_inputs(int dtype, int64_t n, int64_t parameters, bool with_weight, bool with_bias)
{
    memset(&expected, 0, sizeof expected);
    array_read(dtype, x.storage, n, expected.x);
    array_read(dtype, g.storage, n, expected.g);
    for (int64_t i = 0; i < parameters; i++) {
        expected.weight[i] = with_weight ? array_get(dtype, weight.storage, i) : 1;
        expected.bias[i] = with_bias ? array_get(dtype, bias.storage, i) : 0;
    }
}

/* y = h weight + bias, dh = g weight, and sums of g h and of g, for group c. Number i of a group has parameter i if
 * they are `many`, else parameter c. */
static void expect_group(const reference_groups *s, int64_t c, bool many)
{
    for (int64_t i = 0; i < s->outer * s->inner; i++) {
        const int64_t at = reference_index(s, c, i), p = many ? i : c;
        expected.y[at] = expected.h[at] * expected.weight[p] + expected.bias[p];
        expected.dh[at] = expected.g[at] * expected.weight[p];
        expected.dweight[p] += expected.g[at] * expected.h[at];
        expected.dbias[p] += expected.g[at];
    }
}

/* -- Layer norm ---------------------------------------------------------------------------------------------------- */

static void check_rows(const table_walk *t, const heed__layer_norm_args *args)
{
    const reference_groups rows = {1, ROWS, args->n};
    describe_case("rows of %d", (int)args->n);
    t->kernels->layer_norm(args, ROWS, x.storage, y.storage);
    t->kernels->layer_norm_grad(args, ROWS,
                                &(heed__norm_grads){x.storage, g.storage, dx.storage, dweight.storage, dbias.storage});
    read_inputs(t->dtype, ROWS * args->n, args->n, args->weight, args->bias);
    for (int64_t row = 0; row < ROWS; row++) {
        reference_moments m = {.eps = args->eps, .uncentred = args->uncentred};
        reference_find_moments(&rows, row, expected.x, &m);
        reference_normalise(&rows, row, expected.x, &m, expected.h);
        expect_group(&rows, row, true);
        reference_normalise_grad(&rows, row, expected.h, expected.dh, &m, expected.dx);
        const double limit = 32 * epsilon(t->dtype) * (double)(1 + 1 / sqrtl(m.variance + args->eps));
        for (int64_t i = row * args->n; i < (row + 1) * args->n; i++)
            expect_near(t, "dx", array_get(t->dtype, dx.storage, i), expected.dx[i], i, limit);
    }
    expect_all_near(t, "y", &y, expected.y, ROWS * args->n, 16, 16);
    expect_all_near(t, "dweight", &dweight, expected.dweight, args->n, 32, 32);
    expect_all_near(t, "dbias", &dbias, expected.dbias, args->n, 32, 32);
    t->kernels->layer_norm_grad(args, ROWS, &(heed__norm_grads){x.storage, g.storage, again.storage, NULL, NULL});
    EXPECT(memcmp(dx.storage, again.storage, ROWS * (size_t)args->n * element_size(t->dtype)) == 0, "%s: dx alone",
           t->name);
}

static void *row_of(array *a, const heed__layer_norm_args *args, int dtype, int row)
{
    return (char *)a->storage + (size_t)(row * args->n) * element_size(dtype);
}

/* A row has the same bits alone as among others. */
static void check_row_by_row(const table_walk *t, const heed__layer_norm_args *args)
{
    const int d = t->dtype;
    const size_t bytes = ROWS * (size_t)args->n * element_size(d);
    t->kernels->layer_norm(args, ROWS, x.storage, y.storage);
    for (int row = 0; row < ROWS; row++)
        t->kernels->layer_norm(args, 1, row_of(&x, args, d, row), row_of(&again, args, d, row));
    EXPECT(memcmp(y.storage, again.storage, bytes) == 0, "%s: rows of %d one by one", t->name, (int)args->n);
    t->kernels->layer_norm_grad(args, ROWS, &(heed__norm_grads){x.storage, g.storage, y.storage, NULL, NULL});
    for (int row = 0; row < ROWS; row++)
        t->kernels->layer_norm_grad(args, 1,
                                    &(heed__norm_grads){row_of(&x, args, d, row), row_of(&g, args, d, row),
                                                        row_of(&again, args, d, row), NULL, NULL});
    EXPECT(memcmp(y.storage, again.storage, bytes) == 0, "%s: dx of rows of %d one by one", t->name, (int)args->n);
}

START_TEST(layer_norm_is_right)
{
    static const double epsilons[] = {0.5, 0};
    FOR_EACH_TABLE(t)
    for (int l = 2; l < LENGTHS; l++)
        for (int k = 0; k < 16; k++) {
            int64_t n = lengths[l];
            draw_inputs(t.dtype, ROWS * n, n);
            heed__layer_norm_args args = {.n = n,
                                          .eps = epsilons[k / 4 % 2],
                                          .uncentred = k / 8 > 0,
                                          .weight = k % 2 ? weight.storage : NULL,
                                          .bias = k / 2 % 2 ? bias.storage : NULL};
            check_rows(&t, &args);
            check_row_by_row(&t, &args);
        }
}
END_TEST

/* Zero rows write only zeros to the sums; also rows of length 0 and 1. */
START_TEST(small_rows)
{
    FOR_EACH_TABLE(t)
    {
        heed__layer_norm_args args = {.n = 3, .eps = 1};
        array_draw(t.dtype, y.storage, 3, 1, 2, 1);
        memcpy(again.storage, y.storage, 3 * element_size(t.dtype));
        array_draw(t.dtype, dweight.storage, 4, 1, 2, 1);
        array_draw(t.dtype, dbias.storage, 4, 1, 2, 1);
        t.kernels->layer_norm(&args, 0, x.storage, y.storage);
        t.kernels->layer_norm_grad(
            &args, 0, &(heed__norm_grads){x.storage, g.storage, y.storage, dweight.storage, dbias.storage});
        ck_assert(memcmp(y.storage, again.storage, 3 * element_size(t.dtype)) == 0);
        for (int i = 0; i < 4; i++)
            ck_assert((array_get(t.dtype, dweight.storage, i) == 0) == (i < 3) &&
                      (array_get(t.dtype, dbias.storage, i) == 0) == (i < 3));
        args.n = 1;
        array_draw(t.dtype, x.storage, 2, -5, 5, 3);
        t.kernels->layer_norm(&args, 2, x.storage, y.storage);
        ck_assert(array_get(t.dtype, y.storage, 0) == 0 && array_get(t.dtype, y.storage, 1) == 0);
        args.n = 0;
        t.kernels->layer_norm(&args, 2, x.storage, again.storage);
    }
}
END_TEST

/* The numbers 0 1 2 ... shifted far from 0 normalise as without the shift, to the accuracy of x itself. */
START_TEST(a_large_mean_costs_nothing)
{
    FOR_EACH_TABLE(t)
    for (int64_t n = 2; n <= 1009; n = 3 * n + 1) {
        double far = t.dtype == HEED_F32 ? 4e6 : 1e15;
        heed__layer_norm_args args = {.n = n, .eps = 0};
        for (int64_t i = 0; i < n; i++) {
            array_set(t.dtype, x.storage, i, (double)i);
            array_set(t.dtype, x.storage, n + i, far + (double)i);
        }
        t.kernels->layer_norm(&args, 2, x.storage, y.storage);
        for (int64_t i = 0; i < n; i++)
            ck_assert_near(array_get(t.dtype, y.storage, n + i), array_get(t.dtype, y.storage, i),
                           8 * epsilon(t.dtype));
    }
}
END_TEST

/* -- Batch norm ---------------------------------------------------------------------------------------------------- */

/* Computes the channels in two ranges. */
static void run_batch(const table_walk *t, const heed__batch_norm_args *args, int64_t cut)
{
    const int64_t ends[] = {0, cut, args->channels};
    for (int part = 0; part < 2; part++) {
        t->kernels->batch_norm(args, ends[part], ends[part + 1], x.storage, y.storage);
        t->kernels->batch_norm_grad(
            args, ends[part], ends[part + 1],
            &(heed__norm_grads){x.storage, g.storage, dx.storage, dweight.storage, dbias.storage});
    }
}

/* Given statistics are constants, so that dx = dh / sqrt(variance + eps). */
static void check_channels(const table_walk *t, const heed__batch_norm_args *args, const array *mean,
                           const array *variance)
{
    const reference_groups s = {args->outer, args->channels, args->inner};
    const int64_t n = args->outer * args->inner, numel = n * args->channels;
    describe_case("batch norm of %d channels of %d%s", (int)args->channels, (int)n, mean ? ", given" : "");
    read_inputs(t->dtype, numel, args->channels, args->weight, args->bias);
    for (int64_t c = 0; c < args->channels; c++) {
        reference_moments m = {.eps = args->eps};
        reference_find_moments(&s, c, expected.x, &m);
        if (args->statistics) {
            const double found[] = {array_get(t->dtype, args->statistics, c),
                                    array_get(t->dtype, args->statistics, args->channels + c)};
            expect_near(t, "mean", found[0], (double)m.mean, c, 16 * epsilon(t->dtype));
            expect_near(t, "variance", found[1], (double)m.variance, c, 16 * epsilon(t->dtype));
        }
        if (mean) {
            m.mean = array_get(t->dtype, mean->storage, c);
            m.variance = array_get(t->dtype, variance->storage, c);
        }
        reference_normalise(&s, c, expected.x, &m, expected.h);
        expect_group(&s, c, false);
        reference_normalise_grad(&s, c, expected.h, expected.dh, &m, expected.dx);
        for (int64_t i = 0; mean && i < n; i++)
            expected.dx[reference_index(&s, c, i)] =
                (double)(expected.dh[reference_index(&s, c, i)] / sqrtl(m.variance + args->eps));
    }
    expect_all_near(t, "y", &y, expected.y, numel, 64, 64);
    expect_all_near(t, "dx", &dx, expected.dx, numel, 64, 64);
    expect_all_near(t, "dweight", &dweight, expected.dweight, args->channels, 64 * (double)n, 0);
    expect_all_near(t, "dbias", &dbias, expected.dbias, args->channels, 64 * (double)n, 0);
}

enum { OUTER = 3, MAX_CHANNELS = 131 };
static const int64_t shapes[][2] = {{1, 1}, {7, 1}, {64, 1}, {MAX_CHANNELS, 1}, {2, 5}, {3, 64}, {2, 300}};

/* The bits do not depend on the division into ranges. */
START_TEST(batch_norm_is_right)
{
    static array statistics, mean, variance;
    FOR_EACH_TABLE(t)
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const int64_t channels = shapes[k][0], numel = OUTER * channels * shapes[k][1];
        const size_t bytes = (size_t)numel * element_size(t.dtype);
        heed__batch_norm_args args = {.outer = OUTER,
                                      .channels = channels,
                                      .inner = shapes[k][1],
                                      .eps = 0.5,
                                      .weight = weight.storage,
                                      .bias = bias.storage,
                                      .statistics = statistics.storage};
        draw_inputs(t.dtype, numel, channels);
        run_batch(&t, &args, channels / 3);
        memcpy(again.storage, y.storage, bytes);
        run_batch(&t, &args, 0);
        EXPECT(memcmp(again.storage, y.storage, bytes) == 0, "%s: channels cut in two", t.name);
        check_channels(&t, &args, NULL, NULL);
        array_draw(t.dtype, mean.storage, channels, -1, 1, 7);
        array_draw(t.dtype, variance.storage, channels, 0.1, 2, 8);
        args.mean = mean.storage;
        args.variance = variance.storage;
        args.weight = args.bias = args.statistics = NULL;
        run_batch(&t, &args, channels / 2);
        check_channels(&t, &args, &mean, &variance);
    }
}
END_TEST

/* -- Rotary embedding ---------------------------------------------------------------------------------------------- */

static void check_rope(const table_walk *t, const heed__rope_args *args)
{
    const int64_t step = args->interleaved ? 2 : 1, apart = args->interleaved ? 1 : args->pairs;
    static double c_and_s[MAX_NUMBERS];
    array_draw(t->dtype, x.storage, ROWS * args->n, -1, 1, 1);
    array_draw(t->dtype, g.storage, ROWS * 2 * args->pairs, -1, 1, 2);
    array_read(t->dtype, x.storage, ROWS * args->n, expected.x);
    array_read(t->dtype, g.storage, ROWS * 2 * args->pairs, c_and_s);
    memcpy(expected.y, expected.x, sizeof expected.y);
    for (int64_t row = 0; row < ROWS; row++)
        for (int64_t i = 0; i < args->pairs; i++) {
            const double *table = c_and_s + row * args->table_row;
            reference_rotate(expected.x + row * args->n, i * step, apart, table[i],
                             (args->back ? -1 : 1) * table[args->pairs + i], expected.y + row * args->n);
        }
    t->kernels->rope(args, ROWS, g.storage, x.storage, y.storage);
    describe_case("rows of %d, %d pairs", (int)args->n, (int)args->pairs);
    expect_all_near(t, "y", &y, expected.y, ROWS * args->n, 4, 0);
}

/* All rows have the same table if its step is 0. */
START_TEST(rope_is_right)
{
    static const int64_t sizes[][2] = {{2, 1}, {3, 1}, {8, 4}, {17, 7}, {64, 32}, {80, 33}, {9, 0}};
    FOR_EACH_TABLE(t)
    for (int i = 0; i < 7; i++)
        for (int kind = 0; kind < 8; kind++)
            check_rope(&t, &(heed__rope_args){.n = sizes[i][0],
                                              .pairs = sizes[i][1],
                                              .table_row = kind & 1 ? 2 * sizes[i][1] : 0,
                                              .interleaved = kind & 2,
                                              .back = kind & 4});
}
END_TEST

HEED_TEST_MAIN("kernels of norms", layer_norm_is_right, small_rows, a_large_mean_costs_nothing, batch_norm_is_right,
               rope_is_right)
