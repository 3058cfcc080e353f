/* heed/plot.h - curves, bars, histograms and heatmaps as PNG and SVG files, and as text for a terminal.
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
 * A path that ends in ".svg" gives an SVG 1.1 file, any other a PNG file with 8 bits of red, green and blue. Both show
 * the same at the same size, and the same call writes the same bytes everywhere.
 *
 * Text is UTF-8. In PNG files it is drawn with a font that is part of the library (DejaVu Sans: Latin, Greek and common
 * mathematical characters; any other is a box), so that no font is needed at run time. In SVG files it stays text, in
 * DejaVu Sans, Verdana, or the reader's sans-serif. Lengths are in pixels, line widths in points of 1/72 inch, at 100
 * pixels per inch. No picture has more than 16384 pixels in width or height.
 *
 * Pictures are written atomically, as all files (heed/io.h): after a failure an old picture at `path` is as it was.
 * Tensors are read, not changed, and nothing is recorded.
 */
#ifndef HEED_PLOT_H
#define HEED_PLOT_H

#include <stdio.h>

#include <heed/np.h>
#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Colours of numbers: matplotlib's maps Reds, Blues, viridis, gray and, for what has a sign, RdBu_r: blue below the
 * middle of the scale, white there, red above. */
typedef enum heed_colormap {
    HEED_COLORMAP_REDS = 0,
    HEED_COLORMAP_BLUES,
    HEED_COLORMAP_VIRIDIS,
    HEED_COLORMAP_GRAY,
    HEED_COLORMAP_DIVERGING
} heed_colormap;

/* -- Heatmaps ---------------------------------------------------------------------------------------------------- */

typedef struct heed_plot_heatmap_options {
    const char *xlabel;        /* below the bottom row of panels; NULL: none */
    const char *ylabel;        /* left of the left column of panels; NULL: none */
    const char *const *titles; /* above each panel, row by row; each may be NULL; NULL: none */
    int title_count;           /* of titles: rows * columns */
    const char *const *xticks; /* names of each panel's columns of cells; NULL: 0, 1, ... Names that do not fit side by
                                  side are turned and made smaller; only then every second, third, ... is drawn */
    int xtick_count;           /* of xticks: k */
    const char *const *yticks; /* names of its rows */
    int ytick_count;           /* of yticks: q */
    heed_colormap colormap;    /* 0: HEED_COLORMAP_REDS */
    double vmin, vmax;         /* ends of the colour scale; both 0: the smallest and largest finite value; with
                                  HEED_COLORMAP_DIVERGING -m and m, where m is the largest magnitude */
    int panel_width;           /* the picture is columns * panel_width wide, with its margins and colour bar; 0: 480 for
                                  one panel, 250 for several */
    int panel_height;          /* and rows * panel_height high; 0: 400 for one panel, 250 for several */
    double scale;              /* of everything, text too; 0: 1 */
    bool no_colorbar;
    bool own_scales;          /* each panel has a colour scale and a bar of its own; not with vmin and vmax */
    heed_tensor *cell_values; /* numbers to write into the cells, of the shape of `matrices` and mostly those
                                 themselves; any dtype but bool. NaN is left out, and so are all where they would be too
                                 small to read (6 pixels, times scale). NULL: none */
    int digits; /* of those, after the point; -1: none; 0: none if all are whole numbers, else 2, or powers
                   of ten where the largest is below 0.01, or 100 000 and more */
    HEED_RESERVED;
} heed_plot_heatmap_options;

/* Draws each matrix of `matrices`, f32 or f64 of shape (q, k), (columns, q, k) or (rows, columns, q, k), as a panel of
 * q x k coloured cells, with one colour scale and one colour bar for all. Element [0, 0] is at the top left; cells are
 * square and not interpolated. Values outside vmin .. vmax, infinities too, have the colour at that end; NaN is light
 * grey. If vmin = vmax, the scale is widened by a tenth in both directions. If a panel has more rows or columns of
 * cells than pixels, each pixel shows the one of its cells whose value is farthest from the mean of the panel, so that
 * a single cell that stands out is seen; NaN is shown if all of them are NaN. NULL options: the defaults.
 *     HEED_ERR_ARGUMENT    matrices or path is NULL, or a tick's name; title_count, xtick_count or ytick_count differs
 *                          from the panels, columns or rows; an unknown colormap; vmin > vmax, or one of them not
 *                          finite, or given with own_scales; a negative size; scale not positive and finite; digits not
 *                          in -1 .. 17
 *     HEED_ERR_SHAPE       another rank; an empty tensor; more than 2^28 elements; cell_values of another shape; a
 *                          picture that would be too large; more than 64 panels of less than 16 pixels each
 *     HEED_ERR_DTYPE       neither f32 nor f64; cell_values that are bool
 *     HEED_ERR_IO          the file cannot be written: path and cause
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_plot_heatmap(heed_tensor *matrices, const char *path,
                                       const heed_plot_heatmap_options *options);

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
typedef enum heed_axis_scale { HEED_AXIS_LINEAR = 0, HEED_AXIS_LOG } heed_axis_scale;

typedef enum heed_plot_kind {
    HEED_PLOT_CURVE = 0,
    HEED_PLOT_BARS,     /* from 0 to y; those of several series at the same x stand side by side */
    HEED_PLOT_HISTOGRAM /* how many elements of y lie in each of `bins` intervals of equal width */
} heed_plot_kind;

