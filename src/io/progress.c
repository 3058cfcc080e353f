/* io/progress.c - the progress line of a training run; heed/progress.h describes its content and timing.
 *
 * Rate and remaining time are computed from all steps since the progress was created or its state was set, so they
 * include the time between epochs. If the clock stops or goes backwards, neither is shown. Number formatting does not
 * depend on the locale.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "io/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/memory.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "base/decimal.h"
#include "base/escape.h"
#include "base/mark.h"
#include "system/system.h"

#define LINE_MAX_COLUMNS 79
#define MAX_COLUMNS 80 /* of a curve */
#define MIN_COLUMNS 20
#define REDRAW_SECONDS 0.1
#define LINE_SECONDS 10.0
#define MIN_CURVE_ROWS 8
#define MAX_CURVE_ROWS 100

static const char where_step[] = "progress_step", cannot_write[] = "cannot write the progress line";

struct heed_progress {
    FILE *file;
    heed_progress_options options;
    double (*clock)(void);
    char unit[24];
    bool terminal;
    int64_t epoch, step;      /* completed steps of the current epoch; before the first epoch, epoch and step are 0 */
    double steps_before;      /* steps already done when time and units began to be counted */
    double units;             /* units since time began to be counted; a double cannot overflow */
    double loss;              /* sum of the losses of the current epoch */
    double start, last_shown; /* times in seconds: when counting began, and when the last line was shown */
    heed__progress_curve curve;
    bool curve_shown; /* a curve is displayed below the line */
    int drawn;        /* columns of the line that the next line on the terminal overwrites; 0 if none */
    uint64_t mark;
};

HEED_MARK_OUTLIVES_FREE(heed_progress);

typedef struct line {
    char text[2 * LINE_MAX_COLUMNS]; /* "\r", the line, blanks that overwrite the rest of an older line, "\n" */
    size_t used;
    int columns; /* columns used */
    int max_columns;
    bool full; /* an item did not fit; this item and all later ones are omitted */
} line;

/* -- Text ---------------------------------------------------------------------------------------------------------- */

static void append_item(line *l, const char *format, ...) HEED_PRINTF(2, 3);

static void append_item(line *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, list);
    va_end(list);
    if (n < 0 || n > l->max_columns - l->columns)
        l->full = true;
    if (l->full)
        return;
    l->used += (size_t)n;
    l->columns += n;
}

static heed__number_text scientific(double value)
{
    heed__number_text text;
    (void)snprintf(text.s, sizeof text.s, "%.3e", value);
    heed__decimal_point(text.s);
    return text;
}

static heed__number_text loss_text(double loss)
{
    double size = fabs(loss);
    if (isnan(loss))
        return (heed__number_text){"nan"};
    if (isinf(loss))
        return loss < 0 ? (heed__number_text){"-inf"} : (heed__number_text){"inf"};
    return size != 0 && (size < 1e-3 || size >= 1e6) ? scientific(loss) : heed__fixed(loss, 4);
}

/* Formats a rate with at least three digits. */
static heed__number_text rate_text(double rate)
{
    if (rate >= 1e15)
        return scientific(rate);
    if (rate >= 100)
        return heed__grouped((int64_t)(rate + 0.5));
    return heed__fixed(rate, rate >= 10 ? 1 : rate >= 1 ? 2 : 3);
}

/* Appends a time as h:mm:ss, followed by `after`. Appends nothing if the time is 9999 hours or more. */
static void append_time(line *l, double seconds, const char *after)
{
    if (seconds >= 3600.0 * 9999)
        return;
    int whole = (int)(seconds + 0.5);
    append_item(l, "  %d:%02d:%02d %s", whole / 3600, whole / 60 % 60, whole % 60, after);
}

/* -- The loss curve, which stores the losses of a run of any length in fixed memory -------------------------------- */

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

/* Returns the number of columns that a line can use without wrapping, at most `max_columns`. */
static int line_columns(FILE *file, int max_columns)
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

/* -- Lines --------------------------------------------------------------------------------------------------------- */

static double system_clock(void)
{
    return 1e-9 * (double)heed__nanoseconds();
}

static double steps_done(const heed_progress *p)
{
    return p->epoch == 0 ? 0.0 : (double)(p->epoch - 1) * (double)p->options.steps + (double)p->step;
}

