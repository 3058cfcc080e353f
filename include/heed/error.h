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
 * message names the cause and not its consequences. (A status returned meanwhile may be the code of the first error.)
 * Everything here belongs to the calling thread, uses static storage and never allocates. The library itself never
 * prints, exits or aborts.
 */
#ifndef HEED_ERROR_H
#define HEED_ERROR_H

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
    HEED_ERR_STATE,       /* the call does not fit the state: graph already freed, tensor changed in place */
    HEED_ERR_UNSUPPORTED, /* not available: no derivative of that order, no such layout */
    HEED_ERR_IO,          /* the operating system refused */
    HEED_ERR_FORMAT,      /* a file or text that does not follow its format */
} heed_status;

/* Longest message, its final NUL included; longer ones are cut. */
#define HEED_ERROR_MESSAGE_MAX 512

/* The code of the pending error, HEED_OK when there is none. */
HEED_API heed_status heed_error_code(void);

/* The text of the pending error: "bmm: inner sizes 3 and 4 differ: (2, 5, 3) x (2, 4, 6)"; "" when there
 * is none. The pointer is valid until the thread ends; its text until the next error or clear. */
HEED_API const char *heed_error_message(void);

/* Forgets the pending error. */
HEED_API void heed_error_clear(void);

/* The name of a code, "HEED_ERR_SHAPE"; "unknown" for a number that is no code. */
HEED_API const char *heed_status_name(heed_status status);

/* Called when an error becomes pending in this thread, after it was stored; not for the failures that
 * follow while it is pending. It may print, log, or end the process; it must not longjmp, and it cannot clear
 * the error. */
typedef void (*heed_error_handler)(heed_status status, const char *message, void *user);

/* Installs the calling thread's handler; NULL removes it. */
HEED_API void heed_set_error_handler(heed_error_handler handler, void *user);

/* The door every failure passes: stores `status` and "where: text" if nothing is pending, calls the
 * handler, returns `status`. For authors of ops, modules and readers; set a breakpoint here.
 * `where` is the name of the function or op, without the heed_ prefix. */
HEED_API heed_status heed_fail(heed_status status, const char *where, const char *format, ...) HEED_PRINTF(3, 4);

/* A handler for scripts: prints the message on stderr and ends the process with code 1.
 * It is inline so that printing and exiting belong to the program that asks for them. */
static inline void heed_exit_on_error(heed_status status, const char *message, void *user)
{
    (void)user;
    (void)fprintf(stderr, "heed: %s (%s)\n", message, heed_status_name(status));
    exit(1);
}

HEED_END_DECLS

#endif
