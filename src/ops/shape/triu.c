/* ops/shape/triu.c    y[..., i, j] = x[..., i, j] if j - i >= diagonal, else 0.    dx = triu(g) */

#include "ops/shape/triangle.h"

const heed_op heed_op_triu = {.name = "triu", HEED__TRIANGLE(heed__upper)};

heed_tensor *heed_triu(heed_tensor *x, int64_t diagonal)
{
    return heed__apply1(&heed_op_triu, x, &diagonal);
}
