/* core/debug.h - debug mode's table of blocks: the type, origin and history of every block.
 *
 * The table's memory comes from the system allocator and does not count as the program's. All functions below except
 * heed__quarantine_shrink require the lock of core/instrumentation.h. No function fails: without memory to record a
 * block, the block remains unknown.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_DEBUG_H
#define HEED_CORE_DEBUG_H

#include <heed/module.h>

#include "core/instrumentation.h"

/* Groups all blocks allocated by one line, through one call, in one module. */
typedef struct heed__block_origin {
    struct heed__block_origin *next; /* in the same slot */
    const char *site, *call, *where,
        *module;          /* copies: source line, program's call, allocating function, module; "" if unknown */
    size_t blocks, bytes; /* in use */
    size_t weight;        /* of this origin in a report, in bytes or in tensors */
    struct {
        size_t weight, blocks; /* of all origins of a group, in the first of them; 0 in the others */
    } group;
} heed__block_origin;

typedef struct heed__block {
    const void *address;
    struct heed__block *next;    /* in the same slot */
    struct heed__block *younger; /* the next younger block in quarantine */
    heed__block_origin *origin;
    size_t bytes;
    uint64_t number; /* number of the allocation, in order */
    heed__block_kind kind;
    bool freed;        /* and in quarantine */
    bool tensor_freed; /* the tensor has been freed, though perhaps not its block */
    heed_dtype dtype;  /* dtype and shape of the freed tensor: copies, because quarantine overwrites the tensor */
    heed_shape shape;
    const char *released;      /* the line that freed it; NULL if unknown */
    bool scope_ended;          /* the scope that held it has ended */
    const char *begun, *ended; /* lines where that scope began and ended; NULL if unknown */
    const heed_module *owner;  /* the module that owns it */
    const char *name;          /* its name in that module, or a description of a different owner; NULL if unknown */
} heed__block;

/* Returns NULL if the block is unknown. */
heed__block *heed__block_find(const void *address);

/* Records a newly allocated block. */
void heed__block_add(const void *address, size_t bytes, heed__block_kind kind, const char *where);

/* Moves a block in use to the origin of that module. */
void heed__block_set_module(heed__block *block, const char *module);

/* heed__block_mark_freed marks a block as no longer in use; heed__block_remove deletes its entry. */
void heed__block_mark_freed(heed__block *block);
void heed__block_remove(heed__block *block);

/* Clears the table, which must hold no block in quarantine. */
void heed__blocks_clear(void);

/* Return the next block or origin in unspecified order; the first for NULL, and NULL after the last. */
heed__block *heed__block_next(const heed__block *block);
heed__block_origin *heed__origin_next(const heed__block_origin *origin);

/* -- The quarantine of freed blocks: core/debug.c ------------------------------------------------------------------ */

/* Frees the oldest blocks until all together have at most `bytes`. A block that was written to after it was freed
 * causes an error, or a notice if an error is pending or `by_notice` is set. */
void heed__quarantine_shrink(size_t bytes, bool by_notice);

/* Returns the bytes in quarantine. */
size_t heed__quarantine_bytes(void);

/* -- Descriptions of blocks ---------------------------------------------------------------------------------------- */

/* A string builder on a buffer of fixed size. It truncates text that does not fit. */
typedef struct heed__string_builder {
    char *text;
    size_t size, used;
} heed__string_builder;

void heed__append(heed__string_builder *builder, const char *format, ...) HEED_PRINTF(2, 3);

/* Appends "12.3 MB". */
void heed__append_bytes(heed__string_builder *builder, size_t bytes);

/* Appends the functions that allocated: "nn_linear_forward: linear". */
void heed__append_functions(heed__string_builder *builder, const heed__block_origin *origin);

/* Writes the whole description: "f32 (8), made by add at train.c:24 in net.3; its scope, begun at train.c:21, ended at
 * train.c:27". */
void heed__describe_block(const heed__block *block, char *text, size_t size);

/* -- Reports on many blocks: core/debug_reports.c ------------------------------------------------------------------ */

/* The debugger's hooks of these names; they take the lock. */
void heed__report_growing_root(heed_tensor *const *tensors, size_t n);
void heed__report_at_exit(void);

/* Allows the next report on a growing root scope. */
void heed__reset_growing_root(void);

#endif
