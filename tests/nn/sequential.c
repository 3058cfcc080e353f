/* tests/nn/sequential.c - the cases of heed_nn_sequential.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static heed_nn_linear *map(int64_t in, int64_t out, heed_dtype dtype)
{
    return heed_nn_linear_new(in, out, &(heed_nn_linear_options){.dtype = dtype});
}

static int two(heed_dtype dtype, void **list)
{
    list[0] = map(4, 3, dtype);
    list[1] = heed_nn_function_new("tanh", heed_tanh);
    return 2;
}

static int nested(heed_dtype dtype, void **list)
{
    void *inner[SLOT_LIST];
    list[0] = heed_nn_dropout_new(0.25);
    list[1] = heed_nn_sequential_new(inner, two(dtype, inner));
    list[2] = map(3, 2, dtype);
    return 3;
}

static int perceptron(heed_dtype dtype, void **list)
{
    list[0] = map(50, 30, dtype);
    list[1] = heed_nn_function_new("relu", heed_relu);
    list[2] = map(30, 10, dtype);
    return 3;
}

static int with_null(heed_dtype dtype, void **list)
{
    list[0] = map(1, 1, dtype);
    list[1] = NULL;
    return 2;
}

static int with_attention(heed_dtype dtype, void **list)
{
    (void)dtype;
    list[0] = heed_nn_dot_product_attention_new(NULL);
    return 1;
}

static const layer_case cases[] = {
    {
        .name = "linear, tanh",
        .args = {ARG_MODULES(modules, two)},
        .in = {INPUT(x, 2, 4)},
    },
    {
        .name = "nested",
        .args = {ARG_MODULES(modules, nested)},
        .in = {INPUT(x, 2, 4)},
    },
    {
        .name = "nothing",
        .in = {INPUT(x, 2, 3)},
    },
    {
        .name = "50, 30, 10",
        .args = {ARG_MODULES(modules, perceptron)},
        .in = {INPUT(x, 64, 50)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "a list that is not there",
        .args = {ARG(n, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_sequential_new: modules is NULL",
    },
    {
        .name = "fewer than none",
        .args = {ARG(n, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_sequential_new: ",
    },
    {
        .name = "a module that is NULL",
        .args = {ARG_MODULES(modules, with_null)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_sequential_new: module 1",
    },
    {
        .name = "a module of several tensors",
        .args = {ARG_MODULES(modules, with_attention)},
        .status = HEED_ERR_UNSUPPORTED,
        .text = "nn_sequential_new: ",
    },
    {0},
};

const layer_cases heed_cases_nn_sequential = {cases, errors};
