/* tests/optim/test_clip.c - tests clipping against PyTorch (tests/reference/clip_reference.py), and that it changes
 * nothing else.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <float.h>

#include "fail_alloc.h"
#include "optimizer_of.h"
#include "reference/clip_reference.h"

/* Makes three parameters of 11, 2 x 3 and 1 elements with the gradients of clip_grads, the second one strided. */
static void make(heed_tensor **list, heed_dtype dtype)
{
    const heed_shape shapes[] = {HEED_SHAPE(11), HEED_SHAPE(2, 3), HEED_SCALAR};
    int at = 0;
    for (int i = 0; i < 3; i++) {
        list[i] = heed_set_requires_grad(heed_zeros(dtype, shapes[i]), true);
        int n = (int)heed_numel(list[i]);
        heed_tensor *g = heed_from_values(dtype, shapes[i], clip_grads + at, n);
        if (i == 1)
            g = heed_transpose(heed_contiguous(heed_transpose(g, 0, 1)), 0, 1);
        ck_assert_int_eq(heed_set_grad(list[i], g), HEED_OK);
        at += n;
    }
}

static void check_grads(heed_tensor *const *list, const double *expected, double tolerance)
{
    for (int i = 0; i < 3; i++) {
        heed_tensor *g = heed_contiguous(heed_grad_of(list[i]));
        ck_assert_int_eq(heed_dtype_of(g), heed_dtype_of(list[i]));
        ck_assert(heed_shape_equal(heed_shape_of(g), heed_shape_of(list[i])));
        heed_tensor *flat = heed_reshape(g, HEED_SHAPE(-1));
        for (int k = 0; k < (int)heed_numel(flat); k++, expected++)
            ck_assert_near(heed_get(flat, HEED_INDEX(k)), *expected, tolerance * (1.0 + fabs(*expected)));
    }
}

static void run_norm(const clip_case *expected, heed_dtype dtype, double tolerance)
{
    heed_tensor *list[3];
    double norm = -1.0;
    make(list, dtype);
    ck_assert_int_eq(clip_norm_of(list, 3, expected->limit, &norm), HEED_OK);
    ck_assert_near(norm, expected->norm, tolerance * expected->norm);
    check_grads(list, expected->grads, tolerance);
}

static void run_value(const clip_case *expected, heed_dtype dtype)
{
    heed_tensor *list[3];
    make(list, dtype);
    ck_assert_int_eq(clip_value_of(list, 3, expected->limit), HEED_OK);
    check_grads(list, expected->grads, 0.0);
}

START_TEST(follows_pytorch)
{
    for (int i = 0; i < CLIP_CASES; i++) {
        run_norm(&clip_norm_f64[i], HEED_F64, 1e-14);
        run_norm(&clip_norm_f32[i], HEED_F32, 1e-6);
        run_value(&clip_value_f64[i], HEED_F64);
        run_value(&clip_value_f32[i], HEED_F32);
    }
}
END_TEST

/* -- Which gradients are clipped ----------------------------------------------------------------------------------- */

