/* system/terminal.h - terminals: recognising one, its size, and writing to standard error. */
#ifndef HEED_SYSTEM_TERMINAL_H
#define HEED_SYSTEM_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

bool heed__is_terminal(FILE *file);

/* Gets the rows and columns of a terminal; false if they are unknown, for example because the file is not a
 * terminal. */
bool heed__terminal_size(FILE *file, int *rows, int *columns);

/* Writes to standard error directly, bypassing the C library's streams and locks, so that it may be called at any
 * point. Errors are ignored, as they could not be reported. */
void heed__write_stderr(const char *text, size_t size);

#endif
