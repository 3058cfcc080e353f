/* gradcheck.c - examples of heed/gradcheck.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

/* [heed_gradcheck] */
static heed_tensor *f(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_mul(heed_tanh(in[0]), in[1]);
}
/* [] */

static void example_gradcheck(void)
{
    /* [heed_gradcheck] */
    heed_tensor *in[] = {heed_randn(HEED_F64, HEED_SHAPE(2, 3)), heed_randn(HEED_F64, HEED_SHAPE(3))};
    heed_set_requires_grad(in[0], true);
    heed_set_requires_grad(in[1], true);
    heed_gradcheck_result result;
    if (heed_gradcheck(f, NULL, in, 2, NULL, &result) == HEED_OK)
        printf("%lld derivatives agree\n", (long long)result.compared); /* -> 108 derivatives agree */
    /* [] */
}

static void example_gradgradcheck(void)
{
    /* [heed_gradgradcheck] */
    heed_tensor *in[] = {heed_randn(HEED_F64, HEED_SHAPE(2, 3)), heed_randn(HEED_F64, HEED_SHAPE(3))};
    heed_set_requires_grad(in[0], true);
    heed_gradcheck_result result;
    if (heed_gradgradcheck(f /* tanh(x) y */, NULL, in, 2, NULL, &result) == HEED_OK)
        printf("%lld derivatives of order %d agree\n", (long long)result.compared, result.order);
    /* -> 144 derivatives of order 2 agree */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    example_gradcheck();
    example_gradgradcheck();
    return 0;
}
