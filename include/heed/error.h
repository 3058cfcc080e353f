/* heed/error.h - how failures travel.
 *
 * A function that returns a pointer returns NULL on failure and, given a NULL tensor, returns NULL
 * itself. A function that returns heed_status returns HEED_OK or a code. So a whole expression is
 * checked once, at its end:
 *
 *     heed_tensor *loss = heed_mean(heed_square(heed_sub(y_hat, y)));
 *     if (!loss) { fprintf(stderr, "%s\n", heed_error_message()); heed_error_clear(); return 1; }
 *
 * The first error of a thread stays until heed_error_clear(); later failures do not replace it, so the
 * message names the cause and not its consequences. (A status returned meanwhile is mostly the code of the first
 * error.) Everything here belongs to the calling thread, uses static storage and never allocates. The library itself
 * never exits or aborts, and prints nothing by itself: a progress line goes to the file that the program gives
 * (heed/progress.h), notices to standard error if the environment has HEED_DEBUG (heed/debug.h), and all else to
 * handlers that the program installs.
 *
 * A message is one line of valid UTF-8, whatever names, paths and fields it quotes. Control characters (C0, DEL, C1),
 * line and paragraph separators and marks of writing direction appear as "\n", "\r", "\t" or "\u001b", and bytes that
 * are not UTF-8 as "\xff". The reports of heed/inspect.h and heed/memory.h, heed_plot_text and progress lines escape
 * names alike.
 */
#ifndef HEED_ERROR_H
#define HEED_ERROR_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <heed/export.h>

HEED_BEGIN_DECLS

typedef enum heed_status {
    HEED_OK = 0,
    HEED_ERR_ARGUMENT,    /* a NULL pointer, an option or a number out of its range */
    HEED_ERR_SHAPE,       /* shapes, ranks or axes that do not go together */
    HEED_ERR_DTYPE,       /* a dtype the function does not take, or a mix of them */
    HEED_ERR_INDEX,       /* an index outside its axis */
    HEED_ERR_NOMEM,       /* the allocator returned NULL */
    HEED_ERR_STATE,       /* the call does not fit the state: tensor or graph already freed, tensor changed in place */
    HEED_ERR_UNSUPPORTED, /* not available: no derivative of that order, no such layout */
    HEED_ERR_IO,          /* the operating system refused */
    HEED_ERR_FORMAT,      /* a file or text that does not follow its format */
} heed_status;

/* Longest message, its final NUL included; longer ones are cut, after a whole UTF-8 character. */
#define HEED_ERROR_MESSAGE_MAX 512

/* The code of the pending error, HEED_OK when there is none. */
HEED_API heed_status heed_error_code(void);

/* The text of the pending error: "bmm: inner sizes 3 and 4 differ: (2, 5, 3) x (2, 4, 6)"; "" when there
 * is none. It begins with the name of the function that the program called, without heed_ (of heed_apply, with the
 * op's). Where a part of that function failed, its name follows: "matmul: bmm: cannot allocate 4096 bytes"; between
 * the two stands the path of the module of a tree whose forward failed (heed/module.h). Before all stands the line of
 * the call, where the program has it noted (heed/site.h): "train.c:42: bmm: ...".
 * The pointer is valid until the thread ends; its text until the next error or clear. */
HEED_API const char *heed_error_message(void);

/* Forgets the pending error, and the name that HEED_ENTER gave, so that a function left by longjmp leaves none behind;
 * called from a hook or the like, it makes the name of what fails next come first. */
HEED_API void heed_error_clear(void);

/* The name of a code, "HEED_ERR_SHAPE"; "unknown" for a number that is not a code. */
HEED_API const char *heed_status_name(heed_status status);

/* Called when an error becomes pending in this thread, after it was stored; not for the failures that
 * follow while it is pending. It may print, log, or end the process; it must not longjmp, and it cannot clear
 * the error. */
typedef void (*heed_error_handler)(heed_status status, const char *message, void *user);

