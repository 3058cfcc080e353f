/* optim/optimizer.h - what optimizers share. One is a struct that begins with heed_optimizer, and a kind:
 *
 *     typedef struct adam { heed_optimizer base; ... } adam;
 *     static const heed_optimizer_kind adam_kind = {.name = "optim_adam", .size = sizeof(adam), .step = ...};
 */
#ifndef HEED_OPTIM_OPTIMIZER_H
#define HEED_OPTIM_OPTIMIZER_H

#include <heed/optim.h>

typedef struct heed_optimizer_kind {
    const char *name; /* for messages */
    size_t size;      /* bytes of the whole struct */

    /* Updates every parameter whose grads[i] is not NULL. Recording is off. All memory is asked for before the first
     * parameter is written. */
    heed_status (*step)(heed_optimizer *optimizer);

    /* Frees the struct's own fields; may be NULL. */
    void (*free_state)(heed_optimizer *optimizer);
} heed_optimizer_kind;

struct heed_optimizer {
    const heed_optimizer_kind *kind;
    double lr;
    int n;                    /* parameters there are, */
    int capacity;             /* and room for */
    heed_tensor **parameters; /* n, retained: contiguous leaves, f32 or f64 */
    heed_tensor **grads;      /* n: during a step, contiguous; NULL for a parameter without one */
};

/* A zeroed struct of kind->size bytes with its base filled in, for all parameters of a module or for n tensors. NULL
 * after heed_fail. */
heed_optimizer *heed__optimizer_of_module(const heed_optimizer_kind *kind, heed_module *module, double lr);
heed_optimizer *heed__optimizer_of_tensors(const heed_optimizer_kind *kind, heed_tensor *const *parameters, int n,
                                           double lr);

/* True for a finite number of 0 and above; else false after heed_fail, which calls it `name`. */
bool heed__optimizer_check(const heed_optimizer_kind *kind, const char *name, double value);

/* One zeroed tensor like each parameter with a gradient, retained in state[i], where there is none yet. */
heed_status heed__optimizer_grow_state(heed_optimizer *optimizer, heed_tensor **state);

#endif
