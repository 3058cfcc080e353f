/* heed/plot.h - curves, bars, histograms, heatmaps and images as PNG and SVG files, and as text for a terminal.
 *
 *     heed_plot_series both[] = {{.x = x, .y = y, .style = HEED_LINE_NONE, .marker = HEED_MARKER_CIRCLE},
 *                                {.x = grid, .y = mean, .low = low, .high = high, .label = "model and its 95 % band"}};
 *     heed_plot_lines(both, 2, "model.svg", &(heed_plot_lines_options){.xlabel = "x", .ylabel = "y"});
 *
 *     heed_np *fit = heed_np_fit(times, accel, NULL);
 *     heed_plot_fit(fit, times, accel, "fit.png", &(heed_plot_fit_options){
 *         .lines = &(heed_plot_lines_options){.xlabel = "ms", .ylabel = "g"}});
 *
 *     heed_plot_heatmap(counts, "confusion.png", &(heed_plot_heatmap_options){
 *         .xlabel = "prediction", .ylabel = "truth", .xticks = classes, .xtick_count = 10, .yticks = classes,
 *         .ytick_count = 10, .cell_values = counts});
 *
 *     heed_plot_series weights = {.y = w, .kind = HEED_PLOT_HISTOGRAM};
 *     heed_plot_panels((heed_plot_panel[]){{.series = losses, .count = 2, .lines = &(heed_plot_lines_options){
 *                                               .title = "loss", .yscale = HEED_AXIS_LOG}},
 *                                          {.series = &weights, .count = 1},
 *                                          {.matrices = attention}}, 3, "run.png", NULL);
 *
 *     heed_plot_text(losses, 2, stdout, NULL);
 *
 * A path that ends in ".svg" writes an SVG 1.1 file, any other path a PNG file with 8 bits of red, green and blue. Both
 * show the same picture at the same size, and the same call writes the same bytes on every system.
 *
 * Text is UTF-8. In PNG files it is drawn with the library's own font (DejaVu Sans: Latin, Greek and common
 * mathematical characters; others are drawn as a box), so it needs no font at run time. In SVG files it stays text, in
 * DejaVu Sans, Verdana, or the reader's sans-serif. Lengths are in pixels, line widths in points of 1/72 inch, at 100
 * pixels per inch. A picture has at most 16384 pixels in width and height.
 *
 * Pictures are written atomically, like all files (heed/io.h): after a failure an old picture at `path` is unchanged.
 * Plotting does not change tensors and is not recorded.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_H
#define HEED_PLOT_H

#include <stdio.h>

#include <heed/np.h>
#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Curves, bars and histograms --------------------------------------------------------------------------------- */

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
typedef enum heed_axis_scale {
    HEED_AXIS_LINEAR = 0,
    HEED_AXIS_LOG,
    HEED_AXIS_DATES /* linear; numbers are days since 1970-01-01 (heed_io_csv_dates), and ticks are dates */
} heed_axis_scale;

typedef enum heed_plot_kind {
    HEED_PLOT_CURVE = 0,
    HEED_PLOT_BARS,     /* from 0 to y; bars of several series at the same x stand side by side */
    HEED_PLOT_HISTOGRAM /* the number of elements of y in each of `bins` intervals of equal width */
} heed_plot_kind;

/* A series, drawn in one colour: a curve or markers with a band or error bars, bars, or a histogram. All tensors are
 * f32, f64 or i64. NaN and infinity, and numbers of 0 or less on a log axis, are omitted: a curve has a gap there, and
 * a histogram does not count them. A band has a gap where one of its edges is NaN or infinite, and an error bar is
 * omitted if one of its lengths is NaN or infinite.
 *
 * Every bar other than 0 is at least a pixel wide and high. If bars of a series are narrower than a pixel, the highest
 * and the lowest of the bars in a pixel are visible. Very dense curves keep the largest and smallest value in every
 * quarter of a pixel. If a series has very many markers, bars or error bars, those that would not change the picture
 * are omitted. */
