/* kernels/conv/args.h - arguments of the kernels for convolution and pooling; part of kernels.h, which includes it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_ARGS_H
#define HEED_KERNELS_CONV_ARGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One axis of a plane. Position p reads, at tap t, the input at index p step + first + t apart, or zero if that index
 * is outside; its result is at out_first + p out_step. */
typedef struct heed__conv_axis {
    int64_t size, out_size; /* of the input and of the result */
    int64_t taps, positions;
    int64_t step, first, apart;
    int64_t out_first, out_step;
} heed__conv_axis;

/* y[n, i, p] = bias[i] + sum over channels c and taps t of w[i, c, t] x[n, c, index of p at t], for one group. Planes
 * are contiguous, with the given steps between images and channels. A transposed convolution consists of several of
 * these, one per remainder of the stride. */
typedef struct heed__conv_args {
    int64_t images, channels, rows; /* rows of w, which are the channels of y */
    heed__conv_axis axis[2];
    const void *x;
    int64_t x_image, x_channel;
    const void *w;    /* packed by conv_pack or winograd_pack; not packed for conv_lines */
    const void *bias; /* of every channel of y; may be NULL */
    void *y;
    int64_t y_image, y_row;
} heed__conv_args;

/* Positions q_begin .. q_end - 1 of all images, in order, at most HEED_CONV_COLUMNS; and range number `chunk` of
 * `chunks` of the tiles of rows. */
typedef struct heed__conv_range {
    int64_t q_begin, q_end;
    int64_t chunk, chunks;
} heed__conv_range;

typedef int64_t heed__conv_kernel(const heed__conv_args *args, const heed__conv_range *range, void *scratch);

enum {
    HEED_CONV_DEPTH = 320,
    HEED_CONV_COLUMNS = 128,
    HEED_CONV_MARGIN = 16,
    HEED_CONV_COPY = 4096, /* elements of one channel, copied before patches are made of them */
};

static inline int64_t heed__conv_terms(const heed__conv_args *args)
{
    return args->channels * args->axis[0].taps * args->axis[1].taps;
}

static inline int64_t heed__conv_positions(const heed__conv_args *args)
{
    return args->images * args->axis[0].positions * args->axis[1].positions;
}

/* Packs w for conv and conv_band, or in panels for conv_by_channel; range number `chunk` of `chunks`. Element (i, c, t,
 * u) is at w[i w_row + c w_channel + t w_tap[0] + u w_tap[1]]. `to` holds heed__conv_packed elements. */
typedef struct heed__conv_pack_args {
    int64_t rows, channels, taps[2];
    bool panels;  /* of two registers */
    bool flipped; /* for winograd_pack */
    const void *w;
    int64_t w_row, w_channel, w_tap[2];
    void *to;
} heed__conv_pack_args;
typedef void heed__conv_pack_kernel(const heed__conv_pack_args *args, int64_t chunk, int64_t chunks);

/* A tile is packed as whole registers of rows: at most twice its rows, and 16 for the last tile; never 0. */
static inline int64_t heed__conv_packed(int64_t rows, int64_t terms)
{
    return (2 * rows + 16) * (terms + 1);
}

/* -- Without patches ----------------------------------------------------------------------------------------------- */

/* The slots of one axis. Tap t reads slot t % slots; the taps of a slot read the same elements, `step` apart, with an
 * offset of `shift` from one to the next. n positions read n + extra elements of a slot, from `low` on. */
typedef struct heed__conv_slots {
    int64_t slots, shift, low, extra;
} heed__conv_slots;

