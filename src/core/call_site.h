/* core/call_site.h - the program's line that called the library, and the module whose forward is running. */
#ifndef HEED_CORE_CALL_SITE_H
#define HEED_CORE_CALL_SITE_H

#include <stddef.h>

#include <heed/module.h>

/* Returns the name of the outermost active function that used HEED_ENTER, or NULL. */
const char *heed__entered(void);

/* Writes the path of m, which begins with the type of the module at the top of its tree:
 * "transformer.encoder.3.linear1". A path of a deeper tree begins with "...", as in "...linear1". Writes "" for NULL.
 * Truncates the text to `size`. */
void heed__module_path(const heed_module *m, char *text, size_t size);

#endif
