/* tests/promises/misuse/test_misuse_gradcheck.c - heed/gradcheck.h misused: wrong lists, options out of range,
 * functions that misbehave.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

static int mistake, calls;

static heed_tensor *function(heed_tensor *const *in, void *user)
{
    (void)user;
    calls++;
    switch (mistake) {
    case 0:
        return NULL;
    case 1:
        return heed_zeros(HEED_I64, HEED_SHAPE(2));
    case 2:
        return heed_to_dtype(in[0], HEED_BOOL);
    case 3: /* a new shape every time */
        return heed_expand(heed_sum(in[0]), HEED_SHAPE(calls));
    case 4:
        return heed_detach(heed_square(in[0]));
    case 5:
        return heed_zeros(HEED_F64, HEED_SHAPE(TWO31));
    case 6:
        (void)heed_no_grad_begin();
        return heed_square(in[0]);
    case 7:
        (void)heed_set_grad_enabled(false);
        return heed_square(in[0]);
    case 8:
        return heed_log(heed_neg(heed_square(in[0]))); /* NaN */
    case 9:
        return heed_randn(HEED_F64, HEED_SHAPE(2));
    case 10:
        return heed_mul(in[0], heed_randn(HEED_F64, HEED_SHAPE(2)));
    case 11:
        return heed_matmul(in[0], heed_zeros(HEED_F64, HEED_SHAPE(3)));
    default:
        return heed_set_requires_grad(in[0], false);
    }
}

static heed_tensor *square(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_square(in[0]);
}

typedef heed_status check_fn(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                             const heed_gradcheck_options *options, heed_gradcheck_result *result);

static check_fn *const checks[] = {heed_gradcheck, heed_gradgradcheck};
static const char *const names[] = {"gradcheck", "gradgradcheck"};

START_TEST(lists)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true), *none = NULL;
    heed_tensor *plain = heed_ones(HEED_F64, HEED_SHAPE(2));
    heed_tensor *single = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_gradcheck_result r;
    for (int c = 0; c < 2; c++) {
        ck_assert_status_fails(names[c], HEED_ERR_ARGUMENT, "", checks[c](NULL, NULL, &x, 1, NULL, &r));
        ck_assert(!r.passed);
        ck_assert_status_fails(names[c], HEED_ERR_ARGUMENT, "", checks[c](square, NULL, NULL, 1, NULL, NULL));
        ck_assert_status_fails(names[c], HEED_ERR_ARGUMENT, "", checks[c](square, NULL, &none, 1, NULL, NULL));
        ck_assert_status_fails(names[c], HEED_ERR_ARGUMENT, "", checks[c](square, NULL, &plain, 1, NULL, NULL));
        ck_assert_status_fails(names[c], HEED_ERR_DTYPE, "f32", checks[c](square, NULL, &single, 1, NULL, NULL));
        for (int i = 0; i < COUNT_OF(hostile_ints); i++)
            if (hostile_ints[i] < 1)
                ck_assert_status_fails(names[c], HEED_ERR_ARGUMENT, "",
                                       checks[c](square, NULL, &x, hostile_ints[i], NULL, &r));
    }
}
END_TEST

START_TEST(options)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    for (int k = 0; k < 3 * COUNT_OF(hostile_doubles); k++)
        for (int c = 0; c < 2; c++) {
            heed_gradcheck_options o = {.random_projection = misuse_random() % 2};
            *(k % 3 == 0 ? &o.eps : k % 3 == 1 ? &o.atol : &o.rtol) = hostile_doubles[k / 3];
            heed_gradcheck_result r;
            heed_status status = checks[c](square, NULL, &x, 1, &o, &r);
            ck_assert(r.passed == (status == HEED_OK));
            misuse_status(names[c], status);
        }
}
END_TEST

/* Without a graph the gradient is 0 everywhere, which is right here; the gradient of log(-x^2) is finite. */
static const bool valid_gradient[13] = {[4] = true, [6] = true, [7] = true, [8] = true, [9] = true, [12] = true};

START_TEST(functions)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    for (mistake = 0; mistake <= 12; mistake++)
        for (int c = 0; c < 2; c++) {
            heed_gradcheck_result r;
            heed_scope *scope = heed_scope_begin();
            heed_status status = checks[c](function, NULL, &x, 1, NULL, &r);
            bool valid = c == 1 && valid_gradient[mistake];
            ck_assert_msg((status == HEED_OK) == valid, "mistake %d, order %d: %d", mistake, c + 1, (int)status);
            ck_assert_int_eq(status, heed_error_code());
            ck_assert(r.passed == valid);
            heed_error_clear();
            ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
            ck_assert(heed_grad_enabled() && heed_requires_grad(x));
            ck_assert_ptr_null(heed_grad_of(x));
        }
}
END_TEST

MISUSE_MAIN("misuse of heed/gradcheck.h", lists, options, functions)
