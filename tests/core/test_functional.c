/* tests/core/test_functional.c - tests heed_vjp, heed_jvp, heed_hvp, heed_jacobian and heed_hessian against
 * formulas.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

/* f = (1 - x)^2 + 100 (y - x^2)^2, where in[0] = (x, y). */
static heed_tensor *rosenbrock(heed_tensor *const *in, void *user)
{
    (void)user;
    heed_tensor *x = heed_slice(in[0], 0, 0, 1, 1), *y = heed_slice(in[0], 0, 1, 2, 1);
    heed_tensor *valley = heed_mul_scalar(heed_square(heed_sub(y, heed_square(x))), 100.0);
    return heed_sum(heed_add(heed_square(heed_sub(heed_full(heed_dtype_of(x), heed_shape_of(x), 1), x)), valley));
}

static heed_tensor *softmax(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_softmax(in[0], 0);
}

/* Returns *user times the outer product of in[0] (2) and in[1] (3); ignores in[2]. */
static heed_tensor *outer(heed_tensor *const *in, void *user)
{
    return heed_mul_scalar(heed_mul(heed_unsqueeze(in[0], 1), in[1]), *(double *)user);
}

static heed_tensor *sum_of_outer(heed_tensor *const *in, void *user)
{
    return heed_sum(heed_square(outer(in, user)));
}

static heed_tensor *sum_of_cubes(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_sum(heed_mul(heed_square(in[0]), in[0]));
}

static heed_tensor *constant(heed_tensor *const *in, void *user)
{
    (void)in;
    (void)user;
    return heed_ones(HEED_F64, HEED_SCALAR);
}

static heed_tensor *identity(heed_tensor *const *in, void *user)
{
    (void)user;
    return in[0];
}

static heed_tensor *fails(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_reshape(in[0], HEED_SHAPE(77));
}

static heed_tensor *says_nothing(heed_tensor *const *in, void *user)
{
    (void)in;
    (void)user;
    return NULL;
}

static heed_tensor *classes(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_argmax(in[0], 0, false);
}

static heed_tensor *point(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.5, -1.25);
}

#define AT(t, ...) heed_get(t, HEED_INDEX(__VA_ARGS__))

/* H = (2 - 400 (y - 3 x^2), -400 x; -400 x, 200) at (0.5, -1.25). */
static const double h00 = 2 - 400 * (-1.25 - 0.75), h01 = -200, h11 = 200;

START_TEST(hessian_of_rosenbrock)
{
    heed_tensor *x = point(), *h, *y = heed_hessian(rosenbrock, NULL, &x, 1, &h, NULL);
    ck_assert_near(heed_item(y), 0.25 + 100 * 2.25, 1e-12);
    ck_assert(heed_shape_equal(heed_shape_of(h), HEED_SHAPE(2, 2)) && !heed_requires_grad(h));
    ck_assert_near(AT(h, 0, 0), h00, 1e-10);
    ck_assert_near(AT(h, 0, 1), h01, 1e-10);
    ck_assert_near(AT(h, 1, 0), h01, 1e-10);
    ck_assert_near(AT(h, 1, 1), h11, 1e-10);
    ck_assert(!heed_requires_grad(x) && !heed_requires_grad(y));
}
END_TEST

START_TEST(hvp_is_the_hessian_times_v)
{
    heed_tensor *x = point(), *v = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 3, -2), *hv;
    ck_assert_ptr_nonnull(heed_hvp(rosenbrock, NULL, &x, 1, &v, &hv, NULL));
    ck_assert_near(AT(hv, 0), 3 * h00 - 2 * h01, 1e-9);
    ck_assert_near(AT(hv, 1), 3 * h01 - 2 * h11, 1e-9);
}
END_TEST

/* d p_i / d x_j = p_i (i = j) - p_i p_j. */
START_TEST(jacobian_of_softmax_and_products_with_it)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.1, -0.7, 1.3), *j, *vj, *jv;
    heed_tensor *v = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 2, -1, 0.5);
    heed_tensor *p = heed_jacobian(softmax, NULL, &x, 1, &j, NULL);
    ck_assert_ptr_nonnull(heed_vjp(softmax, NULL, &x, 1, v, &vj, NULL));
    ck_assert_ptr_nonnull(heed_jvp(softmax, NULL, &x, 1, &v, &jv, NULL));
    for (int i = 0; i < 3; i++) {
        double left = 0, right = 0;
        for (int k = 0; k < 3; k++) {
            ck_assert_near(AT(j, i, k), AT(p, i) * ((i == k) - AT(p, k)), 1e-15);
            left += AT(v, k) * AT(j, k, i);
            right += AT(j, i, k) * AT(v, k);
        }
        ck_assert_near(AT(vj, i), left, 1e-15);
        ck_assert_near(AT(jv, i), right, 1e-15);
    }
}
END_TEST

