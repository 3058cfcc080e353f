/* scope.c - examples of include/heed/scope.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

/* [heed_scope_return] */
static heed_tensor *distance(heed_tensor *a, heed_tensor *b)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *difference = heed_sub(a, b);
    return heed_scope_return(scope, heed_sqrt(heed_sum(heed_square(difference)))); /* frees all but the result */
}
/* [] */

static void example_return(void)
{
    /* [heed_scope_return] */
    heed_tensor *a = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, 2), *b = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 4, 6);
    printf("%g\n", heed_item(distance(a, b))); /* -> 5 */
    /* [] */
}

static void example_no_grad(void)
{
    /* [heed_no_grad_begin] */
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_scope *scope = heed_no_grad_begin();
    heed_fill_(w, 5); /* an error while ops are recorded */
    heed_scope_end(scope);
    heed_print(w, stdout); /* -> tensor([5., 5.], shape=(2), dtype=f32, requires_grad=True) */
    /* [] */
}

/* [heed_callback_begin heed_callback_end] */
static heed_tensor *apply_twice(heed_tensor *(*function)(heed_tensor *), heed_tensor *x)
{
    heed_callback call = heed_callback_begin("the function");
    heed_tensor *y = function(function(x));
    return heed_callback_end(&call) ? y : NULL; /* NULL if the function left an error */
}
/* [] */

static void example_callback(void)
{
    /* [heed_callback_begin heed_callback_end] */
    heed_print(apply_twice(heed_square, HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 2, 3)), stdout);
    /* -> tensor([16., 81.], shape=(2), dtype=f32) */
    /* [] */
}

static void example_cleanup(void)
{
    /* [heed_thread_cleanup] */
    heed_thread_cleanup(); /* at the end of a thread, or before a leak check */
    heed_memory_stats stats = heed_memory_get_stats();
    printf("%lld objects\n", (long long)stats.live_objects); /* -> 0 objects */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_return();
    example_no_grad();
    example_callback();
    example_cleanup();
    return 0;
}
