/* plot/png.c - encodes PNG files with stb_image_write, which gets its memory from heed_alloc and its compressor from
 * zlib; heed_plot_png encodes a tensor, whose pixels are one element each, or 3 or 4 elements; heed_plot_image writes
 * images whose channels come first, as a grid.
 *
 * stb leaks blocks if it runs out of memory. All its blocks are therefore recorded in a list, and the blocks that
 * remain in the list at the end of a call are freed.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "io/zlib.h"
#include "plot/figure.h"

/* -- stb's memory ----------------------------------------------------------------------------------------- */

typedef struct block {
    struct block *next, **link; /* link: the pointer that points to this block */
    size_t size;                /* including this header */
} block;

/* Size of the header before every block, which keeps the memory after it aligned as heed_alloc's blocks. */
#define HEADER_SIZE ((size_t)HEED_ALIGNMENT)
_Static_assert(sizeof(block) <= HEADER_SIZE, "the header fits");

static _Thread_local block *blocks;

static void *stb_alloc(size_t size)
{
    block *b = heed_alloc(size + HEADER_SIZE);
    if (!b)
        return NULL;
    *b = (block){.next = blocks, .link = &blocks, .size = size + HEADER_SIZE};
    if (blocks)
        blocks->link = &b->next;
    blocks = b;
    return (char *)b + HEADER_SIZE;
}

static void stb_free(void *payload)
{
    if (!payload)
        return;
    block *b = (block *)(void *)((char *)payload - HEADER_SIZE);
    *b->link = b->next;
    if (b->next)
        b->next->link = b->link;
    heed_free(b, b->size);
}

/* -- Compression by zlib: stb's own compressor ignores failed allocations --------------------------------- */

#if !defined(HEED_NO_ZLIB)

static void *zlib_alloc(void *unused, unsigned items, unsigned size)
{
    (void)unused;
    return stb_alloc((size_t)items * size);
}

static void zlib_free(void *unused, void *payload)
{
    (void)unused;
    stb_free(payload);
}

static unsigned char *stb_compress(unsigned char *data, int size, int *compressed_size, int quality)
{
    (void)quality;
    z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free, .next_in = data, .avail_in = (uInt)size};
    if (deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK)
        return NULL;
    uLong bound = deflateBound(&stream, (uLong)size);
    unsigned char *out = stb_alloc(bound);
    stream.next_out = out;
    stream.avail_out = (uInt)bound;
    bool done = out && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *compressed_size = (int)stream.total_out;
    (void)deflateEnd(&stream);
    return done ? out : NULL;
}

#else

