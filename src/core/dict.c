/* core/dict.c - names to tensors and to texts: a list in the order of setting, and a hash table of its positions.
 *
 * Names come from files, and so perhaps from an enemy. The hash begins with a number of the dict's own, so that nobody
 * can choose names that all fall into one slot.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include <heed/dict.h>
#include <heed/memory.h>

#define FIRST_ROOM 8

typedef struct item {
    uint64_t hash;
    char *name;
    size_t name_size;    /* with its NUL, as text_size */
    heed_tensor *tensor; /* of a tensor's name */
    char *text;          /* of a text's key */
    size_t text_size;
} item;

typedef struct table {
    item *items;
    int64_t *slots; /* 2 * room of them: position + 1, 0 where nothing is; a taken slot sends on to the next one */
    int64_t count, room;
} table;

struct heed_dict {
    uint64_t seed;
    table tensors, texts;
};

/* -- The table ---------------------------------------------------------------------------------------------------- */

/* FNV-1a. */
static uint64_t hash_of(const heed_dict *dict, const char *name)
{
    uint64_t hash = dict->seed;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

static int64_t next_slot(const table *t, int64_t slot)
{
    return (slot + 1) & (2 * t->room - 1);
}

static int64_t first_slot(const table *t, uint64_t hash)
{
    return (int64_t)(hash & (uint64_t)(2 * t->room - 1));
}

/* The item of that name, NULL when there is none. */
static item *find(const table *t, const char *name, uint64_t hash)
{
    if (t->room == 0)
        return NULL;
    for (int64_t slot = first_slot(t, hash); t->slots[slot] != 0; slot = next_slot(t, slot)) {
        item *it = &t->items[t->slots[slot] - 1];
        if (it->hash == hash && strcmp(it->name, name) == 0)
            return it;
    }
    return NULL;
}

/* Notes the position of an item whose name is not there yet. */
static void note(table *t, int64_t position)
{
    int64_t slot = first_slot(t, t->items[position].hash);
    while (t->slots[slot] != 0)
        slot = next_slot(t, slot);
    t->slots[slot] = position + 1;
}

static void free_arrays(const table *t)
{
    heed_free(t->items, (size_t)t->room * sizeof *t->items);
    heed_free(t->slots, 2 * (size_t)t->room * sizeof *t->slots);
}

/* Room for one item more. */
static bool reserve(table *t)
{
    if (t->count < t->room)
        return true;
    table larger = {.count = t->count, .room = t->room > 0 ? 2 * t->room : FIRST_ROOM};
    larger.items = heed_calloc((size_t)larger.room, sizeof *larger.items);
    larger.slots = larger.items ? heed_calloc(2 * (size_t)larger.room, sizeof *larger.slots) : NULL;
    if (!larger.slots) {
        heed_free(larger.items, (size_t)larger.room * sizeof *larger.items);
        return false;
    }
    if (t->count > 0)
        memcpy(larger.items, t->items, (size_t)t->count * sizeof *t->items);
    for (int64_t i = 0; i < larger.count; i++)
        note(&larger, i);
    free_arrays(t);
    *t = larger;
    return true;
}

static char *copy_of(const char *text, size_t size)
{
    char *copy = heed_alloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* The item of that name, which is added where there is none. NULL after HEED_ERR_NOMEM, with nothing changed. */
static item *find_or_add(heed_dict *dict, table *t, const char *name)
{
    uint64_t hash = hash_of(dict, name);
    item *found = find(t, name, hash);
    if (found || !reserve(t))
        return found;
    item added = {.hash = hash, .name_size = strlen(name) + 1};
    added.name = copy_of(name, added.name_size);
    if (!added.name)
        return NULL;
    t->items[t->count] = added;
    note(t, t->count);
    return &t->items[t->count++];
}

static void free_table(const table *t)
{
    for (int64_t i = 0; i < t->count; i++) {
        heed_free(t->items[i].name, t->items[i].name_size);
        heed_free(t->items[i].text, t->items[i].text_size);
        heed_release(t->items[i].tensor);
    }
    free_arrays(t);
}

/* -- Checks ------------------------------------------------------------------------------------------------------- */

static bool is_tail(unsigned char c)
{
    return (c & 0xC0u) == 0x80u;
}

/* Bytes of the character in UTF-8 at s (RFC 3629: no overlong form, no surrogate), 0 when there is none. The text's
 * NUL is no byte of a character, so nothing behind it is read. */
static size_t character_size(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 0;
    unsigned low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
    if (s[1] < low || s[1] > high)
        return 0;
    if (s[0] < 0xE0)
        return 2;
    if (!is_tail(s[2]))
        return 0;
    if (s[0] < 0xF0)
        return 3;
    return is_tail(s[3]) ? 4 : 0;
}

/* Bytes up to the text's end, or up to what is no UTF-8. */
static size_t utf8_size(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (size_t size = 1; *at && size > 0; at += size)
        size = character_size(at);
    return (size_t)(at - (const unsigned char *)text);
}

static bool check_text(const char *where, const char *what, const char *text)
{
    if (!text) {
        heed_fail(HEED_ERR_ARGUMENT, where, "the %s is NULL", what);
        return false;
    }
    size_t size = utf8_size(text);
    if (text[size])
        heed_fail(HEED_ERR_ARGUMENT, where, "the %s is no UTF-8 from byte %zu on", what, size);
    return text[size] == '\0';
}

static bool check_dict(const char *where, const heed_dict *dict)
{
    if (!dict)
        heed_fail(HEED_ERR_ARGUMENT, where, "the dict is NULL");
    return dict != NULL;
}

static bool check_set(const char *where, const heed_dict *dict, const char *what, const char *name)
{
    if (!check_dict(where, dict) || !check_text(where, what, name))
        return false;
    if (!*name)
        heed_fail(HEED_ERR_ARGUMENT, where, "the %s is empty", what);
    return *name != '\0';
}

/* For looking: any name may be asked for. */
static bool check_ask(const char *where, const heed_dict *dict, const char *what, const char *name)
{
    if (check_dict(where, dict) && !name)
        heed_fail(HEED_ERR_ARGUMENT, where, "the %s is NULL", what);
    return dict && name;
}

static const item *item_at(const char *where, const table *t, int64_t i)
{
    if (i >= 0 && i < t->count)
        return &t->items[i];
    heed_fail(HEED_ERR_INDEX, where, "there is no position %" PRId64 " among %" PRId64, i, t->count);
    return NULL;
}

/* -- Interface ---------------------------------------------------------------------------------------------------- */

heed_dict *heed_dict_new(void)
{
    HEED_ENTER("dict_new");
    heed_dict *dict = heed_calloc(1, sizeof *dict);
    if (!dict)
        return NULL;
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    dict->seed = ((uint64_t)(uintptr_t)dict ^ (uint64_t)now.tv_nsec) * UINT64_C(0x9E3779B97F4A7C15);
    return dict;
}

void heed_dict_free(heed_dict *dict)
{
    if (!dict)
        return;
    free_table(&dict->tensors);
    free_table(&dict->texts);
    heed_free(dict, sizeof *dict);
}

heed_status heed_dict_set(heed_dict *dict, const char *name, heed_tensor *t)
{
    static const char where[] = "dict_set";
    HEED_ENTER(where);
    if (!check_set(where, dict, "name", name))
        return HEED_ERR_ARGUMENT;
    if (!t)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the tensor for \"%.100s\" is NULL", name);
    item *it = find_or_add(dict, &dict->tensors, name);
    if (!it)
        return HEED_ERR_NOMEM;
    heed_tensor *old = it->tensor;
    it->tensor = heed_retain(t);
    heed_release(old);
    return HEED_OK;
}

bool heed_dict_is_name(const char *name)
{
    return name && *name && name[utf8_size(name)] == '\0';
}

heed_tensor *heed_dict_get(const heed_dict *dict, const char *name)
{
    static const char where[] = "dict_get";
    if (!check_ask(where, dict, "name", name))
        return NULL;
    const item *it = find(&dict->tensors, name, hash_of(dict, name));
    if (!it)
        heed_fail(HEED_ERR_ARGUMENT, where, "there is no \"%.100s\" among %" PRId64 " tensors", name,
                  dict->tensors.count);
    return it ? it->tensor : NULL;
}

bool heed_dict_has(const heed_dict *dict, const char *name)
{
    return check_ask("dict_has", dict, "name", name) && find(&dict->tensors, name, hash_of(dict, name)) != NULL;
}

int64_t heed_dict_size(const heed_dict *dict)
{
    return check_dict("dict_size", dict) ? dict->tensors.count : 0;
}

const char *heed_dict_name(const heed_dict *dict, int64_t i)
{
    static const char where[] = "dict_name";
    const item *it = check_dict(where, dict) ? item_at(where, &dict->tensors, i) : NULL;
    return it ? it->name : NULL;
}

heed_tensor *heed_dict_at(const heed_dict *dict, int64_t i)
{
    static const char where[] = "dict_at";
    const item *it = check_dict(where, dict) ? item_at(where, &dict->tensors, i) : NULL;
    return it ? it->tensor : NULL;
}

heed_status heed_dict_set_text(heed_dict *dict, const char *key, const char *text)
{
    static const char where[] = "dict_set_text";
    HEED_ENTER(where);
    if (!check_set(where, dict, "key", key) || !check_text(where, "text", text))
        return HEED_ERR_ARGUMENT;
    size_t size = strlen(text) + 1;
    char *copy = copy_of(text, size);
    item *it = copy ? find_or_add(dict, &dict->texts, key) : NULL;
    if (!it) {
        heed_free(copy, size);
        return HEED_ERR_NOMEM;
    }
    heed_free(it->text, it->text_size);
    it->text = copy;
    it->text_size = size;
    return HEED_OK;
}

const char *heed_dict_text(const heed_dict *dict, const char *key)
{
    if (!check_ask("dict_text", dict, "key", key))
        return NULL;
    const item *it = find(&dict->texts, key, hash_of(dict, key));
    return it ? it->text : NULL;
}

int64_t heed_dict_text_count(const heed_dict *dict)
{
    return check_dict("dict_text_count", dict) ? dict->texts.count : 0;
}

const char *heed_dict_text_key(const heed_dict *dict, int64_t i)
{
    static const char where[] = "dict_text_key";
    const item *it = check_dict(where, dict) ? item_at(where, &dict->texts, i) : NULL;
    return it ? it->name : NULL;
}
