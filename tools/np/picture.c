/* tools/np/picture.c - draws the fit of heed-np.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "np/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "np/files.h"

enum { GRID = 400, CELLS = 100, SERIES = 20, LABELS = 64 };

/* One panel: the values of its column, and the series over them. */
typedef struct panel {
    heed_tensor *grid;
    heed_plot_series series[SERIES];
    int count;
    heed_plot_lines_options lines;
    const char *names[LABELS]; /* of the labels on the horizontal axis */
} panel;

/* -- Queries ------------------------------------------------------------------------------------------------------- */

/* Returns the value that occurs most often in sorted values. */
static double mode_of(const double *sorted, int64_t n)
{
    double best = sorted[0];
    for (int64_t i = 0, most = 0, begin = 0; i <= n; i++)
        if (i == n || sorted[i] != sorted[begin]) {
            if (i - begin > most) {
                most = i - begin;
                best = sorted[begin];
            }
            begin = i;
        }
    return best;
}

/* Returns the value at which a column stays while a different one varies. */
static double typical(const table *t, int c)
{
    heed_tensor *sorted = heed_sort_axis(heed_select(t->x, 1, c), 0, false, NULL);
    const int64_t n = sorted ? heed_numel(sorted) : 0;
    if (n == 0)
        return (double)NAN;
    const double *v = heed_data_f64(sorted);
    if (t->kinds[c] == HEED_NP_UNORDERED)
        return mode_of(v, n);
    return t->kinds[c] == HEED_NP_ORDERED || n % 2 ? v[(n - 1) / 2] : v[n / 2 - 1] / 2 + v[n / 2] / 2;
}

/* An interval of a column of numbers. */
typedef struct span {
    double low, high;
} span;

/* Returns the interval to draw of a column with these least and greatest values. A density extends beyond the data. */
static span span_of(const table *t, double low, double high)
{
    const double beyond = t->y ? 0 : 0.1 * (high - low);
    return (span){low - beyond, high + beyond};
}

/* Returns the distinct values of a column of labels, at most LABELS, or an even grid over a column of numbers. */
static heed_tensor *grid_of(const table *t, int c)
{
    heed_tensor *sorted = heed_sort_axis(heed_select(t->x, 1, c), 0, false, NULL);
    if (!sorted)
        return NULL;
    const int64_t n = heed_numel(sorted);
    const double *v = heed_data_f64(sorted);
    const span drawn = span_of(t, v[0], v[n - 1]);
    if (t->kinds[c] == HEED_NP_CONTINUOUS)
        return heed_linspace(HEED_F64, drawn.low, drawn.high, GRID);
    double values[LABELS];
    int count = 0;
    for (int64_t i = 0; i < n && count < LABELS; i++)
        if (i == 0 || v[i] != v[i - 1])
            values[count++] = v[i];
    return heed_from_values(HEED_F64, HEED_SHAPE(count), values, count);
}

/* Returns queries (m, d) with the grid in column c and the other columns at their typical values. */
static heed_tensor *queries_of(const table *t, int c, heed_tensor *grid)
{
    heed_tensor *columns[HEED_NP_MAX_COLUMNS];
    for (int i = 0; i < t->formula.count; i++)
        columns[i] = i == c ? grid : heed_full(HEED_F64, HEED_SHAPE(heed_numel(grid)), typical(t, i));
    return heed_stack(columns, t->formula.count, 1);
}

/* -- Panels -------------------------------------------------------------------------------------------------------- */

static bool is_continuous(const table *t, int c)
{
    return t->kinds[c] == HEED_NP_CONTINUOUS;
}

/* Adds a curve with a band over numbers, or markers with error bars over labels; the band may be NULL. */
static void add_curve(panel *p, const table *t, int c, heed_plot_series curve, heed_tensor *low, heed_tensor *high)
{
    curve.x = p->grid;
    if (is_continuous(t, c)) {
        curve.low = low;
        curve.high = high;
    } else {
        curve.style = HEED_LINE_NONE;
        curve.marker = HEED_MARKER_CIRCLE;
        heed_tensor *lengths[] = {heed_sub(curve.y, low), heed_sub(high, curve.y)};
        curve.error = low ? heed_stack(lengths, 2, 0) : NULL;
    }
    p->series[p->count++] = curve;
}

static bool add_fit(panel *p, const settings *s, const table *t, const heed_np *fit, int c, heed_tensor *x)
{
    heed_np_prediction at;
    if (!files_predict(s, "--plot", fit, x, &at))
        return false;
    if (t->y && t->formula.count == 1)
        p->series[p->count++] = (heed_plot_series){.x = heed_select(t->x, 1, c),
                                                   .y = t->y,
                                                   .style = HEED_LINE_NONE,
                                                   .marker = HEED_MARKER_CIRCLE,
                                                   .label = "data",
                                                   .color = 0xff7f0e,
                                                   .alpha = 0.5};
    const heed_plot_series curve = {.y = at.mean,
                                    .label = t->formula.count > 1 ? NULL
                                             : t->y               ? "fit"
                                                                  : "density",
                                    .color = 0x1f77b4};
    add_curve(p, t, c, curve, at.lower, at.upper);
    return true;
}

