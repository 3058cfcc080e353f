/* tests/promises/misuse/test_misuse_files.c - heed/io.h, heed/plot.h and heed/progress.h misused.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "from_memory.h"
#include "misuse.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "../src/io/progress.h"

/* -- CSV ---------------------------------------------------------------------------------------------------------- */

START_TEST(csv)
{
    static const char text[] = "a,b\n1,2.5\n3,x\n";
    static const char separators[] = {'"', '\n', '\r', '\0', ',', ';', '\xff', 1};
    for (int i = 0; i < COUNT_OF(separators); i++)
        for (size_t n = 0; n < sizeof text; n++) {
            heed_io_csv *read = csv_from_memory(text, n, &(heed_io_csv_options){.separator = separators[i]});
            ck_assert((read == NULL) == (heed_error_code() != HEED_OK));
            heed_error_clear();
            heed_io_csv_free(read);
        }
    ck_assert_ptr_null(csv_from_memory(NULL, 5, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "csv");
    ck_assert_ptr_null(csv_from_memory(text, 10, &(heed_io_csv_options){.max_bytes = 1}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "csv");
    static const char *const paths[] = {"", "/", "/dev/zero", "/dev/full", "/nowhere/at/all", "/etc/passwd/x"};
    for (int i = 0; i < COUNT_OF(paths); i++) {
        ck_assert_ptr_null(heed_io_csv_read(paths[i], NULL));
        ck_assert_int_ne(heed_error_code(), HEED_OK);
        ck_assert_msg(strstr(heed_error_message(), paths[i]) != NULL, "%s", heed_error_message());
        heed_error_clear();
    }
    ck_assert_ptr_null(heed_io_csv_read(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "csv");
    heed_io_csv_free(NULL);
}
END_TEST

START_TEST(csv_columns)
{
    static const char text[] = "a,b,b\n1,2,3\n-5,1e999,\n";
    heed_io_csv *read = csv_from_memory(text, sizeof text - 1, NULL);
    ck_assert_ptr_nonnull(read);
    for (int i = 0; i < COUNT_OF(hostile_ints); i++) {
        bool present = hostile_ints[i] >= 0 && hostile_ints[i] < 3;
        ck_assert((heed_io_csv_name(read, hostile_ints[i]) != NULL) == present);
        heed_error_clear();
        for (int k = 0; k < COUNT_OF(hostile_counts); k++) {
            bool row = hostile_counts[k] >= 0 && hostile_counts[k] < 2;
            ck_assert((heed_io_csv_field(read, hostile_counts[k], hostile_ints[i]) != NULL) == (present && row));
            ck_assert_int_eq(heed_error_code(), present && row ? HEED_OK : HEED_ERR_INDEX);
            heed_error_clear();
        }
        heed_dtype dtype = (heed_dtype)hostile_ints[i];
        if (hostile_ints[i] < 0 || hostile_ints[i] >= HEED_DTYPE_COUNT) {
            ck_assert_ptr_null(heed_io_csv_column(read, "a", dtype));
            ck_assert_error(HEED_ERR_DTYPE, "");
        }
    }
    static const char *const names[] = {NULL, "", "b", "c", "a,b"};
    for (int i = 0; i < COUNT_OF(names); i++) {
        ck_assert_ptr_null(heed_io_csv_column(read, names[i], HEED_F64));
        ck_assert_error(HEED_ERR_ARGUMENT, "csv");
    }
    ck_assert_ptr_null(heed_io_csv_column(NULL, "a", HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "csv");
    ck_assert_int_eq(heed_io_csv_get_facts(NULL).rows, 0);
    heed_error_clear();
    ck_assert_ptr_null(heed_io_csv_name(NULL, 0));
    heed_error_clear();
    ck_assert_ptr_null(heed_io_csv_field(NULL, 0, 0));
    heed_error_clear();
    heed_io_csv_free(read);
}
END_TEST

/* -- IDX ---------------------------------------------------------------------------------------------------------- */

static void idx_with(const uint8_t *file, size_t size, const heed_io_idx_options *o)
{
    heed_scope *scope = heed_scope_begin();
    if (!idx_from_memory(file, size, o))
        misuse_failed("io_idx_read");
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    heed_scope_end(scope);
}

START_TEST(idx)
{
    uint8_t file[48];
    for (int round = 0; round < 20000; round++) {
        for (size_t i = 0; i < sizeof file; i++)
            file[i] = (uint8_t)(i < 2 || (i > 3 && i % 4 < 3) ? 0 : misuse_random());
        file[2] = (uint8_t)(8 + misuse_random() % 8);
        file[3] = (uint8_t)(misuse_random() % 10);
        if (round % 2)
            file[misuse_random() % sizeof file] = (uint8_t)misuse_random();
        heed_io_idx_options o = {
            .dtype = (heed_dtype)(misuse_random() % 4 ? (int)(misuse_random() % 4) : ANY_OF(hostile_ints)),
            .scale = misuse_random() % 2 ? 0 : ANY_OF(hostile_doubles),
            .max_bytes = misuse_random() % 2 ? 0 : (size_t)ANY_OF(hostile_counts)};
        idx_with(file, misuse_random() % (sizeof file + 1), misuse_random() % 4 ? &o : NULL);
    }
    ck_assert_null_fails("io_idx_read", HEED_ERR_ARGUMENT, "NULL", idx_from_memory(NULL, SIZE_MAX, NULL));
    ck_assert_null_fails("io_idx_read", HEED_ERR_ARGUMENT, "NULL", heed_io_idx_read(NULL, NULL));
    static const char *const paths[] = {"", "/", "/dev/zero", "/dev/full", "/nowhere/at/all", "/etc/passwd/x"};
    for (int i = 0; i < COUNT_OF(paths); i++)
        ck_assert_null_fails("io_idx_read", HEED_ERR_IO, paths[i], heed_io_idx_read(paths[i], NULL));
    ck_assert_null_fails("io_idx_read", HEED_ERR_FORMAT, "/etc/passwd", heed_io_idx_read("/etc/passwd", NULL));
}
END_TEST

/* -- Progress ----------------------------------------------------------------------------------------------------- */

static double hostile_clock(void)
{
    return ANY_OF(hostile_doubles);
}

START_TEST(progress)
{
    static const char *const units[] = {NULL, "", "\xff\n", "%s%n",
                                        "a unit of far more characters than a line has room for"};
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    for (int round = 0; round < 20000; round++) {
        heed_progress_options o = {.epochs = ANY_OF(hostile_counts),
                                   .steps = ANY_OF(hostile_counts),
                                   .unit = ANY_OF(units),
                                   .interval = ANY_OF(hostile_doubles)};
        heed_progress *p = heed_progress_new(file, &o);
        if (!p)
            misuse_failed("progress_new");
        else if (misuse_random() % 4)
            heed__progress_set_clock(p, hostile_clock);
        for (int i = 0; p && i < 8; i++)
            misuse_status("progress_step", heed_progress_step(p, ANY_OF(hostile_doubles), ANY_OF(hostile_counts)));
        (void)heed_progress_loss(p);
        if (!p)
            misuse_failed("progress_loss");
        heed_progress_free(p);
        ck_assert_int_lt(ftell(file), 1 << 20);
        rewind(file);
    }
    (void)fclose(file);
    ck_assert_null_fails("progress_new", HEED_ERR_ARGUMENT, "NULL", heed_progress_new(NULL, NULL));
    ck_assert_status_fails("progress_step", HEED_ERR_ARGUMENT, "NULL", heed_progress_step(NULL, 0, INT64_MIN));
}
END_TEST

/* -- Pictures ----------------------------------------------------------------------------------------------------- */

static char picture[64];

static void name_picture(void)
{
    (void)snprintf(picture, sizeof picture, "/tmp/heed-misuse-%ld.png", (long)getpid());
}

static void drew(const char *name, heed_status status)
{
    ck_assert_msg(status == heed_error_code(), "%s: %d, %s", name, (int)status, heed_error_message());
    ck_assert_msg(status == HEED_OK || misuse_names(name) || misuse_names("to_dtype") || misuse_names("clone"),
                  "%s: %s", name, heed_error_message());
    ck_assert_int_eq(access(picture, F_OK), status == HEED_OK ? 0 : -1);
    heed_error_clear();
    (void)unlink(picture);
}

static int some_size(void)
{
    return misuse_random() % 4 ? (int)(misuse_random() % 100) : ANY_OF(hostile_ints);
}

START_TEST(heatmaps)
{
    zoo z;
    zoo_open(&z);
    name_picture();
    for (int round = 0; round < 300; round++) {
        heed_plot_heatmap_options o = {.xlabel = misuse_random() % 2 ? NULL : "\xff\xfe\n\t\xe2\x82",
                                       .ylabel = misuse_random() % 2 ? NULL : "",
                                       .colormap = (heed_colormap)(misuse_random() % 2 ? 0 : ANY_OF(hostile_ints)),
                                       .vmin = misuse_random() % 2 ? 0 : ANY_OF(hostile_doubles),
                                       .vmax = misuse_random() % 2 ? 0 : ANY_OF(hostile_doubles),
                                       .panel_width = some_size(),
                                       .panel_height = some_size(),
                                       .scale = misuse_random() % 2 ? 0 : ANY_OF(hostile_doubles),
                                       .no_colorbar = misuse_random() % 2};
        drew("plot_heatmap", heed_plot_heatmap(ANY_OF(z.animals), picture, misuse_random() % 8 ? &o : NULL));
    }
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 2));
    ck_assert_status_fails("plot_heatmap", HEED_ERR_ARGUMENT, "NULL", heed_plot_heatmap(x, NULL, NULL));
    ck_assert_status_fails("plot_heatmap", HEED_ERR_ARGUMENT, "NULL", heed_plot_heatmap(NULL, picture, NULL));
    static const char *const paths[] = {"", "/", "/dev/full", "/nowhere/at/all.png"};
    for (int i = 0; i < COUNT_OF(paths); i++) {
        ck_assert_int_eq(heed_plot_heatmap(x, paths[i], NULL), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, paths[i]);
    }
}
END_TEST

START_TEST(curves)
{
    zoo z;
    zoo_open(&z);
    name_picture();
    heed_plot_series series[3];
    for (int round = 0; round < 300; round++) {
        for (int i = 0; i < 3; i++)
            series[i] = (heed_plot_series){.x = misuse_random() % 2 ? NULL : ANY_OF(z.animals),
                                           .y = ANY_OF(z.animals),
                                           .label = misuse_random() % 2 ? NULL : "\xc3\x28 label",
                                           .style = (heed_line_style)(misuse_random() % 6),
                                           .marker = (heed_marker)(misuse_random() % 4),
                                           .color = (uint32_t)misuse_random(),
                                           .alpha = misuse_random() % 2 ? 0 : ANY_OF(hostile_doubles),
                                           .line_width = misuse_random() % 2 ? 0 : ANY_OF(hostile_doubles)};
        heed_plot_lines_options o = {.title = misuse_random() % 2 ? NULL : "",
                                     .xlim = {0, misuse_random() % 2 ? 0 : ANY_OF(hostile_doubles)},
                                     .ylim = {misuse_random() % 2 ? 0 : ANY_OF(hostile_doubles), 0},
                                     .xscale = (heed_axis_scale)(misuse_random() % 3),
                                     .yscale = (heed_axis_scale)(misuse_random() % 3),
                                     .width = some_size(),
                                     .height = some_size(),
                                     .scale = misuse_random() % 2 ? 0 : ANY_OF(hostile_doubles)};
        int n = misuse_random() % 4 ? 1 : (int)(misuse_random() % 5) - 1;
        drew("plot_lines", heed_plot_lines(series, n, picture, &o));
        series[0] =
            (heed_plot_series){.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), DBL_MAX, -DBL_MAX, (double)NAN, 0x1p-1074),
                               .line_width = series[0].line_width};
        drew("plot_lines", heed_plot_lines(series, 1, picture, &o));
    }
    for (int i = 0; i < COUNT_OF(hostile_doubles); i++) { /* limits with only one tick, at 0 */
        heed_plot_lines_options o = {.xlim = {-hostile_doubles[i] / 2, hostile_doubles[i]},
                                     .ylim = {0, hostile_doubles[i]}};
        drew("plot_lines", heed_plot_lines(series, 1, picture, &o));
    }
    ck_assert_status_fails("plot_lines", HEED_ERR_ARGUMENT, "", heed_plot_lines(NULL, 1, picture, NULL));
    ck_assert_status_fails("plot_lines", HEED_ERR_ARGUMENT, "", heed_plot_lines(series, INT_MIN, picture, NULL));
    ck_assert_status_fails("plot_lines", HEED_ERR_ARGUMENT, "", heed_plot_lines(series, 1, NULL, NULL));
}
END_TEST

