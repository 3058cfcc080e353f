/* images/tests/test_images.c - decoded images against the numbers that were encoded (PNG) or that PIL decodes (JPEG);
 * options, limits and damaged files.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "expected.h"

#include <unistd.h>

/* -- Values -------------------------------------------------------------------------------------------------------- */

static heed_tensor *divided(heed_tensor *x, heed_dtype dtype, double most)
{
    return heed_div(heed_to_dtype(x, dtype), heed_full(dtype, HEED_SCALAR, most));
}

/* Reads a file in every mode and compares the numbers exactly, for f32 and f64 after a division. */
static void check_modes(heed_dict *dict, const char *file, const char *ending, const char *key, double most)
{
    heed_tensor *all = heed_dict_get(dict, key);
    ck_assert_msg(all != NULL, "%s", heed_error_message());
    const int64_t stored = heed_dim(all, 0) - 10, channels[] = {stored, 1, 2, 3, 4};
    int64_t first = 0;
    for (int mode = 0; mode < 5; first += channels[mode++]) {
        heed_tensor *expected = heed_narrow(all, 0, first, channels[mode]);
        heed_images_read_options o = {.mode = (heed_images_mode)mode, .dtype = HEED_I64};
        heed_tensor *y = heed_images_read(data_path(file, ending).s, &o);
        check_values(key, y, expected, 0);
        o.dtype = HEED_F64;
        y = heed_images_read(data_path(file, ending).s, &o);
        check_values(key, y, divided(expected, HEED_F64, most), 0);
        o.dtype = HEED_F32;
        y = heed_images_read(data_path(file, ending).s, &o);
        ck_assert_int_eq(heed_dtype_of(y), HEED_F32);
        check_values(key, y, divided(expected, HEED_F32, most), 0);
    }
}

