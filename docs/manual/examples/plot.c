/* plot.c - examples of heed/plot.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

/* Returns the kind of a picture, and removes it. */
static const char *kind_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    char head[4] = "";
    if (!file || fread(head, 1, sizeof head, file) != sizeof head || fclose(file) != 0)
        return "no picture";
    (void)remove(path);
    return head[1] == 'P' ? "a PNG file" : "an SVG file";
}

static void example_lines(heed_tensor *x)
{
    /* [heed_plot_lines] */
    heed_plot_series curves[] = {{.x = x, .y = heed_sin(x), .label = "sin"},
                                 {.x = x, .y = heed_cos(x), .label = "cos", .style = HEED_LINE_DASHED}};
    heed_plot_lines(curves, 2, "waves.svg", &(heed_plot_lines_options){.title = "waves", .xlabel = "x"});
    printf("%s\n", kind_of("waves.svg")); /* -> an SVG file */
    /* [] */
}

static void example_heatmap(void)
{
    /* [heed_plot_heatmap] */
    heed_tensor *counts = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 48, 2, 5, 45);
    heed_plot_heatmap(counts, "confusion.png",
                      &(heed_plot_heatmap_options){
                          .xlabel = "prediction", .ylabel = "truth", .cell_values = counts, .no_colorbar = true});
    printf("%s\n", kind_of("confusion.png")); /* -> a PNG file */
    /* [] */
}

static void example_fit(heed_tensor *x)
{
    /* [heed_plot_fit] */
    heed_tensor *y = heed_add(heed_sin(x), heed_mul_scalar(heed_randn(HEED_F32, HEED_SHAPE(20)), 0.1));
    heed_np *fit = heed_np_fit(x, y, &(heed_np_options){.bandwidths = (double[]){0.5}});
    heed_plot_fit(fit, x, y, "fit.svg", NULL);
    printf("%s\n", kind_of("fit.svg")); /* -> an SVG file */
    heed_np_free(fit);
    /* [] */
}

static void example_text(void)
{
    /* [heed_plot_text] */
    heed_plot_series loss = {.y = HEED_TENSOR(HEED_F32, HEED_SHAPE(6), 8, 4, 2, 1, 0.5, 0.25)};
    printf("loss by epoch:\n");
    heed_plot_text(&loss, 1, stdout, &(heed_plot_text_options){.columns = 40, .rows = 8, .plain = true});
    /* -> loss by epoch:
     *      │ ⠐⢄⡀
     *      │   ⠈⠢⢄
     *    5 ┤      ⠑⠤⡀
     *      │        ⠈⠓⠢⢄⣀
     *      │             ⠉⠑⠒⠤⠤⢄⣀⡀
     *    0 ┤                    ⠈⠉⠉⠉⠑⠒⠒⠒⠒⠒⠢⠤⠤⠤⠤⠄
     *      └─┬─────────────┬────────────┬────────
     *        0             2            4 */
    /* [] */
}

static void example_panels(heed_tensor *x)
{
    /* [heed_plot_panels] */
    heed_plot_series curve = {.x = x, .y = heed_exp(x)}, histogram = {.y = x, .kind = HEED_PLOT_HISTOGRAM};
    heed_plot_panels(
        (heed_plot_panel[]){
            {.series = &curve, .count = 1, .lines = &(heed_plot_lines_options){.yscale = HEED_AXIS_LOG}},
            {.series = &histogram, .count = 1}},
        2, "panels.svg", &(heed_plot_panels_options){.title = "two panels"});
    printf("%s\n", kind_of("panels.svg")); /* -> an SVG file */
    /* [] */
}

static void example_png(void)
{
    /* [heed_plot_png] */
    heed_tensor *image = heed_rand(HEED_F32, HEED_SHAPE(8, 8, 3)); /* RGB, 0 .. 1 */
    size_t size;
    char *png = heed_plot_png(image, &size);
    printf("%.3s\n", png + 1); /* -> PNG */
    heed_free(png, size);
    /* [] */
}

static void example_image(void)
{
    /* [heed_plot_image] */
    heed_tensor *batch = heed_rand(HEED_F32, HEED_SHAPE(10, 1, 28, 28)); /* gray images, 0 .. 1 */
    heed_plot_image(batch, "batch.png", &(heed_plot_image_options){.columns = 5});
    printf("%s\n", kind_of("batch.png")); /* -> a PNG file */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    heed_tensor *x = heed_linspace(HEED_F32, 0, 5, 20);
    example_lines(x);
    example_heatmap();
    example_fit(x);
    example_text();
    example_panels(x);
    example_png();
    example_image();
    return 0;
}