START_TEST(of_a_module_takes_tied_parameters_once)
{
    heed_module *top = heed_module_new("top", sizeof *top), *below = heed_module_new("below", sizeof *below);
    heed_tensor *w = heed_module_parameter(top, "w", heed_zeros(HEED_F64, HEED_SHAPE(1)));
    heed_tensor *b = heed_module_buffer(top, "b", heed_zeros(HEED_F64, HEED_SHAPE(1)));
    heed_module_parameter(below, "tied", w);
    heed_tensor *v = heed_module_parameter(below, "v", heed_zeros(HEED_F32, HEED_SHAPE(1)));
    heed_module_parameter(below, "without", heed_zeros(HEED_F64, HEED_SHAPE(3)));
    heed_module_child(top, "below", below);
    heed_set_grad(w, heed_full(HEED_F64, HEED_SHAPE(1), 3.0));
    heed_set_grad(b, heed_full(HEED_F64, HEED_SHAPE(1), 100.0));
    heed_set_grad(v, heed_full(HEED_F32, HEED_SHAPE(1), 4.0));
    heed_set_requires_grad(v, false); /* it still has its gradient */
    double norm;
    ck_assert_int_eq(heed_optim_clip_grad_norm_(top, 2.5, &norm), HEED_OK);
    ck_assert_double_eq(norm, 5.0);
    ck_assert_near(heed_item(heed_grad_of(w)), 1.5, 1e-6);
    ck_assert_near(heed_item(heed_grad_of(v)), 2.0, 1e-6);
    ck_assert_double_eq(heed_item(heed_grad_of(b)), 100.0);
    ck_assert_int_eq(heed_optim_clip_grad_value_(top, 1.75), HEED_OK);
    ck_assert_near(heed_item(heed_grad_of(w)), 1.5, 1e-6);
    ck_assert_double_eq(heed_item(heed_grad_of(v)), 1.75);
    ck_assert(!heed_has_grad(heed_module_find(top, "below.without")));
    heed_module_free(top);
}
END_TEST

START_TEST(nothing_to_clip)
{
    heed_module *empty = heed_module_new("empty", sizeof *empty);
    heed_tensor *p = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(2)), true);
    double norm = -1.0;
    ck_assert_int_eq(heed_optim_clip_grad_norm_(empty, 1.0, &norm), HEED_OK);
    ck_assert_double_eq(norm, 0.0);
    ck_assert_int_eq(heed_optim_clip_grad_value_(empty, 1.0), HEED_OK);
    ck_assert_int_eq(clip_norm_of(&p, 1, 1.0, NULL), HEED_OK);
    ck_assert(!heed_has_grad(p));
    heed_set_grad(p, heed_zeros(HEED_F64, HEED_SHAPE(2)));
    ck_assert_int_eq(clip_norm_of(&p, 1, 1e-9, &norm), HEED_OK);
    ck_assert_double_eq(norm, 0.0);
    ck_assert_int_eq(clip_norm_of(&p, 0, 1.0, &norm), HEED_OK);
    heed_module_free(empty);
}
END_TEST

/* A list that is freed leaves the clipped gradients, unlike other modules. A tensor given twice counts once. */
START_TEST(of_a_list_takes_tied_parameters_once)
{
    heed_tensor *w = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(1)), true);
    heed_tensor *v = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(1)), true);
    heed_set_grad(w, heed_full(HEED_F64, HEED_SHAPE(1), 3.0));
    heed_set_grad(v, heed_full(HEED_F64, HEED_SHAPE(1), 4.0));
    double norm;
    ck_assert_int_eq(clip_norm_of(HEED_TENSORS(w, v, w), 2.5, &norm), HEED_OK);
    ck_assert_double_eq(norm, 5.0);
    ck_assert(heed_has_grad(w) && heed_has_grad(v));
    ck_assert_near(heed_item(heed_grad_of(w)), 1.5, 1e-6);
}
END_TEST

/* A gradient shared by two parameters is scaled once per parameter; clipping a view into a parameter as a gradient does
 * not change the parameter. */
START_TEST(shared_gradients)
{
    heed_tensor *g = heed_full(HEED_F64, HEED_SHAPE(2), 4.0);
    heed_tensor *list[3];
    for (int i = 0; i < 3; i++)
        list[i] = heed_set_requires_grad(heed_full(HEED_F64, HEED_SHAPE(2), 4.0), true);
    heed_set_grad(list[0], g);
    heed_set_grad(list[1], g);
    heed_set_grad(list[2], heed_detach(list[2]));
    double norm;
    ck_assert_int_eq(clip_norm_of(list, 3, 1.0, &norm), HEED_OK);
    ck_assert_double_eq(norm, sqrt(96.0));
    for (int i = 0; i < 3; i++) {
        ck_assert_near(heed_get(heed_grad_of(list[i]), HEED_INDEX(1)), 4.0 / sqrt(96.0), 1e-7);
        ck_assert_double_eq(heed_get(list[i], HEED_INDEX(0)), 4.0);
    }
    ck_assert_double_eq(heed_get(g, HEED_INDEX(0)), 4.0);
}
END_TEST

