/* ops/conv/path.c - chooses the path of a convolution or of one of its gradients: heed__conv_choose. A path depends
 * only on sizes. src/kernels/README.md says how much faster every path is than the plainest one, patches, and
 * tests/ops/test_conv_paths.c lists shapes and their paths. See run.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/conv/run.h"

/* Every constant was halved and doubled by turns in "heed_bench -w W10,N10 -t 1", f32, on an AMD EPYC of family 25,
 * model 17 (Zen 4), 2 cores, AVX-512, on 2026-11-29. Twice WINOGRAD_POSITIONS multiplies the time by 1.5 for 512x7x7 to
 * 512 3x3; CHANNEL_POSITIONS changes the time by 2 % at most. The other constants change the path of no case, so these
 * values stay: they were tuned on other shapes. */
enum {
    /* Products */
    PRODUCT_POSITIONS = 64, /* minimum positions of an image; the patches of smaller images are packed together */
    PRODUCT_IDLE = 4,       /* the last tile may waste 1 / PRODUCT_IDLE of the positions */

    /* Winograd's algorithm. With a stride of 2 it saves less and needs larger inputs to pay off. The result for an
     * image must not depend on other images of the batch. Therefore only the gradient by w, which is a sum over all
     * images, may depend on the number of tiles in all images. */
    WINOGRAD_CHANNELS = 16, /* minimum channels of x and of y, among which the cost of the transforms is shared */
    WINOGRAD_POSITIONS = 6, /* minimum positions of every axis of y */
    WINOGRAD_STRIDED = 14,  /* the same for y with a stride of 2 */
    WINOGRAD_SPREAD = 3, /* the same for x; small, because the alternative is a product per remainder of the stride */
    WINOGRAD_TILES = 64, /* gradient by w with a stride of 2: minimum tiles */

    /* Lines and bands */
    LINE_POSITIONS = 4,    /* minimum positions per line */
    PATCH_ROWS = 6,        /* packing the patches takes the time of multiplying this number of rows of w */
    PATCH_ROW_COST = 16,   /* starting a row of positions takes the time of packing this number of positions */
    BAND_POSITIONS = 4096, /* maximum positions of a band */
    BAND_WEIGHTS = 4096,   /* maximum elements of w whose gradient is summed by bands */

    /* Channels in the lanes of registers */
    CHANNEL_C = 1 << 16,     /* elements of C per block */
    CHANNEL_POSITIONS = 512, /* about the maximum number of positions in a block of bands */
    CHANNEL_COLUMNS = 5,     /* minimum positions of a line */
};

/* -- Products ------------------------------------------------------------------------------------------------------ */

/* Returns true for kernels of 1 x 1 that read only elements of the plane, if tiles waste few positions. */
static bool is_product(const heed__conv *c)
{
    bool plain = c->groups == 1;
    for (int i = 0; i < 2; i++)
        plain = plain && c->w[i] == 1 && c->before[i] == 0 && (c->x[i] - 1) / c->stride[i] >= c->y[i] - 1;
    const int64_t n = c->y[0] * c->y[1], idle = heed__ceil_div(n, HEED_MATMUL_COLUMNS) * HEED_MATMUL_COLUMNS - n;
    return plain && n >= PRODUCT_POSITIONS && idle <= n / PRODUCT_IDLE;
}

/* -- Winograd's algorithm ------------------------------------------------------------------------------------------ */

static bool has_channels(const heed__conv_args *a)
{
    return a->channels >= WINOGRAD_CHANNELS && a->rows >= WINOGRAD_CHANNELS && !heed__is_long(a->channels);
}

/* Returns true if the gradient by x can be computed in tiles of all remainders of a stride of 2. */
static bool suits_spread(const heed__conv *c, const heed__conv_args *a)
{
    bool good = has_channels(a);
    for (int i = 0; i < 2; i++)
        good = good && c->w[i] == 3 && c->stride[i] == 2 && c->before[i] == 1 && c->dilation[i] == 1 &&
               c->y[i] >= WINOGRAD_SPREAD;
    return good;
}

