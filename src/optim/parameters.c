/* optim/parameters.c - lists of parameters without duplicates.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "optim/parameters.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/memory.h>

/* Returns the slot that holds t, or the free slot where it belongs. The shift drops bits that are always 0: blocks are
 * at least 64 bytes apart. */
static size_t find_parameter_slot(heed_tensor *const *table, size_t slots, const heed_tensor *t)
{
    uint64_t hash = ((uint64_t)(uintptr_t)t >> 6) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 32) & (slots - 1);
    while (table[at] && table[at] != t)
        at = (at + 1) & (slots - 1);
    return at;
}

bool heed__parameters_contain(const heed__parameter_list *list, const heed_tensor *t)
{
    return list->n > 0 && list->table[find_parameter_slot(list->table, list->slots, t)];
}

void heed__parameters_push(heed__parameter_list *list, heed_tensor *t)
{
    list->items[list->n++] = t;
    list->table[find_parameter_slot(list->table, list->slots, t)] = t;
}

void heed__parameters_free(heed__parameter_list *list)
{
    heed_free(list->items, (size_t)list->capacity * sizeof *list->items);
    heed_free(list->table, list->slots * sizeof *list->table);
    *list = (heed__parameter_list){0};
}

/* If the capacity is too small, at least doubles the number of parameters, so that adding parameters one at a time
 * takes linear time in total. */
bool heed__parameters_reserve(heed__parameter_list *list, const char *where, int64_t more)
{
    if (more <= list->capacity - list->n)
        return true;
    if (more > INT_MAX / 2 - list->n)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%" PRId64 " more parameters: must be at most %d in all", more,
                               INT_MAX / 2);
    int needed = list->n + (int)more;
    heed__parameter_list larger = {.capacity = needed > 2 * list->n ? needed : 2 * list->n, .slots = 8};
    while (larger.slots < 2 * (size_t)larger.capacity)
        larger.slots *= 2;
    larger.items = heed_calloc((size_t)larger.capacity, sizeof *larger.items);
    larger.table = heed_calloc(larger.slots, sizeof *larger.table);
    if (!larger.items || !larger.table) {
        heed__parameters_free(&larger);
        return false;
    }
    for (int i = 0; i < list->n; i++)
        heed__parameters_push(&larger, list->items[i]);
    heed__parameters_free(list);
    *list = larger;
    return true;
}

static heed_status add_parameter_once(const heed_module_visit *visit, void *list)
{
    if (!visit->is_buffer && !heed__parameters_contain(list, visit->tensor))
        heed__parameters_push(list, visit->tensor);
    return HEED_OK;
}

static heed_status add_trained_once(const heed_module_visit *visit, void *list)
{
    return heed_requires_grad(visit->tensor) ? add_parameter_once(visit, list) : HEED_OK;
}

heed_status heed__parameters_of_module(heed__parameter_list *list, const char *where, heed_module *module, bool trained)
{
    if (!module)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the module is NULL");
    if (!heed__parameters_reserve(list, where, heed_module_parameter_count(module)))
        return heed_error_code();
    return heed_module_walk(module, trained ? add_trained_once : add_parameter_once, list);
}