START_TEST(clipped_gradients_are_in_no_graph)
{
    heed_tensor *p = heed_set_requires_grad(heed_full(HEED_F64, HEED_SCALAR, 3.0), true);
    ck_assert_int_eq(heed_backward_with(heed_square(p), &(heed_backward_options){.create_graph = true}), HEED_OK);
    ck_assert(heed_requires_grad(heed_grad_of(p)));
    ck_assert_int_eq(clip_norm_of(&p, 1, 0.5, NULL), HEED_OK);
    ck_assert(!heed_requires_grad(heed_grad_of(p)));
    ck_assert(heed_grad_enabled());
}
END_TEST

/* -- Numbers ------------------------------------------------------------------------------------------------------- */

START_TEST(the_norm_is_summed_in_f64)
{
    int64_t n = 100003;
    heed_tensor *p = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(n)), true);
    double norm, value = (double)0.1F;
    heed_set_grad(p, heed_full(HEED_F32, HEED_SHAPE(n), 0.1));
    ck_assert_int_eq(clip_norm_of(&p, 1, 1e9, &norm), HEED_OK);
    ck_assert_near(norm, value * sqrt((double)n), 1e-12 * norm);
    heed_set_grad(p, heed_full(HEED_F32, HEED_SHAPE(n), 1e30)); /* whose squares overflow f32 */
    ck_assert_int_eq(clip_norm_of(&p, 1, 1.0, &norm), HEED_OK);
    ck_assert_near(norm, (double)1e30F * sqrt((double)n), 1e-12 * norm);
    ck_assert_near(heed_get(heed_grad_of(p), HEED_INDEX(7)), 1.0 / sqrt((double)n), 1e-8);
}
END_TEST

START_TEST(the_same_bits_for_any_number_of_threads)
{
    int64_t n = 3000017;
    int threads = heed_num_threads();
    heed_tensor *p = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(n)), true);
    heed_manual_seed(1);
    heed_tensor *g = heed_randn(HEED_F32, HEED_SHAPE(n));
    double first = 0.0;
    heed_tensor *clipped = NULL;
    for (int k = 1; k <= 4; k++) {
        double norm;
        ck_assert_int_eq(heed_set_num_threads(k), HEED_OK);
        heed_set_grad(p, g);
        ck_assert_int_eq(clip_norm_of(&p, 1, 1.0, &norm), HEED_OK);
        heed_tensor *now = heed_grad_of(p);
        first = k == 1 ? norm : first;
        clipped = k == 1 ? now : clipped;
        ck_assert_double_eq(norm, first);
        ck_assert_int_eq(memcmp(heed_data_f32(now), heed_data_f32(clipped), (size_t)n * sizeof(float)), 0);
    }
    heed_set_num_threads(threads);
}
END_TEST

