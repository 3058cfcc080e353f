/* optim/optimizer.h - declarations shared by the optimizers. Every optimizer defines its kind, a table of names and
 * functions:
 *
 *     static const heed__optimizer_kind sgd_kind = {
 *         .name = "optim_sgd", .tensors_name = "optim_sgd_tensors", .add_name = "optim_sgd_add_group",
 *         .state_name = "sgd", .buffer_name = {"momentum_buffer"}, .read = read_options, .numbers = numbers,
 *         .update = update};
 *
 * Its public functions pass the kind and their options to heed__optimizer_of_module, heed__optimizer_of_tensors and
 * heed__optimizer_add_group. */
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
    heed_tensor *direction;                      /* during a step: the result of the kind's `direct` */
    heed_tensor *buffer[HEED_OPTIMIZER_BUFFERS]; /* state with the target's shape; NULL before the first update */
    int64_t updates;                             /* number of updates; during an update it is already counted */
    heed__element_range range;                   /* elements that `target` covers, if the optimizer is partial */
} heed__slot;

typedef struct heed__group {
    heed__group_settings settings;
    double lr; /* the current rate */
    int n;
    heed__slot slots[];
} heed__group;

typedef struct heed__optimizer_kind {
    /* Names of the public functions, for messages: the two constructors and ..._add_group. */
    const char *name, *tensors_name, *add_name;

    const char *state_name;                          /* name of the kind in a saved state */
    const char *buffer_name[HEED_OPTIMIZER_BUFFERS]; /* names of a parameter's buffers in a saved state */

    /* Checks the options, NULL for the defaults, and fills in the settings. Returns false after heed_fail with
     * `where`. */
    bool (*read)(const char *where, const void *options, heed__group_settings *settings);

    /* Writes all options except the rate as at most HEED_OPTIMIZER_NUMBERS numbers, which processes compare. */
    void (*numbers)(const heed__group_settings *settings, double *numbers);

    /* May be NULL. Checks that the optimizer accepts parameter i. Returns false after heed_fail with `where`. */
    bool (*accepts)(const char *where, int i, const heed_tensor *parameter);

    bool whole; /* an update needs whole parameters, not ranges of them */

    /* May be NULL. Called before any parameter changes: computes the part of a slot's update that may fail, such as an
     * allocation, and returns it as a tensor. Changes nothing itself. Returns NULL after heed_fail. Recording is
     * off. */
    heed_tensor *(*direct)(const heed__group *group, const heed__slot *slot);

    /* Updates a parameter that has a gradient. Must not fail; all memory is already allocated. Recording is off. NULL
     * for a kind that steps only by a closure. */
    void (*update)(const heed__group *group, heed__slot *slot);

    /* The following functions are NULL unless the kind has state in addition to buffers. */
    bool (*begin)(heed_optimizer *o); /* returns false after heed_fail */
    void (*end)(heed_optimizer *o);   /* also called if `begin` failed or was not called */
    bool (*put)(heed_dict *dict, const heed_optimizer *o, const heed_dict *like); /* like put_all in
                                                                                   * optimizer_state.c */
    bool (*check)(const heed_dict *draft);                      /* checks a filled draft; false after heed_fail */
    void (*install)(heed_optimizer *o, const heed_dict *draft); /* adopts a draft made by `put`, filled and checked */
    heed_status (*step)(heed_optimizer *o, heed_closure closure, void *user, double *loss);
} heed__optimizer_kind;

struct heed_optimizer {
    const heed__optimizer_kind *kind;
    heed_schedule *schedule; /* not owned; NULL without a schedule */
    heed__parameter_list parameters;
    heed__group **groups;
    int n_groups;
    int capacity;     /* capacity of `groups` */
    void *kind_state; /* state of the kind */
    bool partial;     /* the optimizer updates only a range of every parameter (optim/partial.h) */
    bool evaluating;  /* the user's closure is running */
    uint64_t mark;
};

/* Create an optimizer with one group. Return NULL after heed_fail. */
heed_optimizer *heed__optimizer_of_module(const heed__optimizer_kind *kind, heed_module *module, const void *options);
heed_optimizer *heed__optimizer_of_tensors(const heed__optimizer_kind *kind, heed_tensor *const *parameters, int n,
                                           const void *options);

/* Adds a group. Returns HEED_ERR_ARGUMENT if the optimizer is not of the given kind. */
heed_status heed__optimizer_add_group(heed_optimizer *optimizer, const heed__optimizer_kind *kind,
                                      heed_tensor *const *parameters, int n, const void *options);

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

/* Like heed__optimizer_check, and false after heed_fail if the closure of o's own step is running: o must not be freed
 * or changed during that step. */
bool heed__optimizer_check_idle(const char *where, const heed_optimizer *o);

/* Returns true if the number is finite and at least 0; otherwise false after heed_fail with `name`. */
bool heed__optim_check(const char *where, const char *name, double value);

/* Like heed__optim_check, for a number in [0, 1), such as the weight of an average. */
bool heed__optim_check_weight(const char *where, const char *name, double value);

/* Like heed__optim_check, for a number above 0. */
bool heed__optim_check_positive(const char *where, const char *name, double value);

#endif
