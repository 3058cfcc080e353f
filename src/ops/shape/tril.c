/* ops/shape/tril.c    y[..., i, j] = x[..., i, j] if j - i <= diagonal, else 0.    dx = tril(g) */

#include "ops/shape/triangle.h"

const heed_op heed_op_tril = {.name = "tril", HEED__TRIANGLE(heed__lower)};

heed_tensor *heed_tril(heed_tensor *x, int64_t diagonal)
{
    return heed__apply1(&heed_op_tril, x, &diagonal);
}
