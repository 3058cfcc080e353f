/* core/array.h - arrays that grow, and tables: arrays whose items are found by a pointer. */
#ifndef HEED_CORE_ARRAY_H
#define HEED_CORE_ARRAY_H

#include <stddef.h>

/* Moves an array of *capacity elements of `size` bytes to where there is room for more than `count`. NULL after
 * heed_fail: then the array is as it was. */
void *heed__array_grow(const char *where, void *array, size_t *capacity, size_t count, size_t size);

static inline void *heed__array_reserve(const char *where, void *array, size_t *capacity, size_t count, size_t size)
{
    return count < *capacity ? array : heed__array_grow(where, array, capacity, count, size);
}

/* Zero but for item_size: empty. */
typedef struct heed__table {
    void *items; /* in the order they were added; each begins with the pointer that it is found by */
    size_t item_size, count, capacity;
    size_t *slots; /* by address, open addressing, at most half full: 0 is empty, else index + 1 */
    size_t n_slots;
} heed__table;

/* Index of the item with that pointer; SIZE_MAX when there is none. */
size_t heed__table_find(const heed__table *table, const void *key);

/* The same, added if it is new: zeros behind the pointer. SIZE_MAX after heed_fail. */
size_t heed__table_add(const char *where, heed__table *table, const void *key);

void heed__table_free(heed__table *table);

#endif
