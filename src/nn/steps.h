/* nn/steps.h - splits a sequence into a list of its steps, for layers that process one step at a time. */
#ifndef HEED_NN_STEPS_H
#define HEED_NN_STEPS_H

#include <heed/tensor.h>

#define HEED__MAX_STEPS (1 << 20) /* limit of heed_concat */

/* Returns a list of the T steps of x (T, ...), which are views (1, ...) borrowed from the innermost scope. Returns NULL
 * after heed_fail with `where`, such as HEED_ERR_UNSUPPORTED for more than HEED__MAX_STEPS steps. */
heed_tensor **heed__steps_split(const char *where, heed_tensor *x);

/* Frees the list but not the steps. */
void heed__steps_free(heed_tensor **steps, int64_t T);

#endif
