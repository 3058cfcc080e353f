/* tests/kernels/test_kernels_norm.c - tests the kernels of layer, RMS and batch norm of every instruction set against
 * long double. */

#include "kernel_arrays.h"

/* ROWS rows of x and g; weight and bias; the results, and the results of the scalar kernels. */
static array x, g, weight, bias, y, dweight, dbias, again;
enum { ROWS = 7 }; /* some computed together, and a remainder */

/* dx = f (a - mean(a) - h mean(a h)), where h is the normalised row, f its factor and a = g w. */
typedef struct exact_row {
    long double mean, factor, mean_a, mean_ah;
} exact_row;

static long double normalised(const exact_row *r, int dtype, int64_t i)
{
    return (array_get(dtype, x.storage, i) - r->mean) * r->factor;
}

static long double weighted(const heed__layer_norm_args *args, int dtype, int64_t i)
{
    long double w = args->weight ? array_get(dtype, weight.storage, i % args->n) : 1;
    return array_get(dtype, g.storage, i) * w;
}

static exact_row exact(const heed__layer_norm_args *args, int dtype, int64_t begin)
{
    exact_row r = {0, 0, 0, 0};
    long double n = args->n, variance = 0;
    for (int64_t i = begin; i < begin + args->n && !args->uncentred; i++)
        r.mean += array_get(dtype, x.storage, i) / n;
    for (int64_t i = begin; i < begin + args->n; i++) {
        long double c = array_get(dtype, x.storage, i) - r.mean;
        variance += c * c / n;
    }
    r.factor = 1 / sqrtl(variance + args->eps);
    for (int64_t i = begin; i < begin + args->n; i++) {
        r.mean_a += args->uncentred ? 0 : weighted(args, dtype, i) / n;
        r.mean_ah += weighted(args, dtype, i) * normalised(&r, dtype, i) / n;
    }
    return r;
}

/* Returns the number of elements to check; long rows are sampled. */
static int64_t some(int64_t n)
{
    return n > 200 ? 97 : 1;
}

static void check_values(const table_walk *t, const heed__layer_norm_args *args)
{
    t->kernels->layer_norm(args, ROWS, x.storage, y.storage);
    for (int64_t i = 0; i < ROWS * args->n; i += some(args->n)) {
        exact_row r = exact(args, t->dtype, i - i % args->n);
        long double w = args->weight ? array_get(t->dtype, weight.storage, i % args->n) : 1;
        long double b = args->bias ? array_get(t->dtype, bias.storage, i % args->n) : 0;
        long double expected = normalised(&r, t->dtype, i) * w + b;
        double got = array_get(t->dtype, y.storage, i);
        EXPECT(fabsl(got - expected) <= 16 * epsilon(t->dtype) * (1 + fabsl(expected)),
               "%s: %d of rows of %d is %.17g, not %.17Lg", t->name, (int)i, (int)args->n, got, expected);
    }
}

static void check_dx(const table_walk *t, const heed__layer_norm_args *args)
{
    for (int64_t i = 0; i < ROWS * args->n; i += some(args->n)) {
        exact_row r = exact(args, t->dtype, i - i % args->n);
        long double expected =
            r.factor * (weighted(args, t->dtype, i) - r.mean_a - normalised(&r, t->dtype, i) * r.mean_ah);
        double got = array_get(t->dtype, y.storage, i), limit = 32 * epsilon(t->dtype) * (double)(1 + r.factor);
        EXPECT(fabsl(got - expected) <= limit, "%s: dx %d of rows of %d is %.17g, not %.17Lg", t->name, (int)i,
               (int)args->n, got, expected);
    }
}

