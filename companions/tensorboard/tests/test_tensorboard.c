/* tensorboard/tests/test_tensorboard.c - logs as files: records and their checksums, names, folders, refused input.
 * test_events.py tests the contents of the events.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <sys/stat.h>
#include <time.h>

#include "logs.h"

#include "crc32c.h"

static const char *host_name; /* NULL: unknown */

/* Replaces the C library's function: the library's call comes here. */
HEED_API int gethostname(char *name, size_t size)
{
    if (!host_name || strlen(host_name) >= size)
        return -1;
    strcpy(name, host_name);
    return 0;
}

static void put_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert(fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* RFC 3720, B.4, and the check value of published tables of checksums. */
START_TEST(checksums)
{
    uint8_t bytes[32] = {0};
    ck_assert_uint_eq(heed__crc32c((const uint8_t *)"123456789", 9), 0xE3069283);
    ck_assert_uint_eq(heed__crc32c(bytes, 0), 0);
    ck_assert_uint_eq(heed__crc32c(bytes, 32), 0x8A9136AA);
    memset(bytes, 0xff, sizeof bytes);
    ck_assert_uint_eq(heed__crc32c(bytes, 32), 0x62A8AB43);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)i;
    ck_assert_uint_eq(heed__crc32c(bytes, 32), 0x46DD794E);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(31 - i);
    ck_assert_uint_eq(heed__crc32c(bytes, 32), 0x113FDB5C);
}
END_TEST

/* An event is in the file when its function returns. */
START_TEST(an_event_is_a_record_at_once)
{
    make_folder();
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    ck_assert_ptr_nonnull(log);
    ck_assert_int_eq(count_records(heed_tensorboard_path(log)), 1);
    ck_assert_int_eq(heed_tensorboard_scalar(log, "a", 1, 0.5), HEED_OK);
    ck_assert_int_eq(count_records(heed_tensorboard_path(log)), 2);
    ck_assert_int_eq(heed_tensorboard_histogram(log, "b", 1, heed_eye(HEED_F32, 3, 3)), HEED_OK);
    ck_assert_int_eq(heed_tensorboard_image(log, "c", 1, heed_eye(HEED_F32, 3, 3)), HEED_OK);
    ck_assert_int_eq(heed_tensorboard_text(log, "d", 1, ""), HEED_OK);
    ck_assert_int_eq(heed_tensorboard_flush(log), HEED_OK);
    char path[256];
    strcpy(path, heed_tensorboard_path(log));
    ck_assert_int_eq(count_records(path), 5);
    ck_assert_int_eq(heed_tensorboard_close(log), HEED_OK);
    ck_assert_int_eq(count_records(path), 5);
    ck_assert_int_eq(heed_tensorboard_close(NULL), HEED_OK);
    remove_folder();
}
END_TEST

/* The number in a name without a suffix: 0 for the first log of a process. */
static long number_of(const heed_tensorboard *log)
{
    return strtol(strrchr(heed_tensorboard_path(log), '.') + 1, NULL, 10);
}

START_TEST(folders_are_made_and_names_are_new)
{
    make_folder();
    char deep[256], start[320], expected[64];
    (void)snprintf(deep, sizeof deep, "%s/runs//1/", folder);
    heed_tensorboard *first = heed_tensorboard_open(deep, NULL);
    heed_tensorboard *second =
        heed_tensorboard_open(deep, &(heed_tensorboard_options){.suffix = ".größe", .purge = true, .purge_step = 7});
    ck_assert(first && second);
    (void)snprintf(start, sizeof start, "%s/events.out.tfevents.", deep);
    ck_assert_int_eq(strncmp(heed_tensorboard_path(first), start, strlen(start)), 0);
    (void)snprintf(expected, sizeof expected, ".localhost.%ld.%ld.größe", (long)getpid(), number_of(first) + 1);
    const char *path = heed_tensorboard_path(second);
    ck_assert_str_eq(path + strlen(path) - strlen(expected), expected);
    ck_assert_int_eq(count_records(path), 2);
    ck_assert_int_eq(heed_tensorboard_close(first), HEED_OK);
    ck_assert_int_eq(heed_tensorboard_close(second), HEED_OK);
    ck_assert_int_eq(empty_folder(deep), 2);
    ck_assert_int_eq(rmdir(deep), 0);
    ck_assert_int_eq(rmdir(in_folder("runs")), 0);
    remove_folder();
}
END_TEST