/* -- Paths that cannot be written --------------------------------------------------------------------------------- */

static heed_status write_as(int writer, const char *path)
{
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 2));
    heed_dict *dict = heed_dict_new();
    heed_checkpoint run = {.extra = dict, .step = 1};
    heed_status status = heed_dict_set(dict, "x", x);
    switch (writer) {
    case 0:
        status = heed_io_npy_write(path, x);
        break;
    case 1:
        status = heed_io_npz_write(path, dict, NULL);
        break;
    case 2:
        status = heed_io_safetensors_write(path, dict);
        break;
    case 3:
        status = heed_plot_heatmap(x, path, NULL);
        break;
    case 4:
        status = heed_plot_lines(&(heed_plot_series){.y = heed_ones(HEED_F64, HEED_SHAPE(2))}, 1, path, NULL);
        break;
    default:
        status = heed_checkpoint_save(path, &run, &(heed_checkpoint_options){.keep = writer - 5});
    }
    heed_dict_free(dict);
    return status;
}

/* Every writer, and checkpoints with and without a keep. */
START_TEST(paths_that_accept_no_file)
{
    static const char *const bad_paths[] = {"",        "/",        ".",     "..",        "folder",
                                            "folder/", "folder/.", "none/", "none/file", "link"};
    char folder[] = "/tmp/heed-misuse-XXXXXX";
    ck_assert(mkdtemp(folder) && chdir(folder) == 0 && mkdir("folder", 0700) == 0 && symlink("folder", "link") == 0);
    for (int writer = 0; writer < 7; writer++)
        for (int i = 0; i < COUNT_OF(bad_paths); i++) {
            ck_assert_msg(write_as(writer, bad_paths[i]) == HEED_ERR_IO, "%d '%s'", writer, bad_paths[i]);
            ck_assert_msg(strstr(heed_error_message(), bad_paths[i]) != NULL, "%s", heed_error_message());
            heed_error_clear();
        }
    ck_assert(unlink("link") == 0 && rmdir("folder") == 0);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(folder), 0); /* no file was made there */
}
END_TEST

