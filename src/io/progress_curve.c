/* io/progress_curve.c - stores the losses of a run of any length in fixed memory and draws them below the progress
 * line. */
#include "io/progress_curve.h"

#include <heed/plot.h>
#include <heed/scope.h>

#include "system/system.h"

#define MAX_COLUMNS 80
#define MIN_COLUMNS 20

void heed__curve_start(heed__progress_curve *c, double steps_before)
{
    *c = (heed__progress_curve){.first = steps_before};
}

static void merge_pairs(heed__progress_curve *c)
{
    for (int i = 0; i < HEED__CURVE_INTERVALS / 2; i++) {
        c->losses[i] = c->losses[2 * i] + c->losses[2 * i + 1];
        c->counts[i] = c->counts[2 * i] + c->counts[2 * i + 1];
    }
    c->used = HEED__CURVE_INTERVALS / 2;
    c->interval_steps *= 2;
}

void heed__curve_add(heed__progress_curve *c, double loss)
{
    if (c->interval_steps == 0)
        c->interval_steps = 1;
    if (c->used == 0 || c->counts[c->used - 1] == c->interval_steps) {
        if (c->used == HEED__CURVE_INTERVALS)
            merge_pairs(c);
        c->losses[c->used] = 0;
        c->counts[c->used++] = 0;
    }
    c->losses[c->used - 1] += loss;
    c->counts[c->used - 1]++;
}

heed_status heed__curve_draw(const heed__progress_curve *c, FILE *file, int rows, int columns, double steps_per_epoch)
{
    double x[HEED__CURVE_INTERVALS], y[HEED__CURVE_INTERVALS], done = c->first;
    for (int i = 0; i < c->used; i++) { /* the point of an interval is at its last step */
        done += (double)c->counts[i];
        x[i] = steps_per_epoch > 0 ? done / steps_per_epoch : done;
        y[i] = c->losses[i] / (double)c->counts[i];
    }
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_plot_series s = {.x = heed_from_values(HEED_F64, HEED_SHAPE(c->used), x, c->used),
                          .y = heed_from_values(HEED_F64, HEED_SHAPE(c->used), y, c->used)};
    heed_plot_text_options o = {
        .columns = columns, .rows = rows, .ylabel = "loss", .xlabel = steps_per_epoch > 0 ? "epoch" : "step"};
    heed_status status = s.x && s.y ? heed_plot_text(&s, 1, file, &o) : heed_error_code();
    (void)heed_scope_end(scope);
    return status;
}

int heed__line_columns(FILE *file, int max_columns)
{
    int rows, columns;
    if (!heed__terminal_size(file, &rows, &columns) || columns == 0)
        return max_columns;
    return columns <= max_columns ? columns - 1 : max_columns;
}

int heed__curve_columns(FILE *file, int rows)
{
    int height, width;
    if (!heed__terminal_size(file, &height, &width) || height == 0 || width == 0)
        return MAX_COLUMNS - 1;
    if (height < rows + 2 || width <= MIN_COLUMNS)
        return 0;
    return (width < MAX_COLUMNS ? width : MAX_COLUMNS) - 1;
}
