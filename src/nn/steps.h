/* nn/steps.h - splits a sequence into a list of its steps, for layers that process one step at a time. */
#ifndef HEED_NN_STEPS_H
#define HEED_NN_STEPS_H

#include <heed/tensor.h>

#define HEED__MAX_STEPS (1 << 20) /* limit of heed_concat */

/* Returns a list of the T steps of x (T, ...), each a view (1, ...), borrowed from the innermost scope. Returns NULL
 * after heed_fail on behalf of `where`: HEED_ERR_UNSUPPORTED for more than HEED__MAX_STEPS. */
heed_tensor **heed__steps_split(const char *where, heed_tensor *x);

/* Frees the list, not the steps. */
void heed__steps_free(heed_tensor **steps, int64_t T);

#endif
