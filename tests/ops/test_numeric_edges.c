/* tests/ops/test_numeric_edges.c - special numbers, empty tensors, and the processor's modes, in f32 and f64,
 * forward and backward. test_numeric_rules.c tests scores and masks.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "numeric_rules.h"

#include <fenv.h>
#include <locale.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "foreign_locale.h"

#define INF ((double)INFINITY)
#define NONE ((double)NAN)

static heed_tensor *leaf(heed_tensor *t)
{
    return heed_set_requires_grad(t, true);
}

/* -- tanh and dropout: rules without lengths ----------------------------------------------------------------------- */

static heed_tensor *by_tanh(heed_tensor *x, const rule *r)
{
    (void)r;
    return heed_tanh(x);
}

/* The rule's factor is the probability. */
static heed_tensor *by_dropout(heed_tensor *x, const rule *r)
{
    return heed_dropout(x, r->factor, true);
}

static heed_tensor *by_dropout_module(heed_tensor *x, const rule *r)
{
    heed_nn_dropout *net = heed_nn_dropout_new(r->factor);
    heed_tensor *y = net ? heed_nn_dropout_forward(net, x) : NULL;
    heed_module_free(net ? &net->base : NULL);
    return y;
}

static const subject tanhs[] = {{.name = "tanh", .run = by_tanh}};
static const subject dropouts[] = {{.name = "dropout", .run = by_dropout},
                                   {.name = "dropout module", .run = by_dropout_module}};

static const rule rules_of_tanh[] = {
    RULE("infinite and NaN", ROW(-INF, INF, NONE, 0), 4, ROW(-1, 1, NONE, 0), ROW(0, 0, NONE, 7)),
    RULE("large", ROW(-1e30, 1e30, -40, 40), 4, ROW(-1, 1, -1, 1), ROW(0, 0, 0, 0)),
};
static const rule rules_of_dropout[] = {
    KEY_RULE("p = 0", 0, ROW(1, -2, 3e-40, 4), 4, ROW(1, -2, 3e-40, 4), ROW(1, 3, 5, 7)),
    KEY_RULE("p = 0 of special numbers", 0, ROW(INF, NONE, -INF, 0), 4, ROW(INF, NONE, -INF, 0), ROW(1, 3, 5, 7)),
    KEY_RULE("p = 1", 1, ROW(1, -2, 3e38, 4), 4, ROW(0, 0, 0, 0), ROW(0, 0, 0, 0)),
    KEY_RULE("p = 1 of special numbers", 1, ROW(INF, NONE, -INF, 0), 4, ROW(0, 0, 0, 0), ROW(0, 0, 0, 0)),
};

START_TEST(tanh_of_special_numbers)
{
    CHECK_RULES(rules_of_tanh, tanhs);
}
END_TEST

START_TEST(dropout_of_all_and_of_none)
{
    CHECK_RULES(rules_of_dropout, dropouts);
}
END_TEST

START_TEST(probabilities_outside_fail)
{
    static const double bad[] = {-0x1p-1074, -1, 1 + DBL_EPSILON, 2, INF, -INF, NONE};
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1, 2, 3));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_ptr_null(heed_dropout(x, bad[i], true));
        ck_assert_error(HEED_ERR_ARGUMENT, "dropout");
        ck_assert_ptr_null(heed_dropout(x, bad[i], false));
        ck_assert_error(HEED_ERR_ARGUMENT, "dropout");
        ck_assert_ptr_null(heed_nn_dropout_new(bad[i]));
        ck_assert_error(HEED_ERR_ARGUMENT, "dropout");
        ck_assert_ptr_null(heed_dot_product_attention(x, x, x, &(heed_attention_options){.dropout = bad[i]}, NULL));
        ck_assert_error(HEED_ERR_ARGUMENT, "dropout");
    }
}
END_TEST

/* -- Masked sequences ---------------------------------------------------------------------------------------------- */