/* Returns the Adler-32 checksum, which the zlib format needs (RFC 1950). */
static uint32_t adler32_of(const unsigned char *data, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* Writes the data uncompressed, in the zlib format with stored blocks (RFC 1951, 3.2.4). */
static unsigned char *stb_compress(unsigned char *data, int size, int *compressed_size, int quality)
{
    enum { MOST = 65535, HEAD = 5 };
    (void)quality;
    const size_t all = (size_t)size, blocks_of_it = all / MOST + 1;
    unsigned char *out = stb_alloc(2 + blocks_of_it * HEAD + all + 4), *to = out;
    if (!out)
        return NULL;
    *to++ = 0x78;
    *to++ = 0x01;
    for (size_t i = 0, at = 0; i < blocks_of_it; i++, at += MOST) {
        const size_t n = all - at < MOST ? all - at : MOST;
        const unsigned char head[HEAD] = {i + 1 == blocks_of_it, n & 255, n >> 8, ~n & 255, (~n >> 8) & 255};
        memcpy(to, head, HEAD);
        memcpy(to + HEAD, data + at, n);
        to += HEAD + n;
    }
    const uint32_t sum = adler32_of(data, all);
    for (int shift = 24; shift >= 0; shift -= 8)
        *to++ = (unsigned char)(sum >> shift);
    *compressed_size = (int)(to - out);
    return out;
}

#endif

#define STBI_WRITE_NO_STDIO
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBIW_MALLOC(size) stb_alloc(size)
#define STBIW_REALLOC(block, size) NULL /* stb calls this only in its own compressor */
#define STBIW_FREE(block) stb_free(block)
#define STBIW_MEMMOVE(to, from, size) memmove(to, from, (size_t)(size))
#define STBIW_ASSERT(condition) ((void)0)
#define STBIW_ZLIB_COMPRESS stb_compress
#if defined(__GNUC__)
/* gcc warns about functions of stb, and does so at the end of the file */
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image_write.h>

/* -- Encoding --------------------------------------------------------------------------------------------- */

uint8_t *heed__png_encode(const char *where, const uint8_t *pixels, int width, int height, int channels, size_t *size)
{
    int64_t bytes = 0;
    if (width < 1 || height < 1 || __builtin_mul_overflow((int64_t)width * channels + 1, (int64_t)height, &bytes) ||
        bytes > 1 << 30)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "a picture of %d x %d pixels cannot be written", width, height);
    int encoded = 0;
    uint8_t *result = NULL;
    uint8_t *png = stbi_write_png_to_mem(pixels, 0, width, height, channels, &encoded);
    if (png && (result = heed_alloc((size_t)encoded)))
        memcpy(result, png, (size_t)encoded);
    while (blocks) /* stb forgot to free them */
        stb_free((char *)blocks + HEADER_SIZE);
    *size = (size_t)encoded;
    return result;
}

/* -- heed_plot_png ---------------------------------------------------------------------------------------- */

static const char image_name[] = "plot_png";

static bool check_png_image(const heed_tensor *image, const size_t *size)
{
    if (!image || !size)
        return heed_fail_false(HEED_ERR_ARGUMENT, image_name, "%s is NULL", image ? "size" : "image");
    heed_shape shape = heed_shape_of(image);
    heed_text text = heed_shape_text(shape);
    if (heed_dtype_of(image) == HEED_I64)
        return heed_fail_false(HEED_ERR_DTYPE, image_name, "image is i64: must be f32, f64 or bool");
    if (shape.rank != 2 && (shape.rank != 3 || (shape.dims[2] != 3 && shape.dims[2] != 4)))
        return heed_fail_false(HEED_ERR_SHAPE, image_name, "image is %s: must be (H, W), (H, W, 3) or (H, W, 4)",
                               text.s);
    if (heed_shape_numel(shape) == 0)
        return heed_fail_false(HEED_ERR_SHAPE, image_name, "image is %s: there is nothing to draw", text.s);
    if (shape.dims[0] > HEED__MAX_PIXELS || shape.dims[1] > HEED__MAX_PIXELS)
        return heed_fail_false(HEED_ERR_SHAPE, image_name,
                               "image is %s: at most %d pixels in each direction can be drawn", text.s,
                               HEED__MAX_PIXELS);
    return true;
}

/* Stores an element as a byte: 0 .. 1 becomes 0 .. 255, and NaN becomes 0. */
static void store_byte(double value, void *context)
{
    uint8_t **next = context;
    *(*next)++ = value >= 1 ? 255 : value > 0 ? (uint8_t)lround(value * 255) : 0;
}

void *heed_plot_png(heed_tensor *image, size_t *size)
{
    HEED_ENTER(image_name);
    if (!check_png_image(image, size))
        return NULL;
    const heed_shape shape = heed_shape_of(image);
    const size_t count = (size_t)heed_shape_numel(shape);
    const int channels = shape.rank == 3 ? (int)shape.dims[2] : 1;
    heed_scope *scope = heed_no_grad_begin();
    uint8_t *pixels = scope ? heed_alloc(count) : NULL;
    void *png = NULL;
    heed__cells cells = heed__cells_of(image); /* if pixels have channels, every row of the image is a panel */
    uint8_t *next = pixels;
    if (pixels && heed__cells_visit(&cells, 0, cells.columns, store_byte, &next))
        png = heed__png_encode(image_name, pixels, (int)shape.dims[1], (int)shape.dims[0], channels, size);
    heed__cells_drop(&cells);
    heed_free(pixels, count);
    if (scope)
        (void)heed_scope_end(scope);
    return png;
}

