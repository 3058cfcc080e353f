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

#include <heed/precision.h>
#include <heed/tensor.h>

HEED_BEGIN_DECLS

typedef struct heed_scope heed_scope;

/* Opens a scope. NULL with HEED_ERR_NOMEM; what is made then belongs to the enclosing scope. */
HEED_API HEED_NODISCARD heed_scope *heed_scope_begin(void);

/* Opens a scope in which nothing is recorded: heed_scope_end restores the mode. NULL with HEED_ERR_NOMEM; recording
 * goes on then.
 * torch: torch.no_grad */
HEED_API HEED_NODISCARD heed_scope *heed_no_grad_begin(void);

/* Closes `scope` and all opened after it: releases what they hold and restores the recording mode from before the
 * scope. HEED_ERR_ARGUMENT for NULL, HEED_ERR_STATE for a scope that is not open in this thread, and for a tensor of
 * the scope that was released without heed_retain: then the scope is closed all the same. A handle is dead after this:
 * a later scope may get the same address. */
HEED_API heed_status heed_scope_end(heed_scope *scope);

/* Closes `scope` as heed_scope_end does and hands `t` to the scope around it: returns t, NULL for NULL. NULL, too, with
 * what heed_scope_end fails with, and with HEED_ERR_STATE for a `t` that was freed: then the scope is closed all the
 * same. */
HEED_API heed_tensor *heed_scope_return(heed_scope *scope, heed_tensor *t);

/* Releases all that the library holds for the calling thread: every scope, the root scope's tensors, cached
 * memory. Runs by itself when a thread ends and when the process exits; call it before a leak check that
 * comes earlier. The library may be used again afterwards, and records. Destructors of thread-specific data may use it
 * too; one that runs in the thread's last round (PTHREAD_DESTRUCTOR_ITERATIONS) must close its own scopes, since
 * nothing runs after it. */
HEED_API void heed_thread_cleanup(void);

/* -- Calling functions of others ---------------------------------------------------------------------------------- *
 *
 * heed calls functions of yours: an op's rules, hooks, the function that is gradient-checked, the forward of a module.
 * None of them may release what its caller still uses: while it runs, closing a scope that was open before, or cleaning
 * up the thread, is HEED_ERR_STATE and names the function; and the recording mode is restored afterwards. A function
 * that leaves an error pending has failed, whatever it returns, and so has its caller.
 *
 * Functions that free are the exception, because whatever drops the last owner runs them. An error that the release
 * function of heed_from_buffer or a DLPack deleter leaves is forgotten, and debug mode gives a notice of it:
 * heed_scope_end, heed_backward or heed_dict_set did not fail. A function that frees what one call frees by name fails
 * that call: the on_free of a module fails heed_module_free, and the error of a dataset source's or a transport's free
 * is pending after heed_dataset_free or heed_comm_free.
 *
 * Modules that call functions of their users get the same from
 *
 *     heed_callback call = heed_callback_begin("the activation");
 *     heed_tensor *y = net->activation(x);
 *     if (!heed_callback_end(&call)) return NULL;
 */
typedef struct heed_callback {
    const char *name; /* all private: the state before the call */
    const heed_scope *floor;
    heed_status status;
    bool not_recording;
    heed_precision precision;
} heed_callback;

/* Begins the call of a function of somebody else's. `name`, which is not copied, is for messages. */
HEED_API HEED_NODISCARD heed_callback heed_callback_begin(const char *name);

/* Ends that call: the recording mode is what it was. False when an error has become pending since heed_callback_begin;
 * HEED_ERR_ARGUMENT for NULL. */
HEED_API HEED_NODISCARD bool heed_callback_end(const heed_callback *callback);

HEED_END_DECLS

#endif
