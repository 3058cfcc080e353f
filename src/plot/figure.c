/* plot/figure.c - begins and ends figures. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/ops.h>

#include "io/replace.h"
#include "plot/figure.h"
#include "plot/png.h"
#include "plot/svg.h"

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

static heed_status write_svg(const char *where, heed__sink *svg, const char *path)
{
    heed__svg_end(svg);
    if (svg->failed)
        return heed_error_code();
    return heed__replace_file(where, path, &(heed__file_chunk){.bytes = svg->text, .size = svg->used}, 1);
}

heed_status heed__figure_end(const char *where, heed__surface *surface, const char *path)
{
    const heed__canvas *canvas = &surface->canvas;
    heed_status status;
    if (heed__surface_failed(surface))
        status = heed_error_code();
    else if (surface->vector)
        status = write_svg(where, &surface->svg, path);
    else
        status = heed__png_write(where, path, canvas->rgb, canvas->width, canvas->height);
    heed__surface_free(surface);
    return status;
}

const double *heed__figure_values(heed_tensor *t)
{
    return heed_data_f64(heed_contiguous(heed_to_dtype(t, HEED_F64)));
}
