/* heed/optim/average.h - averages of what a module was while it was trained, which often do better than its end.
 *
 *     heed_average *average = heed_average_new(&net->base, &(heed_average_options){.decay = 0.999});
 *     for (...) {
 *         ...
 *         heed_optimizer_step(adam);
 *         heed_average_update(average);
 *     }
 *     heed_average_swap(average);     the module has the averages
 *     evaluate(net);
 *     heed_average_swap(average);     and what it is trained with
 *
 * A checkpoint stores them, and loading sets them in place:
 *
 *     heed_dict *extra = heed_average_state(average);
 *     heed_checkpoint run = {.module = &net->base, .optimizer = adam, .extra = extra};
 */
#ifndef HEED_OPTIM_AVERAGE_H
#define HEED_OPTIM_AVERAGE_H

#include <heed/dict.h>
#include <heed/module.h>

HEED_BEGIN_DECLS

/* An average of each parameter of a module. Freed by heed_average_free. */
typedef struct heed_average heed_average;

/* What heed_average_new is told; NULL: all of them 0. */
typedef struct heed_average_options {
    double decay; /* in [0, 1); 0: equal weights, SWA. Above: an exponential moving average, EMA, such as 0.999 */
    bool buffers; /* average the buffers of dtype f32 and f64 too, such as running statistics */
    HEED_RESERVED;
} heed_average_options;

/* Averages a of the parameters p that the module has at the time, each once, under however many names. They begin as
 * copies of p, and heed_average_update n = 1, 2, ... does
 *
 *     a = p                            n = 1
 *     a = a + (p - a) / n              with equal weights
 *     a = a + (1 - decay) (p - a)      with decay
 *
 * in p's own dtype. Retains the parameters, not the module. Without `buffers` the module's own stay in force; after
 * averages of equal weights they may have to be found again, by running the data once with these swapped in. NULL on
 * failure: HEED_ERR_ARGUMENT for a NULL module, a decay out of its range, and nothing to average; HEED_ERR_UNSUPPORTED
 * for a parameter that is not contiguous; HEED_ERR_NOMEM.
 * P. Izmailov et al.: Averaging Weights Leads to Wider Optima and Better Generalization (UAI 2018).
 * torch: torch.optim.swa_utils.AveragedModel */
HEED_API HEED_NODISCARD heed_average *heed_average_new(heed_module *module, const heed_average_options *options);

/* Takes the parameters as they are into their averages: after each heed_optimizer_step, or each epoch.
 * HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE while they are swapped, and after 2^63 - 1 updates. After a failure all is
 * as it was.
 * torch: torch.optim.swa_utils.AveragedModel.update_parameters */
HEED_API heed_status heed_average_update(heed_average *average);

/* Exchanges the values of the parameters and of their averages, in place: once to evaluate by the averages, or to save
 * the module with them, and once more to go on. A step of the optimizer in between would train the averages.
 * HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM. After a failure all is as it was. */
HEED_API heed_status heed_average_swap(heed_average *average);

/* The averages: a dict of the tensors themselves, which later updates change, and heed_dict_load and
 * heed_checkpoint_load set. "n_averaged" is the number of updates, i64 (); "module." and its path is the average of a
 * parameter, under the first of its names. The caller frees the dict. NULL with HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_STATE while they are swapped, HEED_ERR_NOMEM.
 * torch: torch.optim.swa_utils.AveragedModel.state_dict */
HEED_API HEED_NODISCARD heed_dict *heed_average_state(const heed_average *average);

/* Frees the averages; the module stays as it is, swapped or not. NULL is ignored. */
HEED_API void heed_average_free(heed_average *average);

HEED_END_DECLS

#endif
