/* data/categories.c - maps texts to codes: positions in the sorted list of distinct texts.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heed/data.h>
#include <heed/debug.h>
#include <heed/memory.h>

#include "base/mark.h"
#include "data/key.h"

#define MIN_NEW 16 /* minimum number of new texts to collect before sorting */

/* `names` and its texts are in a separate block, because it may be large. The system unmaps a large block when it is
 * freed, so a mark in such a block could not be read after the free. */
struct heed_categories {
    size_t size; /* bytes of the block of `names`, including the texts */
    int64_t count;
    const char **names; /* sorted by strcmp, without duplicates; the texts follow the last pointer */
    uint64_t mark;
};

HEED_MARK_OUTLIVES_FREE(heed_categories);

static bool check_categories(const char *where, const heed_categories *c)
{
    if (!c)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the categories are NULL");
    if (!heed__is_marked(c->mark, HEED_CATEGORIES))
        return heed_fail_freed(where, "the categories", c);
    return true;
}

/* -- Sorting ------------------------------------------------------------------------------------------------------- */

/* Returns the position of a text in a sorted list, or -1. */
static int64_t find_text(const char *const *list, int64_t n, const char *text)
{
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int order = strcmp(list[middle], text);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* Merges the sorted spans [a, b) and [b, end) of `from` into [a, end) of `to`. */
static void merge_spans(const char *const *from, int64_t a, int64_t b, int64_t end, const char **to)
{
    int64_t left = a, right = b;
    for (int64_t i = a; i < end; i++) {
        bool takes_left = right == end || (left < b && strcmp(from[left], from[right]) <= 0);
        to[i] = from[takes_left ? left++ : right++];
    }
}

static int64_t minimum(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Sorts n texts by bottom-up merge sort, O(n log n) in the worst case. Every pass merges from one of the two lists into
 * the other. Returns the list that holds the result. */
static const char **sort_texts(const char **list, const char **other, int64_t n)
{
    for (int64_t run = 1; run < n; run *= 2) {
        for (int64_t a = 0; a < n; a += 2 * run)
            merge_spans(list, a, minimum(a + run, n), minimum(a + 2 * run, n), other);
        const char **sorted = other;
        other = list;
        list = sorted;
    }
    return list;
}

/* -- Creating and freeing ------------------------------------------------------------------------------------------ */

/* Removes duplicates from a sorted list in place. Returns the new length. */
static int64_t remove_duplicates(const char **list, int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || strcmp(list[i], list[count - 1]) != 0)
            list[count++] = list[i];
    return count;
}

/* Writes the distinct texts, sorted, to `list` and returns their number. Both lists have capacity for n texts. A text
 * that is already known is only looked up. New texts are collected until there are MIN_NEW more new texts than known
 * ones; then the new texts are sorted and merged with the known ones. */
static int64_t collect_distinct(const char *const *texts, int64_t n, const char **list, const char **other)
{
    int64_t n_known = 0, n_new = 0;
    for (int64_t i = 0; i < n; i++) {
        if (find_text(list, n_known, texts[i]) < 0)
            list[n_known + n_new++] = texts[i];
        if (n_new < MIN_NEW + n_known && i + 1 < n)
            continue;
        const char **sorted = sort_texts(list + n_known, other, n_new);
        if (sorted == other)
            memcpy(list + n_known, other, (size_t)n_new * sizeof *list);
        merge_spans(list, 0, n_known, n_known + n_new, other);
        memcpy(list, other, (size_t)(n_known + n_new) * sizeof *list);
        n_known = remove_duplicates(list, n_known + n_new);
        n_new = 0;
    }
    return n_known;
}

/* Makes categories from a sorted list without duplicates, whose texts it copies. Returns NULL after heed_fail. */
static heed_categories *copy_texts(const char *const *list, int64_t count)
{
    size_t size = (size_t)count * sizeof *list, texts = size;
    for (int64_t i = 0; i < count; i++)
        size += strlen(list[i]) + 1;
    heed_categories *c = heed_alloc(sizeof *c);
    const char **names = c ? heed_alloc(size) : NULL;
    if (!names) {
        heed_free(c, sizeof *c);
        return NULL;
    }
    *c = (heed_categories){size, count, names, HEED_MARK(HEED_CATEGORIES, 0)};
    char *out = (char *)names + texts;
    for (int64_t i = 0; i < count; i++) {
        size_t length = strlen(list[i]) + 1;
        c->names[i] = memcpy(out, list[i], length);
        out += length;
    }
    return c;
}

heed_categories *heed_categories_new(const char *const *texts, int64_t n)
{
    static const char where[] = "categories_new";
    HEED_ENTER(where);
    if (n < 0 || (!texts && n > 0))
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "n is %" PRId64 "%s", n,
                              texts ? ": must be 0 or more" : ", but texts is NULL");
    for (int64_t i = 0; i < n; i++)
        if (!texts[i])
            return heed_fail_null(HEED_ERR_ARGUMENT, where, "text %" PRId64 " is NULL", i);
    if (n == 0)
        return copy_texts(NULL, 0);
    size_t size = 2 * (size_t)n * sizeof *texts;
    const char **lists = heed_alloc(size);
    if (!lists)
        return NULL;
    int64_t count = collect_distinct(texts, n, lists, lists + n);
    heed_categories *c = copy_texts(lists, count);
    heed_free(lists, size);
    return c;
}

