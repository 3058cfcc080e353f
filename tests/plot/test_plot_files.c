/* tests/plot/test_plot_files.c - tests ticks, PNG files and faults of plots.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "fail_alloc.h"
#include "picture.h"
#include "plot/figure.h"
#include "plot/ticks.h"

/* -- Ticks ------------------------------------------------------------------------------------------------------- */

static void assert_ticks(const heed__ticks *ticks, const char *labels, const char *factor)
{
    char text[512] = "";
    for (int i = 0; i < ticks->count; i++) {
        strcat(text, i > 0 ? " " : "");
        strcat(text, ticks->at[i].label);
    }
    ck_assert_str_eq(text, labels);
    ck_assert_str_eq(ticks->factor, factor);
}

START_TEST(linear_ticks)
{
    static const struct {
        double low, high;
        int most;
        bool whole;
        const char *labels, *factor;
    } cases[] = {
        {-1, 5, 6, false, "−1 0 1 2 3 4 5", ""},
        {0, 0.083, 4, false, "0.000 0.025 0.050 0.075", ""},
        {0, 0.96, 5, false, "0.0 0.2 0.4 0.6 0.8", ""},
        {0, 1, 4, false, "0.00 0.25 0.50 0.75 1.00", ""},
        {-0.5, 9.5, 3, true, "0 5", ""},
        {-0.5, 9.5, 4, true, "0 5", ""}, /* without 2.5 */
        {-0.5, 0.5, 9, true, "0", ""},
        {-0.5, 1.5, 1, true, "0 1", ""},
        {-0.5, 49.5, 3, true, "0 20 40", ""},
        {0, 100, 1, false, "0 100", ""},
        {1e6, 5e6, 4, false, "1 2 3 4 5", "×10⁶"},
        {-3e-7, 3e-7, 3, false, "−2 0 2", "×10⁻⁷"},
        {1000000001, 1000000002, 2, false, "1.0 1.5 2.0", "+1×10⁹"},
        {-1.00002, -1.00001, 2, false, "−2.0 −1.5 −1.0", "×10⁻⁵ −1"},
        {1990, 2020, 3, false, "1990 2000 2010 2020", ""},
    };
    heed__ticks ticks;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        heed__ticks_linear(&ticks, cases[i].low, cases[i].high, cases[i].most, cases[i].whole);
        assert_ticks(&ticks, cases[i].labels, cases[i].factor);
    }
    ck_assert_double_eq(ticks.at[1].value, 2000);
}
END_TEST

START_TEST(log_ticks)
{
    static const struct {
        double low, high;
        int most;
        const char *labels;
        int minor;
    } cases[] = {
        {0.001, 1, 9, "10⁻³ 10⁻² 10⁻¹ 10⁰", 24},
        {0.5, 20, 9, "10⁰ 10¹", 14},
        {1e-12, 1, 4, "10⁻¹² 10⁻⁸ 10⁻⁴ 10⁰", 9},
        {0.9, 9, 9, "1 2 5", 7},
        {5.7, 21.7, 6, "10 15 20", 0},
        {2e-7, 9e-7, 6, "2 4 6 8", 0},
        {2e-7, 3e-6, 6, "2×10⁻⁷ 5×10⁻⁷ 1×10⁻⁶ 2×10⁻⁶", 7},
    };
    heed__ticks ticks;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        heed__ticks_log(&ticks, cases[i].low, cases[i].high, cases[i].most);
        assert_ticks(&ticks, cases[i].labels, i == 5 ? "×10⁻⁷" : "");
        ck_assert_int_eq(ticks.minor_count, cases[i].minor);
    }
    heed__ticks_log(&ticks, 5e-324, 1.7e308, 9);
    ck_assert_int_ge(ticks.count, 2);
}
END_TEST

/* -- PNG --------------------------------------------------------------------------------------------------------- */

/* Returns noise, a gradient or a uniform area. */
static uint8_t sample(int kind, uint32_t i)
{
    uint32_t mixed = (i ^ i >> 7) * 2654435761u;
    return (uint8_t)(kind == 0 ? mixed >> 24 : kind == 1 ? i / 3 : 200);
}

static void round_trip(int width, int height, int kind)
{
    size_t bytes = (size_t)width * (size_t)height * 3, size = 0;
    uint8_t *rgb = malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        rgb[i] = sample(kind, (uint32_t)i);
    uint8_t *png = heed__png_encode("test", rgb, width, height, 3, &size);
    ck_assert_ptr_nonnull(png);
    picture p = decode(png, size);
    ck_assert_int_eq(p.width, width);
    ck_assert_int_eq(p.height, height);
    ck_assert_mem_eq(p.rgb, rgb, bytes);
    heed_free(png, size);
    free(p.rgb);
    free(rgb);
}

START_TEST(png_of_every_size)
{
    for (int kind = 0; kind < 3; kind++) {
        for (int width = 1; width <= 17; width++)
            for (int height = 1; height <= 17; height++)
                round_trip(width, height, kind);
        round_trip(65536, 1, kind);
        round_trip(1, 65536, kind);
        round_trip(300, 200, kind);
    }
}
END_TEST

