/* heed/optim/clipping.h - clipping of gradients. */
#ifndef HEED_OPTIM_CLIPPING_H
#define HEED_OPTIM_CLIPPING_H

#include <heed/module.h>

HEED_BEGIN_DECLS

/* -- Clipping --------------------------------------------------------------------------------------------------------
 * Of the gradients of all parameters of a module, each once, or of n tensors; a parameter without a gradient does
 * not count. The clipped gradients are new tensors in the place of the old ones. HEED_ERR_ARGUMENT for NULL, and
 * for a tensor that is NULL or given twice; HEED_ERR_NOMEM. After a failure no gradient has changed. */

/* Scales the gradients of a module's parameters so that their norm is at most max_norm. They become g min(1, max_norm
 * / (norm + 1e-6)), where norm is the 2-norm of all of them together, summed in f64, which is written to *total_norm
 * unless that is NULL. Gradients whose squares overflow or underflow are scaled first. HEED_ERR_STATE if the norm is
 * not finite (it is written all the same); the message names the first parameter whose gradient is infinite or NaN.
 * HEED_ERR_ARGUMENT for a NULL module, and unless max_norm is finite and above 0; HEED_ERR_NOMEM. After a failure no
 * gradient has changed.
 * R. Pascanu, T. Mikolov, Y. Bengio: On the difficulty of training recurrent neural networks (ICML 2013).
 * torch: torch.nn.utils.clip_grad_norm_ */
HEED_API heed_status heed_optim_clip_grad_norm_(heed_module *module, double max_norm, double *total_norm);

/* heed_optim_clip_grad_norm_ of n tensors. Errors as there; HEED_ERR_ARGUMENT also for a tensor that is NULL or given
 * twice. After a failure no gradient has changed.
 * torch: torch.nn.utils.clip_grad_norm_ */
HEED_API heed_status heed_optim_clip_grad_norm_tensors_(heed_tensor *const *parameters, int n, double max_norm,
                                                        double *total_norm);

/* Limits the gradients of a module's parameters to max(-limit, min(g, limit)), elementwise; NaN stays.
 * HEED_ERR_ARGUMENT for a NULL module, and unless limit is finite and above 0; HEED_ERR_NOMEM. After a failure no
 * gradient has changed.
 * torch: torch.nn.utils.clip_grad_value_ */
HEED_API heed_status heed_optim_clip_grad_value_(heed_module *module, double limit);

/* heed_optim_clip_grad_value_ of n tensors. Errors as there; HEED_ERR_ARGUMENT also for a tensor that is NULL or given
 * twice. After a failure no gradient has changed.
 * torch: torch.nn.utils.clip_grad_value_ */
HEED_API heed_status heed_optim_clip_grad_value_tensors_(heed_tensor *const *parameters, int n, double limit);

HEED_END_DECLS

#endif