static heed__winograd_form form_of(const heed__conv_args *a)
{
    return a->axis[0].step == 1 ? HEED_WINOGRAD_PLAIN : HEED_WINOGRAD_STRIDED;
}

/* Returns true if the args suit Winograd's algorithm with a form other than SPREAD. */
static bool suits_winograd(const heed__conv_args *a, heed__conv_result result)
{
    const heed__winograd_form form = form_of(a);
    const int64_t step = form == HEED_WINOGRAD_PLAIN ? 1 : 2, apart = a->axis[0].apart;
    const int64_t least = step == 2 && result != HEED_CONV_W ? WINOGRAD_STRIDED : WINOGRAD_POSITIONS;
    bool good = has_channels(a) && (apart == 1 || (apart == -1 && step == 1));
    for (int i = 0; i < 2; i++) {
        const heed__conv_axis *axis = &a->axis[i];
        good = good && axis->taps == 3 && axis->step == step && axis->apart == apart && axis->out_step == 1 &&
               axis->positions >= least;
    }
    return good && (step == 1 || result != HEED_CONV_W || heed__winograd_tiles(a, form) >= WINOGRAD_TILES);
}

/* -- Bands --------------------------------------------------------------------------------------------------------- */

/* Returns true if no single width or kernel exceeds the capacity of a band, so that products of sizes do not
 * overflow. */
static bool fits_band(const heed__conv_args *a)
{
    return a->axis[0].taps <= HEED_CONV_BAND_ELEMENTS && a->axis[1].taps <= HEED_CONV_BAND_ELEMENTS &&
           heed__conv_terms(a) <= HEED_CONV_BAND_ELEMENTS && heed__conv_band_width(a) <= HEED_CONV_BAND_ELEMENTS &&
           heed__conv_slots_of(&a->axis[0]).extra <= HEED_CONV_BAND_ELEMENTS;
}

/* Returns the number of positions of the first axis for which a copy, and `results` further elements per position, fit
 * into a band; less than 1 if not even one fits. */
static int64_t height_of_copy(const heed__conv_args *a, int64_t results)
{
    const int64_t copied = heed__conv_band_copy(a, 0), line = heed__conv_band_copy(a, 1) - copied + results;
    return heed__conv_least((HEED_CONV_BAND_ELEMENTS - copied) / line, a->axis[0].positions);
}

/* Returns the height of the bands of lines, or less than 1 if lines are not possible: they need one row of w per
 * group. */
static int64_t height_of_lines(const heed__conv_job *jobs, int64_t n)
{
    if (jobs->args.rows != 1)
        return 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t terms = heed__conv_terms(&jobs[i].args);
        if (terms == 0 || heed__is_long(terms) || jobs[i].args.axis[1].positions < LINE_POSITIONS)
            return 0;
    }
    const heed__conv_args frame = heed__conv_frame_of(jobs, n);
    return fits_band(&frame) ? height_of_copy(&frame, 0) : 0;
}

/* Returns the height of bands, or 0 if patches are faster. Patches are faster if w has many rows, because packing takes
 * only the time of PATCH_ROWS rows; if planes are narrow; and if not even one row of positions fits a band. */
static int64_t height_of_bands(const heed__conv_args *a)
{
    if (heed__is_long(heed__conv_terms(a)) || !fits_band(a))
        return 0;
    const int64_t width = heed__conv_band_width(a), columns = a->axis[1].positions;
    const int64_t height = heed__conv_least(height_of_copy(a, a->rows * width), heed__ceil_div(BAND_POSITIONS, width));
    if (height < 1)
        return 0;
    const int64_t idle = heed__conv_band_row(a, height) - height * columns;
    return a->rows * idle <= PATCH_ROWS * height * (columns + PATCH_ROW_COST) ? height : 0;
}

