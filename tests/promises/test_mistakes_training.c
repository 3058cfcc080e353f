/* tests/promises/test_mistakes_training.c - common mistakes with graphs, layers, optimizers and data, and their
 * messages.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "mistakes.h"

#define FREED(op)                                                                                                      \
    ": backward: the graph at " op " was freed by an earlier backward pass: detach state that is carried over "        \
    "(heed_detach), or set retain_graph in the earlier pass"

/* y = 2 x, with a gradient of a wrong shape. */
static bool twice_forward(const heed_call *call, heed_tensor *const *out)
{
    return heed_copy_(out[0], heed_mul_scalar(call->inputs[0], 2)) == HEED_OK;
}

static void twice_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)g;
    dx[0] = heed_ones(heed_call_dtype(call, 0), HEED_SHAPE(3));
}

START_TEST(a_gradient_of_a_different_shape)
{
    static const heed_op twice = {.name = "twice",
                                  .n_inputs = 1,
                                  .n_outputs = 1,
                                  .infer = heed_infer_same,
                                  .forward = twice_forward,
                                  .backward = twice_backward};
    heed_tensor *x = LEAF(7), *y = heed_sum(heed_apply(&twice, &x, 1, NULL));
    MISTAKE(": backward: twice returned a gradient of shape (3) for argument 1 of shape (7), which does not broadcast "
            "to it",
            heed_backward(y));
    heed_tensor *one = LEAF(5, 3), *z = heed_sum(heed_apply(&twice, &one, 1, NULL));
    MISTAKE(": backward: twice returned a gradient of shape (3) for argument 1 of shape (5, 3), which does not "
            "broadcast to it",
            heed_backward(z));
}
END_TEST

START_TEST(backward_without_a_graph)
{
    heed_tensor *x = LEAF(2), *z = LEAF(2), *loss = heed_sum(heed_square(x)), *grad;
    MISTAKE(": backward: the tensor of shape () is not part of a graph: no tensor that it was computed from requires a "
            "gradient",
            heed_backward(heed_sum(F32(2))));
    MISTAKE(
        ": backward: a tensor of shape (2) does not have exactly one element: reduce it, for example by heed_sum, or "
        "pass an output gradient",
        heed_backward(heed_exp(x)));
    MISTAKE(": grad: the outputs do not depend on input 0", heed_grad(&loss, 1, &z, 1, &grad, NULL));
    ck_assert_int_eq(heed_backward(loss), HEED_OK);
    MISTAKE(FREED("sum"), heed_backward(loss));
    heed_tensor *state = heed_tanh(x); /* of a first chunk, carried over to a second one */
    ck_assert_int_eq(heed_backward(heed_sum(state)), HEED_OK);
    MISTAKE(FREED("tanh"), heed_backward(heed_sum(heed_mul(state, z))));
    ck_assert_int_eq(heed_backward(heed_sum(heed_mul(heed_detach(state), z))), HEED_OK);
    heed_scope *quiet = heed_no_grad_begin();
    heed_tensor *unrecorded = heed_sum(heed_square(x));
    heed_scope_end(quiet);
    MISTAKE(": fill_: a tensor of shape (2) that requires a gradient is written while recording is on: write inside "
            "heed_no_grad_begin()",
            heed_fill_(x, 0.0));
    MISTAKE(": set_requires_grad: the tensor is a result of exp: call heed_detach first",
            heed_set_requires_grad(heed_exp(x), false));
    (void)unrecorded;
}
END_TEST

START_TEST(layers_of_the_wrong_size)
{
    MISTAKE(": nn_linear_new: in is 0: must be 1 or more", heed_nn_linear_new(0, 4, NULL));
    MISTAKE(": nn_dropout_new: dropout is 50: must be in [0, 1]", heed_nn_dropout_new(50.0));
    MISTAKE(": nn_multi_head_attention_new: hidden_size is 10: must be a multiple of num_heads, 3, and below 2^63 / 3",
            heed_nn_multi_head_attention_new(10, 3, NULL));
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(
        heed_nn_linear_new(3, 8, NULL), heed_nn_function_new("relu", heed_relu), heed_nn_linear_new(9, 4, NULL)));
    MISTAKE(": nn_sequential_forward: sequential.0: linear: x (2, 4) has 4 features, w (8, 3) takes 3",
            heed_nn_sequential_forward(net, F32(2, 4)));
    MISTAKE(": nn_sequential_forward: sequential.2: linear: x (2, 8) has 8 features, w (4, 9) takes 9",
            heed_nn_sequential_forward(net, F32(2, 3)));
    MISTAKE(": nn_sequential_forward: sequential.0: linear: the tensors are f64 (2, 3) and f32 (8, 3): must both be "
            "f32, or "
            "both f64",
            heed_nn_sequential_forward(net, F64(2, 3)));
    heed_module_free(&net->base);
}
END_TEST

