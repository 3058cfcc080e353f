/* io/safetensors_shards.c - reads tensors stored in several .safetensors files, which are listed in an index.
 *
 *     {"metadata": {...}, "weight_map": {"name": "model-00001-of-00002.safetensors", ...}} */
#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>

#include "io/elements.h"
#include "io/json.h"
#include "io/kind.h"
#include "io/safetensors.h"
#include "system/names.h"

static const char where[] = "io_safetensors_read_shards";

#define INDEX_MAX 100000000u /* same as for a .safetensors header */
#define METADATA_MAX 65536

typedef struct shards {
    heed__path_excerpt name;
    heed_dict *places, *files; /* texts: places maps tensors to files, files maps every file to "" */
    heed_dict *dict;
    size_t limit, room;   /* limit per file; remaining memory limit for all files together */
    heed__row_range rows; /* of every tensor */
    heed__source source;  /* of the index, for messages */
    bool has_map;
} shards;

/* -- The index ----------------------------------------------------------------------------------------------------- */

/* Stores a text of the index, within the memory limit. */
static bool note_text(shards *s, heed_dict *dict, const char *key, const char *text)
{
    return heed__take_room(&s->source.stream, &s->room, HEED_TEXT_COST + strlen(key) + strlen(text)) &&
           heed_dict_set_text(dict, key, text) == HEED_OK;
}

static bool read_place(heed__json *json, const char *name, void *user)
{
    shards *s = user;
    json_t *text = heed__json_string(json);
    const char *file = json_string_value(text);
    bool ok = file != NULL;
    if (ok && (!*name || heed_dict_text(s->places, name)))
        ok = heed_fail_false(HEED_ERR_FORMAT, where, "%s: tensor \"%s\" %s", s->name.s,
                             heed__excerpt(name, strlen(name)).s, *name ? "is there twice" : "has an empty name");
    if (ok && (!*file || heed__name_in(file) != file))
        ok = heed_fail_false(HEED_ERR_FORMAT, where, "%s: \"%s\" is not the name of a file beside it", s->name.s,
                             heed__excerpt(file, strlen(file)).s);
    ok = ok && note_text(s, s->places, name, file) &&
         (heed_dict_text(s->files, file) || note_text(s, s->files, file, ""));
    json_decref(text);
    return ok;
}

static bool read_member(heed__json *json, const char *name, void *user)
{
    shards *s = user;
    if (strcmp(name, "weight_map") == 0) {
        if (s->has_map)
            return heed_fail_false(HEED_ERR_FORMAT, where, "%s: weight_map is there twice", s->name.s);
        s->has_map = true;
        return heed__json_object(json, read_place, s);
    }
    json_t *value = heed__json_value(json, METADATA_MAX);
    json_decref(value);
    return value != NULL;
}

static bool read_index(shards *s, const char *path)
{
    const size_t most = s->limit < INDEX_MAX ? s->limit : INDEX_MAX;
    if (!heed__source_open(&s->source, where, path, most))
        return false;
    s->name = s->source.path;
    const size_t size = s->source.size;
    char *text = heed__alloc_in_room(&s->source.stream, &s->room, size);
    bool ok = text && heed__stream_read(&s->source.stream, text, size);
    heed__source_close(&s->source);
    heed__json json = {.where = where, .source = s->name.s, .text = text, .size = size, .room = &s->room};
    ok = ok && (*text == '{' || heed__check_kind(where, s->name.s, HEED_KIND_JSON, text, size)) &&
         heed__json_whole(&json, read_member, s);
    heed__free_in_room(&s->room, text, size);
    return ok && (s->has_map || heed_fail_false(HEED_ERR_FORMAT, where, "%s: it has no weight_map", s->name.s));
}

/* -- The files ----------------------------------------------------------------------------------------------------- */

/* Adds the tensors of a file; the index must assign them to this file. */
static bool add_file(shards *s, const char *file, const heed_dict *part)
{
    for (int64_t i = 0; i < heed_dict_size(part); i++) {
        const char *name = heed_dict_name(part, i), *place = heed_dict_text(s->places, name);
        if (!place || strcmp(place, file) != 0)
            return heed_fail_false(HEED_ERR_FORMAT, where, "%s: tensor \"%s\" is in %s, and the index %s%s", s->name.s,
                                   heed__excerpt(name, strlen(name)).s, heed__excerpt(file, strlen(file)).s,
                                   place ? "says " : "does not have it",
                                   place ? heed__excerpt(place, strlen(place)).s : "");
        if (!heed__take_room(&s->source.stream, &s->room, HEED_TEXT_COST + strlen(name)) ||
            heed_dict_set(s->dict, name, heed_dict_at(part, i)) != HEED_OK)
            return false;
    }
    return true;
}

/* Reads a file at a known path, within the memory limit for all files. */
static bool read_path(shards *s, const char *path, const char *file)
{
    heed__source source;
    if (!heed__source_open(&source, where, path, s->limit))
        return false;
    source.stream.rows = s->rows;
    heed_dict *part = heed__safetensors_read(&source, &s->room);
    heed__source_close(&source);
    const bool ok = part && add_file(s, file, part);
    heed_dict_free(part);
    return ok;
}

/* Reads a file in the folder of the index. */
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
    for (int64_t i = 0; i < heed_dict_text_count(s->places); i++) {
        const char *name = heed_dict_text_key(s->places, i);
        if (!heed_dict_has(s->dict, name))
            return heed_fail_false(HEED_ERR_FORMAT, where, "%s: tensor \"%s\" is not in %s, as the index says",
                                   s->name.s, heed__excerpt(name, strlen(name)).s, heed_dict_text(s->places, name));
    }
    return true;
}

static bool read_all(shards *s, const char *path)
{
    s->places = heed_dict_new();
    s->files = s->places ? heed_dict_new() : NULL;
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
    shards s = {.limit = limit, .room = limit, .rows = heed__read_rows(options)};
    const bool ok = read_all(&s, path);
    heed_dict_free(s.files);
    heed_dict_free(s.places);
    if (!ok)
        heed_dict_free(s.dict);
    return ok ? s.dict : NULL;
}
