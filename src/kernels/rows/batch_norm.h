/* kernels/rows/batch_norm.h - batch norm of (outer, channels, inner), with a mean and variance per channel.
 *
 * The elements of a channel are segments of `inner` numbers. If inner is 1, a segment consists of one number from each
 * of several adjacent channels instead, so that every lane of a register has its own channel. Both cases use the same
 * code, except at the end of a sum, where the lanes of a single channel are added up.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ROWS_BATCH_NORM_H
#define HEED_KERNELS_ROWS_BATCH_NORM_H

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/rows/scale.h"
#include "kernels/simd/total.h"
#include "kernels/simd/wide.h"

/* A span has SPAN lanes. Its sums are computed for a piece of PIECE lanes at a time, so that they stay in registers. */
enum { SPAN = 4 * LANES, PIECE_VECS = 4, PIECE = PIECE_VECS * WIDTH };

/* A strand is the elements that are processed together: `count` segments of `length` elements, whose beginnings are
 * `step` elements apart, of one channel or of adjacent channels from `first` on. */
typedef struct strand {
    int64_t count, step, length, first;
    int64_t begin;     /* index of the first element in x */
    bool side_by_side; /* every lane has its own channel: `length` channels, at most SPAN */
} strand;

static strand strand_from(const heed__batch_norm_args *args, int64_t first, int64_t end)
{
    if (args->inner > 1)
        return (strand){args->outer, args->channels * args->inner, args->inner, first, first * args->inner, false};
    return (strand){args->outer, args->channels, end - first < SPAN ? end - first : SPAN, first, first, true};
}

static int64_t channels_of_strand(const strand *s)
{
    return s->side_by_side ? s->length : 1;
}

/* -- Sums ---------------------------------------------------------------------------------------------------------- */

/* For every lane, the numbers of its channel: h = ((x - mean) - rest) factor, y = h weight + bias. */
typedef struct lane_norm {
    T mean[SPAN], rest[SPAN], factor[SPAN], weight[SPAN];
} lane_norm;

/* h for a register of elements, the first of which is in lane `lane`. */
static ALWAYS_INLINE vec lane_normalized(const lane_norm *norm, int64_t lane, vec x)
{
    return ((x - load(norm->mean + lane)) - load(norm->rest + lane)) * load(norm->factor + lane);
}

/* Two sums per lane of a piece. At most HEED_LONG_CHAIN terms are added to `chain` before it joins the total, sum +
 * lost; `chained` counts them. */
typedef struct span_sums {
    vec chain[2][PIECE_VECS], sum[2][PIECE_VECS], lost[2][PIECE_VECS];
    int chained;
} span_sums;

static ALWAYS_INLINE void end_chains(span_sums *s)
{
    for (int k = 0; k < 2; k++)
        for (int v = 0; v < PIECE_VECS; v++) {
            total_add_vec(&s->sum[k][v], &s->lost[k][v], s->chain[k][v]);
            s->chain[k][v] = (vec){0};
        }
    s->chained = 0;
}

/* Adds n elements, at most PIECE, to the two sums: x - mean and its square if g is NULL, else g and g h. The first
 * element is in lane `lane`. */
static ALWAYS_INLINE void add_piece(span_sums *s, const lane_norm *norm, int64_t lane, const T *x, const T *g,
                                    int64_t n, const bool whole)
{
    UNROLL
    for (int v = 0; v < PIECE_VECS; v++) {
        const int64_t left = n - v * WIDTH;
        if (!whole && left <= 0)
            break;
        const vec mean = load(norm->mean + lane + v * WIDTH);
        const vec value = whole ? load(x + v * WIDTH) : load_up_to(x + v * WIDTH, left, mean);
        const vec slope = !g ? value - mean : whole ? load(g + v * WIDTH) : load_up_to(g + v * WIDTH, left, (vec){0});
        s->chain[0][v] += slope;
        s->chain[1][v] += slope * (g ? lane_normalized(norm, lane + v * WIDTH, value) : slope);
    }
}

