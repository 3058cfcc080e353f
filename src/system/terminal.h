/* system/terminal.h - what is on the other side of a stream. */
#ifndef HEED_SYSTEM_TERMINAL_H
#define HEED_SYSTEM_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

bool heed__is_terminal(FILE *file);

/* Its rows and columns; false where they cannot be known, as of what is no terminal. */
bool heed__terminal_size(FILE *file, int *rows, int *columns);

/* Writes to the standard error, past the C library's streams and locks: for what is told in the middle of anything.
 * What fails is lost: there is nobody to tell. */
void heed__write_stderr(const char *text, size_t size);

#endif
