/* core/dict.c - dictionaries from names to tensors and to texts, in insertion order.
 *
 * Names come from files and may be hostile. The hash starts from a seed per dict, so that an attacker cannot choose
 * names that all hash to one slot.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/memory.h>

#include "base/hash.h"
#include "base/mark.h"
#include "base/utf8.h"
#include "core/dict.h"
#include "core/memory.h"
#include "core/tensor.h"
#include "system/system.h"

#define FIRST_CHUNK ((size_t)256) /* bytes; every chunk has twice the size of the previous one, up to LAST_CHUNK */
#define LAST_CHUNK ((size_t)64 << 10)

/* Names, and the first text of every key. Freed with the dict. */
typedef struct chunk {
    struct chunk *next;
    size_t size, used; /* bytes of the whole block */
} chunk;

typedef struct item {
    const char *name;
    union {
        heed_tensor *tensor;
        char *text;
    } is;
    size_t text_size; /* size of a text that was set again and has its own block; else 0 */
} item;

struct heed_dict {
    uint64_t seed;
    heed__table tensors, texts; /* of items */
    uint64_t mark;
    chunk *chunks; /* begins with the chunk being filled */
};

HEED_MARK_OUTLIVES_FREE(heed_dict);

/* -- The table ---------------------------------------------------------------------------------------------------- */

/* The key of a lookup: the first `length` bytes of `prefix` and `name` joined. */
typedef struct joined_name {
    const char *prefix, *name;
    size_t length;
} joined_name;

static uint64_t hash_of(const heed_dict *dict, joined_name key)
{
    uint64_t hash = heed__hash(heed__hash(dict->seed, key.prefix, key.length), key.name, strlen(key.name));
    return hash ^ hash >> 32;
}

static bool has_joined_name(const void *found, const void *key)
{
    const item *it = found;
    const joined_name *joined = key;
    return strncmp(it->name, joined->prefix, joined->length) == 0 &&
           strcmp(it->name + joined->length, joined->name) == 0;
}

static item *item_of(const heed__table *t, size_t i)
{
    return (item *)t->items + i;
}

/* Returns the item of this name, or NULL. */
static item *find_joined(const heed_dict *dict, const heed__table *t, joined_name key)
{
    const size_t i = heed__table_lookup(t, hash_of(dict, key), has_joined_name, &key);
    return i == SIZE_MAX ? NULL : item_of(t, i);
}

static item *find_item(const heed_dict *dict, const heed__table *t, const char *name)
{
    return find_joined(dict, t, (joined_name){"", name, 0});
}

/* -- Strings ------------------------------------------------------------------------------------------------------ */

/* Adds a chunk with capacity for `size` bytes. A long string gets its own chunk, linked after the chunk being
 * filled. */
static chunk *add_text_chunk(heed_dict *dict, size_t size)
{
    chunk *first = dict->chunks;
    size_t bytes = first ? 2 * first->size : FIRST_CHUNK;
    bytes = bytes < LAST_CHUNK ? bytes : LAST_CHUNK;
    bool alone = size > bytes / 4;
    if (alone)
        bytes = sizeof(chunk) + size;
    chunk *c = heed_alloc(bytes);
    if (!c)
        return NULL;
    *c = (chunk){.size = bytes, .used = sizeof *c};
    chunk **link = alone && first ? &first->next : &dict->chunks;
    c->next = *link;
    *link = c;
    return c;
}

/* Returns a copy that the dict owns, or NULL after HEED_ERR_NOMEM. */
static char *copy_text(heed_dict *dict, const char *text)
{
    size_t size = strlen(text) + 1;
    chunk *c = dict->chunks;
    if (!c || size > c->size - c->used)
        c = add_text_chunk(dict, size);
    if (!c)
        return NULL;
    char *copy = memcpy((char *)c + c->used, text, size);
    c->used += size;
    return copy;
}

static void free_chunks(chunk *c)
{
    while (c) {
        chunk *next = c->next;
        heed_free(c, c->size);
        c = next;
    }
}

/* -- Checks ------------------------------------------------------------------------------------------------------- */

