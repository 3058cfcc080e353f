/* kernels/conv/winograd_args.h - arguments of the kernels for convolution by Winograd's algorithm; part of kernels.h,
 * which includes it. winograd_points.h describes the algorithm. */
#ifndef HEED_KERNELS_CONV_WINOGRAD_ARGS_H
#define HEED_KERNELS_CONV_WINOGRAD_ARGS_H

#include "kernels/conv/args.h"

/* The kind of convolution along an axis with 3 adjacent taps. */
typedef enum heed__winograd_form {
    HEED_WINOGRAD_PLAIN,   /* a stride of 1 */
    HEED_WINOGRAD_STRIDED, /* a stride of 2 */
    HEED_WINOGRAD_SPREAD,  /* the gradient of STRIDED by x, with a padding of 1 */
} heed__winograd_form;

/* Numbers per tile and axis: elements read, step to the next tile, results, and in between points of x, products of
 * points, and sums. */
typedef struct heed__winograd_counts {
    int reads, step, results, points, products, sums;
} heed__winograd_counts;

static inline heed__winograd_counts heed__winograd_counts_of(heed__winograd_form form)
{
    static const heed__winograd_counts counts[] = {
        [HEED_WINOGRAD_PLAIN] = {.reads = 4, .step = 2, .results = 2, .points = 4, .products = 4, .sums = 4},
        [HEED_WINOGRAD_STRIDED] = {.reads = 5, .step = 4, .results = 2, .points = 5, .products = 5, .sums = 3},
        [HEED_WINOGRAD_SPREAD] = {.reads = 3, .step = 2, .results = 4, .points = 4, .products = 5, .sums = 5},
    };
    return counts[form];
}

enum {
    HEED_WINOGRAD_WEIGHTS = 16, /* points of w */
    HEED_WINOGRAD_TILES = 64,   /* tiles processed together */

    /* A transformed line of x has two halves, so that even and odd elements can be stored separately. A half has two
     * elements per tile, two more per span of tiles, and unused elements that fill up the last register. */
    HEED_WINOGRAD_HALF = 4 * HEED_WINOGRAD_TILES + 64,
    HEED_WINOGRAD_LINE = 2 * HEED_WINOGRAD_HALF,
    HEED_WINOGRAD_LINES = 6, /* points of one axis, and zeros */
};

/* Computes tiles of results; positions of `range` are tiles, with the same form on both axes. Adjacent taps are 1
 * apart, or -1 on both axes with a stride of 1. For SPREAD, positions are all of the result, of every remainder, and
 * `first` is the first index that the first tile reads. nonfinite[n] is set if a result of image n is not finite, even
 * if only an intermediate sum was too large. */
typedef int64_t heed__winograd_kernel(const heed__conv_args *args, heed__winograd_form form,
                                      const heed__conv_range *range, atomic_bool *nonfinite, void *scratch);

/* Packs w, whose taps are contiguous, for this kernel, with the last tap first if `flipped`: heed__winograd_packed
 * elements. */
typedef void heed__winograd_pack_kernel(const heed__conv_pack_args *args, heed__winograd_form form, int64_t chunk,
                                        int64_t chunks);

static inline int64_t heed__winograd_packed(const heed__conv_args *args)
{
    return HEED_WINOGRAD_WEIGHTS * heed__conv_packed(args->rows, args->channels);
}

static inline int64_t heed__winograd_tiles_of(const heed__conv_axis *axis, heed__winograd_form form)
{
    const int64_t results = heed__winograd_counts_of(form).results;
    return (axis->positions + results - 1) / results;
}

static inline int64_t heed__winograd_tiles(const heed__conv_args *args, heed__winograd_form form)
{
    return args->images * heed__winograd_tiles_of(&args->axis[0], form) * heed__winograd_tiles_of(&args->axis[1], form);
}

/* Like conv_weight, for some tiles, rows and channels, which replace the terms: at most HEED_WINOGRAD_ROWS rows and
 * HEED_WINOGRAD_CHANNELS channels; not for SPREAD. nonfinite is set if an element of dw is not finite. */
typedef int64_t heed__winograd_weight_kernel(const heed__conv_args *args, heed__winograd_form form,
                                             const heed__conv_weight_range *range, void *dw, atomic_bool *nonfinite,
                                             void *scratch);

enum { HEED_WINOGRAD_ROWS = 256, HEED_WINOGRAD_CHANNELS = 64 };

#endif
