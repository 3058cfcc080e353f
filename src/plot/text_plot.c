/* plot/text_plot.c - heed_plot_text: lays out and writes a plot as lines of text:
 *
 *     title
 *     ylabel                        1 training  2 validation
 *     2.0 ┤⠑⢄
 *     1.5 │  ⠑⢄
 *     1.0 ┤    ⠉⠒⠤⢄⣀⣀ 2
 *         └┬──────┬────
 *          0      5
 *              xlabel
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "base/escape.h"
#include "plot/text_plot.h"
#include "system/system.h"

static const char where[] = "plot_text";
#define DEFAULT_COLUMNS 80
#define DEFAULT_ROWS 20
#define LEAST_COLUMNS 20
#define LEAST_ROWS 8
#define MOST 1000
#define ROWS_PER_TICK 3
#define COLUMNS_PER_TICK 8
#define MOST_WIDTH 4096

/* -- Text ------------------------------------------------------------------------------------------------- */

static heed__escape_piece next_piece(const char *text)
{
    const char *end = memchr(text, '\0', 4);
    return heed__escape_next(text, end ? (size_t)(end - text) : 4);
}

/* Returns the width of a character in terminal columns. It is 1, or the length of the escape sequence that replaces the
 * character. */
static int piece_columns(const heed__escape_piece *p)
{
    return p->escaped ? (int)p->size : 1;
}

/* Returns the width of a text in terminal columns, at most about MOST_WIDTH, which is more than a line can have. */
static int text_columns(const char *text)
{
    int width = 0;
    while (text && *text && width < MOST_WIDTH) {
        const heed__escape_piece p = next_piece(text);
        width += piece_columns(&p);
        text += p.consumed;
    }
    return width;
}

static void spaces(heed__text_plot *p, int count)
{
    for (int i = 0; i < count; i++)
        heed__sink_bytes(&p->out, " ", 1);
}

/* Writes a text up to a width of `most` columns. Returns the number of columns written. */
static int write_text(heed__text_plot *p, const char *text, int most)
{
    int width = 0;
    while (text && *text) {
        const heed__escape_piece piece = next_piece(text);
        if (piece_columns(&piece) > most - width)
            break;
        heed__sink_bytes(&p->out, piece.s, piece.size);
        width += piece_columns(&piece);
        text += piece.consumed;
    }
    return width;
}

/* Ends a line of which `used` columns are written. On a terminal, fills the rest of the line with blanks to erase an
 * older plot. */
static void end_text_line(heed__text_plot *p, int used)
{
    if (p->terminal)
        spaces(p, p->options.columns - used);
    heed__sink_bytes(&p->out, "\n", 1);
}

static void begin_color(heed__text_plot *p, int number)
{
    char code[24];
    (void)snprintf(code, sizeof code, "\x1b[38;5;%dm", heed__text_plot_color(p->series[number].color));
    if (p->terminal)
        heed__sink_text(&p->out, code);
}

static void end_color(heed__text_plot *p)
{
    if (p->terminal)
        heed__sink_text(&p->out, "\x1b[0m");
}

static void centered(heed__text_plot *p, const char *text)
{
    int from = p->left + 1, space = p->options.columns - from, width = text_columns(text);
    int before = width < space                ? from + (space - width) / 2
                 : width < p->options.columns ? p->options.columns - width
                                              : 0;
    spaces(p, before);
    end_text_line(p, before + write_text(p, text, p->options.columns - before));
}

/* -- Above the axes --------------------------------------------------------------------------------------- */

static bool has_text(const char *text)
{
    return text && *text;
}

/* The number of a series as text; "" if the plot has only one series. */
typedef struct entry_name {
    char s[16];
} entry_name;

static entry_name entry_number(const heed__text_plot *p, int number)
{
    entry_name name = {""};
    if (p->count > 1)
        (void)snprintf(name.s, sizeof name.s, "%d", number + 1);
    return name;
}

static int legend_width(const heed__text_plot *p)
{
    int width = 0;
    for (int i = 0; i < p->count && width < MOST_WIDTH; i++)
        if (has_text(p->series[i].label))
            width += (width ? 2 : 0) + text_columns(entry_number(p, i).s) + (p->count > 1) +
                     text_columns(p->series[i].label);
    return width;
}

static bool has_header(const heed__text_plot *p)
{
    return has_text(p->options.ylabel) || p->y.ticks.factor[0] || legend_width(p) > 0;
}

static int write_entry(heed__text_plot *p, int number, int most)
{
    begin_color(p, number);
    int used = write_text(p, entry_number(p, number).s, most);
    end_color(p);
    used += write_text(p, used ? " " : "", most - used);
    return used + write_text(p, p->series[number].label, most - used);
}

