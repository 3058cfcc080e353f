/* heed/optim/average.h - averages of a module's parameters during training, which often perform better than the final
 * parameters.
 *
 *     heed_average *average = heed_average_new(&net->base, &(heed_average_options){.decay = 0.999});
 *     for (...) {
 *         ...
 *         heed_optimizer_step(adam);
 *         heed_average_update(average);
 *     }
 *     heed_average_swap(average);     the module has the averages
 *     evaluate(net);
 *     heed_average_swap(average);     the module has its own parameters again
 *
 * A checkpoint can store the averages; loading it sets them in place:
 *
 *     heed_dict *extra = heed_average_state(average);
 *     heed_checkpoint run = {.module = &net->base, .optimizer = adam, .extra = extra};
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_AVERAGE_H
#define HEED_OPTIM_AVERAGE_H

#include <heed/dict.h>
#include <heed/module.h>

HEED_BEGIN_DECLS

/* Averages of the parameters of a module. Freed by heed_average_free. */
typedef struct heed_average heed_average;

/* Options of heed_average_new; NULL: all 0. */
typedef struct heed_average_options {
    double decay; /* in [0, 1). 0: all updates have equal weights (SWA); above 0, such as 0.999: exponential moving
                     average (EMA) */
    bool buffers; /* also averages the buffers of dtype f32 and f64, such as running statistics */
    HEED_RESERVED;
} heed_average_options;

/* Makes an average a of every parameter p of the module; a parameter that has several names has one average. The
 * averages begin as copies of p, and call n = 1, 2, ... of heed_average_update computes
 *
 *     a = p                            n = 1
 *     a = a + (p - a) / n              with equal weights
 *     a = a + (1 - decay) (p - a)      with decay
 *
 * in the dtype of p. The object retains the parameters, not the module. Without the option `buffers` the module keeps
 * its own buffers. With averages of equal weights, running statistics then do not fit the averages: compute them again
 * by running the data once through the module in training mode with the averages swapped in.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL module, a decay out of its range, and a module without tensors to average;
 * HEED_ERR_UNSUPPORTED for a non-contiguous parameter; HEED_ERR_NOMEM.
 * Reference: P. Izmailov et al.: Averaging Weights Leads to Wider Optima and Better Generalization (UAI 2018).
 * torch: torch.optim.swa_utils.AveragedModel */
HEED_API HEED_NODISCARD heed_average *heed_average_new(heed_module *module, const heed_average_options *options);

/* Adds the current parameters to their averages. Call it after every heed_optimizer_step, or after every epoch. After a
 * failure the averages are unchanged.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE while averages and parameters are swapped, and after 2^63 - 1
 * updates.
 * torch: torch.optim.swa_utils.AveragedModel.update_parameters */
HEED_API heed_status heed_average_update(heed_average *average);

/* Exchanges the values of the parameters and of their averages, in place. Call it once to evaluate with the averages,
 * or to save the module with them, and once more to continue. A step of the optimizer in between would train the
 * averages. After a failure all values are unchanged.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM. */
HEED_API heed_status heed_average_swap(heed_average *average);

/* Returns a dict of the averages. It contains the tensors themselves: later updates change them, and heed_dict_load and
 * heed_checkpoint_load write into them. "n_averaged", an i64 scalar, is the number of updates; "module." followed by a
 * path is the average of a parameter, under the first of its names. The caller frees the dict.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE while averages and parameters are swapped; HEED_ERR_NOMEM.
 * torch: torch.optim.swa_utils.AveragedModel.state_dict */
HEED_API HEED_NODISCARD heed_dict *heed_average_state(const heed_average *average);

/* Frees the averages. The module keeps its current values, swapped or not. NULL is ignored. */
HEED_API void heed_average_free(heed_average *average);

HEED_END_DECLS

#endif
