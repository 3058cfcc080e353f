/* heed/error.h - how functions report errors.
 *
 * A function that returns a pointer returns NULL on failure, and also if it is given a NULL tensor. A function that
 * returns heed_status returns HEED_OK or a code. A whole expression is therefore checked once, at its end:
 *
 *     heed_tensor *loss = heed_mean(heed_square(heed_sub(y_hat, y)));
 *     if (!loss) { fprintf(stderr, "%s\n", heed_error_message()); heed_error_clear(); return 1; }
 *
 * The first error of a thread stays pending until heed_error_clear(); later failures do not replace it, so the message
 * names the cause and not its consequences. A pending error does not make later calls fail. (Until then, a function
 * that fails usually returns the code of the first error.) Errors belong to the calling thread, use static storage and
 * never allocate. The library never exits or aborts, and prints only on request: progress lines to the file that the
 * program passes (heed/progress.h), notices to standard error if the environment has HEED_DEBUG (heed/debug.h), and
 * everything else to handlers that the program installs.
 *
 * A message is one line of valid UTF-8, whatever names, paths and fields it quotes. Control characters (C0, DEL, C1),
 * line and paragraph separators and marks of writing direction appear as "\n", "\r", "\t" or "\u001b", and invalid
 * UTF-8 bytes as "\xff". The reports of heed/inspect.h and heed/memory.h, heed_plot_text and progress lines escape
 * names in the same way.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_ERROR_H
#define HEED_ERROR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <heed/export.h>

HEED_BEGIN_DECLS

struct heed_module;
struct heed_tensor;

typedef enum heed_status {
    HEED_OK = 0,
    HEED_ERR_ARGUMENT,    /* a NULL pointer, an option or a number out of its range */
    HEED_ERR_SHAPE,       /* shapes, ranks or axes that do not fit together */
    HEED_ERR_DTYPE,       /* a dtype that the function does not accept, or mixed dtypes */
    HEED_ERR_INDEX,       /* an index outside its axis */
    HEED_ERR_NOMEM,       /* the allocator returned NULL */
    HEED_ERR_STATE,       /* the call does not fit the state: tensor or graph already freed, tensor changed in place */
    HEED_ERR_UNSUPPORTED, /* not available: no derivative of that order, no such layout */
    HEED_ERR_IO,          /* the operating system reported an error */
    HEED_ERR_FORMAT,      /* a file or text that does not follow its format */
} heed_status;

/* Size of the longest message, including its NUL. Longer messages are cut after a whole UTF-8 character. */
#define HEED_ERROR_MESSAGE_MAX 512

/* Returns the text of the pending error, or "" if no error is pending: "bmm: inner sizes 3 and 4 differ: (2, 5, 3) x
 * (2, 4, 6)".
 * The message begins with the name of the function that the program called, without heed_ (for heed_apply, with the
 * op's name). If a function called by that function failed, its name follows: "matmul: bmm: cannot allocate 4096
 * bytes". If the forward of a module in a tree failed, the path of the module stands between the two names
 * (heed/module.h). If the program records call sites (heed/site.h), the message begins with the line of the call:
 * "train.c:42: bmm: ...".
 * The pointer is valid until the thread ends, its text until the next error or clear. The call itself cannot fail. */
HEED_API const char *heed_error_message(void);

/* Returns the code of the pending error, or HEED_OK if no error is pending. The call itself cannot fail. */
HEED_API heed_status heed_error_code(void);

/* Clears the pending error and the function name set by HEED_ENTER, because a function that was left by longjmp could
 * not clear its name.
 * After a call in a hook or other callback, the next message begins with the name of the failing function instead of
 * the function that runs the callback. */
HEED_API void heed_error_clear(void);

/* Returns the name of a code, such as "HEED_ERR_SHAPE", or "unknown" for an unknown number. It cannot fail. */
HEED_API const char *heed_status_name(heed_status status);

/* -- Handlers ------------------------------------------------------------------------------------------------------ */

/* Called when an error becomes pending in this thread, after the error was stored. It is not called for later failures
 * while an error is pending. It may print, log, or end the process. It cannot clear the error. If it leaves by
 * longjmp or by a C++ exception, the error stays pending and the thread's handler is not called again. */
typedef void (*heed_error_handler)(heed_status status, const char *message, void *user);

/* An error handler for scripts: prints the message to stderr and ends the process with code 1.
 * Installing it also installs heed_print_notice. It is an inline function, so that the code that prints and exits
 * belongs to the program and not to the library. */
static inline void heed_exit_on_error(heed_status status, const char *message, void *user)
{
    (void)user;
    (void)fprintf(stderr, "heed: %s (%s)\n", message, heed_status_name(status));
    exit(1);
}

