/* tests/ops/flash.h - for tests of fused dot-product attention: compares it with the composed op, which runs if the
 * weights are requested.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_FLASH_H
#define HEED_TESTS_FLASH_H

#include "check_heed.h"

/* One call; the sizes are per head. */
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

static inline heed_shape shape_of(const setting *s, int64_t rows, int64_t width)
{
    if (s->heads == 0)
        return HEED_SHAPE(s->batch, rows, width);
    return s->inner ? HEED_SHAPE(s->batch, rows, s->heads, width) : HEED_SHAPE(s->batch, s->heads, rows, width);
}

static inline heed_tensor *lengths_of(const setting *s)
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

static inline void draw(const setting *s, heed_tensor *in[INPUTS])
{
    const heed_shape shapes[INPUTS] = {shape_of(s, s->queries, s->d), shape_of(s, s->keys, s->d),
                                       shape_of(s, s->keys, s->e)};
    heed_manual_seed(1);
    for (int i = 0; i < INPUTS; i++)
        in[i] = heed_set_requires_grad(heed_randn(s->dtype, shapes[i]), true);
}

/* The gradient of a row is the same in any head layout. */
static inline heed_tensor *gradient_of(const setting *s, heed_tensor *y)
{
    heed_shape shape = heed_shape_of(y), outer = shape;
    if (s->inner)
        outer = HEED_SHAPE(shape.dims[0], shape.dims[2], shape.dims[1], shape.dims[3]);
    heed_tensor *g = heed_cos(heed_reshape(heed_arange(s->dtype, 0, (double)heed_numel(y), 1), outer));
    return s->inner ? heed_contiguous(heed_transpose(g, 1, 2)) : g;
}

/* With weights the composed op runs, otherwise the fused one and, if `composed`, its composed gradients. */
static inline outcome run(const setting *s, heed_tensor *const in[INPUTS], bool with_weights, bool composed)
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
static inline double difference(heed_tensor *a, heed_tensor *b)
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

static inline void expect_near(const setting *s, const outcome *a, const outcome *b, double tolerance, const char *what)
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

static inline void compare(const setting *s)
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

#endif
