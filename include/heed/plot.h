/* heed/plot.h - heatmaps and curves as PNG files, in the style of the book's figures.
 *
 *     heed_plot_heatmap(weights, "weights.png", &(heed_plot_heatmap_options){.xlabel = "keys", .ylabel = "queries"});
 *
 *     heed_plot_lines((heed_plot_series[]){{.x = steps, .y = loss, .label = "train"}, {.y = other}}, 2, "loss.png",
 *                     &(heed_plot_lines_options){.xlabel = "step", .yscale = HEED_AXIS_LOG});
 *
 * Text is UTF-8 and drawn with a font that is part of the library: no font is needed at run time, and the pixels are
 * the same everywhere. It has Latin, Greek and common mathematical characters; any other is drawn as a box. Lengths
 * are in pixels, except line widths: in points of 1/72 inch, at 100 pixels per inch.
 *
 * Pictures are written atomically, as all files (heed/io.h). Both functions return HEED_ERR_IO with path and cause,
 * and HEED_ERR_NOMEM; after any failure an old picture at `path` is as it was. Tensors are read, not changed, and
 * nothing is recorded. No picture has more than 16384 pixels in width or height.
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
    const char *xlabel;        /* below the bottom row of panels; NULL: none */
    const char *ylabel;        /* left of the left column of panels; NULL: none */
    const char *const *titles; /* above each panel: rows * columns of them, row by row, each may be NULL; NULL: none */
    const char *const *xticks; /* k names, of each panel's columns of cells; NULL: 0, 1, ... */
    const char *const *yticks; /* q names, of its rows. Where space is short, only every second, third, ... is drawn */
    heed_colormap colormap;    /* 0: HEED_COLORMAP_REDS */
    double vmin, vmax;         /* ends of the colour scale; both 0: the smallest and largest finite value */
    int panel_width;           /* the picture is columns * panel_width wide, with its margins and colour bar; 0: 250 */
    int panel_height;          /* and rows * panel_height high; 0: 250 */
    double scale;              /* of everything, text too; 0: 1 */
    bool no_colorbar;
    HEED_RESERVED;
} heed_plot_heatmap_options;

/* Draws each matrix of `matrices`, f32 or f64 of shape (q, k), (columns, q, k) or (rows, columns, q, k), as a panel of
 * q x k coloured cells, with one colour scale and one colour bar for all. Element [0, 0] is at the top left; cells are
 * square and not interpolated. Values outside vmin .. vmax, infinities too, have the colour at that end; NaN is light
 * grey. If vmin = vmax, the scale is widened by a tenth in both directions. NULL options: the defaults.
 *     HEED_ERR_ARGUMENT    matrices or path is NULL, or a tick's name; an unknown colormap; vmin > vmax, or one of them
 *                          not finite; a negative size; scale not positive and finite
 *     HEED_ERR_SHAPE       another rank; an empty tensor; more than 2^28 elements; a picture that would be too large
 *     HEED_ERR_DTYPE       neither f32 nor f64 */
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
    heed_tensor *x;        /* (n), f32, f64 or i64; NULL: 0, 1, ..., n - 1 */
    heed_tensor *y;        /* (n), f32, f64 or i64. NaN, infinity, and on a log axis 0 and less leave a gap */
    const char *label;     /* in the legend; NULL: not in the legend */
    heed_line_style style; /* 0: solid */
    heed_marker marker;    /* at each point; 0: none */
    uint32_t color;        /* 0xRRGGBB; 0: the next of matplotlib's cycle 1f77b4 ff7f0e 2ca02c d62728 ...
                              (for black use 0x010101) */
    double alpha;          /* opacity, in (0, 1]; 0: 1 */
    double line_width;     /* in points; 0: 1.5 */
    HEED_RESERVED;
} heed_plot_series;

typedef struct heed_plot_lines_options {
    const char *title, *xlabel, *ylabel; /* NULL: none */
    double xlim[2], ylim[2];             /* both ends of each axis; both 0: those of the data and 5 % more */
    heed_axis_scale xscale, yscale;      /* 0: linear */
    int width;                           /* of the picture; 0: 350 */
    int height;                          /* 0: 250 */
    double scale;                        /* of everything, text too; 0: 1 */
    bool no_grid;
    bool no_legend;
    HEED_RESERVED;
} heed_plot_lines_options;

/* Draws n curves on common axes, later ones on top; the legend is placed where it hides least. NULL options: the
 * defaults.
 *     HEED_ERR_ARGUMENT    series, a y or path is NULL; n < 1; an option out of its range; limits that are not finite,
 *                          too close to each other (1e-300, or 1e-13 of their size), or 0 and less on a log axis; a
 *                          picture that would be too large
 *     HEED_ERR_SHAPE       an x or y that is not (n), x and y of different lengths, more than 2^26 points in all
 *     HEED_ERR_DTYPE       bool */
HEED_API heed_status heed_plot_lines(const heed_plot_series *series, int n, const char *path,
                                     const heed_plot_lines_options *options);

HEED_END_DECLS

#endif
