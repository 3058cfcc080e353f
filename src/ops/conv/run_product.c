/* ops/conv/run_product.c - convolutions of 1 x 1 that read planes as they lie are products of matrices: planes are rows of
 * positions, w (O, C) is a matrix, and nothing is packed or written twice that ops/product does not. */

#include <string.h>

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

bool heed__conv_weight_is_product(const heed__conv *c, const heed_tensor *x, const heed_tensor *dw)
{
    return heed__conv_is_product(c) && dw->numel <= x->numel / 2;
}

/* (O, C) = (O, P) (C, P)' of each image from `first` on. */
static bool multiply_images(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                            int64_t first, int64_t images, void *to)
{
    const int64_t n = positions_of(c), rows = g->shape.dims[1], channels = x->shape.dims[1];
    const int64_t size = (int64_t)heed_dtype_size(x->dtype);
    return heed__multiply_in_full(where, x->dtype,
                                  &(heed__matmul_args){.m = rows,
                                                       .n = channels,
                                                       .k = n,
                                                       .a = (const char *)g->data + first * rows * n * size,
                                                       .a_row = n,
                                                       .a_col = 1,
                                                       .b = (const char *)x->data + first * channels * n * size,
                                                       .b_row = 1,
                                                       .b_col = n,
                                                       .c = to,
                                                       .batches = images,
                                                       .a_batch = rows * n,
                                                       .b_batch = channels * n,
                                                       .c_batch = rows * channels});
}

/* As many images at a time as take no more memory than x, and the sum of them and of those before. */
bool heed__conv_weight_run_product(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                                   heed_tensor *dw)
{
    const int64_t images = x->shape.dims[0], at_once = heed__conv_least(images, x->numel / dw->numel - 1);
    const size_t one = (size_t)dw->numel * heed_dtype_size(dw->dtype), bytes = (size_t)(at_once + 1) * one;
    char *before = heed__alloc(where, bytes);
    bool good = before;
    for (int64_t i = 0, n; i < images && good; i += n) {
        n = heed__conv_least(images - i, at_once);
        good = multiply_images(where, c, x, g, i, n, before + one);
        if (good) {
            HEED__RUN(sum, dw->dtype, 1, i > 0 ? n + 1 : n, dw->numel, i > 0 ? before : before + one, dw->data);
            memcpy(before, dw->data, one);
        }
    }
    if (before)
        heed_free(before, bytes);
    return good;
}
