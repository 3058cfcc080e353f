/* heed/optim/clipping.h - the norm and the clipping of gradients.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_CLIPPING_H
#define HEED_OPTIM_CLIPPING_H

#include <heed/module.h>

HEED_BEGIN_DECLS

/* -- Clipping ---------------------------------------------------------------------------------------------------------
 * The functions clip the gradients of the parameters of a module, or of any tensors in a heed_nn_parameter_list_new
 * (heed/nn/layers.h). A parameter that has several names counts once. Parameters without a gradient are ignored. The
 * clipped gradients are new tensors that replace the old gradients. After a failure all gradients are unchanged. */

/* Scales the gradients of a module's parameters so that their norm is at most max_norm. They become g min(1, max_norm /
 * (norm + 1e-6)), where norm is the 2-norm of all of them together, summed in f64. *total_norm, unless `total_norm` is
 * NULL, receives the norm. Gradients whose squares overflow or underflow are scaled first.
 *
 * Errors: HEED_ERR_STATE if the norm is infinite or NaN (it is still written); the message names the first parameter
 * with such a gradient; HEED_ERR_ARGUMENT for a NULL module, and unless max_norm is finite and above 0; HEED_ERR_NOMEM.
 * After a failure all gradients are unchanged.
 * Reference: R. Pascanu, T. Mikolov, Y. Bengio: On the difficulty of training recurrent neural networks (ICML 2013).
 * torch: torch.nn.utils.clip_grad_norm_ */
HEED_API heed_status heed_optim_clip_grad_norm_(heed_module *module, double max_norm, double *total_norm);

/* Returns the 2-norm of the gradients of a module's parameters, all of them together, which do not change. It is the
 * norm of heed_optim_clip_grad_norm_, and may be infinite or NaN. It is 0 without gradients. Returns NaN on failure.
 *
 * Errors: HEED_ERR_ARGUMENT for a NULL module; HEED_ERR_NOMEM.
 * torch: torch.nn.utils.get_total_norm */
HEED_API double heed_optim_grad_norm(heed_module *module);

/* Limits the gradients of a module's parameters to max(-limit, min(g, limit)), elementwise; NaN stays NaN.
 *
 * Errors: HEED_ERR_ARGUMENT for a NULL module, and unless limit is finite and above 0; HEED_ERR_NOMEM. After a failure
 * all gradients are unchanged.
 * torch: torch.nn.utils.clip_grad_value_ */
HEED_API heed_status heed_optim_clip_grad_value_(heed_module *module, double limit);

HEED_END_DECLS

#endif
