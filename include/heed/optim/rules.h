/* heed/optim/rules.h - the optimizers. Every optimizer is a rule by which a gradient changes its parameter.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_RULES_H
#define HEED_OPTIM_RULES_H

#include <heed/optim/base.h>

HEED_BEGIN_DECLS

/* -- Optimizers -------------------------------------------------------------------------------------------------------
 * heed_optim_NAME(module, options) makes an optimizer for the parameters of a module that require a gradient at the
 * time of the call. A parameter registered under several names counts once; parameters frozen by
 * heed_set_requires_grad(p, false) are left out. The optimizer retains its parameters, so the module may be freed
 * first. heed_nn_parameter_list_new (heed/nn/layers.h) makes a module of any tensors, for optimizers without a model or
 * for some parameters of a model. A parameter is updated in its own dtype, by the operations of PyTorch's optimizer in
 * the same order.
 *
 * In this file, p is a parameter, g its gradient, and lr the current learning rate. */

/* Options of the heed_optim_sgd functions; b is the momentum buffer. */
typedef struct heed_optim_sgd_options {
    double lr;           /* above 0; required */
    double momentum;     /* 0 or more; 0: none */
    double dampening;    /* 0 or more; not used in the first update, when b = g */
    double weight_decay; /* 0: none */
    bool nesterov;       /* requires momentum > 0 and dampening 0 */
    bool maximize;       /* maximises the loss instead of minimising it */
    HEED_RESERVED;
} heed_optim_sgd_options;

/* Makes an optimizer for stochastic gradient descent by PyTorch's rule. The momentum buffer b is first equal to g:
 *
 *     g = maximize ? -grad : grad
 *     g = g + weight_decay p
 *     b = momentum b + (1 - dampening) g         when momentum is not 0
 *     g = nesterov ? g + momentum b : b
 *     p = p - lr g
 *
 * It updates the parameters of the module that require a gradient. The options are required, because lr has no default.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, NULL options, or a module without parameters
 * that require a gradient; HEED_ERR_NOMEM.
 * torch: torch.optim.SGD */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_sgd(heed_module *module, const heed_optim_sgd_options *options);

/* Options of the heed_optim_adam and heed_optim_adamw functions; NULL: all 0. */
typedef struct heed_optim_adam_options {
    double lr;           /* 0 or more; 0: 1e-3 */
    double beta1, beta2; /* in [0, 1); 0: 0.9 and 0.999 */
    bool no_momentum;    /* means beta1 = 0: m is the last gradient, as in RMSprop */
    double eps;          /* 0: 1e-8; at least the smallest normal number of the parameter's dtype */
    double weight_decay; /* 0 or more; 0: none */
    bool amsgrad;        /* uses the largest v so far instead of v */
    bool maximize;       /* maximises the loss instead of minimising it */
    HEED_RESERVED;
} heed_optim_adam_options;

/* Makes an Adam optimizer by PyTorch's rule. m and v start at 0, and t counts the updates of a parameter from 1:
 *
 *     g = maximize ? -grad : grad
 *     g = g + weight_decay p
 *     m = beta1 m + (1 - beta1) g
 *     v = beta2 v + (1 - beta2) g^2              with amsgrad, the largest v so far replaces v in p's update
 *     p = p - lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps)
 *
 * It updates the parameters of the module that require a gradient. NULL options: lr 1e-3, betas 0.9 and 0.999, eps
 * 1e-8.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
 * a gradient; HEED_ERR_NOMEM.
 * Reference: D. P. Kingma, J. Ba: Adam: A Method for Stochastic Optimization (ICLR 2015).
 * torch: torch.optim.Adam */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_adam(heed_module *module, const heed_optim_adam_options *options);

/* Makes an AdamW optimizer: Adam with weight decay apart from the gradient. The decay is p = p - lr weight_decay p
 * before the update, and is not in g. (PyTorch's default decay is 0.01; the default here is 0.) Parameters and NULL
 * options are as in heed_optim_adam.
 *
 * Errors: as heed_optim_adam.
 * Reference: I. Loshchilov, F. Hutter: Decoupled Weight Decay Regularization (ICLR 2019).
 * torch: torch.optim.AdamW */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_adamw(heed_module *module, const heed_optim_adam_options *options);

/* Options of the heed_optim_rmsprop functions; NULL: all 0. */
typedef struct heed_optim_rmsprop_options {
    double lr;           /* 0 or more; 0: 1e-2 */
    double alpha;        /* weight of the old average of squares in every update, in [0, 1); 0: 0.99 */
    double eps;          /* 0: 1e-8 */
    double weight_decay; /* 0 or more; 0: none */
    double momentum;     /* 0 or more; 0: none */
    bool centered;       /* divides by the root of the gradient's variance, not of its mean square */
    bool maximize;       /* maximises the loss instead of minimising it */
    HEED_RESERVED;
} heed_optim_rmsprop_options;