static bool check_dict_text(const char *where, const char *what, const char *text)
{
    if (!text)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the %s is NULL", what);
    size_t size = heed__utf8_size(text);
    if (text[size])
        heed_fail(HEED_ERR_ARGUMENT, where, "the %s is not UTF-8 from byte %zu on", what, size);
    return text[size] == '\0';
}

bool heed__dict_check(const char *where, const heed_dict *dict)
{
    if (!dict)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the dict is NULL");
    return heed__is_marked(dict->mark, HEED_DICT) || heed_fail_freed(where, "the dict", dict);
}

static bool check_set(const char *where, const heed_dict *dict, const char *what, const char *name)
{
    if (!heed__dict_check(where, dict) || !check_dict_text(where, what, name))
        return false;
    return *name || heed_fail_false(HEED_ERR_ARGUMENT, where, "the %s is empty", what);
}

static bool check_value(const char *where, const char *name, const heed_tensor *t)
{
    char what[128];
    if (heed__is_live(t))
        return true;
    (void)snprintf(what, sizeof what, "the tensor for \"%.100s\"", name);
    return heed__fail_tensor(where, what, t);
}

/* Checks the arguments of a lookup, which allows any name except NULL. */
static bool check_lookup(const char *where, const heed_dict *dict, const char *what, const char *name)
{
    if (!heed__dict_check(where, dict))
        return false;
    return name || heed_fail_false(HEED_ERR_ARGUMENT, where, "the %s is NULL", what);
}

static const item *item_at(const char *where, const heed__table *t, int64_t i)
{
    if (i >= 0 && i < (int64_t)t->count)
        return item_of(t, (size_t)i);
    return heed_fail_null(HEED_ERR_INDEX, where, "there is no position %" PRId64 ": the dict has %zu entries", i,
                          t->count);
}

/* -- Interface ---------------------------------------------------------------------------------------------------- */

heed_dict *heed_dict_new(void)
{
    HEED_ENTER("dict_new");
    heed_dict *dict = heed_calloc(1, sizeof *dict);
    if (!dict)
        return NULL;
    dict->mark = HEED_MARK(HEED_DICT, 0);
    dict->tensors.item_size = dict->texts.item_size = sizeof(item);
    dict->seed = ((uint64_t)(uintptr_t)dict ^ (uint64_t)heed__nanoseconds()) * UINT64_C(0x9E3779B97F4A7C15);
    return dict;
}

static void free_text(const item *it)
{
    if (it->text_size > 0)
        heed_free(it->is.text, it->text_size);
}

void heed_dict_free(heed_dict *dict)
{
    if (!dict || !heed__dict_check("dict_free", dict))
        return;
    for (size_t i = 0; i < dict->tensors.count; i++)
        heed_release(item_of(&dict->tensors, i)->is.tensor);
    for (size_t i = 0; i < dict->texts.count; i++)
        free_text(item_of(&dict->texts, i));
    heed__table_free(&dict->tensors);
    heed__table_free(&dict->texts);
    free_chunks(dict->chunks);
    dict->mark = 0;
    heed_free(dict, sizeof *dict);
}

heed_status heed_dict_set(heed_dict *dict, const char *name, heed_tensor *t)
{
    static const char where[] = "dict_set";
    HEED_ENTER(where);
    if (!check_set(where, dict, "name", name) || !check_value(where, name, t))
        return heed_error_code();
    item *it = find_item(dict, &dict->tensors, name);
    if (it) {
        heed_tensor *old = it->is.tensor;
        it->is.tensor = heed_retain(t);
        heed_release(old);
        return HEED_OK;
    }
    const char *copy = copy_text(dict, name);
    if (!copy || !(it = heed__table_append(where, &dict->tensors, hash_of(dict, (joined_name){"", name, 0}))))
        return HEED_ERR_NOMEM;
    *it = (item){.name = copy, .is.tensor = heed_retain(t)};
    return HEED_OK;
}

