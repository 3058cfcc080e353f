/* io/npz.c - reads NumPy's .npz: a zip archive whose members are .npy files. Writing is in io/npz_write.c. */

#include <inttypes.h>
#include <string.h>

#include <heed/io.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "base/utf8.h"
#include "io/file_format.h"
#include "io/npy.h"
#include "io/rows.h"
#include "io/zip.h"

#define SUFFIX ".npy"
#define SUFFIX_SIZE (sizeof SUFFIX - 1)

typedef struct reader {
    heed__zip *zip;
    heed_dict *dict;
    size_t *remaining; /* remaining memory limit in bytes */
} reader;

static bool fail_entry(const reader *r, const heed__zip_entry *entry, const char *reason)
{
    const heed__stream *s = &r->zip->source->stream;
    return heed_fail_false(HEED_ERR_FORMAT, s->where, "%s: member \"%s\" %s", s->name,
                           heed__excerpt(entry->name, entry->name_size).s, reason);
}

/* Writes the member's name without its suffix to `name`, which has capacity for it, and checks it. */
static bool check_name(const reader *r, const heed__zip_entry *entry, char *name)
{
    size_t size = entry->name_size - SUFFIX_SIZE;
    memcpy(name, entry->name, size);
    name[size] = '\0';
    if (size == 0 || heed__utf8_size(name) != size)
        return fail_entry(r, entry, "has a name that is empty or not UTF-8");
    return !heed_dict_has(r->dict, name) || fail_entry(r, entry, "is duplicated");
}

static bool read_content(reader *r, const heed__zip_entry *entry, const char *name)
{
    const heed__stream *s = &r->zip->source->stream;
    char label[240];
    (void)snprintf(label, sizeof label, "%s, member \"%s\"", s->name, heed__excerpt(name, strlen(name)).s);
    heed__zip_member member;
    if (!heed__zip_member_open(&member, r->zip, entry, label))
        return false;
    heed_tensor *t = heed__npy_read(&member.stream, r->remaining);
    if (!t) {
        heed__zip_member_abandon(&member);
        return false;
    }
    return heed__zip_member_close(&member) && heed_dict_set(r->dict, name, t) == HEED_OK;
}

static bool read_entry(reader *r, const heed__zip_entry *entry)
{
    if (entry->name_size < SUFFIX_SIZE ||
        memcmp(entry->name + entry->name_size - SUFFIX_SIZE, SUFFIX, SUFFIX_SIZE) != 0)
        return heed__check_stream_format(&r->zip->source->stream, HEED_FORMAT_NPZ, NULL, 0) &&
               fail_entry(r, entry, "is not an .npy file");
    size_t size = entry->name_size - SUFFIX_SIZE + 1;
    char *name = heed_alloc(size);
    heed_scope *scope = name ? heed_scope_begin() : NULL;
    bool read = scope && check_name(r, entry, name) &&
                heed__charge_memory(&r->zip->source->stream, r->remaining, HEED_TENSOR_COST + size) &&
                read_content(r, entry, name);
    if (scope)
        heed_scope_end(scope);
    heed_free(name, size);
    return read;
}

static bool read_entries(reader *r)
{
    for (uint64_t i = 0; i < r->zip->count; i++) {
        heed__zip_entry entry;
        if (!heed__zip_next(r->zip, &entry) || !read_entry(r, &entry))
            return false;
    }
    return heed__zip_finish(r->zip);
}

static heed_dict *read_archive(heed__source *source, size_t limit, const heed_io_read_options *options)
{
    source->stream.rows = heed__read_rows(options);
    heed__zip zip;
    heed_dict *dict = NULL;
    if (heed__zip_open(&zip, source, &limit)) {
        dict = heed_dict_new();
        reader r = {.zip = &zip, .dict = dict, .remaining = &limit};
        if (dict && !read_entries(&r)) {
            heed_dict_free(dict);
            dict = NULL;
        }
        heed__zip_close(&zip);
    }
    heed__source_close(source);
    return dict;
}