static void write_header(heed__text_plot *p)
{
    int columns = p->options.columns, used = write_text(p, p->options.ylabel, columns);
    used += write_text(p, used ? " " : "", columns - used);
    used += write_text(p, p->y.ticks.factor, columns - used);
    int space = columns - used - legend_width(p);
    if (used > 0 && space < 2)
        space = 2;
    for (int i = 0; i < p->count && used < columns; i++)
        if (has_text(p->series[i].label)) {
            for (; space > 0 && used < columns; space--)
                used += write_text(p, " ", 1);
            used += write_entry(p, i, columns - used);
            space = 2;
        }
    end_text_line(p, used);
}

/* -- The plot --------------------------------------------------------------------------------------------- */

/* Returns the tick of the y axis in this row, or NULL. */
static const heed__tick *tick_at(const heed__text_plot *p, int row)
{
    for (int i = 0; i < p->y.ticks.count; i++) {
        double at = heed__text_plot_row(p, p->y.ticks.at[i].value);
        if (heed__pixel((at + 0.5) / 4) == row)
            return &p->y.ticks.at[i];
    }
    return NULL;
}

static void find_ends(heed__text_plot *p)
{
    for (int s = 0; s < p->count; s++) {
        const double *y = p->series[s].y ? p->series[s].y : p->series[s].high;
        int64_t i = p->series[s].count - 1;
        while (i >= 0 && !isfinite(heed__text_plot_row(p, y[i])))
            i--;
        p->series[s].end_row = i < 0 ? -1 : heed__pixel((heed__text_plot_row(p, y[i]) + 0.5) / 4);
    }
}

/* Returns the series whose number is written at the end of this row, because the series ends there, or -1. If several
 * series end there, returns the first one. */
static int ends_at(const heed__text_plot *p, int row)
{
    for (int s = 0; s < p->count && p->count > 1; s++)
        if (p->series[s].end_row == row)
            return s;
    return -1;
}

static int write_dots(heed__text_plot *p, int row)
{
    int end = p->dots.columns, owner = -1;
    const int *owners = p->dots.owners + (size_t)row * (size_t)p->dots.columns;
    const uint8_t *bits = p->dots.bits + (size_t)row * (size_t)p->dots.columns;
    while (end > 0 && !bits[end - 1])
        end--;
    for (int column = 0; column < end; column++) {
        char text[4];
        if (bits[column] && owners[column] != owner) {
            owner = owners[column];
            begin_color(p, owner);
        }
        heed__dots_character(&p->dots, row, column, text);
        heed__sink_text(&p->out, text);
    }
    if (owner >= 0)
        end_color(p);
    return end;
}

static void write_row(heed__text_plot *p, int row)
{
    const heed__tick *tick = tick_at(p, row);
    int ending = ends_at(p, row);
    if (tick)
        spaces(p, p->left - 1 - text_columns(tick->label));
    heed__sink_text(&p->out, tick ? tick->label : "");
    spaces(p, tick ? 1 : p->left);
    heed__sink_text(&p->out, tick ? "┤" : "│");
    int used = p->left + 1 + write_dots(p, row);
    if (ending >= 0) {
        spaces(p, p->left + 2 + p->dots.columns - used);
        begin_color(p, ending);
        used = p->left + 2 + p->dots.columns + write_text(p, entry_number(p, ending).s, 8);
        end_color(p);
    }
    end_text_line(p, used);
}

/* -- Below the axes --------------------------------------------------------------------------------------- */

static int tick_column(const heed__text_plot *p, int i)
{
    double at = heed__axis_fraction(&p->x, p->x.ticks.at[i].value) * (2 * p->dots.columns - 1);
    int column = heed__pixel((at + 0.5) / 2);
    return column < 0 ? 0 : column < p->dots.columns ? column : p->dots.columns - 1;
}

static void write_axis(heed__text_plot *p)
{
    spaces(p, p->left);
    heed__sink_text(&p->out, "└");
    for (int column = 0, next = 0; column < p->dots.columns; column++) {
        while (next < p->x.ticks.count && tick_column(p, next) < column)
            next++;
        heed__sink_text(&p->out, next < p->x.ticks.count && tick_column(p, next) == column ? "┬" : "─");
    }
    end_text_line(p, p->left + 1 + p->dots.columns);
}

/* Writes the labels of the ticks. A label is centred below its tick if it then stays within the line. */
static void write_x_numbers(heed__text_plot *p)
{
    int used = 0;
    for (int i = 0; i < p->x.ticks.count; i++) {
        int width = text_columns(p->x.ticks.at[i].label), start = p->left + 1 + tick_column(p, i) - width / 2;
        int last = p->options.columns - width;
        start = start > last ? last : start;
        start = start < 0 ? 0 : start;
        if (i > 0 && start <= used)
            continue;
        spaces(p, start - used);
        used = start + write_text(p, p->x.ticks.at[i].label, p->options.columns - start);
    }
    end_text_line(p, used);
}

static void write_xlabel(heed__text_plot *p)
{
    char text[256];
    const char *label = p->options.xlabel ? p->options.xlabel : "", *factor = p->x.ticks.factor;
    (void)heed__escape_copy(label, strlen(label), text, 201);
    const size_t length = strlen(text);
    (void)snprintf(text + length, sizeof text - length, "%s%s", has_text(label) && *factor ? " " : "", factor);
    centered(p, text);
}

