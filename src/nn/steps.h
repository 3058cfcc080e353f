/* nn/steps.h - a sequence as a list of its steps, for layers that go through one step after the other. */
#ifndef HEED_NN_STEPS_H
#define HEED_NN_STEPS_H

#include <heed/tensor.h>

#define HEED__MAX_STEPS (1 << 20) /* what heed_concat takes */

/* A list of the T steps of x (T, ...), each a view (1, ...), borrowed from the innermost scope. NULL after heed_fail,
 * in the name of `where`: HEED_ERR_UNSUPPORTED for more than HEED__MAX_STEPS. */
heed_tensor **heed__steps_split(const char *where, heed_tensor *x);

/* Frees the list; not the steps. */
void heed__steps_free(heed_tensor **steps, int64_t T);

#endif
