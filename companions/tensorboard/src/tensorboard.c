/* tensorboard/src/tensorboard.c - the functions of heed/tensorboard.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/tensorboard.h>

#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <heed/debug.h>
#include <heed/memory.h>
#include <heed/plot.h>

#include "base/mark.h"
#include "base/utf8.h"
#include "event.h"
#include "file.h"
#include "io/file.h"
#include "png_header.h"

/* -- Checks ------------------------------------------------------------------------------------------------------- */

static bool is_text(const char *where, const char *what, const char *text)
{
    const size_t valid = text ? heed__utf8_size(text) : 0;
    if (!text)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is NULL", what);
    return text[valid] == '\0' || heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is not UTF-8: byte %zu is 0x%02x", what,
                                                  valid, (unsigned char)text[valid]);
}

HEED_MARK_OUTLIVES_FREE(heed_tensorboard);

static bool is_open(const heed_tensorboard *log, const char *where)
{
    if (!log)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "log is NULL");
    return heed__is_marked(log->mark, HEED_TENSORBOARD) || heed_fail_freed(where, "the log", log);
}

static bool is_own_process(const heed_tensorboard *log, const char *where)
{
    if (!is_open(log, where))
        return false;
    return log->process == getpid() ||
           heed_fail_false(HEED_ERR_STATE, where,
                           "the log belongs to process %ld, and this is its child: open a new log", (long)log->process);
}

static bool check_write(const heed_tensorboard *log, const char *where, const char *name)
{
    if (!is_own_process(log, where) || !is_text(where, "name", name))
        return false;
    return *name != '\0' || heed_fail_false(HEED_ERR_ARGUMENT, where, "name is empty");
}

/* -- Opening and closing ------------------------------------------------------------------------------------------ */

static heed_status begin(heed_tensorboard *log, const heed_tensorboard_options *options, const char *where)
{
    Heed__Tb__Event version;
    heed__tb__event__init(&version);
    version.what_case = HEED__TB__EVENT__WHAT_FILE_VERSION;
    version.file_version = HEED__TB_READ(char, "brain.Event:2");
    heed_status status = heed__tb_write(log, where, &version);
    if (status != HEED_OK || !options->purge)
        return status;
    Heed__Tb__Session start;
    heed__tb__session__init(&start);
    start.status = HEED__TB__SESSION__STATUS__START;
    Heed__Tb__Event session;
    heed__tb__event__init(&session);
    session.step = options->purge_step;
    session.what_case = HEED__TB__EVENT__WHAT_SESSION;
    session.session = &start;
    return heed__tb_write(log, where, &session);
}

static void log_free(heed_tensorboard *log)
{
    heed_free(log->path, log->path_size);
    log->mark = 0;
    heed_free(log, sizeof *log);
}

static heed_tensorboard *log_new(void)
{
    heed_tensorboard *log = heed_calloc(1, sizeof *log);
    if (!log)
        return NULL;
    log->mark = HEED_MARK(HEED_TENSORBOARD, 0);
    log->fd = -1;
    log->process = getpid();
    heed__tb_buckets_init(&log->buckets);
    return log;
}

heed_tensorboard *heed_tensorboard_open(const char *folder, const heed_tensorboard_options *options)
{
    static const char where[] = "tensorboard_open";
    const heed_tensorboard_options o = options ? *options : (heed_tensorboard_options){.suffix = NULL};
    const char *suffix = o.suffix ? o.suffix : "";
    if (!folder || *folder == '\0')
        return heed_fail_null(HEED_ERR_ARGUMENT, where, folder ? "folder is empty" : "folder is NULL");
    if (!is_text(where, "suffix", suffix))
        return NULL;
    if (strchr(suffix, '/'))
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "suffix is \"%.100s\": must not contain '/'", suffix);
    heed_tensorboard *log = log_new();
    if (!log)
        return NULL;
    if (heed__tb_create(log, folder, suffix)) {
        if (begin(log, &o, where) == HEED_OK && heed__tb_sync(log, where) == HEED_OK) {
            heed__tb_sync_folder(folder);
            return log;
        }
        (void)close(log->fd);
        (void)unlink(log->path);
    }
    log_free(log);
    return NULL;
}

const char *heed_tensorboard_path(const heed_tensorboard *log)
{
    return is_open(log, "tensorboard_path") ? log->path : NULL;
}

heed_status heed_tensorboard_flush(heed_tensorboard *log)
{
    static const char where[] = "tensorboard_flush";
    return is_own_process(log, where) ? heed__tb_sync(log, where) : heed_error_code();
}

heed_status heed_tensorboard_close(heed_tensorboard *log)
{
    static const char where[] = "tensorboard_close";
    if (!log)
        return HEED_OK;
    if (!is_open(log, where))
        return heed_error_code();
    const heed_status flushed = log->process == getpid() ? heed__tb_sync(log, where) : HEED_OK;
    const heed_status closed = heed__tb_close(log, where);
    log_free(log);
    return flushed != HEED_OK ? flushed : closed;
}

/* -- Events ------------------------------------------------------------------------------------------------------- */

/* Converts to float. Casting a finite number above FLT_MAX is undefined, so it becomes infinite. */
static float to_float(double value)
{
    if (fabs(value) <= (double)FLT_MAX || !isfinite(value))
        return (float)value;
    return value > 0 ? INFINITY : -INFINITY;
}

