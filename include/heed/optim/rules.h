/* heed/optim/rules.h - the optimizers: each a rule by which a gradient changes its parameter. */
#ifndef HEED_OPTIM_RULES_H
#define HEED_OPTIM_RULES_H

#include <heed/optim/base.h>

HEED_BEGIN_DECLS

/* -- Optimizers -----------------------------------------------------------------------------------------------------
 * Each is made in three ways. heed_optim_NAME(module, options) takes the parameters of a module that require a
 * gradient at the time, each once, under however many names it is registered: those frozen by
 * heed_set_requires_grad(p, false) are left out. heed_optim_NAME_tensors(parameters, n, options) takes n tensors.
 * heed_optim_NAME_add_group(optimizer, parameters, n, options) adds n tensors to an optimizer as a group with options
 * of its own. All are retained.
 *     HEED_ERR_ARGUMENT       an option out of its range; no parameter; one that is NULL, given twice, or in a group
 *                             already; an optimizer of another kind
 *     HEED_ERR_STATE          a tensor that is not a leaf, or does not require a gradient
 *     HEED_ERR_UNSUPPORTED    a tensor that is not contiguous
 *     HEED_ERR_NOMEM
 * After a failure of add_group the optimizer is as it was. A parameter is updated in its own dtype, by the
 * operations of PyTorch's optimizer in their order.
 *
 * Below, p is a parameter, g its gradient, lr the learning rate in force. */

/* What the functions of heed_optim_sgd are told; b is the momentum buffer. */
typedef struct heed_optim_sgd_options {
    double lr;           /* above 0: there is no default */
    double momentum;     /* 0 or more, as the two below */
    double dampening;    /* not in the first update, where b = g */
    double weight_decay; /* 0: none */
    bool nesterov;       /* only with momentum > 0 and dampening 0 */
    bool maximize;       /* up the gradient instead of down */
    HEED_RESERVED;
} heed_optim_sgd_options;

/* Stochastic gradient descent by PyTorch's rule. b is the momentum buffer, first equal to g:
 *
 *     g = maximize ? -grad : grad
 *     g = g + weight_decay p
 *     b = momentum b + (1 - dampening) g         when momentum is not 0
 *     g = nesterov ? g + momentum b : b
 *     p = p - lr g
 *
 * of those parameters of the module that require a gradient. NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an
 * option out of its range, no such parameter, and NULL options: there is no default rate; HEED_ERR_STATE for one that
 * is not a leaf, HEED_ERR_UNSUPPORTED for one that is not contiguous, HEED_ERR_NOMEM.
 * torch: torch.optim.SGD */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_sgd(heed_module *module, const heed_optim_sgd_options *options);

/* heed_optim_sgd of n tensors. NULL on failure: HEED_ERR_ARGUMENT for NULL, NULL options, an option out of its range,
 * n = 0, a tensor given twice; HEED_ERR_STATE for one that is not a leaf that requires a gradient,
 * HEED_ERR_UNSUPPORTED for one that is not contiguous, HEED_ERR_NOMEM.
 * torch: torch.optim.SGD */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_sgd_tensors(heed_tensor *const *parameters, int n,
                                                               const heed_optim_sgd_options *options);

/* Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_sgd or
 * heed_optim_sgd_tensors. NULL options are refused here, too. Errors as heed_optim_sgd_tensors; HEED_ERR_ARGUMENT also
 * for a tensor that is in a group already, and an optimizer of another kind. After a failure the optimizer is as it
 * was.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_sgd_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                              const heed_optim_sgd_options *options);

/* What the functions of heed_optim_adam and heed_optim_adamw are told; NULL: all of them 0. */
typedef struct heed_optim_adam_options {
    double lr;           /* 0 or more; 0: 1e-3 */
    double beta1, beta2; /* in [0, 1); 0: 0.9 and 0.999 */
    bool no_momentum;    /* beta1 = 0: m is the last gradient, as in RMSprop */
    double eps;          /* 0: 1e-8; at least the smallest normal number of the parameter's dtype */
    double weight_decay; /* 0 or more; 0: none */
    bool amsgrad;        /* the largest v so far, in the place of v */
    bool maximize;       /* up the gradient instead of down */
    HEED_RESERVED;
} heed_optim_adam_options;

