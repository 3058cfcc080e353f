/* ops/conv/run_product.c - convolutions of 1 x 1 that read planes as they lie are products of matrices: planes are rows of
 * positions, w (O, C) is a matrix, and nothing is packed or written twice that ops/product does not. */

#include "core/memory.h"
#include "ops/conv/run.h"
#include "ops/product/multiply.h"

enum {
    LEAST_POSITIONS = 64, /* fewer are put together with those of other images */
    IDLE_PART = 4,        /* of the positions may be idle in the last tile */
    FEW_SIDES = 4, /* times the positions: so many rows or channels, or the gradients of all images need much memory */
};

static int64_t positions_of(const heed__conv *c)
{
    return c->x[0] * c->x[1];
}

bool heed__conv_is_product(const heed__conv *c)
{
    bool plain = c->groups == 1;
    for (int i = 0; i < 2; i++)
        plain = plain && c->w[i] == 1 && c->stride[i] == 1 && c->before[i] == 0 && c->x[i] == c->y[i];
    const int64_t n = positions_of(c), idle = heed__ceil_div(n, HEED_MATMUL_COLUMNS) * HEED_MATMUL_COLUMNS - n;
    return plain && n >= LEAST_POSITIONS && idle <= n / IDLE_PART;
}

/* (O, P) = (O, C) (C, P) of each image, or (C, P) = (O, C)' (O, P) where `transposed`. */
bool heed__conv_run_product(const char *where, const heed__conv *c, const heed_tensor *from, const heed_tensor *w,
                            bool transposed, const heed_tensor *bias, heed_tensor *to)
{
    const int64_t n = positions_of(c), k = from->shape.dims[1], m = to->shape.dims[1];
    return heed__multiply_in_full(where, from->dtype,
                                  &(heed__matmul_args){.m = m,
                                                       .n = n,
                                                       .k = k,
                                                       .a = w->data,
                                                       .a_row = transposed ? 1 : k,
                                                       .a_col = transposed ? m : 1,
                                                       .b = from->data,
                                                       .b_row = n,
                                                       .b_col = 1,
                                                       .c = to->data,
                                                       .batches = from->shape.dims[0],
                                                       .b_batch = k * n,
                                                       .c_batch = m * n,
                                                       .bias = bias ? bias->data : NULL,
                                                       .bias_of_rows = true});
}

bool heed__conv_weight_is_product(const heed__conv *c, const heed_tensor *dw)
{
    const int64_t side = heed__conv_least(dw->shape.dims[0], dw->shape.dims[1]);
    return heed__conv_is_product(c) && side / FEW_SIDES <= positions_of(c);
}

/* (O, C) = (O, P) (C, P)' of each image, and the sum of these. */
bool heed__conv_weight_run_product(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                                   heed_tensor *dw)
{
    const int64_t n = positions_of(c), images = x->shape.dims[0], rows = g->shape.dims[1], channels = x->shape.dims[1];
    const size_t bytes = (size_t)(images * dw->numel) * heed_dtype_size(x->dtype);
    void *each = images == 1 ? dw->data : heed__alloc(where, bytes);
    const bool good = each && heed__multiply_in_full(where, x->dtype,
                                                     &(heed__matmul_args){.m = rows,
                                                                          .n = channels,
                                                                          .k = n,
                                                                          .a = g->data,
                                                                          .a_row = n,
                                                                          .a_col = 1,
                                                                          .b = x->data,
                                                                          .b_row = 1,
                                                                          .b_col = n,
                                                                          .c = each,
                                                                          .batches = images,
                                                                          .a_batch = rows * n,
                                                                          .b_batch = channels * n,
                                                                          .c_batch = dw->numel});
    if (good && images != 1)
        HEED__RUN(sum, x->dtype, 1, images, dw->numel, each, dw->data);
    if (each && images != 1)
        heed_free(each, bytes);
    return good;
}
