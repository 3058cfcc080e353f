/* kernels/conv/args.h - what convolutions and pooling are asked for: part of kernels.h, which includes it. */
#ifndef HEED_KERNELS_CONV_ARGS_H
#define HEED_KERNELS_CONV_ARGS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* One axis of a plane. Position p reads, at tap t, the input's index p step + first + t apart, and zero where there is
 * none; its result is at out_first + p out_step. Where fan is not 0, a channel of y has so many rows of w, whose
 * results lie fan_apart from one another. */
typedef struct heed__conv_axis {
    int64_t size, out_size; /* of the input and of the result */
    int64_t taps, positions;
    int64_t step, first, apart;
    int64_t out_first, out_step;
    int64_t fan, fan_apart;
} heed__conv_axis;

/* y[n, i, p] = bias[i] + sum over channels c and taps t of w[i, c, t] x[n, c, index of p at t], of one group: planes
 * are contiguous, images and channels so far apart as is said. A transposed convolution is several of these, one for
 * each remainder of the stride. */
typedef struct heed__conv_args {
    int64_t images, channels, rows; /* rows: of w, the channels of y if there is no fan */
    heed__conv_axis axis[2];
    const void *x;
    int64_t x_image, x_channel;
    const void *w;    /* as conv_pack packs it; of conv_weight and conv_single w (rows, channels, taps) itself */
    const void *bias; /* of each channel of y; NULL: none */
    void *y;
    int64_t y_image, y_row;
} heed__conv_args;

/* Positions q_begin .. q_end - 1 of all images, one image after another, at most HEED_CONV_COLUMNS; of the tiles of
 * rows the part number `part` of `parts`. */
typedef struct heed__conv_part {
    int64_t q_begin, q_end;
    int64_t part, parts;
} heed__conv_part;

/* `scratch`, here and below, is aligned to 64 bytes, with room for heed__conv_scratch elements. */
typedef void heed__conv_kernel(const heed__conv_args *args, const heed__conv_part *part, void *scratch);

enum {
    HEED_CONV_DEPTH = 320,
    HEED_CONV_COLUMNS = 128,
    HEED_CONV_MARGIN = 16,
    HEED_CONV_COPY = 4096, /* elements of one channel, copied before patches are made of them */
};

/* Of scratch, for what is noted of each position: elements of f32. */
enum { HEED_CONV_RUN = 10, HEED_CONV_PIECE = 2 };

static inline int64_t heed__conv_terms(const heed__conv_args *args)
{
    return args->channels * args->axis[0].taps * args->axis[1].taps;
}

/* Rows of w that a channel of y has. */
static inline int64_t heed__conv_fan(const heed__conv_args *args)
{
    return args->axis[0].fan == 0 ? 1 : args->axis[0].fan * args->axis[1].fan;
}

static inline int64_t heed__conv_positions(const heed__conv_args *args)
{
    return args->images * args->axis[0].positions * args->axis[1].positions;
}

/* Packs w for conv and conv_band, or in panels for conv_by_channel, in parts: element (i, c, t, u) lies at w[i w_row +
 * c w_channel + t w_tap[0] + u w_tap[1]]. `to` has room for heed__conv_packed elements. */
typedef struct heed__conv_pack_args {
    int64_t rows, channels, taps[2];
    bool panels;  /* of two registers */
    bool flipped; /* of winograd_pack */
    const void *w;
    int64_t w_row, w_channel, w_tap[2];
    void *to;
} heed__conv_pack_args;
typedef void heed__conv_pack_kernel(const heed__conv_pack_args *args, int64_t part, int64_t parts);

/* A tile is packed as whole registers of rows: at most twice as many, and 16 for the last; never nothing. */
static inline int64_t heed__conv_packed(int64_t rows, int64_t terms)
{
    return (2 * rows + 16) * (terms + 1);
}

