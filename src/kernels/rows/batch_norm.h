/* kernels/rows/batch_norm.h - batch norm of (outer, channels, inner), each channel by its own mean and variance.
 *
 * The elements of a channel are segments of `inner` numbers. Where inner is 1 a segment is one number of each of many
 * channels side by side instead; everything but the end of a sum is done alike, for a lane then has a channel of its
 * own where else all lanes have the same one. */
#ifndef HEED_KERNELS_ROWS_BATCH_NORM_H
#define HEED_KERNELS_ROWS_BATCH_NORM_H

#include <math.h>

#include "kernels/kernels.h"
#include "kernels/simd/total.h"
#include "kernels/simd/vec.h"

/* Registers that are summed side by side, and the lanes of all of them. */
enum { SPAN_VECS = 4, SPAN = SPAN_VECS * WIDTH };

/* What one pass goes over: `count` segments of `length` elements, `step` apart, of channels from `first` on. */
typedef struct strand {
    int64_t count, step, length, first;
    bool side_by_side; /* each lane is a channel of its own: length of them, SPAN at most */
} strand;

static strand strand_from(const heed__batch_norm_args *args, int64_t first, int64_t end)
{
    if (args->inner > 1)
        return (strand){args->outer, args->channels * args->inner, args->inner, first, false};
    return (strand){args->outer, args->channels, end - first < SPAN ? end - first : SPAN, first, true};
}

/* The channels of a strand, and the place of its first element. */
static int64_t channels_of(const strand *s)
{
    return s->side_by_side ? s->length : 1;
}

static int64_t begin_of(const heed__batch_norm_args *args, const strand *s)
{
    return s->first * args->inner;
}

/* -- Sums ---------------------------------------------------------------------------------------------------------- */

/* By lane: h = ((x - mean) - rest) factor, y = h weight + bias. */
typedef struct lane_norm {
    T mean[SPAN], rest[SPAN], factor[SPAN], weight[SPAN];
} lane_norm;

static ALWAYS_INLINE vec lane_normalized(const lane_norm *norm, int v, vec x)
{
    return ((x - load(norm->mean + v * WIDTH)) - load(norm->rest + v * WIDTH)) * load(norm->factor + v * WIDTH);
}

/* Chains of two sums, and their totals. */
typedef struct span_sums {
    vec part[2][SPAN_VECS], sum[2][SPAN_VECS], lost[2][SPAN_VECS];
    int chained;
} span_sums;

static ALWAYS_INLINE void end_chains(span_sums *s)
{
    for (int k = 0; k < 2; k++)
        for (int v = 0; v < SPAN_VECS; v++) {
            total_add_vec(&s->sum[k][v], &s->lost[k][v], s->part[k][v]);
            s->part[k][v] = (vec){0};
        }
    s->chained = 0;
}

/* Of n elements, at most SPAN: x - mean and its square; with g instead g and g h. */
static ALWAYS_INLINE void add_span(span_sums *s, const lane_norm *norm, const T *x, const T *g, int64_t n,
                                   const bool whole)
{
    UNROLL
    for (int v = 0; v < SPAN_VECS; v++) {
        const int64_t left = n - v * WIDTH;
        if (!whole && left <= 0)
            break;
        const vec mean = load(norm->mean + v * WIDTH);
        const vec value = whole ? load(x + v * WIDTH) : load_up_to(x + v * WIDTH, left, mean);
        const vec slope = !g ? value - mean : whole ? load(g + v * WIDTH) : load_up_to(g + v * WIDTH, left, (vec){0});
        s->part[0][v] += slope;
        s->part[1][v] += slope * (g ? lane_normalized(norm, v, value) : slope);
    }
}

/* To each channel; of one channel the lanes are added up. */
static void end_sums(const span_sums *s, const strand *of, double *first, double *second)
{
    double *const out[2] = {first, second};
    for (int k = 0; k < 2; k++) {
        double all = 0, all_lost = 0;
        for (int l = 0; l < SPAN; l++) {
            const int v = l / WIDTH, lane = l % WIDTH;
            out[k][l] = total_value((double)s->sum[k][v][lane], (double)s->lost[k][v][lane]);
            total_add(&all, &all_lost, out[k][l]);
        }
        if (!of->side_by_side)
            out[k][0] = total_value(all, all_lost);
    }
}

/* By channel, both with room for SPAN. g NULL: the sums of x - mean and of its square; else of g and g h. */
static ALWAYS_INLINE void sum_strand(const strand *of, const lane_norm *norm, const T *x, const T *g, double *first,
                                     double *second)
{
    span_sums s = {.chained = 0};
    for (int64_t row = 0; row < of->count; row++) {
        const int64_t at = row * of->step;
        for (int64_t i = 0; i < of->length; i += SPAN) {
            const T *gi = g ? g + at + i : NULL;
            if (of->length - i >= SPAN)
                add_span(&s, norm, x + at + i, gi, SPAN, true);
            else
                add_span(&s, norm, x + at + i, gi, of->length - i, false);
            if (++s.chained == HEED_LONG_CHAIN)
                end_chains(&s);
        }
    }
    end_chains(&s);
    end_sums(&s, of, first, second);
}

