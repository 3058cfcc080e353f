/* ops/conv/run.h - shared by convolution (run.c, run_winograd.c, run_product.c) and its gradients with respect to x
 * (run_by_x.c) and the weights (run_weight.c). */
#ifndef HEED_OPS_CONV_RUN_H
#define HEED_OPS_CONV_RUN_H

#include "core/parallel.h"
#include "ops/conv/conv.h"

enum {
    HEED_CONV_RANGE_WORK = 1 << 17,     /* minimum multiplications of a range of the parallel loop */
    HEED_CONV_OPERATIONS = 16,          /* multiplications that take as long as one operation of other work */
    HEED_CONV_BAND_ELEMENTS = 48 << 10, /* maximum elements of the copy of a band of x plus its results */
};

/* One product per group. The arrays of consecutive groups begin x_group, w_group, packed_group and y_group elements
 * apart. */
typedef struct heed__conv_job {
    heed_dtype dtype;
    heed__conv_args args;
    heed__conv_pack_args pack;
    int64_t size; /* bytes per element */
    int64_t x_group, w_group, packed_group, y_group;
    int64_t blocks, parts; /* blocks of positions and parts of rows */
    int64_t height, bands; /* height of a band (0 means patches), and bands processed together */
} heed__conv_job;

heed__conv_args heed__conv_args_of_group(const heed__conv_job *job, int64_t group);

/* Returns a job with all fields except the axes set from the shapes. w may be NULL. `x` is the input and y the result,
 * for conv_transpose as well. */
heed__conv_job heed__conv_job_of(const heed__conv *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *y);

/* Sets the axes of a forward convolution. If planes are read and written in memory order, every plane is treated as one
 * row. */
void heed__conv_forward_axes(const heed__conv *c, heed__conv_axis axis[2]);

/* Runs n convolutions of the same images: one with all taps, or one per remainder of the stride. All n convolutions of
 * a few images are computed before the next images. Returns false after heed_fail. */
bool heed__conv_run_products(const char *where, heed__conv_job *jobs, int64_t n, int64_t groups);

/* Like heed__conv_run_products, but never uses Winograd's algorithm (run.c). */
bool heed__conv_run_directly(const char *where, heed__conv_job *jobs, int64_t n, int64_t groups);

/* Winograd's algorithm (run_winograd.c). The first two functions return true if it suits a convolution or a gradient
 * with respect to w, and set *form to its form. heed__conv_run_winograd runs it and computes images with non-finite
 * results again by the n jobs `directly`; returns false after heed_fail. */
bool heed__conv_suits_winograd(const heed__conv_args *args, heed__winograd_form *form);
bool heed__conv_weight_suits_winograd(const heed__conv_args *args, heed__winograd_form *form);
bool heed__conv_run_winograd(const char *where, const heed__conv_job *job, heed__winograd_form form,
                             const heed__conv_job *directly, int64_t n, int64_t groups);

/* Returns true if Winograd's algorithm suits a gradient with respect to x. Sets the axes and weights of *job so that it
 * computes all remainders of the stride. */
bool heed__conv_by_x_suits_winograd(const heed__conv *c, heed__conv_job *job);

/* Convolutions with one row of w per group (run_lines.c). */
bool heed__conv_suits_lines(const heed__conv_job *jobs, int64_t n);
bool heed__conv_run_lines(const char *where, const heed__conv_job *jobs, int64_t n, int64_t groups);

/* Convolutions of 1 x 1 without padding (run_product.c). With `transposed`, heed__conv_run_product computes the
 * gradient with respect to x. */
bool heed__conv_is_product(const heed__conv *c);
bool heed__conv_run_product(const char *where, const heed__conv *c, const heed_tensor *from, const heed_tensor *w,
                            bool transposed, const heed_tensor *bias, heed_tensor *to);
bool heed__conv_weight_is_product(const heed__conv *c, const heed_tensor *x, const heed_tensor *dw);
bool heed__conv_weight_run_product(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                                   heed_tensor *dw);

/* Returns the number of parts into which the rows of w are split so that all threads have work. */
int64_t heed__conv_parts_of_rows(const heed__conv_job *job, int64_t groups);

/* Returns true if no single width or kernel exceeds the capacity of a band, so that products of sizes do not
 * overflow. */
static inline bool heed__conv_fits_band(const heed__conv_args *args)
{
    return heed__conv_terms(args) <= HEED_CONV_BAND_ELEMENTS &&
           heed__conv_band_width(args) <= HEED_CONV_BAND_ELEMENTS &&
           heed__conv_slots_of(&args->axis[0]).extra <= HEED_CONV_BAND_ELEMENTS;
}

static inline int64_t heed__conv_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t heed__conv_most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
