/* tests/promises/calls/slots.h - calls of ops and layers with their arguments in slots. slots.py, which writes
 * op_calls.inc and layer_calls.inc, has the reasons. The including file first defines struct slots, and of the
 * following functions those that are called:
 *
 *     heed_tensor *slot_tensor(slots *from, const char *name);     likewise slot_int, slot_int64, slot_real,
 *     slot_bool,
 *                                                                  slot_shape, slot_text, for the parameter or field
 *     slot_function_type slot_function(slots *from, const char *name);
 *     int slot_enum(slots *from, const char *name, const char *const *words);   a constant's number; words: their
 *     names
 *     heed_tensor **slot_out(slots *from, const char *name);       the address of a further output or a state
 *     bool slot_there(slots *from, const char *name);              whether options, nested options or a list are
 *     passed
 *                                                                  instead of NULL
 *     int slot_list(slots *from, const char *name, heed_tensor **list);         writes at most SLOT_LIST of them to
 *     the
 *     int slot_modules(slots *from, const char *name, void **list);             list, unless it is NULL; returns the
 *     number
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_SLOTS_H
#define HEED_TESTS_SLOTS_H

#include <stddef.h>

#include <heed/heed.h>

#define SLOT_LIST 3

typedef struct slots slots;
typedef heed_tensor *(*slot_function_type)(heed_tensor *x);

typedef struct op_call {
    const char *name; /* of the function, without heed_ */
    heed_tensor *(*call)(slots *from);
    int tensors;              /* number of tensors it takes; a list counts for two */
    const char *const *names; /* of its other slots, as in tests/parity/data */
} op_call;

typedef struct layer_cases layer_cases; /* tests/nn/cases.h */

typedef struct layer_call {
    const char *name;                                   /* of heed_nn_NAME_new and heed_nn_NAME_forward */
    heed_module *(*make)(slots *from);                  /* the constructor, */
    heed_tensor *(*run)(slots *from, heed_module *net); /* and the forward */
    const char *const *names;                           /* of all slots */
    const layer_cases *cases;
} layer_call;

#endif
