/* tests/inspect/text.h - reads text that a function writes to a file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_INSPECT_TEXT_H
#define TESTS_INSPECT_TEXT_H

#include "check_heed.h"

#include <stdio.h>

static char written[1 << 16];

/* Opens a file whose text read_back returns. */
static inline FILE *text_file(void)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    return file;
}

static inline const char *read_back(FILE *file)
{
    rewind(file);
    written[fread(written, 1, sizeof written - 1, file)] = '\0';
    fclose(file);
    return written;
}

/* Checks that the text has these lines in this order; other lines may lie between them. */
static inline void check_lines(const char *text, const char *const *lines, size_t n)
{
    const char *at = text;
    for (size_t i = 0; i < n; i++) {
        at = strstr(at, lines[i]);
        ck_assert_msg(at != NULL, "\"%s\" is not where it should be in\n%s", lines[i], text);
        at += strlen(lines[i]);
    }
}

#define ck_assert_lines(text, ...)                                                                                     \
    check_lines(text, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

#endif
