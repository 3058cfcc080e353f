/* io/safetensors_shards.c - reads tensors stored in several .safetensors files, which are listed in an index.
 *
 *     {"metadata": {...}, "weight_map": {"name": "model-00001-of-00002.safetensors", ...}}
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>

#include "io/elements.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "system/files.h"

#define INDEX_MAX 100000000u /* same as for a .safetensors header */
#define METADATA_MAX 65536

typedef struct shards {
    const char *where;
    /* closed after reading; its stream is for messages and the memory limit of all files together */
    heed__source index;
    /* dicts of texts; tensor_files maps tensors to files, files maps every file to "" */
    heed_dict *tensor_files, *files;
    heed_dict *dict;
    heed_io_read_options options; /* max_bytes: maximum size of a file */
    bool has_map;
} shards;

/* -- The index ----------------------------------------------------------------------------------------------------- */

/* Stores a text of the index in a dict, and charges its memory. Returns false after heed_fail. */
static bool store_text(shards *s, heed_dict *dict, const char *key, const char *text)
{
    return heed__charge_memory(&s->index.stream, HEED_TEXT_COST + strlen(key) + strlen(text)) &&
           heed_dict_set_text(dict, key, text) == HEED_OK;
}

static bool read_tensor_file(heed__json *json, const char *name, void *user)
{
    shards *s = user;
    json_t *text = heed__json_string(json);
    const char *file = json_string_value(text);
    bool ok = file != NULL;
    if (ok && !heed__is_requested(&s->index.stream, name, strlen(name))) {
        json_decref(text);
        return true;
    }
    if (ok && (!*name || heed_dict_text(s->tensor_files, name)))
        ok = heed__tensor_fail(&s->index.stream, HEED_ERR_FORMAT, name, " %s",
                               *name ? "is duplicated" : "has an empty name");
    if (ok && (!*file || heed__name_in(file) != file))
        ok = heed__stream_fail(&s->index.stream, HEED_ERR_FORMAT, ": \"%s\" is not a file name without a folder",
                               heed__excerpt(file, strlen(file)).s);
    ok = ok && store_text(s, s->tensor_files, name, file) &&
         (heed_dict_text(s->files, file) || store_text(s, s->files, file, ""));
    json_decref(text);
    return ok;
}

static bool read_index_member(heed__json *json, const char *name, void *user)
{
    shards *s = user;
    if (strcmp(name, "weight_map") == 0) {
        if (s->has_map)
            return heed__stream_fail(&s->index.stream, HEED_ERR_FORMAT, ": weight_map is duplicated");
        s->has_map = true;
        return heed__json_object(json, read_tensor_file, s);
    }
    json_t *value = heed__json_value(json, METADATA_MAX);
    json_decref(value);
    return value != NULL;
}

static bool read_index(shards *s, const char *path)
{
    heed__stream *stream = &s->index.stream;
    const size_t limit = s->options.max_bytes;
    heed_io_read_options options = {.max_bytes = limit < INDEX_MAX ? limit : INDEX_MAX,
                                    .names = s->options.names,
                                    .name_count = s->options.name_count};
    if (!heed__source_open(&s->index, s->where, path, &options))
        return false;
    s->index.memory = limit;
    const size_t size = s->index.size;
    char *text = heed__charged_alloc(stream, size);
    bool ok = text && heed__stream_read(stream, text, size);
    heed__source_close(&s->index);
    heed__json json = {.stream = stream, .text = text, .size = size};
    ok = ok && (*text == '{' || heed__check_file_format(s->where, stream->name, HEED_FORMAT_JSON, text, size)) &&
         heed__json_parse(&json, read_index_member, s);
    heed__charged_free(stream, text, size);
    return ok && (s->has_map || heed__stream_fail(stream, HEED_ERR_FORMAT, " has no weight_map"));
}

/* -- The files ----------------------------------------------------------------------------------------------------- */

/* Adds the tensors of a file to the result. Returns false after heed_fail if the index does not assign all of them to
 * this file. */