static void compose_line(const heed_progress *p, double now, line *l)
{
    const heed_progress_options *o = &p->options;
    append_item(l, "epoch %" PRId64 "/%" PRId64, p->epoch, o->epochs);
    append_item(l, "  step %" PRId64 "/%" PRId64, p->step, o->steps);
    append_item(l, "  loss %s", loss_text(heed_progress_loss(p)).s);
    double elapsed = now - p->start;
    if (!(elapsed > 0 && isfinite(elapsed)))
        return;
    double done = steps_done(p) - p->steps_before;
    double left = (double)(o->epochs - p->epoch) * (double)o->steps + (double)(o->steps - p->step);
    append_item(l, "  %s %s/s", rate_text(p->units / elapsed).s, p->unit);
    if (left > 0)
        append_time(l, elapsed / done * left, "left");
    else
        append_time(l, elapsed, "in all");
}

/* Draws the curve below the progress line. Then moves the cursor back up, so that the next line and curve overwrite
 * these, unless keep_line is true. */
static heed_status write_curve(heed_progress *p, bool keep_line)
{
    const heed_progress_options *o = &p->options;
    int columns = heed__curve_columns(p->file, o->curve);
    if (columns == 0)
        return keep_line || fputs("\x1b[A", p->file) >= 0 ? HEED_OK
                                                          : heed_fail(HEED_ERR_IO, where_step, "%s", cannot_write);
    heed_status status =
        heed__curve_draw(&p->curve, p->file, o->curve, columns, o->epochs > 1 ? (double)o->steps : 0.0);
    p->curve_shown = !keep_line;
    if (status == HEED_OK && !keep_line && fprintf(p->file, "\x1b[%dA", o->curve + 1) < 0)
        status = heed_fail(HEED_ERR_IO, where_step, "%s", cannot_write);
    return status;
}

static bool write_bytes(heed_progress *p, const char *bytes, size_t count)
{
    return fwrite(bytes, 1, count, p->file) == count;
}

static heed_status write_line(heed_progress *p, double now, bool keep_line)
{
    bool curve = p->terminal && p->options.curve > 0, last = p->epoch == p->options.epochs;
    line l = {.max_columns = p->terminal ? line_columns(p->file, LINE_MAX_COLUMNS) : LINE_MAX_COLUMNS};
    if (p->terminal)
        l.text[l.used++] = '\r';
    compose_line(p, now, &l);
    for (int i = l.columns; i < p->drawn && i < l.max_columns; i++)
        l.text[l.used++] = ' ';
    if (keep_line || !p->terminal || curve)
        l.text[l.used++] = '\n';
    p->drawn = keep_line || !p->terminal ? 0 : l.columns;
    p->last_shown = now;
    bool clears = keep_line && p->curve_shown; /* erases the curve below, where the program's output will follow */
    bool written = write_bytes(p, l.text, l.used) && (!clears || write_bytes(p, "\x1b[J", 3));
    p->curve_shown = p->curve_shown && !clears;
    heed_status status = written && curve && (!keep_line || last) ? write_curve(p, keep_line) : HEED_OK;
    if (!written || fflush(p->file) != 0)
        return heed_fail(HEED_ERR_IO, where_step, "%s", cannot_write);
    return status;
}

/* -- Interface ----------------------------------------------------------------------------------------------------- */

static bool check_progress_options(const heed_progress_options *o)
{
    static const char where[] = "progress_new";
    if (o->epochs < 0)
        heed_fail(HEED_ERR_ARGUMENT, where, "epochs is %" PRId64 ": must be 0 or more", o->epochs);
    else if (o->steps < 1)
        heed_fail(HEED_ERR_ARGUMENT, where, "steps is %" PRId64 ": must be 1 or more", o->steps);
    else if (!(o->interval >= 0))
        heed_fail(HEED_ERR_ARGUMENT, where, "interval is %g: must be 0 or more seconds", o->interval);
    else if (o->curve != 0 && (o->curve < MIN_CURVE_ROWS || o->curve > MAX_CURVE_ROWS))
        heed_fail(HEED_ERR_ARGUMENT, where, "curve is %d: must be 0 or %d to %d", o->curve, MIN_CURVE_ROWS,
                  MAX_CURVE_ROWS);
    else
        return true;
    return false;
}

/* Sets the progress to a state and starts counting time and units. */
static void start_progress(heed_progress *p, const heed_progress_state *state)
{
    p->epoch = state->epoch;
    p->step = state->step;
    p->loss = state->loss;
    p->steps_before = steps_done(p);
    p->units = 0;
    heed__curve_start(&p->curve, p->steps_before);
    p->start = p->clock();
    p->last_shown = p->terminal ? -HUGE_VAL : p->start; /* a terminal shows the first step */
}