/* The same for the gradient by w. Patches always multiply HEED_MATMUL_COLUMNS rows of g at a time, and bands that
 * number of positions of a row, even if there are fewer. */
static int64_t height_of_weight_bands(const heed__conv_args *a)
{
    const int64_t columns = a->axis[1].positions, vector = HEED_MATMUL_COLUMNS / 2;
    if (!fits_band(a) || a->rows > vector || a->rows * heed__conv_terms(a) > BAND_WEIGHTS)
        return 0;
    const int64_t height = height_of_copy(a, 0);
    return height >= 1 && a->rows * heed__ceil_div(columns, vector) * vector <= vector * columns ? height : 0;
}

/* Plans blocks of several bands, if the rows of w fill registers. The bands of a block share a copy of x and a matrix C
 * of about CHANNEL_C elements. Returns false if lines, the rows of positions, are too narrow for tiles or too long for
 * a block, or if there is only one tap, for which the copy would equal the patches. */
static bool suits_channels(heed__conv_job *job)
{
    const heed__conv_args *a = &job->args;
    const int64_t vector = HEED_MATMUL_COLUMNS / 2, columns = a->axis[1].positions, lines = a->axis[0].positions;
    const int64_t lanes = heed__ceil_div(a->rows, vector) * vector;
    if (a->axis[0].taps * a->axis[1].taps <= 1 || !fits_band(a) || columns < CHANNEL_COLUMNS ||
        columns > CHANNEL_POSITIONS || lanes > a->rows + a->rows / 8)
        return false;
    const int64_t most = heed__conv_least(CHANNEL_C / a->rows, CHANNEL_POSITIONS);
    const int64_t copied = heed__conv_channels_copy(a, 0), line = heed__conv_channels_copy(a, 1) - copied;
    job->height =
        heed__conv_least(heed__conv_least(1 + most / columns, lines), (HEED_CONV_BAND_ELEMENTS - copied) / line);
    if (job->height < 1)
        return false;
    job->bands = job->height < lines ? 1 : heed__conv_least(1 + most / (lines * columns), a->images);
    return true;
}

/* -- The choice ---------------------------------------------------------------------------------------------------- */

/* Chooses among the paths that compute every job separately. */
static heed__conv_path path_of_one(heed__conv_job *job, heed__conv_result result)
{
    if (heed__conv_positions(&job->args) == 0 || job->args.rows == 0 || heed__conv_terms(&job->args) == 0)
        return HEED_CONV_PATCHES;
    if (result != HEED_CONV_W && suits_channels(job))
        return HEED_CONV_BY_CHANNEL;
    job->height = result == HEED_CONV_W ? height_of_weight_bands(&job->args) : height_of_bands(&job->args);
    return job->height > 0 ? HEED_CONV_BANDS : HEED_CONV_PATCHES;
}

void heed__conv_choose(const heed__conv *c, heed__conv_result result, heed__conv_job *jobs, int64_t n, bool winograd)
{
    const heed__conv_args *a = &jobs->args;
    heed__conv_path path = HEED_CONV_PATCHES;
    /* The gradients by w of single images, which are added up, must be small in comparison with x. */
    const bool adds_little = result != HEED_CONV_W || a->rows * a->channels <= a->images * a->x_image / 2;
    if (is_product(c) && adds_little)
        path = HEED_CONV_PRODUCT;
    else if (winograd && ((result == HEED_CONV_X && suits_spread(c, a)) || (n == 1 && suits_winograd(a, result))))
        path = HEED_CONV_WINOGRAD;
    else if (result != HEED_CONV_W && (jobs->height = height_of_lines(jobs, n)) > 0)
        path = HEED_CONV_LINES;
    for (int64_t i = 0; i < n; i++) {
        jobs[i].form = result == HEED_CONV_X && suits_spread(c, a) ? HEED_WINOGRAD_SPREAD : form_of(a);
        jobs[i].path = path == HEED_CONV_PATCHES ? path_of_one(&jobs[i], result) : path;
    }
}