/* The norm of clipping, without a change. */
START_TEST(norms_without_clipping)
{
    heed_tensor *list[3];
    make(list, HEED_F64);
    heed_module *m = heed_nn_parameter_list_new(list, 3);
    ck_assert_near(heed_optim_grad_norm(m), clip_norm_f64[0].norm, 1e-15 * clip_norm_f64[0].norm);
    check_grads(list, clip_grads, 0.0);
    ck_assert_int_eq(heed_set_(heed_grad_of(list[0]), HEED_INDEX(9), (double)INFINITY), HEED_OK);
    ck_assert(isinf(heed_optim_grad_norm(m)));
    ck_assert_int_eq(heed_set_grad(list[2], heed_full(HEED_F64, HEED_SCALAR, (double)NAN)), HEED_OK);
    ck_assert(isnan(heed_optim_grad_norm(m)));
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    ck_assert_int_eq(heed_module_zero_grad(m), HEED_OK);
    ck_assert_double_eq(heed_optim_grad_norm(m), 0.0);
    ck_assert_double_nan(heed_optim_grad_norm(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_grad_norm: the module is NULL");
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}
END_TEST

START_TEST(a_norm_that_is_not_finite)
{
    static const double bad[] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
    static const char *const messages[] = {"optim_clip_grad_norm_: the gradient of \"0\" has inf",
                                           "optim_clip_grad_norm_: the gradient of \"0\" has -inf",
                                           "optim_clip_grad_norm_: the gradient of \"0\" has nan"};
    for (int i = 0; i < 3; i++) {
        heed_tensor *list[3];
        make(list, HEED_F64);
        ck_assert_int_eq(heed_set_(heed_grad_of(list[0]), HEED_INDEX(9), bad[i]), HEED_OK);
        double norm = 0.0;
        ck_assert_int_eq(clip_norm_of(list, 3, 1.0, &norm), HEED_ERR_STATE);
        ck_assert_error(HEED_ERR_STATE, messages[i]);
        ck_assert(i == 2 ? isnan(norm) : isinf(norm));
        for (int k = 0; k < 9; k++)
            ck_assert_double_eq(heed_get(heed_grad_of(list[0]), HEED_INDEX(k)), clip_grads[k]);
        ck_assert_double_eq(heed_item(heed_grad_of(list[2])), clip_grads[CLIP_SIZE - 1]);
    }
}
END_TEST

/* The message has the path of the first parameter whose gradient is not finite. */
START_TEST(a_parameter_that_is_not_finite_is_named)
{
    heed_module *top = heed_module_new("top", sizeof *top), *below = heed_module_new("below", sizeof *below);
    heed_tensor *w = heed_module_parameter(top, "w", heed_zeros(HEED_F64, HEED_SHAPE(2)));
    heed_tensor *v = heed_module_parameter(below, "v", heed_zeros(HEED_F32, HEED_SHAPE(2)));
    heed_module_parameter(below, "without", heed_zeros(HEED_F32, HEED_SHAPE(2)));
    heed_module_child(top, "below", below);
    heed_set_grad(w, heed_ones(HEED_F64, HEED_SHAPE(2)));
    heed_set_grad(v, HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, (double)NAN));
    ck_assert_int_eq(heed_optim_clip_grad_norm_(top, 1.0, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "optim_clip_grad_norm_: the gradient of \"below.v\" has nan");
    heed_module_free(top);
}
END_TEST

/* Only a norm beyond the largest f64 is an error. */
START_TEST(norms_of_the_whole_range)
{
    static const double scales[] = {1e-320, 1e-300, 1e-200, 1e-160, 1e160, 1e200, 1e307};
    for (int i = 0; i < 7; i++) {
        heed_tensor *p = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(2)), true);
        double norm;
        heed_set_grad(p, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 3 * scales[i], -4 * scales[i]));
        ck_assert_int_eq(clip_norm_of(&p, 1, 1.0, &norm), HEED_OK);
        ck_assert_near(norm / scales[i], 5, 1e-12);
        ck_assert_near(heed_get(heed_grad_of(p), HEED_INDEX(0)), scales[i] > 1 ? 0.6 : 3 * scales[i], 1e-12);
    }
    heed_tensor *p = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(2)), true);
    heed_set_grad(p, heed_full(HEED_F64, HEED_SHAPE(2), DBL_MAX));
    ck_assert_int_eq(clip_norm_of(&p, 1, 1.0, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "the norm of the gradients is inf, although all of them are finite");
}
END_TEST