heed_progress *heed_progress_new(FILE *file, const heed_progress_options *options)
{
    HEED_ENTER("progress_new");
    if (!file || !options)
        return heed_fail_null(HEED_ERR_ARGUMENT, "progress_new", "%s is NULL", file ? "options" : "file");
    if (!check_progress_options(options))
        return NULL;
    heed_progress *p = heed_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->mark = HEED_MARK(HEED_PROGRESS, 0);
    p->file = file;
    p->options = *options;
    if (p->options.epochs == 0)
        p->options.epochs = 1;
    if (p->options.interval == 0)
        p->options.interval = LINE_SECONDS;
    const char *unit = options->unit ? options->unit : "steps";
    (void)heed__escape_copy(unit, strlen(unit), p->unit, sizeof p->unit);
    p->terminal = !options->plain && heed__is_terminal(file);
    heed__progress_set_clock(p, system_clock);
    return p;
}

void heed__progress_set_clock(heed_progress *p, double (*clock)(void))
{
    p->clock = clock;
    start_progress(p, &(heed_progress_state){.epoch = 0});
}

static bool check_progress(const char *where, const heed_progress *p)
{
    if (!p)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the progress is NULL");
    return heed__is_marked(p->mark, HEED_PROGRESS) || heed_fail_freed(where, "the progress", p);
}

heed_status heed_progress_step(heed_progress *p, double loss, int64_t units)
{
    const char *where = where_step;
    HEED_ENTER("progress_step");
    if (!check_progress(where, p))
        return heed_error_code();
    const heed_progress_options *o = &p->options;
    if (o->unit && units < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "units is %" PRId64 ": must be 0 or more", units);
    if (p->epoch == o->epochs && p->step == o->steps)
        return heed_fail(HEED_ERR_STATE, where, "all %" PRId64 " steps of %" PRId64 " epochs are done", o->steps,
                         o->epochs);
    if (p->step == o->steps || p->epoch == 0) {
        p->epoch++;
        p->step = 0;
        p->loss = 0;
    }
    p->step++;
    p->loss += loss;
    heed__curve_add(&p->curve, loss);
    p->units += o->unit ? (double)units : 1.0;
    double now = p->clock();
    bool ends = p->step == o->steps;
    if (ends || now - p->last_shown >= (p->terminal ? REDRAW_SECONDS : o->interval))
        return write_line(p, now, ends);
    return HEED_OK;
}

double heed_progress_loss(const heed_progress *p)
{
    return check_progress("progress_loss", p) && p->step > 0 ? p->loss / (double)p->step : (double)NAN;
}

heed_status heed_progress_get_state(const heed_progress *p, heed_progress_state *state)
{
    if (!check_progress("progress_get_state", p))
        return heed_error_code();
    if (!state)
        return heed_fail(HEED_ERR_ARGUMENT, "progress_get_state", "the state is NULL");
    *state = (heed_progress_state){.epoch = p->epoch, .step = p->step, .loss = p->loss};
    return HEED_OK;
}

heed_status heed_progress_set_state(heed_progress *p, const heed_progress_state *state)
{
    static const char where[] = "progress_set_state";
    HEED_ENTER(where);
    if (!check_progress(where, p))
        return heed_error_code();
    if (!state)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the state is NULL");
    const heed_progress_options *o = &p->options;
    bool begun = state->epoch >= 1 && state->epoch <= o->epochs && state->step >= 1 && state->step <= o->steps;
    if (!begun && !(state->epoch == 0 && state->step == 0))
        return heed_fail(HEED_ERR_ARGUMENT, where,
                         "epoch %" PRId64 ", step %" PRId64 " is out of range: there are %" PRId64 " epochs of %" PRId64
                         " steps",
                         state->epoch, state->step, o->epochs, o->steps);
    start_progress(p, state);
    return HEED_OK;
}

void heed_progress_free(heed_progress *p)
{
    if (!p || !check_progress("progress_free", p))
        return;
    if (p->drawn > 0) {
        for (int i = p->curve_shown ? p->options.curve : 0; i >= 0; i--)
            (void)fputc('\n', p->file);
        (void)fflush(p->file);
    }
    p->mark = 0;
    heed_free(p, sizeof *p);
}
