/* nn_parametrizations.c - examples of heed/nn/parametrizations.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

/* Without a bias. The rows of the weight have the lengths 5 and 10. */
static heed_nn_linear *new_linear(void)
{
    heed_nn_linear *net = heed_nn_linear_new(2, 2, &(heed_nn_linear_options){.no_bias = true});
    heed_scope *scope = heed_no_grad_begin();
    heed_copy_(net->weight, HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 3, 4, 6, 8));
    heed_scope_end(scope);
    return net;
}

static heed_status print_name(const heed_module_visit *visit, void *user)
{
    (void)user;
    return puts(visit->name) < 0 ? HEED_ERR_IO : HEED_OK;
}

static void example_weight_norm(void)
{
    heed_nn_linear *net = new_linear();
    /* [heed_nn_weight_norm] */
    heed_nn_weight_norm(&net->base, "weight", NULL);
    heed_module_walk(&net->base, print_name, NULL);
    /* -> parametrizations.weight.original0
     *    parametrizations.weight.original1 */
    heed_tensor *g = heed_module_find(&net->base, "parametrizations.weight.original0");
    heed_print(heed_detach(g), stdout);
    /* -> tensor([[ 5.],
     *            [10.]], shape=(2, 1), dtype=f32) */
    heed_backward(heed_sum(heed_nn_linear_forward(net, heed_ones(HEED_F32, HEED_SHAPE(1, 2)))));
    heed_print(heed_grad_of(g), stdout); /* the sums of the unit vectors (3, 4) / 5 and (6, 8) / 10 */
    /* -> tensor([[1.4000],
     *            [1.4000]], shape=(2, 1), dtype=f32) */
    /* [] */
    heed_module_free(&net->base);
}

static void example_spectral_norm(void)
{
    heed_nn_linear *net = new_linear();
    /* [heed_nn_spectral_norm] */
    heed_nn_spectral_norm(&net->base, "weight", NULL);
    heed_tensor *w = heed_clone(heed_detach(net->weight)); /* divided by the singular value sqrt(125) */
    heed_print(w, stdout);
    /* -> tensor([[0.2683, 0.3578],
     *            [0.5367, 0.7155]], shape=(2, 2), dtype=f32) */
    printf("%.4f\n", heed_item(heed_norm(w, 2, HEED_SHAPE(0, 1), false))); /* -> 1.0000 */
    /* [] */
    heed_module_free(&net->base);
}

static void example_remove(void)
{
    heed_nn_linear *net = new_linear();
    /* [heed_nn_remove_parametrization] */
    heed_nn_spectral_norm(&net->base, "weight", NULL);
    heed_nn_remove_parametrization(&net->base, "weight");
    heed_module_walk(&net->base, print_name, NULL); /* -> weight */
    heed_print(heed_detach(net->weight), stdout);
    /* -> tensor([[0.2683, 0.3578],
     *            [0.5367, 0.7155]], shape=(2, 2), dtype=f32) */
    /* [] */
    heed_module_free(&net->base);
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_weight_norm();
    example_spectral_norm();
    example_remove();
    return 0;
}
