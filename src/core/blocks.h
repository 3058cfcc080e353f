/* core/blocks.h - debug mode's table of blocks: the type, origin and history of every block.
 *
 * The table's memory comes from the system allocator and does not count as the program's. Every function below except
 * the lock functions must be called under the lock. No function fails: without memory to record a block, the block
 * remains unknown. */
#ifndef HEED_CORE_BLOCKS_H
#define HEED_CORE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heed/module.h>

#include "core/memory.h"

/* Groups all blocks allocated by one line, through one call, in one module. */
typedef struct heed__block_origin {
    struct heed__block_origin *next; /* in the same slot */
    const char *site, *call, *where,
        *module;          /* copies: source line, program's call, allocating function, module; "" if unknown */
    size_t blocks, bytes; /* in use */
    size_t tally;         /* scratch counter for reports */
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
    bool tensor_freed; /* the tensor is freed, whether or not its block is; dtype and shape are then valid */
    heed_dtype dtype;  /* also valid for a tensor in quarantine */
    heed_shape shape;
    const char *released;      /* the line that freed it; NULL if unknown */
    bool scope_ended;          /* the scope that held it has ended */
    const char *begun, *ended; /* lines where that scope began and ended; NULL if unknown */
    const heed_module *owner;  /* the module that owns it */
    const char *name;          /* its name in that module, or a description of a different owner; NULL if unknown */
} heed__block;

void heed__blocks_lock(void);
void heed__blocks_unlock(void);

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

#endif
