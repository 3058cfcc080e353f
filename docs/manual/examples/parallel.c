/* parallel.c - examples of heed/parallel.h. docs/manual/README.md says what the marks mean. */
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

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_threads();
    return 0;
}
