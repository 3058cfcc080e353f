/* heed/optim/base.h - the common part of all optimizers: steps, state, groups of parameters and their learning
 * rates.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_BASE_H
#define HEED_OPTIM_BASE_H

#include <heed/module.h>

HEED_BEGIN_DECLS

/* An optimizer: groups of parameters, every group with its own options, and the state that the rule keeps per
 * parameter. Made by heed_optim_sgd, heed_optim_adam and the others of heed/optim/rules.h; freed by
 * heed_optimizer_free. */
typedef struct heed_optimizer heed_optimizer;

/* Updates every parameter that has a gradient by its optimizer's rule; parameters without a gradient do not change. A
 * gradient may share memory with its own parameter, but not with a different parameter of the optimizer or with the
 * optimizer's state, because the step may change these before it reads the gradient. (Gradients made by heed_backward
 * share no memory.) After a failure every parameter is unchanged.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM; HEED_ERR_STATE for a parameter that was updated 2^63 - 2 times,
 * and for L-BFGS, which needs heed_optimizer_step_closure.
 * torch: torch.optim.Optimizer.step */
HEED_API heed_status heed_optimizer_step(heed_optimizer *optimizer);

/* Drops the gradients of the optimizer's parameters.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.optim.Optimizer.zero_grad */
HEED_API heed_status heed_optimizer_zero_grad(heed_optimizer *optimizer);

/* Returns the current learning rate of a group of parameters: heed_optimizer_lr(adam, 0). A new optimizer has one
 * group, number 0. Returns NaN on failure.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_INDEX for a group that does not exist. */
HEED_API double heed_optimizer_lr(const heed_optimizer *optimizer, int group);

/* Sets the learning rate of a group: both the current rate and the rate that schedules start from. If there is a
 * schedule, its next step sets the current rate again.
 *
 * Errors: HEED_ERR_ARGUMENT unless lr is finite and 0 or more, and for NULL; HEED_ERR_INDEX for a group that does not
 * exist. */
HEED_API heed_status heed_optimizer_set_lr(heed_optimizer *optimizer, int group, double lr);

/* Options of heed_optimizer_set_options; NULL: all 0. */
typedef struct heed_optimizer_options {
    double lr;           /* the rate that schedules start from, 0 or more; 0: the rate of the previous group */
    double weight_decay; /* 0 or more; 0: the decay of the previous group */
    bool no_decay;       /* weight_decay = 0 */
    HEED_RESERVED;
} heed_optimizer_options;

/* Moves the parameters of a module whose paths match a pattern to a new group with its own options. Other options and
 * the state of the parameters stay the same. The usual rule, no weight decay for biases and norms, is one line:
 *
 *     heed_optimizer_set_options(adamw, net, "*bias|*norm:*", &(heed_optimizer_options){.no_decay = true});
 *
 * heed_module_set_requires_grad defines the patterns. The new group follows the existing groups. If the parameters come
 * from several groups, there is a new group for every one of these; a group of which all parameters match keeps its
 * number. Frozen parameters and others that the optimizer does not train are ignored. Parameters are then numbered in
 * the order of the new groups, also in saved states: call this function before loading a state and before
 * heed_data_parallel_new. With NULL options the new group differs in its number only, for heed_optimizer_set_lr.
 *
 * Returns the number of parameters that have the new options; a parameter that has several names counts once.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL, if no parameter of the module matches or none of the matching ones belongs
 * to the optimizer, and for an option out of its range; HEED_ERR_UNSUPPORTED for L-BFGS; HEED_ERR_STATE for an
 * optimizer whose state a team has sharded; HEED_ERR_NOMEM. After a failure the optimizer is unchanged. */
HEED_API int64_t heed_optimizer_set_options(heed_optimizer *optimizer, heed_module *module, const char *pattern,
                                            const heed_optimizer_options *options);

/* Frees the optimizer and its state, not the parameters. NULL is ignored.
 *
 * Errors: HEED_ERR_STATE in the closure of the optimizer's own step and in the function of its schedule; the
 * optimizer is then not freed. */
HEED_API void heed_optimizer_free(heed_optimizer *optimizer);