/* All names that a second log could have in the next seconds are taken: it gets the next number. */
START_TEST(no_file_is_written_over)
{
    make_folder();
    heed_tensorboard *first = heed_tensorboard_open(folder, NULL);
    const long number = number_of(first);
    char taken[5][256];
    for (int i = 0; i < 5; i++) {
        (void)snprintf(taken[i], sizeof taken[i], "%s/events.out.tfevents.%010lld.localhost.%ld.%ld", folder,
                       (long long)time(NULL) + i, (long)getpid(), number + 1);
        put_file(taken[i], "mine", 4);
    }
    heed_tensorboard *second = heed_tensorboard_open(folder, NULL);
    ck_assert_int_eq(number_of(second), number + 2);
    for (int i = 0; i < 5; i++) {
        struct stat status;
        ck_assert(stat(taken[i], &status) == 0 && status.st_size == 4);
    }
    ck_assert_int_eq(heed_tensorboard_close(first), HEED_OK);
    ck_assert_int_eq(heed_tensorboard_close(second), HEED_OK);
    ck_assert_int_eq(empty_folder(folder), 7);
    remove_folder();
}
END_TEST

START_TEST(names_of_hosts)
{
    static const char *const cases[][2] = {
        {NULL, ".localhost."}, {"", ".localhost."}, {"a.b", ".a.b."}, {"../../x/", "..._.._x_."}};
    make_folder();
    for (int i = 0; i < 4; i++) {
        host_name = cases[i][0];
        heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
        ck_assert_ptr_nonnull(strstr(heed_tensorboard_path(log), cases[i][1]));
        ck_assert_int_eq(heed_tensorboard_close(log), HEED_OK);
    }
    host_name = NULL;
    ck_assert_int_eq(empty_folder(folder), 4);
    remove_folder();
}
END_TEST

