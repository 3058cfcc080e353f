/* ops/logic/all.c    y = true if x is true everywhere along some axes, or if x is empty there.    No gradient */

#include "ops/logic/logic.h"

static void of_masks(int64_t outer, int64_t r, int64_t inner, const void *x_, void *y_)
{
    const uint8_t *x = x_;
    uint8_t *restrict y = y_;
    for (int64_t o = 0; o < outer; o++, x += r * inner, y += inner) {
        if (inner == 1) {
            y[0] = r > 0 ? memchr(x, 0, (size_t)r) == NULL : true;
            continue;
        }
        memset(y, true, (size_t)inner);
        for (int64_t j = 0; j < r; j++)
            for (int64_t i = 0; i < inner; i++)
                y[i] &= x[j * inner + i];
    }
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__reduce_params *params = call->params;
    return heed__reduce("all", of_masks, call->inputs[0], params->mask, out[0]);
}

const heed_op heed_op_all = {
    .name = "all",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__reduce_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__reduce_params, mask), HEED_FIELD(heed__reduce_params, keepdim)),
    .infer = heed__infer_mask_reduction,
    .forward = forward,
};

heed_tensor *heed_all_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("all_axes");
    return heed__apply_reduction("all_axes", &heed_op_all, x, axes, keepdim);
}

heed_tensor *heed_all(heed_tensor *x)
{
    return heed__apply_reduction("all", &heed_op_all, x, HEED_ALL_AXES, false);
}