static void check_parameters(const table_walk *t, const heed__layer_norm_args *args)
{
    int64_t n = args->n;
    for (int64_t i = 0; i<n; i += n> 200 ? 97 : 1) {
        long double expected_weight = 0, expected_bias = 0;
        for (int64_t row = 0; row < ROWS; row++) {
            exact_row r = exact(args, t->dtype, row * n);
            expected_bias += array_get(t->dtype, g.storage, row * n + i);
            expected_weight += array_get(t->dtype, g.storage, row * n + i) * normalised(&r, t->dtype, row * n + i);
        }
        double limit = 32 * epsilon(t->dtype) * (double)(1 + fabsl(expected_weight));
        EXPECT(fabsl(array_get(t->dtype, dweight.storage, i) - expected_weight) <= limit, "%s: dweight %d of %d",
               t->name, (int)i, (int)n);
        EXPECT(fabsl(array_get(t->dtype, dbias.storage, i) - expected_bias) <= limit, "%s: dbias %d of %d", t->name,
               (int)i, (int)n);
    }
}

static void check_gradients(const table_walk *t, const heed__layer_norm_args *args)
{
    size_t row = (size_t)args->n * element_size(t->dtype);
    t->kernels->layer_norm_grad(args, ROWS, x.storage, g.storage, y.storage, dweight.storage, dbias.storage);
    check_dx(t, args);
    check_parameters(t, args);
    t->kernels->layer_norm_grad(args, ROWS, x.storage, g.storage, again.storage, NULL, NULL);
    EXPECT(memcmp(y.storage, again.storage, ROWS * row) == 0, "%s: dx alone", t->name);
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
    t->kernels->layer_norm_grad(args, ROWS, x.storage, g.storage, y.storage, NULL, NULL);
    for (int row = 0; row < ROWS; row++)
        t->kernels->layer_norm_grad(args, 1, row_of(&x, args, d, row), row_of(&g, args, d, row),
                                    row_of(&again, args, d, row), NULL, NULL);
    EXPECT(memcmp(y.storage, again.storage, bytes) == 0, "%s: dx of rows of %d one by one", t->name, (int)args->n);
}

