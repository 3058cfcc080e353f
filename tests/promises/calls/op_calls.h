/* tests/promises/calls/op_calls.h - a call of an op with its arguments in slots. slots.py, which writes op_calls.inc, says what for.
 * Before op_calls.inc comes the definition of struct slots, and of
 *
 *     heed_tensor *slot_tensor(slots *from, const char *name);     likewise slot_int, slot_int64, slot_real, slot_bool,
 *                                                                  slot_shape, for the parameter or field `name`
 *     int slot_enum(slots *from, const char *name, const char *const *words);   a constant's number; words: their names
 *     int slot_list(slots *from, const char *name, heed_tensor **list);         how many; at most SLOT_LIST are in `list`
 *     bool slot_there(slots *from, const char *name);              whether a pointer is not to be NULL
 *     heed_tensor **slot_out(slots *from, const char *name);       where another output goes; NULL: not wanted
 */
#ifndef HEED_TESTS_OP_CALLS_H
#define HEED_TESTS_OP_CALLS_H

#include <heed/heed.h>

#define SLOT_LIST 3

typedef struct slots slots;

typedef struct op_call {
    const char *name; /* of the function, without heed_ */
    heed_tensor *(*call)(slots *from);
    int tensors;              /* that it takes; a list counts for two */
    const char *const *names; /* of its other slots, as in tests/parity/data */
} op_call;

#endif
