/* optim/optimizer.h - declarations shared by the optimizers. Every optimizer defines its kind, a table of names and
 * functions:
 *
 *     static const heed__optimizer_kind sgd_kind = {
 *         .name = "optim_sgd", .add_name = "optim_sgd_add_group", .state_name = "sgd",
 *         .buffer_name = {"momentum_buffer"}, .read = read_sgd_options, .numbers = sgd_numbers,
 *         .update = update_sgd};
 *
 * L-BFGS (optim/lbfgs.h) does not update one parameter at a time, and its kind has no update. It keeps a state of its
 * own in the optimizer, and optimizer.c and optimizer_state.c call its functions directly.
 *
 * Its public functions pass the kind and their options to heed__optimizer_new and heed__optimizer_add_group.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_OPTIMIZER_H
#define HEED_OPTIM_OPTIMIZER_H

#include <heed/optim.h>

#include "optim/parameters.h"

#define HEED_OPTIMIZER_BUFFERS 3 /* maximum number of state tensors per parameter */

#define HEED_OPTIMIZER_NUMBERS 8 /* maximum number of options per group */

/* Maximum number of updates per parameter; the next number still fits int64_t. */
#define HEED_OPTIMIZER_UPDATES (INT64_MAX - 1)

/* A group's options, checked and with defaults filled in. */
typedef struct heed__group_settings {
    double lr;        /* the rate that schedules start from */
    unsigned buffers; /* bit k is set if parameters have the state tensor buffer_name[k] */
    double fill;      /* initial value of the buffers */
    union {
        heed_optim_sgd_options sgd;
        heed_optim_adam_options adam;
        heed_optim_rmsprop_options rmsprop;
        heed_optim_adagrad_options adagrad;
        heed_optim_lion_options lion;
        heed_optim_muon_options muon;
        heed_optim_lbfgs_options lbfgs;
    } options;
} heed__group_settings;

/* A range of a parameter's elements, in row-major order. */
typedef struct heed__element_range {
    int64_t begin, end;
} heed__element_range;

/* A parameter and its state. */
typedef struct heed__slot {
    heed_tensor *parameter;                      /* retained: a contiguous leaf, f32 or f64 */
    heed_tensor *target, *grad;                  /* during a step: the tensor to update, contiguous, and its gradient or
                                                  * NULL */
    heed_tensor *direction;                      /* during a step: the result of the kind's `direction` */
    heed_tensor *buffer[HEED_OPTIMIZER_BUFFERS]; /* state with the target's shape; NULL before the first update */
    int64_t updates;                             /* number of updates; during an update it is already counted */
    heed__element_range range;                   /* elements that `target` covers, if the optimizer is partial */
} heed__slot;

typedef struct heed__group {
    heed__group_settings settings;
    double lr;      /* the current rate */
    double next_lr; /* during a step of the schedule: the rate after it */
    int n;
    heed__slot slots[];
} heed__group;

typedef struct heed__optimizer_kind {
    const char *name, *add_name; /* names of the public functions, for messages: the constructor and ..._add_group */

    const char *state_name;                          /* name of the kind in a saved state */
    const char *buffer_name[HEED_OPTIMIZER_BUFFERS]; /* names of a parameter's buffers in a saved state */

    /* Checks the options, NULL for the defaults, and fills in the settings. Returns false after heed_fail with
     * `where`. */
    bool (*read)(const char *where, const void *options, heed__group_settings *settings);

    /* Writes all options except the rate as at most HEED_OPTIMIZER_NUMBERS numbers, which processes compare. NULL for
     * L-BFGS, which does not support several processes. */
    void (*numbers)(const heed__group_settings *settings, double *numbers);

    size_t weight_decay_at; /* offset of the weight decay in the settings; 0 if the kind has only one group */

    bool whole; /* an update needs whole parameters, not ranges of them */

    /* May be NULL. Called before any parameter changes: computes the part of a slot's update that may fail, such as an
     * allocation, and returns it as a tensor. Changes nothing itself. Returns NULL after heed_fail. Recording is
     * off. */
    heed_tensor *(*direction)(const heed__group *group, const heed__slot *slot);

    /* Updates a parameter that has a gradient. Must not fail; all memory is already allocated. Recording is off. */
    void (*update)(const heed__group *group, heed__slot *slot);
} heed__optimizer_kind;

typedef struct heed__lbfgs heed__lbfgs;