/* Adam by PyTorch's rule. m and v start at 0, t counts a parameter's updates from 1:
 *
 *     g = maximize ? -grad : grad
 *     g = g + weight_decay p
 *     m = beta1 m + (1 - beta1) g
 *     v = beta2 v + (1 - beta2) g^2              with amsgrad its largest value so far is used from here on
 *     p = p - lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps)
 *
 * of those parameters of the module that require a gradient. NULL options: lr 1e-3, betas 0.9 and 0.999, eps 1e-8.
 * NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an option out of its range, no such parameter; HEED_ERR_STATE
 * for one that is not a leaf, HEED_ERR_UNSUPPORTED for one that is not contiguous, HEED_ERR_NOMEM.
 * D. P. Kingma, J. Ba: Adam: A Method for Stochastic Optimization (ICLR 2015).
 * torch: torch.optim.Adam */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_adam(heed_module *module, const heed_optim_adam_options *options);

/* heed_optim_adam of n tensors. NULL on failure: HEED_ERR_ARGUMENT for NULL, an option out of its range, n = 0, a
 * tensor given twice; HEED_ERR_STATE for one that is not a leaf that requires a gradient, HEED_ERR_UNSUPPORTED for one
 * that is not contiguous, HEED_ERR_NOMEM.
 * torch: torch.optim.Adam */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_adam_tensors(heed_tensor *const *parameters, int n,
                                                                const heed_optim_adam_options *options);

/* Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_adam or
 * heed_optim_adam_tensors. Errors as heed_optim_adam_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a group
 * already, and an optimizer of another kind, AdamW too. After a failure the optimizer is as it was.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_adam_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                               const heed_optim_adam_options *options);

/* AdamW: Adam with weight decay apart from the gradient. It is p = p - lr weight_decay p before the update, and not in
 * g. (PyTorch decays by 0.01 unless told otherwise; here nothing is decayed that you did not write.)
 * Parameters, NULL options and errors as heed_optim_adam.
 * I. Loshchilov, F. Hutter: Decoupled Weight Decay Regularization (ICLR 2019).
 * torch: torch.optim.AdamW */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_adamw(heed_module *module, const heed_optim_adam_options *options);

/* heed_optim_adamw of n tensors. NULL on failure, with the errors of heed_optim_adam_tensors.
 * torch: torch.optim.AdamW */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_adamw_tensors(heed_tensor *const *parameters, int n,
                                                                 const heed_optim_adam_options *options);

/* Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of
 * heed_optim_adamw or heed_optim_adamw_tensors. So weights may decay beside biases that do not. Errors as
 * heed_optim_adam_add_group. After a failure the optimizer is as it was.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_adamw_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                                const heed_optim_adam_options *options);

/* What the functions of heed_optim_rmsprop are told; NULL: all of them 0. */
typedef struct heed_optim_rmsprop_options {
    double lr;           /* 0 or more; 0: 1e-2 */
    double alpha;        /* how slowly the average of squares moves, in [0, 1); 0: 0.99 */
    double eps;          /* 0: 1e-8 */
    double weight_decay; /* 0 or more; 0: none */
    double momentum;     /* 0 or more; 0: none */
    bool centered;       /* by the variance of the gradient, not by the average of its square */
    bool maximize;       /* up the gradient instead of down */
    HEED_RESERVED;
} heed_optim_rmsprop_options;

/* RMSprop by PyTorch's rule. The averages v and a and the momentum buffer b start at 0:
 *
 *     g = maximize ? -grad : grad
 *     g = g + weight_decay p
 *     v = alpha v + (1 - alpha) g^2
 *     a = alpha a + (1 - alpha) g                when centered: s = max(v - a^2, 0); else s = v
 *     b = momentum b + g / (sqrt(s) + eps)       without momentum b is the new term alone
 *     p = p - lr b
 *
 * of those parameters of the module that require a gradient. NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an
 * option out of its range, no such parameter; HEED_ERR_STATE for one that is not a leaf, HEED_ERR_UNSUPPORTED for one
 * that is not contiguous, HEED_ERR_NOMEM.
 * (In PyTorch s may be below 0 by rounding, which makes p NaN.)
 * T. Tieleman, G. Hinton: Lecture 6.5, Neural Networks for Machine Learning (2012); centered: A. Graves: Generating
 * Sequences With Recurrent Neural Networks (2013).
 * torch: torch.optim.RMSprop */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_rmsprop(heed_module *module,
                                                           const heed_optim_rmsprop_options *options);

/* heed_optim_rmsprop of n tensors. NULL on failure: HEED_ERR_ARGUMENT for NULL, an option out of its range, n = 0, a
 * tensor given twice; HEED_ERR_STATE for one that is not a leaf that requires a gradient, HEED_ERR_UNSUPPORTED for one
 * that is not contiguous, HEED_ERR_NOMEM.
 * torch: torch.optim.RMSprop */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_rmsprop_tensors(heed_tensor *const *parameters, int n,
                                                                   const heed_optim_rmsprop_options *options);

/* Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_rmsprop or
 * heed_optim_rmsprop_tensors. Errors as heed_optim_rmsprop_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a
 * group already, and an optimizer of another kind. After a failure the optimizer is as it was.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_rmsprop_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                                  const heed_optim_rmsprop_options *options);

/* What the functions of heed_optim_adagrad are told; NULL: all of them 0. */
typedef struct heed_optim_adagrad_options {
    double lr;                        /* 0 or more; 0: 1e-2 */
    double lr_decay;                  /* 0 or more; 0: none */
    double weight_decay;              /* 0 or more; 0: none */
    double initial_accumulator_value; /* what the sum of squares starts at, 0 or more */
    double eps;                       /* 0: 1e-10 */
    bool maximize;                    /* up the gradient instead of down */
    HEED_RESERVED;
} heed_optim_adagrad_options;

/* Adagrad by PyTorch's rule. s starts at initial_accumulator_value, t counts a parameter's updates from 1:
 *
 *     g = maximize ? -grad : grad
 *     g = g + weight_decay p
 *     s = s + g^2
 *     p = p - lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps)
 *
 * of those parameters of the module that require a gradient. NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an
 * option out of its range, no such parameter; HEED_ERR_STATE for one that is not a leaf, HEED_ERR_UNSUPPORTED for one
 * that is not contiguous, HEED_ERR_NOMEM.
 * J. Duchi, E. Hazan, Y. Singer: Adaptive Subgradient Methods for Online Learning and Stochastic Optimization (JMLR
 * 2011).
 * torch: torch.optim.Adagrad */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_adagrad(heed_module *module,
                                                           const heed_optim_adagrad_options *options);

/* heed_optim_adagrad of n tensors. NULL on failure: HEED_ERR_ARGUMENT for NULL, an option out of its range, n = 0, a
 * tensor given twice; HEED_ERR_STATE for one that is not a leaf that requires a gradient, HEED_ERR_UNSUPPORTED for one
 * that is not contiguous, HEED_ERR_NOMEM.
 * torch: torch.optim.Adagrad */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_adagrad_tensors(heed_tensor *const *parameters, int n,
                                                                   const heed_optim_adagrad_options *options);

/* Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_adagrad or
 * heed_optim_adagrad_tensors. Errors as heed_optim_adagrad_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a
 * group already, and an optimizer of another kind. After a failure the optimizer is as it was.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_adagrad_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                                  const heed_optim_adagrad_options *options);

/* What the functions of heed_optim_lion are told; NULL: all of them 0. */
typedef struct heed_optim_lion_options {
    double lr;           /* 0 or more; 0: 1e-4: a third to a tenth of AdamW's */
    double beta1, beta2; /* in [0, 1); 0: 0.9 and 0.99 */
    double weight_decay; /* 0 or more; 0: none. Three to ten times AdamW's */
    bool maximize;       /* up the gradient instead of down */
    HEED_RESERVED;
} heed_optim_lion_options;

/* Lion: every element moves by lr, in the direction that an average of its gradients has. m starts at 0:
 *
 *     g = maximize ? -grad : grad
 *     p = p - lr (sign(beta1 m + (1 - beta1) g) + weight_decay p)
 *     m = beta2 m + (1 - beta2) g
 *
 * of those parameters of the module that require a gradient. NULL on failure: HEED_ERR_ARGUMENT for a NULL module, an
 * option out of its range, no such parameter; HEED_ERR_STATE for one that is not a leaf, HEED_ERR_UNSUPPORTED for one
 * that is not contiguous, HEED_ERR_NOMEM.
 * X. Chen et al.: Symbolic Discovery of Optimization Algorithms (NeurIPS 2023). */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_lion(heed_module *module, const heed_optim_lion_options *options);

/* heed_optim_lion of n tensors. NULL on failure: HEED_ERR_ARGUMENT for NULL, an option out of its range, n = 0, a
 * tensor given twice; HEED_ERR_STATE for one that is not a leaf that requires a gradient, HEED_ERR_UNSUPPORTED for one
 * that is not contiguous, HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_lion_tensors(heed_tensor *const *parameters, int n,
                                                                const heed_optim_lion_options *options);

/* Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_lion or
 * heed_optim_lion_tensors. Errors as heed_optim_lion_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a group
 * already, and an optimizer of another kind. After a failure the optimizer is as it was.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_lion_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                               const heed_optim_lion_options *options);

/* What the functions of heed_optim_muon are told; NULL: all of them 0. */
typedef struct heed_optim_muon_options {
    double lr;           /* 0 or more; 0: 0.02 */
    double momentum;     /* in [0, 1); 0: 0.95 */
    double weight_decay; /* 0 or more; 0: none */
    int steps;           /* of the iteration, 100 at most; 0: 5 */
    bool no_nesterov;    /* O = b, instead of looking ahead */
    bool maximize;       /* up the gradient instead of down */
    HEED_RESERVED;
} heed_optim_muon_options;

