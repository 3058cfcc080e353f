/* tests/core/test_error.c - tests of errors: the first one stays, NULL passes through, the handler is called once.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

static int handled;

static void count_errors(heed_status status, const char *message, void *user)
{
    handled++;
    ck_assert_int_eq(status, HEED_ERR_SHAPE);
    ck_assert_str_eq(message, "add: shapes (2) and (3) do not broadcast");
    ck_assert_ptr_eq(user, &handled);
}

START_TEST(the_first_error_stays)
{
    heed_set_error_handler(count_errors, &handled);
    heed_tensor *a = heed_ones(HEED_F32, HEED_SHAPE(2)), *b = heed_ones(HEED_F32, HEED_SHAPE(3));
    ck_assert_ptr_null(heed_sum(heed_exp(heed_mul(heed_add(a, b), a))));
    ck_assert_ptr_null(heed_add(NULL, a));
    ck_assert_int_eq(handled, 1);
    ck_assert_int_eq(heed_fail(HEED_ERR_IO, "test", "another"), HEED_ERR_SHAPE); /* the code of the first error */
    heed_set_error_handler(NULL, NULL);
    ck_assert_error(HEED_ERR_SHAPE, "add: shapes (2) and (3) do not broadcast");
    ck_assert_str_eq(heed_error_message(), "");
}
END_TEST

