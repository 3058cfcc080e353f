/* nn_layers.c - examples of heed/nn/layers.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_linear_new(void)
{
    heed_manual_seed(0);
    /* [heed_nn_linear_new] */
    heed_nn_linear *plain = heed_nn_linear_new(3, 2, NULL);
    heed_print(plain->weight, stdout);
    /* -> tensor([[-0.1166,  0.4394,  0.2722],
     *            [ 0.1218,  0.5453, -0.1592]], shape=(2, 3), dtype=f32,
     *           requires_grad=True) */

    heed_nn_linear_options options = {.no_bias = true, .dtype = HEED_F64, .activation = heed_relu};
    heed_nn_linear *map = heed_nn_linear_new(3, 2, &options);
    printf("%s %s\n", heed_dtype_name(heed_dtype_of(map->weight)), map->bias ? "bias" : "no bias"); /* -> f64 no bias */
    heed_module_free(&plain->base);
    heed_module_free(&map->base);
    /* [] */
}

static void example_linear_forward(void)
{
    /* [heed_nn_linear_forward] */
    heed_nn_linear *net = heed_nn_linear_new(3, 1, &(heed_nn_linear_options){.activation = heed_relu});
    heed_scope *no_grad = heed_no_grad_begin();
    heed_copy_(net->weight, HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3), 1, 10, 100));
    heed_fill_(net->bias, -200);
    heed_scope_end(no_grad);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 1, 1, 1);
    heed_print(heed_nn_linear_forward(net, x), stdout);
    /* -> tensor([[121.],
     *            [  0.]], shape=(2, 1), dtype=f32, requires_grad=True) */
    /* [] */
    heed_module_free(&net->base);
}

static void example_dropout_new(void)
{
    heed_manual_seed(0);
    /* [heed_nn_dropout_new] */
    heed_nn_sequential *net = heed_nn_sequential_new(
        HEED_MODULES(heed_nn_linear_new(4, 8, NULL), heed_nn_dropout_new(0.5), heed_nn_linear_new(8, 2, NULL)));
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1, 4));
    heed_tensor *a = heed_nn_sequential_forward(net, x), *b = heed_nn_sequential_forward(net, x);
    printf("training: %s\n", heed_get(a, HEED_INDEX(0, 0)) == heed_get(b, HEED_INDEX(0, 0)) ? "same" : "other");
    /* -> training: other */
    heed_module_eval(&net->base);
    a = heed_nn_sequential_forward(net, x), b = heed_nn_sequential_forward(net, x);
    printf("eval: %s\n", heed_get(a, HEED_INDEX(0, 0)) == heed_get(b, HEED_INDEX(0, 0)) ? "same" : "other");
    /* -> eval: same */
    /* [] */
    heed_module_free(&net->base);
}

static void example_dropout_forward(void)
{
    /* [heed_nn_dropout_forward] */
    heed_manual_seed(1);
    heed_nn_dropout *drop = heed_nn_dropout_new(0.75);
    heed_tensor *x = heed_arange(HEED_F32, 1, 9, 1);
    heed_print(heed_nn_dropout_forward(drop, x), stdout);
    /* -> tensor([ 0.,  0.,  0.,  0., 20.,  0.,  0.,  0.], shape=(8), dtype=f32) */
    heed_module_eval(&drop->base);
    heed_print(heed_nn_dropout_forward(drop, x), stdout);
    /* -> tensor([1., 2., 3., 4., 5., 6., 7., 8.], shape=(8), dtype=f32) */
    heed_module_free(&drop->base);
    /* [] */
}

static void example_layer_norm_new(void)
{
    /* [heed_nn_layer_norm_new] */
    heed_nn_layer_norm *norm = heed_nn_layer_norm_new(HEED_SHAPE(2, 3), &(heed_nn_layer_norm_options){.no_bias = true});
    heed_print(norm->weight, stdout);
    /* -> tensor([[1., 1., 1.],
     *            [1., 1., 1.]], shape=(2, 3), dtype=f32, requires_grad=True) */
    printf("%lld numbers to learn\n", (long long)heed_module_parameter_numel(&norm->base)); /* -> 6 numbers to learn */
    heed_module_free(&norm->base);
    /* [] */
}

static void example_layer_norm_forward(void)
{
    /* [heed_nn_layer_norm_forward] */
    heed_nn_layer_norm *norm = heed_nn_layer_norm_new(HEED_SHAPE(4), &(heed_nn_layer_norm_options){.no_affine = true});
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 4), 1, 2, 3, 4, 100, 200, 300, 400);
    heed_print(heed_nn_layer_norm_forward(norm, x), stdout);
    /* -> tensor([[-1.3416, -0.4472,  0.4472,  1.3416],
     *            [-1.3416, -0.4472,  0.4472,  1.3416]], shape=(2, 4), dtype=f64) */
    heed_module_free(&norm->base);
    /* [] */
}

