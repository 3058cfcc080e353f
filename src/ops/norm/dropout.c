/* ops/norm/dropout.c    y = 0 with probability p, else x / (1 - p).    dx = the same op, applied to g
 *
 * Every element has a random word, a function of the generator's seed, the generator's position at the call, and the
 * element's row-major index (kernels/elementwise/dropout.h). The element is dropped if the word is below p 2^32 rounded
 * to an integer. The other elements are multiplied by 1 / (1 - p), computed in double and rounded to x's dtype. The op
 * is therefore its own adjoint, and backward needs only the parameters.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/generator.h"
#include "core/parallel.h"
#include "ops/support.h"

/* Elements per range of the parallel loop, and the approximate work per element. */
enum { RANGE = 16384, WORK = 8 };

typedef struct dropout_job {
    heed__dropout_kernel *kernel;
    const heed__dropout_numbers *args;
    int64_t size; /* bytes per element */
    const char *x;
    char *y;
} dropout_job;

static void drop_range(int64_t begin, int64_t end, void *context)
{
    const dropout_job *job = context;
    job->kernel(job->args, begin, end - begin, job->x + begin * job->size, job->y + begin * job->size);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    dropout_job job = {.kernel = HEED__KERNEL(dropout, x->dtype),
                       .args = call->params,
                       .size = (int64_t)heed_dtype_size(x->dtype),
                       .x = x->data,
                       .y = out[0]->data};
    heed__parallel_for(x->numel, RANGE, WORK, drop_range, &job);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed__apply1(&heed_op_dropout, g[0], call->params);
}

const heed_op heed_op_dropout = {
    .name = "dropout",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__dropout_numbers),
    .fields = HEED_FIELDS(HEED_FIELD(heed__dropout_numbers, factor)),
    .saved = HEED_SAVE_NOTHING,
    .contiguous = true,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
};

heed__dropout_numbers heed__dropout_args(uint64_t seed, uint64_t position, double p)
{
    return (heed__dropout_numbers){
        .seed = seed, .position = position, .threshold = (uint64_t)(p * 0x1p32 + 0.5), .factor = 1 / (1 - p)};
}

/* Reserves a position of the generator and applies the op. If the op fails, returns the position to the generator. */
static heed_tensor *drop(heed_tensor *x, double p)
{
    heed_generator *generator = heed__generator_current();
    heed__stream_position reserved;
    if (!heed__generator_reserve("dropout", generator, 1, &reserved))
        return NULL;
    heed__dropout_numbers args = heed__dropout_args(reserved.seed, reserved.position, p);
    heed_tensor *y = heed__apply1(&heed_op_dropout, x, &args);
    if (!y)
        heed__generator_return(generator, 1, reserved);
    return y;
}

heed_tensor *heed_dropout(heed_tensor *x, double p, bool training)
{
    HEED_ENTER("dropout");
    if (!heed__check_tensor("dropout", x) || !heed__check_float("dropout", x))
        return NULL;
    if (!(p >= 0 && p <= 1))
        return heed_fail_null(HEED_ERR_ARGUMENT, "dropout", "p is %g: must be in [0, 1]", p);
    return training && p > 0 ? drop(x, p) : heed__borrow("dropout", heed_retain(x));
}
