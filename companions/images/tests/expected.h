/* images/tests/expected.h - the files of the folder data, and the values that images_reference.py expects.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef IMAGES_EXPECTED_H
#define IMAGES_EXPECTED_H

#include <stdio.h>

#include "check_heed.h"

#include <heed/images.h>

#define DATA HEED_SOURCE_DIR "/companions/images/tests/data/"
#define MAX_FILE 2048

static const char *const png_names[] = {"gray1",    "gray2",      "gray4",       "gray8",         "gray16",
                                        "rgb8",     "rgb16",      "gray_alpha8", "gray_alpha16",  "rgba8",
                                        "rgba16",   "palette2",   "palette4",    "palette_alpha", "rgb_key",
                                        "gray_key", "interlaced", "interlaced1", "interlaced16"};
static const char *const jpeg_names[] = {"gray", "yuv444", "yuv422", "yuv420", "progressive", "cmyk"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct path_text {
    char s[512];
} path_text;

static inline path_text data_path(const char *name, const char *ending)
{
    path_text path;
    (void)snprintf(path.s, sizeof path.s, DATA "%s%s", name, ending);
    return path;
}

/* Reads the bytes of a file. Returns their number. */
static inline size_t read_file(const char *path, unsigned char bytes[MAX_FILE])
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    const size_t size = fread(bytes, 1, MAX_FILE, file);
    ck_assert(fclose(file) == 0 && size > 0 && size < MAX_FILE);
    return size;
}

static inline heed_dict *expected_values(void)
{
    heed_dict *dict = heed_io_npz_read(DATA "expected.npz", NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    return dict;
}

/* Compares shape and elements, which may differ by `tolerance`. */
static inline void check_values(const char *what, heed_tensor *y, heed_tensor *expected, double tolerance)
{
    ck_assert_msg(y != NULL, "%s: %s", what, heed_error_message());
    ck_assert_msg(expected != NULL, "%s is not in expected.npz", what);
    ck_assert_msg(heed_shape_equal(heed_shape_of(y), heed_shape_of(expected)), "%s is %s, expected %s", what,
                  heed_shape_text(heed_shape_of(y)).s, heed_shape_text(heed_shape_of(expected)).s);
    heed_tensor *difference = heed_abs(heed_sub(heed_to_dtype(y, HEED_F64), heed_to_dtype(expected, HEED_F64)));
    const double largest = heed_item(heed_max(difference));
    ck_assert_msg(largest <= tolerance, "%s differs by %g", what, largest);
}

#endif
