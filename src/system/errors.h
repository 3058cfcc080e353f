/* system/errors.h - what the system says of its errors. */
#ifndef HEED_SYSTEM_ERRORS_H
#define HEED_SYSTEM_ERRORS_H

#include <stddef.h>

/* The text of an errno, which may stand in `room`. */
const char *heed__error_text(int cause, char *room, size_t size);

#endif
