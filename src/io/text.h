/* io/text.h - what messages show of paths and of file contents: short, on one line, without control characters. */
#ifndef HEED_IO_TEXT_H
#define HEED_IO_TEXT_H

#include <stddef.h>

/* A path's end, which is what tells it from others: heed__path_text(path).s */
typedef struct heed__path_excerpt {
    char s[160];
} heed__path_excerpt;
heed__path_excerpt heed__path_text(const char *path);

/* The first characters of a text up to its line's end: heed__excerpt(text, size).s */
typedef struct heed__excerpt_text {
    char s[48];
} heed__excerpt_text;
heed__excerpt_text heed__excerpt(const char *text, size_t size);

#endif
