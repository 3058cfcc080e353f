/* io/csv_names.c - finds columns by name: chains of columns whose names have the same hash. */

#include <string.h>

#include <heed/memory.h>

#include "io/csv.h"

static size_t slot_count(const heed_io_csv *csv)
{
    size_t count = 1;
    while (count < (size_t)csv->columns)
        count *= 2;
    return count;
}

/* FNV-1a. */
static size_t slot_of(const heed_io_csv *csv, const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 32) & (slot_count(csv) - 1);
}

bool heed__csv_index_names(heed_io_csv *csv)
{
    csv->chains = heed_calloc(slot_count(csv), sizeof *csv->chains);
    csv->links = csv->chains ? heed_alloc((size_t)csv->columns * sizeof *csv->links) : NULL;
    const char *name = csv->file.bytes;
    for (int i = 0; csv->links && i < csv->columns; i++, name = heed__csv_next(name, 1)) {
        int *chain = &csv->chains[slot_of(csv, name)];
        csv->links[i] = *chain;
        *chain = i + 1;
    }
    return csv->links != NULL;
}

int heed__csv_find(const heed_io_csv *csv, const char *name, int *column)
{
    int count = 0;
    for (int at = csv->chains[slot_of(csv, name)]; at > 0; at = csv->links[at - 1])
        if (strcmp(heed__csv_field(csv, -1, at - 1), name) == 0) {
            *column = at - 1;
            count++;
        }
    return count;
}

void heed__csv_free_names(heed_io_csv *csv)
{
    if (csv->chains)
        heed_free(csv->chains, slot_count(csv) * sizeof *csv->chains);
    if (csv->links)
        heed_free(csv->links, (size_t)csv->columns * sizeof *csv->links);
}
