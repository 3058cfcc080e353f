/* optim/optimizer.h - what optimizers share. One is a kind, which updates a parameter:
 *
 *     static const heed__optimizer_kind sgd_kind = {
 *         .name = "optim_sgd", .tensors_name = "optim_sgd_tensors", .add_name = "optim_sgd_add_group",
 *         .state_name = "sgd", .buffer_name = {"momentum_buffer"}, .read = read_options, .numbers = numbers,
 *         .update = update};
 *
 * and functions that call the three below with their options.
 */
#ifndef HEED_OPTIM_OPTIMIZER_H
#define HEED_OPTIM_OPTIMIZER_H

#include <heed/optim.h>

#include "optim/parameters.h"

#define HEED_OPTIMIZER_BUFFERS 3 /* most tensors of state that a parameter has */

#define HEED_OPTIMIZER_NUMBERS 8 /* options of a group, at most */

#define HEED_OPTIMIZER_UPDATES (INT64_MAX - 1) /* the most of one parameter; the next would still fit */

/* A group's options, checked, with their defaults filled in. */
typedef struct heed__group_settings {
    double lr;        /* what schedules start from */
    unsigned buffers; /* which tensors of state each parameter has: bit k for the kind's buffer_name[k] */
    double fill;      /* what they are filled with before the first update */
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

/* Elements of a parameter, in row-major order. */
typedef struct heed__part_range {
    int64_t begin, end;
} heed__part_range;

/* A parameter and its state. */
typedef struct heed__slot {
    heed_tensor *parameter;                      /* retained: a contiguous leaf, f32 or f64 */
    heed_tensor *target, *grad;                  /* during a step: what is updated, contiguous, and by what; or NULL */
    heed_tensor *direction;                      /* during a step: what the kind's `direct` has made */
    heed_tensor *buffer[HEED_OPTIMIZER_BUFFERS]; /* like the target; NULL before its first update */
    int64_t updates;                             /* so far; during an update that one is counted */
    heed__part_range part;                       /* the target, where the optimizer is partial */
} heed__slot;

typedef struct heed__group {
    heed__group_settings settings;
    double lr; /* the rate in force */
    int n;
    heed__slot slots[];
} heed__group;

typedef struct heed__optimizer_kind {
    /* What its constructors and its ..._add_group are called, for messages. */
    const char *name, *tensors_name, *add_name;

    const char *state_name;                          /* of the kind, in its state */
    const char *buffer_name[HEED_OPTIMIZER_BUFFERS]; /* and of a parameter's buffers */

    /* Checks options, NULL for the defaults, and fills them in. False after heed_fail, which names `where`. */
    bool (*read)(const char *where, const void *options, heed__group_settings *settings);

    /* Writes the options but for the rate, at most HEED_OPTIMIZER_NUMBERS of them. */
    void (*numbers)(const heed__group_settings *settings, double *numbers);

    /* NULL, or whether parameter i may be one of it. False after heed_fail, which names `where`. */
    bool (*takes)(const char *where, int i, const heed_tensor *parameter);

    bool whole; /* an update needs all of a parameter, not parts of it */

    /* NULL, or makes of a slot what may fail of its update, which changes nothing yet. NULL after heed_fail. Recording
     * is off. */
    heed_tensor *(*direct)(const heed__group *group, const heed__slot *slot);

    /* Updates a parameter that has a gradient. All memory is there, so that it cannot fail. Recording is off. NULL for
     * a kind that steps by a closure only. */
    void (*update)(const heed__group *group, heed__slot *slot);

    /* NULL, or: of an optimizer that keeps something of its own beside buffers. */
    bool (*begin)(heed_optimizer *o); /* false after heed_fail */
    void (*end)(heed_optimizer *o);   /* also where `begin` has failed, or was not called */
    bool (*put)(heed_dict *dict, const heed_optimizer *o, const heed_dict *like); /* as put_all in optimizer_state.c */
    bool (*check)(const heed_dict *draft);                      /* the numbers in it; false after heed_fail */
    void (*install)(heed_optimizer *o, const heed_dict *draft); /* a draft that `put` has made, filled and checked */
    heed_status (*step)(heed_optimizer *o, heed_closure closure, void *user, double *loss);
} heed__optimizer_kind;

struct heed_optimizer {
    const heed__optimizer_kind *kind;
    heed_schedule *schedule; /* NULL when there is none; not owned */
    heed__parameter_list parameters;
    heed__group **groups;
    int n_groups;
    int capacity;    /* of groups */
    void *own;       /* the kind's */
    bool partial;    /* it has a part of each parameter (optim/part.h) */
    bool evaluating; /* the user's closure runs */
    uint64_t mark;
};

/* NULL after heed_fail. */
heed_optimizer *heed__optimizer_of_module(const heed__optimizer_kind *kind, heed_module *module, const void *options);
heed_optimizer *heed__optimizer_of_tensors(const heed__optimizer_kind *kind, heed_tensor *const *parameters, int n,
                                           const void *options);

/* HEED_ERR_ARGUMENT unless the optimizer is of that kind. */
heed_status heed__optimizer_add_group(heed_optimizer *optimizer, const heed__optimizer_kind *kind,
                                      heed_tensor *const *parameters, int n, const void *options);

/* Whether parameters of a group have buffer k. */
static inline bool heed__has_buffer(const heed__group *group, int k)
{
    return group->settings.buffers >> k & 1U;
}

/* Puts a tensor, which may be NULL after heed_fail, or a number, into a state. False after heed_fail. */
bool heed__state_put(heed_dict *dict, const char *name, heed_tensor *t);
bool heed__state_put_count(heed_dict *dict, const char *name, int64_t count);

/* o is an optimizer: neither NULL nor freed. False after heed_fail. */
bool heed__optimizer_check(const char *where, const heed_optimizer *o);

/* And none whose step has called a closure that now runs: it must not go or change under that step. False after
 * heed_fail. */
bool heed__optimizer_check_rests(const char *where, const heed_optimizer *o);

/* True for a finite number of 0 and above; else false after heed_fail, which calls it `name`. */
bool heed__optim_check(const char *where, const char *name, double value);

/* The same for a number in [0, 1), such as the weight of an average. */
bool heed__optim_check_weight(const char *where, const char *name, double value);

/* The same for a number above 0. */
bool heed__optim_check_positive(const char *where, const char *name, double value);

#endif
