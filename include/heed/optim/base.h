/* heed/optim/base.h - what all optimizers share: steps, state, groups of parameters and their learning rates. */
#ifndef HEED_OPTIM_BASE_H
#define HEED_OPTIM_BASE_H

#include <heed/module.h>

HEED_BEGIN_DECLS

/* Parameters in groups, each group with the options of its own, and what a rule keeps for each parameter. Made by
 * heed_optim_sgd, heed_optim_adam and the others of heed/optim/rules.h; freed by heed_optimizer_free. */
typedef struct heed_optimizer heed_optimizer;

/* Updates every parameter that has a gradient by its optimizer's rule, below; one without a gradient is left alone. A
 * gradient may share memory with its own parameter, but not with another one of the optimizer, nor with its state: the
 * step may change these before it reads the gradient. (Gradients that heed_backward makes share memory with nothing.)
 * HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM; HEED_ERR_STATE for a parameter that was updated 2^63 - 2 times, and for
 * L-BFGS, which heed_optimizer_step_closure steps. After a failure every parameter is as it was.
 * torch: torch.optim.Optimizer.step */
HEED_API heed_status heed_optimizer_step(heed_optimizer *optimizer);

/* What heed_optimizer_step_closure evaluates: returns the loss, which has one element and is recorded; NULL to fail. It
 * is called as heed/scope.h says of functions of others, and must not step, load, extend or free the optimizer whose
 * step it is part of: HEED_ERR_STATE. */
typedef heed_tensor *(*heed_closure)(void *user);

/* A step that evaluates the loss by itself, which heed_optim_lbfgs needs: drops the gradients, calls closure(user),
 * which is recorded, and heed_backward, and steps; L-BFGS does the first three often. *loss, unless that is NULL, is
 * what the loss was before the step. HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE when the closure returns NULL without
 * an error, and for L-BFGS when the loss or a gradient is not finite; what the closure, heed_backward and
 * heed_optimizer_step fail with. After a failure every parameter is as it was, and so is the state; gradients are not.
 * torch: torch.optim.Optimizer.step */
HEED_API heed_status heed_optimizer_step_closure(heed_optimizer *optimizer, heed_closure closure, void *user,
                                                 double *loss);

/* Drops the gradients of the optimizer's parameters. HEED_ERR_ARGUMENT for NULL.
 * torch: torch.optim.Optimizer.zero_grad */
HEED_API heed_status heed_optimizer_zero_grad(heed_optimizer *optimizer);

/* How many parameters the optimizer has, in all groups together. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int heed_optimizer_parameter_count(const heed_optimizer *optimizer);

/* Parameter i, counted through all groups: borrowed from the optimizer. NULL with HEED_ERR_ARGUMENT for NULL, with
 * HEED_ERR_INDEX for i outside of 0 .. count - 1. */
HEED_API heed_tensor *heed_optimizer_parameter(const heed_optimizer *optimizer, int i);

/* Frees the optimizer and its state; not the parameters. NULL is ignored. HEED_ERR_STATE, and nothing is freed, in the
 * closure of the optimizer's own step. */
HEED_API void heed_optimizer_free(heed_optimizer *optimizer);

/* -- State ----------------------------------------------------------------------------------------------------------
 * What a checkpoint stores of an optimizer and of its schedule:
 *
 *     lr, initial_lr      f64 (groups)    the rates in force, and those that schedules start from
 *     schedule            i64 ()          the schedule's t, if there is one
 *     schedule.best       f64 ()          of a schedule that goes by a metric: the best one so far, how many in a row
 *     schedule.bad        i64 ()          were no better, and how many more are not counted among these
 *     schedule.rest       i64 ()
 *     0.step              i64 ()          updates of parameter 0 so far, if there were any; parameters are counted
 *                                         through all groups
 *     0.momentum_buffer                   of Muon, and of SGD and RMSprop with momentum; shaped
 *                                         like parameter 0
 *     0.exp_avg, 0.exp_avg_sq             of Adam and AdamW; the first one of Lion, too
 *     0.max_exp_avg_sq                    with amsgrad
 *     0.square_avg                        of RMSprop
 *     0.grad_avg                          of RMSprop, centered
 *     0.sum                               of Adagrad
 *     0.func_evals, 0.n_iter              of L-BFGS: evaluations and iterations so far, i64 (), if there were any
 *     0.d, 0.t                            its last direction, f64 (n) for n elements of all parameters, and the length
 *                                         of the step along it, f64 ()
 *     0.prev_flat_grad                    the gradient where that began, f64 (n)
 *     0.old_dirs.0, 0.old_stps.0, ...     the changes of the gradient and of the parameters that it remembers, the
 *                                         oldest first, f64 (n)
 *
 * and "kind", a text: sgd, adam, adamw, rmsprop, adagrad, lion, muon or lbfgs. The other options are not part of it. */

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

HEED_END_DECLS

#endif
