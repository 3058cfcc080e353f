/* tests/ops/test_flash_attention.c - dot-product attention as one op against the same in several ops, as it runs where
 * the weights are asked for: values, gradients, layouts, memory and threads, at sizes around those of its blocks. What
 * masks hide is in test_flash_attention_masks.c. */

#include "check_heed.h"

/* One call; sizes are those of a head. */
enum { ALL, BY_BATCH, BY_ROW };

typedef struct setting {
    heed_dtype dtype;
    int64_t batch, heads, queries, keys, d, e; /* heads 0: no axis of heads */
    int lengths;                               /* ALL, BY_BATCH or BY_ROW */
    bool causal, inner;
    double scale, dropout;
    heed_precision precision; /* of the fused op */
} setting;

enum { Q, K, V, INPUTS };

typedef struct outcome {
    heed_tensor *y, *dx[INPUTS];
} outcome;

static heed_shape shape_of(const setting *s, int64_t rows, int64_t width)
{
    if (s->heads == 0)
        return HEED_SHAPE(s->batch, rows, width);
    return s->inner ? HEED_SHAPE(s->batch, rows, s->heads, width) : HEED_SHAPE(s->batch, s->heads, rows, width);
}

static heed_tensor *lengths_of(const setting *s)
{
    if (s->lengths == ALL)
        return NULL;
    heed_tensor *lens = s->lengths == BY_ROW ? heed_empty(HEED_I64, HEED_SHAPE(s->batch, s->queries))
                                             : heed_empty(HEED_I64, HEED_SHAPE(s->batch));
    int64_t *out = heed_mutable_i64(lens);
    for (int64_t i = 0; i < heed_numel(lens); i++)
        out[i] = (i * 7919 + 2 * s->keys / 3) % (s->keys + 1);
    return lens;
}

static void draw(const setting *s, heed_tensor *in[INPUTS])
{
    const heed_shape shapes[INPUTS] = {shape_of(s, s->queries, s->d), shape_of(s, s->keys, s->d),
                                       shape_of(s, s->keys, s->e)};
    heed_manual_seed(1);
    for (int i = 0; i < INPUTS; i++)
        in[i] = heed_set_requires_grad(heed_randn(s->dtype, shapes[i]), true);
}

/* The same numbers for a row, wherever its head lies. */
static heed_tensor *gradient_of(const setting *s, heed_tensor *y)
{
    heed_shape shape = heed_shape_of(y), outer = shape;
    if (s->inner)
        outer = HEED_SHAPE(shape.dims[0], shape.dims[2], shape.dims[1], shape.dims[3]);
    heed_tensor *g = heed_cos(heed_reshape(heed_arange(s->dtype, 0, (double)heed_numel(y), 1), outer));
    return s->inner ? heed_contiguous(heed_transpose(g, 1, 2)) : g;
}

/* With the weights by the composed op, else by the fused one and, if `composed`, its composed gradients. */
static outcome run(const setting *s, heed_tensor *const in[INPUTS], bool with_weights, bool composed)
{
    outcome o = {.y = NULL};
    heed_tensor *weights = NULL;
    heed_generator *generator = heed_generator_new(3);
    heed_attention_options options = {.valid_lens = lengths_of(s),
                                      .causal = s->causal,
                                      .heads_inner = s->inner,
                                      .scale = s->scale,
                                      .dropout = s->dropout,
                                      .generator = generator};
    heed_set_matmul_precision(with_weights || composed ? HEED_PRECISION_HIGHEST : s->precision);
    o.y = heed_dot_product_attention(in[Q], in[K], in[V], &options, with_weights ? &weights : NULL);
    heed_set_matmul_precision(HEED_PRECISION_HIGHEST);
    heed_generator_free(generator);
    ck_assert_msg(o.y != NULL, "%s", heed_error_message());
    heed_tensor *g = gradient_of(s, o.y);
    heed_grad_options of = {.grad_outputs = &g, .create_graph = composed};
    ck_assert_msg(heed_grad(&o.y, 1, in, INPUTS, o.dx, &of) == HEED_OK, "%s", heed_error_message());
    return o;
}