/* -- Paths in messages -------------------------------------------------------------------------------------------- */

/* The message shows the end of a path, and keeps its cause. */
START_TEST(long_paths)
{
    static char long_path[2000];
    memset(long_path, 'd', sizeof long_path);
    (void)snprintf(long_path + 1000, sizeof long_path - 1000, "/\xC3\xA9/table.csv");
    ck_assert_ptr_null(heed_io_csv_read(long_path, NULL));
    ck_assert_ptr_nonnull(strstr(heed_error_message(), "cannot open ...ddd"));
    ck_assert_error(HEED_ERR_IO, "/\xC3\xA9/table.csv: File name too long");
}
END_TEST

static void check_shown(const char *long_path, const char *shown)
{
    char message[300];
    (void)snprintf(message, sizeof message, "io_csv_read: cannot open %s: No such file or directory", shown);
    ck_assert_ptr_null(heed_io_csv_read(long_path, NULL));
    ck_assert_str_eq(heed_error_message(), message);
    heed_error_clear();
}

/* A message shows 159 bytes of a path; of a longer one the last 156 after three dots, without a partial character. */
START_TEST(what_is_shown_of_a_path)
{
    char long_path[162] = "/\xE2\x82\xAC/", shown[162];
    memset(long_path + 5, 'd', 154);
    check_shown(long_path, long_path);
    for (int n = 160; n < 162; n++) {
        long_path[n - 1] = 'e';
        (void)snprintf(shown, sizeof shown, "...%s", long_path + 4 + (n - 160));
        check_shown(long_path, shown);
    }
    memcpy(long_path, "/d\xE2\x82\xAC", 5);
    long_path[160] = '\0';
    (void)snprintf(shown, sizeof shown, "...%s", long_path + 5);
    check_shown(long_path, shown);
    memcpy(long_path, "/d/\xE2\x82\xAC", 6);
    (void)snprintf(shown, sizeof shown, "...%s", long_path + 6);
    check_shown(long_path, shown);
}
END_TEST

MISUSE_MAIN("misuse of files", csv, csv_columns, idx, progress, heatmaps, curves, paths_that_accept_no_file, long_paths,
            what_is_shown_of_a_path)