static bool add_shard_tensors(shards *s, const char *file, const heed_dict *shard)
{
    for (int64_t i = 0; i < heed_dict_size(shard); i++) {
        const char *name = heed_dict_name(shard, i), *listed = heed_dict_text(s->tensor_files, name);
        if (!listed || strcmp(listed, file) != 0)
            return heed__tensor_fail(&s->index.stream, HEED_ERR_FORMAT, name, " is in %s, but the index %s%s",
                                     heed__excerpt(file, strlen(file)).s, listed ? "says " : "does not list it",
                                     listed ? heed__excerpt(listed, strlen(listed)).s : "");
        if (!heed__charge_memory(&s->index.stream, HEED_TEXT_COST + strlen(name)) ||
            heed_dict_set(s->dict, name, heed_dict_at(shard, i)) != HEED_OK)
            return false;
    }
    return true;
}

/* Restricts the stream of a file to the tensors that the index lists for it. `names` has capacity for all tensors of
 * the index. */
static void request_listed(const shards *s, heed__stream *stream, const char *file, const char **names)
{
    int count = 0;
    for (int64_t i = 0; i < heed_dict_text_count(s->tensor_files); i++) {
        const char *name = heed_dict_text_key(s->tensor_files, i);
        if (strcmp(heed_dict_text(s->tensor_files, name), file) == 0)
            names[count++] = name;
    }
    stream->names = names;
    stream->name_count = count;
}

/* Reads the file at `path` and adds its tensors to the result. `file` is its name in the index. Returns false after
 * heed_fail. */
static bool read_shard_at(shards *s, const char *path, const char *file)
{
    heed__source source;
    const size_t bytes = (size_t)heed_dict_text_count(s->tensor_files) * sizeof(char *);
    const char **names = s->options.skip_unlisted ? heed__charged_alloc(&s->index.stream, bytes) : NULL;
    if ((s->options.skip_unlisted && !names) || !heed__source_open(&source, s->where, path, &s->options)) {
        heed__charged_free(&s->index.stream, names, bytes);
        return false;
    }
    source.stream.memory = s->index.stream.memory;
    if (names)
        request_listed(s, &source.stream, file, names);
    heed_dict *shard = heed__safetensors_read(&source);
    heed__source_close(&source);
    heed__charged_free(&s->index.stream, names, bytes);
    const bool ok = shard && add_shard_tensors(s, file, shard);
    heed_dict_free(shard);
    return ok;
}

/* Reads the file `file` in the folder of the index and adds its tensors to the result. Returns false after
 * heed_fail. */
static bool read_listed_file(shards *s, const char *index, const char *file)
{
    const size_t folder = (size_t)(heed__name_in(index) - index), size = folder + strlen(file) + 1;
    char *path = heed_alloc(size);
    if (!path)
        return false;
    memcpy(path, index, folder);
    memcpy(path + folder, file, size - folder);
    const bool ok = read_shard_at(s, path, file);
    heed_free(path, size);
    return ok;
}

static bool check_complete(const shards *s)
{
    for (int64_t i = 0; i < heed_dict_text_count(s->tensor_files); i++) {
        const char *name = heed_dict_text_key(s->tensor_files, i);
        if (!heed_dict_has(s->dict, name))
            return heed__tensor_fail(&s->index.stream, HEED_ERR_FORMAT, name,
                                     " is not in %s, for which the index lists it",
                                     heed_dict_text(s->tensor_files, name));
    }
    return true;
}

static bool read_shards(shards *s, const char *path)
{
    s->tensor_files = heed_dict_new();
    s->files = s->tensor_files ? heed_dict_new() : NULL;
    s->dict = s->files ? heed_dict_new() : NULL;
    bool ok = s->dict && read_index(s, path);
    for (int64_t i = 0; ok && i < heed_dict_text_count(s->files); i++)
        ok = read_listed_file(s, path, heed_dict_text_key(s->files, i));
    return ok && check_complete(s) && heed__check_requested(&s->index.stream, s->dict);
}

heed_dict *heed__safetensors_read_shards(const char *where, const char *path, const heed_io_read_options *options)
{
    shards s = {.where = where, .options = options ? *options : (heed_io_read_options){0}};
    s.options.max_bytes = heed__read_limit(options);
    const bool ok = read_shards(&s, path);
    heed_dict_free(s.files);
    heed_dict_free(s.tensor_files);
    if (!ok)
        heed_dict_free(s.dict);
    return ok ? s.dict : NULL;
}
