/* optim/parameters.h - lists of parameters in which a tensor stands once. */
#ifndef HEED_OPTIM_PARAMETERS_H
#define HEED_OPTIM_PARAMETERS_H

#include <heed/module.h>

/* Starts as {0}. Tensors are not retained. */
typedef struct heed__parameter_list {
    heed_tensor **items; /* n, in the order they came */
    int n;
    int capacity;
    heed_tensor **table; /* the same, by hash, so that looking one up takes no longer in a long list */
    size_t slots;        /* of the table: a power of two, at least 2 capacity */
} heed__parameter_list;

/* Fills an empty list: with a module's parameters, those tied under several names once, and without those that require
 * no gradient when `trained`; or with n tensors, HEED_ERR_ARGUMENT for a NULL list, n < 0, a tensor that is NULL or
 * comes twice. `where` is who asks, for messages. */
heed_status heed__parameters_of_module(heed__parameter_list *list, const char *where, heed_module *module,
                                       bool trained);
heed_status heed__parameters_of_tensors(heed__parameter_list *list, const char *where, heed_tensor *const *tensors,
                                        int n);

/* Makes room for `more`; false after heed_fail, with the list as it was. */
bool heed__parameters_reserve(heed__parameter_list *list, const char *where, int64_t more);

/* Adds one that is not there yet, into room there is. */
void heed__parameters_push(heed__parameter_list *list, heed_tensor *t);

bool heed__parameters_contain(const heed__parameter_list *list, const heed_tensor *t);

void heed__parameters_free(heed__parameter_list *list);

#endif