static inline heed__conv_slots heed__conv_slots_of(const heed__conv_axis *a)
{
    int64_t divisor = a->step;
    for (int64_t rest = a->apart < 0 ? -a->apart : a->apart; rest != 0;) {
        const int64_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    const int64_t period = a->step / divisor;
    heed__conv_slots s = {.slots = a->taps < period ? a->taps : period, .shift = a->apart / divisor};
    const int64_t last = a->taps > 0 ? (a->taps - 1) / period * s.shift : 0;
    s.low = last < 0 ? last : 0;
    s.extra = last < 0 ? -last : last;
    return s;
}

/* Bands begin .. end - 1. A band is `height` positions of the first axis, or the remaining ones, and all positions of
 * the second; bands are counted image by image. The elements of x that a band reads are copied once, with the zeros
 * around them, and products read their terms from the copy. Requires at least one term, and for conv_band so few that
 * sums are short. */
typedef struct heed__conv_bands {
    int64_t begin, end, height;
} heed__conv_bands;
typedef int64_t heed__conv_band_kernel(const heed__conv_args *args, const heed__conv_bands *bands, void *scratch);

/* Computes dw, as conv_weight does, for all rows and terms and the positions of these bands: for the group in args and
 * for the n - 1 groups after it, whose x, g and dw follow. */
typedef struct heed__conv_groups {
    int64_t n, x_group, y_group;
} heed__conv_groups;
typedef int64_t heed__conv_weight_band_kernel(const heed__conv_args *args, const heed__conv_bands *bands,
                                              const heed__conv_groups *groups, void *dw, void *scratch);

enum { HEED_CONV_SPARE = 64 }; /* elements after the end that tiles may read and write */

/* Row length of a slot of the copy, and elements of all slots for `height` positions of the first axis. */
static inline int64_t heed__conv_band_width(const heed__conv_args *args)
{
    return args->axis[1].positions + heed__conv_slots_of(&args->axis[1]).extra;
}

static inline int64_t heed__conv_band_copy(const heed__conv_args *args, int64_t height)
{
    const heed__conv_slots down = heed__conv_slots_of(&args->axis[0]), across = heed__conv_slots_of(&args->axis[1]);
    return args->channels * down.slots * across.slots * (height + down.extra) * heed__conv_band_width(args);
}

/* The step between rows of C. */
static inline int64_t heed__conv_band_row(const heed__conv_args *args, int64_t height)
{
    const int64_t n = height * heed__conv_band_width(args);
    return (n + HEED_CONV_SPARE - 1) / HEED_CONV_SPARE * HEED_CONV_SPARE;
}

/* Computes y for all bands of `bands` together. The panels of w are divided into `chunks` ranges, and a call uses only
 * range number `chunk`. Requires at least 8 rows: with fewer, a panel has more elements than heed__conv_packed. */
typedef int64_t heed__conv_by_channel_kernel(const heed__conv_args *args, const heed__conv_bands *bands, int64_t chunk,
                                             int64_t chunks, void *scratch);

/* Channels copied together: HEED_CONV_DEPTH terms or fewer, but at least one channel. */
static inline int64_t heed__conv_channels_at_once(const heed__conv_args *args)
{
    const int64_t n = HEED_CONV_DEPTH / (args->axis[0].taps * args->axis[1].taps);
    return n < 1 ? 1 : n < args->channels ? n : args->channels;
}

/* Elements of the copy of these channels for one band. */
static inline int64_t heed__conv_channels_copy(const heed__conv_args *args, int64_t height)
{
    heed__conv_args some = *args;
    some.channels = heed__conv_channels_at_once(args);
    return heed__conv_band_copy(&some, height);
}

/* dw[i, k] = sum over the positions of `range` of g[n, i, p] x[n, c, index of p at t], where k stands for c and t, for
 * rows row_begin .. row_end - 1 and terms k_begin .. k_end - 1; args->y is g. Row i of `dw` begins at i times the
 * number of all terms. At most HEED_CONV_ROWS rows and HEED_CONV_TERMS terms. */
typedef struct heed__conv_weight_range {
    int64_t q_begin, q_end, row_begin, row_end, k_begin, k_end;
} heed__conv_weight_range;
typedef int64_t heed__conv_weight_kernel(const heed__conv_args *args, const heed__conv_weight_range *range, void *dw,
                                         void *scratch);

enum { HEED_CONV_ROWS = 256, HEED_CONV_TERMS = 112 };

/* -- Winograd's algorithm (winograd_points.h) ---------------------------------------------------------------------- */

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

/* -- One row of w per group ---------------------------------------------------------------------------------------- */

/* A subset of the positions of y: all of them, or one remainder of the stride. Element (c, t, u) of w is at w_first + c
 * w_channel + t w_tap[0] + u w_tap[1]. */
typedef struct heed__conv_lines {
    heed__conv_axis axis[2];
    int64_t w_first, w_tap[2];
} heed__conv_lines;

enum { HEED_CONV_REMAINDERS = 4 }; /* computed together, at most */

/* The axes of args describe the elements of x that all subsets read; args.w is not packed. x, w and y of the groups are
 * consecutive. A plane of y is divided into bands of `height` positions of the first axis, or the remaining ones. Of
 * bands begin .. end - 1, number i is band i % bands of plane i / bands, image by image. Requires at least one term,
 * and so few that sums are short. */
typedef struct heed__conv_lines_args {
    heed__conv_args args;
    int64_t groups, x_group, w_group, y_group, w_channel;
    int64_t bands, height;
    int64_t n, terms; /* number of subsets, and of their terms in all */
    heed__conv_lines subset[HEED_CONV_REMAINDERS];
} heed__conv_lines_args;
typedef int64_t heed__conv_lines_kernel(const heed__conv_lines_args *args, int64_t begin, int64_t end, void *scratch);

/* -- Strided elements ---------------------------------------------------------------------------------------------- */

/* Planes of size[0] x size[1], in which position p of an axis has index p step. */
typedef struct heed__conv_planes {
    int64_t size[2], step[2], positions[2];
    const void *bias; /* for spread: `channels` numbers that planes use in turn; NULL: zeros */
    int64_t channels;
} heed__conv_planes;

/* For planes begin .. end - 1: gather copies the elements of all positions to a contiguous plane; spread copies them
 * back and fills the elements between them with the bias. Planes are consecutive in both arrays. */
typedef void heed__conv_gather_kernel(const heed__conv_planes *p, int64_t begin, int64_t end, const void *x, void *to);
typedef void heed__conv_spread_kernel(const heed__conv_planes *p, int64_t begin, int64_t end, const void *from,
                                      void *x);

/* -- Pooling ------------------------------------------------------------------------------------------------------- */

/* A pooling window along one axis: the indices begin, begin + step, ... below `end`. It is never empty. A mean divides
 * its sum by `count`. */
typedef struct heed__window {
    int64_t begin, end, step, count;
} heed__window;

/* Planes of size[0] x size[1] with out[0] x out[1] windows. */
typedef struct heed__pool_args {
    int64_t size[2], out[2];
    const heed__window *window[2]; /* the windows of both axes */
    int64_t divisor;               /* of means; 0: the product of the counts of the windows */
} heed__pool_args;

/* For planes begin .. end - 1: y is the maximum of every window, or NaN if it contains NaN, and index its index in the
 * plane; dx is computed from these indices and g. Planes are contiguous and consecutive. */
typedef void heed__max_pool_kernel(const heed__pool_args *args, int64_t begin, int64_t end, const void *x, void *y,
                                   int64_t *index);
typedef void heed__max_pool_grad_kernel(const heed__pool_args *args, int64_t begin, int64_t end, const int64_t *index,
                                        const void *g, void *dx);

/* y is the mean of every window, whose step is 1; the gradient computes dx from g. `sums` holds size[1] numbers. */
typedef void heed__avg_pool_kernel(const heed__pool_args *args, int64_t begin, int64_t end, const void *from, void *to,
                                   double *sums);

#endif