struct heed_optimizer {
    const heed__optimizer_kind *kind;
    heed_schedule *schedule; /* not owned; NULL without a schedule */
    heed__parameter_list parameters;
    heed__group **groups;
    int n_groups;
    int capacity;       /* capacity of `groups` */
    heed__lbfgs *lbfgs; /* the state of L-BFGS; NULL for other optimizers */
    bool partial;       /* the optimizer updates only a range of every parameter */
    bool evaluating;    /* the user's closure is running */
    bool scheduling;    /* the rates of a schedule are being computed, possibly by a function of the user */
    uint64_t mark;
};

/* Returns a new optimizer with one group: the parameters of the module that require a gradient. NULL after
 * heed_fail. */
heed_optimizer *heed__optimizer_new(const heed__optimizer_kind *kind, heed_module *module, const void *options);

/* Adds such a group. Returns HEED_ERR_ARGUMENT if the optimizer is not of the given kind. */
heed_status heed__optimizer_add_group(heed_optimizer *optimizer, const heed__optimizer_kind *kind, heed_module *module,
                                      const void *options);

/* Returns a group without parameters and with memory for n slots. NULL after heed_fail. */
heed__group *heed__group_new(int n);

/* Frees the group itself. Does not release the tensors of its slots. */
void heed__group_free(heed__group *group, int n);

/* Sets *lr to the rate of a new group whose own rate is `base`. Returns false after heed_fail. */
bool heed__optimizer_find_rate(heed_optimizer *o, const char *where, double base, double *lr);

/* Returns true if the parameters of a group have buffer k. */
static inline bool heed__has_buffer(const heed__group *group, int k)
{
    return group->settings.buffers >> k & 1U;
}

/* Add a tensor or a number to a state. Return false after heed_fail. t may be NULL if creating it has failed with
 * heed_fail; the result is then false. */
bool heed__state_put(heed_dict *dict, const char *name, heed_tensor *t);
bool heed__state_put_count(heed_dict *dict, const char *name, int64_t count);

/* Returns true if o is neither NULL nor freed; false after heed_fail. */
bool heed__optimizer_check(const char *where, const heed_optimizer *o);

/* Like heed__optimizer_check, and false after heed_fail if the closure of o's own step or the function of its schedule
 * is running: o must not be freed or changed during that call. */
bool heed__optimizer_check_idle(const char *where, const heed_optimizer *o);

/* Drops the gradients, calls the closure with recording on, runs backward from the loss and stores its value in *loss.
 * New tensors belong to the innermost scope. Returns false after heed_fail. */
bool heed__optimizer_evaluate(heed_optimizer *o, heed_closure closure, void *user, double *loss);

/* Returns true if the number is finite and at least 0; otherwise false after heed_fail with `name`. */
bool heed__optim_check(const char *where, const char *name, double value);

/* Like heed__optim_check, for a number in [0, 1), such as the weight of an average. */
bool heed__optim_check_weight(const char *where, const char *name, double value);

/* Like heed__optim_check, for a number above 0. */
bool heed__optim_check_positive(const char *where, const char *name, double value);

/* -- Partial optimizers -------------------------------------------------------------------------------------------- */

/* A partial optimizer updates, and has state for, only a range of every parameter: one process's share of an update
 * that several processes divide (heed/data_parallel.h). Parameters are numbered through all groups. */

/* Restricts a whole optimizer to the elements ranges[i].begin .. ranges[i].end - 1 of every parameter i. Keeps only
 * these elements of the buffers. On failure returns false after heed_fail and changes nothing. */
bool heed__optimizer_set_ranges(heed_optimizer *o, const heed__element_range *ranges);

/* Returns buffer k of parameter i, with the length of its range, or NULL. */
heed_tensor *heed__optimizer_buffer(const heed_optimizer *o, int i, int k);

/* Swaps buffer k of every parameter i with buffers[i * HEED_OPTIMIZER_BUFFERS + k], and sets whether the optimizer is
 * partial. A second call restores the first state. */
void heed__optimizer_swap(heed_optimizer *o, heed_tensor **buffers, bool partial);

/* Returns the elements of t that the optimizer updates: t itself or a view of it. t has the shape of the slot's
 * parameter. NULL after heed_fail. */
heed_tensor *heed__slot_slice(const heed_optimizer *o, const heed__slot *slot, heed_tensor *t);

/* Like heed_optimizer_step, but accepts a partial optimizer, too. */
heed_status heed__optimizer_update(heed_optimizer *o);

#endif
