/* heed/scope.h - scopes own the tensors that functions return.
 *
 *     for (int epoch = 0; epoch < n; epoch++) {
 *         heed_scope *step = heed_scope_begin();
 *         ...                                  tensors created here
 *         heed_scope_end(step);                are released here
 *     }
 *
 * Scopes belong to a thread and nest. A root scope always exists; its tensors are released when the thread ends or by
 * heed_thread_cleanup(). heed_scope_end(s) closes s and every scope opened after it, so an early return can delay a
 * release but never leaks a tensor.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_SCOPE_H
#define HEED_SCOPE_H

#include <heed/precision.h>
#include <heed/tensor.h>

HEED_BEGIN_DECLS

typedef struct heed_scope heed_scope;

/* Opens a scope.
 * Errors: NULL with HEED_ERR_NOMEM; tensors created afterwards then belong to the enclosing scope. */
HEED_API HEED_NODISCARD heed_scope *heed_scope_begin(void);

/* Opens a scope in which ops are not recorded; heed_scope_end restores the mode.
 * Errors: NULL with HEED_ERR_NOMEM; recording then continues.
 * torch: torch.no_grad */
HEED_API HEED_NODISCARD heed_scope *heed_no_grad_begin(void);

/* Closes `scope` and all scopes opened after it, releases their tensors, and restores the recording mode that was set
 * before the scope.
 * The handle must not be used afterwards: a later scope may get the same address.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE for a scope not open in this thread. HEED_ERR_STATE also
 * if a tensor of the scope was released without heed_retain; the scope is closed nevertheless. */
HEED_API heed_status heed_scope_end(heed_scope *scope);

/* Closes `scope` as heed_scope_end does and moves `t` to the enclosing scope.
 *
 * Returns t, or NULL for NULL and on failure.
 * Errors: as heed_scope_end, and HEED_ERR_STATE if t was freed already; the scope is closed nevertheless. */
HEED_API heed_tensor *heed_scope_return(heed_scope *scope, heed_tensor *t);

/* Releases all resources that the library holds for the calling thread: every scope, the tensors of the root scope,
 * cached memory.
 * It runs automatically when a thread ends and when the process exits. Call it yourself only before a leak check that
 * runs earlier. The library may be used again afterwards; recording is then on. Destructors of thread-specific data may
 * use the library too; a destructor that runs in the thread's last round (PTHREAD_DESTRUCTOR_ITERATIONS) must close its
 * own scopes, because no cleanup runs after it. */
HEED_API void heed_thread_cleanup(void);

/* -- Callbacks ----------------------------------------------------------------------------------------------------- *
 *
 * heed calls functions of your program: an op's functions, hooks, the function that is gradient-checked, the forward of
 * a module. A callback must not release tensors that its caller still uses. If it closes a scope that was open before
 * the callback began, or calls heed_thread_cleanup, that call fails with HEED_ERR_STATE and the message names the
 * callback. The recording mode is restored after the callback. A callback that leaves an error pending has failed,
 * whatever it returns, and so has its caller.
 *
 * Callbacks that free memory are an exception, because any call that drops the last owner of a tensor may run them. If
 * the release function of heed_from_buffer or a DLPack deleter leaves an error, the error is discarded, with a notice
 * in debug mode: the function that ran it, such as heed_scope_end or heed_backward, has not failed. If a call frees one
 * particular object, an error of its callback is reported: heed_module_free fails if the module's on_free does, and
 * after heed_dataset_free or heed_comm_free the error of the `free` of the dataset source or transport is pending.
 *
 * Modules that call functions of their users protect these calls in the same way with
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

/* Begins a call of a user's function. `name` is used in messages and is not copied. */
HEED_API HEED_NODISCARD heed_callback heed_callback_begin(const char *name);

/* Ends that call and restores the recording mode.
 *
 * Returns false if an error has become pending since heed_callback_begin.
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API HEED_NODISCARD bool heed_callback_end(const heed_callback *callback);

HEED_END_DECLS

#endif
