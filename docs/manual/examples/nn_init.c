/* nn_init.c - examples of heed/nn/init.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <heed/heed.h>

static void example_uniform(void)
{
    /* [heed_nn_init_uniform_] */
    heed_manual_seed(0);
    heed_nn_linear *net = heed_nn_linear_new(100, 100, NULL);
    heed_nn_init_uniform_(net->weight, -0.1, 0.1);
    printf("%.3f to %.3f\n", heed_item(heed_min(net->weight)),
           heed_item(heed_max(net->weight))); /* -> -0.100 to 0.100 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_normal(void)
{
    /* [heed_nn_init_normal_] */
    heed_manual_seed(0);
    heed_tensor *w = heed_empty(HEED_F64, HEED_SHAPE(300, 300));
    heed_nn_init_normal_(w, 3.0, 0.5);
    heed_tensor *mean = heed_mean(w);
    double std = sqrt(heed_item(heed_mean(heed_square(heed_sub(w, mean)))));
    printf("mean %.2f, deviation %.2f\n", heed_item(mean), std); /* -> mean 3.00, deviation 0.50 */
    /* [] */
}

static void example_xavier_uniform(void)
{
    /* [heed_nn_init_xavier_uniform_] */
    heed_manual_seed(0);
    heed_nn_linear *net = heed_nn_linear_new(100, 50, NULL);
    heed_nn_init_xavier_uniform_(net->weight); /* within sqrt(6 / (100 + 50)) = 0.2 */
    printf("%.3f to %.3f\n", heed_item(heed_min(net->weight)),
           heed_item(heed_max(net->weight))); /* -> -0.200 to 0.200 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_kaiming_uniform(void)
{
    /* [heed_nn_init_kaiming_uniform_] */
    heed_manual_seed(0);
    heed_nn_linear *net = heed_nn_linear_new(600, 50, NULL);
    heed_nn_init_kaiming_uniform_(net->weight); /* within sqrt(6 / 600) = 0.1 */
    printf("%.3f to %.3f\n", heed_item(heed_min(net->weight)),
           heed_item(heed_max(net->weight))); /* -> -0.100 to 0.100 */
    heed_module_free(&net->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_uniform();
    example_normal();
    example_xavier_uniform();
    example_kaiming_uniform();
    return 0;
}
