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
    return (array_get(dtype, x.room, i) - r->mean) * r->factor;
}

static long double weighted(const heed__layer_norm_args *args, int dtype, int64_t i)
{
    long double w = args->weight ? array_get(dtype, weight.room, i % args->n) : 1;
    return array_get(dtype, g.room, i) * w;
}

static exact_row exact(const heed__layer_norm_args *args, int dtype, int64_t begin)
{
    exact_row r = {0, 0, 0, 0};
    long double n = args->n, variance = 0;
    for (int64_t i = begin; i < begin + args->n && !args->uncentred; i++)
        r.mean += array_get(dtype, x.room, i) / n;
    for (int64_t i = begin; i < begin + args->n; i++) {
        long double c = array_get(dtype, x.room, i) - r.mean;
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
    t->kernels->layer_norm(args, ROWS, x.room, y.room);
    for (int64_t i = 0; i < ROWS * args->n; i += some(args->n)) {
        exact_row r = exact(args, t->dtype, i - i % args->n);
        long double w = args->weight ? array_get(t->dtype, weight.room, i % args->n) : 1;
        long double b = args->bias ? array_get(t->dtype, bias.room, i % args->n) : 0;
        long double want = normalised(&r, t->dtype, i) * w + b;
        double got = array_get(t->dtype, y.room, i);
        EXPECT(fabsl(got - want) <= 16 * epsilon(t->dtype) * (1 + fabsl(want)),
               "%s: %d of rows of %d is %.17g, not %.17Lg", t->name, (int)i, (int)args->n, got, want);
    }
}

static void check_dx(const table_walk *t, const heed__layer_norm_args *args)
{
    for (int64_t i = 0; i < ROWS * args->n; i += some(args->n)) {
        exact_row r = exact(args, t->dtype, i - i % args->n);
        long double want =
            r.factor * (weighted(args, t->dtype, i) - r.mean_a - normalised(&r, t->dtype, i) * r.mean_ah);
        double got = array_get(t->dtype, y.room, i), limit = 32 * epsilon(t->dtype) * (double)(1 + r.factor);
        EXPECT(fabsl(got - want) <= limit, "%s: dx %d of rows of %d is %.17g, not %.17Lg", t->name, (int)i,
               (int)args->n, got, want);
    }
}

static void check_parameters(const table_walk *t, const heed__layer_norm_args *args)
{
    int64_t n = args->n;
    for (int64_t i = 0; i<n; i += n> 200 ? 97 : 1) {
        long double want_weight = 0, want_bias = 0;
        for (int64_t row = 0; row < ROWS; row++) {
            exact_row r = exact(args, t->dtype, row * n);
            want_bias += array_get(t->dtype, g.room, row * n + i);
            want_weight += array_get(t->dtype, g.room, row * n + i) * normalised(&r, t->dtype, row * n + i);
        }
        double limit = 32 * epsilon(t->dtype) * (double)(1 + fabsl(want_weight));
        EXPECT(fabsl(array_get(t->dtype, dweight.room, i) - want_weight) <= limit, "%s: dweight %d of %d", t->name,
               (int)i, (int)n);
        EXPECT(fabsl(array_get(t->dtype, dbias.room, i) - want_bias) <= limit, "%s: dbias %d of %d", t->name, (int)i,
               (int)n);
    }
}

static void check_gradients(const table_walk *t, const heed__layer_norm_args *args)
{
    size_t row = (size_t)args->n * element_size(t->dtype);
    t->kernels->layer_norm_grad(args, ROWS, x.room, g.room, y.room, dweight.room, dbias.room);
    check_dx(t, args);
    check_parameters(t, args);
    t->kernels->layer_norm_grad(args, ROWS, x.room, g.room, again.room, NULL, NULL);
    EXPECT(memcmp(y.room, again.room, ROWS * row) == 0, "%s: dx alone", t->name);
}

static void *row_of(array *a, const heed__layer_norm_args *args, int dtype, int row)
{
    return (char *)a->room + (size_t)(row * args->n) * element_size(dtype);
}

/* A row has the same bits alone as among others. */
static void check_row_by_row(const table_walk *t, const heed__layer_norm_args *args)
{
    const int d = t->dtype;
    const size_t bytes = ROWS * (size_t)args->n * element_size(d);
    t->kernels->layer_norm(args, ROWS, x.room, y.room);
    for (int row = 0; row < ROWS; row++)
        t->kernels->layer_norm(args, 1, row_of(&x, args, d, row), row_of(&again, args, d, row));
    EXPECT(memcmp(y.room, again.room, bytes) == 0, "%s: rows of %d one by one", t->name, (int)args->n);
    t->kernels->layer_norm_grad(args, ROWS, x.room, g.room, y.room, NULL, NULL);
    for (int row = 0; row < ROWS; row++)
        t->kernels->layer_norm_grad(args, 1, row_of(&x, args, d, row), row_of(&g, args, d, row),
                                    row_of(&again, args, d, row), NULL, NULL);
    EXPECT(memcmp(y.room, again.room, bytes) == 0, "%s: dx of rows of %d one by one", t->name, (int)args->n);
}

START_TEST(layer_norm_is_right)
{
    static const double epsilons[] = {0.5, 0};
    FOR_EACH_TABLE(t)
    for (int l = 2; l < LENGTHS; l++)
        for (int k = 0; k < 16; k++) {
            int64_t n = lengths[l];
            array_draw(t.dtype, x.room, ROWS * n, -1, 2, (uint64_t)n);
            array_draw(t.dtype, g.room, ROWS * n, -1, 1, (uint64_t)n + 1);
            array_draw(t.dtype, weight.room, n, 0.5, 2, (uint64_t)n + 2);
            array_draw(t.dtype, bias.room, n, -1, 1, (uint64_t)n + 3);
            heed__layer_norm_args args = {.n = n,
                                          .eps = epsilons[k / 4 % 2],
                                          .uncentred = k / 8 > 0,
                                          .weight = k % 2 ? weight.room : NULL,
                                          .bias = k / 2 % 2 ? bias.room : NULL};
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
        array_draw(t.dtype, y.room, 3, 1, 2, 1);
        memcpy(again.room, y.room, 3 * element_size(t.dtype));
        array_draw(t.dtype, dweight.room, 4, 1, 2, 1);
        array_draw(t.dtype, dbias.room, 4, 1, 2, 1);
        t.kernels->layer_norm(&args, 0, x.room, y.room);
        t.kernels->layer_norm_grad(&args, 0, x.room, g.room, y.room, dweight.room, dbias.room);
        ck_assert(memcmp(y.room, again.room, 3 * element_size(t.dtype)) == 0);
        for (int i = 0; i < 4; i++)
            ck_assert((array_get(t.dtype, dweight.room, i) == 0) == (i < 3) &&
                      (array_get(t.dtype, dbias.room, i) == 0) == (i < 3));
        args.n = 1;
        array_draw(t.dtype, x.room, 2, -5, 5, 3);
        t.kernels->layer_norm(&args, 2, x.room, y.room);
        ck_assert(array_get(t.dtype, y.room, 0) == 0 && array_get(t.dtype, y.room, 1) == 0);
        args.n = 0;
        t.kernels->layer_norm(&args, 2, x.room, again.room);
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
            array_set(t.dtype, x.room, i, (double)i);
            array_set(t.dtype, x.room, n + i, far + (double)i);
        }
        t.kernels->layer_norm(&args, 2, x.room, y.room);
        for (int64_t i = 0; i < n; i++)
            ck_assert_near(array_get(t.dtype, y.room, n + i), array_get(t.dtype, y.room, i), 8 * epsilon(t.dtype));
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
            array_set(dtype, to->room, k++, array_get(dtype, from->room, (o * args->channels + c) * args->inner + i));
}

static array channel, channel_g, channel_y, channel_dx, channel_h;

/* The exact row of layer norm gives the same numbers, except for the weight, to a few units in the last place. */
static void check_channel(const table_walk *t, const heed__batch_norm_args *args, int64_t c)
{
    const int d = t->dtype;
    const int64_t n = args->outer * args->inner;
    const heed__layer_norm_args row = {.n = n, .eps = args->eps};
    const double w = array_get(d, weight.room, c), b = array_get(d, bias.room, c), close = 64 * epsilon(d);
    long double slope = 0, mean_g = 0;
    gather(d, args, c, &x, &channel);
    gather(d, args, c, &g, &channel_g);
    t->kernels->layer_norm(&row, 1, channel.room, channel_h.room);
    t->kernels->layer_norm_grad(&row, 1, channel.room, channel_g.room, channel_dx.room, NULL, NULL);
    for (int64_t i = 0; i < n; i++) {
        slope += (long double)array_get(d, channel_g.room, i) * array_get(d, channel_h.room, i);
        mean_g += array_get(d, channel_g.room, i);
    }
    EXPECT(fabsl(array_get(d, dweight.room, c) - slope) <= close * (double)n, "%s: dweight of channel %d", t->name,
           (int)c);
    EXPECT(fabsl(array_get(d, dbias.room, c) - mean_g) <= close * (double)n, "%s: dbias of channel %d", t->name,
           (int)c);
    gather(d, args, c, &y, &channel_y);
    for (int64_t i = 0; i < n; i++) {
        const double want = array_get(d, channel_h.room, i) * w + b, got = array_get(d, channel_y.room, i);
        EXPECT(fabs(got - want) <= close * (1 + fabs(want)), "%s: y of channel %d is %.17g, not %.17g", t->name, (int)c,
               got, want);
    }
    gather(d, args, c, &again, &channel_y);
    for (int64_t i = 0; i < n; i++) {
        const double want = array_get(d, channel_dx.room, i) * w, got = array_get(d, channel_y.room, i);
        EXPECT(fabs(got - want) <= close * (1 + fabs(want)), "%s: dx of channel %d is %.17g, not %.17g", t->name,
               (int)c, got, want);
    }
}

/* Computes all channels at once, then in two ranges: the bits are the same. */
static void run_batch(const table_walk *t, const heed__batch_norm_args *args, int64_t cut)
{
    const int64_t ends[] = {0, cut, args->channels};
    for (int part = 0; part < 2; part++) {
        t->kernels->batch_norm(args, ends[part], ends[part + 1], x.room, y.room);
        t->kernels->batch_norm_grad(args, ends[part], ends[part + 1], x.room, g.room, again.room, dweight.room,
                                    dbias.room);
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
                                            .weight = weight.room,
                                            .bias = bias.room};
        array_draw(t.dtype, x.room, numel, -1, 2, (uint64_t)numel);
        array_draw(t.dtype, g.room, numel, -1, 1, (uint64_t)numel + 1);
        array_draw(t.dtype, weight.room, channels, 0.5, 2, 5);
        array_draw(t.dtype, bias.room, channels, -1, 1, 6);
        run_batch(&t, &args, channels / 3);
        memcpy(before.room, y.room, bytes);
        run_batch(&t, &args, 0);
        EXPECT(memcmp(before.room, y.room, bytes) == 0, "%s: channels cut in two", t.name);
        for (int64_t c = 0; c < channels; c++)
            check_channel(&t, &args, c);
    }
}
END_TEST

HEED_TEST_MAIN("kernels of norms", layer_norm_is_right, small_rows, a_large_mean_costs_nothing, batch_norm_is_right)