/* The largest difference, over 1 + |b|; NaN matches NaN. */
static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    a = heed_contiguous(heed_to_dtype(a, HEED_F64));
    b = heed_contiguous(heed_to_dtype(b, HEED_F64));
    double most = 0;
    for (int64_t i = 0; i < heed_numel(a); i++) {
        double x = heed_data_f64(a)[i], y = heed_data_f64(b)[i];
        double d = x == y || (isnan(x) && isnan(y)) ? 0 : fabs(x - y) / (1 + fabs(y));
        most = d <= most ? most : d;
    }
    return most;
}

static void expect_near(const setting *s, const outcome *a, const outcome *b, double tolerance, const char *what)
{
    static const char *const names[] = {"dq", "dk", "dv"};
    for (int i = -1; i < INPUTS; i++) {
        double d = i < 0 ? difference(a->y, b->y) : difference(a->dx[i], b->dx[i]);
        ck_assert_msg(d <= tolerance,
                      "%s %s differs by %g: %s B %d H %d Q %d K %d d %d e %d, lengths %d, causal %d, inner %d, "
                      "dropout %g",
                      what, i < 0 ? "y" : names[i], d, heed_dtype_name(s->dtype), (int)s->batch, (int)s->heads,
                      (int)s->queries, (int)s->keys, (int)s->d, (int)s->e, s->lengths, s->causal, s->inner, s->dropout);
    }
}

static void compare(const setting *s)
{
    heed_scope *scope = heed_scope_begin();
    double tolerance = s->precision == HEED_PRECISION_MEDIUM ? 0.03 : s->dtype == HEED_F32 ? 4e-5 : 1e-12;
    heed_tensor *in[INPUTS];
    draw(s, in);
    outcome fused = run(s, in, false, false), composed = run(s, in, true, false), graph = run(s, in, false, true);
    expect_near(s, &fused, &composed, tolerance, "fused and composed");
    expect_near(s, &fused, &graph, tolerance, "fused and composed gradient of");
    heed_scope_end(scope);
}

/* -- Values and gradients ------------------------------------------------------------------------------------------ */

/* Everything crossed, at small sizes. */
START_TEST(every_option)
{
    for (int i = 0; i < 2 * 3 * 2 * 2 * 3; i++) {
        setting s = {.dtype = i % 2 ? HEED_F64 : HEED_F32,
                     .batch = 2,
                     .queries = 19,
                     .keys = 23,
                     .d = 5,
                     .e = 3,
                     .lengths = i / 2 % 3,
                     .causal = i / 6 % 2,
                     .dropout = i / 12 % 2 ? 0.4 : 0,
                     .scale = i / 12 % 2 ? -0.3 : 0,
                     .heads = i / 24 % 3 == 0 ? 0 : 3,
                     .inner = i / 24 % 3 == 2};
        compare(&s);
    }
}
END_TEST

/* Sizes around those of registers, panels and blocks, which differ between instruction sets. */
START_TEST(sizes)
{
    static const int64_t rows[] = {1, 2, 13, 16, 17, 31, 32, 33, 111, 112, 113, 127, 128, 129, 225, 257};
    static const int64_t widths[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 97};
    enum { ROWS = sizeof rows / sizeof rows[0], WIDTHS = sizeof widths / sizeof widths[0] };
    for (int i = 0; i < 160; i++) {
        setting s = {.dtype = i % 2 ? HEED_F64 : HEED_F32,
                     .batch = 1 + i % 3,
                     .queries = rows[i % ROWS],
                     .keys = rows[i * 7 / 3 % ROWS],
                     .d = widths[i * 5 % WIDTHS],
                     .e = widths[i * 3 / 2 % WIDTHS],
                     .lengths = i / 3 % 3,
                     .causal = i / 5 % 2,
                     .dropout = i % 4 == 3 ? 0.25 : 0};
        compare(&s);
    }
}
END_TEST

