/* tests/check/test_gradcheck.c - tests that heed_gradcheck and heed_gradgradcheck accept right functions of all kinds,
 * leave the caller's tensors unchanged, refuse bad arguments and survive allocation failures. Planted mistakes are in
 * test_gradcheck_mistakes.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"
#include "from.h"

static heed_tensor *leaf(heed_shape shape, uint64_t seed)
{
    heed_generator *g = heed_generator_new(seed);
    heed_tensor *x = heed_add_scalar(FROM(g, heed_rand(HEED_F64, shape)), 0.5);
    heed_generator_free(g);
    return heed_set_requires_grad(x, true);
}

/* -- Right functions ----------------------------------------------------------------------------------------------- */

static heed_tensor *smooth(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_softmax(heed_mul(heed_tanh(in[0]), heed_exp(in[1])), -1);
}

START_TEST(passes)
{
    heed_tensor *in[] = {leaf(HEED_SHAPE(2, 3), 1), leaf(HEED_SHAPE(3), 2)};
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(smooth, NULL, in, 2, NULL, &r), HEED_OK);
    ck_assert(r.passed);
    ck_assert_int_eq(r.order, 1);
    ck_assert_int_eq(r.compared, 2 * 6 * 9);
    ck_assert(r.max_error > 0 && r.max_error < 1e-10);
    ck_assert_near(r.analytic, r.numeric, 1e-10);
    ck_assert_msg(strstr(r.report, "108 derivatives compared"), "%s", r.report);

    ck_assert_int_eq(heed_gradgradcheck(smooth, NULL, in, 2, NULL, &r), HEED_OK);
    ck_assert(r.passed);
    ck_assert_int_eq(r.order, 2);
    ck_assert_int_eq(r.compared, 2 * 9 * (9 + 6));
    ck_assert(r.max_error > 0 && r.max_error < 1e-9);
    ck_assert_int_eq(heed_gradcheck(smooth, NULL, in, 2, NULL, NULL), HEED_OK);
}
END_TEST

START_TEST(passes_with_every_option)
{
    heed_tensor *in[] = {leaf(HEED_SHAPE(2, 3), 1), leaf(HEED_SHAPE(3), 2)};
    heed_gradcheck_result r;
    heed_gradcheck_options options = {.eps = 2e-3, .atol = 1e-7, .rtol = 1e-6, .seed = 5};
    ck_assert_int_eq(heed_gradcheck(smooth, NULL, in, 2, &options, &r), HEED_OK);
    ck_assert_int_eq(r.compared, 2 * 6 * 9);
    ck_assert_int_eq(heed_gradgradcheck(smooth, NULL, in, 2, &options, &r), HEED_OK);
    ck_assert_int_eq(r.compared, 2 * 9 * 15);
    options.random_projection = true;
    ck_assert_int_eq(heed_gradcheck(smooth, NULL, in, 2, &options, &r), HEED_OK);
    ck_assert_int_eq(r.compared, 2 * 2);
    ck_assert_int_eq(r.output_index, -1);
    ck_assert_int_eq(heed_gradgradcheck(smooth, NULL, in, 2, &options, &r), HEED_OK);
    ck_assert_int_eq(r.compared, 2 * 3);
    options.contiguous_only = true;
    ck_assert_int_eq(heed_gradgradcheck(smooth, NULL, in, 2, &options, &r), HEED_OK);
    ck_assert_int_eq(r.compared, 3);
}
END_TEST

START_TEST(repeats_to_the_bit)
{
    heed_tensor *in[] = {leaf(HEED_SHAPE(2, 3), 1), leaf(HEED_SHAPE(3), 2)};
    heed_gradcheck_result a, b;
    heed_gradcheck_options options = {.random_projection = true, .seed = 1};
    ck_assert_int_eq(heed_gradcheck(smooth, NULL, in, 2, &options, &a), HEED_OK);
    ck_assert_int_eq(heed_gradcheck(smooth, NULL, in, 2, &options, &b), HEED_OK);
    ck_assert(a.analytic == b.analytic && a.numeric == b.numeric);
    options.seed = 2;
    ck_assert_int_eq(heed_gradcheck(smooth, NULL, in, 2, &options, &b), HEED_OK);
    ck_assert(a.analytic != b.analytic);
}
END_TEST