/* The values of the totals of a piece. */
static ALWAYS_INLINE void lane_values(const vec *sum, const vec *lost, double *values)
{
    T sums[PIECE], losses[PIECE];
    memcpy(sums, sum, sizeof sums);
    memcpy(losses, lost, sizeof losses);
    for (int l = 0; l < PIECE; l++)
        values[l] = total_value((double)sums[l], (double)losses[l]);
}

/* Writes two sums per lane to first and second, for the lanes from `lane` on, a piece of every span. */
static ALWAYS_INLINE void sum_piece(const strand *of, const lane_norm *norm, int64_t lane, const T *x, const T *g,
                                    double *first, double *second)
{
    span_sums s = {.chained = 0};
    for (int64_t row = 0; row < of->count; row++)
        for (int64_t begin = 0; begin < of->length; begin += SPAN) {
            const int64_t i = row * of->step + begin + lane, left = of->length - begin - lane;
            if (left >= PIECE)
                add_piece(&s, norm, lane, x + i, g ? g + i : NULL, PIECE, true);
            else if (left > 0)
                add_piece(&s, norm, lane, x + i, g ? g + i : NULL, left, false);
            if (++s.chained == HEED_LONG_CHAIN)
                end_chains(&s);
        }
    end_chains(&s);
    lane_values(s.sum[0], s.lost[0], first + lane);
    lane_values(s.sum[1], s.lost[1], second + lane);
}

/* Writes sums per channel to two arrays of SPAN: of x - mean and its square if g is NULL, else of g and g h. The lanes
 * of a single channel are added up. */
static ALWAYS_INLINE void sum_strand(const strand *of, const lane_norm *norm, const T *x, const T *g, double *first,
                                     double *second)
{
    const int64_t lanes = of->length < SPAN ? of->length : SPAN;
    double sum[2] = {0}, lost[2] = {0};
    for (int64_t lane = 0; lane < lanes; lane += PIECE)
        sum_piece(of, norm, lane, x, g, first, second);
    if (of->side_by_side)
        return;
    for (int64_t l = 0; l < lanes; l++) {
        total_add(&sum[0], &lost[0], first[l]);
        total_add(&sum[1], &lost[1], second[l]);
    }
    first[0] = total_value(sum[0], lost[0]);
    second[0] = total_value(sum[1], lost[1]);
}

/* Not inlined, so that no stack frame holds the arrays of all functions. */
static NOINLINE void sum_moments(const strand *of, const lane_norm *norm, const T *x, double *first, double *second)
{
    sum_strand(of, norm, x, NULL, first, second);
}

static NOINLINE void sum_slopes(const strand *of, const lane_norm *norm, const T *x, const T *g, double *first,
                                double *second)
{
    sum_strand(of, norm, x, g, first, second);
}

/* -- Statistics ---------------------------------------------------------------------------------------------------- */

/* If the strand has a single channel, copies its number, numbers[0], to all lanes. If channels are side by side, every
 * lane already has the number of its own channel. */
static void to_lanes(const strand *of, T *numbers)
{
    for (int l = 1; !of->side_by_side && l < SPAN; l++)
        numbers[l] = numbers[0];
}

static void parameters_to_lanes(const strand *of, const T *from, T otherwise, T *to)
{
    for (int64_t c = 0; c < channels_of_strand(of); c++)
        to[c] = from ? from[of->first + c] : otherwise;
    to_lanes(of, to);
}

/* Writes the mean, rest and factor of every channel to norm, as for a row in layer_norm.h, computed from x or from the
 * given statistics; also norm's weight, and args->statistics. `norm` and the arrays for sums, of SPAN each, must hold
 * zeros. Returns false if the squares of a channel leave the range of T. */