/* By pairs of bf16, where the CPU has them. */
START_TEST(fewer_digits)
{
    static const int64_t rows[] = {24, 31, 32, 33, 111, 112, 113, 128, 129, 225, 257};
    static const int64_t widths[] = {1, 16, 17, 31, 32, 33, 64, 65, 97};
    enum { ROWS = sizeof rows / sizeof rows[0], WIDTHS = sizeof widths / sizeof widths[0] };
    for (int i = 0; i < 120; i++)
        compare(&(setting){.dtype = HEED_F32,
                           .batch = 1 + i % 2,
                           .queries = rows[i % ROWS],
                           .keys = rows[i * 7 / 3 % ROWS],
                           .d = widths[i * 5 % WIDTHS],
                           .e = widths[i * 3 / 2 % WIDTHS],
                           .lengths = i / 3 % 3,
                           .causal = i / 5 % 2,
                           .dropout = i % 4 == 3 ? 0.25 : 0,
                           .precision = HEED_PRECISION_MEDIUM});
    compare(&(setting){.dtype = HEED_F32,
                       .batch = 1,
                       .queries = 40,
                       .keys = 4200,
                       .d = 32,
                       .e = 33,
                       .precision = HEED_PRECISION_MEDIUM});
    compare(&(setting){.dtype = HEED_F32,
                       .batch = 1,
                       .queries = 4200,
                       .keys = 40,
                       .d = 33,
                       .e = 32,
                       .precision = HEED_PRECISION_MEDIUM});
}
END_TEST

/* Blocks of queries are smaller there. */
START_TEST(long_rows)
{
    compare(&(setting){.dtype = HEED_F32,
                       .batch = 1,
                       .queries = 130,
                       .keys = 120,
                       .d = 1201,
                       .e = 40,
                       .precision = HEED_PRECISION_MEDIUM});
    compare(&(setting){.dtype = HEED_F32, .batch = 1, .queries = 130, .keys = 120, .d = 1201, .e = 7});
    compare(&(setting){.dtype = HEED_F64, .batch = 1, .queries = 70, .keys = 30, .d = 2, .e = 1031, .causal = true});
}
END_TEST

/* One query takes a path of its own, up to 65,536 keys; its backward pass is cut into chunks of keys. */
START_TEST(one_query)
{
    static const int64_t keys[] = {111, 112, 113, 1000, 2003, 65536, 65537};
    for (int i = 0; i < 2 * 7; i++)
        compare(&(setting){.dtype = i % 2 ? HEED_F64 : HEED_F32,
                           .batch = 1 + i % 3,
                           .queries = 1,
                           .keys = keys[i / 2],
                           .d = 35,
                           .e = 49,
                           .lengths = i % 3,
                           .dropout = i / 2 % 2 ? 0.25 : 0});
}
END_TEST

/* Rows of q that score far above or below the others; keys that score -inf, a block of them and more. */
START_TEST(extreme_scores)
{
    for (int d = 0; d < 2; d++) {
        heed_dtype dtype = d ? HEED_F64 : HEED_F32;
        setting s = {.dtype = dtype, .batch = 1, .queries = 4, .keys = 300, .d = 1, .e = 2, .scale = 1};
        heed_tensor *in[INPUTS];
        draw(&s, in);
        in[Q] = heed_set_requires_grad(HEED_TENSOR(dtype, HEED_SHAPE(1, 4, 1), 1, 1e4, -1e4, 3e37), true);
        outcome fused = run(&s, in, false, false), composed = run(&s, in, true, false);
        ck_assert_near(difference(fused.y, composed.y), 0, d ? 1e-12 : 1e-5);
        for (int64_t first = 0; first <= 300; first += 150) {
            heed_tensor *key = heed_clone(heed_detach(in[K])), *bad[INPUTS] = {in[Q], NULL, in[V]};
            for (int64_t j = 0; j < 300; j++)
                if (first == 300 || j < first)
                    heed_set_(key, HEED_INDEX(0, j, 0), -(double)INFINITY);
            bad[K] = heed_set_requires_grad(key, true);
            bad[Q] = heed_set_requires_grad(HEED_TENSOR(dtype, HEED_SHAPE(1, 4, 1), 1, 2, 3, 4), true);
            fused = run(&s, bad, false, false);
            composed = run(&s, bad, true, false);
            ck_assert_near(difference(fused.y, composed.y), 0, d ? 1e-12 : 1e-5);
            ck_assert_near(difference(fused.dx[V], composed.dx[V]), 0, d ? 1e-12 : 1e-5);
            ck_assert(!isnan(heed_get(fused.y, HEED_INDEX(0, 0, 0))) == (first != 300));
        }
    }
}
END_TEST

