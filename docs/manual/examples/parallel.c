/* parallel.c - examples of heed/parallel.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_threads(void)
{
    /* [heed_set_num_threads heed_num_threads] */
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(300, 300));
    heed_set_num_threads(1);
    double one = heed_item(heed_sum(heed_matmul(x, x)));
    heed_set_num_threads(4);
    double four = heed_item(heed_sum(heed_matmul(x, x)));
    printf("%d threads, %s\n", heed_num_threads(), one == four ? "the same bits" : "other bits");
    /* -> 4 threads, the same bits */
    /* [] */
}

/* [heed_parallel_for] */
static heed_status draw_mean(int64_t i, void *user)
{
    ((double *)user)[i] = heed_item(heed_mean(heed_randn(HEED_F64, HEED_SHAPE(1000))));
    return heed_error_code();
}

static void example_calls(void)
{
    double means[4];
    heed_parallel_for(4, draw_mean, means);    /* the same numbers for any number of threads */
    printf("%.3f %.3f\n", means[0], means[3]); /* -> 0.015 0.017 */
}
/* [] */

/* [heed_parallel_own_buffers heed_parallel_buffer] */
static heed_status run_forward(int64_t i, void *user)
{
    heed_tensor *buffer = user, *own = heed_clone(buffer); /* every call has its own copy */
    heed_parallel_own_buffers(&buffer, &own, 1);
    return heed_fill_(heed_parallel_buffer(buffer), (double)i); /* writes to the copy */
}

static void run_four_times(heed_tensor *buffer)
{
    heed_parallel_for(4, run_forward, buffer);
    printf("the buffer is still %g\n", heed_item(buffer)); /* -> the buffer is still 0 */
}
/* [] */

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_threads();
    example_calls();
    run_four_times(heed_zeros(HEED_F32, HEED_SCALAR));
    return 0;
}
