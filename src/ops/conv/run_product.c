/* ops/conv/run_product.c - convolutions of 1 x 1 without padding, as matrix products: planes are rows of positions and
 * w (O, C) is a matrix, so ops/product does all the packing. With a stride, the positions read from x are gathered
 * first, for several images at a time.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "core/memory.h"
#include "ops/conv/run.h"
#include "ops/product/multiply.h"

/* TOGETHER was measured as the constants of path.c: half and twice the value differ by 4 % at most, in both directions.
 * */
enum {
    TOGETHER = 256 << 10,  /* elements of images gathered at a time */
    PLANES_WORK = 1 << 12, /* minimum elements of planes per range of the parallel loop */
};

static int64_t positions_in_plane(const heed__conv *c)
{
    return c->y[0] * c->y[1];
}

/* The data of t from image i on. */
static char *image_of(const heed_tensor *t, int64_t i)
{
    return (char *)t->data + i * (t->numel / t->shape.dims[0]) * (int64_t)heed_dtype_size(t->dtype);
}

/* -- Gathered positions -------------------------------------------------------------------------------------------- */

typedef struct planes_job {
    heed__conv_planes planes;
    heed_dtype dtype;
    int64_t at_once; /* images processed at a time */
    void *together;  /* the elements of `at_once` images at the positions; NULL if planes are used in place */
    size_t bytes;
    char *x;
} planes_job;

static bool begin_planes(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *bias,
                         planes_job *p)
{
    const int64_t images = x->shape.dims[0], channels = x->shape.dims[1], image = channels * positions_in_plane(c);
    *p = (planes_job){
        .planes = {.size = {c->x[0], c->x[1]},
                   .step = {c->stride[0], c->stride[1]},
                   .positions = {c->y[0], c->y[1]},
                   .bias = bias ? bias->data : NULL,
                   .channels = channels},
        .dtype = x->dtype,
        .at_once = images,
    };
    if (c->x[0] == c->y[0] && c->x[1] == c->y[1])
        return true;
    const int64_t parts = 1 + images * image / TOGETHER;
    p->at_once = heed__ceil_div(images, parts);
    p->bytes = (size_t)(p->at_once * image) * heed_dtype_size(x->dtype);
    p->together = heed__alloc(where, p->bytes);
    return p->together;
}

static void end_planes(planes_job *p)
{
    if (p->together)
        heed_free(p->together, p->bytes);
}

static void gather_planes(int64_t begin, int64_t end, void *context)
{
    const planes_job *p = context;
    HEED__RUN(conv_gather, p->dtype, &p->planes, begin, end, p->x, p->together);
}

static void spread_planes(int64_t begin, int64_t end, void *context)
{
    const planes_job *p = context;
    HEED__RUN(conv_spread, p->dtype, &p->planes, begin, end, p->together, p->x);
}

/* Runs fn over `images` images from x on. */
static void run_on_planes(planes_job *p, char *x, int64_t images, heed__range_fn *fn)
{
    const int64_t plane = p->planes.size[0] * p->planes.size[1];
    p->x = x;
    heed__parallel_for(images * p->planes.channels, 1 + PLANES_WORK / plane, plane, fn, p);
}

/* -- Products ------------------------------------------------------------------------------------------------------ */

/* The tensors of a product. */
typedef struct product_tensors {
    const heed_tensor *from, *w, *bias, *to;
} product_tensors;

/* Computes for every image the product w x, (O, C) (C, P) -> (O, P), or w^T g, (C, O) (O, P) -> (C, P), if
 * `transposed`. O and C are numbers of channels, P is the number of positions. */
static bool run_product(const char *where, const heed__conv *c, bool transposed, product_tensors t)
{
    const int64_t images = t.from->shape.dims[0], n = positions_in_plane(c), k = t.from->shape.dims[1],
                  m = t.to->shape.dims[1];
    heed__matmul_args args = {.m = m,
                              .n = n,
                              .k = k,
                              .a = t.w->data,
                              .a_row = transposed ? 1 : k,
                              .a_col = transposed ? m : 1,
                              .b_row = n,
                              .b_col = 1,
                              .b_batch = k * n,
                              .c_batch = m * n,
                              .bias = t.bias ? t.bias->data : NULL,
                              .bias_of_rows = true};
    planes_job p;
    bool good = begin_planes(where, c, transposed ? t.to : t.from, t.bias, &p);
    for (int64_t i = 0; i < images && good; i += p.at_once) {
        const bool gathers = p.together && !transposed, spreads = p.together && transposed;
        args.batches = heed__conv_least(images - i, p.at_once);
        args.b = gathers ? p.together : image_of(t.from, i);
        args.c = spreads ? p.together : image_of(t.to, i);
        if (gathers)
            run_on_planes(&p, image_of(t.from, i), args.batches, gather_planes);
        good = heed__multiply_in_full(where, t.from->dtype, &args);
        if (good && spreads)
            run_on_planes(&p, image_of(t.to, i), args.batches, spread_planes);
    }
    end_planes(&p);
    return good;
}

bool heed__conv_run_product(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *w,
                            const heed_tensor *bias, heed_tensor *y)
{
    return run_product(where, c, false, (product_tensors){x, w, bias, y});
}

bool heed__conv_run_product_by_x(const char *where, const heed__conv *c, const heed_tensor *g, const heed_tensor *w,
                                 const heed_tensor *bias, heed_tensor *x)
{
    return run_product(where, c, true, (product_tensors){g, w, bias, x});
}

/* Computes g x^T, (O, P) (P, C) -> (O, C), for several images at a time, whose results together take no more memory
 * than x, and adds them to the sum so far. */
bool heed__conv_run_product_by_w(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                                 heed_tensor *dw)
{
    planes_job p;
    bool good = begin_planes(where, c, x, NULL, &p);
    const int64_t images = x->shape.dims[0], at_once = heed__conv_least(p.at_once, x->numel / dw->numel - 1);
    const size_t one = (size_t)dw->numel * heed_dtype_size(dw->dtype), bytes = (size_t)(at_once + 1) * one;
    char *before = good ? heed__alloc(where, bytes) : NULL;
    good = before;
    heed__matmul_args args = {
        .m = g->shape.dims[1], .n = p.planes.channels, .k = positions_in_plane(c), .a_col = 1, .b_row = 1};
    args.a_row = args.b_col = args.k;
    args.a_batch = args.m * args.k;
    args.b_batch = args.n * args.k;
    args.c_batch = args.m * args.n;
    args.c = good ? before + one : NULL;
    for (int64_t i = 0, n; i < images && good; i += n) {
        args.batches = n = heed__conv_least(images - i, at_once);
        if (p.together)
            run_on_planes(&p, image_of(x, i), n, gather_planes);
        args.a = image_of(g, i);
        args.b = p.together ? p.together : image_of(x, i);
        good = heed__multiply_in_full(where, x->dtype, &args);
        if (good) {
            HEED__RUN(sum, dw->dtype, 1, i > 0 ? n + 1 : n, dw->numel, i > 0 ? before : before + one, dw->data);
            memcpy(before, dw->data, one);
        }
    }
    if (before)
        heed_free(before, bytes);
    end_planes(&p);
    return good;
}