/* What patches are made of: runs of positions, pieces of a copy or of x, and the copy. */
static inline int64_t heed__conv_patches_scratch(int64_t positions)
{
    return (positions + 15) / 16 * 16 * (HEED_CONV_RUN + HEED_CONV_PIECE) + HEED_CONV_COPY + HEED_CONV_MARGIN;
}

/* conv: what patches are made of, a depth of them, and C, with its totals where sums are long. */
static inline int64_t heed__conv_scratch(const heed__conv_args *args)
{
    const int64_t c = HEED_CONV_COLUMNS * args->rows;
    return heed__conv_patches_scratch(HEED_CONV_COLUMNS) + HEED_CONV_DEPTH * (HEED_CONV_COLUMNS + HEED_CONV_MARGIN) +
           (heed__is_long(heed__conv_terms(args)) ? 3 * c : c);
}

/* -- Without patches ----------------------------------------------------------------------------------------------- */

/* Of one axis, whose indices are those of its taps: taps whose number differs by a multiple of `slots` read the same
 * elements of every step-th, `shift` further for each. n positions see n + span elements of a slot, from `low` on. */
typedef struct heed__conv_slots {
    int64_t slots, shift, low, span;
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
    s.span = last < 0 ? -last : last;
    return s;
}

/* Bands number begin .. end - 1: `height` positions of the first axis, or what is left of them, and all of the second,
 * of one image after another. What a band sees of x is copied once, with the zeros around it, and products read their
 * terms there. At least one term, and of conv_band not so many that a sum is long. */
typedef struct heed__conv_bands {
    int64_t begin, end, height;
} heed__conv_bands;
typedef void heed__conv_band_kernel(const heed__conv_args *args, const heed__conv_bands *bands, void *scratch);

/* Of all rows and terms dw as conv_weight has it, of the positions of these bands: of the group that args has, and of
 * the groups after it, whose x, g and dw follow. */
typedef struct heed__conv_groups {
    int64_t n, x_group, y_group;
} heed__conv_groups;
typedef void heed__conv_weight_band_kernel(const heed__conv_args *args, const heed__conv_bands *bands,
                                           const heed__conv_groups *groups, void *dw, void *scratch);

enum { HEED_CONV_SPARE = 64 }; /* elements that tiles read and write past the end */

/* Of the copy: from one row of a slot to the next, and of all slots of so many positions of the first axis. */
static inline int64_t heed__conv_band_width(const heed__conv_args *args)
{
    return args->axis[1].positions + heed__conv_slots_of(&args->axis[1]).span;
}

static inline int64_t heed__conv_band_copy(const heed__conv_args *args, int64_t height)
{
    const heed__conv_slots down = heed__conv_slots_of(&args->axis[0]), across = heed__conv_slots_of(&args->axis[1]);
    return args->channels * down.slots * across.slots * (height + down.span) * heed__conv_band_width(args);
}

/* From one row of C to the next. */
static inline int64_t heed__conv_band_row(const heed__conv_args *args, int64_t height)
{
    const int64_t n = height * heed__conv_band_width(args);
    return (n + HEED_CONV_SPARE - 1) / HEED_CONV_SPARE * HEED_CONV_SPARE;
}

/* What a band has of each slot, and so many notes of terms: whole cache lines. */
enum { HEED_CONV_CLIP = 6 };

static inline int64_t heed__conv_frame_notes(const heed__conv_args *args, int64_t of_terms)
{
    const int64_t slots = heed__conv_slots_of(&args->axis[0]).slots + heed__conv_slots_of(&args->axis[1]).slots;
    return (HEED_CONV_CLIP * slots + of_terms + 15) / 16 * 16;
}

/* Where each term lies, as int64_t, C, and the copy. */
static inline int64_t heed__conv_band_scratch(const heed__conv_args *args, int64_t height)
{
    return 2 * heed__conv_terms(args) + 16 + args->rows * heed__conv_band_row(args, height) +
           heed__conv_band_copy(args, height) + HEED_CONV_SPARE;
}