START_TEST(null_is_an_error_of_its_own)
{
    ck_assert_ptr_null(heed_mul(heed_ones(HEED_F32, HEED_SCALAR), NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "mul: argument 2 is NULL");
    ck_assert_int_eq(heed_rank(NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "rank: the tensor is NULL");
}
END_TEST

START_TEST(long_messages_are_cut)
{
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(heed_fail(HEED_ERR_IO, "f", "%s", text), HEED_ERR_IO);
    ck_assert_uint_eq(strlen(heed_error_message()), HEED_ERROR_MESSAGE_MAX - 1);
    heed_error_clear();
    heed_fail(HEED_ERR_IO, text, "y");
    ck_assert_uint_eq(strlen(heed_error_message()), HEED_ERROR_MESSAGE_MAX - 1);
    heed_error_clear();
    ck_assert(!heed_fail_false(HEED_ERR_IO, "f", "%d", 1));
    ck_assert_error(HEED_ERR_IO, "f: 1");
    ck_assert_ptr_null(heed_fail_null(HEED_ERR_IO, "f", "%d", 2));
    ck_assert_error(HEED_ERR_IO, "f: 2");
    heed_fail(HEED_OK, "f", "not an error");
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    heed_fail(HEED_ERR_IO, NULL, NULL);
    ck_assert_error(HEED_ERR_IO, "?: ");
}
END_TEST

/* A character that does not fit is left out completely. */
START_TEST(characters_are_not_cut)
{
    static const char *const characters[] = {"x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    for (size_t bytes = 1; bytes <= 4; bytes++)
        for (size_t shift = 0; shift < bytes; shift++) {
            char text[2000] = "";
            memset(text, 'x', shift);
            for (size_t at = shift; at + bytes < sizeof text; at += bytes)
                memcpy(text + at, characters[bytes - 1], bytes + 1);
            heed_fail(HEED_ERR_IO, "f", "%s", text);
            size_t capacity = HEED_ERROR_MESSAGE_MAX - 1 - strlen("f: ") - shift;
            ck_assert_uint_eq(strlen(heed_error_message()), HEED_ERROR_MESSAGE_MAX - 1 - capacity % bytes);
            ck_assert(strncmp(heed_error_message() + strlen("f: "), text, capacity + shift - capacity % bytes) == 0);
            heed_error_clear();
        }
}
END_TEST

/* -- The name of the called function ------------------------------------------------------------------------------ */

static heed_tensor *layer(heed_tensor *x, bool fails_itself)
{
    HEED_ENTER("layer");
    if (fails_itself) {
        heed_fail(HEED_ERR_ARGUMENT, "layer", "no x");
        return NULL;
    }
    return heed_mean(x);
}

static heed_tensor *net(heed_tensor *x)
{
    HEED_ENTER("net");
    return layer(x, false);
}

static void copy_message(heed_status status, const char *message, void *user)
{
    (void)status;
    (void)snprintf(user, HEED_ERROR_MESSAGE_MAX, "%s", message);
}

START_TEST(the_outermost_name_comes_first)
{
    heed_tensor *x = heed_ones(HEED_BOOL, HEED_SHAPE(3));
    char last_message[HEED_ERROR_MESSAGE_MAX] = "";
    heed_set_error_handler(copy_message, last_message);
    ck_assert_ptr_null(net(x));
    heed_set_error_handler(NULL, NULL);
    ck_assert_str_eq(last_message, "net: mean: the tensor is bool (3): must be f32 or f64");
    ck_assert_error(HEED_ERR_DTYPE, last_message);
    ck_assert_ptr_null(layer(x, true));
    ck_assert_str_eq(heed_error_message(), "layer: no x");
    heed_error_clear();
    ck_assert_ptr_null(heed_tanh(x)); /* no public function is active any more */
    ck_assert_str_eq(heed_error_message(), "tanh: argument 1 is bool of shape (3), not f32 or f64");
    heed_error_clear();
}
END_TEST

START_TEST(clearing_forgets_who_did_not_return)
{
    ck_assert(heed_enter("gone", NULL).named);
    const heed_entry inner = heed_enter("another", NULL);
    ck_assert(!inner.named);
    heed_leave(&inner);
    heed_fail(HEED_ERR_IO, "f", "text");
    ck_assert_error(HEED_ERR_IO, "gone: f: text");
    heed_fail(HEED_ERR_IO, "f", "text");
    ck_assert_str_eq(heed_error_message(), "f: text");
    heed_error_clear();
}
END_TEST

static heed_tensor *refuse(heed_tensor *grad, void *user)
{
    (void)grad;
    (void)user;
    heed_fail(HEED_ERR_ARGUMENT, "refuse", "not this one");
    return NULL;
}

static heed_tensor *refuse_all(heed_tensor *const *inputs, void *user)
{
    return refuse(inputs[0], user);
}

static heed_status refuse_visit(const heed_module_visit *visit, void *user)
{
    return refuse(visit->tensor, user) ? HEED_OK : heed_error_code();
}

static heed_tensor *refuse_forward(heed_tensor *x)
{
    return refuse(x, NULL);
}

/* If a callback of the program fails inside a library call, the error carries the name of that call. */
START_TEST(callbacks_fail_inside_of_their_caller)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true), *grad;
    heed_nn_function *f = heed_nn_function_new("f", refuse_forward);
    heed_nn_sequential *list = heed_nn_sequential_new((void *[]){f, heed_nn_linear_new(1, 1, NULL)}, 2);
    heed_add_hook(x, refuse, NULL);
    ck_assert_int_eq(heed_backward(heed_sum(x)), HEED_ERR_ARGUMENT);
    ck_assert_str_eq(heed_error_message(), "backward: refuse: not this one");
    heed_error_clear();
    heed_tensor *y = heed_sum(x);
    ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &grad, NULL), HEED_ERR_ARGUMENT);
    ck_assert_str_eq(heed_error_message(), "grad: refuse: not this one");
    heed_error_clear();
    ck_assert_int_eq(heed_gradcheck(refuse_all, NULL, &x, 1, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_str_eq(heed_error_message(), "gradcheck: refuse: not this one");
    heed_error_clear();
    ck_assert_int_eq(heed_module_walk(&list->base, refuse_visit, NULL), HEED_ERR_ARGUMENT);
    ck_assert_str_eq(heed_error_message(), "module_walk: refuse: not this one");
    heed_error_clear();
    ck_assert_ptr_null(heed_nn_sequential_forward(list, x));
    ck_assert_str_eq(heed_error_message(), "nn_sequential_forward: sequential.0: refuse: not this one");
    heed_error_clear();
    heed_module_free(&list->base);
}
END_TEST

START_TEST(every_code_has_a_name)
{
    for (int i = 0; i <= HEED_ERR_FORMAT; i++)
        ck_assert_msg(strncmp(heed_status_name((heed_status)i), "HEED_", 5) == 0, "%d", i);
    ck_assert_str_eq(heed_status_name((heed_status)99), "unknown");
    ck_assert_str_eq(heed_status_name((heed_status)-1), "unknown");
}
END_TEST

HEED_TEST_MAIN("error", the_first_error_stays, null_is_an_error_of_its_own, long_messages_are_cut,
               characters_are_not_cut, the_outermost_name_comes_first, clearing_forgets_who_did_not_return,
               callbacks_fail_inside_of_their_caller, every_code_has_a_name)