typedef struct heed_plot_series {
    heed_tensor *x;        /* (n); NULL: 0, 1, ..., n - 1. Must be NULL for a histogram */
    heed_tensor *y;        /* (n); any shape for a histogram; NULL with low and high draws only the band */
    const char *label;     /* name in the legend; NULL: not in the legend */
    heed_line_style style; /* style of a curve; 0: solid */
    heed_marker marker;    /* at each point of a curve; 0: none */
    uint32_t color;        /* 0xRRGGBB; 0: the next colour of matplotlib's cycle 1f77b4 ff7f0e 2ca02c d62728 ...
                              (for black use 0x010101) */
    double alpha;          /* opacity, in (0, 1]; 0: 1, or 0.6 if there are several histograms */
    double line_width;     /* in points; 0: 1.5. At least a tenth of a pixel is drawn. Dashes shorter than a
                              pixel together with their gaps are drawn as a solid line */
    heed_plot_kind kind;   /* 0: a curve */
    heed_tensor *low;      /* (n), the lower edge of a band; see high */
    heed_tensor *high;     /* (n), the upper edge: the area from low to high is filled, as a band, with a quarter of the
                              opacity. On a log axis, a lower edge of 0 or less is the bottom of the plot */
    heed_tensor *error;    /* error bars of curves and bars: (n), from y - error to y + error, or (2, n), from y -
                              error[0] to y + error[1]; omitted if a length is below 0. On a log axis, an end of 0 or
                              less is the bottom of the plot */
    int bins;              /* bins of a histogram, the same for all histograms of a picture; 0: as NumPy's "auto": the
                              larger of the numbers by the rules of Sturges and of Freedman and Diaconis; at most
                              1000 */
    bool density;          /* scales a histogram to area 1: heights are counts / (n * width) */
    HEED_RESERVED;
} heed_plot_series;

typedef struct heed_plot_lines_options {
    const char *title, *xlabel, *ylabel; /* NULL: none */
    double xlim[2], ylim[2];             /* both ends of each axis; if both are 0, the range of the data and 5 % more */
    heed_axis_scale xscale, yscale;      /* 0: linear */
    int width;                           /* width of the picture; 0: 640 */
    int height;                          /* 0: 480 */
    double scale;                        /* factor of all sizes, including text; 0: 1 */
    bool no_grid;
    bool no_legend;
    const char *const *xticks; /* names of x = 0, 1, ..., for instance of bars; rotated, made smaller and omitted as
                                  xticks of heatmaps; NULL: numbers */
    int xtick_count;           /* the number of xticks */
    HEED_RESERVED;
} heed_plot_lines_options;

/* Draws n series on common axes, later series on top, histograms and bars below all curves.
 * The legend is placed where it hides least. NULL options: the defaults.
 * Errors:
 *     HEED_ERR_ARGUMENT    series, path, or a y without low and high is NULL; n < 1; low without high; an option out of
 *                          its range or for a different kind of series; limits that are not finite, too close to each
 *                          other (1e-300, or 1e-13 of their size), or 0 or less on a log axis; names
 *                          without a count, or on a log axis; a picture that would be too large
 *     HEED_ERR_SHAPE       an x, y, low or high that is not (n), an error neither (n) nor (2, n), different lengths,
 *                          more than 2^26 points in all
 *     HEED_ERR_DTYPE       bool
 *     HEED_ERR_IO          the file cannot be written: path and cause
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_plot_lines(const heed_plot_series *series, int n, const char *path,
                                     const heed_plot_lines_options *options);

/* -- Heatmaps ---------------------------------------------------------------------------------------------------- */

/* Colour maps: matplotlib's Reds, Blues, viridis, gray and, for signed values, RdBu_r: blue below the middle of the
 * scale, white at the middle, red above. */