/* What is drawn in one colour: a curve or markers with a band or error bars, bars, or a histogram. All tensors are f32,
 * f64 or i64. NaN and infinity, and on a log axis 0 and less, are left out: they leave a gap, and count in no bin. A
 * band has a gap where one of its edges is NaN or infinite, and an error bar is left out if one of its lengths is.
 *
 * Each bar other than 0 is at least a pixel wide and high. If several bars of a series are narrower than a pixel and
 * share one, the highest and the lowest show. Very dense curves keep the extremes in every quarter of a pixel. If a
 * series has very many markers, bars or error bars, the ones that no longer change the picture are left out. */
typedef struct heed_plot_series {
    heed_tensor *x;        /* (n); NULL: 0, 1, ..., n - 1. Must be NULL for a histogram */
    heed_tensor *y;        /* (n); for a histogram any shape; NULL where low and high are there: the band alone */
    const char *label;     /* in the legend; NULL: not in the legend */
    heed_line_style style; /* of a curve; 0: solid */
    heed_marker marker;    /* at each point of a curve; 0: none */
    uint32_t color;        /* 0xRRGGBB; 0: the next of matplotlib's cycle 1f77b4 ff7f0e 2ca02c d62728 ...
                              (for black use 0x010101) */
    double alpha;          /* opacity, in (0, 1]; 0: 1, but 0.6 for each of several histograms */
    double line_width;     /* in points; 0: 1.5. At least a tenth of a pixel is drawn. Dashes shorter than a
                              pixel together with their gaps are drawn as a solid line */
    heed_plot_kind kind;   /* 0: a curve */
    heed_tensor *low;      /* (n), and */
    heed_tensor *high;     /* (n): the area between them is filled, as a band around a curve, with a quarter of the
                              opacity. On a log axis a low of 0 and less is the bottom */
    heed_tensor *error;    /* error bars of curves and bars: (n), from y - error to y + error, or (2, n), from
                              y - error[0] to y + error[1]; none where one is below 0. On a log axis as low */
    int bins;     /* of a histogram, the same for all in the picture; 0: as NumPy's "auto", the larger number of
                     those that Sturges and Freedman and Diaconis ask for, at most 1000 */
    bool density; /* a histogram's area is 1: its heights are counts / (n * width) */
    HEED_RESERVED;
} heed_plot_series;

typedef struct heed_plot_lines_options {
    const char *title, *xlabel, *ylabel; /* NULL: none */
    double xlim[2], ylim[2];             /* both ends of each axis; both 0: those of the data and 5 % more */
    heed_axis_scale xscale, yscale;      /* 0: linear */
    int width;                           /* of the picture; 0: 640 */
    int height;                          /* 0: 480 */
    double scale;                        /* of everything, text too; 0: 1 */
    bool no_grid;
    bool no_legend;
    const char *const *xticks; /* names of x = 0, 1, ..., as those of bars; turned, made smaller and left out as
                                  those of heatmaps; NULL: numbers */
    int xtick_count;           /* names in xticks */
    HEED_RESERVED;
} heed_plot_lines_options;

/* Draws n series on common axes, later ones on top, histograms and bars below all curves; the legend is placed where it
 * hides least. NULL options: the defaults.
 *     HEED_ERR_ARGUMENT    series, path, or a y without low and high is NULL; n < 1; low without high; an option out of
 *                          its range or of another kind of series; limits that are not finite, too close to each other
 *                          (1e-300, or 1e-13 of their size), or 0 and less on a log axis; names without a count, or on
 *                          a log axis; a picture that would be too large
 *     HEED_ERR_SHAPE       an x, y, low or high that is not (n), an error neither (n) nor (2, n), different lengths,
 *                          more than 2^26 points in all
 *     HEED_ERR_DTYPE       bool
 *     HEED_ERR_IO          the file cannot be written: path and cause
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_plot_lines(const heed_plot_series *series, int n, const char *path,
                                     const heed_plot_lines_options *options);

/* -- A fit ------------------------------------------------------------------------------------------------------- */

typedef struct heed_plot_fit_options {
    const heed_np_predict_options *predict; /* kind and level of the band; NULL: the defaults */
    const heed_plot_lines_options *lines;   /* title, names and limits of axes, size; NULL: the defaults */
    int column;                             /* of x, numbers, along which the curve goes */
    HEED_RESERVED;
} heed_plot_fit_options;

