/* tests/check_heed.h - included by every test program: Check, leak accounting, and main.
 *
 *     START_TEST(adds) { ... } END_TEST
 *     HEED_TEST_MAIN("arithmetic", adds, subtracts)
 *
 * After every test no error may be pending, and live objects and bytes must have the same numbers as before it.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef CHECK_HEED_H
#define CHECK_HEED_H

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heed/heed.h>

/* Check writes a line to a file for each assertion that holds, to say where a test has crashed. For a loop over numbers
 * that is most of its time, so here the line is written once, until an assertion of another line has held. */
static inline void heed_test_holds(const char *file, int line)
{
    static _Thread_local int last;
    if (line != last)
        _mark_point(file, line);
    last = line;
}
#undef ck_assert_msg
#define ck_assert_msg(expr, ...)                                                                                       \
    ((expr) ? heed_test_holds(__FILE__, __LINE__)                                                                      \
            : _ck_assert_failed(__FILE__, __LINE__, "Assertion '" #expr "' failed", __VA_ARGS__))

/* Whether a test of many ops should test this one: HEED_OP=NAME in the environment chooses one op. */
static inline bool heed_test_chooses(const char *op)
{
    const char *only = getenv("HEED_OP");
    return !only || strcmp(only, op) == 0;
}

static heed_memory_stats heed_test_before;

static void heed_test_setup(void)
{
    heed_thread_cleanup();
    heed_error_clear();
    heed_test_before = heed_memory_get_stats();
}

static void heed_test_teardown(void)
{
    ck_assert_msg(heed_error_code() == HEED_OK, "error left pending: %s", heed_error_message());
    heed_thread_cleanup();
    heed_memory_stats after = heed_memory_get_stats();
    ck_assert_msg(after.live_objects == heed_test_before.live_objects, "%lld objects leaked",
                  (long long)(after.live_objects - heed_test_before.live_objects));
    ck_assert_int_eq(after.live_bytes, heed_test_before.live_bytes);
}

/* An error of that code is pending, its message contains `text`; clears it. */
#define ck_assert_error(code, text)                                                                                    \
    do {                                                                                                               \
        ck_assert_msg(heed_error_code() == (code), "expected %s, got %s: %s", heed_status_name(code),                  \
                      heed_status_name(heed_error_code()), heed_error_message());                                      \
        ck_assert_msg(strstr(heed_error_message(), (text)) != NULL, "\"%s\" not in \"%s\"", (text),                    \
                      heed_error_message());                                                                           \
        heed_error_clear();                                                                                            \
    } while (0)

/* |a - b| <= tolerance, which NaN fails. */
#define ck_assert_near(a, b, tolerance)                                                                                \
    do {                                                                                                               \
        double near_a = (a), near_b = (b), near_tolerance = (tolerance);                                               \
        ck_assert_msg(fabs(near_a - near_b) <= near_tolerance, "%s = %.17g, expected %.17g +- %g", #a, near_a, near_b, \
                      near_tolerance);                                                                                 \
    } while (0)

/* NaN equals NaN; otherwise the values must be the same. */
#define ck_assert_same(a, b)                                                                                           \
    do {                                                                                                               \
        double same_a = (a), same_b = (b);                                                                             \
        ck_assert_msg(same_a == same_b || (isnan(same_a) && isnan(same_b)), "%s = %.17g, expected %.17g", #a, same_a,  \
                      same_b);                                                                                         \
    } while (0)

/* An empty test case with the accounting above around each test. */
static inline TCase *heed_test_case(const char *name)
{
    TCase *tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, heed_test_setup, heed_test_teardown);
    tcase_set_timeout(tcase, 300);
    return tcase;
}

/* Runs the case as a suite. Returns the result of main. */
static inline int heed_run_case(const char *name, TCase *tcase)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static inline int heed_run_tests(const char *name, const TTest *const *tests, size_t count)
{
    TCase *tcase = heed_test_case(name);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    return heed_run_case(name, tcase);
}

#define HEED_TEST_MAIN(name, ...)                                                                                      \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                                                    \
        return heed_run_tests(name, tests, sizeof tests / sizeof tests[0]);                                            \
    }

#endif
