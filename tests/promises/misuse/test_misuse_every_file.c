/* tests/promises/misuse/test_misuse_every_file.c - every function of heed/io.h, heed/plot.h, heed/progress.h and
 * heed/gradcheck.h with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "from_memory.h"
#include "misuse_draw.h"

#define GIVEN(options) (one_in(8) ? NULL : &(options))

/* -- Readers ------------------------------------------------------------------------------------------------------- */

/* Paths for reading only. */
static const char *any_path(void)
{
    static const char *const paths[] = {NULL,
                                        "",
                                        "/",
                                        ".",
                                        "/dev/zero",
                                        "/dev/full",
                                        "/dev/null",
                                        "/nowhere/at/all",
                                        "/etc/passwd/x",
                                        "/etc/passwd",
                                        "/proc/self/mem",
                                        "\xff",
                                        "%s%n"};
    return ANY_OF(paths);
}

static void csv(void)
{
    static const char text[] = "a,b,b\n1,2,3\n-5,1e999,\nx,\"y\",nan\n";
    heed_io_csv_options o = {.separator = (char)misuse_random(), .max_bytes = one_in(2) ? 0 : any_size()};
    size_t size = misuse_random() % sizeof text;
    heed_io_csv *read = csv_from_memory(text, size, GIVEN(o));
    ck_assert((read != NULL) == (heed_error_code() == HEED_OK));
    judge_error("csv_read");
    heed_io_csv_free(read);
    heed_io_csv *none = csv_from_memory(NULL, any_size(), GIVEN(o));
    ck_assert((none != NULL) == (heed_error_code() == HEED_OK));
    judge_error("csv_read");
    heed_io_csv_free(none);
    heed_io_csv *file = heed_io_csv_read(any_path(), GIVEN(o));
    ck_assert((file != NULL) == (heed_error_code() == HEED_OK));
    judge_error("csv_read");
    heed_io_csv_free(file);
    VALUE(heed_io_same_file(any_path(), any_path()));
    read = csv_from_memory(text, sizeof text - 1, NULL);
    const heed_io_csv *some = one_in(4) ? NULL : read;
    VALUE(heed_io_csv_get_facts(some));
    POINTER(heed_io_csv_name(some, any_int()));
    POINTER(heed_io_csv_field(some, any_count(), any_int()));
    static const char *const names[] = {NULL, "", "a", "b", "c"};
    POINTER(heed_io_csv_column(some, ANY_OF(names), any_dtype()));
    heed_io_csv_free(read);
}

static void idx(void)
{
    uint8_t bytes[] = {0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7};
    if (any_flag())
        bytes[misuse_random() % sizeof bytes] = (uint8_t)misuse_random();
    heed_io_idx_options o = {.dtype = any_dtype(),
                             .scale = any_real(),
                             .max_bytes = one_in(2) ? 0 : any_size(),
                             .first = any_flag() ? 0 : any_count(),
                             .rows = any_flag() ? 0 : any_count(),
                             .size = one_in(8) ? any_size() : 0};
    POINTER(idx_from_memory(bytes, misuse_random() % (sizeof bytes + 1), GIVEN(o)));
    POINTER(idx_from_memory(NULL, any_size(), GIVEN(o)));
    POINTER(heed_io_idx_read(any_path(), GIVEN(o)));
    heed_dataset *rows = heed_io_idx_dataset(any_path(), GIVEN(o));
    ck_assert((rows != NULL) == (heed_error_code() == HEED_OK));
    judge_error("io_idx_dataset");
    heed_dataset_free(rows);
}

/* -- Pictures ------------------------------------------------------------------------------------------------------ */

static char picture[64];

/* A file of this test, or a path that cannot be written. */
static const char *any_output_path(void)
{
    static const char *const output_paths[] = {NULL, "", "/", "/dev/full", "/nowhere/at/all.png", "/proc/x.png"};
    (void)snprintf(picture, sizeof picture, "/tmp/heed-misuse-every-%ld.%s", (long)getpid(),
                   any_flag() ? "png" : "svg");
    return one_in(3) ? ANY_OF(output_paths) : picture;
}

