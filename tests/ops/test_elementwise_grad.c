/* tests/ops/test_elementwise_grad.c - gradients of elementwise ops that differences cannot check: kinks, ties,
 * infinities, NaN, changes of dtype. All by the fused rule and by the composed one.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

/* math.h's are floats. */
#define NAN_ ((double)NAN)
#define INF_ ((double)INFINITY)

/* g^T dy / dx; `composed`: by the rule that can be differentiated again. */
static heed_tensor *gradient(heed_tensor *y, heed_tensor *x, heed_tensor *g, bool composed)
{
    heed_tensor *dx = NULL;
    heed_grad_options options = {.grad_outputs = &g, .retain_graph = true, .create_graph = composed};
    ck_assert_msg(heed_grad(&y, 1, &x, 1, &dx, &options) == HEED_OK, "%s", heed_error_message());
    return dx;
}

static heed_tensor *leaf(heed_tensor *x)
{
    return heed_set_requires_grad(x, true);
}

typedef struct point {
    const char *name;
    heed_tensor *(*op)(heed_tensor *x);
    double x, expected; /* gradient, for g = 3 */
} point;

static heed_tensor *clamp(heed_tensor *x)
{
    return heed_clamp(x, -1.0, 1.0);
}

static heed_tensor *power_0(heed_tensor *x)
{
    return heed_pow_scalar(x, 0.0);
}

static heed_tensor *power_1(heed_tensor *x)
{
    return heed_pow_scalar(x, 1.0);
}

static heed_tensor *power_2(heed_tensor *x)
{
    return heed_pow_scalar(x, 2.0);
}

static heed_tensor *power_half(heed_tensor *x)
{
    return heed_pow_scalar(x, 0.5);
}

static heed_tensor *scale_nan(heed_tensor *x)
{
    return heed_mul_scalar(x, NAN_);
}

static const point points[] = {
    {"relu", heed_relu, 0.0, 0.0},
    {"relu", heed_relu, -0.0, 0.0},
    {"relu", heed_relu, INF_, 3.0},
    {"relu", heed_relu, -INF_, 0.0},
    {"relu", heed_relu, NAN_, 0.0},
    {"abs", heed_abs, 0.0, 0.0},
    {"abs", heed_abs, -INF_, -3.0},
    {"abs", heed_abs, NAN_, NAN_},
    {"sign", heed_sign, 0.0, 0.0},
    {"sign", heed_sign, NAN_, 0.0},
    {"clamp", clamp, 1.0, 3.0},
    {"clamp", clamp, -1.0, 3.0},
    {"clamp", clamp, 1.0000000000000002, 0.0},
    {"clamp", clamp, -INF_, 0.0},
    {"clamp", clamp, NAN_, 0.0},
    {"sqrt", heed_sqrt, 0.0, INF_},
    {"sqrt", heed_sqrt, INF_, 0.0},
    {"log", heed_log, 0.0, INF_},
    {"log", heed_log, INF_, 0.0},
    {"exp", heed_exp, -INF_, 0.0},
    {"exp", heed_exp, INF_, INF_},
    {"square", heed_square, -INF_, -INF_},
    {"tanh", heed_tanh, INF_, 0.0},
    {"tanh", heed_tanh, -INF_, 0.0},
    {"tanh", heed_tanh, NAN_, NAN_},
    {"sigmoid", heed_sigmoid, INF_, 0.0},
    {"sigmoid", heed_sigmoid, -INF_, 0.0},
    {"erf", heed_erf, INF_, 0.0},
    {"gelu", heed_gelu, 0.0, 1.5},
    {"gelu", heed_gelu, INF_, 3.0},
    {"gelu", heed_gelu, -INF_, 0.0},
    {"gelu", heed_gelu, NAN_, NAN_},
    {"x^0", power_0, 0.0, 0.0},
    {"x^0", power_0, NAN_, 0.0},
    {"x^1", power_1, 0.0, 3.0},
    {"x^2", power_2, 0.0, 0.0},
    {"x^0.5", power_half, 0.0, INF_},
    {"NaN x", scale_nan, 1.0, NAN_},
};

START_TEST(special_points)
{
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        for (int composed = 0; composed < 2; composed++) {
            const point *p = &points[i];
            heed_tensor *x = leaf(heed_full(HEED_F64, HEED_SCALAR, p->x));
            double dx = heed_item(gradient(p->op(x), x, heed_full(HEED_F64, HEED_SCALAR, 3.0), composed));
            ck_assert_msg(dx == p->expected || (isnan(dx) && isnan(p->expected)), "%s at %g: %g, expected %g", p->name,
                          p->x, dx, p->expected);
        }
}
END_TEST

static void assert_values(heed_tensor *x, const double *expected)
{
    const double *values = heed_data_f64(heed_contiguous(x));
    ck_assert_ptr_nonnull(values);
    for (int64_t i = 0; i < heed_numel(x); i++)
        ck_assert_same(values[i], expected[i]);
}

