/* nn/steps.c - splits a sequence into a list of its steps. */

#include <inttypes.h>

#include <heed/memory.h>
#include <heed/ops.h>

#include "nn/steps.h"

/* Halves x repeatedly until every slice is one step; until then steps[i] is the slice that begins with step i. The
 * gradient of a slice is as large as the tensor that it was cut from, so backward costs T log T. T slices of x itself
 * would cost T^2. */
static bool split_in_halves(heed_tensor *x, heed_tensor **steps, int64_t T)
{
    int64_t half = 1;
    while (half < T)
        half *= 2;
    if (T > 0)
        steps[0] = x;
    for (half /= 2; half >= 1; half /= 2)
        for (int64_t i = 0; i + half < T; i += 2 * half) {
            heed_tensor *whole = steps[i];
            steps[i] = heed_slice(whole, 0, 0, half, 1);
            steps[i + half] = heed_slice(whole, 0, half, HEED_END, 1);
            if (!steps[i] || !steps[i + half])
                return false;
        }
    return true;
}

heed_tensor **heed__steps_split(const char *where, heed_tensor *x)
{
    if (!x)
        return NULL;
    int64_t T = heed_dim(x, 0);
    if (T > HEED__MAX_STEPS)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where, "%" PRId64 " steps: must be at most %d", T, HEED__MAX_STEPS);
    heed_tensor **steps = heed_alloc((size_t)T * sizeof *steps);
    if (steps && !split_in_halves(x, steps, T)) {
        heed__steps_free(steps, T);
        return NULL;
    }
    return steps;
}

void heed__steps_free(heed_tensor **steps, int64_t T)
{
    heed_free(steps, (size_t)T * sizeof *steps);
}
