/* core/blocks.c - debug mode's hash tables (blocks by address, origins by their texts) and descriptions of blocks.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/hash.h"
#include "core/memory.h"
#include "core/tensor.h"

#define FIRST_SLOTS ((size_t)1 << 12)
#define ORIGIN_SLOTS 1024

static heed__block **slots; /* n_slots slots, a power of two; NULL while the table is empty */
static size_t n_slots, n_blocks;
static uint64_t last_number;
static heed__block_origin *origins[ORIGIN_SLOTS];

/* Rounds up to a multiple of HEED_ALIGNMENT, as the system allocator requires. */
static size_t round_up(size_t size)
{
    return (size + HEED_ALIGNMENT - 1) / HEED_ALIGNMENT * HEED_ALIGNMENT;
}

static void *table_alloc(size_t size)
{
    return heed__system_alloc(round_up(size), HEED_ALIGNMENT, NULL);
}

static void table_free(void *block, size_t size)
{
    heed__system_free(block, round_up(size), NULL);
}

/* -- Origins ------------------------------------------------------------------------------------------------------ */

static size_t slot_of_origin(const char *const text[4])
{
    uint64_t hash = HEED_HASH_OF_NOTHING;
    for (int i = 0; i < 4; i++)
        hash = heed__hash(hash, text[i], strlen(text[i]) + 1); /* with their NULs */
    return heed__hash_slot(hash, ORIGIN_SLOTS);
}

static bool has_texts(const heed__block_origin *o, const char *const text[4])
{
    return strcmp(o->site, text[0]) == 0 && strcmp(o->call, text[1]) == 0 && strcmp(o->where, text[2]) == 0 &&
           strcmp(o->module, text[3]) == 0;
}

/* Stores copies of the texts after the struct, because the texts of ops and modules may be freed. */
static heed__block_origin *origin_new(const char *const text[4])
{
    size_t size = sizeof(heed__block_origin);
    for (int i = 0; i < 4; i++)
        size += strlen(text[i]) + 1;
    heed__block_origin *o = table_alloc(size);
    if (!o)
        return NULL;
    *o = (heed__block_origin){.blocks = 0};
    const char **copies[4] = {&o->site, &o->call, &o->where, &o->module};
    char *at = (char *)(o + 1);
    for (int i = 0; i < 4; i++) {
        size_t length = strlen(text[i]) + 1;
        *copies[i] = memcpy(at, text[i], length);
        at += length;
    }
    return o;
}

static heed__block_origin *origin_of(const char *const text[4])
{
    heed__block_origin **slot = &origins[slot_of_origin(text)], *o = *slot;
    while (o && !has_texts(o, text))
        o = o->next;
    if (!o && (o = origin_new(text))) {
        o->next = *slot;
        *slot = o;
    }
    return o;
}

/* Returns the origin of a block that this thread allocates now. */
static heed__block_origin *origin_here(const char *where)
{
    const heed__thread_state *self = heed__thread();
    const char *call = heed__entered();
    char module[HEED_MODULE_PATH_MAX];
    heed__module_path(self->module, module, sizeof module);
    const char *const text[4] = {self->site ? self->site : "", call ? call : "", where, module};
    return origin_of(text);
}

heed__block_origin *heed__origin_next(const heed__block_origin *origin)
{
    size_t slot = 0;
    if (origin && origin->next)
        return origin->next;
    if (origin) {
        const char *const text[4] = {origin->site, origin->call, origin->where, origin->module};
        slot = slot_of_origin(text) + 1;
    }
    while (slot < ORIGIN_SLOTS && !origins[slot])
        slot++;
    return slot < ORIGIN_SLOTS ? origins[slot] : NULL;
}

/* -- Blocks ------------------------------------------------------------------------------------------------------- */

