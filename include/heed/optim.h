/* heed/optim.h - optimizers.
 *
 *     heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_sgd_options){.lr = 0.5});
 *     heed_optimizer_zero_grad(sgd);
 *     heed_backward(loss);
 *     heed_optimizer_step(sgd);
 */
#ifndef HEED_OPTIM_H
#define HEED_OPTIM_H

#include <heed/nn.h>

HEED_BEGIN_DECLS

typedef struct heed_optimizer heed_optimizer;

/* One update of every parameter that has a gradient, in one pass over each. A parameter without one is left alone.
 * After a failure (HEED_ERR_NOMEM) every parameter is as it was. */
HEED_API heed_status heed_optimizer_step(heed_optimizer *optimizer);

/* Drops the gradients of the optimizer's parameters. */
HEED_API heed_status heed_optimizer_zero_grad(heed_optimizer *optimizer);

/* The learning rate; setting takes 0 and above, HEED_ERR_ARGUMENT for others. NaN when optimizer is NULL. */
HEED_API double heed_optimizer_lr(const heed_optimizer *optimizer);
HEED_API heed_status heed_optimizer_set_lr(heed_optimizer *optimizer, double lr);

/* Frees the optimizer and its state; not the parameters. NULL is ignored. */
HEED_API void heed_optimizer_free(heed_optimizer *optimizer);

/* Stochastic gradient descent, PyTorch's rule (torch.optim.SGD); b is the momentum buffer, first equal to g:
 *
 *     g = maximize ? -grad : grad
 *     g = g + weight_decay p
 *     b = momentum b + (1 - dampening) g         when momentum is not 0
 *     g = nesterov ? g + momentum b : b
 *     p = p - lr g
 */
typedef struct heed_sgd_options {
    double lr; /* above 0 */
    double momentum;
    double dampening;
    double weight_decay;
    bool nesterov; /* wants momentum > 0 and dampening 0 */
    bool maximize;
} heed_sgd_options;

/* Of all parameters of a module (each once, under however many names), or of n tensors, which are retained. NULL with
 * HEED_ERR_ARGUMENT when options is NULL, a number is negative or not finite, lr is 0, there are no parameters, or a
 * tensor is given twice; HEED_ERR_STATE for a tensor that is no leaf requiring a gradient; HEED_ERR_UNSUPPORTED for one
 * that is not contiguous. */
HEED_API heed_optimizer *heed_optim_sgd(heed_module *module, const heed_sgd_options *options);
HEED_API heed_optimizer *heed_optim_sgd_tensors(heed_tensor *const *parameters, int n, const heed_sgd_options *options);

HEED_END_DECLS

#endif
