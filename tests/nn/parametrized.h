/* tests/nn/parametrized.h - layers with the numbers of tests/reference/parametrizations_reference.py.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef PARAMETRIZED_H
#define PARAMETRIZED_H

#include "check_heed.h"

/* Fills a tensor with f(start + step i). */
static inline void fill_waves(heed_tensor *t, double (*f)(double), double start, double step)
{
    double *x = heed_mutable_f64(t);
    for (int64_t i = 0; i < heed_numel(t); i++)
        x[i] = f(start + step * (double)i);
}

static inline heed_tensor *waves(heed_shape shape, double (*f)(double), double start, double step)
{
    heed_tensor *t = heed_zeros(HEED_F64, shape);
    fill_waves(t, f, start, step);
    return t;
}

static inline heed_status fill_parameter(const heed_module_visit *visit, void *count)
{
    heed_scope *scope = heed_no_grad_begin();
    fill_waves(visit->tensor, sin, ++*(int *)count, 0.7);
    heed_scope_end(scope);
    return HEED_OK;
}

static inline heed_module *new_layer(const char *layer)
{
    heed_module *m = NULL;
    if (strcmp(layer, "linear") == 0)
        m = &heed_nn_linear_new(3, 4, &(heed_nn_linear_options){.dtype = HEED_F64})->base;
    else if (strcmp(layer, "conv") == 0)
        m = &heed_nn_conv_new(2, 3, HEED_SHAPE(2, 2), &(heed_nn_conv_options){.dtype = HEED_F64})->base;
    else if (strcmp(layer, "conv_transpose") == 0)
        m = &heed_nn_conv_transpose_new(2, 3, HEED_SHAPE(2, 2), &(heed_nn_conv_transpose_options){.dtype = HEED_F64})
                 ->base;
    else if (strcmp(layer, "embedding") == 0)
        m = &heed_nn_embedding_new(4, 3, &(heed_nn_embedding_options){.dtype = HEED_F64})->base;
    else
        m = &heed_nn_rnn_new(2, 3, &(heed_nn_rnn_options){.dtype = HEED_F64})->base;
    int count = 0;
    ck_assert_int_eq(heed_module_walk(m, fill_parameter, &count), HEED_OK);
    return m;
}

static inline heed_tensor *new_input(const char *layer)
{
    if (strcmp(layer, "embedding") == 0)
        return HEED_TENSOR(HEED_I64, HEED_SHAPE(4), 1, 3, 0, 1);
    const heed_shape shape = strcmp(layer, "linear") == 0           ? HEED_SHAPE(2, 3)
                             : strcmp(layer, "conv") == 0           ? HEED_SHAPE(1, 2, 3, 3)
                             : strcmp(layer, "conv_transpose") == 0 ? HEED_SHAPE(1, 2, 2, 2)
                                                                    : HEED_SHAPE(3, 2, 2);
    return waves(shape, sin, 2.0, 1.3);
}

static inline heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    heed_tensor *state = NULL;
    return strcmp(m->type, "rnn") == 0 ? heed_nn_rnn_forward((heed_nn_rnn *)m, x, NULL, &state)
                                       : heed_module_forward(m, x);
}

static inline heed_status set_vector(const heed_module_visit *visit, void *user)
{
    (void)user;
    if (!visit->is_buffer)
        return HEED_OK;
    heed_tensor *wave = waves(heed_shape_of(visit->tensor), cos, 1.0, 1.0);
    return heed_copy_(visit->tensor, heed_div(wave, heed_norm(wave, 2.0, HEED_SHAPE(0), true)));
}

static inline heed_tensor *loss_of(heed_tensor *y)
{
    return heed_sum(heed_mul(waves(heed_shape_of(y), cos, 0.0, 1.0), heed_square(y)));
}

static inline heed_optimizer *new_optimizer(heed_module *m, bool adam)
{
    return adam ? heed_optim_adam(m, &(heed_optim_adam_options){.lr = 0.05})
                : heed_optim_sgd(m, &(heed_optim_sgd_options){.lr = 0.02, .momentum = 0.9});
}

#endif