/* A weight too small for a normal number is 0, the others do not change. */
START_TEST(tiny_weights)
{
    heed_tensor *q = heed_ones(HEED_F32, HEED_SHAPE(1, 1, 1)),
                *k = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 1), 0, -80, -90);
    heed_tensor *v = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 3), 0, 0, 0, 0, 1, 0, 0, 0, 1);
    heed_tensor *y = heed_dot_product_attention(q, k, v, &(heed_attention_options){.scale = 1}, NULL);
    ck_assert_near(heed_get(y, HEED_INDEX(0, 0, 1)) / exp(-80), 1, 1e-6);
    ck_assert(heed_get(y, HEED_INDEX(0, 0, 2)) == 0);
}
END_TEST

/* -- Layouts ------------------------------------------------------------------------------------------------------- */

/* To the bit. */
static void expect_same(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(difference(a, b) == 0);
}

/* Heads as views of maps, rows apart, columns apart, one row for all. */
START_TEST(views)
{
    heed_manual_seed(2);
    heed_tensor *maps = heed_randn(HEED_F32, HEED_SHAPE(2, 37, 3 * 4 * 8)), *view[INPUTS], *copy[INPUTS];
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < INPUTS; i++) {
            heed_tensor *x = heed_slice(maps, 2, i * 32, (i + 1) * 32, 1);
            x = kind == 1 ? heed_slice(x, 1, 0, 37, 2) : x;
            x = kind == 2 ? heed_slice(x, 2, 0, 32, 3) : x;
            x = kind == 3 ? heed_expand(heed_slice(x, 1, 5, 6, 1), HEED_SHAPE(2, 9, 32)) : x;
            view[i] = kind == 0 ? heed_transpose(heed_reshape(x, HEED_SHAPE(2, 37, 4, 8)), 1, 2) : x;
            copy[i] = heed_clone(view[i]);
        }
        heed_tensor *y = heed_dot_product_attention(view[Q], view[K], view[V], NULL, NULL);
        expect_same(y, heed_dot_product_attention(copy[Q], copy[K], copy[V], NULL, NULL));
        ck_assert(heed_is_contiguous(y));
    }
}
END_TEST

static heed_tensor *turned(heed_tensor *x)
{
    return heed_set_requires_grad(heed_clone(heed_detach(heed_transpose(x, 1, 2))), true);
}

START_TEST(heads_inner)
{
    for (int with_weights = 0; with_weights < 2; with_weights++) {
        setting outer = {.dtype = HEED_F32,
                         .batch = 2,
                         .heads = 3,
                         .queries = 40,
                         .keys = 130,
                         .d = 9,
                         .e = 33,
                         .lengths = BY_ROW,
                         .dropout = 0.2},
                inner = outer;
        heed_tensor *in[INPUTS], *other[INPUTS];
        inner.inner = true;
        draw(&outer, in);
        for (int i = 0; i < INPUTS; i++)
            other[i] = turned(in[i]);
        outcome a = run(&outer, in, with_weights, false), b = run(&inner, other, with_weights, false);
        expect_same(heed_transpose(a.y, 1, 2), b.y);
        for (int i = 0; i < INPUTS; i++)
            expect_same(heed_transpose(a.dx[i], 1, 2), b.dx[i]);
        ck_assert(heed_is_contiguous(b.y));
    }
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3, 4));
    ck_assert_ptr_null(heed_dot_product_attention(x, x, x, &(heed_attention_options){.heads_inner = true}, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "q (2, 3, 4), k (2, 3, 4), v (2, 3, 4): must be (B, Q, H, d)");
}
END_TEST

/* -- Memory -------------------------------------------------------------------------------------------------------- */

enum { LONG = 1024, WIDE = 16 };

