/* io/rows.c - datasets whose tensors stay in a file.
 *
 * The rows of such tensors are contiguous in the file, so any thread can read a batch with a few reads at known
 * offsets. The file stays open and must not change; its size and modification time are checked on every read.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/rows.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "io/file.h"
#include "system/files.h"

typedef struct rows {
    heed__source source;
    heed__file_facts opened; /* attributes of the file when it was opened */
    int k;
    heed__rows_tensor tensors[HEED_DATASET_MAX];
} rows;

static const char where[] = "dataset_take";

/* -- Reading batches ----------------------------------------------------------------------------------------------- */

static bool check_unchanged(const rows *r)
{
    heed__file_facts now;
    if (!heed__facts(r->source.fd, &now))
        return heed__file_error(where, "read", r->source.path.s, errno);
    if ((uint64_t)now.size == r->source.size && heed__same_content(&now, &r->opened))
        return true;
    return heed_fail_false(HEED_ERR_IO, where, "%s has changed since it was opened: %zu bytes then, %" PRId64 " now",
                           r->source.path.s, r->source.size, now.size);
}

/* Returns the layout of `count` rows of a tensor. */
static heed__file_layout layout_of_rows(const heed__rows_tensor *t, int64_t count)
{
    heed__file_layout layout = t->layout;
    layout.shape.dims[0] = count;
    return layout;
}

/* Reads the n rows with the given indices to `to`, where a row has `stride` bytes. Consecutive rows are read together.
 * Returns false after heed_fail. */
static bool read_rows(heed__source *source, const heed__rows_tensor *t, const int64_t *indices, int64_t n, char *to,
                      size_t stride)
{
    heed__file_layout one = layout_of_rows(t, 1);
    size_t row = (size_t)heed_shape_numel(one.shape) * heed__elements[one.element].size;
    for (int64_t at = 0, count; at < n; at += count) {
        for (count = 1; at + count < n && indices[at + count] == indices[at] + count;)
            count++;
        heed__file_layout layout = layout_of_rows(t, count);
        heed__source_seek(source, t->offset + (size_t)indices[at] * row);
        if (!heed__read_elements(&source->stream, &layout, to + (size_t)at * stride, (size_t)count * row))
            return false;
    }
    return true;
}

static bool check_whole_numbers(const heed__source *source, const heed_tensor *t)
{
    for (int64_t i = 0; i < heed_numel(t); i++) {
        double value = heed_data_f64(t)[i];
        if (!heed__fits_i64(value))
            return heed_fail_false(HEED_ERR_FORMAT, where, "%s: an i64 cannot hold the value %g", source->path.s,
                                   value);
    }
    return true;
}

/* Converts a batch to the target's dtype and scale. Multiplies in f64, so that the result is bit-identical to
 * heed_io_idx_read's. */
static heed_tensor *convert_rows(const heed__source *source, const heed__rows_tensor *target, heed_tensor *t)
{
    if (heed_dtype_of(t) == target->dtype && target->scale == 1.0)
        return t;
    t = heed_to_dtype(t, HEED_F64);
    if (!t || (target->dtype == HEED_I64 && !check_whole_numbers(source, t)))
        return NULL;
    return heed_to_dtype(target->scale == 1.0 ? t : heed_mul_scalar(t, target->scale), target->dtype);
}

static heed_tensor *take_tensor(heed__source *source, const heed__rows_tensor *t, heed_tensor *indices)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    const int64_t n = heed_numel(indices);
    heed__file_layout layout = layout_of_rows(t, n), one = layout_of_rows(t, 1);
    heed_tensor *taken = heed_empty(heed__elements[layout.element].dtype, layout.shape);
    char *to = taken ? heed_mutable_bytes(taken) : NULL;
    size_t stride = to ? (size_t)heed_shape_numel(one.shape) * heed_dtype_size(heed_dtype_of(taken)) : 0;
    if (!to || !read_rows(source, t, heed_data_i64(indices), n, to, stride))
        taken = NULL;
    return heed_scope_return(scope, taken && t->converted ? convert_rows(source, t, taken) : taken);
}

/* Reads a batch. Every call has its own copy of the source with its position, so that several threads can read at
 * once. */
