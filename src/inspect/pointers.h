/* inspect/pointers.h - a set of addresses. */
#ifndef HEED_INSPECT_POINTERS_H
#define HEED_INSPECT_POINTERS_H

#include <stdbool.h>
#include <stddef.h>

/* All zeros is the empty set. */
typedef struct heed__pointers {
    const void **slots; /* a power of 2 of them; NULL: free */
    size_t n, n_slots;
} heed__pointers;

/* Adds an address that is not NULL; whether it is new. False after heed_fail, too. */
bool heed__pointers_add(heed__pointers *set, const void *pointer);

void heed__pointers_free(heed__pointers *set);

#endif