/* Fails because a name is absent. The message lists the dict's names that fit. */
static void fail_absent(const char *where, const heed_dict *dict, const char *name)
{
    char names[256] = "";
    size_t used = 0;
    size_t i = 0;
    for (; i < dict->tensors.count; i++) {
        const char *next = item_of(&dict->tensors, i)->name;
        const size_t length = strlen(next);
        if (used + length + sizeof ", ..." > sizeof names)
            break;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : ": ", next);
    }
    heed_fail(HEED_ERR_ARGUMENT, where, "there is no \"%.100s\" among %zu tensors%s%s", name, dict->tensors.count,
              names, i == dict->tensors.count || i == 0 ? "" : ", ...");
}

heed_tensor *heed_dict_get(const heed_dict *dict, const char *name)
{
    static const char where[] = "dict_get";
    if (!check_lookup(where, dict, "name", name))
        return NULL;
    const item *it = find_item(dict, &dict->tensors, name);
    if (!it)
        fail_absent(where, dict, name);
    return it ? it->is.tensor : NULL;
}

bool heed_dict_has(const heed_dict *dict, const char *name)
{
    return check_lookup("dict_has", dict, "name", name) && find_item(dict, &dict->tensors, name) != NULL;
}

bool heed__dict_has_joined(const heed_dict *dict, const char *prefix, const char *name)
{
    return find_joined(dict, &dict->tensors, (joined_name){prefix, name, strlen(prefix)}) != NULL;
}

bool heed__dict_is_of_scaler(const heed_dict *dict, const char *name)
{
    const char *end = strrchr(name, '.');
    return end && (strcmp(end, ".mean") == 0 || strcmp(end, ".std") == 0) &&
           find_joined(dict, &dict->texts, (joined_name){name, ".fill_nan", (size_t)(end - name)});
}

int64_t heed_dict_size(const heed_dict *dict)
{
    return heed__dict_check("dict_size", dict) ? (int64_t)dict->tensors.count : 0;
}

const char *heed_dict_name(const heed_dict *dict, int64_t i)
{
    static const char where[] = "dict_name";
    const item *it = heed__dict_check(where, dict) ? item_at(where, &dict->tensors, i) : NULL;
    return it ? it->name : NULL;
}

heed_tensor *heed_dict_at(const heed_dict *dict, int64_t i)
{
    static const char where[] = "dict_at";
    const item *it = heed__dict_check(where, dict) ? item_at(where, &dict->tensors, i) : NULL;
    return it ? it->is.tensor : NULL;
}

static heed_status replace_text(item *it, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = heed_alloc(size);
    if (!copy)
        return HEED_ERR_NOMEM;
    memcpy(copy, text, size);
    free_text(it);
    it->is.text = copy;
    it->text_size = size;
    return HEED_OK;
}

heed_status heed_dict_set_text(heed_dict *dict, const char *key, const char *text)
{
    static const char where[] = "dict_set_text";
    HEED_ENTER(where);
    if (!check_set(where, dict, "key", key) || !check_dict_text(where, "text", text))
        return heed_error_code();
    item *it = find_item(dict, &dict->texts, key);
    if (it)
        return replace_text(it, text);
    const char *name = copy_text(dict, key);
    char *copy = name ? copy_text(dict, text) : NULL;
    if (!copy || !(it = heed__table_append(where, &dict->texts, hash_of(dict, (joined_name){"", key, 0}))))
        return HEED_ERR_NOMEM;
    *it = (item){.name = name, .is.text = copy};
    return HEED_OK;
}

const char *heed_dict_text(const heed_dict *dict, const char *key)
{
    if (!check_lookup("dict_text", dict, "key", key))
        return NULL;
    const item *it = find_item(dict, &dict->texts, key);
    return it ? it->is.text : NULL;
}

int64_t heed_dict_text_count(const heed_dict *dict)
{
    return heed__dict_check("dict_text_count", dict) ? (int64_t)dict->texts.count : 0;
}

const char *heed_dict_text_key(const heed_dict *dict, int64_t i)
{
    static const char where[] = "dict_text_key";
    const item *it = heed__dict_check(where, dict) ? item_at(where, &dict->texts, i) : NULL;
    return it ? it->name : NULL;
}