/* Far below the weights' Q K numbers: a few times Q d, and what a thread works in. */
START_TEST(memory)
{
    const int64_t row_bytes = LONG * WIDE * (int64_t)sizeof(float), room = 400 * 1024;
    int threads = heed_num_threads();
    heed_set_num_threads(1);
    setting s = {.dtype = HEED_F32, .batch = 1, .queries = LONG, .keys = LONG, .d = WIDE, .e = WIDE};
    heed_tensor *in[INPUTS], *dx[INPUTS];
    draw(&s, in);
    heed_tensor *g = heed_ones(HEED_F32, HEED_SHAPE(1, LONG, WIDE));
    heed_attention_options options = {.causal = true, .dropout = 0.1};
    int64_t before = heed_memory_get_stats().live_bytes;
    heed_memory_reset_peak();
    heed_tensor *y = heed_dot_product_attention(in[Q], in[K], in[V], &options, NULL);
    int64_t forward = heed_memory_get_stats().peak_bytes - before;
    ck_assert_msg(forward < 2 * row_bytes + room, "forward takes %d bytes", (int)forward);
    int64_t kept = heed_memory_get_stats().live_bytes - before;
    ck_assert_msg(kept < row_bytes * 3 / 2, "forward leaves %d bytes", (int)kept);
    heed_grad_options of = {.grad_outputs = &g};
    ck_assert_int_eq(heed_grad(&y, 1, in, INPUTS, dx, &of), HEED_OK);
    int64_t all = heed_memory_get_stats().peak_bytes - before;
    ck_assert_msg(all < 12 * row_bytes + room, "backward takes %d bytes", (int)all);
    ck_assert_int_lt(12 * row_bytes + room, LONG * LONG * (int64_t)sizeof(float));
    heed_set_num_threads(threads);
}
END_TEST

/* -- Threads ------------------------------------------------------------------------------------------------------- */

/* Cut into chunks of keys, within one batch element, too. */
START_TEST(any_number_of_threads)
{
    static const int counts[] = {1, 2, 3, 7};
    const setting settings[] = {
        {.dtype = HEED_F32, .batch = 1, .queries = 700, .keys = 600, .d = 16, .e = 24},
        {.dtype = HEED_F32, .batch = 3, .queries = 300, .keys = 500, .d = 17, .e = 16, .lengths = BY_ROW},
        {.dtype = HEED_F64,
         .batch = 1,
         .heads = 3,
         .queries = 400,
         .keys = 400,
         .d = 16,
         .e = 16,
         .causal = true,
         .inner = true,
         .dropout = 0.1},
        {.dtype = HEED_F32,
         .batch = 1,
         .queries = 700,
         .keys = 600,
         .d = 33,
         .e = 24,
         .precision = HEED_PRECISION_MEDIUM}};
    int before = heed_num_threads();
    for (int i = 0; i < 4; i++) {
        heed_tensor *in[INPUTS];
        draw(&settings[i], in);
        outcome first = {.y = NULL};
        for (int n = 0; n < 4; n++) {
            heed_set_num_threads(counts[n]);
            outcome o = run(&settings[i], in, false, false);
            if (n == 0)
                first = o;
            expect_near(&settings[i], &o, &first, 0, "by threads");
        }
        heed_set_num_threads(before);
        compare(&settings[i]);
    }
}
END_TEST

/* -- Some gradients only ------------------------------------------------------------------------------------------- */

START_TEST(some_gradients)
{
    setting s = {.dtype = HEED_F32, .batch = 1, .queries = 400, .keys = 400, .d = 16, .e = 16, .causal = true};
    heed_tensor *in[INPUTS], *dx = NULL;
    draw(&s, in);
    outcome all = run(&s, in, false, false);
    heed_tensor *g = gradient_of(&s, all.y);
    for (int i = 0; i < INPUTS; i++) {
        heed_tensor *y =
            heed_dot_product_attention(in[Q], in[K], in[V], &(heed_attention_options){.causal = true}, NULL);
        heed_grad_options of = {.grad_outputs = &g};
        ck_assert_int_eq(heed_grad(&y, 1, &in[i], 1, &dx, &of), HEED_OK);
        expect_same(dx, all.dx[i]);
    }
}
END_TEST

HEED_TEST_MAIN("flash attention", every_option, sizes, fewer_digits, long_rows, one_query, extreme_scores, tiny_weights,
               views, heads_inner, memory, any_number_of_threads, some_gradients)
