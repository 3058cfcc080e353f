/* core/array.c - see core/array.h. */

#include "core/array.h"

#include <stdint.h>
#include <string.h>

#include "core/memory.h"

#define FIRST_CAPACITY 64

void *heed__array_grow(const char *where, void *array, size_t *capacity, size_t count, size_t size)
{
    size_t larger = *capacity ? 2 * *capacity : FIRST_CAPACITY;
    void *moved = heed__alloc(where, larger * size);
    if (!moved)
        return NULL;
    if (count > 0)
        memcpy(moved, array, count * size);
    heed_free(array, *capacity * size);
    *capacity = larger;
    return moved;
}

static char *table_item(const heed__table *table, size_t index)
{
    return (char *)table->items + index * table->item_size;
}

static const void *key_of(const heed__table *table, size_t index)
{
    const void *key;
    memcpy(&key, table_item(table, index), sizeof key);
    return key;
}

/* Returns the slot that holds the key, or the empty slot where it belongs. */
static size_t *table_slot(const heed__table *table, const void *key)
{
    size_t at = (size_t)(((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u) >> 20) & (table->n_slots - 1);
    while (table->slots[at] != 0 && key_of(table, table->slots[at] - 1) != key)
        at = (at + 1) & (table->n_slots - 1);
    return &table->slots[at];
}

static bool grow_slots(const char *where, heed__table *table)
{
    size_t n = table->n_slots ? 2 * table->n_slots : FIRST_CAPACITY;
    size_t *slots = heed__alloc(where, n * sizeof *slots);
    if (!slots)
        return false;
    heed_free(table->slots, table->n_slots * sizeof *slots);
    memset(slots, 0, n * sizeof *slots);
    table->slots = slots;
    table->n_slots = n;
    for (size_t i = 0; i < table->count; i++)
        *table_slot(table, key_of(table, i)) = i + 1;
    return true;
}

size_t heed__table_find(const heed__table *table, const void *key)
{
    return table->n_slots ? *table_slot(table, key) - 1 : SIZE_MAX;
}

size_t heed__table_add(const char *where, heed__table *table, const void *key)
{
    if (2 * table->count >= table->n_slots && !grow_slots(where, table))
        return SIZE_MAX;
    size_t *slot = table_slot(table, key);
    if (*slot != 0)
        return *slot - 1;
    void *items = heed__array_reserve(where, table->items, &table->capacity, table->count, table->item_size);
    if (!items)
        return SIZE_MAX;
    table->items = items;
    char *item = table_item(table, table->count);
    memset(item, 0, table->item_size);
    memcpy(item, &key, sizeof key);
    *slot = ++table->count;
    return table->count - 1;
}

void heed__table_free(heed__table *table)
{
    heed_free(table->items, table->capacity * table->item_size);
    heed_free(table->slots, table->n_slots * sizeof *table->slots);
}
