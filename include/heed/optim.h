/* heed/optim.h - optimizers, learning-rate schedules, clipping.
 *
 *     heed_optimizer *adam = heed_optim_adam(&net->base, NULL);
 *     heed_schedule *schedule = heed_schedule_new_cosine(adam, epochs, 0.0);
 *     for (...) {
 *         heed_optimizer_zero_grad(adam);
 *         heed_backward(loss);
 *         heed_optim_clip_grad_norm_(&net->base, 1.0, NULL);
 *         heed_optimizer_step(adam);
 *     }
 *     heed_schedule_step(schedule);     after each epoch, or after each step: whichever its numbers count
 *
 * Below, p is a parameter, g its gradient, lr the learning rate in force.
 */
#ifndef HEED_OPTIM_H
#define HEED_OPTIM_H

#include <heed/module.h>

HEED_BEGIN_DECLS

/* Parameters in groups, each group with the options of its own, and what a rule keeps for each parameter. Made by
 * heed_optim_sgd, heed_optim_adam, heed_optim_adamw; freed by heed_optimizer_free. */
typedef struct heed_optimizer heed_optimizer;

/* Updates every parameter that has a gradient by its optimizer's rule, below; one without a gradient is left alone. A
 * gradient may share memory with its own parameter, but not with another one of the optimizer, nor with its state: the
 * step may change these before it reads the gradient. (Gradients that heed_backward makes share memory with nothing.)
 * HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM; HEED_ERR_STATE for a parameter that was updated 2^63 - 2 times. After a
 * failure every parameter is as it was.
 * torch: torch.optim.Optimizer.step */
HEED_API heed_status heed_optimizer_step(heed_optimizer *optimizer);

/* Drops the gradients of the optimizer's parameters. HEED_ERR_ARGUMENT for NULL.
 * torch: torch.optim.Optimizer.zero_grad */
HEED_API heed_status heed_optimizer_zero_grad(heed_optimizer *optimizer);

/* How many parameters the optimizer has, in all groups together. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int heed_optimizer_parameter_count(const heed_optimizer *optimizer);

/* Parameter i, counted through all groups: borrowed from the optimizer. NULL with HEED_ERR_ARGUMENT for NULL, with
 * HEED_ERR_INDEX for i outside of 0 .. count - 1. */
HEED_API heed_tensor *heed_optimizer_parameter(const heed_optimizer *optimizer, int i);

/* Frees the optimizer and its state; not the parameters. NULL is ignored. */
HEED_API void heed_optimizer_free(heed_optimizer *optimizer);

/* -- State ----------------------------------------------------------------------------------------------------------
 * What a checkpoint stores of an optimizer and of its schedule:
 *
 *     lr, initial_lr      f64 (groups)    the rates in force, and those that schedules start from
 *     schedule            i64 ()          the schedule's t, if there is one
 *     0.step              i64 ()          updates of parameter 0 so far, if there were any; parameters are counted
 *                                         through all groups
 *     0.momentum_buffer                   of SGD with momentum, shaped like parameter 0
 *     0.exp_avg, 0.exp_avg_sq             of Adam and AdamW
 *     0.max_exp_avg_sq                    with amsgrad
 *
 * and "kind", a text: sgd, adam or adamw. The other options are not part of it. */

/* The optimizer's state, and its schedule's: a dict of the buffers themselves, which later steps change, and of copies
 * of the numbers; the caller frees it. NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
 * torch: torch.optim.Optimizer.state_dict */
HEED_API HEED_NODISCARD heed_dict *heed_optimizer_state(const heed_optimizer *optimizer);

/* Copies a state into the optimizer and its schedule: the names in `state` that begin with `prefix` (NULL: ""); others
 * are ignored. HEED_ERR_ARGUMENT for NULL, the state of another kind of optimizer, other groups, parameters or shapes
 * (what is missing or unexpected is listed), or numbers that no optimizer has, such as a negative step;
 * HEED_ERR_NOMEM. After a failure nothing has changed.
 * torch: torch.optim.Optimizer.load_state_dict */