/* Where each term lies, as int64_t, two registers for each element of dw, and the copy. */
static inline int64_t heed__conv_weight_band_scratch(const heed__conv_args *args, int64_t height)
{
    return heed__conv_frame_notes(args, 2 * heed__conv_terms(args)) + 32 * args->rows * heed__conv_terms(args) +
           heed__conv_band_copy(args, height) + HEED_CONV_SPARE;
}

/* y of these bands together, of the panels of w the part number `part` of `parts`. At least 8 rows: heed__conv_packed
 * has no room for a panel of fewer. */
typedef void heed__conv_by_channel_kernel(const heed__conv_args *args, const heed__conv_bands *bands, int64_t part,
                                          int64_t parts, void *scratch);

/* Channels that are copied together: as many as have a depth of terms, at least one. */
static inline int64_t heed__conv_channels_at_once(const heed__conv_args *args)
{
    const int64_t n = HEED_CONV_DEPTH / (args->axis[0].taps * args->axis[1].taps);
    return n < 1 ? 1 : n < args->channels ? n : args->channels;
}

/* The copy of these channels of one band. */
static inline int64_t heed__conv_channels_copy(const heed__conv_args *args, int64_t height)
{
    heed__conv_args some = *args;
    some.channels = heed__conv_channels_at_once(args);
    return heed__conv_band_copy(&some, height);
}

/* Where their terms lie, as int64_t, and a run for each line of positions. */
static inline int64_t heed__conv_channels_notes(const heed__conv_args *args, int64_t lines)
{
    const int64_t terms = heed__conv_channels_at_once(args) * args->axis[0].taps * args->axis[1].taps;
    return (2 * terms + lines * HEED_CONV_RUN + 15) / 16 * 16;
}

/* Of what is turned: whole registers. */
static inline int64_t heed__conv_turned_row(int64_t positions)
{
    return (positions + 15) / 16 * 16;
}

/* These notes, the copies of so many bands, C, with its totals where sums are long, and columns of it turned. */
static inline int64_t heed__conv_channels_scratch(const heed__conv_args *args, int64_t bands, int64_t height)
{
    const int64_t positions = bands * height * args->axis[1].positions;
    const int64_t c = positions * ((args->rows + 31) / 32 * 32 + HEED_CONV_MARGIN);
    return heed__conv_channels_notes(args, bands * height) + bands * heed__conv_channels_copy(args, height) +
           HEED_CONV_SPARE + (heed__is_long(heed__conv_terms(args)) ? 3 * c : c) +
           16 * heed__conv_turned_row(positions);
}

/* dw[i, k] = sum over the positions of `part` of g[n, i, p] x[n, c, index of p at t], k being c and t, of the rows
 * row_begin .. row_end - 1 and the terms k_begin .. k_end - 1; args->y is g. To `dw`, whose row i begins at i times all
 * terms. At most HEED_CONV_ROWS rows and HEED_CONV_TERMS terms. */
typedef struct heed__conv_weight_part {
    int64_t q_begin, q_end, row_begin, row_end, k_begin, k_end;
} heed__conv_weight_part;
typedef void heed__conv_weight_kernel(const heed__conv_args *args, const heed__conv_weight_part *part, void *dw,
                                      void *scratch);

enum { HEED_CONV_ROWS = 256, HEED_CONV_TERMS = 112 };

/* conv_weight: what patches are made of, runs by plane as well, a depth of g, a tile's rows of patches, and the sums
 * with their totals. */
static inline int64_t heed__conv_weight_scratch(void)
{
    return heed__conv_patches_scratch(HEED_CONV_DEPTH) + HEED_CONV_DEPTH * (HEED_CONV_RUN + HEED_CONV_ROWS) +
           16 * (HEED_CONV_DEPTH + HEED_CONV_MARGIN) + 3 * HEED_CONV_ROWS * (HEED_CONV_TERMS + 16);
}

