/* core/dict.c - dictionaries from names to tensors and to texts: a list in insertion order and a hash table of its
 * positions.
 *
 * Names come from files and may be hostile. The hash starts from a seed per dict, so that an attacker cannot choose
 * names that all hash to one slot. */
#include <inttypes.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/memory.h>

#include "base/mark.h"
#include "base/utf8.h"
#include "core/dict.h"
#include "core/tensor.h"
#include "system/system.h"

#define FIRST_CAPACITY 8
#define FIRST_CHUNK ((size_t)256) /* bytes; every chunk has twice the size of the previous one, up to LAST_CHUNK */
#define LAST_CHUNK ((size_t)64 << 10)

/* Names, and the first text of every key. Freed with the dict. */
typedef struct chunk {
    struct chunk *next;
    size_t size, used; /* bytes of the whole block */
} chunk;

typedef struct item {
    uint64_t hash;
    const char *name;
    union {
        heed_tensor *tensor;
        char *text;
    } is;
    size_t text_size; /* size of a text that was set again and has its own block; else 0 */
} item;

typedef struct table {
    item *items;
    int64_t *slots; /* 2 * capacity slots with linear probing: position + 1, or 0 if empty */
    int64_t count, capacity;
} table;

struct heed_dict {
    uint64_t seed;
    table tensors, texts;
    uint64_t mark;
    chunk *chunks; /* begins with the chunk being filled */
};

HEED_MARK_OUTLIVES_FREE(heed_dict);

/* -- The table ---------------------------------------------------------------------------------------------------- */

static uint64_t fnv1a(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* Hash of prefix and name joined. */
static uint64_t hash_of(const heed_dict *dict, const char *prefix, const char *name)
{
    uint64_t hash = fnv1a(fnv1a(dict->seed, prefix), name);
    return hash ^ hash >> 32;
}

static int64_t next_slot(const table *t, int64_t slot)
{
    return (slot + 1) & (2 * t->capacity - 1);
}

static int64_t first_slot(const table *t, uint64_t hash)
{
    return (int64_t)(hash & (uint64_t)(2 * t->capacity - 1));
}

/* Returns the item whose name is prefix and name joined, or NULL. */
static item *find_entry(const table *t, const char *prefix, const char *name, uint64_t hash)
{
    size_t length = strlen(prefix);
    if (t->capacity == 0)
        return NULL;
    for (int64_t slot = first_slot(t, hash); t->slots[slot] != 0; slot = next_slot(t, slot)) {
        item *it = &t->items[t->slots[slot] - 1];
        if (it->hash == hash && strncmp(it->name, prefix, length) == 0 && strcmp(it->name + length, name) == 0)
            return it;
    }
    return NULL;
}

/* Enters the position of an item with a new name into the slots. */
static void enter_slot(table *t, int64_t position)
{
    int64_t slot = first_slot(t, t->items[position].hash);
    while (t->slots[slot] != 0)
        slot = next_slot(t, slot);
    t->slots[slot] = position + 1;
}

static void free_arrays(const table *t)
{
    heed_free(t->items, (size_t)t->capacity * sizeof *t->items);
    heed_free(t->slots, 2 * (size_t)t->capacity * sizeof *t->slots);
}

/* Reserves capacity for one more item. */
static bool reserve_entries(table *t)
{
    if (t->count < t->capacity)
        return true;
    table larger = {.count = t->count, .capacity = t->capacity > 0 ? 2 * t->capacity : FIRST_CAPACITY};
    larger.items = heed_calloc((size_t)larger.capacity, sizeof *larger.items);
    larger.slots = larger.items ? heed_calloc(2 * (size_t)larger.capacity, sizeof *larger.slots) : NULL;
    if (!larger.slots) {
        heed_free(larger.items, (size_t)larger.capacity * sizeof *larger.items);
        return false;
    }
    if (t->count > 0)
        memcpy(larger.items, t->items, (size_t)t->count * sizeof *t->items);
    for (int64_t i = 0; i < larger.count; i++)
        enter_slot(&larger, i);
    free_arrays(t);
    *t = larger;
    return true;
}

static item *find_name(const heed_dict *dict, const table *t, const char *name)
{
    return find_entry(t, "", name, hash_of(dict, "", name));
}

/* Adds an item with a new name. Call reserve first. */
static void add_entry(heed_dict *dict, table *t, item added)
{
    added.hash = hash_of(dict, "", added.name);
    t->items[t->count] = added;
    enter_slot(t, t->count++);
}

/* -- Strings ------------------------------------------------------------------------------------------------------ */

/* Adds a chunk with capacity for `size` bytes. A long string gets its own chunk, linked after the chunk being
 * filled. */
static chunk *add_entry_chunk(heed_dict *dict, size_t size)
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
        c = add_entry_chunk(dict, size);
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

static const item *entry_at(const char *where, const table *t, int64_t i)
{
    if (i >= 0 && i < t->count)
        return &t->items[i];
    return heed_fail_null(HEED_ERR_INDEX, where, "there is no position %" PRId64 ": the dict has %" PRId64 " entries",
                          i, t->count);
}

/* -- Interface ---------------------------------------------------------------------------------------------------- */

heed_dict *heed_dict_new(void)
{
    HEED_ENTER("dict_new");
    heed_dict *dict = heed_calloc(1, sizeof *dict);
    if (!dict)
        return NULL;
    dict->mark = HEED_MARK(HEED_DICT, 0);
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
    for (int64_t i = 0; i < dict->tensors.count; i++)
        heed_release(dict->tensors.items[i].is.tensor);
    for (int64_t i = 0; i < dict->texts.count; i++)
        free_text(&dict->texts.items[i]);
    free_arrays(&dict->tensors);
    free_arrays(&dict->texts);
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
    item *it = find_name(dict, &dict->tensors, name);
    if (it) {
        heed_tensor *old = it->is.tensor;
        it->is.tensor = heed_retain(t);
        heed_release(old);
        return HEED_OK;
    }
    const char *copy = reserve_entries(&dict->tensors) ? copy_text(dict, name) : NULL;
    if (!copy)
        return HEED_ERR_NOMEM;
    add_entry(dict, &dict->tensors, (item){.name = copy, .is.tensor = heed_retain(t)});
    return HEED_OK;
}

/* Fails because a name is absent. The message lists the dict's names that fit. */
static void fail_absent(const char *where, const heed_dict *dict, const char *name)
{
    char names[256] = "";
    size_t used = 0;
    int64_t i = 0;
    for (; i < dict->tensors.count; i++) {
        const char *next = dict->tensors.items[i].name;
        const size_t length = strlen(next);
        if (used + length + sizeof ", ..." > sizeof names)
            break;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : ": ", next);
    }
    heed_fail(HEED_ERR_ARGUMENT, where, "there is no \"%.100s\" among %" PRId64 " tensors%s%s", name,
              dict->tensors.count, names, i == dict->tensors.count || i == 0 ? "" : ", ...");
}