/* Makes an RMSprop optimizer by PyTorch's rule. The averages v and a and the momentum buffer b start at 0:
 *
 *     g = maximize ? -grad : grad
 *     g = g + weight_decay p
 *     v = alpha v + (1 - alpha) g^2
 *     a = alpha a + (1 - alpha) g                when centered: s = max(v - a^2, 0); else s = v
 *     b = momentum b + g / (sqrt(s) + eps)       without momentum, b = g / (sqrt(s) + eps)
 *     p = p - lr b
 *
 * It updates the parameters of the module that require a gradient. (In PyTorch s may be negative by rounding, which
 * makes p NaN.)
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
 * a gradient; HEED_ERR_NOMEM.
 * Reference: T. Tieleman, G. Hinton: Lecture 6.5, Neural Networks for Machine Learning (2012); centered: A. Graves:
 * Generating Sequences With Recurrent Neural Networks (2013).
 * torch: torch.optim.RMSprop */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_rmsprop(heed_module *module,
                                                           const heed_optim_rmsprop_options *options);

/* Options of the heed_optim_adagrad functions; NULL: all 0. */
typedef struct heed_optim_adagrad_options {
    double lr;                        /* 0 or more; 0: 1e-2 */
    double lr_decay;                  /* 0 or more; 0: none */
    double weight_decay;              /* 0 or more; 0: none */
    double initial_accumulator_value; /* the initial sum of squares, 0 or more */
    double eps;                       /* 0: 1e-10 */
    bool maximize;                    /* maximises the loss instead of minimising it */
    HEED_RESERVED;
} heed_optim_adagrad_options;

/* Makes an Adagrad optimizer by PyTorch's rule. s starts at initial_accumulator_value, and t counts the updates of a
 * parameter from 1:
 *
 *     g = maximize ? -grad : grad
 *     g = g + weight_decay p
 *     s = s + g^2
 *     p = p - lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps)
 *
 * It updates the parameters of the module that require a gradient.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
 * a gradient; HEED_ERR_NOMEM.
 * Reference: J. Duchi, E. Hazan, Y. Singer: Adaptive Subgradient Methods for Online Learning and Stochastic
 * Optimization (JMLR 2011).
 * torch: torch.optim.Adagrad */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_adagrad(heed_module *module,
                                                           const heed_optim_adagrad_options *options);

/* Options of the heed_optim_lion functions; NULL: all 0. */
typedef struct heed_optim_lion_options {
    double lr;           /* 0 or more; 0: 1e-4. Use a third to a tenth of AdamW's rate */
    double beta1, beta2; /* in [0, 1); 0: 0.9 and 0.99 */
    double weight_decay; /* 0 or more; 0: none. Use three to ten times AdamW's decay */
    bool maximize;       /* maximises the loss instead of minimising it */
    HEED_RESERVED;
} heed_optim_lion_options;

/* Makes a Lion optimizer: every element moves by lr in the direction of an average of its gradients. m starts at 0:
 *
 *     g = maximize ? -grad : grad
 *     p = p - lr (sign(beta1 m + (1 - beta1) g) + weight_decay p)
 *     m = beta2 m + (1 - beta2) g
 *
 * It updates the parameters of the module that require a gradient.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
 * a gradient; HEED_ERR_NOMEM.
 * Reference: X. Chen et al.: Symbolic Discovery of Optimization Algorithms (NeurIPS 2023). */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_lion(heed_module *module, const heed_optim_lion_options *options);

/* Options of the heed_optim_muon functions; NULL: all 0. */
typedef struct heed_optim_muon_options {
    double lr;           /* 0 or more; 0: 0.02 */
    double momentum;     /* in [0, 1); 0: 0.95 */
    double weight_decay; /* 0 or more; 0: none */
    int steps;           /* number of iterations of X, at most 100; 0: 5 */
    bool no_nesterov;    /* uses O = b, without Nesterov's look-ahead */
    bool maximize;       /* maximises the loss instead of minimising it */
    HEED_RESERVED;
} heed_optim_muon_options;

/* Makes a Muon optimizer for matrices: momentum with all singular values brought near 1. The momentum buffer b starts
 * at 0:
 *
 *     g = maximize ? -grad : grad
 *     b = b + (1 - momentum) (g - b)
 *     O = g + momentum (b - g)                       Nesterov's
 *     X = O / (|O| + 1e-7)                           |O| is the 2-norm of all elements
 *     X = a X + (b A + c A A) X,  A = X X^T          `steps` times, with 3.4445, -4.7750 and 2.0315 for a, b and c
 *     p = p - lr (sqrt(max(1, rows / columns)) X + weight_decay p)
 *
 * It updates the parameters of the module that require a gradient. The iteration is computed in the dtype of the
 * parameter; the authors' implementation uses bfloat16. As the authors recommend, train biases, gains, embeddings and
 * the last layer with AdamW. Only matrices are accepted: for a module with biases, make a heed_nn_parameter_list_new of
 * the matrices, and a second optimizer for the rest. The option sharded_state of heed/data_parallel.h is not supported.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, or a module without parameters that require
 * a gradient; HEED_ERR_SHAPE for a parameter that is not a matrix; HEED_ERR_NOMEM.
 * Reference: K. Jordan et al.: Muon: An optimizer for hidden layers in neural networks (2024). */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_muon(heed_module *module, const heed_optim_muon_options *options);

