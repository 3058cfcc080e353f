/* system/errors.h - the system's error texts. */
#ifndef HEED_SYSTEM_ERRORS_H
#define HEED_SYSTEM_ERRORS_H

#include <stddef.h>

/* Returns the text of an errno, which may be stored in `buffer`. */
const char *heed__error_text(int cause, char *buffer, size_t size);

#endif