START_TEST(masked_steps_do_not_leak)
{
    for (int d = 0; d < 2; d++) {
        heed_tensor *x = leaf(HEED_TENSOR(float_dtypes[d], HEED_SHAPE(2, 2), 1, NONE, INF, -INF)), *dx = NULL;
        heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 0);
        heed_tensor *loss = heed_sequence_loss(heed_mul_scalar(x, 3), lens, HEED_REDUCTION_MEAN);
        ck_assert_double_eq(heed_item(loss), 3);
        ck_assert_int_eq(heed_grad(&loss, 1, &x, 1, &dx, NULL), HEED_OK);
        for (int i = 0; i < 4; i++)
            ck_assert_double_eq(heed_get(dx, HEED_INDEX(i / 2, i % 2)), i == 0 ? 3 : 0);
        heed_tensor *y = heed_sequence_mask(x, lens, 0);
        heed_tensor *g = HEED_TENSOR(float_dtypes[d], HEED_SHAPE(2, 2), 5, INF, NONE, NONE);
        ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &dx, &(heed_grad_options){.grad_outputs = &g}), HEED_OK);
        for (int i = 0; i < 4; i++) {
            ck_assert_double_eq(heed_get(y, HEED_INDEX(i / 2, i % 2)), i == 0 ? 1 : 0);
            ck_assert_double_eq(heed_get(dx, HEED_INDEX(i / 2, i % 2)), i == 0 ? 5 : 0);
        }
    }
}
END_TEST

/* -- Bandwidths ---------------------------------------------------------------------------------------------------- */

/* 0 in the options means the default, not a bandwidth of 0. */
START_TEST(invalid_bandwidths_fail)
{
    static const double bad[] = {-1, -0x1p-1074, NONE, INF, -INF, 0x1p-1074, 1e-300};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (int d = 0; d < 2; d++)
            for (int log_width = 0; log_width < 2; log_width++) {
                ck_assert_ptr_null(heed_nn_nw_kernel_regression_new(&(heed_nn_nw_kernel_regression_options){
                    .width = bad[i], .log_width = log_width, .dtype = float_dtypes[d]}));
                ck_assert_error(HEED_ERR_ARGUMENT, "width");
            }
}
END_TEST

START_TEST(far_queries_stay_finite)
{
    static const double farther[] = {-1e25, -1e200}; /* whose squares are infinite */
    for (int d = 0; d < 2; d++) {
        heed_dtype dtype = float_dtypes[d];
        heed_nn_nw_kernel_regression *net = heed_nn_nw_kernel_regression_new(
            &(heed_nn_nw_kernel_regression_options){.non_parametric = true, .width = 0.1, .dtype = dtype});
        heed_tensor *q = leaf(HEED_TENSOR(dtype, HEED_SHAPE(2), 1e9, farther[d])), *dq = NULL;
        heed_tensor *y = heed_nn_nw_kernel_regression_forward(net, q, HEED_TENSOR(dtype, HEED_SHAPE(2), -1e3, 1e3),
                                                              HEED_TENSOR(dtype, HEED_SHAPE(2), 3, 5), NULL);
        heed_tensor *sum = heed_sum(y);
        ck_assert_int_eq(heed_grad(&sum, 1, &q, 1, &dq, NULL), HEED_OK);
        ck_assert_double_eq(heed_get(y, HEED_INDEX(0)), 5);
        ck_assert(heed_get(y, HEED_INDEX(1)) >= 3 && heed_get(y, HEED_INDEX(1)) <= 5);
        ck_assert(isfinite(heed_get(dq, HEED_INDEX(0))) && isfinite(heed_get(dq, HEED_INDEX(1))));
        ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
    }
}
END_TEST

/* -- Empty tensors ------------------------------------------------------------------------------------------------- */

/* run gets tensors of these shapes, with a gradient; the result has shape `shape` and all elements are `value`. */
typedef struct of_nothing {
    const char *name;
    heed_shape in[3];
    heed_tensor *(*run)(heed_tensor *const *in);
    heed_shape shape;
    double value;
} of_nothing;

#define GIVES(name, expression)                                                                                        \
    static heed_tensor *name(heed_tensor *const *in)                                                                   \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
#define FIRST heed_dim(in[0], 0)
#define NO_LENGTHS heed_zeros(HEED_I64, HEED_SHAPE(FIRST))