/* -- State ------------------------------------------------------------------------------------------------------------
 * A checkpoint stores these tensors of an optimizer and its schedule; for a parameter other than 0, its number replaces
 * the 0:
 *
 *     lr, initial_lr      f64 (groups)    the current rates, and the rates that schedules start from
 *     schedule            i64 ()          the t of the schedule, if there is one
 *     schedule.best       f64 ()          for a schedule that uses a metric: the best metric so far
 *     schedule.bad        i64 ()          the number of metrics in a row without improvement
 *     schedule.rest       i64 ()          remaining metrics of the cooldown, which do not count
 *     0.step              i64 ()          updates of parameter 0 so far, if any; parameters are counted
 *                                         through all groups
 *     0.momentum_buffer                   of Muon, and of SGD and RMSprop with momentum; shaped
 *                                         like parameter 0
 *     0.exp_avg, 0.exp_avg_sq             of Adam and AdamW; the first one of Lion, too
 *     0.max_exp_avg_sq                    with amsgrad
 *     0.square_avg                        of RMSprop
 *     0.grad_avg                          of RMSprop, centered
 *     0.sum                               of Adagrad
 *     0.func_evals, 0.n_iter              of L-BFGS: evaluations and iterations so far, i64 (), if any
 *     0.d, 0.t                            its last direction, f64 (n) for n elements of all parameters, and the length
 *                                         of the step along it, f64 ()
 *     0.prev_flat_grad                    the gradient at the start of that step, f64 (n)
 *     0.old_dirs.0, 0.old_stps.0, ...     the stored changes of the gradient and of the parameters, the oldest first,
 *                                         f64 (n)
 *
 * and "kind", a text: sgd, adam, adamw, rmsprop, adagrad, lion, muon or lbfgs. The other options are not included. */

/* Returns the state of the optimizer and its schedule as a dict. It contains the buffers themselves, which later steps
 * change, and copies of the numbers. The caller frees the dict.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.optim.Optimizer.state_dict */
HEED_API HEED_NODISCARD heed_dict *heed_optimizer_state(const heed_optimizer *optimizer);

/* Copies a state into the optimizer and its schedule: the names in `state` that begin with options->prefix. Other names
 * are ignored. With NULL options all names and shapes must agree. A lenient load skips entries by the options
 * allow_missing, allow_unexpected and allow_unlike, and lists them in options->skipped:
 *
 *     heed_dict *skipped = heed_dict_new();
 *     heed_dict_load_options lenient = {.allow_missing = true, .allow_unexpected = true, .allow_unlike = true,
 *                                       .skipped = skipped};
 *     heed_optimizer_load_state(adam, state, &lenient);
 *
 * A parameter of which an entry is missing or has a different shape is skipped with all its entries and starts anew, as
 * without updates. In the same way the rates, or the schedule, keep their current values. After a failure the optimizer
 * and the schedule are unchanged.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, for the state of a different kind of optimizer, for different groups, parameters
 * or shapes that the options do not allow (the message lists missing and unexpected names), and for invalid numbers,
 * such as a negative step; HEED_ERR_NOMEM.
 * torch: torch.optim.Optimizer.load_state_dict */
HEED_API heed_status heed_optimizer_load_state(heed_optimizer *optimizer, const heed_dict *state,
                                               const heed_dict_load_options *options);

/* -- Expert calls -------------------------------------------------------------------------------------------------- */

/* Returns the number of groups of parameters, 1 or more. heed_optim_..._add_group (heed/optim/rules.h) adds groups with
 * their own options. Returns 0 on failure.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API int heed_optimizer_groups(const heed_optimizer *optimizer);

/* The function that heed_optimizer_step_closure evaluates. It returns the loss, which has one element and is recorded,
 * or NULL to fail. It is called as heed/scope.h describes for user functions, and must not step, load, extend or free
 * the optimizer that calls it; these calls fail with HEED_ERR_STATE. */
typedef heed_tensor *(*heed_closure)(void *user);

/* Evaluates the loss and updates the parameters; L-BFGS requires it. It drops the gradients, calls closure(user) with
 * recording on, calls heed_backward, and updates. L-BFGS repeats the evaluation (the first three of these) many times.
 * *loss, unless `loss` is NULL, receives the loss before the step. After a failure every parameter and the state are
 * unchanged; gradients may have changed.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE if the closure returns NULL without an error, and for L-BFGS if
 * the loss or a gradient is infinite or NaN; the errors of the closure, heed_backward and heed_optimizer_step.
 * torch: torch.optim.Optimizer.step */
HEED_API heed_status heed_optimizer_step_closure(heed_optimizer *optimizer, heed_closure closure, void *user,
                                                 double *loss);

/* Returns the number of parameters of the optimizer, in all groups together. Returns 0 on failure.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API int heed_optimizer_parameter_count(const heed_optimizer *optimizer);

/* Returns parameter i, counted through all groups and borrowed from the optimizer. Returns NULL on failure.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_INDEX for i outside 0 .. count - 1. */
HEED_API heed_tensor *heed_optimizer_parameter(const heed_optimizer *optimizer, int i);

HEED_END_DECLS

#endif