heed_dict *heed_io_npz_read(const char *path, const heed_io_read_options *options)
{
    HEED_ENTER("io_npz_read");
    size_t limit = heed__read_limit(options);
    heed__source source;
    return heed__source_open(&source, "io_npz_read", path, limit) ? read_archive(&source, limit, options) : NULL;
}

heed_dict *heed_io_npz_parse(const void *bytes, size_t size, const heed_io_read_options *options)
{
    HEED_ENTER("io_npz_parse");
    size_t limit = heed__read_limit(options);
    heed__source source;
    if (!heed__source_memory(&source, "io_npz_parse", "npz", bytes, size, limit))
        return NULL;
    return read_archive(&source, limit, options);
}

/* -- Rows that stay in the archive --------------------------------------------------------------------------------- */

/* A search in an archive for the k tensors called names[i]. */
typedef struct search {
    heed__zip *zip;
    const char *const *names;
    int k;
    heed__rows_tensor *tensors;
    bool *found;
} search;

static bool locate_member(const search *s, const heed__zip_entry *entry, int i)
{
    const heed__stream *stream = &s->zip->source->stream;
    heed__zip_member member;
    size_t bytes;
    char label[240];
    (void)snprintf(label, sizeof label, "%s, member \"%s\"", stream->name,
                   heed__excerpt(entry->name, entry->name_size).s);
    if (s->found[i])
        return heed_fail_false(HEED_ERR_FORMAT, stream->where, "%s is duplicated", label);
    if (entry->deflated)
        return heed_fail_false(
            HEED_ERR_UNSUPPORTED, stream->where,
            "%s is compressed: rows can be read only from uncompressed members (written by numpy.savez)", label);
    if (!heed__zip_member_open(&member, s->zip, entry, label))
        return false;
    bool read = heed__npy_layout(&member.stream, &s->tensors[i].layout, &bytes);
    s->tensors[i].offset = member.offset;
    s->found[i] = true;
    heed__zip_member_abandon(&member);
    return read;
}

static bool match_entry(const search *s, const heed__zip_entry *entry)
{
    for (int i = 0; i < s->k; i++) {
        size_t size = strlen(s->names[i]);
        if (entry->name_size == size + SUFFIX_SIZE && memcmp(entry->name, s->names[i], size) == 0 &&
            memcmp(entry->name + size, SUFFIX, SUFFIX_SIZE) == 0 && !locate_member(s, entry, i))
            return false;
    }
    return true;
}

static bool locate_members(heed__zip *zip, const char *const *names, int k, heed__rows_tensor *tensors)
{
    bool found[HEED_DATASET_MAX] = {false};
    const search s = {zip, names, k, tensors, found};
    for (uint64_t i = 0; i < zip->count; i++) {
        heed__zip_entry entry;
        if (!heed__zip_next(zip, &entry) || !match_entry(&s, &entry))
            return false;
    }
    return heed__zip_finish(zip) && heed__rows_check_found(&zip->source->stream, names, found, k);
}

heed_dataset *heed_io_npz_dataset(const char *path, const char *const *names, int k)
{
    const char *where = "io_npz_dataset";
    HEED_ENTER(where);
    heed__source source;
    heed__rows_tensor tensors[HEED_DATASET_MAX] = {{.converted = false}};
    if (!heed__rows_check_names(where, names, k) || !heed__source_open(&source, where, path, SIZE_MAX))
        return NULL;
    heed__zip zip;
    size_t remaining = SIZE_MAX;
    bool open = heed__zip_open(&zip, &source, &remaining), ok = open && locate_members(&zip, names, k, tensors);
    if (open)
        heed__zip_close(&zip);
    if (ok)
        return heed__rows_dataset(&source, tensors, k);
    heed__source_close(&source);
    return NULL;
}