static heed_tensor *multiply(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_mul(in[0], in[1]);
}

START_TEST(takes_a_tensor_given_twice)
{
    heed_tensor *x = leaf(HEED_SCALAR, 1), *in[] = {x, x};
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(multiply, NULL, in, 2, NULL, &r), HEED_OK);
    ck_assert_int_eq(r.compared, 2 * 1);
    ck_assert_near(r.numeric, 2 * heed_item(x), 1e-10);
    ck_assert_near(r.analytic, 2 * heed_item(x), 1e-15);
    ck_assert_int_eq(heed_gradgradcheck(multiply, NULL, in, 2, NULL, &r), HEED_OK);
    ck_assert_int_eq(r.compared, 2 * 2);
}
END_TEST

static heed_tensor *first_only(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_sin(in[0]);
}

static heed_tensor *constant(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_ones(HEED_F64, heed_shape_of(in[0]));
}

static heed_tensor *identity(heed_tensor *const *in, void *user)
{
    (void)user;
    return in[0];
}

START_TEST(takes_inputs_that_do_not_matter)
{
    heed_tensor *in[] = {leaf(HEED_SHAPE(2), 1), leaf(HEED_SHAPE(2), 2)};
    static const heed_gradcheck_fn fns[] = {first_only, constant, identity};
    for (int i = 0; i < 3; i++) {
        heed_gradcheck_options options = {.random_projection = true};
        ck_assert_int_eq(heed_gradcheck(fns[i], NULL, in, 2, NULL, NULL), HEED_OK);
        ck_assert_int_eq(heed_gradgradcheck(fns[i], NULL, in, 2, NULL, NULL), HEED_OK);
        ck_assert_int_eq(heed_gradcheck(fns[i], NULL, in, 2, &options, NULL), HEED_OK);
        ck_assert_int_eq(heed_gradgradcheck(fns[i], NULL, in, 2, &options, NULL), HEED_OK);
    }
}
END_TEST

START_TEST(accepts_no_elements)
{
    heed_tensor *x = leaf(HEED_SHAPE(0, 3), 1);
    heed_gradcheck_options options = {.seed = 0};
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(first_only, NULL, &x, 1, &options, &r), HEED_OK);
    ck_assert_int_eq(r.compared, 0);
    ck_assert(r.passed && strstr(r.report, "no elements to compare"));
    ck_assert_int_eq(heed_gradgradcheck(first_only, NULL, &x, 1, &options, &r), HEED_OK);
    options.random_projection = true;
    ck_assert_int_eq(heed_gradcheck(first_only, NULL, &x, 1, &options, &r), HEED_OK);
}
END_TEST

/* A layer of a model: it captures data; parameters are inputs, and so are a mask and indices, which have no
 * gradient. */
static heed_tensor *model(heed_tensor *const *in, void *user)
{
    heed_tensor *x = user;
    heed_tensor *hidden = heed_tanh(heed_linear(heed_index_select(x, 0, in[2]), in[0], in[1]));
    return heed_mean(heed_where(in[3], hidden, heed_neg(hidden)));
}

START_TEST(takes_models)
{
    heed_tensor *x = leaf(HEED_SHAPE(4, 3), 1);
    heed_tensor *in[] = {leaf(HEED_SHAPE(5, 3), 2), leaf(HEED_SHAPE(5), 3), HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 3, 1),
                         HEED_TENSOR(HEED_BOOL, HEED_SHAPE(5), 1, 0, 1, 1, 0)};
    heed_gradcheck_options options = {.seed = 0};
    heed_gradcheck_result r;
    for (int projected = 0; projected < 2; projected++) {
        options.random_projection = projected;
        ck_assert_int_eq(heed_gradcheck(model, x, in, 4, &options, &r), HEED_OK);
        ck_assert_int_eq(r.compared, projected ? 2 * 2 : 2 * 20);
        ck_assert_int_eq(heed_gradgradcheck(model, x, in, 4, &options, &r), HEED_OK);
    }
}
END_TEST

static heed_tensor *rounded(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_to_dtype(heed_square(in[0]), HEED_F32);
}

