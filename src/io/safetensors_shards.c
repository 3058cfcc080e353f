/* io/safetensors_shards.c - reads tensors stored in several .safetensors files, which are listed in an index.
 *
 *     {"metadata": {...}, "weight_map": {"name": "model-00001-of-00002.safetensors", ...}} */
#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>

#include "io/elements.h"
#include "io/file_format.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "system/files.h"

static const char where[] = "io_safetensors_read_shards";

#define INDEX_MAX 100000000u /* same as for a .safetensors header */
#define METADATA_MAX 65536

typedef struct shards {
    heed__path_excerpt_text name;
    /* dicts of texts; tensor_files maps tensors to files, files maps every file to "" */
    heed_dict *tensor_files, *files;
    heed_dict *dict;
    size_t limit, remaining; /* maximum size of a file; remaining memory for all files together */
    heed__row_range rows;    /* requested rows of every tensor */
    heed__source source;     /* the index, for messages */
    bool has_map;
} shards;

/* -- The index ----------------------------------------------------------------------------------------------------- */

/* Stores a text of the index in a dict, and charges its memory. Returns false after heed_fail. */
static bool store_text(shards *s, heed_dict *dict, const char *key, const char *text)
{
    return heed__charge_memory(&s->source.stream, &s->remaining, HEED_TEXT_COST + strlen(key) + strlen(text)) &&
           heed_dict_set_text(dict, key, text) == HEED_OK;
}

static bool read_tensor_file(heed__json *json, const char *name, void *user)
{
    shards *s = user;
    json_t *text = heed__json_string(json);
    const char *file = json_string_value(text);
    bool ok = file != NULL;
    if (ok && (!*name || heed_dict_text(s->tensor_files, name)))
        ok = heed_fail_false(HEED_ERR_FORMAT, where, "%s: tensor \"%s\" %s", s->name.s,
                             heed__excerpt(name, strlen(name)).s, *name ? "is duplicated" : "has an empty name");
    if (ok && (!*file || heed__name_in(file) != file))
        ok = heed_fail_false(HEED_ERR_FORMAT, where, "%s: \"%s\" is not a file name without a folder", s->name.s,
                             heed__excerpt(file, strlen(file)).s);
    ok = ok && store_text(s, s->tensor_files, name, file) &&
         (heed_dict_text(s->files, file) || store_text(s, s->files, file, ""));
    json_decref(text);
    return ok;
}

static bool read_member(heed__json *json, const char *name, void *user)
{
    shards *s = user;
    if (strcmp(name, "weight_map") == 0) {
        if (s->has_map)
            return heed_fail_false(HEED_ERR_FORMAT, where, "%s: weight_map is duplicated", s->name.s);
        s->has_map = true;
        return heed__json_object(json, read_tensor_file, s);
    }
    json_t *value = heed__json_value(json, METADATA_MAX);
    json_decref(value);
    return value != NULL;
}

static bool read_index(shards *s, const char *path)
{
    const size_t max_size = s->limit < INDEX_MAX ? s->limit : INDEX_MAX;
    if (!heed__source_open(&s->source, where, path, max_size))
        return false;
    s->name = s->source.path;
    const size_t size = s->source.size;
    char *text = heed__charged_alloc(&s->source.stream, &s->remaining, size);
    bool ok = text && heed__stream_read(&s->source.stream, text, size);
    heed__source_close(&s->source);
    heed__json json = {.where = where, .source = s->name.s, .text = text, .size = size, .remaining = &s->remaining};
    ok = ok && (*text == '{' || heed__check_file_format(where, s->name.s, HEED_FORMAT_JSON, text, size)) &&
         heed__json_parse(&json, read_member, s);
    heed__charged_free(&s->remaining, text, size);
    return ok && (s->has_map || heed_fail_false(HEED_ERR_FORMAT, where, "%s has no weight_map", s->name.s));
}

/* -- The files ----------------------------------------------------------------------------------------------------- */

/* Adds the tensors of a file to the result. Returns false after heed_fail if the index does not assign all of them to
 * this file. */
static bool add_shard_tensors(shards *s, const char *file, const heed_dict *shard)
{
    for (int64_t i = 0; i < heed_dict_size(shard); i++) {
        const char *name = heed_dict_name(shard, i), *listed = heed_dict_text(s->tensor_files, name);
        if (!listed || strcmp(listed, file) != 0)
            return heed_fail_false(HEED_ERR_FORMAT, where, "%s: tensor \"%s\" is in %s, but the index %s%s", s->name.s,
                                   heed__excerpt(name, strlen(name)).s, heed__excerpt(file, strlen(file)).s,
                                   listed ? "says " : "does not list it",
                                   listed ? heed__excerpt(listed, strlen(listed)).s : "");
        if (!heed__charge_memory(&s->source.stream, &s->remaining, HEED_TEXT_COST + strlen(name)) ||
            heed_dict_set(s->dict, name, heed_dict_at(shard, i)) != HEED_OK)
            return false;
    }
    return true;
}

/* Reads the file at `path` and adds its tensors to the result. `file` is its name in the index. Returns false after
 * heed_fail. */
static bool read_path(shards *s, const char *path, const char *file)
{
    heed__source source;
    if (!heed__source_open(&source, where, path, s->limit))
        return false;
    source.stream.rows = s->rows;
    heed_dict *shard = heed__safetensors_read(&source, &s->remaining);
    heed__source_close(&source);
    const bool ok = shard && add_shard_tensors(s, file, shard);
    heed_dict_free(shard);
    return ok;
}

/* Reads the file `file` in the folder of the index and adds its tensors to the result. Returns false after
 * heed_fail. */
static bool read_file(shards *s, const char *index, const char *file)
{
    const size_t folder = (size_t)(heed__name_in(index) - index), size = folder + strlen(file) + 1;
    char *path = heed_alloc(size);
    if (!path)
        return false;
    memcpy(path, index, folder);
    memcpy(path + folder, file, size - folder);
    const bool ok = read_path(s, path, file);
    heed_free(path, size);
    return ok;
}

static bool check_all(const shards *s)
{
    for (int64_t i = 0; i < heed_dict_text_count(s->tensor_files); i++) {
        const char *name = heed_dict_text_key(s->tensor_files, i);
        if (!heed_dict_has(s->dict, name))
            return heed_fail_false(HEED_ERR_FORMAT, where,
                                   "%s: tensor \"%s\" is not in %s, for which the index lists it", s->name.s,
                                   heed__excerpt(name, strlen(name)).s, heed_dict_text(s->tensor_files, name));
    }
    return true;
}

static bool read_all(shards *s, const char *path)
{
    s->tensor_files = heed_dict_new();
    s->files = s->tensor_files ? heed_dict_new() : NULL;
    s->dict = s->files ? heed_dict_new() : NULL;
    bool ok = s->dict && read_index(s, path);
    for (int64_t i = 0; ok && i < heed_dict_text_count(s->files); i++)
        ok = read_file(s, path, heed_dict_text_key(s->files, i));
    return ok && check_all(s);
}

heed_dict *heed_io_safetensors_read_shards(const char *path, const heed_io_read_options *options)
{
    HEED_ENTER(where);
    if (!path)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the path is NULL");
    const size_t limit = heed__read_limit(options);
    shards s = {.limit = limit, .remaining = limit, .rows = heed__read_rows(options)};
    const bool ok = read_all(&s, path);
    heed_dict_free(s.files);
    heed_dict_free(s.tensor_files);
    if (!ok)
        heed_dict_free(s.dict);
    return ok ? s.dict : NULL;
}
