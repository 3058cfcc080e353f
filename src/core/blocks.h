/* core/blocks.h - debug mode's table: what each block is, who asked for it, and what has become of it.
 *
 * Its memory comes from the system's source and is not counted as the program's. Everything here but the lock itself is
 * to be done under the lock, and nothing of it fails: a block that there was no memory to note is unknown.
 */
#ifndef HEED_CORE_BLOCKS_H
#define HEED_CORE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heed/module.h>

#include "core/memory.h"

/* Who asked for blocks: all that come from one line, by one way, in one module. */
typedef struct heed__block_origin {
    struct heed__block_origin *next; /* in its slot */
    const char *site, *call, *where,
        *module;          /* copies: the line, the program's call, its part that asked; "": unknown */
    size_t blocks, bytes; /* in use */
    size_t tally;         /* for whoever counts some of them */
} heed__block_origin;

typedef struct heed__block {
    const void *address;
    struct heed__block *next;    /* in its slot */
    struct heed__block *younger; /* in quarantine */
    heed__block_origin *origin;
    size_t bytes;
    uint64_t number; /* in the order of asking */
    heed__block_kind kind;
    bool freed;       /* in quarantine */
    bool gone;        /* the tensor is freed, whatever has become of its block; the next two are what it was */
    heed_dtype dtype; /* as are they of a tensor that is in quarantine */
    heed_shape shape;
    const char *released;      /* the line that freed it; NULL: unknown */
    bool scope_ended;          /* the scope that had it, */
    const char *begun, *ended; /* which began and ended there; NULL: unknown */
    const heed_module *holder; /* the module that has it */
    const char *name;          /* under that name; or who else has it; NULL: unknown */
} heed__block;

void heed__blocks_lock(void);
void heed__blocks_unlock(void);

/* NULL when it is not known. */
heed__block *heed__block_find(const void *address);

/* Notes a block that was just given out. */
void heed__block_add(const void *address, size_t bytes, heed__block_kind kind, const char *where);

/* Counts a block that is in use for that module from now on. */
void heed__block_belongs(heed__block *block, const char *module);

/* It is in use no longer; and it is forgotten. */
void heed__block_freed(heed__block *block);
void heed__block_remove(heed__block *block);

/* Forgets all blocks, none of which is in quarantine. */
void heed__blocks_forget(void);

/* The next known block, in no order, or origin; from NULL the first. NULL at the end. */
heed__block *heed__block_next(const heed__block *block);
heed__block_origin *heed__origin_next(const heed__block_origin *origin);

#endif