static heed_status take_rows(void *user, heed_tensor *indices, heed_tensor **batch)
{
    const rows *r = user;
    heed__source source = r->source;
    source.stream.where = where;
    source.stream.name = source.path.s;
    source.stream.memory = &source.memory;
    if (!check_unchanged(r))
        return heed_error_code();
    for (int i = 0; i < r->k; i++)
        if (!(batch[i] = take_tensor(&source, &r->tensors[i], indices)))
            return heed_error_code();
    return HEED_OK;
}

static void free_rows(void *user)
{
    rows *r = user;
    heed__source_close(&r->source);
    heed_free(r, sizeof *r);
}

/* -- Creation ------------------------------------------------------------------------------------------------------ */

static bool check_tensor_names(const char *function, const char *const *names, int k)
{
    if (!names)
        return heed_fail_false(HEED_ERR_ARGUMENT, function, "names is NULL");
    if (k < 1 || k > HEED_DATASET_MAX)
        return heed_fail_false(HEED_ERR_ARGUMENT, function, "k is %d names: must be 1 to %d", k, HEED_DATASET_MAX);
    for (int i = 0; i < k; i++)
        if (!names[i])
            return heed_fail_false(HEED_ERR_ARGUMENT, function, "name %d is NULL", i);
    return true;
}

static bool check_all_found(const heed__stream *stream, const heed__rows_search *search)
{
    for (int i = 0; i < search->k; i++)
        if (!search->found[i])
            return heed__stream_fail(stream, HEED_ERR_ARGUMENT, " has no tensor \"%s\"",
                                     heed__excerpt(search->names[i], strlen(search->names[i])).s);
    return true;
}

static bool check_rows_tensor(const heed__source *source, const heed__rows_tensor *tensors, int i)
{
    const heed__stream *s = &source->stream;
    const heed_shape *shape = &tensors[i].layout.shape;
    if (shape->rank == 0)
        return heed__stream_fail(s, HEED_ERR_SHAPE, ": tensor %d is a scalar: it has no rows", i);
    if (tensors[i].layout.fortran && shape->rank > 1)
        return heed__stream_fail(s, HEED_ERR_UNSUPPORTED,
                                 ": tensor %d is in Fortran order: rows can be read only in C order", i);
    if (shape->dims[0] != tensors[0].layout.shape.dims[0])
        return heed__stream_fail(s, HEED_ERR_SHAPE, ": tensor %d has %" PRId64 " rows, but tensor 0 has %" PRId64, i,
                                 shape->dims[0], tensors[0].layout.shape.dims[0]);
    return true;
}

static rows *make_rows(const heed__source *source, const heed__rows_tensor *tensors, int k)
{
    heed__file_facts now;
    for (int i = 0; i < k; i++)
        if (!check_rows_tensor(source, tensors, i))
            return NULL;
    if (!heed__facts(source->fd, &now)) {
        heed__file_error(source->stream.where, "read", source->path.s, errno);
        return NULL;
    }
    rows *r = heed_alloc(sizeof *r);
    if (!r)
        return NULL;
    *r = (rows){.source = *source, .opened = now, .k = k};
    memcpy(r->tensors, tensors, (size_t)k * sizeof *tensors);
    return r;
}

heed_dataset *heed__rows_dataset(heed__source *source, const heed__rows_tensor *tensors, int k)
{
    rows *r = make_rows(source, tensors, k);
    heed_dataset *d = r ? heed_dataset_new_source(&(heed_dataset_source){.samples = tensors[0].layout.shape.dims[0],
                                                                         .tensors = k,
                                                                         .take = take_rows,
                                                                         .free = free_rows,
                                                                         .user = r})
                        : NULL;
    if (!d) {
        heed__source_close(source);
        heed_free(r, sizeof *r);
    }
    return d;
}

heed_dataset *heed__rows_named(const char *function, const char *path, const char *const *names, int k,
                               heed__rows_find *find)
{
    heed__source source;
    heed__rows_search search = {.names = names, .k = k};
    if (!check_tensor_names(function, names, k) || !heed__source_open(&source, function, path, HEED_READ_UNLIMITED))
        return NULL;
    if (find(&source, &search) && check_all_found(&source.stream, &search))
        return heed__rows_dataset(&source, search.tensors, k);
    heed__source_close(&source);
    return NULL;
}
