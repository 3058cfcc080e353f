/* elementwise.c - examples of heed/ops/elementwise.h. docs/manual/README.md says what the marks mean. */
#include <heed/heed.h>

static void example_add(void)
{
    /* [heed_add] */
    heed_tensor *rows = heed_arange(HEED_F32, 0, 3, 1);
    heed_tensor *column = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1), 10, 20);
    heed_print(heed_add(rows, column), stdout);
    /* -> tensor([[10., 11., 12.],
     *            [20., 21., 22.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_tanh(void)
{
    /* [heed_tanh] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -1, 0, 100);
    heed_set_requires_grad(x, true);
    heed_tensor *y = heed_tanh(x);
    heed_print(y, stdout);
    /* -> tensor([-0.7616,  0.0000,  1.0000], shape=(3), dtype=f64, requires_grad=True) */
    heed_backward(heed_sum(y));
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0.4200, 1.0000, 0.0000], shape=(3), dtype=f64) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_add();
    example_tanh();
    return 0;
}