/* y_ij = c a_i b_j: d y_ij / d a_k = c b_j (i = k), d y_ij / d b_k = c a_i (j = k); the third input does not matter. */
START_TEST(several_inputs_and_one_left_out)
{
    double c = 1.5;
    heed_tensor *in[] = {HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2, 3), HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 5, 7, 11),
                         heed_ones(HEED_F64, HEED_SHAPE(4))};
    heed_tensor *j[3], *h[9], *jv;
    ck_assert_ptr_nonnull(heed_jacobian(outer, &c, in, 3, j, NULL));
    ck_assert(heed_shape_equal(heed_shape_of(j[0]), HEED_SHAPE(2, 3, 2)));
    ck_assert(heed_shape_equal(heed_shape_of(j[1]), HEED_SHAPE(2, 3, 3)));
    ck_assert(heed_shape_equal(heed_shape_of(j[2]), HEED_SHAPE(2, 3, 4)));
    ck_assert(AT(j[0], 1, 2, 1) == 1.5 * 11 && AT(j[0], 1, 2, 0) == 0 && AT(j[1], 1, 0, 0) == 1.5 * 3);
    ck_assert(heed_item(heed_sum(heed_abs(j[2]))) == 0);
    ck_assert_ptr_nonnull(heed_jvp(outer, &c, in, 3, in, &jv, NULL)); /* twice the value, by Euler's theorem */
    ck_assert_near(AT(jv, 1, 2), 2 * 1.5 * 33, 1e-12);
    ck_assert_ptr_nonnull(heed_hessian(sum_of_outer, &c, in, 3, h, NULL)); /* d^2 / da_i db_j = 4 c^2 a_i b_j */
    ck_assert(heed_shape_equal(heed_shape_of(h[1]), HEED_SHAPE(2, 3)));
    ck_assert_near(AT(h[1], 1, 2), 4 * 2.25 * 33, 1e-12);
    ck_assert_near(AT(h[3], 2, 1), AT(h[1], 1, 2), 1e-12);
    ck_assert_near(AT(h[0], 0, 0), 2 * 2.25 * (25 + 49 + 121), 1e-12);
    ck_assert(heed_shape_equal(heed_shape_of(h[5]), HEED_SHAPE(3, 4)) && AT(h[5], 2, 3) == 0);
}
END_TEST

/* The Jacobian of sum x^3 is 3 x^2; the sum of its elements has the gradient 6 x. */
START_TEST(derivatives_that_are_differentiated)
{
    heed_tensor *x = heed_set_requires_grad(point(), true), *v = heed_ones(HEED_F64, HEED_SHAPE(2)), *d[4], *g;
    const heed_functional_options create = {.create_graph = true};
    ck_assert_ptr_nonnull(heed_jacobian(sum_of_cubes, NULL, &x, 1, &d[0], &create));
    ck_assert_ptr_nonnull(heed_vjp(sum_of_cubes, NULL, &x, 1, NULL, &d[1], &create));
    ck_assert_ptr_nonnull(heed_jvp(sum_of_cubes, NULL, &x, 1, &v, &d[2], &create));
    for (int i = 0; i < 3; i++) {
        heed_tensor *sum = heed_sum(d[i]);
        ck_assert_int_eq(heed_grad(&sum, 1, &x, 1, &g, NULL), HEED_OK);
        ck_assert_near(AT(g, 0), 6 * 0.5, 1e-12);
        ck_assert_near(AT(g, 1), 6 * -1.25, 1e-12);
    }
    ck_assert_ptr_nonnull(heed_hvp(sum_of_cubes, NULL, &x, 1, &v, &d[0], &create));
    ck_assert_ptr_nonnull(heed_hessian(sum_of_cubes, NULL, &x, 1, &d[1], &create));
    for (int i = 0; i < 2; i++) {
        heed_tensor *sum = heed_sum(d[i]);
        ck_assert_int_eq(heed_grad(&sum, 1, &x, 1, &g, NULL), HEED_OK);
        ck_assert_near(AT(g, 1), 6, 1e-12);
    }
}
END_TEST