/* Installs the calling thread's handler; NULL removes it. */
HEED_API void heed_set_error_handler(heed_error_handler handler, void *user);

/* The door every failure goes through: stores `status` and "where: text" if nothing is pending, and calls the handler.
 * For authors of ops, modules and readers; `where` is the name of the function or op, without the heed_ prefix. Returns
 * the code of the error that is pending then: `status`, or that of one before, which may be the cause. HEED_OK as
 * `status` stores nothing. */
HEED_API heed_status heed_fail(heed_status status, const char *where, const char *format, ...) HEED_PRINTF(3, 4);

/* heed_fail that returns false, so that a check is one statement: `return heed_fail_false(HEED_ERR_SHAPE, "my_op",
 * "...");` */
HEED_API bool heed_fail_false(heed_status status, const char *where, const char *format, ...) HEED_PRINTF(3, 4);

/* heed_fail that returns NULL. */
HEED_API void *heed_fail_null(heed_status status, const char *where, const char *format, ...) HEED_PRINTF(3, 4);

/* For functions made of others: until the function returns, on any path, errors of this thread begin with its name.
 * Only the outermost such function gives its name, and only once: a part's name follows it.
 *
 *     heed_tensor *my_layer_forward(my_layer *net, heed_tensor *x)
 *     {
 *         HEED_ENTER("my_layer_forward");
 *         return heed_linear(x, net->w, net->b);
 *     }
 *
 *     my_layer_forward: linear: x (2, 8) has 8 features, w (2, 9) takes 9
 *
 * The library's functions do so too. What they call of yours (a hook, a visitor, the function that heed_gradcheck
 * checks) fails inside them: "backward: my_hook: text". `name` must live as long as the program. With compilers
 * other than gcc and clang it does nothing, and a part's name comes first. */
#if defined(__GNUC__)
#define HEED_ENTER(name)                                                                                               \
    const bool heed_entered __attribute__((cleanup(heed_error_leave), unused)) = heed_error_enter(name)
#else
#define HEED_ENTER(name) (void)(name)
#endif

/* What HEED_ENTER begins with: takes the name and returns true, if there is none yet. */
HEED_API bool heed_error_enter(const char *name);

/* What HEED_ENTER ends with: forgets the name, if *entered. NULL is ignored. */
HEED_API void heed_error_leave(const bool *entered);

/* Called with a hint: a sentence about a mistake that is not an error. There is one, at most once in a process: a
 * thread has run 1,000 backward passes without a scope, and keeps the tensors of all of them (heed/scope.h). */
typedef void (*heed_hint_handler)(const char *hint, void *user);

/* Installs the process's handler of hints; NULL removes it. Without one there are no hints: a program that embeds heed
 * hears nothing unless it asks. A script has one as soon as it installs heed_exit_on_error. */
HEED_API void heed_set_hint_handler(heed_hint_handler handler, void *user);

/* A handler of hints that prints them on stderr. */
static inline void heed_print_hint(const char *hint, void *user)
{
    (void)user;
    (void)fprintf(stderr, "heed: hint: %s\n", hint);
}

/* A handler of errors for scripts: prints the message on stderr and ends the process with code 1. Installing it also
 * has hints printed (heed_print_hint). It is inline so that printing and exiting belong to the program that asks for
 * them. */
static inline void heed_exit_on_error(heed_status status, const char *message, void *user)
{
    (void)user;
    (void)fprintf(stderr, "heed: %s (%s)\n", message, heed_status_name(status));
    exit(1);
}

/* What heed_set_error_handler is in a program: only there heed_exit_on_error can be told from other functions. */
static inline void heed_install_error_handler(heed_error_handler handler, void *user)
{
    heed_set_error_handler(handler, user);
    if (handler == heed_exit_on_error)
        heed_set_hint_handler(heed_print_hint, user);
}
#define heed_set_error_handler(handler, user) heed_install_error_handler(handler, user)

HEED_END_DECLS

#endif
