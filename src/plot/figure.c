/* plot/figure.c - begins and ends figures, and reads tensors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "io/replace.h"
#include "plot/figure.h"
#include "plot/svg.h"

#define AT_ONCE 65536 /* elements of a block */

heed_status heed__figure_scale(const char *where, double *scale)
{
    if (*scale == 0)
        *scale = 1;
    if (!(*scale > 0) || !isfinite(*scale))
        return heed_fail(HEED_ERR_ARGUMENT, where, "scale is %g: must be positive and finite", *scale);
    return HEED_OK;
}

heed_status heed__figure_names(const char *where, const char *list, const char *const *names, int count,
                               int64_t expected)
{
    int stem = (int)strlen(list) - 1; /* length of the list's name without its s: "xtick" */
    if (!names != (count == 0) || count < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%.*s_count is %d, but %s is %s", stem, list, count, list,
                         names ? "given" : "NULL");
    if (names && expected >= 0 && count != expected)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%.*s_count is %d: there must be %" PRId64 " %s", stem, list, count,
                         expected, list);
    for (int i = 0; i < count; i++)
        if (!names[i] && strcmp(list, "titles") != 0)
            return heed_fail(HEED_ERR_ARGUMENT, where, "%s[%d] is NULL", list, i);
    return HEED_OK;
}

/* Returns true if the name ends in ".svg", in upper or lower case. */
static bool is_svg(const char *path)
{
    static const char ending[] = ".svg";
    size_t length = strlen(path), count = sizeof ending - 1;
    for (size_t i = 0; length > count && i < count; i++) {
        char c = path[length - count + i];
        bool capital = c >= 'A' && c <= 'Z';
        if ((capital ? c + ('a' - 'A') : c) != ending[i])
            return false;
    }
    return length > count;
}

heed_status heed__figure_begin(const char *where, heed__surface *surface, const char *path, double width, double height,
                               heed_status too_large)
{
    double w = floor(width + 0.5), h = floor(height + 0.5);
    if (w > HEED__MAX_PIXELS || h > HEED__MAX_PIXELS)
        return heed_fail(too_large, where, "the picture would have %g x %g pixels: must be at most %d x %d", w, h,
                         HEED__MAX_PIXELS, HEED__MAX_PIXELS);
    if (w < 1 || h < 1)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the picture would have %g x %g pixels: must be at least 1 x 1", w,
                         h);
    return heed__surface_init(surface, (int)w, (int)h, is_svg(path)) ? HEED_OK : heed_error_code();
}

/* Returns the content of the file, and its size, or NULL with an error pending. */
static void *encode_picture(const char *where, heed__surface *surface, size_t *size)
{
    const heed__canvas *canvas = &surface->canvas;
    if (!surface->vector)
        return heed__png_encode(where, canvas->rgb, canvas->width, canvas->height, 3, size);
    heed__svg_end(&surface->svg);
    *size = surface->svg.used;
    return surface->svg.failed ? NULL : surface->svg.text;
}

heed_status heed__figure_end(const char *where, heed__surface *surface, const char *path)
{
    size_t size = 0;
    void *bytes = heed__surface_failed(surface) ? NULL : encode_picture(where, surface, &size);
    heed_status status = bytes ? heed__replace_file(where, path, &(heed__file_chunk){.bytes = bytes, .size = size}, 1)
                               : heed_error_code();
    if (!surface->vector)
        heed_free(bytes, size);
    heed__surface_free(surface);
    return status;
}

/* -- Numbers ---------------------------------------------------------------------------------------------- */

const double *heed__figure_values(heed_tensor *t)
{
    return heed_data_f64(heed_contiguous(heed_to_dtype(t, HEED_F64)));
}

heed__cells heed__cells_of(heed_tensor *t)
{
    heed_shape shape = heed_shape_of(t);
    const int64_t *last = shape.dims + shape.rank;
    return (heed__cells){.t = t,
                         .rows = shape.rank > 3 ? last[-4] : 1,
                         .columns = shape.rank > 2 ? last[-3] : 1,
                         .q = last[-2],
                         .k = last[-1]};
}

void heed__cells_drop(heed__cells *cells)
{
    heed_release(cells->block);
    cells->block = NULL;
    cells->values = NULL;
}

/* Returns panel `number` as (q, k), or NULL with an error pending. */
static heed_tensor *panel_matrix(const heed__cells *cells, int64_t number)
{
    heed_tensor *t = cells->t;
    int rank = heed_rank(t);
    if (rank == 4)
        t = heed_select(t, 0, number / cells->columns);
    return rank > 2 ? heed_select(t, 0, number % cells->columns) : t;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Reads a block that begins at this cell. The block consists of whole rows, or of a section of a row if the row is
 * long. Returns false with an error pending. */
static bool read_block(heed__cells *c, int64_t panel, int64_t row, int64_t column)
{
    heed__cells_drop(c);
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    c->panel = panel;
    c->row = row;
    c->column = column;
    c->block_columns = lesser(AT_ONCE, c->k - column);
    c->block_rows = c->k < AT_ONCE ? lesser(AT_ONCE / c->k, c->q - row) : 1;
    heed_tensor *rows = heed_slice(panel_matrix(c, panel), 0, row, row + c->block_rows, 1);
    heed_tensor *block = rows ? heed_slice(rows, 1, column, column + c->block_columns, 1) : NULL;
    c->block = heed_retain(heed_contiguous(heed_to_dtype(block, HEED_F64)));
    (void)heed_scope_end(scope);
    c->values = c->block ? heed_data_f64(c->block) : NULL;
    return c->values != NULL;
}

const double *heed__cells_get(heed__cells *c, int64_t panel, int64_t row, int64_t column)
{
    bool is_loaded = c->values && panel == c->panel && row >= c->row && row < c->row + c->block_rows &&
                     column >= c->column && column < c->column + c->block_columns;
    if (!is_loaded && !read_block(c, panel, row, column / AT_ONCE * AT_ONCE))
        return NULL;
    return &c->values[(row - c->row) * c->block_columns + column - c->column];
}

bool heed__cells_visit(heed__cells *cells, int64_t from, int64_t end, void (*visit)(double value, void *context),
                       void *context)
{
    for (int64_t panel = from; panel < end; panel++)
        for (int64_t row = 0; row < cells->q; row++)
            for (int64_t column = 0; column < cells->k; column++) {
                const double *value = heed__cells_get(cells, panel, row, column);
                if (!value)
                    return false;
                visit(*value, context);
            }
    return true;
}