static void example_embedding_new(void)
{
    /* [heed_nn_embedding_new] */
    heed_manual_seed(0);
    heed_nn_embedding *words = heed_nn_embedding_new(10000, 64, NULL);
    printf("%s\n", heed_shape_text(heed_shape_of(words->weight)).s);             /* -> (10000, 64) */
    printf("variance %.2f\n", heed_item(heed_mean(heed_square(words->weight)))); /* -> variance 1.00 */
    heed_module_free(&words->base);

    heed_nn_embedding_options padded = {.has_padding_idx = true, .padding_idx = 0}; /* word 0 is padding */
    words = heed_nn_embedding_new(3, 2, &padded);
    heed_print(heed_select(heed_detach(words->weight), 0, 0), stdout); /* -> tensor([0., 0.], shape=(2), dtype=f32) */
    heed_module_free(&words->base);
    /* [] */
}

static void example_embedding_forward(void)
{
    /* [heed_nn_embedding_forward] */
    heed_nn_embedding *table = heed_nn_embedding_new(3, 2, NULL);
    heed_scope *no_grad = heed_no_grad_begin();
    heed_copy_(table->weight, HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 0, 0.5, 1, 1.5, 2, 2.5));
    heed_scope_end(no_grad);
    heed_tensor *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 4), 2, 0, 2, 1);
    heed_print(heed_nn_embedding_forward(table, tokens), stdout);
    /* -> tensor([[[2.0000, 2.5000],
     *             [0.0000, 0.5000],
     *             [2.0000, 2.5000],
     *             [1.0000, 1.5000]]], shape=(1, 4, 2), dtype=f32, requires_grad=True) */
    heed_module_free(&table->base);
    /* [] */
}

/* [heed_nn_function_new heed_nn_function_forward] */
static heed_tensor *swish(heed_tensor *x)
{
    return heed_mul(x, heed_sigmoid(x));
}
/* [] */

static void example_function(void)
{
    /* [heed_nn_function_new heed_nn_function_forward] */
    heed_nn_function *layer = heed_nn_function_new("swish", swish);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), -1, 0, 1);
    heed_print(heed_nn_function_forward(layer, x), stdout);
    /* -> tensor([-0.2689,  0.0000,  0.7311], shape=(3), dtype=f32) */
    heed_module_free(&layer->base);
    /* [] */
}

static void example_prelu(void)
{
    /* [heed_nn_prelu_new heed_nn_prelu_forward] */
    heed_nn_prelu *net = heed_nn_prelu_new(1, NULL);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), -2, -1, 0, 3);
    heed_print(heed_detach(heed_nn_prelu_forward(net, x)), stdout);
    /* -> tensor([-0.5000, -0.2500,  0.0000,  3.0000], shape=(4), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_sequential_new(void)
{
    /* [heed_nn_sequential_new] */
    heed_nn_sequential *net =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(784, 256, NULL), heed_nn_function_new("relu", heed_relu),
                                            heed_nn_linear_new(256, 10, NULL)));
    heed_tensor *weight = heed_module_find(&net->base, "2.weight");
    printf("%s\n", heed_shape_text(heed_shape_of(weight)).s);                        /* -> (10, 256) */
    printf("%lld parameters\n", (long long)heed_module_parameter_numel(&net->base)); /* -> 203530 parameters */
    heed_module_free(&net->base);
    /* [] */
}

static void example_sequential_add(void)
{
    /* [heed_nn_sequential_add] */
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    for (int i = 0; i < 3; i++) {
        heed_nn_sequential_add(net, heed_nn_linear_new(8, 8, NULL));
        heed_nn_sequential_add(net, heed_nn_function_new("tanh", heed_tanh));
    }
    printf("%lld parameters\n", (long long)heed_module_parameter_count(&net->base)); /* -> 6 parameters */
    heed_module_free(&net->base);
    /* [] */
}

static void example_parameter_list(void)
{
    heed_nn_linear *net = heed_nn_linear_new(4, 4, NULL);
    /* [heed_nn_parameter_list_new] */
    heed_module *weights = heed_nn_parameter_list_new(HEED_TENSORS(net->weight)); /* all parameters but the bias */
    heed_optimizer *sgd = heed_optim_sgd(weights, &(heed_optim_sgd_options){.lr = 0.1});
    printf("%d of %d\n", heed_optimizer_parameter_count(sgd), (int)heed_module_parameter_count(&net->base));
    /* -> 1 of 2 */
    heed_module_free(weights); /* net and the optimizer retain the weight */
    heed_optimizer_free(sgd);
    /* [] */
    heed_module_free(&net->base);
}

