/* ops/logic/logic.c - the infer functions of ops with a bool result. See ops/logic/logic.h. */

#include "ops/logic/logic.h"

bool heed__infer_predicate(const heed_call *call, heed_meta *out)
{
    out->dtype = HEED_BOOL;
    out->shape = call->inputs[0]->shape;
    return true;
}

static bool check_masks(const heed_call *call)
{
    for (int i = 0; i < call->n_inputs; i++) {
        const heed_tensor *x = call->inputs[i];
        if (x->dtype != HEED_BOOL)
            return heed_fail_false(HEED_ERR_DTYPE, call->op->name, "input %d is %s %s: must be bool", i,
                                   heed_dtype_name(x->dtype), heed_shape_text(x->shape).s);
    }
    return true;
}

bool heed__infer_logical(const heed_call *call, heed_meta *out)
{
    if (!check_masks(call) || !heed__infer_predicate(call, out))
        return false;
    const heed_tensor *a = call->inputs[0], *b = call->inputs[call->n_inputs - 1];
    if (!heed_shape_broadcast(a->shape, b->shape, &out->shape))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "shapes %s and %s do not broadcast",
                               heed_shape_text(a->shape).s, heed_shape_text(b->shape).s);
    return true;
}

bool heed__infer_mask_reduction(const heed_call *call, heed_meta *out)
{
    const heed__reduce_params *params = call->params;
    out->dtype = HEED_BOOL;
    out->shape = heed__reduced_shape(&call->inputs[0]->shape, params->mask, params->keepdim);
    return check_masks(call);
}