START_TEST(takes_results_of_f32)
{
    heed_tensor *x = leaf(HEED_SHAPE(3), 1);
    heed_gradcheck_options options = {.eps = 0.5, .atol = 1e-5};
    ck_assert_int_eq(heed_gradcheck(rounded, NULL, &x, 1, &options, NULL), HEED_OK);
    ck_assert_int_eq(heed_gradcheck(rounded, NULL, &x, 1, NULL, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "gradcheck");
}
END_TEST

/* -- The caller's tensors do not change ---------------------------------------------------------------------------- */

START_TEST(leaves_inputs_alone)
{
    heed_tensor *x = leaf(HEED_SHAPE(2, 3), 1), *in[] = {x, heed_exp(x)}, *grad = heed_ones(HEED_F64, HEED_SHAPE(2, 3));
    ck_assert_int_eq(heed_set_grad(x, grad), HEED_OK);
    double before[6];
    memcpy(before, heed_data_f64(x), sizeof before);
    ck_assert_int_eq(heed_gradcheck(multiply, NULL, in, 2, NULL, NULL), HEED_OK);
    ck_assert_int_eq(heed_gradgradcheck(multiply, NULL, in, 2, NULL, NULL), HEED_OK);
    ck_assert_int_eq(memcmp(before, heed_data_f64(x), sizeof before), 0);
    ck_assert_ptr_eq(heed_grad_of(x), grad);
    for (int i = 0; i < 6; i++)
        ck_assert_same(heed_data_f64(grad)[i], 1);

    ck_assert_int_eq(heed_set_grad(x, NULL), HEED_OK);
    ck_assert_int_eq(heed_backward(heed_sum(in[1])), HEED_OK);
    for (int i = 0; i < 6; i++)
        ck_assert_near(heed_data_f64(heed_grad_of(x))[i], exp(before[i]), 1e-15 * exp(before[i]));
}
END_TEST

START_TEST(works_while_recording_is_off)
{
    heed_tensor *in[] = {leaf(HEED_SHAPE(2, 3), 1), leaf(HEED_SHAPE(3), 2)};
    heed_scope *scope = heed_no_grad_begin();
    ck_assert_int_eq(heed_gradcheck(smooth, NULL, in, 2, NULL, NULL), HEED_OK);
    ck_assert(!heed_grad_enabled());
    ck_assert_int_eq(heed_gradgradcheck(smooth, NULL, in, 2, NULL, NULL), HEED_OK);
    ck_assert(!heed_grad_enabled());
    heed_scope_end(scope);
    ck_assert(heed_grad_enabled());
}
END_TEST

START_TEST(takes_views)
{
    heed_tensor *x = leaf(HEED_SHAPE(3, 2), 1);
    heed_tensor *in[] = {heed_transpose(x, 0, 1), heed_expand(leaf(HEED_SHAPE(1, 3), 2), HEED_SHAPE(2, 3))};
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(multiply, NULL, in, 2, NULL, &r), HEED_OK);
    ck_assert_int_eq(r.compared, 2 * 6 * 12);
}
END_TEST

/* -- Misuse -------------------------------------------------------------------------------------------------------- */

START_TEST(refuses_bad_options)
{
    heed_tensor *x = leaf(HEED_SHAPE(2), 1);
    const double bad[] = {-1, -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        heed_gradcheck_options eps = {.eps = bad[i]}, atol = {.atol = bad[i]}, rtol = {.rtol = bad[i]};
        ck_assert_int_eq(heed_gradcheck(first_only, NULL, &x, 1, &eps, NULL), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "gradcheck: eps is ");
        ck_assert_int_eq(heed_gradcheck(first_only, NULL, &x, 1, &atol, NULL), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "gradcheck: atol is ");
        ck_assert_int_eq(heed_gradgradcheck(first_only, NULL, &x, 1, &rtol, NULL), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "gradgradcheck: rtol is ");
    }
}
END_TEST