void heed_categories_free(heed_categories *c)
{
    if (!c || !check_categories("categories_free", c))
        return;
    heed_free(c->names, c->size);
    c->mark = 0;
    heed_free(c, sizeof *c);
}

/* -- Lookups ------------------------------------------------------------------------------------------------------- */

int64_t heed_categories_count(const heed_categories *c)
{
    return check_categories("categories_count", c) ? c->count : 0;
}

const char *heed_categories_name(const heed_categories *c, int64_t code)
{
    static const char where[] = "categories_name";
    if (!check_categories(where, c))
        return NULL;
    if (code < 0 || code >= c->count)
        return heed_fail_null(HEED_ERR_INDEX, where,
                              "code %" PRId64 " is out of range: there are %" PRId64 " categories", code, c->count);
    return c->names[code];
}

int64_t heed_categories_find(const heed_categories *c, const char *text)
{
    static const char where[] = "categories_find";
    if (!check_categories(where, c))
        return -1;
    if (!text) {
        heed_fail(HEED_ERR_ARGUMENT, where, "the text is NULL");
        return -1;
    }
    return find_text(c->names, c->count, text);
}

/* -- In a dict ----------------------------------------------------------------------------------------------------- */

static const char *code_key(heed__key *key, int64_t i)
{
    char part[24];
    (void)snprintf(part, sizeof part, "%" PRId64, i);
    return heed__key_of(key, part);
}

heed_status heed_categories_save(const heed_categories *c, heed_dict *dict, const char *name)
{
    static const char where[] = "categories_save";
    HEED_ENTER(where);
    heed__key key;
    char count[24];
    if (!check_categories(where, c) || !heed__key_new(&key, where, name))
        return heed_error_code();
    (void)snprintf(count, sizeof count, "%" PRId64, c->count);
    heed_status status = heed_dict_set_text(dict, heed__key_of(&key, "count"), count);
    for (int64_t i = 0; i < c->count && status == HEED_OK; i++)
        status = heed_dict_set_text(dict, code_key(&key, i), c->names[i]);
    heed__key_free(&key);
    return status;
}

/* Parses a count in the format of heed_categories_save. Returns -1 for any other text and for a count above `most`. */
static int64_t parse_category_count(const char *text, int64_t most)
{
    int64_t count = 0;
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9' || count > most)
            return -1;
        count = 10 * count + (*c - '0');
    }
    return *text && count <= most ? count : -1;
}

/* Points list[i] to the dict's text for code i. Returns false after heed_fail if a text is missing or out of order. */
static bool read_texts(const heed_dict *dict, const char *where, heed__key *key, const char **list, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        list[i] = heed_dict_text(dict, code_key(key, i));
        if (!list[i])
            return heed_fail_false(HEED_ERR_FORMAT, where, "the dict has no text \"%.80s\"", key->text);
        if (i > 0 && strcmp(list[i - 1], list[i]) >= 0)
            return heed_fail_false(
                HEED_ERR_FORMAT, where,
                "text \"%.80s\" is not greater than the text before it: categories must be sorted and distinct",
                key->text);
    }
    return true;
}

static heed_categories *load_categories(const heed_dict *dict, const char *where, heed__key *key)
{
    const char *text = heed_dict_text(dict, heed__key_of(key, "count"));
    if (!text)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the dict has no text \"%.80s\"", key->text);
    int64_t count = parse_category_count(text, heed_dict_text_count(dict));
    if (count < 0)
        return heed_fail_null(HEED_ERR_FORMAT, where, "text \"%.80s\" is \"%.40s\": must be the number of categories",
                              key->text, text);
    size_t size = (size_t)(count + 1) * sizeof(const char *);
    const char **list = heed_alloc(size);
    if (!list)
        return NULL;
    heed_categories *c = read_texts(dict, where, key, list, count) ? copy_texts(list, count) : NULL;
    heed_free(list, size);
    return c;
}

heed_categories *heed_categories_load(const heed_dict *dict, const char *name)
{
    static const char where[] = "categories_load";
    HEED_ENTER(where);
    heed__key key;
    if (!dict)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the dict is NULL");
    if (!heed__key_new(&key, where, name))
        return NULL;
    heed_categories *c = load_categories(dict, where, &key);
    heed__key_free(&key);
    return c;
}
