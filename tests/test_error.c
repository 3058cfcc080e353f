/* tests/test_error.c - errors: the first one stays, NULL goes through, the handler is told once. */

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
    heed_fail(HEED_OK, "f", "not an error");
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    heed_fail(HEED_ERR_IO, NULL, NULL);
    ck_assert_error(HEED_ERR_IO, "?: ");
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
               every_code_has_a_name)