static size_t block_slot(const void *address)
{
    return (size_t)(((uint64_t)(uintptr_t)address >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (n_slots - 1);
}

static void link_block(heed__block *block)
{
    heed__block **slot = &slots[block_slot(block->address)];
    block->next = *slot;
    *slot = block;
}

/* Grows the table. Without memory for it, the chains get longer instead. Returns false only if there is still no
 * table. */
static bool reserve_slots(void)
{
    if (n_blocks < n_slots)
        return true;
    const size_t old_n = n_slots, n = old_n ? 2 * old_n : FIRST_SLOTS;
    heed__block **old = slots, **larger = table_alloc(n * sizeof *larger);
    if (!larger)
        return slots != NULL;
    memset(larger, 0, n * sizeof *larger);
    slots = larger;
    n_slots = n;
    for (size_t i = 0; i < old_n; i++) {
        for (heed__block *block = old[i], *next; block; block = next) {
            next = block->next;
            link_block(block);
        }
    }
    if (old)
        table_free(old, old_n * sizeof *old);
    return true;
}

heed__block *heed__block_find(const void *address)
{
    heed__block *block = slots ? slots[block_slot(address)] : NULL;
    while (block && block->address != address)
        block = block->next;
    return block;
}

void heed__block_add(const void *address, size_t bytes, heed__block_kind kind, const char *where)
{
    heed__block_origin *origin = origin_here(where);
    heed__block *block = origin && reserve_slots() ? table_alloc(sizeof *block) : NULL;
    if (!block)
        return;
    *block = (heed__block){.address = address, .origin = origin, .bytes = bytes, .number = ++last_number, .kind = kind};
    link_block(block);
    n_blocks++;
    origin->blocks++;
    origin->bytes += bytes;
}

void heed__block_set_module(heed__block *block, const char *module)
{
    heed__block_origin *old = block->origin;
    const char *const text[4] = {old->site, old->call, old->where, module};
    heed__block_origin *origin = origin_of(text);
    if (!origin)
        return;
    old->blocks--;
    old->bytes -= block->bytes;
    origin->blocks++;
    origin->bytes += block->bytes;
    block->origin = origin;
}

void heed__block_mark_freed(heed__block *block)
{
    block->freed = true;
    block->origin->blocks--;
    block->origin->bytes -= block->bytes;
}

static void free_entry(heed__block *block)
{
    if (!block->freed)
        heed__block_mark_freed(block);
    n_blocks--;
    table_free(block, sizeof *block);
}

void heed__block_remove(heed__block *block)
{
    heed__block **at = &slots[block_slot(block->address)];
    while (*at != block)
        at = &(*at)->next;
    *at = block->next;
    free_entry(block);
}

void heed__blocks_clear(void)
{
    for (size_t i = 0; i < n_slots; i++) {
        for (heed__block *block = slots[i], *next; block; block = next) {
            next = block->next;
            free_entry(block);
        }
    }
    if (slots)
        table_free(slots, n_slots * sizeof *slots);
    slots = NULL;
    n_slots = 0;
    for (size_t i = 0; i < ORIGIN_SLOTS; i++) {
        for (heed__block_origin *o = origins[i], *next; o; o = next) {
            next = o->next;
            table_free(o, sizeof *o + strlen(o->site) + strlen(o->call) + strlen(o->where) + strlen(o->module) + 4);
        }
        origins[i] = NULL;
    }
}

heed__block *heed__block_next(const heed__block *block)
{
    if (block && block->next)
        return block->next;
    size_t slot = block ? block_slot(block->address) + 1 : 0;
    while (slot < n_slots && !slots[slot])
        slot++;
    return slot < n_slots ? slots[slot] : NULL;
}

/* -- Descriptions ------------------------------------------------------------------------------------------------- */

void heed__append(heed__string_builder *builder, const char *format, ...)
{
    char added[HEED_DESCRIPTION_MAX];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(added, sizeof added, format, args);
    va_end(args);
    if (length <= 0)
        return;
    (void)heed__escape_copy(added, strlen(added), builder->text + builder->used, builder->size - builder->used);
    builder->used += strlen(builder->text + builder->used);
}

void heed__append_bytes(heed__string_builder *builder, size_t bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double amount = (double)bytes / 1e3;
    int unit = 0;
    for (; amount >= 999.95 && unit < 3; unit++)
        amount /= 1e3;
    if (bytes < 1000)
        heed__append(builder, "%zu bytes", bytes);
    else
        heed__append(builder, "%.1f %s", amount, units[unit]);
}

void heed__append_functions(heed__string_builder *builder, const heed__block_origin *origin)
{
    const char *call = origin->call, *where = origin->where;
    bool plain = strcmp(where, "alloc") == 0 || strcmp(where, "calloc") == 0;
    if (!*call)
        heed__append(builder, "%s", *where ? where : "unknown");
    else if (plain || strcmp(call, where) == 0)
        heed__append(builder, "%s", call);
    else
        heed__append(builder, "%s: %s", call, where);
}

/* Appends "f32 (8)" for a tensor, the size for other blocks. */
static void append_kind(heed__string_builder *builder, const heed__block *block)
{
    if (block->kind == HEED_BLOCK_TENSOR) {
        const heed_tensor *t = block->address;
        heed_dtype dtype = block->tensor_freed ? block->dtype : t->dtype;
        heed_shape shape = block->tensor_freed ? block->shape : t->shape;
        heed__append(builder, "%s %s", heed_dtype_name(dtype), heed_shape_text(shape).s);
    } else {
        heed__append(builder, "%s of ", block->kind == HEED_BLOCK_NODE ? "a node" : "a block");
        heed__append_bytes(builder, block->bytes);
    }
}

/* Appends the end of a block's history: the scope that ended, and the line that freed it. */
static void append_end(heed__string_builder *builder, const heed__block *block)
{
    if (!block->tensor_freed && !block->freed)
        return;
    if (block->scope_ended) {
        heed__append(builder, "; its scope");
        if (block->begun)
            heed__append(builder, ", begun at %s,", block->begun);
        heed__append(builder, " ended");
        if (block->ended)
            heed__append(builder, " at %s", block->ended);
    }
    if (block->scope_ended && (!block->released || (block->ended && strcmp(block->released, block->ended) == 0)))
        return;
    heed__append(builder, "; freed");
    if (block->released)
        heed__append(builder, " at %s", block->released);
}

void heed__describe_block(const heed__block *block, char *text, size_t size)
{
    heed__string_builder builder = {.text = text, .size = size};
    const heed__block_origin *origin = block->origin;
    append_kind(&builder, block);
    if (*origin->where) {
        heed__append(&builder, ", made by ");
        heed__append_functions(&builder, origin);
    }
    if (*origin->site)
        heed__append(&builder, " at %s", origin->site);
    if (*origin->module)
        heed__append(&builder, " in %s", origin->module);
    append_end(&builder, block);
}
