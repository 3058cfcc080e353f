/* ops/elementwise/elementwise.c - runs the kernels that an elementwise op's record names. */

#include "ops/elementwise/elementwise.h"

/* The numbers that the kernel takes; NULL where it takes none. */
static const double *numbers_of(const heed_call *call)
{
    return call->op->params_size > 0 ? call->params : NULL;
}

static const void *kernel_at(heed_dtype dtype, size_t offset)
{
    return (const char *)heed__kernels(dtype) + offset;
}

bool heed__unary_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__elementwise *kernels = call->op->data;
    heed__unary_kernel *const *kernel = kernel_at(out[0]->dtype, kernels->kernel);
    heed__map1(*kernel, call->inputs[0], out[0], numbers_of(call));
    return true;
}

bool heed__binary_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__elementwise *kernels = call->op->data;
    heed__binary_kernel *const *kernel = kernel_at(out[0]->dtype, kernels->kernel);
    heed__map2(*kernel, call->inputs[0], call->inputs[1], out[0], numbers_of(call));
    return true;
}

void heed__unary_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__elementwise *kernels = call->op->data;
    heed_tensor *kept = call->op->keeps & HEED_KEEP_OUTPUTS ? call->outputs[0] : call->inputs[0];
    heed__binary_kernel *const *gradient = kernel_at(kept->dtype, kernels->gradient);
    dx[0] = heed__new_map2(call->op->name, *gradient, kept, g[0], numbers_of(call));
}
