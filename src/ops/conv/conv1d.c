/* ops/conv/conv1d.c - conv2d on planes of one row. */

#include "ops/conv/conv.h"

heed_tensor *heed_conv1d(heed_tensor *x, heed_tensor *w, heed_tensor *bias, const heed_conv_options *options)
{
    HEED_ENTER("conv1d");
    heed__conv conv;
    if (!heed__conv_of("conv1d", 1, x, w, options, &conv))
        return NULL;
    return heed_squeeze(heed__conv_apply(heed_unsqueeze(x, 2), heed_unsqueeze(w, 2), bias, &conv), 2);
}