/* Options of the heed_optim_lbfgs functions; NULL: all 0. */
typedef struct heed_optim_lbfgs_options {
    double lr;               /* the first trial of the step length t, 0 or more; 0: 1 */
    int max_iter;            /* iterations per heed_optimizer_step_closure, at most 10^9; 0: 20 */
    int max_eval;            /* the call ends after this number of evaluations, at most 10^9; 0: 5/4 max_iter */
    double tolerance_grad;   /* the call ends if no element of the gradient is larger than this; 0: 1e-7 */
    double tolerance_change; /* the call ends if loss and parameters change by at most this; 0: 1e-9 */
    int history_size;        /* the number of stored changes, at most 10,000; 0: 100 */
    bool no_line_search;     /* the step length t is always lr, as in PyTorch with line_search_fn=None */
    HEED_RESERVED;
} heed_optim_lbfgs_options;

/* Makes an L-BFGS optimizer by PyTorch's rule, with a line search for the strong Wolfe conditions. The loss must be the
 * same function at every evaluation, such as the loss of all data at once. heed_optimizer_step_closure does up to
 * max_iter iterations of
 *
 *     p = p + t d,  d = -H g
 *
 * where H approximates the inverse of the matrix of second derivatives, from the changes of the last history_size
 * iterations. The first trial of t is lr, except in the very first iteration, where it is lr min(1, 1 / sum |g|). All
 * computation is in f64, whatever the dtype of the parameters. Additional groups and teams (heed/data_parallel.h) are
 * not supported. Parameters are as in heed_optim_adam.
 *
 * Errors: as heed_optim_adam.
 * Reference: D. C. Liu, J. Nocedal: On the limited memory BFGS method for large scale optimization (Math. Programming
 * 1989).
 * torch: torch.optim.LBFGS */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_lbfgs(heed_module *module, const heed_optim_lbfgs_options *options);

/* -- Groups with their own options ------------------------------------------------------------------------------------
 * heed_optim_NAME_add_group(optimizer, module, options) adds the parameters of a module that require a gradient to an
 * optimizer of the same name, as a group with its own options: a submodule with its own learning rate, or, by
 * heed_nn_parameter_list_new, biases without weight decay. */

/* Adds a module's parameters to an optimizer of heed_optim_sgd as a group with its own options. NULL options are an
 * error here too. After a failure the optimizer is unchanged.
 *
 * Errors: as heed_optim_sgd; HEED_ERR_ARGUMENT also for a parameter in a group already, and for an optimizer of a
 * different kind; HEED_ERR_STATE in the optimizer's closure, and for an optimizer whose state a team has spread over
 * processes.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_sgd_add_group(heed_optimizer *optimizer, heed_module *module,
                                              const heed_optim_sgd_options *options);

/* Adds a module's parameters to an optimizer of heed_optim_adam as a group with its own options. After a failure the
 * optimizer is unchanged.
 *
 * Errors: as heed_optim_sgd_add_group; an optimizer of heed_optim_adamw is of a different kind.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_adam_add_group(heed_optimizer *optimizer, heed_module *module,
                                               const heed_optim_adam_options *options);

/* Adds a module's parameters to an optimizer of heed_optim_adamw as a group with its own options, for example biases
 * without weight decay. After a failure the optimizer is unchanged.
 *
 * Errors: as heed_optim_sgd_add_group; an optimizer of heed_optim_adam is of a different kind.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_adamw_add_group(heed_optimizer *optimizer, heed_module *module,
                                                const heed_optim_adam_options *options);

/* Adds a module's parameters to an optimizer of heed_optim_rmsprop as a group with its own options. After a failure the
 * optimizer is unchanged.
 *
 * Errors: as heed_optim_sgd_add_group.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_rmsprop_add_group(heed_optimizer *optimizer, heed_module *module,
                                                  const heed_optim_rmsprop_options *options);

/* Adds a module's parameters to an optimizer of heed_optim_adagrad as a group with its own options. After a failure the
 * optimizer is unchanged.
 *
 * Errors: as heed_optim_sgd_add_group.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_adagrad_add_group(heed_optimizer *optimizer, heed_module *module,
                                                  const heed_optim_adagrad_options *options);

/* Adds a module's parameters to an optimizer of heed_optim_lion as a group with its own options. After a failure the
 * optimizer is unchanged.
 *
 * Errors: as heed_optim_sgd_add_group.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_lion_add_group(heed_optimizer *optimizer, heed_module *module,
                                               const heed_optim_lion_options *options);

/* Adds a module's parameters to an optimizer of heed_optim_muon as a group with its own options. After a failure the
 * optimizer is unchanged.
 *
 * Errors: as heed_optim_sgd_add_group; HEED_ERR_SHAPE for a parameter that is not a matrix.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_muon_add_group(heed_optimizer *optimizer, heed_module *module,
                                               const heed_optim_muon_options *options);

HEED_END_DECLS

#endif
