/* optim/parameters.h - lists of parameters without duplicates. */
#ifndef HEED_OPTIM_PARAMETERS_H
#define HEED_OPTIM_PARAMETERS_H

#include <heed/module.h>

/* Initialised to {0}. Does not retain the tensors. */
typedef struct heed__parameter_list {
    heed_tensor **items; /* n tensors, in insertion order */
    int n;
    int capacity;
    heed_tensor **table; /* the same tensors in a hash table, so that lookups take constant time */
    size_t slots;        /* slots of the table: a power of two, at least 2 capacity */
} heed__parameter_list;

/* Fill an empty list. The first function adds a module's parameters, tied ones once; with `trained`, only those that
 * require a gradient. The second adds n tensors and fails with HEED_ERR_ARGUMENT for a NULL list, n < 0, and a NULL or
 * repeated tensor. `where` is the calling function, for messages. */
heed_status heed__parameters_of_module(heed__parameter_list *list, const char *where, heed_module *module,
                                       bool trained);
heed_status heed__parameters_of_tensors(heed__parameter_list *list, const char *where, heed_tensor *const *tensors,
                                        int n);

/* Reserves capacity for `more` parameters. Returns false after heed_fail and then leaves the list unchanged. */
bool heed__parameters_reserve(heed__parameter_list *list, const char *where, int64_t more);

/* Adds a new parameter. Requires reserved capacity. */
void heed__parameters_push(heed__parameter_list *list, heed_tensor *t);

bool heed__parameters_contain(const heed__parameter_list *list, const heed_tensor *t);

void heed__parameters_free(heed__parameter_list *list);

#endif
