/* ops/conv/run.h - what runs a convolution (run.c, run_winograd.c, run_product.c) and its gradients by x (run_by_x.c)
 * and by the weights (run_weight.c) share. */
#ifndef HEED_OPS_CONV_RUN_H
#define HEED_OPS_CONV_RUN_H

#include "core/parallel.h"
#include "ops/conv/conv.h"

enum {
    HEED_CONV_RANGE_WORK = 1 << 17,     /* multiplications that are done in one go */
    HEED_CONV_OPERATIONS = 16,          /* multiplications that take as long as an operation of other work */
    HEED_CONV_BAND_ELEMENTS = 48 << 10, /* of a band's copy and results */
};

/* A product for each group, whose arrays begin so many elements apart. */
typedef struct heed__conv_job {
    heed_dtype dtype;
    heed__conv_args args;
    heed__conv_pack_args pack;
    int64_t size; /* of an element, in bytes */
    int64_t x_group, w_group, packed_group, y_group;
    int64_t blocks, parts; /* of positions and of rows */
    int64_t height, bands; /* of a band, and how many are done together; of no height: by patches */
} heed__conv_job;

heed__conv_args heed__conv_args_of_group(const heed__conv_job *job, int64_t group);

/* What x and y have besides planes; w may be NULL. Of conv_transpose `x` is what is read, too. */
heed__conv_job heed__conv_job_of(const heed__conv *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *y);

/* Planes that are read and written as they lie are one row. */
void heed__conv_forward_axes(const heed__conv *c, heed__conv_axis axis[2]);

/* Convolutions of the same images: of all taps, or of those of some remainders each. They are done together, some
 * images after others. False after heed_fail. */
bool heed__conv_run_products(const char *where, heed__conv_job *jobs, int64_t n, int64_t groups);

/* The same without Winograd's algorithm (run.c). */
bool heed__conv_run_directly(const char *where, heed__conv_job *jobs, int64_t n, int64_t groups);

/* One of them by it (run_winograd.c), if it suits, and in what form. Images with numbers that are not finite are done
 * by the n jobs `directly`. */
bool heed__conv_suits_winograd(const heed__conv_args *args, heed__winograd_form *form);
bool heed__conv_weight_suits_winograd(const heed__conv_args *args, heed__winograd_form *form);
bool heed__conv_run_winograd(const char *where, const heed__conv_job *job, heed__winograd_form form,
                             const heed__conv_job *directly, int64_t n, int64_t groups);

/* Whether that suits a gradient by x, whose `job` becomes that of all remainders. */
bool heed__conv_by_x_suits_winograd(const heed__conv *c, heed__conv_job *job);

/* Of one row of w for each group (run_lines.c). */
bool heed__conv_suits_lines(const heed__conv_job *jobs, int64_t n);
bool heed__conv_run_lines(const char *where, const heed__conv_job *jobs, int64_t n, int64_t groups);

/* Of 1 x 1 without padding (run_product.c). `transposed`: by x. */
bool heed__conv_is_product(const heed__conv *c);
bool heed__conv_run_product(const char *where, const heed__conv *c, const heed_tensor *from, const heed_tensor *w,
                            bool transposed, const heed_tensor *bias, heed_tensor *to);
bool heed__conv_weight_is_product(const heed__conv *c, const heed_tensor *x, const heed_tensor *dw);
bool heed__conv_weight_run_product(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                                   heed_tensor *dw);

/* So many that all threads have something to do. */
int64_t heed__conv_parts_of_rows(const heed__conv_job *job, int64_t groups);

/* No width, and no kernel, that alone takes more than a band's room, so that products of sizes do not overflow. */
static inline bool heed__conv_fits_band(const heed__conv_args *args)
{
    return heed__conv_terms(args) <= HEED_CONV_BAND_ELEMENTS &&
           heed__conv_band_width(args) <= HEED_CONV_BAND_ELEMENTS &&
           heed__conv_slots_of(&args->axis[0]).span <= HEED_CONV_BAND_ELEMENTS;
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