START_TEST(refuses_bad_inputs)
{
    heed_tensor *x = leaf(HEED_SHAPE(2), 1), *none = NULL, *plain = heed_ones(HEED_F64, HEED_SHAPE(2));
    heed_tensor *f32 = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true), *mixed[] = {x, f32};
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(NULL, NULL, &x, 1, NULL, &r), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "fn is NULL");
    ck_assert_int_eq(heed_gradcheck(first_only, NULL, NULL, 1, NULL, &r), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "inputs is NULL");
    ck_assert_int_eq(heed_gradcheck(first_only, NULL, &x, 0, NULL, &r), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "n_inputs is 0: must be at least 1");
    ck_assert_int_eq(heed_gradcheck(first_only, NULL, &x, -1, NULL, &r), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "n_inputs is -1: must be at least 1");
    ck_assert_int_eq(heed_gradgradcheck(first_only, NULL, &none, 1, NULL, &r), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "gradgradcheck: input 0 is NULL");
    ck_assert_int_eq(heed_gradcheck(first_only, NULL, &plain, 1, NULL, &r), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "no input requires a gradient");
    ck_assert_int_eq(heed_gradcheck(multiply, NULL, mixed, 2, NULL, &r), HEED_ERR_DTYPE);
    ck_assert_int_eq(r.input, 1);
    ck_assert(strstr(r.report, "input 1 is f32"));
    ck_assert_error(HEED_ERR_DTYPE, "input 1 is f32");
}
END_TEST

static heed_tensor *not_a_float(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_argmax(in[0], 0, false);
}

static heed_tensor *fails(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_reshape(in[0], HEED_SHAPE(7));
}

static heed_tensor *null(heed_tensor *const *in, void *user)
{
    (void)in;
    (void)user;
    return NULL;
}

/* Computes with a captured tensor instead of the argument. */
static heed_tensor *captures(heed_tensor *const *in, void *user)
{
    return heed_mul(in[0], heed_square(user));
}

START_TEST(refuses_bad_functions)
{
    heed_tensor *x = leaf(HEED_SHAPE(2), 1), *w = leaf(HEED_SHAPE(2), 2), *in[] = {x, w};
    heed_gradcheck_result r;
    ck_assert_int_eq(heed_gradcheck(not_a_float, NULL, &x, 1, NULL, &r), HEED_ERR_DTYPE);
    ck_assert_error(HEED_ERR_DTYPE, "fn returned a tensor of i64");
    ck_assert_int_eq(heed_gradcheck(fails, NULL, &x, 1, NULL, &r), HEED_ERR_SHAPE);
    ck_assert(strstr(r.report, "reshape:"));
    ck_assert_error(HEED_ERR_SHAPE, "reshape:");
    ck_assert_int_eq(heed_gradgradcheck(null, NULL, &x, 1, NULL, &r), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "fn returned NULL");
    ck_assert_int_eq(heed_gradcheck(captures, w, in, 2, NULL, &r), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "fn reads the caller's input 1: must read its argument");
    ck_assert_int_eq(heed_gradcheck(captures, w, in, 1, NULL, &r), HEED_OK);
}
END_TEST

/* -- Out of memory ------------------------------------------------------------------------------------------------- */

static heed_tensor *kept[2];
static heed_gradcheck_options kept_options;

static bool check_first(double *value)
{
    heed_gradcheck_result r;
    bool ok = heed_gradcheck(multiply, NULL, kept, 2, &kept_options, &r) == HEED_OK;
    *value = r.max_error;
    return ok;
}

static bool check_second(double *value)
{
    heed_gradcheck_result r;
    bool ok = heed_gradgradcheck(multiply, NULL, kept, 2, &kept_options, &r) == HEED_OK;
    *value = r.max_error;
    return ok;
}

START_TEST(survives_no_memory)
{
    double before[2];
    fail_alloc_install();
    for (int i = 0; i < 2; i++) {
        kept[i] = heed_retain(leaf(HEED_SHAPE(1, 1), (uint64_t)i));
        before[i] = *heed_data_f64(kept[i]);
    }
    for (int projected = 0; projected < 2; projected++) {
        kept_options.random_projection = projected;
        fail_alloc_sweep(check_first);
        fail_alloc_sweep(check_second);
    }
    for (int i = 0; i < 2; i++) {
        ck_assert_same(*heed_data_f64(kept[i]), before[i]);
        heed_release(kept[i]);
    }
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("gradcheck", passes, passes_with_every_option, repeats_to_the_bit, takes_a_tensor_given_twice,
               takes_inputs_that_do_not_matter, accepts_no_elements, takes_models, takes_results_of_f32,
               leaves_inputs_alone, works_while_recording_is_off, takes_views, refuses_bad_options, refuses_bad_inputs,
               refuses_bad_functions, survives_no_memory)
