/* plot/text_file.c - heed_plot_text: reads its arguments and writes the file. */
#include <stdlib.h>

#include <heed/memory.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "plot/limits.h"
#include "plot/text_plot.h"
#include "system/system.h"

static const char where[] = "plot_text";
#define DEFAULT_COLUMNS 80
#define DEFAULT_ROWS 20
#define LEAST_COLUMNS 20
#define LEAST_ROWS 8
#define MOST 1000

static heed_status read_options(heed__text_plot *p, const heed_plot_text_options *given)
{
    heed_plot_text_options *o = &p->options;
    *o = given ? *given : (heed_plot_text_options){.title = NULL};
    o->columns = o->columns == 0 ? DEFAULT_COLUMNS : o->columns;
    o->rows = o->rows == 0 ? DEFAULT_ROWS : o->rows;
    if (o->columns < LEAST_COLUMNS || o->columns > MOST || o->rows < LEAST_ROWS || o->rows > MOST)
        return heed_fail(HEED_ERR_ARGUMENT, where, "columns is %d, rows is %d: must be in %d .. %d, and %d .. %d",
                         o->columns, o->rows, LEAST_COLUMNS, MOST, LEAST_ROWS, MOST);
    heed_status status = heed__limits_read(&p->x, "x", o->xlim, o->xscale, where);
    return status == HEED_OK ? heed__limits_read(&p->y, "y", o->ylim, o->yscale, where) : status;
}

static bool wants_colors(FILE *file, const heed_plot_text_options *o)
{
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org */
    return !o->plain && !(no_color && *no_color) && heed__is_terminal(file);
}

static heed_status write_file(heed__text_plot *p, FILE *file)
{
    if (!heed__text_plot_write(p))
        return heed_error_code();
    if (fwrite(p->out.text, 1, p->out.used, file) != p->out.used || fflush(file) != 0)
        return heed_fail(HEED_ERR_IO, where, "the file cannot be written");
    return HEED_OK;
}

static heed_status read_and_write(heed__text_plot *p, const heed_plot_series *series, FILE *file,
                                  const heed_plot_text_options *options)
{
    heed_status status = read_options(p, options);
    if (status == HEED_OK)
        status = heed__series_read(p->series, series, p->count, p->x.log, where);
    if (status != HEED_OK)
        return status;
    heed__limits_fit(&p->x, &p->y, p->options.xlim, p->options.ylim, p->series, p->count);
    p->terminal = wants_colors(file, &p->options);
    return write_file(p, file);
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
