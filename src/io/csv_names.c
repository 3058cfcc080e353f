/* io/csv_names.c - finds columns by name with a chained hash table, and lists names for messages. */

#include <stdio.h>
#include <string.h>

#include <heed/memory.h>

#include "io/csv.h"
#include "io/ranges.h"

static size_t slot_count(const heed_io_csv *csv)
{
    size_t count = 1;
    while (count < (size_t)csv->columns)
        count *= 2;
    return count;
}

/* Returns the slot of a name in the hash table, by the FNV-1a hash. */
static size_t slot_of(const heed_io_csv *csv, const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 32) & (slot_count(csv) - 1);
}

bool heed__csv_index_names(heed_io_csv *csv, const char *where)
{
    const size_t size = slot_count(csv) * sizeof *csv->chains;
    csv->chains = heed__csv_alloc(csv, where, size);
    csv->links = csv->chains ? heed__csv_alloc(csv, where, (size_t)csv->columns * sizeof *csv->links) : NULL;
    if (csv->chains)
        memset(csv->chains, 0, size);
    const char *name = csv->file.bytes;
    for (int i = 0; csv->links && i < csv->columns; i++, name = heed__csv_next(name, 1)) {
        int *chain = &csv->chains[slot_of(csv, name)];
        csv->links[i] = *chain;
        *chain = i + 1;
    }
    return csv->links != NULL;
}

void heed__csv_free_names(heed_io_csv *csv)
{
    if (csv->chains)
        heed_free(csv->chains, slot_count(csv) * sizeof *csv->chains);
    if (csv->links)
        heed_free(csv->links, (size_t)csv->columns * sizeof *csv->links);
}

/* -- One column ---------------------------------------------------------------------------------------------------- */

/* Writes "a", "b", "c" ..., truncated to the buffer. */
static void list_names(const heed_io_csv *csv, char *text, size_t size)
{
    const char *name = csv->file.bytes;
    size_t used = 0;
    for (int i = 0; i < csv->columns && used < size; i++) {
        int n = snprintf(text + used, size - used, "%s\"%s\"", i ? ", " : "", heed__excerpt(name, strlen(name)).s);
        used += n > 0 ? (size_t)n : 0;
        name = heed__csv_next(name, 1);
    }
    if (used >= size)
        memcpy(text + size - sizeof "...", "...", sizeof "...");
}

static int fail_name(const heed_io_csv *csv, const char *where, const char *name, int count)
{
    char names[200];
    heed__excerpt_text requested = heed__excerpt(name, strlen(name));
    list_names(csv, names, sizeof names);
    if (count > 0)
        heed_fail(HEED_ERR_ARGUMENT, where, "%s has %d columns named \"%s\"; its columns are %s", csv->source.s, count,
                  requested.s, names);
    else
        heed_fail(HEED_ERR_ARGUMENT, where, "%s has no column named \"%s\"; its %s %s%s", csv->source.s, requested.s,
                  csv->columns > 1 ? "columns are" : "only column is", names, heed__csv_separator_hint(csv).s);
    return -1;
}

int heed__csv_find(const heed_io_csv *csv, const char *where, const char *name)
{
    int count = 0, column = -1;
    for (int at = csv->chains[slot_of(csv, name)]; at > 0; at = csv->links[at - 1])
        if (strcmp(heed__csv_field(csv, -1, at - 1), name) == 0) {
            column = at - 1;
            count++;
        }
    return count == 1 ? column : fail_name(csv, where, name, count);
}

/* -- Several columns ----------------------------------------------------------------------------------------------- */

/* Writes the column of names[i] to ranges[i].begin, and i to ranges[i].end. */
static bool find_all(const heed_io_csv *csv, const char *where, const char *const *names, heed__range *ranges, int k)
{
    for (int i = 0; i < k; i++) {
        if (!names[i])
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "name %d is NULL", i);
        int column = heed__csv_find(csv, where, names[i]);
        if (column < 0)
            return false;
        ranges[i] = (heed__range){.begin = (size_t)column, .end = (size_t)i};
    }
    return true;
}

static bool select_names(const heed_io_csv *csv, const char *where, const char *const *names,
                         heed__csv_selection *selection)
{
    size_t count = (size_t)selection->count;
    heed__range *ranges = heed_alloc(count * sizeof *ranges);
    bool found = ranges && find_all(csv, where, names, ranges, selection->count);
    if (found)
        heed__sort_ranges(ranges, count);
    for (size_t i = 0; found && i < count; i++)
        selection->list[i] = (heed__csv_selected){.column = (int)ranges[i].begin, .index = (int)ranges[i].end};
    if (ranges)
        heed_free(ranges, count * sizeof *ranges);
    return found;
}

bool heed__csv_select(const heed_io_csv *csv, const char *where, const char *const *names, int k,
                      heed__csv_selection *selection)
{
    if (names ? k < 1 : k != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "k is %d%s", k,
                               names ? ": must be 1 or more" : ", but names is NULL: must be 0");
    *selection = (heed__csv_selection){.count = names ? k : csv->columns};
    selection->list = heed_alloc((size_t)selection->count * sizeof *selection->list);
    if (!selection->list)
        return false;
    for (int i = 0; !names && i < selection->count; i++)
        selection->list[i] = (heed__csv_selected){i, i};
    if (!names || select_names(csv, where, names, selection))
        return true;
    heed__csv_selection_free(selection);
    return false;
}

void heed__csv_selection_free(heed__csv_selection *selection)
{
    if (selection->list)
        heed_free(selection->list, (size_t)selection->count * sizeof *selection->list);
    *selection = (heed__csv_selection){.list = NULL};
}