GIVES(tanh_of, heed_tanh(in[0]))
GIVES(sum_of, heed_sum(in[0]))
GIVES(mean_of, heed_mean(in[0]))
GIVES(sum_of_columns, heed_sum_axes(in[0], HEED_AXES(0), false))
GIVES(softmax_of, heed_softmax(in[0], -1))
GIVES(masked_softmax_of, heed_masked_softmax(in[0], NO_LENGTHS))
GIVES(sequence_mask_of, heed_sequence_mask(in[0], NO_LENGTHS, 1))
GIVES(sequence_loss_of, heed_sequence_loss(in[0], NO_LENGTHS, HEED_REDUCTION_SUM))
GIVES(layer_norm_of, heed_layer_norm(in[0], HEED_SHAPE(3), in[1], in[2], 1e-5))
GIVES(layer_norm_of_nothing, heed_layer_norm(in[0], HEED_SHAPE(0), in[1], in[2], 0))
GIVES(dropout_of, heed_dropout(in[0], 0.5, true))
GIVES(bmm_of, heed_bmm(in[0], in[1]))
GIVES(dot_product_of, heed_dot_product_attention(in[0], in[1], in[2], NULL, NULL))
GIVES(masked_dot_product_of,
      heed_dot_product_attention(in[0], in[1], in[2], &(heed_attention_options){.valid_lens = NO_LENGTHS}, NULL))
GIVES(additive_of, heed_additive_attention(in[0], in[1], in[2], heed_ones(heed_dtype_of(in[0]), HEED_SHAPE(2, 4)),
                                           heed_ones(heed_dtype_of(in[0]), HEED_SHAPE(2, 4)),
                                           heed_ones(heed_dtype_of(in[0]), HEED_SHAPE(2)), NULL, NULL))

#define DIMS(...)                                                                                                      \
    {                                                                                                                  \
        .rank = (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), .dims = { __VA_ARGS__ }                     \
    }
#define ONE(name_, run_, a, shape_, value_)                                                                            \
    {                                                                                                                  \
        .name = name_, .in = {a}, .run = run_, .shape = shape_, .value = value_                                        \
    }
#define THREE(name_, run_, a, b, c, shape_, value_)                                                                    \
    {                                                                                                                  \
        .name = name_, .in = {a, b, c}, .run = run_, .shape = shape_, .value = value_                                  \
    }
#define NOT_GIVEN DIMS(0)
#define NUMBER                                                                                                         \
    {                                                                                                                  \
        .rank = 0                                                                                                      \
    }

static const of_nothing nothings[] = {
    ONE("tanh", tanh_of, DIMS(0, 3), DIMS(0, 3), 0),
    ONE("sum", sum_of, DIMS(0), NUMBER, 0),
    ONE("mean", mean_of, DIMS(0), NUMBER, NONE),
    ONE("sum of columns", sum_of_columns, DIMS(0, 3), DIMS(3), 0),
    ONE("softmax of no rows", softmax_of, DIMS(0, 3), DIMS(0, 3), 0),
    ONE("softmax of empty rows", softmax_of, DIMS(3, 0), DIMS(3, 0), 0),
    ONE("masked_softmax, B = 0", masked_softmax_of, DIMS(0, 2, 3), DIMS(0, 2, 3), 0),
    ONE("masked_softmax, Q = 0", masked_softmax_of, DIMS(2, 0, 3), DIMS(2, 0, 3), 0),
    ONE("masked_softmax, K = 0", masked_softmax_of, DIMS(2, 3, 0), DIMS(2, 3, 0), 0),
    ONE("sequence_mask, n = 0", sequence_mask_of, DIMS(0, 3), DIMS(0, 3), 0),
    ONE("sequence_mask, T = 0", sequence_mask_of, DIMS(3, 0, 2), DIMS(3, 0, 2), 0),
    ONE("sequence_loss, B = 0", sequence_loss_of, DIMS(0, 3), NUMBER, 0),
    THREE("layer_norm of no rows", layer_norm_of, DIMS(0, 3), DIMS(3), DIMS(3), DIMS(0, 3), 0),
    THREE("layer_norm of empty rows", layer_norm_of_nothing, DIMS(3, 0), DIMS(0), DIMS(0), DIMS(3, 0), 0),
    ONE("dropout", dropout_of, DIMS(0, 3), DIMS(0, 3), 0),
    THREE("bmm, inner size 0", bmm_of, DIMS(2, 3, 0), DIMS(2, 0, 4), NOT_GIVEN, DIMS(2, 3, 4), 0),
    THREE("bmm, B = 0", bmm_of, DIMS(0, 3, 2), DIMS(0, 2, 4), NOT_GIVEN, DIMS(0, 3, 4), 0),
    THREE("bmm, no rows", bmm_of, DIMS(2, 0, 3), DIMS(2, 3, 4), NOT_GIVEN, DIMS(2, 0, 4), 0),
    THREE("dot product, K = 0", dot_product_of, DIMS(2, 3, 4), DIMS(2, 0, 4), DIMS(2, 0, 5), DIMS(2, 3, 5), 0),
    THREE("dot product, Q = 0", dot_product_of, DIMS(2, 0, 4), DIMS(2, 3, 4), DIMS(2, 3, 5), DIMS(2, 0, 5), 0),
    THREE("dot product, B = 0", dot_product_of, DIMS(0, 3, 4), DIMS(0, 3, 4), DIMS(0, 3, 5), DIMS(0, 3, 5), 0),
    THREE("masked, K = 0", masked_dot_product_of, DIMS(2, 3, 4), DIMS(2, 0, 4), DIMS(2, 0, 5), DIMS(2, 3, 5), 0),
    THREE("additive, K = 0", additive_of, DIMS(2, 3, 4), DIMS(2, 0, 4), DIMS(2, 0, 5), DIMS(2, 3, 5), 0),
    THREE("additive, Q = 0", additive_of, DIMS(2, 0, 4), DIMS(2, 3, 4), DIMS(2, 3, 5), DIMS(2, 0, 5), 0),
    THREE("additive, B = 0", additive_of, DIMS(0, 3, 4), DIMS(0, 3, 4), DIMS(0, 3, 5), DIMS(0, 3, 5), 0),
};