/* -- heed_plot_image -------------------------------------------------------------------------------------- */

static const char grid_name[] = "plot_image";

/* Images and their positions in the picture. */
typedef struct image_grid {
    heed__cells cells;                              /* rows of panels are images, columns are channels */
    heed_plot_image_options options;                /* with the defaults filled in */
    int64_t columns, column_step, row_step, margin; /* images per row; distances in pixels */
} image_grid;

static bool check_images(const heed_tensor *images, const heed_plot_image_options *o)
{
    const heed_shape shape = heed_shape_of(images);
    const heed_text text = heed_shape_text(shape);
    const int64_t channels = shape.rank > 2 ? shape.dims[shape.rank - 3] : 1;
    if (shape.rank < 2 || shape.rank > 4 || (channels != 1 && channels != 3))
        return heed_fail_false(HEED_ERR_SHAPE, grid_name,
                               "images are %s: must be (H, W), (1, H, W), (3, H, W), (N, 1, H, W) or (N, 3, H, W)",
                               text.s);
    if (heed_shape_numel(shape) == 0)
        return heed_fail_false(HEED_ERR_SHAPE, grid_name, "images are %s: there is nothing to draw", text.s);
    if (heed_dtype_of(images) == HEED_I64 && o->vmin == 0 && o->vmax == 0 && !o->normalize)
        return heed_fail_false(HEED_ERR_DTYPE, grid_name,
                               "images are i64: set vmin and vmax, such as 0 and 255, or normalize");
    return true;
}

static bool check_image_options(const heed_plot_image_options *o)
{
    if (o->columns < 0 || o->padding < -1)
        return heed_fail_false(HEED_ERR_ARGUMENT, grid_name,
                               "columns is %d, padding is %d: must be at least 0 and at least -1", o->columns,
                               o->padding);
    if (!(o->padding_value >= 0 && o->padding_value <= 1))
        return heed_fail_false(HEED_ERR_ARGUMENT, grid_name, "padding_value is %g: must be in 0 .. 1",
                               o->padding_value);
    const bool given = o->vmin != 0 || o->vmax != 0;
    if (given && o->normalize)
        return heed_fail_false(HEED_ERR_ARGUMENT, grid_name,
                               "vmin is %g, vmax is %g: must be 0 with normalize, which finds them", o->vmin, o->vmax);
    if (given && (!(o->vmin < o->vmax) || !isfinite(o->vmin) || !isfinite(o->vmax)))
        return heed_fail_false(HEED_ERR_ARGUMENT, grid_name,
                               "vmin is %g, vmax is %g: must be finite, and vmin less than vmax", o->vmin, o->vmax);
    return true;
}

/* Computes the positions of the images. Only a batch has padding. */
static void lay_out_grid(image_grid *g, const heed_tensor *images)
{
    const heed_plot_image_options *o = &g->options;
    const int64_t most = o->columns > 0 ? o->columns : 8;
    g->margin = heed_rank(images) < 4 || o->padding < 0 ? 0 : o->padding > 0 ? o->padding : 2;
    g->columns = g->cells.rows < most ? g->cells.rows : most;
    g->column_step = g->cells.k + g->margin;
    g->row_step = g->cells.q + g->margin;
}

static void extend_range(double value, void *context)
{
    heed_plot_image_options *o = context;
    o->vmin = isfinite(value) ? fmin(o->vmin, value) : o->vmin;
    o->vmax = isfinite(value) ? fmax(o->vmax, value) : o->vmax;
}

