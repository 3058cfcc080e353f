/* heed/plot.h - heatmaps and curves as PNG files, in the manner of the book's figures.
 *
 * Text is drawn from a font that was baked into the library when it was built: no font is needed at run time, and the
 * pixels are the same everywhere. It is UTF-8: Latin, Greek and common mathematical signs are there, anything else is
 * drawn as a box. Lengths are in pixels, except the width of lines: a point is 1/72 inch, and an inch is 100 pixels.
 *
 * Pictures are written as all files are (heed/io.h): no half picture is ever seen, a failure leaves the old one as it was,
 * and a symbolic link is followed.
 */
#ifndef HEED_PLOT_H
#define HEED_PLOT_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

typedef enum heed_colormap {
    HEED_COLORMAP_REDS = 0,
    HEED_COLORMAP_BLUES,
    HEED_COLORMAP_VIRIDIS,
    HEED_COLORMAP_GRAY
} heed_colormap;

/* -- Heatmaps ---------------------------------------------------------------------------------------------------- */

typedef struct heed_plot_heatmap_options {
    const char *xlabel;        /* on the bottom row of panels only */
    const char *ylabel;        /* on the left column only */
    const char *const *titles; /* one per panel, rows * columns of them, row by row, each may be NULL; NULL: none */
    const char *const *xticks; /* a name for each column of cells, k of them, in every panel; NULL: numbers. Where */
    const char *const *yticks; /* room is short only every second, third, ... is shown. The same for the q rows */
    heed_colormap colormap;
    double vmin, vmax; /* ends of the colour scale; both 0: the smallest and largest finite value of all panels */
    int panel_width;   /* the picture is columns * panel_width wide, colour bar and margins included; 0: 250 */
    int panel_height;  /* and rows * panel_height high; 0: 250 */
    double scale;      /* enlarges everything, text too; 0: 1 */
    bool no_colorbar;
} heed_plot_heatmap_options;

/* matrices (q, k), (columns, q, k) or (rows, columns, q, k), f32 or f64: a grid of panels with one colour scale and one
 * bar. The origin is top left, cells are square and not smoothed. Values beyond the scale, infinite ones too, have the
 * colour of its end; NaN is light grey. A scale with equal ends is widened by a tenth to both sides.
 * HEED_ERR_SHAPE for another rank, an empty tensor, more than 2^28 elements, or a picture beyond 16384 x 16384, which has
 * as many pixels; HEED_ERR_DTYPE;
 * HEED_ERR_ARGUMENT for NULL (a name of a tick, too), an unknown colormap, vmin > vmax or not finite, negative sizes;
 * HEED_ERR_IO (path and cause); HEED_ERR_NOMEM. */
HEED_API heed_status heed_plot_heatmap(heed_tensor *matrices, const char *path,
                                       const heed_plot_heatmap_options *options);

/* -- Curves ------------------------------------------------------------------------------------------------------ */

typedef enum heed_line_style {
    HEED_LINE_SOLID = 0,
    HEED_LINE_DASHED,
    HEED_LINE_DOTTED,
    HEED_LINE_DASHDOT,
    HEED_LINE_NONE
} heed_line_style;
typedef enum heed_marker {
    HEED_MARKER_NONE = 0,
    HEED_MARKER_CIRCLE,
    HEED_MARKER_SQUARE,
    HEED_MARKER_CROSS
} heed_marker;
typedef enum heed_axis_scale { HEED_AXIS_LINEAR = 0, HEED_AXIS_LOG } heed_axis_scale;

typedef struct heed_plot_series {
    heed_tensor *x; /* (n), f32, f64 or i64; NULL: 0, 1, ... */
    heed_tensor *y; /* (n); what has no place on the axes (NaN, infinity, 0 and less on a log axis) breaks the line */
    const char *label; /* in the legend; NULL: not there */
    heed_line_style style;
    heed_marker marker;
    uint32_t color;    /* 0xRRGGBB; 0: the next of the cycle 1f77b4 ff7f0e 2ca02c d62728 ... (black is 0x010101) */
    double alpha;      /* opacity, 0 < alpha <= 1; 0: 1 */
    double line_width; /* in points; 0: 1.5 */
} heed_plot_series;

typedef struct heed_plot_lines_options {
    const char *title, *xlabel, *ylabel;
    double xlim[2], ylim[2]; /* the left and right, bottom and top ends; both 0: from the data, with a margin of 5 % */
    heed_axis_scale xscale, yscale;
    int width;    /* of the picture; 0: 350 */
    int height;   /* 0: 250 */
    double scale; /* enlarges everything, text too; 0: 1 */
    bool no_grid;
    bool no_legend;
} heed_plot_lines_options;

/* Draws n series in order, later ones on top; the legend stands where it hides least. HEED_ERR_SHAPE when x and y are
 * not of rank 1 and one length, and for more than 2^26 points in all; HEED_ERR_ARGUMENT for n < 1, NULL y, an option out
 * of its range, limits that are not finite or too close to tell apart (1e-300, or 1e-13 of their size), a log axis with a
 * limit at or below 0, a picture beyond 16384 x 16384; HEED_ERR_DTYPE; HEED_ERR_IO (path and cause); HEED_ERR_NOMEM. */
HEED_API heed_status heed_plot_lines(const heed_plot_series *series, int n, const char *path,
                                     const heed_plot_lines_options *options);

HEED_END_DECLS

#endif