/* Every existing gradient has the input's shape and is 0, because the input has no effect. */
static void check_nothing(const of_nothing *n, heed_dtype dtype, bool composed)
{
    heed_tensor *in[3], *grads[3];
    for (int i = 0; i < 3; i++)
        in[i] = leaf(heed_full(dtype, n->in[i], 0.5));
    heed_tensor *y = n->run(in);
    ck_assert_msg(y && heed_shape_equal(heed_shape_of(y), n->shape), "%s: %s", n->name, heed_error_message());
    heed_tensor *flat = heed_reshape(y, HEED_SHAPE(heed_numel(y))), *loss = heed_sum(y);
    for (int64_t i = 0; i < heed_numel(y); i++)
        ck_assert_same(heed_get(flat, HEED_INDEX(i)), n->value);
    heed_grad_options options = {.create_graph = composed, .allow_unused = true};
    ck_assert_msg(heed_grad(&loss, 1, in, 3, grads, &options) == HEED_OK, "%s: %s", n->name, heed_error_message());
    for (int i = 0; i < 3; i++) {
        ck_assert_msg(!grads[i] || heed_shape_equal(heed_shape_of(grads[i]), n->in[i]), "%s: gradient %d", n->name, i);
        ck_assert_msg(!grads[i] || heed_item(heed_sum(heed_abs(grads[i]))) == 0, "%s: gradient %d", n->name, i);
    }
}

START_TEST(nothing_is_legal)
{
    for (size_t i = 0; i < sizeof nothings / sizeof nothings[0]; i++)
        for (int d = 0; d < 2; d++)
            for (int composed = 0; composed < 2; composed++)
                check_nothing(&nothings[i], float_dtypes[d], composed);
}
END_TEST

START_TEST(empty_tensors_have_no_largest)
{
    for (int d = 0; d < 2; d++) {
        heed_tensor *x = heed_zeros(float_dtypes[d], HEED_SHAPE(3, 0));
        ck_assert_ptr_null(heed_max(x));
        ck_assert_error(HEED_ERR_SHAPE, "max: axis 1 of (3, 0) is empty");
        ck_assert_ptr_null(heed_min_axes(x, HEED_AXES(1), true));
        ck_assert_error(HEED_ERR_SHAPE, "min: axis 1 of (3, 0) is empty");
        ck_assert_ptr_null(heed_argmax(x, 1, false));
        ck_assert_error(HEED_ERR_SHAPE, "argmax:");
        ck_assert_int_eq(heed_numel(heed_max_axes(x, HEED_AXES(0), false)), 0);
    }
}
END_TEST