START_TEST(impossible_folders)
{
    static char vast[6000];
    memset(vast, 'a', sizeof vast);
    memcpy(vast, "/tmp/", 5);
    vast[sizeof vast - 1] = '\0';
    const struct {
        const char *folder;
        heed_tensorboard_options options;
        heed_status status;
        const char *text;
    } cases[] = {
        {NULL, {.suffix = NULL}, HEED_ERR_ARGUMENT, "tensorboard_open: folder is NULL"},
        {"", {.suffix = NULL}, HEED_ERR_ARGUMENT, "folder is empty"},
        {"/etc/passwd/x", {.suffix = NULL}, HEED_ERR_IO, "cannot make the folder /etc/passwd/x: Not a directory"},
        {"/etc/passwd", {.suffix = NULL}, HEED_ERR_IO, "cannot make /etc/passwd/events.out.tfevents."},
        {"/proc/x", {.suffix = NULL}, HEED_ERR_IO, "cannot make the folder /proc/x: No such file"},
        {vast, {.suffix = NULL}, HEED_ERR_IO, "aaa: File name too long"},
        {"/tmp", {.suffix = "a/b"}, HEED_ERR_ARGUMENT, "suffix is \"a/b\": must not contain '/'"},
        {"/tmp", {.suffix = "a\xff"}, HEED_ERR_ARGUMENT, "suffix is not UTF-8: byte 1 is 0xff"},
        {"/tmp", {.suffix = vast + 5}, HEED_ERR_IO, "aaa: File name too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_ptr_null(heed_tensorboard_open(cases[i].folder, &cases[i].options));
        ck_assert_error(cases[i].status, cases[i].text);
    }
}
END_TEST

START_TEST(refused_arguments)
{
    make_folder();
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(3));
    ck_assert_int_eq(heed_tensorboard_scalar(NULL, "a", 1, 1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_scalar: log is NULL");
    ck_assert_int_eq(heed_tensorboard_scalar(log, NULL, 1, 1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_scalar: name is NULL");
    ck_assert_int_eq(heed_tensorboard_scalar(log, "", 1, 1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_scalar: name is empty");
    ck_assert_int_eq(heed_tensorboard_scalar(log, "ab\xc3", 1, 1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_scalar: name is not UTF-8: byte 2 is 0xc3");
    ck_assert_int_eq(heed_tensorboard_histogram(log, "a", 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_histogram: values is NULL");
    ck_assert_int_eq(heed_tensorboard_image(log, "a", 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_image: plot_png: image is NULL");
    ck_assert_int_eq(heed_tensorboard_image(log, "a", 1, x), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "tensorboard_image: plot_png: image is (3): must be (H, W)");
    ck_assert_int_eq(heed_tensorboard_text(log, "a", 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_text: text is NULL");
    ck_assert_int_eq(heed_tensorboard_text(log, "a", 1, "\xed\xa0\x80"), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_text: text is not UTF-8: byte 0 is 0xed");
    ck_assert_int_eq(heed_tensorboard_flush(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_flush: log is NULL");
    ck_assert_ptr_null(heed_tensorboard_path(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "tensorboard_path: log is NULL");
    ck_assert_int_eq(count_records(heed_tensorboard_path(log)), 1);
    ck_assert_int_eq(heed_tensorboard_close(log), HEED_OK);
    remove_folder();
}
END_TEST

/* -- Figures ------------------------------------------------------------------------------------------------------ */

/* All proper prefixes of a picture, and paths that do not lead to a picture. */
START_TEST(incomplete_figures)
{
    make_folder();
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    size_t size = 0;
    uint8_t *png = heed_plot_png(heed_eye(HEED_F32, 2, 2), &size);
    for (size_t shorter = 0; shorter < size; shorter++) {
        put_file(in_folder("x.png"), png, shorter);
        ck_assert_int_eq(heed_tensorboard_figure(log, "a", 1, in_folder("x.png")), HEED_ERR_FORMAT);
        ck_assert_error(HEED_ERR_FORMAT, "x.png is not a complete PNG file");
    }
    const struct {
        size_t at;
        uint8_t byte;
    } broken[] = {{0, 0x88}, {12, 'J'}, {16, 0x80}, {19, 0}, {23, 0}, {25, 1}, {25, 5}, {25, 7}, {size - 5, 'C'}};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        const uint8_t was = png[broken[i].at];
        png[broken[i].at] = broken[i].byte;
        put_file(in_folder("x.png"), png, size);
        png[broken[i].at] = was;
        ck_assert_int_eq(heed_tensorboard_figure(log, "a", 1, in_folder("x.png")), HEED_ERR_FORMAT);
        ck_assert_error(HEED_ERR_FORMAT, "is not a complete PNG file");
    }
    put_file(in_folder("x.png"), png, size);
    ck_assert_int_eq(heed_tensorboard_figure(log, "a", 1, in_folder("x.png")), HEED_OK);
    heed_free(png, size);
    const char *const none[][2] = {{"/nowhere/x.png", "cannot open /nowhere/x.png: No such file"},
                                   {"/dev/zero", "/dev/zero is a pipe or a device, not a regular file"},
                                   {"/tmp", "/tmp is a directory, not a regular file"},
                                   {NULL, "tensorboard_figure: path is NULL"}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const heed_status status = none[i][0] ? HEED_ERR_IO : HEED_ERR_ARGUMENT;
        ck_assert_int_eq(heed_tensorboard_figure(log, "a", 1, none[i][0]), status);
        ck_assert_error(status, none[i][1]);
    }
    ck_assert_int_eq(truncate(in_folder("x.png"), (256 << 20) + 1), 0);
    ck_assert_int_eq(heed_tensorboard_figure(log, "a", 1, in_folder("x.png")), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "x.png has 268435457 bytes, more than the limit of 268435456");
    ck_assert_int_eq(count_records(heed_tensorboard_path(log)), 2);
    ck_assert_int_eq(heed_tensorboard_close(log), HEED_OK);
    remove_folder();
}
END_TEST

START_TEST(an_event_has_an_end)
{
    make_folder();
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    const size_t size = (size_t)256 << 20;
    char *text = malloc(size + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'a', size);
    text[size] = '\0';
    ck_assert_int_eq(heed_tensorboard_text(log, "a", 1, text), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "tensorboard_text: the event has 26843");
    ck_assert_int_eq(heed_tensorboard_scalar(log, text, 1, 1), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "tensorboard_scalar: the event has 26843");
    free(text);
    ck_assert_int_eq(count_records(heed_tensorboard_path(log)), 1);
    ck_assert_int_eq(heed_tensorboard_close(log), HEED_OK);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("tensorboard", checksums, an_event_is_a_record_at_once, folders_are_made_and_names_are_new,
               no_file_is_written_over, names_of_hosts, impossible_folders, refused_arguments, incomplete_figures,
               an_event_has_an_end)
