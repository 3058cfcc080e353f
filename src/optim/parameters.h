/* optim/parameters.h - lists of parameters without duplicates.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_PARAMETERS_H
#define HEED_OPTIM_PARAMETERS_H

#include <heed/module.h>

/* A list of distinct tensors, which it does not retain. Initialise it to {0}. */
typedef struct heed__parameter_list {
    heed_tensor **items; /* n tensors, in insertion order */
    int n;
    int capacity;
    heed_tensor **table; /* the same tensors in a hash table, so that lookups take constant time */
    size_t slots;        /* slots of the table: a power of two, at least 2 capacity */
} heed__parameter_list;

/* Fills an empty list with a module's parameters, every tied parameter once. With `trained`, adds only parameters that
 * require a gradient. Fails with HEED_ERR_ARGUMENT if the module is NULL. `where` is the calling function, for
 * messages. */
heed_status heed__parameters_of_module(heed__parameter_list *list, const char *where, heed_module *module,
                                       bool trained);

/* Reserves capacity for `more` parameters. Returns false after heed_fail and then leaves the list unchanged. */
bool heed__parameters_reserve(heed__parameter_list *list, const char *where, int64_t more);

/* Adds a new parameter. Requires reserved capacity. */
void heed__parameters_push(heed__parameter_list *list, heed_tensor *t);

bool heed__parameters_contain(const heed__parameter_list *list, const heed_tensor *t);

void heed__parameters_free(heed__parameter_list *list);

#endif