heed_tensor *heed_dict_get(const heed_dict *dict, const char *name)
{
    static const char where[] = "dict_get";
    if (!check_lookup(where, dict, "name", name))
        return NULL;
    const item *it = find_name(dict, &dict->tensors, name);
    if (!it)
        fail_absent(where, dict, name);
    return it ? it->is.tensor : NULL;
}

bool heed_dict_has(const heed_dict *dict, const char *name)
{
    return check_lookup("dict_has", dict, "name", name) && find_name(dict, &dict->tensors, name) != NULL;
}

bool heed__dict_has_joined(const heed_dict *dict, const char *prefix, const char *name)
{
    return find_entry(&dict->tensors, prefix, name, hash_of(dict, prefix, name)) != NULL;
}

int64_t heed_dict_size(const heed_dict *dict)
{
    return heed__dict_check("dict_size", dict) ? dict->tensors.count : 0;
}

const char *heed_dict_name(const heed_dict *dict, int64_t i)
{
    static const char where[] = "dict_name";
    const item *it = heed__dict_check(where, dict) ? entry_at(where, &dict->tensors, i) : NULL;
    return it ? it->name : NULL;
}

heed_tensor *heed_dict_at(const heed_dict *dict, int64_t i)
{
    static const char where[] = "dict_at";
    const item *it = heed__dict_check(where, dict) ? entry_at(where, &dict->tensors, i) : NULL;
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
    item *it = find_name(dict, &dict->texts, key);
    if (it)
        return replace_text(it, text);
    const char *name = reserve_entries(&dict->texts) ? copy_text(dict, key) : NULL;
    char *copy = name ? copy_text(dict, text) : NULL;
    if (!copy)
        return HEED_ERR_NOMEM;
    add_entry(dict, &dict->texts, (item){.name = name, .is.text = copy});
    return HEED_OK;
}

const char *heed_dict_text(const heed_dict *dict, const char *key)
{
    if (!check_lookup("dict_text", dict, "key", key))
        return NULL;
    const item *it = find_name(dict, &dict->texts, key);
    return it ? it->is.text : NULL;
}

int64_t heed_dict_text_count(const heed_dict *dict)
{
    return heed__dict_check("dict_text_count", dict) ? dict->texts.count : 0;
}

const char *heed_dict_text_key(const heed_dict *dict, int64_t i)
{
    static const char where[] = "dict_text_key";
    const item *it = heed__dict_check(where, dict) ? entry_at(where, &dict->texts, i) : NULL;
    return it ? it->name : NULL;
}