/* Muon, for matrices: momentum whose singular values are all brought near 1. The momentum buffer b starts at 0:
 *
 *     g = maximize ? -grad : grad
 *     b = b + (1 - momentum) (g - b)
 *     O = g + momentum (b - g)                       Nesterov's
 *     X = O / (|O| + 1e-7)                           by the 2-norm of all elements
 *     X = a X + (b A + c A A) X,  A = X X^T          `steps` times, with 3.4445, -4.7750 and 2.0315 for a, b and c
 *     p = p - lr (sqrt(max(1, rows / columns)) X + weight_decay p)
 *
 * of those parameters of the module that require a gradient. The iteration is in the parameter's own dtype, where the
 * reference implementation has bfloat16. As there, biases, gains, embeddings and the last layer are for AdamW: what is
 * not a matrix is refused, so that a module with biases needs heed_optim_muon_tensors, and an optimizer beside it. A
 * process that has parts of the state (heed/data_parallel.h) is refused, too. NULL on failure: HEED_ERR_ARGUMENT for a
 * NULL module, an option out of its range, no such parameter; HEED_ERR_SHAPE for one that is not a matrix;
 * HEED_ERR_STATE for one that is not a leaf, HEED_ERR_UNSUPPORTED for one that is not contiguous, HEED_ERR_NOMEM.
 * K. Jordan et al.: Muon: An optimizer for hidden layers in neural networks (2024). */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_muon(heed_module *module, const heed_optim_muon_options *options);

/* heed_optim_muon of n tensors. NULL on failure: HEED_ERR_ARGUMENT for NULL, an option out of its range, n = 0, a
 * tensor given twice; HEED_ERR_SHAPE for one that is not a matrix, HEED_ERR_STATE for one that is not a leaf
 * that requires a gradient, HEED_ERR_UNSUPPORTED for one that is not contiguous, HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_muon_tensors(heed_tensor *const *parameters, int n,
                                                                const heed_optim_muon_options *options);

/* Adds n tensors to an optimizer as a group with options of its own. `optimizer` is one of heed_optim_muon or
 * heed_optim_muon_tensors. Errors as heed_optim_muon_tensors; HEED_ERR_ARGUMENT also for a tensor that is in a group
 * already, and an optimizer of another kind. After a failure the optimizer is as it was.
 * torch: torch.optim.Optimizer.add_param_group */
HEED_API heed_status heed_optim_muon_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                               const heed_optim_muon_options *options);

/* What the functions of heed_optim_lbfgs are told; NULL: all of them 0. */
typedef struct heed_optim_lbfgs_options {
    double lr;               /* the step that is tried first, 0 or more; 0: 1 */
    int max_iter;            /* iterations in a step, 10^9 at most; 0: 20 */
    int max_eval;            /* a step ends after this many evaluations, 10^9 at most; 0: 5/4 max_iter */
    double tolerance_grad;   /* and where no element of the gradient is larger; 0: 1e-7 */
    double tolerance_change; /* and where neither a parameter nor the loss changes by more; 0: 1e-9 */
    int history_size;        /* how many changes it remembers, 10,000 at most; 0: 100 */
    bool no_line_search;     /* steps of lr each, as PyTorch's with line_search_fn=None */
    HEED_RESERVED;
} heed_optim_lbfgs_options;

/* L-BFGS by PyTorch's rule, with a line search for the strong Wolfe conditions: for a loss that is the same function at
 * each evaluation, as of all data at once. heed_optimizer_step_closure does up to max_iter iterations of
 *
 *     p = p + t d,  d = -H g
 *
 * where H approximates the inverse of the matrix of second derivatives, by what the last history_size iterations have
 * changed. The step t that is tried first is lr, and in the very first iteration lr min(1, 1 / sum |g|). All of it is
 * computed in f64, whatever the parameters are. Further groups and teams (heed/data_parallel.h) are refused. Parameters
 * and errors as heed_optim_adam.
 * D. C. Liu, J. Nocedal: On the limited memory BFGS method for large scale optimization (Math. Programming 1989).
 * torch: torch.optim.LBFGS */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_lbfgs(heed_module *module, const heed_optim_lbfgs_options *options);

/* heed_optim_lbfgs of n tensors. NULL on failure, with the errors of heed_optim_adam_tensors.
 * torch: torch.optim.LBFGS */
HEED_API HEED_NODISCARD heed_optimizer *heed_optim_lbfgs_tensors(heed_tensor *const *parameters, int n,
                                                                 const heed_optim_lbfgs_options *options);

HEED_END_DECLS

#endif