static void example_sequential_forward(void)
{
    /* [heed_nn_sequential_forward] */
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(
        heed_nn_linear_new(4, 16, NULL), heed_nn_function_new("relu", heed_relu), heed_nn_linear_new(16, 3, NULL)));
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(32, 4));
    heed_tensor *logits = heed_nn_sequential_forward(net, x);
    printf("%s -> %s\n", heed_shape_text(heed_shape_of(x)).s, heed_shape_text(heed_shape_of(logits)).s);
    /* -> (32, 4) -> (32, 3) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_activation_named(void)
{
    /* [heed_activation_named] */
    const char *name = "gelu"; /* for example from a command line or a file */
    heed_nn_sequential *net = heed_nn_sequential_new(
        HEED_MODULES(heed_nn_linear_new(4, 8, NULL), heed_nn_function_new(name, heed_activation_named(name))));
    printf("%d\n", heed_activation_named(name) == heed_gelu); /* -> 1 */
    heed_nn_linear_options options = {.activation = heed_activation_named("leaky_relu")};
    heed_nn_linear *map = heed_nn_linear_new(1, 1, &options);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), -100, 1);
    heed_print(options.activation(x), stdout); /* -> tensor([-1.,  1.], shape=(2), dtype=f32) */
    heed_module_free(&map->base);
    heed_module_free(&net->base);
    /* [] */
}

static void example_unflatten(void)
{
    /* [heed_nn_unflatten_new heed_nn_unflatten_forward] */
    heed_nn_unflatten *layer = heed_nn_unflatten_new(1, HEED_SHAPE(16, 4, -1));
    heed_tensor *rows = heed_ones(HEED_F32, HEED_SHAPE(32, 256));
    printf("%s\n", heed_shape_text(heed_shape_of(heed_nn_unflatten_forward(layer, rows))).s); /* -> (32, 16, 4, 4) */
    heed_module_free(&layer->base);
    /* [] */
}

static void example_identity(void)
{
    /* [heed_nn_identity_new heed_nn_identity_forward] */
    heed_nn_identity *layer = heed_nn_identity_new();
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2));
    heed_print(heed_nn_identity_forward(layer, x), stdout); /* -> tensor([1., 1.], shape=(2), dtype=f32) */
    heed_module_free(&layer->base);
    /* [] */
}

static void example_flatten(void)
{
    /* [heed_nn_flatten_new heed_nn_flatten_forward] */
    heed_nn_flatten *layer = heed_nn_flatten_new(1, -1);
    heed_tensor *images = heed_ones(HEED_F32, HEED_SHAPE(32, 16, 4, 4));
    printf("%s\n", heed_shape_text(heed_shape_of(heed_nn_flatten_forward(layer, images))).s); /* -> (32, 256) */
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(layer, heed_nn_linear_new(256, 10, NULL)));
    printf("%s\n", heed_shape_text(heed_shape_of(heed_nn_sequential_forward(net, images))).s); /* -> (32, 10) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_residual(void)
{
    /* [heed_nn_residual_new heed_nn_residual_forward] */
    heed_nn_conv_options same = {.same = true, .no_bias = true};
    heed_nn_residual *block = heed_nn_residual_new(
        HEED_MODULES(heed_nn_conv_new(8, 8, HEED_SHAPE(3, 3), &same), heed_nn_batch_norm_new(8, NULL),
                     heed_nn_function_new("relu", heed_relu), heed_nn_conv_new(8, 8, HEED_SHAPE(3, 3), &same)));
    heed_scope *no_grad = heed_no_grad_begin();
    heed_fill_(heed_module_find(&block->base, "net.3.weight"), 0);
    heed_scope_end(no_grad);
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(2, 8, 5, 5)), *y = heed_nn_residual_forward(block, x);
    printf("%g\n", heed_item(heed_max(heed_abs(heed_sub(y, x))))); /* the residual is 0 */
    /* -> 0 */
    heed_module_free(&block->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_linear_new();
    example_linear_forward();
    example_dropout_new();
    example_dropout_forward();
    example_layer_norm_new();
    example_layer_norm_forward();
    example_embedding_new();
    example_embedding_forward();
    example_function();
    example_prelu();
    example_activation_named();
    example_unflatten();
    example_identity();
    example_flatten();
    example_sequential_new();
    example_sequential_add();
    example_parameter_list();
    example_sequential_forward();
    example_residual();
    return 0;
}