static int some_size(void)
{
    return one_in(3) ? any_int() : (int)(misuse_random() % 100);
}

/* Returns a valid length for a list of two elements, or an invalid length. */
static int any_length(bool list)
{
    int n = any_int();
    return list && (n > 2 || one_in(2)) ? 1 : n;
}

static void heatmaps(void)
{
    static const char *const names[] = {"a", "b", NULL, "d"};
    heed_plot_heatmap_options o = {.xlabel = any_text(),
                                   .ylabel = any_text(),
                                   .colormap = (heed_colormap)any_enum(5),
                                   .vmin = one_in(2) ? 0 : any_real(),
                                   .vmax = one_in(2) ? 1 : any_real(),
                                   .panel_width = some_size(),
                                   .panel_height = some_size(),
                                   .scale = one_in(2) ? 0 : any_real(),
                                   .no_colorbar = any_flag(),
                                   .separate_scales = any_flag(),
                                   .digits = one_in(2) ? 0 : any_int()};
    heed_tensor *t = any_tensor(), *small = heed_ones(HEED_F64, HEED_SHAPE(3, 3));
    STATUS(heed_plot_heatmap(t, any_output_path(), GIVEN(o)));
    o.xticks = one_in(2) ? NULL : names;
    o.yticks = one_in(2) ? NULL : names;
    o.titles = one_in(2) ? NULL : names;
    o.xtick_count = any_length(o.xticks != NULL);
    o.ytick_count = any_length(o.yticks != NULL);
    o.title_count = any_length(o.titles != NULL);
    o.cell_values = one_in(2) ? small : any_tensor();
    for (int i = 0; i < 2; i++) {
        o.xlim[i] = one_in(2) ? 0 : any_real();
        o.ylim[i] = one_in(2) ? 0 : any_real();
    }
    o.xscale = (heed_axis_scale)any_enum(3);
    o.yscale = (heed_axis_scale)any_enum(3);
    STATUS(heed_plot_heatmap(small, any_output_path(), &o));
    (void)unlink(picture);
}

static heed_plot_series any_series(void)
{
    if (one_in(4))
        return (heed_plot_series){.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 3),
                                  .kind = (heed_plot_kind)any_enum(3)};
    return (heed_plot_series){.x = any_tensor(),
                              .y = any_tensor(),
                              .label = any_text(),
                              .style = (heed_line_style)any_enum(5),
                              .marker = (heed_marker)any_enum(4),
                              .color = (uint32_t)any_u64(),
                              .alpha = any_real(),
                              .line_width = any_real(),
                              .kind = (heed_plot_kind)any_enum(3),
                              .low = one_in(2) ? NULL : any_tensor(),
                              .high = one_in(2) ? NULL : any_tensor(),
                              .error = one_in(2) ? NULL : any_tensor(),
                              .bins = one_in(2) ? 0 : any_int(),
                              .density = any_flag()};
}

static heed_plot_lines_options any_lines(void)
{
    static const char *const names[] = {"a", NULL, "c"};
    const char *const *xticks = one_in(2) ? NULL : names;
    return (heed_plot_lines_options){.title = any_text(),
                                     .xlabel = any_text(),
                                     .ylabel = any_text(),
                                     .xlim = {any_real(), any_real()},
                                     .ylim = {any_real(), any_real()},
                                     .xscale = (heed_axis_scale)any_enum(2),
                                     .yscale = (heed_axis_scale)any_enum(2),
                                     .width = some_size(),
                                     .height = some_size(),
                                     .scale = one_in(2) ? 0 : any_real(),
                                     .no_grid = any_flag(),
                                     .no_legend = any_flag(),
                                     .xticks = xticks,
                                     .xtick_count = xticks ? any_flag() - any_flag() + 1 : any_int()};
}