heed_status heed_tensorboard_scalar(heed_tensorboard *log, const char *name, int64_t step, double value)
{
    static const char where[] = "tensorboard_scalar";
    if (!check_write(log, where, name))
        return heed_error_code();
    Heed__Tb__Value scalar;
    heed__tb__value__init(&scalar);
    scalar.kind_case = HEED__TB__VALUE__KIND_SCALAR;
    scalar.scalar = to_float(value);
    return heed__tb_write_value(log, where, name, step, &scalar);
}

heed_status heed_tensorboard_histogram(heed_tensorboard *log, const char *name, int64_t step, heed_tensor *values)
{
    static const char where[] = "tensorboard_histogram";
    HEED_ENTER(where);
    if (!check_write(log, where, name))
        return heed_error_code();
    if (!values)
        return heed_fail(HEED_ERR_ARGUMENT, where, "values is NULL");
    heed__tb_buckets *b = &log->buckets;
    if (!heed__tb_buckets_fill(b, values))
        return heed_error_code();
    int first;
    Heed__Tb__Histogram histogram;
    heed__tb__histogram__init(&histogram);
    histogram.n_limits = histogram.n_counts = (size_t)heed__tb_buckets_span(b, &first);
    histogram.limits = b->edges + first;
    histogram.counts = b->counts + first;
    histogram.min = b->min;
    histogram.max = b->max;
    histogram.count = b->count;
    histogram.sum = b->sum;
    histogram.sum_of_squares = b->sum_of_squares;
    Heed__Tb__Value value;
    heed__tb__value__init(&value);
    value.kind_case = HEED__TB__VALUE__KIND_HISTOGRAM;
    value.histogram = &histogram;
    return heed__tb_write_value(log, where, name, step, &value);
}

static heed_status write_png(heed_tensorboard *log, const char *where, const char *name, int64_t step,
                             const heed__tb_png *figure, uint8_t *png, size_t size)
{
    Heed__Tb__Image image;
    heed__tb__image__init(&image);
    image.height = figure->height;
    image.width = figure->width;
    image.channels = figure->channels;
    image.png = (ProtobufCBinaryData){size, png};
    Heed__Tb__Value value;
    heed__tb__value__init(&value);
    value.kind_case = HEED__TB__VALUE__KIND_IMAGE;
    value.image = &image;
    return heed__tb_write_value(log, where, name, step, &value);
}

heed_status heed_tensorboard_image(heed_tensorboard *log, const char *name, int64_t step, heed_tensor *image)
{
    static const char where[] = "tensorboard_image";
    HEED_ENTER(where);
    if (!check_write(log, where, name))
        return heed_error_code();
    size_t size = 0;
    uint8_t *png = heed_plot_png(image, &size);
    heed__tb_png figure;
    if (!png)
        return heed_error_code();
    (void)heed__tb_png_read(&figure, png, size);
    const heed_status status = write_png(log, where, name, step, &figure, png, size);
    heed_free(png, size);
    return status;
}

heed_status heed_tensorboard_figure(heed_tensorboard *log, const char *name, int64_t step, const char *path)
{
    static const char where[] = "tensorboard_figure";
    if (!check_write(log, where, name))
        return heed_error_code();
    heed__file file;
    if (!heed__file_load(where, path, HEED__TB_MAX_BYTES, &file))
        return heed_error_code();
    uint8_t *png = (uint8_t *)file.bytes;
    heed__tb_png figure;
    const heed_status status =
        heed__tb_png_read(&figure, png, file.size)
            ? write_png(log, where, name, step, &figure, png, file.size)
            : heed_fail(HEED_ERR_FORMAT, where, "%s is not a complete PNG file", heed__path_excerpt(path).s);
    heed__file_free(&file);
    return status;
}

heed_status heed_tensorboard_text(heed_tensorboard *log, const char *name, int64_t step, const char *text)
{
    static const char where[] = "tensorboard_text";
    if (!check_write(log, where, name) || !is_text(where, "text", text))
        return heed_error_code();
    Heed__Tb__Plugin plugin;
    heed__tb__plugin__init(&plugin);
    plugin.name = HEED__TB_READ(char, "text");
    Heed__Tb__Metadata metadata;
    heed__tb__metadata__init(&metadata);
    metadata.plugin = &plugin;
    Heed__Tb__Shape__Dim one, *dims = &one;
    heed__tb__shape__dim__init(&one);
    one.size = 1;
    Heed__Tb__Shape shape;
    heed__tb__shape__init(&shape);
    shape.n_dims = 1;
    shape.dims = &dims;
    ProtobufCBinaryData bytes = {strlen(text), HEED__TB_READ(uint8_t, text)};
    Heed__Tb__Tensor tensor;
    heed__tb__tensor__init(&tensor);
    tensor.type = HEED__TB__TENSOR__TYPE__STRING;
    tensor.shape = &shape;
    tensor.n_strings = 1;
    tensor.strings = &bytes;
    Heed__Tb__Value value;
    heed__tb__value__init(&value);
    value.metadata = &metadata;
    value.kind_case = HEED__TB__VALUE__KIND_TENSOR;
    value.tensor = &tensor;
    return heed__tb_write_value(log, where, name, step, &value);
}
