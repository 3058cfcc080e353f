/* heed/debug.h - debug mode, which reports memory mistakes where they are made.
 *
 *     HEED_DEBUG=1 ./train
 *
 *     train.c:31: tanh: argument 1 was freed: f32 (8), made by add at train.c:24; its scope, begun at train.c:21, ended
 *     at train.c:27
 *
 * Using a tensor, module or any other object after it was freed, or freeing it twice, is reported as an error in every
 * build, as long as the memory has not been reused. Debug mode delays the reuse: freed blocks up to 64 MiB are kept in
 * a quarantine (of 256 MiB), filled with NaN, made inaccessible under valgrind and AddressSanitizer, and checked for
 * writes. Errors then say where the tensor was created, and where its scope ended; line numbers need HEED_SITES
 * (heed/site.h). Notices report problems that are not errors: a root scope that keeps growing, objects left when the
 * process ends. heed_memory_report (heed/memory.h) describes the blocks in use. Debug mode costs time and memory only
 * while it is on.
 *
 * The environment variable HEED_DEBUG is read once, when the library first allocates memory: a value other than "" and
 * "0" begins debug mode, and notices go to standard error unless the program installs a handler
 * (heed_set_notice_handler in heed/error.h).
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_DEBUG_H
#define HEED_DEBUG_H

#include <heed/module.h>

HEED_BEGIN_DECLS

/* Switches debug mode on or off in all threads, and returns whether it was on.
 * Debug mode does not know blocks that were allocated before it began. Switch it off only while no other thread uses
 * the library: the quarantine is freed and all records are deleted. */
HEED_API bool heed_set_debug(bool on);

/* -- Expert calls: for authors of types ---------------------------------------------------------------------------- */

/* Fails with HEED_ERR_STATE and "where: what was freed", and returns false; for authors of their own types.
 * Call it if a field shows that an object was freed. (A freed block does not change until it is reused, except for its
 * first 16 bytes, or 32 above 1 KiB.) In debug mode the message says where the block was allocated and freed. */
HEED_API bool heed_fail_freed(const char *where, const char *what, const void *block);

/* Records in debug mode that module m owns t under `name`; for code that stores tensors. heed_memory_report shows it.
 * If m is NULL, it records that an object described by `name`, such as "a dataset", owns t, unless a module does. A
 * NULL name ends m's record. m and name must outlive the record. Without debug mode, or for a NULL t, the call has no
 * effect. */
HEED_API void heed_debug_set_owner(const heed_tensor *t, const heed_module *m, const char *name);

HEED_END_DECLS

#endif