static void curves(void)
{
    heed_plot_series series[2] = {any_series(), any_series()};
    heed_plot_lines_options o = any_lines();
    bool list = !one_in(4);
    int n = any_length(list);
    STATUS(heed_plot_lines(list ? series : NULL, n, any_output_path(), GIVEN(o)));
    (void)unlink(picture);
}

static void fits(void)
{
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(5, 2)), *given = one_in(2) ? x : any_tensor();
    const heed_np_options at = {.bandwidths = (double[]){0.4, 0.3}};
    heed_np *fit = any_flag() ? heed_np_fit_density(x, &at) : heed_np_fit(x, heed_select(x, 1, 1), &at);
    const heed_np_predict_options predict = {.band = one_in(2) ? HEED_NP_BAND_PREDICTION : (heed_np_band)any_enum(2),
                                             .level = any_flag() ? 0.0 : any_real(),
                                             .local = any_flag(),
                                             .corrected = any_flag()};
    const heed_plot_lines_options lines = any_lines();
    const heed_plot_fit_options o = {.predict = any_flag() ? NULL : &predict,
                                     .lines = any_flag() ? NULL : &lines,
                                     .column = any_flag() ? 1 : any_int()};
    heed_tensor *y = any_flag() ? NULL : one_in(2) ? heed_select(x, 1, 0) : any_tensor();
    STATUS(heed_plot_fit(one_in(8) ? NULL : fit, given, y, any_output_path(), GIVEN(o)));
    heed_np_free(fit);
    (void)unlink(picture);
}

static void panels(void)
{
    heed_plot_series series[2] = {any_series(), any_series()};
    heed_plot_lines_options lines = any_lines();
    heed_plot_heatmap_options heatmap = {.xlabel = any_text(), .separate_scales = any_flag(), .panel_width = one_in(4)};
    if (any_flag())
        lines = (heed_plot_lines_options){.title = any_text()};
    heed_plot_panel all[2];
    for (int i = 0; i < 2; i++) {
        bool is_series = any_flag(), fits = !one_in(8);
        all[i] = (heed_plot_panel){.series = is_series ? series : NULL,
                                   .count = one_in(4) ? -1 : 2,
                                   .lines = is_series == fits && any_flag() ? &lines : NULL,
                                   .matrices = is_series == fits ? NULL : any_tensor(),
                                   .heatmap = is_series == fits || any_flag() ? NULL : &heatmap};
    }
    heed_plot_panels_options o = {.title = any_text(),
                                  .columns = one_in(2) ? 0 : any_int(),
                                  .panel_width = some_size(),
                                  .panel_height = some_size(),
                                  .scale = one_in(2) ? 0 : any_real()};
    bool list = !one_in(4);
    int n = any_length(list);
    STATUS(heed_plot_panels(list ? all : NULL, n, any_output_path(), GIVEN(o)));
    (void)unlink(picture);
}

static void images(void)
{
    size_t size = 0;
    heed_tensor *image = one_in(2) ? any_tensor() : heed_rand(HEED_F32, HEED_SHAPE(2, 3, any_flag() ? 3 : 4));
    size_t *destination = one_in(8) ? NULL : &size;
    void *png = heed_plot_png(image, destination);
    ck_assert((png != NULL) == (heed_error_code() == HEED_OK));
    judge_error("plot_png");
    heed_free(png, size);
    heed_plot_image_options o = {.columns = one_in(2) ? 0 : any_int(),
                                 .padding = one_in(2) ? 0 : any_int(),
                                 .padding_value = one_in(2) ? 0 : any_real(),
                                 .vmin = one_in(2) ? 0 : any_real(),
                                 .vmax = one_in(2) ? 0 : any_real(),
                                 .normalize = one_in(4)};
    heed_tensor *batch = one_in(2) ? any_tensor() : heed_rand(HEED_F32, HEED_SHAPE(2, any_flag() ? 3 : 1, 3, 2));
    STATUS(heed_plot_image(batch, any_output_path(), GIVEN(o)));
    (void)unlink(picture);
}