typedef enum heed_colormap {
    HEED_COLORMAP_REDS = 0,
    HEED_COLORMAP_BLUES,
    HEED_COLORMAP_VIRIDIS,
    HEED_COLORMAP_GRAY,
    HEED_COLORMAP_DIVERGING
} heed_colormap;

typedef struct heed_plot_heatmap_options {
    const char *xlabel;        /* below the bottom row of panels; NULL: none */
    const char *ylabel;        /* left of the left column of panels; NULL: none */
    const char *const *titles; /* texts above the panels, row by row, any of which may be NULL; NULL: none */
    int title_count;           /* the number of titles, rows * columns */
    const char *const *xticks; /* names of each panel's columns of cells; NULL: 0, 1, ... Names that do not fit side
                                  by side are rotated and made smaller; if they still do not fit, only every second,
                                  third, ... is drawn */
    int xtick_count;           /* the number of xticks, k */
    const char *const *yticks; /* names of each panel's rows */
    int ytick_count;           /* the number of yticks, q */
    heed_colormap colormap;    /* 0: HEED_COLORMAP_REDS */
    double vmin, vmax;         /* ends of the colour scale; both 0: the smallest and largest finite value; with
                                  HEED_COLORMAP_DIVERGING -m and m, where m is the largest magnitude */
    int panel_width;  /* the picture, including margins and colour bar, is columns * panel_width wide; 0: 480 for one
                         panel, 250 for several */
    int panel_height; /* the picture is rows * panel_height high; 0: 400 for one panel, 250 for several */
    double scale;     /* factor of all sizes, including text; 0: 1 */
    bool no_colorbar;
    bool separate_scales;     /* every panel gets its own colour scale and bar; not allowed with vmin and vmax */
    heed_tensor *cell_values; /* numbers to write into the cells, of the shape of `matrices`, usually `matrices`
                                 itself; any dtype except bool. NaN is omitted, and so are all numbers if they would be
                                 too small to read (6 pixels, times scale). NULL writes no numbers */
    int digits; /* digits of those numbers after the point; -1 means 0 digits. 0 means automatic: 0 digits if all are
                   whole numbers, else 2, but powers of ten if the largest is below 0.01 or at least 100 000 */
    double xlim[2], ylim[2];        /* the numbers at the left and right edges of a panel, and at its bottom and top
                                       edges, if the cells are a grid over numbers; the axes then have ticks like those
                                       of heed_plot_lines, instead of names. Both 0: the numbers of the cells */
    heed_axis_scale xscale, yscale; /* of these numbers; the cells have the same width on any scale. 0: linear */
    HEED_RESERVED;
} heed_plot_heatmap_options;

/* Draws every matrix of `matrices` as a panel of coloured cells, with one colour scale and one colour bar for all.
 * matrices: f32 or f64, (q, k), (columns, q, k) or (rows, columns, q, k); a panel has q x k cells. Element [0, 0] is at
 * the top left; cells are square and not interpolated. Values outside vmin .. vmax, including infinities, have the
 * colour of the nearest end; NaN is light grey. If vmin = vmax, the scale is widened by a tenth in both directions. If
 * a panel has more rows or columns of cells than pixels, every pixel shows one of its cells: the cell whose value is
 * farthest from the mean of the panel, so that single outliers remain visible. It shows NaN if all its cells are NaN.
 * NULL options: the defaults.
 * Errors:
 *     HEED_ERR_ARGUMENT    matrices or path is NULL, or a tick's name; title_count, xtick_count or ytick_count differs
 *                          from the panels, columns or rows; an unknown colormap; vmin > vmax, or one of them not
 *                          finite, or given with separate_scales; a negative size; scale not positive and finite;
 *                          digits not in -1 .. 17; infinite limits, limits too close to each other, or 0 or less on
 *                          a log axis; limits and names for the same axis; xscale or yscale without limits
 *     HEED_ERR_SHAPE       a different rank; an empty tensor; more than 2^28 elements; cell_values of a different
 *                          shape; a picture that would be too large; more than 64 panels of less than 16 pixels each
 *     HEED_ERR_DTYPE       neither f32 nor f64; bool cell_values
 *     HEED_ERR_IO          the file cannot be written: path and cause
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_plot_heatmap(heed_tensor *matrices, const char *path,
                                       const heed_plot_heatmap_options *options);

/* -- A fit ------------------------------------------------------------------------------------------------------- */