/* Ties share the gradient; NaN gives it to both. */
START_TEST(maximum_and_minimum_share_ties)
{
    heed_tensor *a = leaf(HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 2, 2, NAN_, INF_));
    heed_tensor *b = leaf(HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 2, 1, 2, 0, INF_));
    heed_tensor *g = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 3, 3, 3, 3, 3);
    for (int composed = 0; composed < 2; composed++) {
        heed_tensor *larger = heed_maximum(a, b), *smaller = heed_minimum(a, b);
        assert_values(gradient(larger, a, g, composed), (const double[]){0, 3, 1.5, 3, 1.5});
        assert_values(gradient(larger, b, g, composed), (const double[]){3, 0, 1.5, 3, 1.5});
        assert_values(gradient(smaller, a, g, composed), (const double[]){3, 0, 1.5, 3, 1.5});
        assert_values(gradient(smaller, b, g, composed), (const double[]){0, 3, 1.5, 3, 1.5});
    }
}
END_TEST

/* An unchosen element gets exactly 0 for any incoming gradient; masked numbers never leak. */
START_TEST(where_and_relu_skip_unchosen_elements)
{
    heed_tensor *condition = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(4), true, false, true, false);
    heed_tensor *a = leaf(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, NAN_, 2, INF_));
    heed_tensor *b = leaf(heed_zeros(HEED_F64, HEED_SCALAR));
    heed_tensor *g = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 5, NAN_, 7, INF_);
    heed_tensor *half = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), NAN_, 2, INF_, 4);
    heed_tensor *negative = leaf(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, -1, 1, -1));
    for (int composed = 0; composed < 2; composed++) {
        assert_values(gradient(heed_where(condition, a, b), a, g, composed), (const double[]){5, 0, 7, 0});
        ck_assert_same(heed_item(gradient(heed_where(condition, a, b), b, half, composed)), 6.0);
        assert_values(gradient(heed_relu(negative), negative, g, composed), (const double[]){5, 0, 7, 0});
        assert_values(gradient(heed_clamp(negative, 0.0, 2.0), negative, g, composed), (const double[]){5, 0, 7, 0});
    }
}
END_TEST

/* b^2 would be 0, or infinite. */
START_TEST(div_keeps_to_the_range)
{
    heed_tensor *a = heed_full(HEED_F64, HEED_SCALAR, 1e200);
    heed_tensor *b = leaf(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1e200, -1e200));
    heed_tensor *g = heed_ones(HEED_F64, HEED_SHAPE(2));
    for (int composed = 0; composed < 2; composed++)
        assert_values(gradient(heed_div(a, b), b, g, composed), (const double[]){-1e-200, -1e-200});
}
END_TEST

/* -- Copies and dtypes --------------------------------------------------------------------------------------------- */

START_TEST(to_dtype_brings_the_gradient_back)
{
    for (int composed = 0; composed < 2; composed++) {
        heed_tensor *wide = leaf(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 2));
        heed_tensor *g = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 0.5, -3);
        heed_tensor *dx = gradient(heed_to_dtype(wide, HEED_F32), wide, g, composed);
        ck_assert_int_eq(heed_dtype_of(dx), HEED_F64);
        assert_values(dx, (const double[]){0.5, -3});

        heed_tensor *narrow = leaf(HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, 2));
        dx = gradient(heed_to_dtype(narrow, HEED_F64), narrow, heed_ones(HEED_F64, HEED_SHAPE(2)), composed);
        ck_assert_int_eq(heed_dtype_of(dx), HEED_F32);
        ck_assert_same(heed_get(dx, HEED_INDEX(1)), 1.0);
    }
}
END_TEST

START_TEST(integers_and_masks_have_no_gradient)
{
    heed_tensor *x = leaf(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1.5, -2.5));
    heed_tensor *integers = heed_to_dtype(x, HEED_I64), *mask = heed_compare(x, HEED_COMPARE_GT, heed_neg(x));
    ck_assert(!heed_requires_grad(integers) && heed_is_leaf(integers));
    ck_assert(!heed_requires_grad(mask) && heed_is_leaf(mask));
    ck_assert(!heed_requires_grad(heed_to_dtype(integers, HEED_F64)));
}
END_TEST

START_TEST(copies_are_made_where_needed)
{
    heed_tensor *x = leaf(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 2, 3, 4));
    heed_tensor *view = heed_transpose(x, 0, 1);
    ck_assert_ptr_eq(heed_contiguous(x), x);
    ck_assert_ptr_eq(heed_to_dtype(x, HEED_F64), x);
    ck_assert_ptr_eq(heed_to_dtype(view, HEED_F64), view);
    ck_assert(!heed_shares_storage(heed_clone(x), x));
    heed_tensor *dense = heed_contiguous(view);
    ck_assert(!heed_shares_storage(dense, x) && heed_is_contiguous(dense));
    assert_values(dense, (const double[]){1, 3, 2, 4});
    heed_tensor *g = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 5, 6, 7, 8);
    assert_values(gradient(dense, x, g, false), (const double[]){5, 7, 6, 8});
}
END_TEST

/* The caller's tensor outlives the scope that its alias was borrowed from. */
START_TEST(an_alias_is_an_owner_of_its_own)
{
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(3));
    heed_scope *scope = heed_scope_begin();
    heed_contiguous(x);
    heed_to_dtype(x, HEED_F64);
    heed_scope_end(scope);
    ck_assert_same(heed_get(x, HEED_INDEX(2)), 1.0);
}
END_TEST

HEED_TEST_MAIN("elementwise gradients", special_points, maximum_and_minimum_share_ties,
               where_and_relu_skip_unchosen_elements, div_keeps_to_the_range, to_dtype_brings_the_gradient_back,
               integers_and_masks_have_no_gradient, copies_are_made_where_needed, an_alias_is_an_owner_of_its_own)