/* -- One row of w for each group ----------------------------------------------------------------------------------- */

/* A part of the positions of y, all of them or those of one remainder of the stride. Element (c, t, u) of w is at
 * w_first + c w_channel + t w_tap[0] + u w_tap[1]. */
typedef struct heed__conv_lines {
    heed__conv_axis axis[2];
    int64_t w_first, w_tap[2];
} heed__conv_lines;

enum { HEED_CONV_REMAINDERS = 4 }; /* that are done together */

/* The axes of args are those of what all parts see of x; its w is not packed. x, w and y of groups follow one another.
 * A plane of y is cut into bands of `height` positions of the first axis, or what is left of them: of bands begin ..
 * end - 1 number i is the band i % bands of plane i / bands, image by image. At least one term, and not so many that a
 * sum is long. */
typedef struct heed__conv_lines_args {
    heed__conv_args args;
    int64_t groups, x_group, w_group, y_group, w_channel;
    int64_t bands, height;
    int64_t n, terms; /* parts, and terms of all of them */
    heed__conv_lines part[HEED_CONV_REMAINDERS];
} heed__conv_lines_args;
typedef void heed__conv_lines_kernel(const heed__conv_lines_args *args, int64_t begin, int64_t end, void *scratch);

/* Of a term: where it lies in the copy and in w, as int64_t, and its w. */
enum { HEED_CONV_LINE_TERM = 5 };

static inline int64_t heed__conv_lines_scratch(const heed__conv_lines_args *lines)
{
    return heed__conv_frame_notes(&lines->args, HEED_CONV_LINE_TERM * lines->terms) +
           heed__conv_band_copy(&lines->args, lines->height) + HEED_CONV_SPARE;
}

/* -- Elements a step apart ----------------------------------------------------------------------------------------- */

/* Planes of size[0] x size[1], whose index p step is position p of an axis. */
typedef struct heed__conv_planes {
    int64_t size[2], step[2], positions[2];
} heed__conv_planes;

/* Of planes begin .. end - 1: gather puts the elements of all positions together, spread puts them back, and bias, of
 * each of so many channels in turn, between them; NULL: zeros. Planes follow one another, and so does what is
 * together. */
typedef void heed__conv_gather_kernel(const heed__conv_planes *p, int64_t begin, int64_t end, const void *x, void *to);
typedef void heed__conv_spread_kernel(const heed__conv_planes *p, int64_t begin, int64_t end, const void *from,
                                      const void *bias, int64_t channels, void *x);

/* -- Pooling ------------------------------------------------------------------------------------------------------- */

/* Elements begin, begin + step ... before end, of one axis; what is divided by counts `count` of them. None is
 * empty. */
typedef struct heed__window {
    int64_t begin, end, step, count;
} heed__window;

/* Planes of size[0] x size[1], which have out[0] x out[1] windows. */
typedef struct heed__pool_args {
    int64_t size[2], out[2];
    const heed__window *window[2]; /* of each axis, as many as there are */
    int64_t divisor;               /* of means; 0: what the windows count */
} heed__pool_args;

/* Of planes begin .. end - 1: y the largest of each window, NaN where there is one, and where it lies in the plane; dx
 * from these places and g. Every x and dx of a plane is contiguous, and planes are, too. */
typedef void heed__max_pool_kernel(const heed__pool_args *args, int64_t begin, int64_t end, const void *x, void *y,
                                   int64_t *index);
typedef void heed__max_pool_grad_kernel(const heed__pool_args *args, int64_t begin, int64_t end, const int64_t *index,
                                        const void *g, void *dx);

/* y the mean of each window, whose step is 1; dx from g. sums: room for size[1] numbers. */
typedef void heed__avg_pool_kernel(const heed__pool_args *args, int64_t begin, int64_t end, const void *from, void *to,
                                   double *sums);

#endif