START_TEST(constants_lines_and_the_identity)
{
    heed_scope *scope = heed_no_grad_begin(); /* the functions record even here */
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2, 2)), *d;
    ck_assert_ptr_nonnull(heed_hessian(constant, NULL, &x, 1, &d, NULL));
    ck_assert(heed_shape_equal(heed_shape_of(d), HEED_SHAPE(2, 2, 2, 2)) && AT(d, 1, 1, 1, 1) == 0);
    ck_assert_ptr_nonnull(heed_jvp(constant, NULL, &x, 1, &x, &d, NULL));
    ck_assert(heed_item(d) == 0);
    ck_assert_ptr_nonnull(heed_jacobian(identity, NULL, &x, 1, &d, NULL));
    ck_assert(AT(d, 1, 0, 1, 0) == 1 && AT(d, 1, 0, 0, 1) == 0);
    ck_assert_ptr_nonnull(heed_vjp(identity, NULL, &x, 1, x, &d, NULL));
    ck_assert(AT(d, 1, 0) == 1 && !heed_grad_enabled());
    heed_tensor *none = heed_ones(HEED_F64, HEED_SHAPE(0, 3));
    ck_assert_ptr_nonnull(heed_jacobian(identity, NULL, &none, 1, &d, NULL));
    ck_assert(heed_shape_equal(heed_shape_of(d), HEED_SHAPE(0, 3, 0, 3)));
    heed_scope_end(scope);
}
END_TEST

START_TEST(errors_are_described)
{
    heed_tensor *x = point(), *d = x, *two[2] = {x, x}, *i64 = heed_ones(HEED_I64, HEED_SHAPE(2));
    heed_tensor *v = heed_ones(HEED_F64, HEED_SHAPE(3)), *f32 = heed_ones(HEED_F32, HEED_SHAPE(2));
    ck_assert_ptr_null(heed_hessian(softmax, NULL, &x, 1, &d, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "hessian: fn returned shape (2): must be one element");
    ck_assert_ptr_null(d);
    ck_assert_ptr_null(heed_hvp(softmax, NULL, &x, 1, &x, &d, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "hvp: fn returned shape (2)");
    ck_assert_ptr_null(heed_hvp(rosenbrock, NULL, &x, 1, &v, &d, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "hvp: the vector has shape (3) and dtype f64: must have shape (2) and dtype f64");
    ck_assert_ptr_null(heed_jvp(softmax, NULL, &x, 1, &f32, &d, NULL));
    ck_assert_error(HEED_ERR_DTYPE, "jvp: the vector has shape (2) and dtype f32");
    ck_assert_ptr_null(heed_vjp(softmax, NULL, &x, 1, NULL, &d, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "vjp: a vector must be given for shape (2)");
    ck_assert_ptr_null(heed_jvp(softmax, NULL, two, 2, NULL, &d, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "jvp: no vectors are given for 2 inputs");
    ck_assert_ptr_null(heed_jacobian(fails, NULL, &x, 1, &d, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "jacobian: reshape:");
    ck_assert_ptr_null(heed_jacobian(says_nothing, NULL, &x, 1, &d, NULL));
    ck_assert_error(HEED_ERR_STATE, "jacobian: fn returned NULL");
    ck_assert_ptr_null(heed_jacobian(classes, NULL, &x, 1, &d, NULL));
    ck_assert_error(HEED_ERR_DTYPE, "jacobian: fn returned a tensor of i64");
    ck_assert_ptr_null(heed_jacobian(softmax, NULL, &i64, 1, &d, NULL));
    ck_assert_error(HEED_ERR_DTYPE, "jacobian: input 0 is i64");
    ck_assert_ptr_null(heed_jacobian(NULL, NULL, &x, 1, &d, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "jacobian: fn is NULL");
    ck_assert_ptr_null(d);
    d = x;
    ck_assert_ptr_null(heed_jvp(softmax, NULL, &x, 0, NULL, &d, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "jvp: 0 inputs");
    ck_assert_ptr_null(d);
    ck_assert_ptr_null(heed_jacobian(softmax, NULL, &x, 0, &d, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "jacobian: 0 inputs");
    heed_tensor *deep = heed_ones(HEED_F64, HEED_SHAPE(1, 1, 1, 1, 1));
    ck_assert_ptr_null(heed_jacobian(identity, NULL, &deep, 1, &d, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "have 10 axes: must be at most 8");
}
END_TEST

HEED_TEST_MAIN("derivatives of functions", hessian_of_rosenbrock, hvp_is_the_hessian_times_v,
               jacobian_of_softmax_and_products_with_it, several_inputs_and_one_left_out,
               derivatives_that_are_differentiated, constants_lines_and_the_identity, errors_are_described)
