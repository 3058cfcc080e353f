/* core/array.c - growing arrays, and tables: arrays whose items are found by a hash.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

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

/* -- Tables -------------------------------------------------------------------------------------------------------- */

static char *table_item(const heed__table *table, size_t index)
{
    return (char *)table->items + index * table->item_size;
}

size_t heed__table_lookup(const heed__table *table, uint64_t hash, heed__table_match *matches, const void *key)
{
    size_t mask = table->n_slots - 1;
    for (size_t at = (size_t)hash & mask; table->n_slots > 0 && table->slots[at].item != 0; at = (at + 1) & mask) {
        const heed__table_slot *slot = &table->slots[at];
        if (slot->hash == hash && matches(table_item(table, slot->item - 1), key))
            return slot->item - 1;
    }
    return SIZE_MAX;
}

static void enter_slot(heed__table_slot *slots, size_t n, heed__table_slot entered)
{
    size_t at = (size_t)entered.hash & (n - 1);
    while (slots[at].item != 0)
        at = (at + 1) & (n - 1);
    slots[at] = entered;
}

static bool grow_table_slots(const char *where, heed__table *table)
{
    size_t n = table->n_slots ? 2 * table->n_slots : FIRST_CAPACITY;
    heed__table_slot *slots = heed__alloc(where, n * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0, n * sizeof *slots);
    for (size_t i = 0; i < table->n_slots; i++)
        if (table->slots[i].item != 0)
            enter_slot(slots, n, table->slots[i]);
    heed_free(table->slots, table->n_slots * sizeof *slots);
    table->slots = slots;
    table->n_slots = n;
    return true;
}

void *heed__table_append(const char *where, heed__table *table, uint64_t hash)
{
    if (2 * table->count >= table->n_slots && !grow_table_slots(where, table))
        return NULL;
    void *items = heed__array_reserve(where, table->items, &table->capacity, table->count, table->item_size);
    if (!items)
        return NULL;
    table->items = items;
    enter_slot(table->slots, table->n_slots, (heed__table_slot){hash, ++table->count});
    return memset(table_item(table, table->count - 1), 0, table->item_size);
}

void heed__table_free(heed__table *table)
{
    heed_free(table->items, table->capacity * table->item_size);
    heed_free(table->slots, table->n_slots * sizeof *table->slots);
}

/* -- Tables whose items begin with a pointer, their key ------------------------------------------------------------ */

static uint64_t hash_pointer(const void *key)
{
    return (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

static bool begins_with(const void *item, const void *key)
{
    return memcmp(item, &key, sizeof key) == 0;
}

size_t heed__table_find(const heed__table *table, const void *key)
{
    return heed__table_lookup(table, hash_pointer(key), begins_with, key);
}

size_t heed__table_add(const char *where, heed__table *table, const void *key)
{
    const size_t known = heed__table_find(table, key);
    void *item = known == SIZE_MAX ? heed__table_append(where, table, hash_pointer(key)) : NULL;
    if (!item)
        return known;
    memcpy(item, &key, sizeof key);
    return table->count - 1;
}
