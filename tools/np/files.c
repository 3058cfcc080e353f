/* tools/np/files.c - the rows and the picture that heed-np writes. */

#include "np/files.h"

/* -- Fits and intervals --------------------------------------------------------------------------------------------- */

/* Standard errors and intervals from draws: m plus what draws are away from their mean. */
static bool take_draws(const settings *s, heed_tensor *draws, heed_np_prediction *at)
{
    heed_tensor *sorted = heed_sort_axis(draws, 0, false, NULL);
    if (!sorted)
        return false;
    const int64_t count = heed_dim(sorted, 0);
    const double level = s->predict.level > 0 ? s->predict.level : 0.95;
    const int64_t below = (int64_t)((1 - level) / 2 * (double)count);
    heed_tensor *center = heed_sub(at->mean, heed_mean_axes(draws, HEED_AXES(0), false));
    at->se = heed_std_axes(draws, HEED_AXES(0), 1, false);
    at->lower = heed_add(center, heed_select(sorted, 0, below));
    at->upper = heed_add(center, heed_select(sorted, 0, count - 1 - below));
    return at->se && at->lower && at->upper;
}

static bool predict(const settings *s, const heed_np *fit, heed_tensor *x, heed_np_prediction *at)
{
    if (heed_np_predict(fit, x, &s->predict, at) != HEED_OK)
        return false;
    if (!s->has_bootstrap)
        return true;
    heed_tensor *draws = heed_np_bootstrap(fit, x, &s->bootstrap);
    return draws && take_draws(s, draws, at);
}

/* -- Files -------------------------------------------------------------------------------------------------------------- */

bool files_write_rows(const settings *s, const table *t, const heed_np *fit)
{
    static const char *const of_fit[] = {"y", "fit", "se", "lower", "upper", "residual", "leverage"};
    static const char *const of_density[] = {"density", "se", "lower", "upper"};
    const char *names[HEED_NP_MAX_COLUMNS + 8];
    heed_np_prediction at;
    if (!predict(s, fit, t->x, &at))
        return false;
    int n = 0;
    for (int c = 0; c < t->formula.count; c++)
        names[n++] = t->formula.terms[c].name;
    for (int i = 0; i < (t->y ? 7 : 4); i++)
        names[n++] = t->y ? of_fit[i] : of_density[i];
    if (!t->y) {
        heed_tensor *columns[] = {t->x, at.mean, at.se, at.lower, at.upper};
        return heed_io_csv_write(s->output, names, n, columns, 5, NULL) == HEED_OK;
    }
    heed_tensor *columns[] = {
        t->x, t->y, at.mean, at.se, at.lower, at.upper, heed_np_residuals(fit), heed_np_leverages(fit)};
    return heed_io_csv_write(s->output, names, n, columns, 8, NULL) == HEED_OK;
}

enum { GRID = 400 };

bool files_draw(const settings *s, const table *t, const heed_np *fit)
{
    heed_np_prediction at;
    heed_tensor *x = heed_select(t->x, 1, 0);
    const double low = x ? heed_item(heed_min(x)) : 0, high = x ? heed_item(heed_max(x)) : 0;
    const double beyond = t->y ? 0 : 0.1 * (high - low); /* where a density ends */
    heed_tensor *grid = heed_linspace(HEED_F64, low - beyond, high + beyond, GRID);
    if (!predict(s, fit, heed_unsqueeze(grid, 1), &at))
        return false;
    const heed_plot_series all[] = {{.x = x,
                                     .y = t->y,
                                     .style = HEED_LINE_NONE,
                                     .marker = HEED_MARKER_CIRCLE,
                                     .label = "data",
                                     .color = 0xff7f0e,
                                     .alpha = 0.5},
                                    {.x = grid,
                                     .y = at.mean,
                                     .low = at.lower,
                                     .high = at.upper,
                                     .label = t->y ? "fit" : "density",
                                     .color = 0x1f77b4}};
    const heed_plot_lines_options options = {
        .title = s->formula, .xlabel = t->formula.terms[0].name, .ylabel = t->y ? t->formula.response.name : "density"};
    return heed_plot_lines(t->y ? all : all + 1, t->y ? 2 : 1, s->plot, &options) == HEED_OK;
}