/* The factor, 1e-42, would have at most 10 bits in f32. */
START_TEST(a_factor_below_f32)
{
    heed_tensor *p = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(2)), true);
    double norm;
    heed_set_grad(p, heed_full(HEED_F32, HEED_SHAPE(2), 3e38));
    ck_assert_int_eq(clip_norm_of(&p, 1, 1e-4, &norm), HEED_OK);
    ck_assert_near(norm / 3e38, sqrt(2), 1e-6);
    ck_assert_near(heed_get(heed_grad_of(p), HEED_INDEX(1)) / 1e-4, sqrt(0.5), 1e-6);
}
END_TEST

START_TEST(clamping_keeps_nan)
{
    heed_tensor *p = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(4)), true);
    heed_set_grad(p, HEED_TENSOR(HEED_F32, HEED_SHAPE(4), (double)NAN, (double)INFINITY, -(double)INFINITY, 0.125));
    ck_assert_int_eq(clip_value_of(&p, 1, 0.25), HEED_OK);
    static const double expected[] = {(double)NAN, 0.25, -0.25, 0.125};
    for (int i = 0; i < 4; i++)
        ck_assert_same(heed_get(heed_grad_of(p), HEED_INDEX(i)), expected[i]);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

START_TEST(arguments_are_checked)
{
    static const double limits[] = {0.0, -1.0, (double)INFINITY, (double)NAN};
    heed_module *m = heed_module_new("m", sizeof *m);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(heed_optim_clip_grad_norm_(m, limits[i], NULL), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "optim_clip_grad_norm_: max_norm ");
        ck_assert_int_eq(heed_optim_clip_grad_value_(m, limits[i]), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "optim_clip_grad_value_: limit ");
    }
    ck_assert_int_eq(heed_optim_clip_grad_norm_(NULL, 1.0, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_clip_grad_norm_: the module is NULL");
    ck_assert_int_eq(heed_optim_clip_grad_value_(NULL, 1.0), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_clip_grad_value_: the module is NULL");
    heed_module_free(m);
}
END_TEST

/* -- Out of memory ------------------------------------------------------------------------------------------------- */

/* Clips both gradients or neither. */
static bool clip_both(double *value)
{
    heed_tensor *list[2], *grads[2];
    for (int i = 0; i < 2; i++) {
        list[i] = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(2, 2)), true);
        grads[i] = heed_transpose(heed_full(HEED_F64, HEED_SHAPE(2, 2), 3.0 + i), 0, 1);
        if (!list[i] || !grads[i] || heed_set_grad(list[i], grads[i]) != HEED_OK)
            return false;
    }
    double norm;
    heed_status by_norm = clip_norm_of(list, 2, 1.0, &norm);
    for (int i = 0; i < 2 && by_norm != HEED_OK && heed_grad_of(list[i]); i++)
        ck_assert_ptr_eq(heed_grad_of(list[i]), grads[i]);
    ck_assert_int_eq(by_norm, heed_error_code());
    heed_tensor *scaled[] = {heed_grad_of(list[0]), heed_grad_of(list[1])};
    if (by_norm != HEED_OK || !scaled[0] || !scaled[1])
        return false;
    heed_status by_value = clip_value_of(list, 2, 0.35);
    for (int i = 0; i < 2 && by_value != HEED_OK && heed_grad_of(list[i]); i++)
        ck_assert_ptr_eq(heed_grad_of(list[i]), scaled[i]);
    ck_assert_int_eq(by_value, heed_error_code());
    if (by_value != HEED_OK || !heed_grad_of(list[0]))
        return false;
    *value = norm + heed_get(heed_grad_of(list[0]), HEED_INDEX(1, 1));
    return true;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(clip_both);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("clip", follows_pytorch, of_a_module_takes_tied_parameters_once, of_a_list_takes_tied_parameters_once,
               nothing_to_clip, shared_gradients, clipped_gradients_are_in_no_graph, the_norm_is_summed_in_f64,
               the_same_bits_for_any_number_of_threads, a_norm_that_is_not_finite, norms_without_clipping,
               a_parameter_that_is_not_finite_is_named, norms_of_the_whole_range, a_factor_below_f32,
               clamping_keeps_nan, arguments_are_checked, out_of_memory)
