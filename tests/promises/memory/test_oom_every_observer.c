/* tests/promises/memory/test_oom_every_observer.c - every allocating function of heed/observe.h and heed/inspect.h
 * without memory.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <unistd.h>

#include "oom_inputs.h"

/* Checks again a pass that had a NaN before, forward and backward. */
static bool anomaly(double *value)
{
    bool ok = heed_set_anomaly(true) == HEED_OK;
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), (double)NAN, 1), true);
    heed_tensor *y = x ? heed_mul(heed_flip(x, HEED_AXES(0)), heed_square(heed_detach(x))) : NULL;
    ok = ok && y && heed_backward(heed_sum(y)) == HEED_OK;
    ok = ok && heed_add(heed_expand(heed_detach(x), HEED_SHAPE(3, 2)), heed_slice(oom.plain, 1, 0, 2, 1));
    *value = 1;
    return heed_set_anomaly(false) == HEED_OK && ok;
}

static bool summary(double *value)
{
    FILE *file = tmpfile();
    heed_module *m = heed_module_new("frame", sizeof *m);
    heed_nn_sequential *net = m ? heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 3, NULL))) : NULL;
    bool ok = net && heed_module_buffer(&net->base, "plain", oom.plain) != NULL && file;
    for (int i = 0; i < 20 && ok; i++)
        ok = heed_nn_sequential_add(net, heed_nn_function_new("tanh", heed_tanh)) == HEED_OK;
    ok = ok && heed_module_summary(&net->base, heed_ones(HEED_F32, HEED_SHAPE(2, 3)), file) == HEED_OK;
    *value = ok ? (double)ftell(file) : 0.0;
    if (file)
        fclose(file);
    (void)heed_module_free(m);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

static heed_tensor *forward(heed_module *m, void *user)
{
    return heed_module_forward(m, user);
}

static bool summary_with(double *value)
{
    FILE *file = tmpfile();
    heed_nn_linear *net = heed_nn_linear_new(3, 3, &(heed_nn_linear_options){.dtype = HEED_F64});
    bool ok = net && file && heed_module_summary_with(&net->base, forward, oom.plain, file) == HEED_OK;
    *value = ok ? (double)ftell(file) : 0.0;
    if (file)
        fclose(file);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

static bool profile(double *value)
{
    char path[] = "/tmp/heed-oom-XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = tmpfile();
    bool ok = fd >= 0 && file && heed_profile_begin(path, &(heed_profile_options){.memory = 1 << 16}) == HEED_OK;
    if (ok) {
        ok = heed_exp(oom.plain) != NULL;
        ok = heed_profile_end(file) == HEED_OK && ok;
    }
    ok = ok && heed_profile_begin(NULL, NULL) == HEED_OK && heed_profile_end(file) == HEED_OK;
    *value = 1;
    if (file)
        fclose(file);
    (void)close(fd);
    (void)unlink(path);
    return ok;
}

OOM_MAIN("oom_every_observer", OOM(anomaly), OOM(summary), OOM(summary_with), OOM(profile))