/* -- Denormal numbers and modes ------------------------------------------------------------------------------------ */

START_TEST(denormal_numbers_are_kept)
{
    static const double small[] = {0x1p-140, 0x1p-1060}, far[] = {-100, -740};
    for (int d = 0; d < 2; d++) {
        heed_dtype dtype = float_dtypes[d];
        heed_tensor *x = heed_full(dtype, HEED_SHAPE(19), small[d]);
        ck_assert_double_eq(heed_get(heed_mul_scalar(x, 0.5), HEED_INDEX(18)), small[d] / 2);
        ck_assert_double_eq(heed_item(heed_sum(x)), 19 * small[d]);
        ck_assert_double_eq(heed_item(heed_matmul(x, heed_ones(dtype, HEED_SHAPE(19)))), 19 * small[d]);
        ck_assert_double_eq(heed_get(heed_tanh(x), HEED_INDEX(0)), small[d]);
        heed_tensor *scores = leaf(HEED_TENSOR(dtype, HEED_SHAPE(1, 1, 3), 0, far[d], 1)), *dx = NULL;
        heed_tensor *y = heed_masked_softmax(scores, HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 2));
        heed_tensor *weight = heed_select(heed_reshape(y, HEED_SHAPE(3)), 0, 1);
        ck_assert_int_eq(heed_grad(&weight, 1, &scores, 1, &dx, NULL), HEED_OK);
        double least = dtype == HEED_F32 ? (double)FLT_MIN : DBL_MIN, got = heed_item(weight);
        ck_assert(got > 0 && got < least);
        ck_assert_double_eq(heed_get(dx, HEED_INDEX(0, 0, 1)), got);
    }
}
END_TEST

/* One of every kind of op, large enough for threads. */
static void compute(heed_dtype dtype)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *x = leaf(heed_randn(dtype, HEED_SHAPE(2, 131, 67))), *w = leaf(heed_ones(dtype, HEED_SHAPE(67)));
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 100, 0);
    heed_tensor *norm = heed_layer_norm(x, HEED_SHAPE(67), w, NULL, 1e-5);
    heed_attention_options options = {.valid_lens = lens, .dropout = 0.5};
    heed_tensor *y = heed_dot_product_attention(norm, heed_tanh(x), heed_gelu(x), &options, NULL);
    heed_tensor *loss = heed_mean(heed_square(heed_log_softmax(y, -1)));
    ck_assert_msg(heed_backward(loss) == HEED_OK, "%s", heed_error_message());
    ck_assert_ptr_null(heed_masked_softmax(x, heed_neg(x)));
    heed_error_clear();
    heed_scope_end(scope);
}

/* Rounding, traps and the handling of denormal numbers; without the flags, which any sum raises. */
static unsigned control_bits(void)
{
#ifdef __SSE2__
    return _mm_getcsr() & ~0x3fU;
#else
    return (unsigned)fegetround();
#endif
}

START_TEST(modes_are_left_as_they_are)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        ck_assert_int_eq(fesetround(modes[i]), 0);
        unsigned before = control_bits();
        compute(HEED_F32);
        compute(HEED_F64);
        unsigned after = control_bits();
        int mode = fegetround();
        (void)fesetround(FE_TONEAREST);
        ck_assert_uint_eq(after, before);
        ck_assert_int_eq(mode, modes[i]);
    }
}
END_TEST

START_TEST(locale_is_left_as_it_is)
{
    char before[256];
    if (!foreign_locale_begin("de_DE"))
        return;
    (void)snprintf(before, sizeof before, "%s", setlocale(LC_ALL, NULL));
    compute(HEED_F32);
    compute(HEED_F64);
    ck_assert_str_eq(setlocale(LC_ALL, NULL), before);
    ck_assert_str_eq(localeconv()->decimal_point, ",");
    foreign_locale_end();
}
END_TEST

HEED_TEST_MAIN("numeric rules of everything else", tanh_of_special_numbers, dropout_of_all_and_of_none,
               probabilities_outside_fail, masked_steps_do_not_leak, invalid_bandwidths_fail, far_queries_stay_finite,
               nothing_is_legal, empty_tensors_have_no_largest, denormal_numbers_are_kept, modes_are_left_as_they_are,
               locale_is_left_as_it_is)
