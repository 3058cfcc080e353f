/* core/memory.h - blocks, growing arrays, and tables: arrays whose items are found by a hash.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_MEMORY_H
#define HEED_CORE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <heed/memory.h>

/* Under AddressSanitizer freed blocks are not cached, because reuse would hide uses after free. */
#if defined(__SANITIZE_ADDRESS__)
#define HEED_KEEP_BLOCKS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEED_KEEP_BLOCKS 0
#endif
#endif
#ifndef HEED_KEEP_BLOCKS
#define HEED_KEEP_BLOCKS 1
#endif

/* Like heed_alloc, but errors name `where`. One function per kind of block. */
void *heed__alloc(const char *where, size_t size);
void *heed__alloc_tensor(const char *where, size_t size);
void *heed__alloc_node(const char *where, size_t size);

/* Returns the calling thread's cached blocks to the system. */
void heed__memory_trim(void);

/* Turns the caching of freed blocks on or off in all threads. Debug mode turns it off to see every block. */
void heed__memory_set_caching(bool on);

/* Sets the function to call when a thread that used the library ends and when the process exits. */
void heed__at_thread_end(void (*cleanup)(void));

/* -- core/allocator.c ---------------------------------------------------------------------------------------------- */

/* The current allocator: the program's or the default one. */
void *heed__allocator_alloc(size_t bytes);
void heed__allocator_free(void *block, size_t bytes);

/* The default allocator. */
void *heed__system_alloc(size_t size, size_t alignment, void *user);
void heed__system_free(void *block, size_t size, void *user);

/* Makes every later block a separate allocation of the C library, which memory debuggers can tell apart. Must precede
 * the first allocation. */
void heed__system_without_slabs(void);

/* Lock and unlock the default allocator around a fork, so that the child finds it in a consistent state. */
void heed__system_lock(void);
void heed__system_unlock(void);

/* -- Arrays and tables: core/array.c ------------------------------------------------------------------------------- */

/* Moves an array of *capacity elements of `size` bytes to a block with capacity for more than `count`. Returns NULL
 * after heed_fail and then leaves the array unchanged. */
void *heed__array_grow(const char *where, void *array, size_t *capacity, size_t count, size_t size);

static inline void *heed__array_reserve(const char *where, void *array, size_t *capacity, size_t count, size_t size)
{
    return count < *capacity ? array : heed__array_grow(where, array, capacity, count, size);
}

typedef struct heed__table_slot {
    uint64_t hash;
    size_t item; /* its index + 1; 0 for an empty slot */
} heed__table_slot;

/* Empty if all fields except item_size are zero. */
typedef struct heed__table {
    void *items; /* in the order of insertion */
    size_t item_size, count, capacity;
    heed__table_slot *slots; /* open addressing, at most half full */
    size_t n_slots;
} heed__table;

/* Returns the index of the item with that hash that matches the key, or SIZE_MAX if the table lacks it. */
typedef bool heed__table_match(const void *item, const void *key);
size_t heed__table_lookup(const heed__table *table, uint64_t hash, heed__table_match *matches, const void *key);

/* Adds an item of zeros, which the caller fills in. Returns NULL after heed_fail. */
void *heed__table_append(const char *where, heed__table *table, uint64_t hash);

/* For a table whose items begin with a pointer, their key. heed__table_find returns the index of the item with that
 * key, or SIZE_MAX if the table lacks it. heed__table_add adds the item if it is new, with zeros after the key, and
 * returns its index; SIZE_MAX after heed_fail. */
size_t heed__table_find(const heed__table *table, const void *key);
size_t heed__table_add(const char *where, heed__table *table, const void *key);

void heed__table_free(heed__table *table);

#endif
