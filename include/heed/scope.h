/* heed/scope.h - scopes own what functions return.
 *
 *     for (int epoch = 0; epoch < n; epoch++) {
 *         heed_scope *step = heed_scope_begin();
 *         ...                                  every tensor made here
 *         heed_scope_end(step);                goes here
 *     }
 *
 * Scopes belong to a thread and nest. A root scope always exists; what it holds goes when the thread ends,
 * or with heed_thread_cleanup(). heed_scope_end(s) closes s and every scope opened after it, so an early
 * return delays a release and never leaks one.
 */
#ifndef HEED_SCOPE_H
#define HEED_SCOPE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

typedef struct heed_scope heed_scope;

/* Opens a scope. NULL with HEED_ERR_NOMEM; what is made then belongs to the scope around. */
HEED_API heed_scope *heed_scope_begin(void);

/* Opens a scope in which nothing is recorded. */
HEED_API heed_scope *heed_no_grad_begin(void);

/* Closes `scope` and all opened after it: releases what they hold and restores the recording mode from before
 * the scope. HEED_ERR_ARGUMENT for NULL, HEED_ERR_STATE for a scope that is not open in this thread. A handle is dead
 * after this: a later scope may get the same address. */
HEED_API heed_status heed_scope_end(heed_scope *scope);

/* Closes `scope` as heed_scope_end does and hands `t` to the scope around it: returns t, NULL for NULL. */
HEED_API heed_tensor *heed_scope_return(heed_scope *scope, heed_tensor *t);

/* Releases all that the library holds for the calling thread: every scope, the root scope's tensors, cached
 * memory. Runs by itself when a thread ends and when the process exits; call it to have leak checks clean
 * earlier. The library may be used again afterwards, and records. */
HEED_API void heed_thread_cleanup(void);

HEED_END_DECLS

#endif