START_TEST(layer_norm_is_right)
{
    static const double epsilons[] = {0.5, 0};
    FOR_EACH_TABLE(t)
    for (int l = 2; l < LENGTHS; l++)
        for (int k = 0; k < 16; k++) {
            int64_t n = lengths[l];
            array_draw(t.dtype, x.storage, ROWS * n, -1, 2, (uint64_t)n);
            array_draw(t.dtype, g.storage, ROWS * n, -1, 1, (uint64_t)n + 1);
            array_draw(t.dtype, weight.storage, n, 0.5, 2, (uint64_t)n + 2);
            array_draw(t.dtype, bias.storage, n, -1, 1, (uint64_t)n + 3);
            heed__layer_norm_args args = {.n = n,
                                          .eps = epsilons[k / 4 % 2],
                                          .uncentred = k / 8 > 0,
                                          .weight = k % 2 ? weight.storage : NULL,
                                          .bias = k / 2 % 2 ? bias.storage : NULL};
            check_values(&t, &args);
            check_gradients(&t, &args);
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
        t.kernels->layer_norm_grad(&args, 0, x.storage, g.storage, y.storage, dweight.storage, dbias.storage);
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

enum { OUTER = 3, MOST_CHANNELS = 131 };

/* Copies the channel into a row for layer norm, whose checks of rows also hold for channels. */
static void gather(int dtype, const heed__batch_norm_args *args, int64_t c, const array *from, array *to)
{
    for (int64_t o = 0, k = 0; o < args->outer; o++)
        for (int64_t i = 0; i < args->inner; i++)
            array_set(dtype, to->storage, k++,
                      array_get(dtype, from->storage, (o * args->channels + c) * args->inner + i));
}

static array channel, channel_g, channel_y, channel_dx, channel_h;

/* The exact row of layer norm gives the same numbers, except for the weight, to a few units in the last place. */
static void check_channel(const table_walk *t, const heed__batch_norm_args *args, int64_t c)
{
    const int d = t->dtype;
    const int64_t n = args->outer * args->inner;
    const heed__layer_norm_args row = {.n = n, .eps = args->eps};
    const double w = array_get(d, weight.storage, c), b = array_get(d, bias.storage, c), close = 64 * epsilon(d);
    long double slope = 0, mean_g = 0;
    gather(d, args, c, &x, &channel);
    gather(d, args, c, &g, &channel_g);
    t->kernels->layer_norm(&row, 1, channel.storage, channel_h.storage);
    t->kernels->layer_norm_grad(&row, 1, channel.storage, channel_g.storage, channel_dx.storage, NULL, NULL);
    for (int64_t i = 0; i < n; i++) {
        slope += (long double)array_get(d, channel_g.storage, i) * array_get(d, channel_h.storage, i);
        mean_g += array_get(d, channel_g.storage, i);
    }
    EXPECT(fabsl(array_get(d, dweight.storage, c) - slope) <= close * (double)n, "%s: dweight of channel %d", t->name,
           (int)c);
    EXPECT(fabsl(array_get(d, dbias.storage, c) - mean_g) <= close * (double)n, "%s: dbias of channel %d", t->name,
           (int)c);
    gather(d, args, c, &y, &channel_y);
    for (int64_t i = 0; i < n; i++) {
        const double expected = array_get(d, channel_h.storage, i) * w + b, got = array_get(d, channel_y.storage, i);
        EXPECT(fabs(got - expected) <= close * (1 + fabs(expected)), "%s: y of channel %d is %.17g, not %.17g", t->name,
               (int)c, got, expected);
    }
    gather(d, args, c, &again, &channel_y);
    for (int64_t i = 0; i < n; i++) {
        const double expected = array_get(d, channel_dx.storage, i) * w, got = array_get(d, channel_y.storage, i);
        EXPECT(fabs(got - expected) <= close * (1 + fabs(expected)), "%s: dx of channel %d is %.17g, not %.17g",
               t->name, (int)c, got, expected);
    }
}

/* Computes all channels at once, then in two ranges: the bits are the same. */
static void run_batch(const table_walk *t, const heed__batch_norm_args *args, int64_t cut)
{
    const int64_t ends[] = {0, cut, args->channels};
    for (int part = 0; part < 2; part++) {
        t->kernels->batch_norm(args, ends[part], ends[part + 1], x.storage, y.storage);
        t->kernels->batch_norm_grad(args, ends[part], ends[part + 1], x.storage, g.storage, again.storage,
                                    dweight.storage, dbias.storage);
    }
}

START_TEST(batch_norm_is_right)
{
    static const int64_t shapes[][2] = {{1, 1}, {7, 1}, {64, 1}, {MOST_CHANNELS, 1}, {2, 5}, {3, 64}, {2, 300}};
    static array before;
    FOR_EACH_TABLE(t)
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const int64_t channels = shapes[k][0], numel = OUTER * channels * shapes[k][1];
        const size_t bytes = (size_t)numel * element_size(t.dtype);
        const heed__batch_norm_args args = {.outer = OUTER,
                                            .channels = channels,
                                            .inner = shapes[k][1],
                                            .eps = 0.5,
                                            .weight = weight.storage,
                                            .bias = bias.storage};
        array_draw(t.dtype, x.storage, numel, -1, 2, (uint64_t)numel);
        array_draw(t.dtype, g.storage, numel, -1, 1, (uint64_t)numel + 1);
        array_draw(t.dtype, weight.storage, channels, 0.5, 2, 5);
        array_draw(t.dtype, bias.storage, channels, -1, 1, 6);
        run_batch(&t, &args, channels / 3);
        memcpy(before.storage, y.storage, bytes);
        run_batch(&t, &args, 0);
        EXPECT(memcmp(before.storage, y.storage, bytes) == 0, "%s: channels cut in two", t.name);
        for (int64_t c = 0; c < channels; c++)
            check_channel(&t, &args, c);
    }
}
END_TEST

HEED_TEST_MAIN("kernels of norms", layer_norm_is_right, small_rows, a_large_mean_costs_nothing, batch_norm_is_right)
