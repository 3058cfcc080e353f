/* heed/debug.h - debug mode: mistakes that a program gets away with at first, found where they are made.
 *
 *     HEED_DEBUG=1 ./train
 *
 *     train.c:31: tanh: argument 1 was freed: f32 (8), made by add at train.c:24; its scope, begun at train.c:21, ended
 *     at train.c:27
 *
 * In every build the use of a tensor, module or any other object after it was freed, and freeing it a second time, is
 * an error, as long as its memory has not been used again. In debug mode it has not: freed blocks up to 64 MiB are kept
 * aside for a while (256 MiB of them), filled with NaN, forbidden under valgrind and AddressSanitizer, and checked for
 * what was written to them. Errors then say where the tensor was made, and where its scope ended; lines are known with
 * HEED_SITES (heed/site.h). Notices tell what is no error: a root scope that keeps growing, what is left when the
 * process ends. heed_memory_report (heed/memory.h) says what each block is. All of it takes time and memory, and
 * nothing while it is off.
 *
 * The environment variable HEED_DEBUG is read once, when the library first asks for memory: anything but "" and "0"
 * begins debug mode, and notices go to standard error unless the program has a handler for them.
 */
#ifndef HEED_DEBUG_H
#define HEED_DEBUG_H

#include <heed/module.h>

HEED_BEGIN_DECLS

/* Begins or ends debug mode in all threads, and returns whether it was on. Of blocks that are in use already nothing is
 * known when it begins. End it while no other thread uses the library: what was kept aside is freed, and all that was
 * noted is forgotten. */
HEED_API bool heed_set_debug(bool on);

/* Whether debug mode is on. */
HEED_API bool heed_debug_enabled(void);

/* Called with each notice, a line without its end, in the thread that gives rise to it; at the end of the process, too,
 * when main has returned. It must not end debug mode. */
typedef void (*heed_notice_handler)(const char *message, void *user);

/* Installs the process's handler of notices; NULL removes it: then they go to standard error if HEED_DEBUG has begun
 * debug mode, and nowhere if the program has. */
HEED_API void heed_set_notice_handler(heed_notice_handler handler, void *user);

/* A handler for scripts that begin debug mode themselves: prints the notice on stderr. It is inline so that printing
 * belongs to the program that asks for it. */
static inline void heed_print_notice(const char *message, void *user)
{
    (void)user;
    (void)fprintf(stderr, "heed: %s\n", message);
}

/* For authors of types of their own, whose functions find that an object was freed, by a field that its freeing has
 * changed (a freed block stays as it is until it is used again, except for its first 16 bytes, or 32 above 1 KiB):
 * fails with HEED_ERR_STATE and "where: what was freed", and in debug mode says who made the block and where it was
 * freed. Returns false. */
HEED_API bool heed_fail_freed(const char *where, const char *what, const void *block);

/* For what stores tensors: notes, in debug mode, that module m has t under that name, or with a NULL m, that something
 * called `name` has it, unless a module does: "a dataset". heed_memory_report says so. Both must live as long as the
 * note; a NULL name ends m's. Without debug mode, or for a NULL t, it does nothing. */
HEED_API void heed_debug_hold(const heed_tensor *t, const heed_module *m, const char *name);

HEED_END_DECLS

#endif