START_TEST(every_kind_of_png)
{
    heed_dict *dict = expected_values();
    for (size_t i = 0; i < COUNT(png_names); i++) {
        heed_scope *scope = heed_scope_begin();
        check_modes(dict, png_names[i], ".png", png_names[i], strstr(png_names[i], "16") ? 65535 : 255);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    heed_dict_free(dict);
}
END_TEST

START_TEST(every_kind_of_jpeg)
{
    heed_dict *dict = expected_values();
    for (size_t i = 0; i < COUNT(jpeg_names); i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "%s_jpg", jpeg_names[i]);
        heed_scope *scope = heed_scope_begin();
        check_modes(dict, jpeg_names[i], ".jpg", key, 255);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    heed_dict_free(dict);
}
END_TEST

/* The bytes in front of the orientation in EXIF data: tag, type and count. */
static unsigned char *orientation_in(unsigned char *bytes, size_t size)
{
    static const unsigned char entry[] = {0x01, 0x12, 0, 3, 0, 0, 0, 1, 0};
    for (size_t i = 0; i + sizeof entry < size; i++)
        if (memcmp(bytes + i, entry, sizeof entry) == 0)
            return bytes + i + sizeof entry;
    ck_abort_msg("no orientation");
}

START_TEST(orientation)
{
    static const heed_images_read_options turned = {.dtype = HEED_I64, .exif_orientation = true};
    static const heed_images_read_options stored = {.dtype = HEED_I64};
    heed_dict *dict = expected_values();
    unsigned char bytes[MAX_FILE];
    const size_t size = read_file(DATA "oriented.jpg", bytes);
    unsigned char *number = orientation_in(bytes, size);
    ck_assert_int_eq(*number, 6);
    for (int i = 1; i <= 8; i++) {
        char key[16];
        (void)snprintf(key, sizeof key, "oriented%d", i);
        *number = (unsigned char)i;
        check_values(key, heed_images_decode(bytes, size, &turned), heed_dict_get(dict, key), 0);
        check_values(key, heed_images_decode(bytes, size, &stored), heed_dict_get(dict, "oriented1"), 0);
    }
    for (int i = 0; i < 10; i += 9) { /* not an orientation */
        *number = (unsigned char)i;
        check_values("stored", heed_images_decode(bytes, size, &turned), heed_dict_get(dict, "oriented1"), 0);
    }
    check_values("png", heed_images_read(DATA "oriented.png", &turned), heed_dict_get(dict, "oriented_png"), 0);
    heed_dict_free(dict);
}
END_TEST

START_TEST(format_by_content)
{
    char path[] = "/tmp/heed-images-XXXXXX.png";
    unsigned char bytes[MAX_FILE];
    const size_t size = read_file(DATA "gray.jpg", bytes);
    const int fd = mkstemps(path, 4);
    ck_assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
    heed_tensor *x = heed_images_read(path, NULL);
    ck_assert_msg(x != NULL, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(x), HEED_SHAPE(1, 11, 13)));
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static void check_refused(const char *what, const unsigned char *bytes, size_t size)
{
    ck_assert_msg(heed_images_decode(bytes, size, NULL) == NULL, "%s was accepted", what);
    ck_assert_msg(heed_error_code() == HEED_ERR_FORMAT, "%s: %s", what, heed_error_message());
    heed_error_clear();
}

/* Every file that ends early is refused. */
START_TEST(truncated_files)
{
    unsigned char bytes[MAX_FILE];
    for (size_t i = 0; i < COUNT(png_names) + COUNT(jpeg_names); i++) {
        const bool png = i < COUNT(png_names);
        const char *name = png ? png_names[i] : jpeg_names[i - COUNT(png_names)];
        const size_t size = read_file(data_path(name, png ? ".png" : ".jpg").s, bytes);
        for (size_t n = 0; n < size; n++) {
            unsigned char *exact = malloc(n + 1); /* so that a sanitizer sees reads after the end */
            memcpy(exact, bytes, n);
            check_refused(name, exact, n);
            free(exact);
        }
    }
}
END_TEST

/* Every changed byte of a PNG is refused, because a chunk has a checksum. */
START_TEST(damaged_png)
{
    unsigned char bytes[MAX_FILE];
    for (size_t i = 0; i < COUNT(png_names); i++) {
        const size_t size = read_file(data_path(png_names[i], ".png").s, bytes);
        for (size_t n = 0; n < size; n++) {
            bytes[n] ^= 0x41;
            check_refused(png_names[i], bytes, size);
            bytes[n] ^= 0x41;
        }
    }
}
END_TEST

/* Copies a file and repeats its last scan. Returns the size of the copy, which is 0 if there is no scan. */
static size_t repeat_scan(const unsigned char *bytes, size_t size, int times, unsigned char *copy)
{
    size_t begin = size - 2, at = size - 2; /* the file ends with EOI */
    while (begin > 0 && (bytes[begin] != 0xff || bytes[begin + 1] != 0xda))
        begin--;
    memcpy(copy, bytes, size - 2);
    for (int i = 0; i < times; i++, at += size - 2 - begin)
        memcpy(copy + at, bytes + begin, size - 2 - begin);
    memcpy(copy + at, bytes + size - 2, 2);
    return begin > 0 ? at + 2 : 0;
}

/* Repeated scans give the same image; a file with too many of them is refused, because each takes time. */
START_TEST(scans)
{
    static unsigned char bytes[MAX_FILE], copy[600 * MAX_FILE];
    heed_dict *dict = expected_values();
    const size_t size = read_file(DATA "three_scans.jpg", bytes);
    const heed_images_read_options o = {.dtype = HEED_I64};
    check_values("three_scans", heed_images_decode(bytes, size, &o), heed_dict_get(dict, "three_scans"), 0);
    size_t repeated = repeat_scan(bytes, size, 20, copy);
    check_values("repeated", heed_images_decode(copy, repeated, &o), heed_dict_get(dict, "three_scans"), 0);
    repeated = repeat_scan(bytes, size, 500, copy);
    ck_assert_ptr_null(heed_images_decode(copy, repeated, &o));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "images_decode: image: the file has more than 500 scans");
    heed_dict_free(dict);
}
END_TEST

