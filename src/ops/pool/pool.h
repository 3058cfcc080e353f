/* ops/pool/pool.h - sizes, windows and planes, shared by all pooling ops. */
#ifndef HEED_OPS_POOL_POOL_H
#define HEED_OPS_POOL_POOL_H

#include "ops/conv/conv.h"

/* The params of max_pool2d and avg_pool2d. In 1-D pooling, element 0 of the arrays describes an axis of size 1. */
typedef struct heed__pool {
    int axes;
    int64_t size[2], out[2]; /* sizes of a plane of x and of y */
    bool adaptive;           /* true: the following fields are unused */
    int64_t kernel[2], stride[2], padding[2], dilation[2];
    bool exclude_pad;
    int64_t divisor;
    bool adjoint; /* avg_pool2d only: maps y's planes to x's */
} heed__pool;

#define HEED__POOL_FIELDS                                                                                              \
    HEED_FIELDS(HEED_FIELD(heed__pool, axes), HEED_FIELD(heed__pool, size), HEED_FIELD(heed__pool, out),               \
                HEED_FIELD(heed__pool, adaptive), HEED_FIELD(heed__pool, kernel), HEED_FIELD(heed__pool, stride),      \
                HEED_FIELD(heed__pool, padding), HEED_FIELD(heed__pool, dilation),                                     \
                HEED_FIELD(heed__pool, exclude_pad), HEED_FIELD(heed__pool, divisor), HEED_FIELD(heed__pool, adjoint))

/* Set the params. Return false after heed_fail. */
bool heed__pool_of(const char *where, int axes, const heed_tensor *x, const heed_shape *kernel,
                   const heed_max_pool_options *options, heed__pool *pool);
bool heed__adaptive_pool_of(const char *where, int axes, const heed_tensor *x, const heed_shape *size,
                            heed__pool *pool);

/* Checks that the params fit x, whose planes have the size `plane`. */
bool heed__check_pool(const heed_call *call, const int64_t plane[2]);

/* x's shape with planes of the size `plane`. */
heed_shape heed__pool_shape(const heed__pool *pool, const heed_shape *shape, const int64_t plane[2]);

/* The windows of both axes; free with heed__windows_end. */
typedef struct heed__windows {
    heed__window *at[2];
    heed__pool_args args; /* the kernels' arguments */
} heed__windows;
bool heed__windows_begin(const char *where, const heed__pool *pool, heed__windows *windows); /* false after heed_fail */
void heed__windows_end(heed__windows *windows);

/* The planes of a tensor of `numel` elements: their number, and the grain and cost of the parallel loop over them. */
typedef struct heed__planes {
    int64_t count, grain, cost;
} heed__planes;
heed__planes heed__planes_of(const heed__pool_args *args, int64_t numel, const int64_t plane[2]);

/* heed__max_pool returns y and stores the indices of the largest elements in *indices unless `indices` is NULL. */
heed_tensor *heed__max_pool(heed_tensor *x, const heed__pool *pool, heed_tensor **indices);
heed_tensor *heed__avg_pool(heed_tensor *x, const heed__pool *pool);
bool heed__avg_pool_of(const char *where, int axes, const heed_tensor *x, const heed_shape *kernel,
                       const heed_avg_pool_options *options, heed__pool *pool);

#endif
