/* plot/figure.c - what heatmaps and curves share. */
#include <math.h>

#include <heed/ops.h>

#include "plot/figure.h"
#include "plot/png.h"

heed_status heed__figure_scale(const char *where, double *scale)
{
    if (*scale == 0)
        *scale = 1;
    if (!(*scale > 0) || !isfinite(*scale))
        return heed_fail(HEED_ERR_ARGUMENT, where, "scale is %g: must be positive and finite", *scale);
    return HEED_OK;
}

heed_status heed__figure_begin(const char *where, heed__canvas *canvas, double width, double height,
                               heed_status too_large)
{
    double w = floor(width + 0.5), h = floor(height + 0.5);
    if (w > HEED__MAX_PIXELS || h > HEED__MAX_PIXELS)
        return heed_fail(too_large, where, "the picture would have %g x %g pixels: must be at most %d x %d", w, h,
                         HEED__MAX_PIXELS, HEED__MAX_PIXELS);
    if (w < 1 || h < 1)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the picture would have %g x %g pixels: must be at least 1 x 1", w,
                         h);
    return heed__canvas_init(canvas, (int)w, (int)h) ? HEED_OK : heed_error_code();
}

heed_status heed__figure_end(const char *where, heed__canvas *canvas, const char *path)
{
    heed_status status =
        canvas->failed ? heed_error_code() : heed__png_write(where, path, canvas->rgb, canvas->width, canvas->height);
    heed__canvas_free(canvas);
    return status;
}

const double *heed__figure_values(heed_tensor *t)
{
    return heed_data_f64(heed_contiguous(heed_to_dtype(t, HEED_F64)));
}
