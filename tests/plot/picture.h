/* tests/plot/picture.h - reads images back, for the tests of plots.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_PICTURE_H
#define TESTS_PICTURE_H

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "check_heed.h"
#include "from_memory.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wframe-larger-than=" /* for stb_image's own stack frames */
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image.h>

typedef struct picture {
    int width, height;
    uint8_t *rgb;
} picture;

/* A temporary folder per test, and a path in it. */
static char picture_folder[64];

static const char *in_folder(const char *name)
{
    static char path[256];
    if (picture_folder[0] == '\0') {
        strcpy(picture_folder, "/tmp/heed-plot-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(picture_folder));
    }
    (void)snprintf(path, sizeof path, "%s/%s", picture_folder, name);
    return path;
}

static inline void remove_folder(void)
{
    if (picture_folder[0] != '\0')
        ck_assert_int_eq(rmdir(picture_folder), 0); /* fails unless the folder is empty */
    picture_folder[0] = '\0';
}

/* Returns the bytes of a file; the caller frees them. */
static inline uint8_t *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s is not there", path);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    ck_assert_int_eq(fclose(file), 0);
    return bytes;
}

static inline picture decode(const uint8_t *bytes, size_t size)
{
    picture p = {.width = 0};
    int channels = 0;
    p.rgb = stbi_load_from_memory(bytes, (int)size, &p.width, &p.height, &channels, 3);
    ck_assert_msg(p.rgb != NULL, "not a PNG file: %s", stbi_failure_reason());
    ck_assert_int_eq(channels, 3);
    return p;
}

/* Reads an image and removes its file. */
static inline picture take_picture(const char *name)
{
    size_t size = 0;
    uint8_t *bytes = read_bytes(in_folder(name), &size);
    picture p = decode(bytes, size);
    free(bytes);
    ck_assert_int_eq(unlink(in_folder(name)), 0);
    return p;
}

static inline uint32_t pixel(const picture *p, int x, int y)
{
    ck_assert(x >= 0 && x < p->width && y >= 0 && y < p->height);
    const uint8_t *at = p->rgb + ((size_t)y * (size_t)p->width + (size_t)x) * 3;
    return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | (uint32_t)at[2];
}

/* Returns the number of pixels in x0 <= x < x1, y0 <= y < y1 that differ from `color`. */
static inline int count_other(const picture *p, int x0, int y0, int x1, int y1, uint32_t color)
{
    int count = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            count += pixel(p, x, y) != color;
    return count;
}

typedef struct box {
    int x0, y0, x1, y1;
} box;

static inline int black_run(const picture *p, int x, int y, int dx, int dy)
{
    int length = 0;
    while (x < p->width && y < p->height && pixel(p, x, y) == 0) {
        x += dx;
        y += dy;
        length++;
    }
    return length;
}

/* Advances until a black pixel. */
static inline int to_black(const picture *p, int x, int y, int dx, int dy)
{
    int steps = 0;
    while (pixel(p, x + steps * dx, y + steps * dy) != 0)
        steps++;
    return steps;
}

/* Returns the inside of the first frame with x >= left. The frame's top is a black line at least `least` pixels wide.
 * Ticks may lengthen its lines to the left and downwards. */
static inline box find_box(const picture *p, int left, int least)
{
    for (int y = 0; y < p->height; y++)
        for (int x = left; x < p->width; x++) {
            int run = black_run(p, x, y, 1, 0);
            if (run < least)
                continue;
            int line = black_run(p, x + run / 2, y, 0, 1), right = x + run - line;
            int x0 = x + to_black(p, x, y + line, 1, 0) + line;
            int end = y + black_run(p, right, y, 0, 1);
            return (box){x0, y + line, right, end - to_black(p, right - 1, end - 1, 0, -1) - line};
        }
    ck_abort_msg("no frame");
    return (box){0, 0, 0, 0};
}

/* Returns the colour in the middle of cell (row, column) of a box with this number of rows and columns. */
static inline uint32_t cell(const picture *p, box b, int row, int rows, int column, int columns)
{
    return pixel(p, b.x0 + (2 * column + 1) * (b.x1 - b.x0) / (2 * columns),
                 b.y0 + (2 * row + 1) * (b.y1 - b.y0) / (2 * rows));
}

#endif
