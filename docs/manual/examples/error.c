/* error.c - examples of include/heed/error.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_message(void)
{
    /* [heed_error_message heed_error_code heed_error_clear heed_status_name] */
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3)), *w = heed_ones(HEED_F32, HEED_SHAPE(4, 5));
    if (!heed_relu(heed_matmul(x, w)))
        printf("%s\n%s\n", heed_status_name(heed_error_code()), heed_error_message());
    /* -> HEED_ERR_SHAPE
     *    matmul: inner sizes differ: (2, 3) x (4, 5) */
    heed_error_clear();
    /* [] */
}

/* [heed_set_error_handler heed_exit_on_error heed_install_error_handler] */
static void show_error(heed_status status, const char *message, void *user)
{
    fprintf(user, "%s (%d)\n", message, (int)status);
}
/* [] */

static void example_handler(void)
{
    /* [heed_set_error_handler heed_exit_on_error heed_install_error_handler] */
    heed_set_error_handler(show_error, stdout);
    heed_sum_axes(heed_ones(HEED_F32, HEED_SHAPE(2, 3)), HEED_AXES(2), false);
    /* -> sum_axes: axis 2 is outside a tensor of rank 2 (2) */
    heed_error_clear();
    heed_set_error_handler(heed_exit_on_error, NULL); /* for scripts: prints the error and ends the program */
    /* [] */
    heed_set_error_handler(NULL, NULL);
}

/* [heed_set_notice_handler heed_print_notice] */
static void show_notice(const char *message, void *user)
{
    fprintf(user, "%.46s ...\n", message);
}
/* [] */

static void example_notice(void)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(3)), true);
    /* [heed_set_notice_handler heed_print_notice] */
    heed_set_notice_handler(show_notice, stdout);
    for (int i = 0; i < 1000; i++) /* a scope is missing in this loop */
        heed_backward(heed_sum(heed_square(w)));
    /* -> 1000 backward passes have run without a scope, ... */
    heed_set_notice_handler(heed_print_notice, NULL); /* prints to standard error */
    /* [] */
}

/* [heed_fail heed_fail_false heed_fail_null heed_enter heed_leave] */
static heed_tensor *spread(heed_tensor *x, double limit)
{
    HEED_ENTER("spread"); /* calls heed_enter here and heed_leave at the end */
    if (!(limit > 0))
        return heed_fail_null(HEED_ERR_ARGUMENT, "spread", "limit is %g: must be above 0", limit);
    return heed_sub(heed_clamp(x, -limit, limit), heed_mean(x));
}
/* [] */

static void example_fail(void)
{
    heed_tensor *x = heed_ones(HEED_BOOL, HEED_SHAPE(3));
    /* [heed_fail heed_fail_false heed_fail_null heed_enter heed_leave] */
    if (!spread(x, 0))
        printf("%s\n", heed_error_message()); /* -> spread: limit is 0: must be above 0 */
    heed_error_clear();
    if (!spread(x, 1))
        printf("%s\n", heed_error_message()); /* -> spread: mean: the tensor is bool (3): must be f32 or f64 */
    /* [] */
    heed_error_clear();
}

int main(void)
{
    example_message();
    example_handler();
    example_notice();
    example_fail();
    return 0;
}