/* Sets the values of black and white. Returns false with an error pending. */
static bool choose_range(image_grid *g)
{
    heed_plot_image_options *o = &g->options;
    if (!o->normalize) {
        o->vmax = o->vmin == 0 && o->vmax == 0 ? 1 : o->vmax;
        return true;
    }
    o->vmin = HUGE_VAL;
    o->vmax = -HUGE_VAL;
    return heed__cells_visit(&g->cells, 0, g->cells.rows * g->cells.columns, extend_range, o);
}

/* Returns the byte of a value. If all values are equal, or NaN, the range is empty, and they are black. */
static uint8_t byte_in_range(const heed_plot_image_options *o, double value)
{
    const double scale = isfinite(o->vmax - o->vmin) ? 1 : 0.5; /* avoids overflow */
    uint8_t byte, *next = &byte;
    store_byte((value * scale - o->vmin * scale) / (o->vmax * scale - o->vmin * scale), &next);
    return byte;
}

/* Draws one channel of an image. A gray image has one channel, which is drawn as red, green and blue. */
static bool draw_channel(image_grid *g, heed__canvas *canvas, int64_t image, int64_t channel)
{
    const int64_t channels = g->cells.columns, x = g->margin + image % g->columns * g->column_step,
                  y = g->margin + image / g->columns * g->row_step;
    for (int64_t row = 0; row < g->cells.q; row++)
        for (int64_t column = 0; column < g->cells.k; column++) {
            const double *value = heed__cells_get(&g->cells, image * channels + channel, row, column);
            if (!value)
                return false;
            uint8_t *rgb = canvas->rgb + 3 * ((y + row) * canvas->width + x + column);
            const uint8_t byte = byte_in_range(&g->options, *value);
            if (channels == 1)
                rgb[0] = rgb[1] = rgb[2] = byte;
            else
                rgb[channel] = byte;
        }
    return true;
}

static bool draw_images(image_grid *g, heed__canvas *canvas)
{
    const uint32_t gray = (uint32_t)lround(g->options.padding_value * 255);
    heed__canvas_fill(canvas, heed__canvas_bounds(canvas), gray << 16 | gray << 8 | gray);
    bool drawn = choose_range(g);
    for (int64_t i = 0; drawn && i < g->cells.rows * g->cells.columns; i++)
        drawn = draw_channel(g, canvas, i / g->cells.columns, i % g->cells.columns);
    heed__cells_drop(&g->cells);
    return drawn;
}

static heed_status write_images(image_grid *g, const char *path)
{
    heed__surface surface;
    const int64_t rows = (g->cells.rows + g->columns - 1) / g->columns;
    heed_status status =
        heed__figure_begin(grid_name, &surface, path, (double)g->columns * (double)g->column_step + (double)g->margin,
                           (double)rows * (double)g->row_step + (double)g->margin, HEED_ERR_SHAPE);
    if (status != HEED_OK)
        return status;
    if (surface.vector) {
        heed__surface_free(&surface);
        return heed_fail(HEED_ERR_ARGUMENT, grid_name, "path ends in .svg: images are written as PNG");
    }
    surface.canvas.failed = !draw_images(g, &surface.canvas);
    return heed__figure_end(grid_name, &surface, path);
}

heed_status heed_plot_image(heed_tensor *images, const char *path, const heed_plot_image_options *options)
{
    HEED_ENTER("plot_image");
    if (!images || !path)
        return heed_fail(HEED_ERR_ARGUMENT, grid_name, "%s is NULL", images ? "path" : "images");
    image_grid g = {.options = options ? *options : (heed_plot_image_options){0}};
    if (!check_image_options(&g.options) || !check_images(images, &g.options))
        return heed_error_code();
    g.cells = heed__cells_of(images);
    lay_out_grid(&g, images);
    heed_scope *scope = heed_no_grad_begin();
    heed_status status = scope ? write_images(&g, path) : HEED_ERR_NOMEM;
    if (scope)
        (void)heed_scope_end(scope);
    return status;
}
