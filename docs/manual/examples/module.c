/* module.c - examples of include/heed/module.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

/* [heed_module_new heed_module_parameter heed_module_forward] */
typedef struct scale {
    heed_module base;
    heed_tensor *factor;
} scale;

static heed_tensor *scale_forward(heed_module *m, heed_tensor *x)
{
    return heed_mul(x, ((scale *)m)->factor);
}
/* [] */

static void example_new(void)
{
    /* [heed_module_new heed_module_parameter heed_module_forward] */
    scale *net = heed_module_new("scale", sizeof *net);
    net->base.forward = scale_forward;
    net->factor = heed_module_parameter(&net->base, "factor", heed_full(HEED_F32, HEED_SHAPE(1), 3));
    heed_print(heed_module_forward(&net->base, heed_ones(HEED_F32, HEED_SHAPE(2))), stdout);
    /* -> tensor([3., 3.], shape=(2), dtype=f32, requires_grad=True) */
    /* [] */
    heed_module_free(&net->base);
}

static void example_members(void)
{
    /* [heed_module_buffer heed_module_child heed_module_find heed_module_parameter_count heed_module_parameter_numel] */
    heed_module *net = heed_module_new("net", sizeof *net);
    heed_module_buffer(net, "mean", heed_zeros(HEED_F32, HEED_SHAPE(3)));
    heed_module_child(net, "out", &heed_nn_linear_new(3, 2, NULL)->base);
    printf("%s\n", heed_shape_text(heed_shape_of(heed_module_find(net, "out.weight"))).s); /* -> (2, 3) */
    int64_t count = heed_module_parameter_count(net), numel = heed_module_parameter_numel(net);
    printf("%lld parameters with %lld elements\n", (long long)count, (long long)numel);
    /* -> 2 parameters with 8 elements */
    heed_module_free(net); /* with its buffer and its child */
    /* [] */
}

static void example_modes(void)
{
    heed_manual_seed(0);
    heed_nn_dropout *layer = heed_nn_dropout_new(0.5);
    heed_module *net = &layer->base;
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1000));
    /* [heed_module_train heed_module_eval] */
    heed_module_eval(net);                                            /* for predictions: dropout is off */
    printf("%g\n", heed_item(heed_min(heed_module_forward(net, x)))); /* -> 1 */
    heed_module_train(net);                                           /* the initial mode */
    printf("%g\n", heed_item(heed_min(heed_module_forward(net, x)))); /* -> 0 */
    /* [] */
    heed_module_free(net);
}

static void example_frozen(void)
{
    heed_nn_linear *layer = heed_nn_linear_new(3, 2, NULL);
    heed_module *net = &layer->base;
    /* [heed_module_set_requires_grad heed_module_zero_grad] */
    printf("%lld\n", (long long)heed_module_set_requires_grad(net, "w*", false)); /* -> 1 */
    heed_backward(heed_sum(heed_module_forward(net, heed_ones(HEED_F32, HEED_SHAPE(4, 3)))));
    printf("%d %d\n", heed_has_grad(layer->weight), heed_has_grad(layer->bias)); /* -> 0 1 */
    heed_module_zero_grad(net);
    printf("%d\n", heed_has_grad(layer->bias)); /* -> 0 */
    /* [] */
    heed_module_free(net);
}

static void example_state(void)
{
    heed_module *net = &heed_nn_linear_new(3, 2, NULL)->base, *best = &heed_nn_linear_new(3, 2, NULL)->base;
    /* [heed_module_state heed_module_load_state heed_module_copy_state heed_module_free] */
    heed_module_copy_state(best, net); /* best has the values of net */
    heed_dict *state = heed_module_state(best);
    printf("%lld tensors: %s, ...\n", (long long)heed_dict_size(state), heed_dict_name(state, 0));
    /* -> 2 tensors: weight, ... */
    heed_module_load_state(net, state, NULL);
    heed_dict_free(state);
    heed_module_free(best);
    /* [] */
    heed_module_free(net);
}

/* [heed_module_walk] */
static heed_status show(const heed_module_visit *visit, void *user)
{
    (void)user;
    printf("%s of a %s\n", visit->name, visit->owner->type);
    return HEED_OK;
}
/* [] */

/* [heed_module_walk_modules] */
static heed_status show_module(const char *path, heed_module *m, void *user)
{
    (void)user;
    printf("\"%s\": %s\n", path, m->type);
    return HEED_OK;
}
/* [] */

/* [heed_module_walk_matching] */
static heed_status add_numel(const heed_module_visit *visit, void *user)
{
    *(int64_t *)user += heed_numel(visit->tensor);
    return HEED_OK;
}
/* [] */

static void example_walks(void)
{
    heed_nn_sequential *layers =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 2, NULL), heed_nn_dropout_new(0.1)));
    heed_module *net = &layers->base;
    /* [heed_module_walk] */
    heed_module_walk(net, show, NULL);
    /* -> 0.weight of a linear
     *    0.bias of a linear */
    /* [] */
    /* [heed_module_walk_modules] */
    heed_module_walk_modules(net, show_module, NULL);
    /* -> "": sequential
     *    "0": linear
     *    "1": dropout */
    /* [] */
    /* [heed_module_walk_matching] */
    int64_t numel = 0, biases = heed_module_walk_matching(net, "*bias", add_numel, &numel);
    printf("%lld bias, %lld numbers\n", (long long)biases, (long long)numel); /* -> 1 bias, 2 numbers */
    /* [] */
    heed_module_free(net);
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_new();
    example_members();
    example_modes();
    example_frozen();
    example_state();
    example_walks();
    return 0;
}