HEED_API heed_status heed_optimizer_load_state(heed_optimizer *optimizer, const heed_dict *state, const char *prefix);

/* -- Groups and learning rates ------------------------------------------------------------------------------------
 * Parameters are in groups, each with options of its own. A new optimizer has one, number 0;
 * heed_optim_..._add_group adds others. */

/* The number of groups of parameters, 1 or more; 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int heed_optimizer_groups(const heed_optimizer *optimizer);

/* The learning rate in force in group 0. NaN with HEED_ERR_ARGUMENT for NULL. */
HEED_API double heed_optimizer_lr(const heed_optimizer *optimizer);

/* The learning rate in force in a group, counted from 0. NaN with HEED_ERR_ARGUMENT for NULL, HEED_ERR_INDEX for a
 * group that does not exist. */
HEED_API double heed_optimizer_group_lr(const heed_optimizer *optimizer, int group);

/* Sets the learning rate of all groups: the one in force, and the one that schedules start from. With a schedule,
 * its next step sets the rate in force again. HEED_ERR_ARGUMENT unless lr is finite and 0 or more, and for NULL. */
HEED_API heed_status heed_optimizer_set_lr(heed_optimizer *optimizer, double lr);

/* Sets the learning rate of one group, counted from 0, as heed_optimizer_set_lr does that of all. HEED_ERR_ARGUMENT
 * unless lr is finite and 0 or more, and for NULL; HEED_ERR_INDEX for a group that does not exist. */
HEED_API heed_status heed_optimizer_set_group_lr(heed_optimizer *optimizer, int group, double lr);

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
 * operations of PyTorch's optimizer in their order. */

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

/* -- Schedules ------------------------------------------------------------------------------------------------------
 * A schedule sets the learning rate of each group as a function of the group's own rate, lr below, and of a count
 * of steps t, which starts at 0 and goes up by 1 with each heed_schedule_step; the rate at t = 0 is set at once. An
 * optimizer has one schedule at most. With a NULL optimizer a schedule is a part for heed_schedule_new_chained or
 * heed_schedule_new_sequential. It may be freed before its optimizer or after it; the rates in force stay.
 * Constructors return NULL with HEED_ERR_ARGUMENT for a number out of its range, or if a rate would not be finite;
 * HEED_ERR_STATE for an optimizer that has a schedule already: chain the two; HEED_ERR_NOMEM. */

/* A learning rate as a function of the steps taken. Freed by heed_schedule_free. */
typedef struct heed_schedule heed_schedule;

/* A rate that falls in steps: lr gamma^floor(t / step_size), with step_size >= 1 and gamma >= 0. NULL on failure:
 * HEED_ERR_ARGUMENT for a number out of its range, HEED_ERR_STATE for an optimizer that has a schedule already,
 * HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.StepLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_step(heed_optimizer *optimizer, int64_t step_size,
                                                              double gamma);

/* A rate that falls exponentially: lr gamma^t, with gamma >= 0. NULL on failure: HEED_ERR_ARGUMENT for a gamma out of
 * its range, HEED_ERR_STATE for an optimizer that has a schedule already, HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.ExponentialLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_exponential(heed_optimizer *optimizer, double gamma);

/* A rate that follows a cosine: eta_min + (lr - eta_min) (1 + cos(pi t / t_max)) / 2, up again after t_max, where
 * t_max >= 1, eta_min >= 0. NULL on failure: HEED_ERR_ARGUMENT for a number out of its range, HEED_ERR_STATE for an
 * optimizer that has a schedule already, HEED_ERR_NOMEM.
 * I. Loshchilov, F. Hutter: SGDR: Stochastic Gradient Descent with Warm Restarts (ICLR 2017).
 * torch: torch.optim.lr_scheduler.CosineAnnealingLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_cosine(heed_optimizer *optimizer, int64_t t_max,
                                                                double eta_min);

/* A rate on a straight line, for warm-up: lr (start + (end - start) min(t, total) / total); start, end >= 0,
 * total >= 1. NULL on failure: HEED_ERR_ARGUMENT for a number out of its range, HEED_ERR_STATE for an optimizer that
 * has a schedule already, HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.LinearLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_linear(heed_optimizer *optimizer, double start, double end,
                                                                int64_t total);

/* HEED_SCHEDULES(a, b) stands for two arguments, a list of schedules and its length. */
#define HEED_SCHEDULES(...) HEED_LIST(heed_schedule *, __VA_ARGS__)