static bool add_probabilities(panel *p, const table *t, const heed_np *fit, int c, heed_tensor *x)
{
    heed_tensor *probabilities, *known = heed_np_classes(fit);
    if (!known || !files_classify("--plot", fit, x, &probabilities))
        return false;
    if (heed_numel(known) > SERIES) {
        (void)fprintf(stderr, "heed-np: --plot draws only the first %d of %" PRId64 " classes\n", SERIES,
                      heed_numel(known));
    }
    for (int64_t k = 0; k < heed_numel(known) && k < SERIES; k++) {
        const heed_plot_series curve = {.y = heed_select(probabilities, 1, k),
                                        .label = column_label(&t->target, (double)heed_data_i64(known)[k])};
        add_curve(p, t, c, curve, NULL, NULL);
    }
    return true;
}

/* Names the axes; labels are drawn at 0, 1, ..., the codes of texts. */
static void set_axes(panel *p, const table *t, int c)
{
    const column *own = &t->columns[c];
    p->lines.xlabel = t->formula.terms[c].text;
    p->lines.ylabel = table_has_classes(t) ? "probability" : t->y ? t->formula.response.text : "density";
    if (table_has_classes(t)) {
        p->lines.ylim[0] = -0.03;
        p->lines.ylim[1] = 1.03;
    }
    if (own->is_date)
        p->lines.xscale = HEED_AXIS_DATES;
    const int64_t count = own->labels ? heed_categories_count(own->labels) : 0;
    for (int64_t i = 0; i < count && i < LABELS; i++)
        p->names[i] = column_label(own, (double)i);
    if (count > 0) {
        p->lines.xticks = p->names;
        p->lines.xtick_count = (int)(count < LABELS ? count : LABELS);
        p->lines.xlim[0] = -0.5;
        p->lines.xlim[1] = (double)p->lines.xtick_count - 0.5;
    }
}

static bool make_panel(panel *p, const settings *s, const table *t, const heed_np *fit, int c)
{
    set_axes(p, t, c);
    p->grid = grid_of(t, c);
    heed_tensor *x = p->grid ? queries_of(t, c, p->grid) : NULL;
    if (!x)
        return false;
    return table_has_classes(t) ? add_probabilities(p, t, fit, c, x) : add_fit(p, s, t, fit, c, x);
}

/* -- Heatmaps ------------------------------------------------------------------------------------------------------ */

/* Returns the middles (CELLS * CELLS, 2) of a grid of cells over both columns, row by row from the top. */
static heed_tensor *middles_of(const span spans[2])
{
    heed_tensor *middles = heed_empty(HEED_F64, HEED_SHAPE(CELLS * CELLS, 2));
    double *x = middles ? heed_mutable_f64(middles) : NULL;
    for (int i = 0; x && i < CELLS * CELLS; i++) {
        *x++ = spans[0].low + (spans[0].high - spans[0].low) * (i % CELLS + 0.5) / CELLS;
        *x++ = spans[1].high - (spans[1].high - spans[1].low) * (i / CELLS + 0.5) / CELLS;
    }
    return x ? middles : NULL;
}

/* Draws the density of two columns, the first one along the horizontal axis. */
static bool draw_heatmap(const settings *s, const table *t, const heed_np *fit)
{
    span spans[2];
    heed_np_prediction at;
    for (int c = 0; c < 2; c++) {
        heed_tensor *x = heed_select(t->x, 1, c), *least = heed_min(x), *greatest = heed_max(x);
        if (!least || !greatest)
            return false;
        spans[c] = span_of(t, heed_item(least), heed_item(greatest));
    }
    if (heed_np_predict(fit, middles_of(spans), NULL, &at) != HEED_OK)
        return false;
    const heed_axis_scale scales[] = {HEED_AXIS_LINEAR, HEED_AXIS_DATES};
    const heed_plot_heatmap_options options = {.titles = &s->formula,
                                               .title_count = 1,
                                               .xlabel = t->formula.terms[0].text,
                                               .ylabel = t->formula.terms[1].text,
                                               .xlim = {spans[0].low, spans[0].high},
                                               .ylim = {spans[1].low, spans[1].high},
                                               .xscale = scales[t->columns[0].is_date],
                                               .yscale = scales[t->columns[1].is_date],
                                               .panel_width = 640,
                                               .panel_height = 540,
                                               .colormap = HEED_COLORMAP_VIRIDIS};
    return heed_plot_heatmap(heed_reshape(at.mean, HEED_SHAPE(CELLS, CELLS)), s->plot, &options) == HEED_OK;
}

bool picture_draw(const settings *s, const table *t, const heed_np *fit)
{
    if (!t->y && t->formula.count == 2 && is_continuous(t, 0) && is_continuous(t, 1))
        return draw_heatmap(s, t, fit);
    static panel panels[HEED_NP_MAX_COLUMNS]; /* static, because they take 60 KiB; used once */
    heed_plot_panel drawn[HEED_NP_MAX_COLUMNS];
    const int count = t->formula.count;
    for (int c = 0; c < count; c++) {
        if (!make_panel(&panels[c], s, t, fit, c))
            return false;
        panels[c].lines.title = count == 1 ? s->formula : NULL;
        panels[c].lines.no_legend = c > 0; /* all panels have the same classes */
        drawn[c] = (heed_plot_panel){.series = panels[c].series, .count = panels[c].count, .lines = &panels[c].lines};
    }
    if (count == 1)
        return heed_plot_lines(panels[0].series, panels[0].count, s->plot, &panels[0].lines) == HEED_OK;
    return heed_plot_panels(drawn, count, s->plot, &(heed_plot_panels_options){.title = s->formula}) == HEED_OK;
}