/* -- Layout ----------------------------------------------------------------------------------------------- */

static void find_text_ticks(heed__axis *axis, int most)
{
    heed__axis_set_ticks(axis, most < 1 ? 1 : most > HEED__MAX_TICKS - 2 ? HEED__MAX_TICKS - 2 : most, false);
}

static bool has_xlabel(const heed__text_plot *p)
{
    return has_text(p->options.xlabel) || p->x.ticks.factor[0];
}

/* Finds the number of rows and columns of the plot area. */
static void lay_out_text(heed__text_plot *p, int *rows, int *columns)
{
    const heed_plot_text_options *o = &p->options;
    int marks = p->count > 1 ? 1 + text_columns(entry_number(p, p->count - 1).s) : 0;
    find_text_ticks(&p->y, o->rows / ROWS_PER_TICK);
    for (int i = 0; i < p->y.ticks.count; i++) {
        int width = text_columns(p->y.ticks.at[i].label) + 1;
        p->left = p->left < width ? width : p->left;
    }
    *columns = o->columns - p->left - 1 - marks;
    *columns = *columns > 1 ? *columns : 1;
    find_text_ticks(&p->x, *columns / COLUMNS_PER_TICK);
    *rows = o->rows - 2 - has_text(o->title) - has_header(p) - has_xlabel(p);
}

/* Lays out, draws and writes the plot to p->out, as exactly options.rows lines. Returns false with HEED_ERR_NOMEM
 * pending. */
static bool write_plot(heed__text_plot *p)
{
    int rows, columns;
    lay_out_text(p, &rows, &columns);
    if (!heed__dots_init(&p->dots, columns, rows))
        return false;
    heed__text_plot_draw(p);
    find_ends(p);
    if (has_text(p->options.title))
        centered(p, p->options.title);
    if (has_header(p))
        write_header(p);
    for (int row = 0; row < rows; row++)
        write_row(p, row);
    write_axis(p);
    write_x_numbers(p);
    if (has_xlabel(p))
        write_xlabel(p);
    heed__dots_free(&p->dots);
    return !p->out.failed;
}

/* -- Arguments and file ----------------------------------------------------------------------------------- */

static heed_status read_text_options(heed__text_plot *p, const heed_plot_text_options *given)
{
    heed_plot_text_options *o = &p->options;
    *o = given ? *given : (heed_plot_text_options){.title = NULL};
    o->columns = o->columns == 0 ? DEFAULT_COLUMNS : o->columns;
    o->rows = o->rows == 0 ? DEFAULT_ROWS : o->rows;
    if (o->columns < LEAST_COLUMNS || o->columns > MOST || o->rows < LEAST_ROWS || o->rows > MOST)
        return heed_fail(HEED_ERR_ARGUMENT, where, "columns is %d, rows is %d: must be in %d .. %d, and %d .. %d",
                         o->columns, o->rows, LEAST_COLUMNS, MOST, LEAST_ROWS, MOST);
    heed_status status = heed__axis_read_limits(&p->x, "x", o->xlim, o->xscale, where);
    return status == HEED_OK ? heed__axis_read_limits(&p->y, "y", o->ylim, o->yscale, where) : status;
}

static heed_status read_and_write(heed__text_plot *p, const heed_plot_series *series, FILE *file,
                                  const heed_plot_text_options *options)
{
    heed_status status = read_text_options(p, options);
    if (status == HEED_OK)
        status = heed__series_read(p->series, series, p->count, p->x.log, where);
    if (status != HEED_OK)
        return status;
    heed__axes_fit_limits(&p->x, &p->y, p->options.xlim, p->options.ylim, p->series, p->count);
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org */
    p->terminal = !p->options.plain && !(no_color && *no_color) && heed__is_terminal(file);
    if (!write_plot(p))
        return heed_error_code();
    if (fwrite(p->out.text, 1, p->out.used, file) != p->out.used || fflush(file) != 0)
        return heed_fail(HEED_ERR_IO, where, "the file cannot be written");
    return HEED_OK;
}

heed_status heed_plot_text(const heed_plot_series *series, int n, FILE *file, const heed_plot_text_options *options)
{
    HEED_ENTER("plot_text");
    if (!series || !file)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", series ? "file" : "series");
    if (n < 1)
        return heed_fail(HEED_ERR_ARGUMENT, where, "n is %d: must be at least 1", n);
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = HEED_ERR_NOMEM;
    heed__text_plot *p = heed_calloc(1, sizeof *p);
    heed__series *all = heed_calloc((size_t)n, sizeof *all);
    if (p && all) {
        p->count = n;
        p->series = all;
        status = read_and_write(p, series, file, options);
        heed__sink_free(&p->out);
    }
    heed_free(all, (size_t)n * sizeof *all);
    heed_free(p, sizeof *p);
    (void)heed_scope_end(scope);
    return status;
}
