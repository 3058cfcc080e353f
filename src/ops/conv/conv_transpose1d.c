/* ops/conv/conv_transpose1d.c - conv_transpose2d on planes of one row. */

#include "ops/conv/conv.h"

heed_tensor *heed_conv_transpose1d(heed_tensor *x, heed_tensor *w, heed_tensor *bias,
                                   const heed_conv_transpose_options *options)
{
    HEED_ENTER("conv_transpose1d");
    heed__conv conv;
    if (!heed__conv_transpose_of("conv_transpose1d", 1, x, w, options, &conv))
        return NULL;
    return heed_squeeze(heed__conv_transpose_apply(heed_unsqueeze(x, 2), heed_unsqueeze(w, 2), bias, &conv), 2);
}
