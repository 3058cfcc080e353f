/* core/debug.h - debug mode, as the rest of the core sees it. What is named heed__debug_ is called in debug mode
 * only. */
#ifndef HEED_CORE_DEBUG_H
#define HEED_CORE_DEBUG_H

#include "core/memory.h"
#include "core/tensor.h"

/* Begins debug mode if the environment says so, the first time: before memory is asked for. */
void heed__debug_first_use(void);

/* -- Blocks: core/debug.c and core/quarantine.c -------------------------------------------------------------------- */

/* A block was given out. */
void heed__debug_allocated(void *block, size_t bytes, heed__block_kind kind, const char *where);

/* Whether the block may be freed; false after heed_fail. */
bool heed__debug_may_free(void *block, size_t bytes);

/* Takes a freed block: it goes back to its source when others have taken its place. */
void heed__debug_keep(void *block, size_t bytes);

/* Gives back all that was kept; in every mode. */
void heed__debug_let_go(void);

/* A tensor is freed whose block stays for its elements. */
void heed__debug_tensor_gone(heed_tensor *t);

/* What is left is told, and everything given back. */
void heed__debug_at_exit(void);

/* -- Scopes -------------------------------------------------------------------------------------------------------- */

/* A scope that was begun at that line ends, and these are the tensors that it holds. */
void heed__debug_scope_ends(heed_tensor *const *tensors, size_t n, const char *begun);

/* The root scope holds these: if they are many, says so once, and where most of them come from. */
void heed__debug_root_grows(heed_tensor *const *tensors, size_t n);
void heed__debug_forget_growth(void); /* it may be said again */

/* Fails because a scope that ends holds a tensor that was freed; in every mode. */
void heed__fail_borrowed(const heed_tensor *t);

/* -- Notices ------------------------------------------------------------------------------------------------------- */

void heed__notice(const char *format, ...) HEED_PRINTF(1, 2);

#endif
