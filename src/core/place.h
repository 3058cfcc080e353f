/* core/place.h - where a program is: the line that it has called from, and the module whose forward runs. */
#ifndef HEED_CORE_PLACE_H
#define HEED_CORE_PLACE_H

#include <stddef.h>

#include <heed/module.h>

/* The outermost function under way that gave its name with HEED_ENTER; NULL: none has. */
const char *heed__entered(void);

/* Writes the path of m below the type of the module at the top of its tree, "transformer.encoder.3.linear1", or of a
 * tree too deep for that, "...linear1"; "" for NULL. What does not fit is cut. */
void heed__module_path(const heed_module *m, char *text, size_t size);

#endif
