/* tests/optimizer_of.h - optimizers, groups and clipping of tensors that belong to no module: sgd_of(&w, 1, &options),
 * sgd_add(sgd, &b, 1, &options), clip_norm_of(&w, 1, 1.0, &norm). Every function makes a list of parameters, calls the
 * library's function of the same name, and frees the list, whose tensors the optimizer retains.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPTIMIZER_OF_H
#define HEED_TESTS_OPTIMIZER_OF_H

#include <heed/heed.h>

#define OPTIMIZER_OF(rule, options_type)                                                                               \
    static inline heed_optimizer *rule##_of(heed_tensor *const *tensors, int n, const options_type *options)           \
    {                                                                                                                  \
        heed_module *list = heed_nn_parameter_list_new(tensors, n);                                                    \
        heed_optimizer *o = heed_optim_##rule(list, options);                                                          \
        (void)heed_module_free(list);                                                                                  \
        return o;                                                                                                      \
    }

#define GROUP_OF(rule, options_type)                                                                                   \
    static inline heed_status rule##_add(heed_optimizer *o, heed_tensor *const *tensors, int n,                        \
                                         const options_type *options)                                                  \
    {                                                                                                                  \
        heed_module *list = heed_nn_parameter_list_new(tensors, n);                                                    \
        heed_status status = heed_optim_##rule##_add_group(o, list, options);                                          \
        (void)heed_module_free(list);                                                                                  \
        return status;                                                                                                 \
    }

OPTIMIZER_OF(sgd, heed_optim_sgd_options)
OPTIMIZER_OF(adam, heed_optim_adam_options)
OPTIMIZER_OF(adamw, heed_optim_adam_options)
OPTIMIZER_OF(rmsprop, heed_optim_rmsprop_options)
OPTIMIZER_OF(adagrad, heed_optim_adagrad_options)
OPTIMIZER_OF(lion, heed_optim_lion_options)
OPTIMIZER_OF(muon, heed_optim_muon_options)
OPTIMIZER_OF(lbfgs, heed_optim_lbfgs_options)
GROUP_OF(sgd, heed_optim_sgd_options)
GROUP_OF(adam, heed_optim_adam_options)
GROUP_OF(adamw, heed_optim_adam_options)
GROUP_OF(rmsprop, heed_optim_rmsprop_options)
GROUP_OF(adagrad, heed_optim_adagrad_options)
GROUP_OF(lion, heed_optim_lion_options)
GROUP_OF(muon, heed_optim_muon_options)

static inline heed_status clip_norm_of(heed_tensor *const *tensors, int n, double max_norm, double *norm)
{
    heed_module *list = heed_nn_parameter_list_new(tensors, n);
    heed_status status = heed_optim_clip_grad_norm_(list, max_norm, norm);
    (void)heed_module_free(list);
    return status;
}

static inline heed_status clip_value_of(heed_tensor *const *tensors, int n, double limit)
{
    heed_module *list = heed_nn_parameter_list_new(tensors, n);
    heed_status status = heed_optim_clip_grad_value_(list, limit);
    (void)heed_module_free(list);
    return status;
}

#endif