static bool find_statistics(const heed__batch_norm_args *args, const strand *of, const T *x, lane_norm *norm,
                            double *first, double *second)
{
    bool fit = true;
    const int64_t channels = channels_of_strand(of);
    const double n = (double)(args->outer * args->inner);
    const T *variance = args->variance;
    T *statistics = args->statistics;
    if (!args->mean) {
        sum_moments(of, norm, x, first, second);
        for (int64_t c = 0; c < channels; c++)
            norm->mean[c] = (T)(first[c] / n);
        to_lanes(of, norm->mean);
        sum_moments(of, norm, x, first, second);
    } else {
        parameters_to_lanes(of, args->mean, 0, norm->mean);
    }
    for (int64_t c = 0; c < channels; c++) {
        const double rest = first[c] / n, moment = second[c] / n - rest * rest;
        const double spread = args->mean ? (double)variance[of->first + c] : moment;
        norm->rest[c] = args->mean ? 0 : (T)rest;
        norm->factor[c] = (T)(1 / sqrt(spread + args->eps));
        fit = fit && (args->mean || spread_fits(spread + args->eps));
        if (statistics) {
            statistics[of->first + c] = norm->mean[c];
            statistics[args->channels + of->first + c] = (T)spread;
        }
    }
    to_lanes(of, norm->rest);
    to_lanes(of, norm->factor);
    parameters_to_lanes(of, args->weight, 1, norm->weight);
    return fit;
}

