/* io/text.h - what messages show of paths and of file contents: short, on one line, without control characters. */
#ifndef HEED_IO_TEXT_H
#define HEED_IO_TEXT_H

#include <stddef.h>

/* A path's end, which is what tells it from others: heed__path_text(path).s */
typedef struct heed_path_text {
    char s[160];
} heed_path_text;
heed_path_text heed__path_text(const char *path);

/* The first characters of a text up to its line's end: heed__excerpt(text, size).s */
typedef struct heed_excerpt {
    char s[48];
} heed_excerpt;
heed_excerpt heed__excerpt(const char *text, size_t size);

#endif