/* Apart, so that no frame holds the arrays of all. */
__attribute__((noinline)) static void sum_moments(const strand *of, const lane_norm *norm, const T *x, double *first,
                                                  double *second)
{
    sum_strand(of, norm, x, NULL, first, second);
}

__attribute__((noinline)) static void sum_slopes(const strand *of, const lane_norm *norm, const T *x, const T *g,
                                                 double *first, double *second)
{
    sum_strand(of, norm, x, g, first, second);
}

/* -- Statistics ---------------------------------------------------------------------------------------------------- */

/* What a strand's channels have, to their lanes: of one channel to all. */
static void to_lanes(const strand *of, T *numbers)
{
    for (int l = 1; !of->side_by_side && l < SPAN; l++)
        numbers[l] = numbers[0];
}

static void parameters_to_lanes(const strand *of, const T *from, T otherwise, T *to)
{
    for (int64_t c = 0; c < channels_of(of); c++)
        to[c] = from ? from[of->first + c] : otherwise;
    to_lanes(of, to);
}

/* Mean, rest and variance by channel, as layer_norm.h has them of a row; found in x, or given. `norm` and the room
 * for sums, SPAN each, are zeros before. */
static void find_statistics(const heed__batch_norm_args *args, const strand *of, const T *x, lane_norm *norm,
                            double *first, double *second)
{
    const int64_t channels = channels_of(of);
    const double n = (double)(args->outer * args->inner);
    const T *variance = args->variance;
    T *found = args->found;
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
        if (found) {
            found[of->first + c] = norm->mean[c];
            found[args->channels + of->first + c] = (T)spread;
        }
    }
    to_lanes(of, norm->rest);
    to_lanes(of, norm->factor);
    parameters_to_lanes(of, args->weight, 1, norm->weight);
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

static void normalize_strand(const strand *of, const lane_norm *norm, const T *bias, const T *x, T *y)
{
    for (int64_t row = 0; row < of->count; row++)
        for (int64_t i = 0; i < of->length; i += WIDTH) {
            const int v = of->side_by_side ? (int)(i / WIDTH) : 0;
            const int64_t at = row * of->step + i, left = of->length - i;
            const vec h = lane_normalized(norm, v, load_up_to(x + at, left, (vec){0}));
            store_up_to(y + at, h * load(norm->weight + v * WIDTH) + load(bias + v * WIDTH), left);
        }
}

static void batch_norm_kernel(const heed__batch_norm_args *args, int64_t begin, int64_t end, const void *x_, void *y_)
{
    const T *x = x_;
    T *y = y_;
    for (int64_t c = begin; c < end;) {
        const strand s = strand_from(args, c, end);
        const int64_t at = begin_of(args, &s);
        lane_norm norm = {{0}, {0}, {0}, {0}};
        double first[SPAN] = {0}, second[SPAN] = {0};
        T bias[SPAN] = {0};
        find_statistics(args, &s, x + at, &norm, first, second);
        parameters_to_lanes(&s, args->bias, 0, bias);
        normalize_strand(&s, &norm, bias, x + at, y + at);
        c += channels_of(&s);
    }
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

/* dx = factor weight (g - a - h b) */
static void write_strand_dx(const strand *of, const lane_norm *norm, const T *a, const T *b, const T *x, const T *g,
                            T *dx)
{
    for (int64_t row = 0; row < of->count; row++)
        for (int64_t i = 0; i < of->length; i += WIDTH) {
            const int v = of->side_by_side ? (int)(i / WIDTH) : 0;
            const int64_t at = row * of->step + i, left = of->length - i;
            const vec h = lane_normalized(norm, v, load_up_to(x + at, left, (vec){0}));
            const vec part = (load_up_to(g + at, left, (vec){0}) - load(a + v * WIDTH)) - h * load(b + v * WIDTH);
            store_up_to(dx + at, part * (load(norm->factor + v * WIDTH) * load(norm->weight + v * WIDTH)), left);
        }
}

static void batch_norm_grad_kernel(const heed__batch_norm_args *args, int64_t begin, int64_t end, const void *x_,
                                   const void *g_, void *dx_, void *dweight_, void *dbias_)
{
    const T *x = x_, *g = g_;
    T *dx = dx_, *dweight = dweight_, *dbias = dbias_;
    const double n = (double)(args->outer * args->inner);
    for (int64_t c = begin; c < end;) {
        const strand s = strand_from(args, c, end);
        const int64_t at = begin_of(args, &s), channels = channels_of(&s);
        lane_norm norm = {{0}, {0}, {0}, {0}};
        double sums[SPAN] = {0}, products[SPAN] = {0};
        T a[SPAN] = {0}, b[SPAN] = {0};
        find_statistics(args, &s, x + at, &norm, sums, products);
        sum_slopes(&s, &norm, x + at, g + at, sums, products);
        for (int64_t l = 0; l < channels; l++) {
            dbias[c + l] = (T)sums[l];
            dweight[c + l] = (T)products[l];
            a[l] = args->mean ? 0 : (T)(sums[l] / n);
            b[l] = args->mean ? 0 : (T)(products[l] / n);
        }
        to_lanes(&s, a);
        to_lanes(&s, b);
        write_strand_dx(&s, &norm, a, b, x + at, g + at, dx + at);
        c += channels;
    }
}

#endif