static void text(void)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    heed_plot_series series[2] = {any_series(), any_series()};
    heed_plot_text_options o = {.title = any_text(),
                                .xlabel = any_text(),
                                .ylabel = any_text(),
                                .xlim = {one_in(2) ? 0 : any_real(), any_real()},
                                .ylim = {any_real(), one_in(2) ? 0 : any_real()},
                                .xscale = (heed_axis_scale)any_enum(2),
                                .yscale = (heed_axis_scale)any_enum(2),
                                .columns = one_in(2) ? 0 : any_int(),
                                .rows = one_in(2) ? 0 : any_int(),
                                .plain = any_flag()};
    bool list = !one_in(4);
    int n = any_length(list);
    STATUS(heed_plot_text(list ? series : NULL, n, one_in(8) ? NULL : file, GIVEN(o)));
    (void)fclose(file);
}

/* -- Progress ------------------------------------------------------------------------------------------------------ */

static void progress(void)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    heed_progress_options o = {.epochs = any_count(),
                               .steps = any_count(),
                               .unit = any_text(),
                               .interval = any_real(),
                               .plain = any_flag(),
                               .curve = one_in(2) ? 0 : any_int()};
    heed_progress *p = heed_progress_new(one_in(4) ? NULL : file, GIVEN(o));
    ck_assert((p != NULL) == (heed_error_code() == HEED_OK));
    judge_error("progress_new");
    for (int i = 0; i < 4; i++)
        STATUS(heed_progress_step(p, any_real(), any_count()));
    VALUE(heed_progress_loss(p));
    heed_progress_free(p);
    (void)fclose(file);
}

/* -- Derivatives --------------------------------------------------------------------------------------------------- */

static heed_tensor *square(heed_tensor *const *in, void *user)
{
    (void)user;
    return heed_square(in[0]);
}

static void gradients(void)
{
    heed_tensor *inputs[] = {any_live_tensor(), any_live_tensor()};
    if (any_flag() || (inputs[0] && heed_numel(inputs[0]) > 100))
        inputs[0] = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    if (inputs[1] && heed_numel(inputs[1]) > 100)
        inputs[1] = NULL;
    if (one_in(8))
        inputs[any_flag()] = drawn_from.animals[ZOO_SIZE];
    heed_gradcheck_options o = {one_in(2) ? 0 : any_real(),
                                one_in(2) ? 0 : any_real(),
                                one_in(2) ? 0 : any_real(),
                                any_flag(),
                                any_flag(),
                                any_u64(),
                                {0}};
    heed_gradcheck_result r, *result = one_in(4) ? NULL : &r;
    bool list = !one_in(4);
    int n = any_int();
    n = list && (n > 2 || one_in(2)) ? 1 : n;
    heed_gradcheck_fn fn = one_in(8) ? NULL : square;
    STATUS(heed_gradcheck(fn, any_flag() ? &o : NULL, list ? inputs : NULL, n, GIVEN(o), result));
    STATUS(heed_gradgradcheck(fn, any_flag() ? &o : NULL, list ? inputs : NULL, n, GIVEN(o), result));
}

ROUNDS_OF(csv)
ROUNDS_OF(idx)
ROUNDS_OF(heatmaps)
ROUNDS_OF(curves)
ROUNDS_OF(fits)
ROUNDS_OF(panels)
ROUNDS_OF(images)
ROUNDS_OF(text)
ROUNDS_OF(progress)
ROUNDS_OF(gradients)

MISUSE_MAIN("every function of files misused", rounds_of_csv, rounds_of_idx, rounds_of_heatmaps, rounds_of_curves,
            rounds_of_fits, rounds_of_panels, rounds_of_images, rounds_of_text, rounds_of_progress, rounds_of_gradients)
