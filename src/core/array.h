/* core/array.h - growing arrays, and tables: arrays whose items are found by a pointer. */
#ifndef HEED_CORE_ARRAY_H
#define HEED_CORE_ARRAY_H

#include <stddef.h>

/* Moves an array of *capacity elements of `size` bytes to a block with capacity for more than `count`. Returns NULL
 * after heed_fail and then leaves the array unchanged. */
void *heed__array_grow(const char *where, void *array, size_t *capacity, size_t count, size_t size);

static inline void *heed__array_reserve(const char *where, void *array, size_t *capacity, size_t count, size_t size)
{
    return count < *capacity ? array : heed__array_grow(where, array, capacity, count, size);
}

/* Empty if all fields except item_size are zero. */
typedef struct heed__table {
    void *items; /* in the order of insertion; every item begins with its key, a pointer */
    size_t item_size, count, capacity;
    size_t *slots; /* open addressing by address, at most half full: 0 for empty, else index + 1 */
    size_t n_slots;
} heed__table;

/* Returns the index of the item with that key, or SIZE_MAX if the table lacks it. */
size_t heed__table_find(const heed__table *table, const void *key);

/* Returns the index of the item with that key and adds it if it is new, with zeros after the key. SIZE_MAX after
 * heed_fail. */
size_t heed__table_add(const char *where, heed__table *table, const void *key);

void heed__table_free(heed__table *table);

#endif
