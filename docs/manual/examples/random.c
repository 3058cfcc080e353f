/* random.c - examples of heed/random.h. docs/manual/README.md says what the marks mean. */
#include <heed/heed.h>

static void example_generator(void)
{
    /* [heed_generator_new heed_generator_free heed_generator_rand heed_generator_seed] */
    heed_generator *generator = heed_generator_new(42);
    heed_print(heed_generator_rand(generator, HEED_F32, HEED_SHAPE(3)), stdout);
    /* -> tensor([0.6130, 0.4686, 0.0732], shape=(3), dtype=f32) */
    heed_print(heed_generator_rand(generator, HEED_F32, HEED_SHAPE(3)), stdout);
    /* -> tensor([0.9877, 0.3271, 0.5139], shape=(3), dtype=f32) */
    heed_generator_seed(generator, 42);
    heed_print(heed_generator_rand(generator, HEED_F32, HEED_SHAPE(3)), stdout);
    /* -> tensor([0.6130, 0.4686, 0.0732], shape=(3), dtype=f32) */
    heed_generator_free(generator);
    /* [] */
}

static void example_default(void)
{
    /* [heed_generator_default heed_manual_seed] */
    heed_manual_seed(7);
    heed_tensor *a = heed_rand(HEED_F32, HEED_SHAPE(2));
    heed_manual_seed(7);
    heed_tensor *b = heed_generator_rand(heed_generator_default(), HEED_F32, HEED_SHAPE(2));
    heed_print(heed_stack(HEED_TENSORS(a, b), 0), stdout);
    /* -> tensor([[0.9546, 0.7502],
     *            [0.9546, 0.7502]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_state(void)
{
    /* [heed_generator_get_state heed_generator_set_state] */
    heed_manual_seed(0);
    heed_generator *generator = heed_generator_default();
    uint64_t seed, position;
    heed_generator_get_state(generator, &seed, &position);
    heed_tensor *a = heed_randint(0, 100, HEED_SHAPE(4));
    heed_generator_set_state(generator, seed, position); /* back */
    heed_print(heed_stack(HEED_TENSORS(a, heed_randint(0, 100, HEED_SHAPE(4))), 0), stdout);
    /* -> tensor([[88, 60, 36,  3],
     *            [88, 60, 36,  3]], shape=(2, 4), dtype=i64) */
    /* [] */
}

static void example_rand(void)
{
    /* [heed_rand] */
    heed_manual_seed(0);
    heed_print(heed_rand(HEED_F32, HEED_SHAPE(2, 3)), stdout);
    /* -> tensor([[0.3990, 0.8805, 0.7357],
     *            [0.6055, 0.9722, 0.3621]], shape=(2, 3), dtype=f32) */
    heed_tensor *x = heed_add_scalar(heed_mul_scalar(heed_rand(HEED_F32, HEED_SHAPE(4)), 2), -1); /* in [-1, 1) */
    heed_print(x, stdout); /* -> tensor([-0.9611, -0.3611, -0.7181, -0.4565], shape=(4), dtype=f32) */
    /* [] */
}

static void example_randn(void)
{
    /* [heed_randn heed_generator_randn] */
    heed_manual_seed(0);
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(100000));
    printf("mean %.2f, ", heed_item(heed_abs(heed_mean(x))));
    printf("variance %.2f\n", heed_item(heed_mean(heed_square(x)))); /* -> mean 0.00, variance 1.00 */
    /* [] */
}

static void example_randint(void)
{
    /* [heed_randint heed_generator_randint] */
    heed_manual_seed(0);
    heed_tensor *dice = heed_randint(1, 7, HEED_SHAPE(10));
    heed_print(dice, stdout); /* -> tensor([6, 4, 3, 1, 2, 2, 3, 3, 5, 6], shape=(10), dtype=i64) */
    /* [] */
}

static void example_permutation(void)
{
    /* [heed_permutation heed_generator_permutation] */
    heed_manual_seed(2);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4, 2), 0, 0, 1, 10, 2, 20, 3, 30);
    heed_tensor *order = heed_permutation(heed_dim(x, 0));
    heed_print(heed_index_select(x, 0, order), stdout);
    /* -> tensor([[ 2., 20.],
     *            [ 3., 30.],
     *            [ 1., 10.],
     *            [ 0.,  0.]], shape=(4, 2), dtype=f32) */
    /* [] */
}

static void example_bernoulli(void)
{
    /* [heed_bernoulli heed_generator_bernoulli] */
    heed_manual_seed(0);
    heed_tensor *coins = heed_bernoulli(0.25, HEED_SHAPE(100000));
    printf("%.2f\n", heed_item(heed_mean(heed_to_dtype(coins, HEED_F64)))); /* -> 0.25 */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_generator();
    example_default();
    example_state();
    example_rand();
    example_randn();
    example_randint();
    example_permutation();
    example_bernoulli();
    return 0;
}
