/* ops/conv/run.h - shared by convolution (run.c, run_winograd.c, run_product.c) and its gradients with respect to x
 * (run_by_x.c) and the weights (run_weight.c). path.c chooses the algorithm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_CONV_RUN_H
#define HEED_OPS_CONV_RUN_H

#include "core/parallel.h"
#include "ops/conv/conv.h"

/* HEED_CONV_BAND_ELEMENTS was halved and doubled as the constants of path.c: no case of W10 and N10 changes its height.
 * The others divide work among threads. */
enum {
    HEED_CONV_RANGE_WORK = 1 << 17,     /* minimum multiplications of a range of the parallel loop */
    HEED_CONV_OPERATIONS = 16,          /* multiplications that take as long as one operation of other work */
    HEED_CONV_BAND_ELEMENTS = 48 << 10, /* maximum elements of the copy of a band of x plus its results */
};

/* Which of y, x (a gradient or a transposed convolution) and w (a gradient) is computed. */
typedef enum heed__conv_result { HEED_CONV_Y, HEED_CONV_X, HEED_CONV_W } heed__conv_result;

/* The algorithms. Lines, bands and channels read their terms from copies of bands of x: for one row of w per group, for
 * few rows, and for enough rows to fill registers. */
typedef enum heed__conv_path {
    HEED_CONV_PATCHES,    /* a product of w and packed patches of x; for any sizes */
    HEED_CONV_BANDS,      /* kernels/conv/band.h, weight_band.h */
    HEED_CONV_BY_CHANNEL, /* kernels/conv/by_channel.h */
    HEED_CONV_LINES,      /* kernels/conv/lines.h */
    HEED_CONV_WINOGRAD,   /* kernels/conv/winograd.h */
    HEED_CONV_PRODUCT,    /* ops/product */
} heed__conv_path;

/* One product per group. The arrays of consecutive groups begin x_group, w_group, packed_group and y_group elements
 * apart. */
typedef struct heed__conv_job {
    heed_dtype dtype;
    heed__conv_args args;
    heed__conv_pack_args pack;
    int64_t size; /* bytes per element */
    int64_t x_group, w_group, packed_group, y_group;
    heed__conv_path path;
    heed__winograd_form form; /* for WINOGRAD */
    int64_t height, bands;    /* for bands and lines: the height of a band; by channel: the bands of a block */
    int64_t blocks, parts;    /* blocks of positions and parts of rows */
} heed__conv_job;

/* The only function that chooses a path: sets the path, form, height and bands of n jobs, which are one convolution of
 * all taps or, for x, one per remainder of the stride. Their axes and sizes must be set. Winograd's algorithm is chosen
 * only if `winograd`. */
void heed__conv_choose(const heed__conv *c, heed__conv_result result, heed__conv_job *jobs, int64_t n, bool winograd);

/* Returns a job with all fields except the axes set from the shapes. w may be NULL. `x` is the input and y the result,
 * for conv_transpose as well. */
heed__conv_job heed__conv_job_of(const heed__conv *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *y);

/* Sets the axes and the taps of a forward convolution. If planes are read and written in memory order, every plane is
 * treated as one row. */
void heed__conv_set_forward(const heed__conv *c, heed__conv_job *job);

/* Sets jobs to the next remainders of the stride of x to which taps contribute, from remainder *next on, and advances
 * *next. Returns their number: at most HEED_CONV_REMAINDERS, and 0 after the last one. `all` is a job without axes. */
int64_t heed__conv_remainders(const heed__conv *c, const heed__conv_job *all, int64_t *next,
                              heed__conv_job jobs[HEED_CONV_REMAINDERS]);

/* Runs n convolutions of the same images by the paths chosen for them, other than PRODUCT. Returns false after
 * heed_fail. */
bool heed__conv_run_jobs(const char *where, const heed__conv *c, heed__conv_result result, const heed__conv_job *jobs,
                         int64_t n);

/* Winograd's algorithm (run_winograd.c). Images with non-finite results are computed again by other paths. With the
 * form SPREAD, the jobs are all remainders of the stride. Returns false after heed_fail. */
bool heed__conv_run_winograd(const char *where, const heed__conv *c, heed__conv_result result,
                             const heed__conv_job *jobs, int64_t n);

/* Convolutions of 1 x 1 without padding (run_product.c): conv, its gradient with respect to x, and with respect to w.
 * */
bool heed__conv_run_product(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *w,
                            const heed_tensor *bias, heed_tensor *y);
bool heed__conv_run_product_by_x(const char *where, const heed__conv *c, const heed_tensor *g, const heed_tensor *w,
                                 const heed_tensor *bias, heed_tensor *x);
bool heed__conv_run_product_by_w(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                                 heed_tensor *dw);

heed__conv_args heed__conv_args_of_group(const heed__conv_job *job, int64_t group);

/* Allocates and packs w for the job's path. Returns the bytes of job->pack.to, which must be freed, or 0 after
 * heed_fail. */
size_t heed__conv_pack_weights(const char *where, heed__conv_job *job, int64_t groups);

/* Returns the number of parts into which the rows of w are split so that all threads have work. */
int64_t heed__conv_parts_of_rows(const heed__conv_job *job, int64_t groups);

/* Returns the args of a convolution that reads what all jobs read: the args of a single job or, for several jobs, args
 * whose axes cover the taps of all jobs, with one tap per element. */
heed__conv_args heed__conv_frame_of(const heed__conv_job *jobs, int64_t n);

static inline int64_t heed__conv_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t heed__conv_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
