/* inspect/summary_table.c - writes a summary as a table. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "inspect/summary.h"
#include "inspect/table.h"

typedef struct widths {
    int path, type, result;
} widths;

typedef struct cell {
    char s[2 * HEED_MODULE_PATH_MAX];
} cell;

/* Returns the path as in error messages: "transformer.encoder.0", which begins with the type of the top module. */
static cell path_cell(const heed__summary *s, const heed__summary_row *row)
{
    char raw[2 * HEED_MODULE_PATH_MAX];
    const char *dot = strlen(row->path) > 0 ? "." : "";
    (void)snprintf(raw, sizeof raw, "%.200s%s%s", s->rows[0].module->type, dot, row->path);
    cell c = {""};
    (void)heed__escape_copy(raw, strlen(raw), c.s, sizeof c.s);
    return c;
}

static cell result_cell(const heed__summary_row *row)
{
    cell c = {"-"};
    if (row->has_result)
        (void)snprintf(c.s, sizeof c.s, "%s %s", heed_dtype_name(row->dtype), heed_shape_text(row->shape).s);
    return c;
}

static int longer(int width, const char *text)
{
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

static void write_line(FILE *file, const widths *w, const char *path, const char *type, const char *result,
                       const char *parameters, const char *multiply_adds, const char *kept)
{
    fprintf(file, "%-*s  %-*s  %-*s  %14s  %16s  %10s\n", w->path, path, w->type, type, w->result, result, parameters,
            multiply_adds, kept);
}

heed_status heed__summary_write(const heed__summary *s, const char *where, FILE *file)
{
    widths w = {6, 4, 6};
    for (size_t i = 0; i < s->n_rows; i++) {
        w.path = longer(w.path, path_cell(s, &s->rows[i]).s);
        w.type = longer(w.type, heed__escaped(s->rows[i].module->type).s);
        w.result = longer(w.result, result_cell(&s->rows[i]).s);
    }
    write_line(file, &w, "module", "type", "result", "parameters", "multiply-adds", "kept");
    for (size_t i = 0; i < s->n_rows; i++) {
        const heed__summary_row *row = &s->rows[i];
        write_line(file, &w, path_cell(s, row).s, heed__escaped(row->module->type).s, result_cell(row).s,
                   heed__grouped(row->parameters).s, heed__grouped(row->multiply_adds).s, heed__bytes(row->kept).s);
    }
    write_line(file, &w, "total", "", "", heed__grouped(s->parameters).s, heed__grouped(s->multiply_adds).s,
               heed__bytes(s->kept).s);
    if (s->trainable < s->parameters)
        fprintf(file, "%s parameters require a gradient\n", s->trainable ? heed__grouped(s->trainable).s : "no");
    return fflush(file) == 0 && !ferror(file) ? HEED_OK
                                              : heed_fail(HEED_ERR_IO, where, "cannot write the table to the file");
}