START_TEST(two_components)
{
    unsigned char bytes[MAX_FILE];
    const size_t size = read_file(DATA "three_scans.jpg", bytes);
    size_t at = 2;
    while (at + 20 < size && (bytes[at] != 0xff || bytes[at + 1] != 0xc0))
        at++;
    bytes[at + 3] = 14; /* the length of the header, and the number of components */
    bytes[at + 9] = 2;
    memmove(bytes + at + 16, bytes + at + 19, size - at - 19);
    ck_assert_ptr_null(heed_images_decode(bytes, size - 3, NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "the file has 2 components: must be 1, 3 or 4");
}
END_TEST

/* JPEG files lack checksums; libjpeg notices damage that breaks the code. */
START_TEST(damaged_jpeg)
{
    unsigned char bytes[MAX_FILE];
    const size_t size = read_file(DATA "yuv420.jpg", bytes);
    memset(bytes + size - 40, 0xff, 30);
    check_refused("a marker in the data", bytes, size);
    memset(bytes + 2, 0, 20);
    check_refused("no marker", bytes, size);
}
END_TEST

START_TEST(messages)
{
    static const unsigned char text[] = "GIF89a";
    ck_assert_ptr_null(heed_images_decode(text, sizeof text, NULL));
    ck_assert_error(HEED_ERR_FORMAT,
                    "images_decode: image: neither a PNG nor a JPEG file: its first bytes are different");
    ck_assert_ptr_null(heed_images_decode(text, 0, NULL));
    ck_assert_error(HEED_ERR_FORMAT, "images_decode: image: neither a PNG nor a JPEG file: it is empty");
    ck_assert_ptr_null(heed_images_decode(NULL, 3, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "images_decode: bytes is NULL");
    ck_assert_ptr_null(heed_images_read(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "images_read: path is NULL");
    ck_assert_ptr_null(heed_images_read("/nowhere/a.png", NULL));
    ck_assert_error(HEED_ERR_IO, "images_read: cannot open /nowhere/a.png: No such file or directory");
    ck_assert_ptr_null(heed_images_read("/tmp", NULL));
    ck_assert_error(HEED_ERR_IO, "images_read: /tmp is a directory, not a regular file");
    ck_assert_ptr_null(heed_images_read(DATA "expected.npz", NULL));
    ck_assert_error(HEED_ERR_FORMAT, "expected.npz: neither a PNG nor a JPEG file");
    unsigned char bytes[MAX_FILE];
    size_t size = read_file(DATA "gray8.png", bytes);
    ck_assert_ptr_null(heed_images_decode(bytes, size - 14, NULL));
    ck_assert_error(HEED_ERR_FORMAT, "images_decode: image: libpng: the file ends too early");
    size = read_file(DATA "gray.jpg", bytes);
    ck_assert_ptr_null(heed_images_decode(bytes, size - 10, NULL));
    ck_assert_error(HEED_ERR_FORMAT, "images_decode: image: libjpeg: Premature end of JPEG file");
}
END_TEST

START_TEST(limits)
{
    static const struct {
        heed_images_read_options o;
        heed_status status;
        const char *message;
    } cases[] = {
        {{.max_width = 12}, HEED_ERR_UNSUPPORTED, "13 x 11 pixels are more than the limit of 12 x 65500: raise"},
        {{.max_height = 10}, HEED_ERR_UNSUPPORTED, "13 x 11 pixels are more than the limit of 65500 x 10: raise"},
        {{.max_pixels = 142}, HEED_ERR_UNSUPPORTED, "13 x 11 pixels are more than the limit of 142 in all: raise"},
        {{.max_bytes = 100}, HEED_ERR_UNSUPPORTED, "more than the limit of 100"},
        {{.max_pixels = -1}, HEED_ERR_ARGUMENT, "max_pixels are 0, 0 and -1: must be 0 or more"},
        {{.mode = (heed_images_mode)5}, HEED_ERR_ARGUMENT, "mode must be one of HEED_IMAGES_*, not 5"},
        {{.dtype = HEED_BOOL}, HEED_ERR_DTYPE, "dtype is bool: must be f32, f64 or i64"},
    };
    unsigned char bytes[MAX_FILE];
    const size_t size = read_file(DATA "yuv444.jpg", bytes);
    for (size_t i = 0; i < COUNT(cases); i++) {
        ck_assert_ptr_null(heed_images_read(DATA "yuv444.jpg", &cases[i].o));
        ck_assert_error(cases[i].status, cases[i].message);
        ck_assert_ptr_null(heed_images_decode(bytes, size, &cases[i].o));
        ck_assert_error(cases[i].status, cases[i].message);
    }
    const heed_images_read_options enough = {.max_width = 13, .max_height = 11, .max_pixels = 143, .max_bytes = size};
    ck_assert_ptr_nonnull(heed_images_decode(bytes, size, &enough));
    ck_assert_ptr_null(heed_images_read(DATA "rgb16.png", &(heed_images_read_options){.max_pixels = 34}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "rgb16.png: 7 x 5 pixels are more than the limit of 34 in all");
}
END_TEST

/* A small file whose header claims 4 * 10^9 pixels is refused before memory is allocated. */
START_TEST(a_huge_header)
{
    unsigned char bytes[MAX_FILE];
    const size_t size = read_file(DATA "gray.jpg", bytes);
    for (size_t i = 2; i + 8 < size; i++)
        if (bytes[i] == 0xff && bytes[i + 1] == 0xc0) /* height and width follow the length and the precision */
            memset(bytes + i + 5, 0xfe, 4);
    heed_memory_reset_peak();
    const int64_t before = heed_memory_get_stats().peak_bytes;
    ck_assert_ptr_null(heed_images_decode(bytes, size, NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "65278 x 65278 pixels are more than the limit of 134217728 in all");
    ck_assert_int_le(heed_memory_get_stats().peak_bytes - before, 10000);
}
END_TEST

HEED_TEST_MAIN("images", every_kind_of_png, every_kind_of_jpeg, orientation, format_by_content, truncated_files,
               damaged_png, scans, two_components, damaged_jpeg, messages, limits, a_huge_header)
