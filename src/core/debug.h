/* core/debug.h - debug mode's interface to the rest of the core. Functions named heed__debug_ are called only in debug
 * mode. */
#ifndef HEED_CORE_DEBUG_H
#define HEED_CORE_DEBUG_H

#include "core/memory.h"
#include "core/tensor.h"

/* Begins debug mode if HEED_DEBUG asks for it. Only the first call has an effect; it must precede the first
 * allocation. */
void heed__debug_first_use(void);

/* -- Blocks: core/debug.c and core/quarantine.c -------------------------------------------------------------------- */

/* Records a newly allocated block. */
void heed__debug_allocated(void *block, size_t bytes, heed__block_kind kind, const char *where);

/* Returns whether the block may be freed; false after heed_fail. */
bool heed__debug_may_free(void *block, size_t bytes);

/* Quarantines a freed block. Its memory returns to the allocator when newer freed blocks push it out. */
void heed__debug_quarantine(void *block, size_t bytes);

/* Empties the quarantine. May be called in every mode. */
void heed__debug_empty_quarantine(void);

/* Records that a tensor is freed while its block stays allocated for the elements. */
void heed__debug_tensor_freed(heed_tensor *t);

/* Empties the quarantine and reports all blocks still in use. */
void heed__debug_at_exit(void);

/* -- Scopes -------------------------------------------------------------------------------------------------------- */

/* Records that the scope begun at that line ends while it holds these tensors. */
void heed__debug_scope_ends(heed_tensor *const *tensors, size_t n, const char *begun);

/* Reports once if the root scope holds many tensors, and where most of them come from. */
void heed__debug_root_grows(heed_tensor *const *tensors, size_t n);
void heed__debug_reset_growth(void); /* allows the next report */

/* Fails because the scope that ends holds a freed tensor. May be called in every mode. */
void heed__fail_borrowed(const heed_tensor *t);

/* -- Notices ------------------------------------------------------------------------------------------------------- */

void heed__notice(const char *format, ...) HEED_PRINTF(1, 2);

#endif
