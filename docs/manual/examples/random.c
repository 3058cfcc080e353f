/* random.c - examples of heed/random.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <heed/heed.h>

static void example_generator(void)
{
    /* [heed_generator_new heed_generator_free heed_generator_use] */
    heed_generator *mine = heed_generator_new(42);
    heed_generator *previous = heed_generator_use(mine);
    heed_print(heed_rand(HEED_F32, HEED_SHAPE(3)), stdout);
    /* -> tensor([0.6130, 0.4686, 0.0732], shape=(3), dtype=f32) */
    heed_generator_set_state(mine, 42, 0); /* restarts the seed's numbers */
    heed_print(heed_rand(HEED_F32, HEED_SHAPE(3)), stdout);
    /* -> tensor([0.6130, 0.4686, 0.0732], shape=(3), dtype=f32) */
    heed_generator_use(previous);
    heed_generator_free(mine);
    /* [] */
}

static void example_default(void)
{
    /* [heed_generator_default heed_manual_seed] */
    heed_manual_seed(7);
    heed_print(heed_rand(HEED_F32, HEED_SHAPE(2)), stdout);
    /* -> tensor([0.9546, 0.7502], shape=(2), dtype=f32) */
    uint64_t seed, position;
    heed_generator_get_state(heed_generator_default(), &seed, &position);
    printf("seed %d, position %d\n", (int)seed, (int)position); /* -> seed 7, position 1 */
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
    heed_generator_set_state(generator, seed, position); /* return to this position */
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
    /* [heed_randn] */
    heed_manual_seed(0);
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(100000));
    printf("mean %.2f, ", heed_item(heed_abs(heed_mean(x))));
    printf("variance %.2f\n", heed_item(heed_mean(heed_square(x)))); /* -> mean 0.00, variance 1.00 */
    /* [] */
}

static void example_randint(void)
{
    /* [heed_randint] */
    heed_manual_seed(0);
    heed_tensor *dice = heed_randint(1, 7, HEED_SHAPE(10));
    heed_print(dice, stdout); /* -> tensor([6, 4, 3, 1, 2, 2, 3, 3, 5, 6], shape=(10), dtype=i64) */
    /* [] */
}

static void example_permutation(void)
{
    /* [heed_permutation] */
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
    /* [heed_bernoulli] */
    heed_manual_seed(0);
    heed_tensor *coins = heed_bernoulli(0.25, HEED_SHAPE(100000));
    printf("%.2f\n", heed_item(heed_mean(heed_to_dtype(coins, HEED_F64)))); /* -> 0.25 */
    /* [] */
}

static void example_likes(void)
{
    /* [heed_rand_like heed_randn_like] */
    heed_manual_seed(0);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2));
    heed_tensor *noisy = heed_add(x, heed_mul_scalar(heed_randn_like(x), 0.1));
    heed_print(noisy, stdout);             /* -> tensor([1.0738, 0.9312], shape=(2), dtype=f32) */
    heed_print(heed_rand_like(x), stdout); /* -> tensor([0.9722, 0.3621], shape=(2), dtype=f32) */
    /* [] */
}

static void example_normal(void)
{
    /* [heed_normal] */
    heed_manual_seed(0);
    heed_tensor *heights = heed_normal(HEED_F32, HEED_SHAPE(1000), 170, 10);
    printf("%.0f\n", heed_item(heed_mean(heights))); /* -> 170 */
    /* [] */
}

static void example_exponential(void)
{
    /* [heed_exponential] */
    heed_manual_seed(0);
    heed_tensor *minutes = heed_exponential(HEED_F64, HEED_SHAPE(10000), 0.5); /* a bus every two minutes */
    printf("%.1f\n", heed_item(heed_mean(minutes)));                           /* -> 2.0 */
    /* [] */
}

static void example_multinomial(void)
{
    /* [heed_multinomial] */
    heed_manual_seed(0);
    heed_tensor *weights = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, 0, 10, 5);
    heed_print(heed_multinomial(weights, 8, true), stdout);
    /* -> tensor([3, 2, 2, 0, 2, 2, 2, 2], shape=(8), dtype=i64) */
    heed_print(heed_multinomial(weights, 3, false), stdout); /* -> tensor([2, 3, 0], shape=(3), dtype=i64) */
    heed_tensor *logits = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 0, 9, 0, 5, 5, -INFINITY);
    heed_manual_seed(1);
    heed_print(heed_multinomial(heed_softmax(logits, -1), 1, true), stdout);
    /* -> tensor([[1],
     *            [1]], shape=(2, 1), dtype=i64) */
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
    example_likes();
    example_normal();
    example_exponential();
    example_multinomial();
    return 0;
}
