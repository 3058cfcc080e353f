/* ops/conv/run_lines.c - convolutions with one row of w per group, mainly depthwise ones: plane by plane, in memory
 * order. See conv.h. */

#include "ops/conv/run.h"

enum { LEAST_POSITIONS = 4 }; /* minimum positions per line */

/* Returns axis i of the range of x that all jobs read: the axis of a single job or, for several jobs, an axis that
 * covers the taps of all jobs, with one tap per element. */
static heed__conv_axis frame_of(const heed__conv_job *jobs, int64_t n, int i)
{
    heed__conv_axis frame = jobs->args.axis[i];
    if (n == 1)
        return frame;
    int64_t low = frame.first, high = frame.first;
    for (int64_t j = 0; j < n; j++) {
        const heed__conv_axis *a = &jobs[j].args.axis[i];
        const int64_t last = a->first + (a->taps - 1) * a->apart;
        low = heed__conv_least(low, heed__conv_least(a->first, last));
        high = heed__conv_most(high, heed__conv_most(a->first, last));
        frame.positions = heed__conv_most(frame.positions, a->positions);
    }
    frame.first = low;
    frame.taps = high - low + 1;
    frame.apart = 1;
    return frame;
}

static heed__conv_lines_args lines_of(const heed__conv_job *jobs, int64_t n, int64_t groups)
{
    heed__conv_lines_args lines = {.args = jobs->args,
                                   .groups = groups,
                                   .x_group = jobs->x_group,
                                   .w_group = jobs->w_group,
                                   .y_group = jobs->y_group,
                                   .w_channel = jobs->pack.w_channel,
                                   .n = n};
    lines.args.w = jobs->pack.w;
    for (int i = 0; i < 2; i++)
        lines.args.axis[i] = frame_of(jobs, n, i);
    for (int64_t i = 0; i < n; i++) {
        const heed__conv_pack_args *pack = &jobs[i].pack;
        lines.terms += heed__conv_terms(&jobs[i].args);
        lines.subset[i] =
            (heed__conv_lines){.axis = {jobs[i].args.axis[0], jobs[i].args.axis[1]},
                               .w_first = ((const char *)pack->w - (const char *)jobs->pack.w) / jobs->size,
                               .w_tap = {pack->w_tap[0], pack->w_tap[1]}};
    }
    return lines;
}

/* Returns the number of positions of the first axis per band; less than 1 if not even one fits. */
static int64_t band_height(const heed__conv_args *a)
{
    if (a->axis[0].taps > HEED_CONV_BAND_ELEMENTS || a->axis[1].taps > HEED_CONV_BAND_ELEMENTS ||
        !heed__conv_fits_band(a))
        return 0;
    const int64_t copied = heed__conv_band_copy(a, 0), line = heed__conv_band_copy(a, 1) - copied;
    return heed__conv_least((HEED_CONV_BAND_ELEMENTS - copied) / line, a->axis[0].positions);
}

bool heed__conv_suits_lines(const heed__conv_job *jobs, int64_t n)
{
    if (jobs->args.rows != 1 || heed__conv_fan(&jobs->args) > 1 || n > HEED_CONV_REMAINDERS)
        return false;
    for (int64_t i = 0; i < n; i++) {
        const int64_t terms = heed__conv_terms(&jobs[i].args);
        if (terms == 0 || heed__is_long(terms) || jobs[i].args.axis[1].positions < LEAST_POSITIONS)
            return false;
    }
    const heed__conv_lines_args lines = lines_of(jobs, n, 1);
    return band_height(&lines.args) > 0;
}

typedef struct line_bands {
    heed__conv_lines_args lines;
    heed_dtype dtype;
} line_bands;

static void run_bands(int64_t begin, int64_t end, char *scratch, void *context)
{
    const line_bands *b = context;
    HEED__RUN(conv_lines, b->dtype, &b->lines, begin, end, scratch);
}

bool heed__conv_run_lines(const char *where, const heed__conv_job *jobs, int64_t n, int64_t groups)
{
    line_bands b = {lines_of(jobs, n, groups), jobs->dtype};
    const heed__conv_axis *axis = b.lines.args.axis;
    b.lines.height = band_height(&b.lines.args);
    b.lines.bands = heed__ceil_div(axis[0].positions, b.lines.height);
    const int64_t work = b.lines.height * axis[1].positions * (b.lines.terms + 1);
    return heed__parallel_for_scratch(where, b.lines.args.images * groups * b.lines.bands,
                                      1 + HEED_CONV_RANGE_WORK / work, 1 + work / HEED_CONV_OPERATIONS,
                                      HEED__RUN(conv_lines, b.dtype, &b.lines, 0, 0, NULL), run_bands, &b);
}
