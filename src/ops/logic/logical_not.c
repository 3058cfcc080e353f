/* ops/logic/logical_not.c    y = not x, for bool.    No gradient */

#include "ops/logic/logic.h"

HEED__PREDICATE_LOOP(of_mask, bool, !x)

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(of_mask, call->inputs[0], out[0], NULL);
    return true;
}

const heed_op heed_op_logical_not = {
    .name = "logical_not",
    .n_inputs = 1,
    .n_outputs = 1,
    .infer = heed__infer_logical,
    .forward = forward,
};

heed_tensor *heed_logical_not(heed_tensor *x)
{
    return heed__apply1(&heed_op_logical_not, x, NULL);
}
