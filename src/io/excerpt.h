/* io/excerpt.h - paths and file contents for messages: short, on one line, with terminal control characters escaped
 * (base/escape.h). */
#ifndef HEED_IO_EXCERPT_H
#define HEED_IO_EXCERPT_H

#include <stddef.h>

/* The end of a path, because paths mostly differ at their ends. Use it as heed__path_excerpt(path).s. */
typedef struct heed__path_excerpt_text {
    char s[160];
} heed__path_excerpt_text;
heed__path_excerpt_text heed__path_excerpt(const char *path);

/* The first characters of a text, at most up to the end of its line. Use it as heed__excerpt(text, size).s. */
typedef struct heed__excerpt_text {
    char s[48];
} heed__excerpt_text;
heed__excerpt_text heed__excerpt(const char *text, size_t size);

#endif
