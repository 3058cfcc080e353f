/* tests/ops/test_op_cases.c - every op of src/ops/ops.def over its cases (tests/ops), one test per op;
 * tests/ops/driver.h lists the checks.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "driver.h"

/* Every op has at least MIN_SAMPLES samples. */
#define MIN_SAMPLES 24

/* Keeps the first report. */
static void keep_report(const char *report, void *user)
{
    char *first = user;
    if (first[0] == '\0')
        (void)snprintf(first, 1024, "%s", report);
}

static bool has_error(const op_example *examples)
{
    for (const op_example *e = examples; e && e->name; e++)
        if (e->text)
            return true;
    return false;
}

/* The driver adds errors if n_inputs is set. */
static bool has_errors(const op_cases *cases)
{
    return cases->n_inputs > 0 || (cases->errors && cases->errors[0].name) || has_error(cases->examples) ||
           has_error(cases->shared[0].examples);
}

START_TEST(passes)
{
    int count;
    const op_entry *op = &op_entries(&count)[_i];
    if (!heed_test_chooses(op->name))
        return;
    char first[1024] = "";
    op_result r;
    op_listener listener = {.failed = keep_report, .user = first};
    ck_assert_msg(op_run(op, 0, &listener, &r), "%s: %d of %lld samples failed, first %s", op->name, r.failures,
                  (long long)r.samples, first);
    ck_assert_msg(r.samples >= MIN_SAMPLES, "%s has only %lld samples", op->name, (long long)r.samples);
    ck_assert_msg(has_errors(op->cases), "%s has no bad inputs", op->name);
}
END_TEST

int main(void)
{
    int count;
    (void)op_entries(&count);
    if (getenv("HEED_OP") && !op_find(getenv("HEED_OP"))) {
        (void)fprintf(stderr, "test_op_cases: src/ops/ops.def has no op \"%s\" ($HEED_OP)\n", getenv("HEED_OP"));
        return 1;
    }
    TCase *tcase = heed_test_case("ops");
    tcase_add_loop_test(tcase, passes, 0, count);
    return heed_run_case("op_cases", tcase);
}
