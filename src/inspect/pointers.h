/* inspect/pointers.h - a set of addresses. */
#ifndef HEED_INSPECT_POINTERS_H
#define HEED_INSPECT_POINTERS_H

#include <stdbool.h>
#include <stddef.h>

/* All zeros represent the empty set. */
typedef struct heed__pointers {
    const void **slots; /* n_slots slots, a power of 2; NULL for a free slot */
    size_t n, n_slots;
} heed__pointers;

/* Adds an address other than NULL. Returns true if it is new, false if it is known or after heed_fail. */
bool heed__pointers_add(heed__pointers *set, const void *pointer);

void heed__pointers_free(heed__pointers *set);

#endif