typedef struct heed_plot_fit_options {
    const heed_np_predict_options *predict; /* options of heed_np_predict, such as the type of band; NULL: the
                                               defaults */
    const heed_plot_lines_options *lines;   /* title, names and limits of axes, size; NULL: the defaults */
    int column;                             /* the numeric column of x along which the curve is drawn */
    HEED_RESERVED;
} heed_plot_fit_options;

/* Draws the rows x, (n) or (n, d), and y (n) as points, and on top the fit's prediction (heed/np.h) with its band.
 * The curve goes from the least to the greatest x, in even steps of the axis, also on a log axis; the legend names the
 * band. Every other column of x is held at its median (the middle one of its sorted values). If y is NULL, points are
 * not drawn. For a density y must be NULL, and the curve extends beyond x by 3 bandwidths at either end, but at most by
 * the range of x. NULL options: the defaults.
 * Errors: as heed_np_predict and heed_plot_lines, and
 *     HEED_ERR_ARGUMENT    fit, x or path is NULL; y with a density; a column that does not exist or has labels
 *     HEED_ERR_SHAPE       an x that does not fit the fit's columns or is empty; a y of a different length */
HEED_API heed_status heed_plot_fit(const heed_np *fit, heed_tensor *x, heed_tensor *y, const char *path,
                                   const heed_plot_fit_options *options);

/* -- Text for a terminal ----------------------------------------------------------------------------------------- */

typedef struct heed_plot_text_options {
    const char *title, *xlabel, *ylabel; /* NULL: none; ylabel stands above the axis */
    double xlim[2], ylim[2];             /* limits as in heed_plot_lines_options */
    heed_axis_scale xscale, yscale;
    int columns; /* characters in a line, 20 .. 1000; 0: 80 */
    int rows;    /* lines in all, with title, legend and axis, 8 .. 1000; 0: 20 */
    bool plain;  /* no colours and no trailing blanks, even on a terminal */
    HEED_RESERVED;
} heed_plot_text_options;

/* Writes a plot of n series to `file` as exactly `rows` lines of UTF-8 text; it shows the same as heed_plot_lines.
 * Each character of the plot is a braille pattern of 2 x 4 dots. Several series are numbered, in the legend and at
 * their ends. If the file is a terminal (isatty) and the environment lacks NO_COLOR, series are coloured (with the
 * nearest of a terminal's 256 colours), and lines are filled with blanks up to `columns`, so that a plot can be drawn
 * over an older one. Markers are single dots and bands are outlines; styles other than HEED_LINE_NONE, alpha and
 * line_width are ignored. For a string, pass a file from open_memstream. NULL options: the defaults.
 * Errors:
 *     HEED_ERR_ARGUMENT    series, file, or a y without low and high is NULL; n < 1; columns or rows out of range; and
 *                          as heed_plot_lines
 *     HEED_ERR_SHAPE, HEED_ERR_DTYPE    as heed_plot_lines
 *     HEED_ERR_IO          the file cannot be written
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_plot_text(const heed_plot_series *series, int n, FILE *file,
                                    const heed_plot_text_options *options);

/* -- Several panels in one picture ------------------------------------------------------------------------------- */