START_TEST(png_of_no_size)
{
    const int sizes[][2] = {{0, 0}, {0, 5}, {5, 0}, {-1, 1}, {1 << 30, 1 << 30}};
    const uint8_t rgb[3] = {0};
    size_t size = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        ck_assert_ptr_null(heed__png_encode("test", rgb, sizes[i][0], sizes[i][1], 3, &size));
        ck_assert_error(HEED_ERR_ARGUMENT, "cannot be written");
    }
}
END_TEST

/* -- Files ------------------------------------------------------------------------------------------------------- */

static heed_status plot_to(const char *path)
{
    heed_plot_series s = {
        .y = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 3), .label = "series", .style = HEED_LINE_DASHED};
    return heed_plot_lines(&s, 1, path, &(heed_plot_lines_options){.xlabel = "x", .ylabel = "y", .title = "title"});
}

START_TEST(the_same_picture_has_the_same_bytes)
{
    size_t size[2];
    uint8_t *bytes[2];
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(plot_to(in_folder("a.png")), HEED_OK);
        bytes[i] = read_bytes(in_folder("a.png"), &size[i]);
    }
    ck_assert_uint_eq(size[0], size[1]);
    ck_assert_mem_eq(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
    ck_assert_int_eq(unlink(in_folder("a.png")), 0);
    remove_folder(); /* all temporary files are gone */
}
END_TEST

START_TEST(an_old_file_keeps_its_mode)
{
    struct stat status;
    ck_assert_int_eq(plot_to(in_folder("a.png")), HEED_OK);
    ck_assert_int_eq(chmod(in_folder("a.png"), 0640), 0);
    ck_assert_int_eq(plot_to(in_folder("a.png")), HEED_OK);
    ck_assert_int_eq(stat(in_folder("a.png"), &status), 0);
    ck_assert_uint_eq(status.st_mode & 07777, 0640);
    ck_assert_int_eq(unlink(in_folder("a.png")), 0);
    remove_folder();
}
END_TEST

START_TEST(paths_that_cannot_be_written)
{
    static const char *const cases[][2] = {{"/dev/full", "/dev/full: it is not a regular file"},
                                           {"/tmp", "/tmp: it is not a regular file"},
                                           {"/nowhere/a.png", "/nowhere/a.png: No such file or directory"},
                                           {"/dev/null/a.png", "Not a directory"},
                                           {"", "\"\": the path has no file name"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(plot_to(cases[i][0]), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, cases[i][1]);
    }
    struct stat status;
    ck_assert_int_eq(stat("/dev/full", &status), 0);
    ck_assert(S_ISCHR(status.st_mode));
}
END_TEST

/* A limit on the size of files simulates a full disk. */
START_TEST(a_failed_write_leaves_the_old_file)
{
    size_t before = 0, after = 0;
    ck_assert_int_eq(plot_to(in_folder("a.png")), HEED_OK);
    uint8_t *old = read_bytes(in_folder("a.png"), &before);
    struct rlimit full, usual;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &usual), 0);
    full = usual;
    full.rlim_cur = 100;
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &full), 0);
    heed_status status = plot_to(in_folder("a.png"));
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &usual), 0);
    (void)signal(SIGXFSZ, SIG_DFL);
    ck_assert_int_eq(status, HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "a.png: File too large");
    uint8_t *now = read_bytes(in_folder("a.png"), &after);
    ck_assert_uint_eq(before, after);
    ck_assert_mem_eq(old, now, before);
    free(old);
    free(now);
    ck_assert_int_eq(unlink(in_folder("a.png")), 0);
    remove_folder();
}
END_TEST

/* -- Memory ------------------------------------------------------------------------------------------------------ */

/* Returns a number for the image that was drawn and removes it; a failed call must not leave a file. */
static bool finish(heed_status status, double *value)
{
    ck_assert_int_eq(access(in_folder("m.png"), F_OK) == 0, status == HEED_OK);
    if (status != HEED_OK)
        return false;
    picture p = take_picture("m.png");
    uint32_t sum = 0;
    for (int i = 0; i < p.width * p.height * 3; i++)
        sum = sum * 31 + p.rgb[i];
    *value = sum;
    free(p.rgb);
    return true;
}

static bool plot_heatmaps(double *value)
{
    heed_tensor *m = heed_ones(HEED_F32, HEED_SHAPE(2, 3, 4));
    const heed_plot_heatmap_options o = {.xlabel = "x", .ylabel = "y", .scale = 0.3};
    return finish(m ? heed_plot_heatmap(m, in_folder("m.png"), &o) : HEED_ERR_NOMEM, value);
}

static bool plot_curves(double *value)
{
    heed_tensor *y = heed_linspace(HEED_F32, 0, 1, 5);
    const heed_plot_series s[] = {{.y = y, .marker = HEED_MARKER_CROSS, .label = "a"}, {.x = y, .y = y}};
    const heed_plot_lines_options small = {.scale = 0.2};
    return finish(y ? heed_plot_lines(s, 2, in_folder("m.png"), &small) : HEED_ERR_NOMEM, value);
}

START_TEST(no_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(plot_heatmaps);
    fail_alloc_sweep(plot_curves);
    fail_alloc_uninstall();
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("plot_files", linear_ticks, log_ticks, png_of_every_size, png_of_no_size,
               the_same_picture_has_the_same_bytes, an_old_file_keeps_its_mode, paths_that_cannot_be_written,
               a_failed_write_leaves_the_old_file, no_memory)