/* Several schedules at once: each takes the rate that the one before it gives for its lr. Owns its parts, which are
 * made with a NULL optimizer, and frees them on failure too: constructors may be written in the list. NULL on failure:
 * HEED_ERR_ARGUMENT when there is no part, or one is NULL, given twice, has an optimizer, or is part of another
 * schedule (only that one is not freed); HEED_ERR_STATE for an optimizer that has a schedule already, HEED_ERR_NOMEM.
 * PyTorch's rates are different if a cosine with eta_min > 0 is among the parts.
 * torch: torch.optim.lr_scheduler.ChainedScheduler */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_chained(heed_optimizer *optimizer, heed_schedule *const *parts,
                                                                 int n);

/* Several schedules one after another: part i from t = milestones[i - 1] on, where its own t is 0. The n - 1
 * milestones must be positive and rising; NULL if n is 1. Owns its parts, and fails, as heed_schedule_new_chained;
 * HEED_ERR_ARGUMENT for other milestones.
 * torch: torch.optim.lr_scheduler.SequentialLR */
HEED_API HEED_NODISCARD heed_schedule *
heed_schedule_new_sequential(heed_optimizer *optimizer, heed_schedule *const *parts, int n, const int64_t *milestones);

/* Adds 1 to t, and sets the rates of all groups: after each epoch, or each step, whichever its numbers count.
 * HEED_ERR_STATE for a part, after the optimizer was freed, and after 2^63 - 1 steps; HEED_ERR_ARGUMENT for NULL, and
 * if a rate would not be finite. After a failure t and all rates are as they were.
 * torch: torch.optim.lr_scheduler.StepLR.step */
HEED_API heed_status heed_schedule_step(heed_schedule *schedule);

/* t, the steps so far, which a checkpoint stores. -1 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_schedule_steps(const heed_schedule *schedule);

/* Sets t, and the rates with it, as if there had been t steps. Fails as heed_schedule_step does, and with
 * HEED_ERR_ARGUMENT for t < 0. After a failure t and all rates are as they were. */
HEED_API heed_status heed_schedule_set_steps(heed_schedule *schedule, int64_t t);

/* Frees a schedule with its parts; the rates in force stay. NULL is ignored. HEED_ERR_STATE, and nothing happens,
 * for a part of another one. */
HEED_API heed_status heed_schedule_free(heed_schedule *schedule);

/* -- Clipping --------------------------------------------------------------------------------------------------------
 * Of the gradients of all parameters of a module, each once, or of n tensors; a parameter without a gradient does
 * not count. The clipped gradients are new tensors in the place of the old ones. HEED_ERR_ARGUMENT for NULL, and
 * for a tensor that is NULL or given twice; HEED_ERR_NOMEM. After a failure no gradient has changed. */

/* Scales the gradients of a module's parameters so that their norm is at most max_norm. They become g min(1, max_norm
 * / (norm + 1e-6)), where norm is the 2-norm of all of them together, summed in f64, which is written to *total_norm
 * unless that is NULL. HEED_ERR_STATE if it is not finite (it is written all the same); HEED_ERR_ARGUMENT for a NULL
 * module, and unless max_norm is finite and above 0; HEED_ERR_NOMEM. After a failure no gradient has changed.
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