/* Either series on axes or a heatmap. */
typedef struct heed_plot_panel {
    const heed_plot_series *series;           /* as for heed_plot_lines */
    int count;                                /* the number of series */
    const heed_plot_lines_options *lines;     /* width, height and scale must be 0; NULL: the defaults */
    heed_tensor *matrices;                    /* as for heed_plot_heatmap */
    const heed_plot_heatmap_options *heatmap; /* panel_width, panel_height and scale must be 0; NULL: the defaults */
    HEED_RESERVED;
} heed_plot_panel;

typedef struct heed_plot_panels_options {
    const char *title; /* above all panels; NULL: none */
    int columns;       /* columns of panels, which are drawn row by row; 0: up to 3, and 2 for 4 panels */
    int panel_width;   /* width of a panel with its margins; 0: 480 */
    int panel_height;  /* 0: 360 */
    double scale;      /* factor of all sizes, including text; 0: 1 */
    HEED_RESERVED;
} heed_plot_panels_options;

/* Draws n panels as a grid in one picture. The axes of a row and of a column of panels are aligned.
 * NULL options: the defaults.
 * Errors: as heed_plot_lines and heed_plot_heatmap, and
 *     HEED_ERR_ARGUMENT    panels is NULL; n < 1; a panel with both series and matrices, with neither, or with its own
 *                          size or scale; negative columns or sizes */
HEED_API heed_status heed_plot_panels(const heed_plot_panel *panels, int n, const char *path,
                                      const heed_plot_panels_options *options);

/* -- A tensor as a picture --------------------------------------------------------------------------------------- */

/* Returns an image as a PNG file in memory: a block of *size bytes, to be freed by heed_free(bytes, *size).
 * `image` is (H, W), gray, (H, W, 3), RGB, or (H, W, 4), RGB with opacity, of at most 16384 pixels in each direction;
 * row 0 is at the top. Values from 0 (black, or transparent) to 1 become round(255 value); values outside this range
 * become 0 or 255, NaN becomes 0. For bool, true is 1.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT    image or size is NULL; more than 2^30 bytes of pixels
 *     HEED_ERR_SHAPE       a different shape, an empty image, too many pixels
 *     HEED_ERR_DTYPE       i64
 *     HEED_ERR_NOMEM */
HEED_API HEED_NODISCARD void *heed_plot_png(heed_tensor *image, size_t *size);

typedef struct heed_plot_image_options {
    int columns;          /* images in a row of the grid; 0: 8 */
    int padding;          /* pixels around every image of a batch; 0: 2; -1: none */
    double padding_value; /* gray of the padding, from 0, black, to 1, white */
    double vmin, vmax;    /* values that become black and white; both 0: 0 and 1 */
    bool normalize;       /* black and white are the smallest and the largest finite value of all images; not allowed
                             with vmin and vmax. Equal values are black */
    HEED_RESERVED;
} heed_plot_image_options;

/* Writes an image, or a batch of images as a grid, to a PNG file, one pixel per element.
 * `images` is (H, W) or (1, H, W), gray, (3, H, W), RGB, or a batch, (N, 1, H, W) or (N, 3, H, W), of any dtype; row 0
 * is at the top. A batch is drawn row by row with padding around and between its images. Values from vmin to vmax
 * become round(255 (value - vmin) / (vmax - vmin)); values outside this range become 0 or 255, NaN becomes 0. For bool,
 * true is 1. It corresponds to torchvision's save_image. NULL options: the defaults.
 * Errors:
 *     HEED_ERR_ARGUMENT    images or path is NULL; a path that ends in ".svg"; negative columns; padding below -1;
 *                          padding_value outside 0 .. 1; vmin and vmax not finite, not in order, or with normalize
 *     HEED_ERR_SHAPE       a different shape, an empty tensor, a picture that would be too large
 *     HEED_ERR_DTYPE       i64 without vmin and vmax or normalize
 *     HEED_ERR_IO          the file cannot be written: path and cause
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_plot_image(heed_tensor *images, const char *path, const heed_plot_image_options *options);

HEED_END_DECLS

#endif
