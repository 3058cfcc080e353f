/* base/mark.h - the mark that distinguishes live objects from freed ones.
 *
 * Every object that a program holds by a pointer to an incomplete type has a field `uint64_t mark`:
 *
 *     made:     dict->mark = HEED_MARK(HEED_DICT, 0);
 *     checked:  heed__is_marked(dict->mark, HEED_DICT) || heed_fail_freed(where, "the dict", dict)
 *     freed:    dict->mark = 0; heed_free(dict, sizeof *dict);
 *
 * A freed block keeps its contents, except for its first bytes, until it is reused (heed/debug.h), so the check also
 * works after the free. A mark names the type: a block that was reused for something else fails the check, too.
 * Modules, whose structs programs extend, keep their mark in `serial`. Tensors have a separate kind of mark
 * (core/tensor.h).
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BASE_MARK_H
#define HEED_BASE_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum heed__marked {
    HEED_AVERAGE = 1,
    HEED_CATEGORIES,
    HEED_COMM,
    HEED_CSV,
    HEED_DATASET,
    HEED_DICT,
    HEED_GENERATOR,
    HEED_KV_CACHE,
    HEED_LOADER,
    HEED_MODULE,
    HEED_NP,
    HEED_ONNX,
    HEED_OPTIMIZER,
    HEED_PROGRESS,
    HEED_SCALER,
    HEED_SCHEDULE,
    HEED_SHARDS,
    HEED_TEAM,
    HEED_TENSORBOARD,
} heed__marked;

/* 16 bits common to all marks, 8 for the type, 40 for a number that the type may use. */
#define HEED_MARK_NUMBER_BITS 40
#define HEED_MARK(type, number) ((UINT64_C(0x6865) << 8 | (uint64_t)(type)) << HEED_MARK_NUMBER_BITS | (number))

static inline bool heed__is_marked(uint64_t mark, heed__marked type)
{
    return mark >> HEED_MARK_NUMBER_BITS == HEED_MARK(type, 0) >> HEED_MARK_NUMBER_BITS;
}

/* Stops the compilation if heed_free would overwrite the struct's mark: allocators link free blocks through the first
 * 16 bytes, and through the first 32 of a block above 1 KiB. */
#define HEED_MARK_OUTLIVES_FREE(structure)                                                                             \
    _Static_assert(offsetof(structure, mark) >= (sizeof(structure) > 1024 ? 32 : 16), "the mark of " #structure)

#endif