/* Installs the calling thread's error handler; NULL removes it. A new thread has no handler. */
HEED_API void heed_set_error_handler(heed_error_handler handler, void *user);

/* Called with every notice: a line of text, without the line end, about a probable mistake that is not an error. It is
 * called in the thread that causes the notice and, in debug mode (heed/debug.h), also at the end of the process, after
 * main has returned. It must not end debug mode. */
typedef void (*heed_notice_handler)(const char *message, void *user);

/* Installs the process's notice handler; NULL removes it.
 * Only debug mode gives several notices. Without it a single one exists, and it is given at most once per process: a
 * thread has run 1,000 backward passes without a scope and keeps the tensors of all of them (heed/scope.h). Without a
 * handler, notices go to standard error if the environment has HEED_DEBUG, and are discarded otherwise, so a program
 * that embeds heed receives them only on request. A script receives them as soon as it installs heed_exit_on_error. */
HEED_API void heed_set_notice_handler(heed_notice_handler handler, void *user);

/* A notice handler that prints to stderr.
 * It is an inline function, so that the code that prints belongs to the program and not to the library. */
static inline void heed_print_notice(const char *message, void *user)
{
    (void)user;
    (void)fprintf(stderr, "heed: %s\n", message);
}

/* Implements heed_set_error_handler in the program, because the library does not know the address of the program's
 * inline function heed_exit_on_error. */
static inline void heed_install_error_handler(heed_error_handler handler, void *user)
{
    heed_set_error_handler(handler, user);
    if (handler == heed_exit_on_error)
        heed_set_notice_handler(heed_print_notice, user);
}
#define heed_set_error_handler(handler, user) heed_install_error_handler(handler, user)

/* -- Expert calls: for authors of ops, modules and readers --------------------------------------------------------- */

/* Reports an error: stores `status` and "where: text" if no error is pending, and calls the handler.
 * All failures go through this function. It is for authors of ops, modules and readers. `where` is the name of the
 * function or op, without the heed_ prefix. HEED_OK as `status` stores nothing. The call itself cannot fail.
 *
 * Returns the code of the error pending after the call: `status`, or the code of an earlier error, which is possibly
 * the cause. */
HEED_API heed_status heed_fail(heed_status status, const char *where, const char *format, ...) HEED_PRINTF(3, 4);

/* Calls heed_fail and returns false, so that a check is one statement.
 *
 *     return heed_fail_false(HEED_ERR_SHAPE, "my_op", "x is %s: must have two axes", heed_shape_text(x->shape).s); */
HEED_API bool heed_fail_false(heed_status status, const char *where, const char *format, ...) HEED_PRINTF(3, 4);

/* Calls heed_fail and returns NULL, for functions that return pointers. The call itself cannot fail. */
HEED_API void *heed_fail_null(heed_status status, const char *where, const char *format, ...) HEED_PRINTF(3, 4);

/* Makes errors begin with the name of the current function until it returns, on any path.
 * Use it in functions that call other heed functions. Only the outermost function sets its name; the name of the
 * function that failed follows.
 *
 *     heed_tensor *my_layer_forward(my_layer *net, heed_tensor *x)
 *     {
 *         HEED_ENTER("my_layer_forward");
 *         return heed_linear(x, net->w, net->b);
 *     }
 *
 *     my_layer_forward: linear: x (2, 8) has 8 features, w (2, 9) takes 9
 *
 * The library's functions use it too. An error in a callback (a hook, a visitor, the function that heed_gradcheck
 * checks) therefore begins with their name: "backward: my_hook: text". `name` must remain valid until the program ends.
 * With compilers other than gcc and clang the macro does nothing, and the inner function's name comes first. */
#if defined(__GNUC__)
#define HEED_ENTER(name) heed_entry heed_entered __attribute__((cleanup(heed_leave), unused)) = heed_enter(name, NULL)
#else
#define HEED_ENTER(name) (void)(name)
#endif

/* The state that heed_enter returns. It is private, except for `result`: a module's forward may store its return value
 * there for observers (heed/observe.h). */
typedef struct heed_entry {
    const struct heed_module *outer;
    int64_t began;
    struct heed_tensor *result;
    bool named, in_module;
} heed_entry;

/* Makes errors begin with `name`, unless a name is already set, and makes `module` the module whose forward runs in
 * this thread, until heed_leave. Either may be NULL and then changes nothing. Used by HEED_ENTER, and by
 * HEED_ENTER_FORWARD of heed/module.h. */
HEED_API heed_entry heed_enter(const char *name, const struct heed_module *module);

/* Restores the name and the module that were set before heed_enter returned *entry. NULL is ignored. */
HEED_API void heed_leave(const heed_entry *entry);

HEED_END_DECLS

#endif