START_TEST(sequences_of_the_wrong_shape)
{
    heed_nn_transformer_encoder_block *block = heed_nn_transformer_encoder_block_new(8, 2, 16, NULL);
    heed_tensor *x = F32(2, 3, 8), *four = heed_full(HEED_I64, HEED_SHAPE(2), 4);
#define BLOCK "nn_transformer_encoder_block_forward: "
#define ATTENTION BLOCK "transformer_encoder_block.self_attn: dot_product_attention: "
    MISTAKE(": " BLOCK "x is (2, 8): must be (any, any, 8)",
            heed_nn_transformer_encoder_block_forward(block, F32(2, 8), NULL, NULL));
    MISTAKE(": " BLOCK "x is (2, 3, 6): must be (any, any, 8)",
            heed_nn_transformer_encoder_block_forward(block, F32(2, 3, 6), NULL, NULL));
    MISTAKE(": " ATTENTION "valid_lens is f32 (2): must be i64",
            heed_nn_transformer_encoder_block_forward(block, x, F32(2), NULL));
    MISTAKE(": " ATTENTION "valid length 4 at (0) is outside 0 .. 3",
            heed_nn_transformer_encoder_block_forward(block, x, four, NULL));
    MISTAKE(": " ATTENTION "valid_lens is (3): must be (2) or (2, 3)",
            heed_nn_transformer_encoder_block_forward(block, x, I64(3, 3), NULL));
    heed_module_free(&block->base);
    heed_nn_gru *gru = heed_nn_gru_new(4, 8, NULL);
    heed_tensor *none = NULL, *state = F32(3, 3);
    MISTAKE(": nn_gru_forward: x is (2, 5, 6): must be (any, any, 4)",
            heed_nn_gru_forward(gru, F32(2, 5, 6), NULL, &none));
    MISTAKE(": nn_gru_forward: the state is (3, 3): must be (1, 5, 8)",
            heed_nn_gru_forward(gru, F32(2, 5, 4), NULL, &state));
    heed_module_free(&gru->base);
    heed_nn_positional_encoding *positions = heed_nn_positional_encoding_new(4, NULL);
    MISTAKE(": nn_positional_encoding_forward: x has 2000 steps: must be at most max_len, 1000",
            heed_nn_positional_encoding_forward(positions, F32(1, 2000, 4)));
    heed_module_free(&positions->base);
}
END_TEST

START_TEST(names_and_trees)
{
    heed_nn_linear *linear = heed_nn_linear_new(3, 4, NULL), *other = heed_nn_linear_new(5, 4, NULL);
    heed_module *m = &linear->base;
    MISTAKE(": module_find: linear has no parameter or buffer \"wieght\"; it has: weight, bias",
            heed_module_find(m, "wieght"));
    MISTAKE(": module_parameter: the linear already has a member \"weight\"",
            heed_module_parameter(m, "weight", F32(2)));
    MISTAKE(": module_parameter: name is \"a.b\": must not be empty or contain '.'",
            heed_module_parameter(m, "a.b", F32(2)));
    MISTAKE(": module_parameter: \"z\" is the result of a recorded op: detach it",
            heed_module_parameter(m, "z", heed_exp(LEAF(2))));
    heed_dict *state = heed_module_state(m);
    MISTAKE(
        ": module_load_state: dict_load: 1 with a different dtype or shape: weight is f32 (4, 3): must be f32 (4, 5) "
        "(.allow_unlike leaves them as they are)",
        heed_module_load_state(&other->base, state, NULL));
    heed_dict *none = heed_dict_new();
    MISTAKE(": module_load_state: dict_load: 2 missing: weight bias (.allow_missing leaves them as they are)",
            heed_module_load_state(m, none, NULL));
    MISTAKE(": dict_get: there is no \"w\" among 2 tensors: weight, bias", heed_dict_get(state, "w"));
    heed_dict_free(none);
    heed_dict_free(state);
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(linear));
    MISTAKE(": nn_sequential_new: module 0 already belongs to a sequential, as \"0\"",
            heed_nn_sequential_new(HEED_MODULES(linear)));
    MISTAKE(": module_free: this linear is the child \"0\" of a sequential, which frees it", heed_module_free(m));
    heed_module_free(&net->base);
    heed_module_free(&other->base);
}
END_TEST

START_TEST(optimizers)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_nn_function *relu = heed_nn_function_new("relu", heed_relu);
    MISTAKE(": optim_sgd: options is NULL: must set lr", heed_optim_sgd(&net->base, NULL));
    MISTAKE(": optim_sgd: lr is -1: must be finite and above 0",
            heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = -1.0}));
    MISTAKE(": optim_sgd: no parameter requires a gradient: at least one must",
            heed_optim_sgd(&relu->base, &(heed_optim_sgd_options){.lr = 0.1}));
    MISTAKE(": optim_clip_grad_norm_: max_norm is -1: must be finite and above 0",
            heed_optim_clip_grad_norm_(&net->base, -1.0, NULL));
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    MISTAKE(": schedule_new_step: step_size is 0: must be 1 or more", heed_schedule_new_step(sgd, 0, 0.1));
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    heed_module_free(&relu->base);
}
END_TEST

START_TEST(data)
{
    heed_tensor *uneven[] = {F32(4, 2), I64(2, 5)}, *even[] = {F32(4, 2), I64(2, 4)};
    MISTAKE(": dataset_new: tensor 1 has 5 samples, but tensor 0 has 4", heed_dataset_new(uneven, 2));
    heed_dataset *dataset = heed_dataset_new(even, 2), *train, *test;
    MISTAKE(": dataset_split: fraction is 80: must be in [0, 1]",
            heed_dataset_split(dataset, 80.0, NULL, &train, &test));
    MISTAKE(": loader_new: batch_size is -1: must be 0 or more",
            heed_loader_new(dataset, &(heed_loader_options){.batch_size = -1}));
    heed_dataset_free(dataset);
    MISTAKE(": plot_heatmap: matrices are (2): must be (q, k), (columns, q, k) or (rows, columns, q, k)",
            heed_plot_heatmap(F32(2), "weights.png", NULL));
    MISTAKE(": io_npy_write: cannot open the folder of /nonexistent/x.npy: No such file or directory",
            heed_io_npy_write("/nonexistent/x.npy", F32(2)));
}
END_TEST

HEED_TEST_MAIN("mistakes in training", a_gradient_of_a_different_shape, backward_without_a_graph,
               layers_of_the_wrong_size, sequences_of_the_wrong_shape, names_and_trees, optimizers, data)
