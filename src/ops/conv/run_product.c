/* ops/conv/run_product.c - convolutions of 1 x 1 without padding, as matrix products: planes are rows of positions and
 * w (O, C) is a matrix, so ops/product does all the packing. With a stride, the positions read from x are gathered
 * first, for several images at a time. */

#include <string.h>

#include "core/memory.h"
#include "ops/conv/run.h"
#include "ops/product/multiply.h"

enum {
    /* minimum positions of an image; images with fewer are processed as patches, several together */
    LEAST_POSITIONS = 64,
    IDLE_PART = 4,         /* the last tile may waste 1 / IDLE_PART of the positions */
    TOGETHER = 256 << 10,  /* elements of images gathered at a time */
    PLANES_WORK = 1 << 12, /* minimum elements of planes per range of the parallel loop */
};

static int64_t positions_of(const heed__conv *c)
{
    return c->y[0] * c->y[1];
}

bool heed__conv_is_product(const heed__conv *c)
{
    bool plain = c->groups == 1;
    for (int i = 0; i < 2; i++)
        plain = plain && c->w[i] == 1 && c->before[i] == 0 && (c->x[i] - 1) / c->stride[i] >= c->y[i] - 1;
    const int64_t n = positions_of(c), idle = heed__ceil_div(n, HEED_MATMUL_COLUMNS) * HEED_MATMUL_COLUMNS - n;
    return plain && n >= LEAST_POSITIONS && idle <= n / IDLE_PART;
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
    int64_t channels;
    const void *bias; /* if x is the result: also fills its elements between the positions */
    int64_t at_once;  /* images processed at a time */
    void *together;   /* the elements of `at_once` images at the positions; NULL if planes are used in place */
    size_t bytes;
    char *x;
} planes_job;

static bool begin_planes(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *bias,
                         planes_job *p)
{
    const int64_t images = x->shape.dims[0], channels = x->shape.dims[1], image = channels * positions_of(c);
    *p = (planes_job){
        .planes = {{c->x[0], c->x[1]}, {c->stride[0], c->stride[1]}, {c->y[0], c->y[1]}},
        .dtype = x->dtype,
        .channels = channels,
        .bias = bias ? bias->data : NULL,
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

static void gather(int64_t begin, int64_t end, void *context)
{
    const planes_job *p = context;
    HEED__RUN(conv_gather, p->dtype, &p->planes, begin, end, p->x, p->together);
}

static void spread(int64_t begin, int64_t end, void *context)
{
    const planes_job *p = context;
    HEED__RUN(conv_spread, p->dtype, &p->planes, begin, end, p->together, p->bias, p->channels, p->x);
}

/* Runs fn over `images` images from x on. */
static void run_planes(planes_job *p, char *x, int64_t images, heed__range_fn *fn)
{
    const int64_t plane = p->planes.size[0] * p->planes.size[1];
    p->x = x;
    heed__parallel_for(images * p->channels, 1 + PLANES_WORK / plane, plane, fn, p);
}

/* -- Products ------------------------------------------------------------------------------------------------------ */

/* Computes for every image the product w x, (O, C) (C, P) -> (O, P), or w^T g, (C, O) (O, P) -> (C, P), if
 * `transposed`. O and C are numbers of channels, P is the number of positions. */
bool heed__conv_run_product(const char *where, const heed__conv *c, const heed_tensor *from, const heed_tensor *w,
                            bool transposed, const heed_tensor *bias, heed_tensor *to)
{
    const int64_t images = from->shape.dims[0], n = positions_of(c), k = from->shape.dims[1], m = to->shape.dims[1];
    heed__matmul_args args = {.m = m,
                              .n = n,
                              .k = k,
                              .a = w->data,
                              .a_row = transposed ? 1 : k,
                              .a_col = transposed ? m : 1,
                              .b_row = n,
                              .b_col = 1,
                              .b_batch = k * n,
                              .c_batch = m * n,
                              .bias = bias ? bias->data : NULL,
                              .bias_of_rows = true};
    planes_job p;
    bool good = begin_planes(where, c, transposed ? to : from, bias, &p);
    for (int64_t i = 0; i < images && good; i += p.at_once) {
        const bool gathers = p.together && !transposed, spreads = p.together && transposed;
        args.batches = heed__conv_least(images - i, p.at_once);
        args.b = gathers ? p.together : image_of(from, i);
        args.c = spreads ? p.together : image_of(to, i);
        if (gathers)
            run_planes(&p, image_of(from, i), args.batches, gather);
        good = heed__multiply_in_full(where, from->dtype, &args);
        if (good && spreads)
            run_planes(&p, image_of(to, i), args.batches, spread);
    }
    end_planes(&p);
    return good;
}

bool heed__conv_weight_is_product(const heed__conv *c, const heed_tensor *x, const heed_tensor *dw)
{
    return heed__conv_is_product(c) && dw->numel <= x->numel / 2;
}

/* Computes g x^T, (O, P) (P, C) -> (O, C), for every image from `first` on. */
static bool multiply_images(const char *where, planes_job *p, const heed_tensor *x, const heed_tensor *g, int64_t first,
                            int64_t images, void *to)
{
    const int64_t n = p->planes.positions[0] * p->planes.positions[1], rows = g->shape.dims[1], channels = p->channels;
    if (p->together)
        run_planes(p, image_of(x, first), images, gather);
    return heed__multiply_in_full(where, x->dtype,
                                  &(heed__matmul_args){.m = rows,
                                                       .n = channels,
                                                       .k = n,
                                                       .a = image_of(g, first),
                                                       .a_row = n,
                                                       .a_col = 1,
                                                       .b = p->together ? p->together : image_of(x, first),
                                                       .b_row = 1,
                                                       .b_col = n,
                                                       .c = to,
                                                       .batches = images,
                                                       .a_batch = rows * n,
                                                       .b_batch = channels * n,
                                                       .c_batch = rows * channels});
}

/* Computes the gradients of several images at a time, which together take no more memory than x, and adds them to the
 * sum so far. */
bool heed__conv_weight_run_product(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                                   heed_tensor *dw)
{
    planes_job p;
    bool good = begin_planes(where, c, x, NULL, &p);
    const int64_t images = x->shape.dims[0], at_once = heed__conv_least(p.at_once, x->numel / dw->numel - 1);
    const size_t one = (size_t)dw->numel * heed_dtype_size(dw->dtype), bytes = (size_t)(at_once + 1) * one;
    char *before = good ? heed__alloc(where, bytes) : NULL;
    good = before;
    for (int64_t i = 0, n; i < images && good; i += n) {
        n = heed__conv_least(images - i, at_once);
        good = multiply_images(where, &p, x, g, i, n, before + one);
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
