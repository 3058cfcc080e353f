/* inspect/pointers.c - a set of addresses with open addressing. */

#include "inspect/pointers.h"

#include <stdint.h>

#include <heed/memory.h>

/* Returns the slot that holds the address, or the free slot for it. */
static size_t slot_of(const heed__pointers *set, const void *pointer)
{
    const uint64_t mixed = (uint64_t)(uintptr_t)pointer * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(mixed >> 32) & (set->n_slots - 1);
    while (set->slots[at] && set->slots[at] != pointer)
        at = (at + 1) & (set->n_slots - 1);
    return at;
}

/* Keeps at least half of the slots free. */
static bool reserve(heed__pointers *set)
{
    if (2 * set->n < set->n_slots)
        return true;
    heed__pointers larger = {.n = set->n, .n_slots = set->n_slots ? 2 * set->n_slots : 64};
    larger.slots = heed_calloc(larger.n_slots, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < set->n_slots; i++)
        if (set->slots[i])
            larger.slots[slot_of(&larger, set->slots[i])] = set->slots[i];
    heed__pointers_free(set);
    *set = larger;
    return true;
}

bool heed__pointers_add(heed__pointers *set, const void *pointer)
{
    if (!reserve(set))
        return false;
    const size_t at = slot_of(set, pointer);
    if (set->slots[at])
        return false;
    set->slots[at] = pointer;
    set->n++;
    return true;
}

void heed__pointers_free(heed__pointers *set)
{
    heed_free(set->slots, set->n_slots * sizeof *set->slots);
    *set = (heed__pointers){.n = 0};
}