/* Draws the rows x, (n) or (n, d), and y (n) as points, and above them what the fit (heed/np.h) predicts from the least
 * to the greatest x, with its band; the legend says which band. On a log axis the curve's steps are even there. Of
 * several columns the others stay at the middle one of their values in order. y NULL: no points. Of a density y must be
 * NULL, and the curve goes on by 3 bandwidths at either end, at most by the range of x. NULL options: the defaults. The
 * errors are those of heed_np_predict and heed_plot_lines, and
 *     HEED_ERR_ARGUMENT    fit, x or path is NULL; y with a density; a column that is not there, or of labels
 *     HEED_ERR_SHAPE       an x that is not as the fit's or has no rows; a y of another length */
HEED_API heed_status heed_plot_fit(const heed_np *fit, heed_tensor *x, heed_tensor *y, const char *path,
                                   const heed_plot_fit_options *options);

/* -- Several panels in one picture ------------------------------------------------------------------------------- */

/* Either series on axes or a heatmap. */
typedef struct heed_plot_panel {
    const heed_plot_series *series;           /* as for heed_plot_lines */
    int count;                                /* of series */
    const heed_plot_lines_options *lines;     /* without width, height and scale; NULL: the defaults */
    heed_tensor *matrices;                    /* as for heed_plot_heatmap */
    const heed_plot_heatmap_options *heatmap; /* without panel_width, panel_height and scale; NULL: the defaults */
    HEED_RESERVED;
} heed_plot_panel;

typedef struct heed_plot_panels_options {
    const char *title; /* above all; NULL: none */
    int columns;       /* of panels, which are drawn row by row; 0: up to 3, and 2 for 4 of them */
    int panel_width;   /* of each, with its margins; 0: 480 */
    int panel_height;  /* 0: 360 */
    double scale;      /* of everything, text too; 0: 1 */
    HEED_RESERVED;
} heed_plot_panels_options;

/* Draws n panels as a grid in one picture. The axes of a row and of a column of panels are aligned. NULL options: the
 * defaults. The errors are those of heed_plot_lines and heed_plot_heatmap, and
 *     HEED_ERR_ARGUMENT    panels is NULL; n < 1; a panel with both series and matrices, with neither, or with a size
 *                          or scale of its own; negative columns or sizes */
HEED_API heed_status heed_plot_panels(const heed_plot_panel *panels, int n, const char *path,
                                      const heed_plot_panels_options *options);

/* -- A tensor as a picture --------------------------------------------------------------------------------------- */

/* The PNG file of an image, in memory: a block of *size bytes, to be freed by heed_free(bytes, *size). `image` is (H,
 * W), gray, (H, W, 3), RGB, or (H, W, 4), RGB with opacity, of at most 16384 pixels in each direction; row 0 is at the
 * top. Values go from 0, nothing, to 1, and become round(255 value); what lies outside becomes 0 or 255, NaN 0. Of
 * bool, true is 1. NULL with
 *     HEED_ERR_ARGUMENT    image or size is NULL; more than 2^30 bytes of pixels
 *     HEED_ERR_SHAPE       another shape, an empty one, too many pixels
 *     HEED_ERR_DTYPE       i64
 *     HEED_ERR_NOMEM */
HEED_API HEED_NODISCARD void *heed_plot_png(heed_tensor *image, size_t *size);

/* -- Text for a terminal ----------------------------------------------------------------------------------------- */

typedef struct heed_plot_text_options {
    const char *title, *xlabel, *ylabel; /* NULL: none; ylabel stands above the axis */
    double xlim[2], ylim[2];             /* as in heed_plot_lines_options */
    heed_axis_scale xscale, yscale;
    int columns; /* characters in a line, 20 .. 1000; 0: 80 */
    int rows;    /* lines in all, with title, legend and axis, 8 .. 1000; 0: 20 */
    bool plain;  /* on a terminal, too, no colours, and lines that end where their text does */
    HEED_RESERVED;
} heed_plot_text_options;

/* Writes what heed_plot_lines draws to `file` as exactly `rows` lines of text in UTF-8: each character of the plot is a
 * braille pattern of 2 x 4 dots. Several series are numbered, in the legend and where they end. Where isatty says that
 * the file is a terminal, and the environment has no NO_COLOR, they have colours (the nearest of a terminal's 256), and
 * lines are filled with blanks up to `columns`, so that a plot can be drawn over an older one. Markers are single dots,
 * bands are their outlines, and style but HEED_LINE_NONE, alpha and line_width are not shown. For a string take a file
 * from open_memstream. NULL options: the defaults.
 *     HEED_ERR_ARGUMENT    series, file, or a y without low and high is NULL; n < 1; columns or rows out of range; and
 *                          as heed_plot_lines
 *     HEED_ERR_SHAPE, HEED_ERR_DTYPE    as heed_plot_lines
 *     HEED_ERR_IO          the file cannot be written
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_plot_text(const heed_plot_series *series, int n, FILE *file,
                                    const heed_plot_text_options *options);

HEED_END_DECLS

#endif