/* Multiplies x, a strand of one channel, by a power of two, writes the products to y, and returns the power. */
static double scale_strand(const strand *of, const T *x, T *y)
{
    T largest = 0;
    for (int64_t row = 0; row < of->count; row++)
        largest = largest_magnitude(of->length, x + row * of->step, largest);
    const double scale = power_of_two_for(largest);
    for (int64_t row = 0; row < of->count; row++)
        multiply_by(of->length, x + row * of->step, (T)scale, y + row * of->step);
    return scale;
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

static void normalize_strand(const strand *of, const lane_norm *norm, const T *bias, const T *x, T *y)
{
    for (int64_t row = 0; row < of->count; row++)
        for (int64_t i = 0; i < of->length; i += WIDTH) {
            const int64_t lane = of->side_by_side ? i : 0;
            const int64_t at = row * of->step + i, left = of->length - i;
            const vec h = lane_normalized(norm, lane, load_up_to(x + at, left, (vec){0}));
            store_up_to(y + at, h * load(norm->weight + lane) + load(bias + lane), left);
        }
}

/* Writes y and the statistics of a strand, where x and y point to its first elements. If squares leave the range of T,
 * returns false without writing y, unless `always`. */
static bool normalize_channels(const heed__batch_norm_args *args, const strand *of, const T *x, T *y, bool always)
{
    lane_norm norm = {{0}, {0}, {0}, {0}};
    double first[SPAN] = {0}, second[SPAN] = {0};
    T bias[SPAN] = {0};
    if (!find_statistics(args, of, x, &norm, first, second) && !always)
        return false;
    parameters_to_lanes(of, args->bias, 0, bias);
    normalize_strand(of, &norm, bias, x, y);
    return true;
}

/* Normalises a single channel. If the squares of the channel leave the range of T, the channel is scaled in y and
 * normalised there. */
static void normalize_channel(const heed__batch_norm_args *args, int64_t channel, const T *x, T *y)
{
    const strand of = strand_from(args, channel, channel + 1);
    x += of.begin;
    y += of.begin;
    if (normalize_channels(args, &of, x, y, false))
        return;
    const double scale = scale_strand(&of, x, y);
    heed__batch_norm_args scaled = *args;
    scaled.eps = args->eps * scale * scale;
    (void)normalize_channels(&scaled, &of, y, y, true);
    T *statistics = args->statistics;
    if (statistics) {
        statistics[channel] = (T)((double)statistics[channel] / scale);
        statistics[args->channels + channel] = (T)((double)statistics[args->channels + channel] / scale / scale);
    }
}

static void batch_norm_kernel(const heed__batch_norm_args *args, int64_t begin, int64_t end, const void *x_, void *y_)
{
    const T *x = x_;
    T *y = y_;
    for (int64_t c = begin; c < end;) {
        const strand s = strand_from(args, c, end);
        const int64_t next = c + channels_of_strand(&s);
        const bool done = normalize_channels(args, &s, x + s.begin, y + s.begin, false);
        for (; !done && c < next; c++)
            normalize_channel(args, c, x, y);
        c = next;
    }
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

/* The arrays of heed__norm_grads. */
typedef struct batch_gradients {
    const T *x, *g;
    T *dx, *dweight, *dbias;
} batch_gradients;

/* The means of g (a) and of g h (b) in the channel of every lane; 0 if the statistics are given. */
typedef struct lane_means {
    T a[SPAN], b[SPAN];
} lane_means;

/* dx = factor weight (g - a - h b). */
static void write_strand_dx(const strand *of, const lane_norm *norm, const lane_means *mean, const batch_gradients *to)
{
    const T *x = to->x + of->begin, *g = to->g + of->begin;
    T *dx = to->dx + of->begin;
    for (int64_t row = 0; row < of->count; row++)
        for (int64_t i = 0; i < of->length; i += WIDTH) {
            const int64_t lane = of->side_by_side ? i : 0;
            const int64_t at = row * of->step + i, left = of->length - i;
            const vec h = lane_normalized(norm, lane, load_up_to(x + at, left, (vec){0}));
            const vec a = load(mean->a + lane), b = load(mean->b + lane);
            const vec centred = (load_up_to(g + at, left, (vec){0}) - a) - h * b;
            store_up_to(dx + at, centred * (load(norm->factor + lane) * load(norm->weight + lane)), left);
        }
}

/* Writes the gradients of the channels of a strand. If squares leave the range of T, returns false without writing
 * them, unless `always`. */
static bool channel_gradients(const heed__batch_norm_args *args, const strand *of, const batch_gradients *to,
                              bool always)
{
    const double n = (double)(args->outer * args->inner);
    const int64_t c = of->first;
    lane_norm norm = {{0}, {0}, {0}, {0}};
    double sums[SPAN] = {0}, products[SPAN] = {0};
    lane_means mean = {{0}, {0}};
    if (!find_statistics(args, of, to->x + of->begin, &norm, sums, products) && !always)
        return false;
    sum_slopes(of, &norm, to->x + of->begin, to->g + of->begin, sums, products);
    for (int64_t l = 0; l < channels_of_strand(of); l++) {
        to->dbias[c + l] = (T)sums[l];
        to->dweight[c + l] = (T)products[l];
        mean.a[l] = args->mean ? 0 : (T)(sums[l] / n);
        mean.b[l] = args->mean ? 0 : (T)(products[l] / n);
    }
    to_lanes(of, mean.a);
    to_lanes(of, mean.b);
    write_strand_dx(of, &norm, &mean, to);
    return true;
}

/* Writes the gradients of a single channel. If the squares of the channel leave the range of T, the channel is scaled
 * in dx first. */
static void gradients_of_channel(const heed__batch_norm_args *args, int64_t channel, const batch_gradients *to)
{
    const strand of = strand_from(args, channel, channel + 1);
    T *dx = to->dx + of.begin;
    if (channel_gradients(args, &of, to, false))
        return;
    const double scale = scale_strand(&of, to->x + of.begin, dx);
    heed__batch_norm_args scaled = *args;
    batch_gradients in_place = *to;
    scaled.eps = args->eps * scale * scale;
    in_place.x = to->dx;
    (void)channel_gradients(&scaled, &of, &in_place, true);
    for (int64_t row = 0; row < of.count; row++)
        multiply_by(of.length, dx + row * of.step, (T)scale, dx + row * of.step);
}

static void batch_norm_grad_kernel(const heed__batch_norm_args *args, int64_t begin, int64_t end,
                                   const heed__norm_grads *grads)
{
    const batch_gradients to = {grads->x, grads->g, grads->dx, grads->dweight, grads->dbias};
    for (int64_t c = begin; c < end;) {
        const strand s = strand_from(args, c, end);
        const int64_t next = c + channels_of_strand(&s);
        const bool done = channel_gradients(args, &s, &to, false);
        for (; !done && c < next; c++)
            gradients_of_channel(args, c, &to);
        c = next;
    }
}

#endif
