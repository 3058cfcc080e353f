/* tests/ops/reference_lines.h - reads tests/reference/NAME.csv: lines of two words and of numbers.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_REFERENCE_LINES_H
#define HEED_TESTS_REFERENCE_LINES_H

#include "check_heed.h"

#include <stdio.h>

enum { NAME_SIZE = 40, NUMBERS = 16 };

typedef struct line {
    char first[NAME_SIZE], second[NAME_SIZE];
    double numbers[NUMBERS];
} line;

static inline void read_name(char **at, char *name)
{
    const size_t length = strcspn(*at, ",");
    ck_assert(length < NAME_SIZE);
    memcpy(name, *at, length);
    name[length] = '\0';
    *at += length + 1;
}

/* The caller frees the lines. */
static inline line *read_lines(const char *name, int *count)
{
    char path[512], text[1024];
    int capacity = 0;
    line *lines = NULL;
    (void)snprintf(path, sizeof path, "%s/tests/reference/%s", HEED_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    for (*count = 0; fgets(text, sizeof text, file); ++*count) {
        if (*count == capacity)
            lines = realloc(lines, (size_t)(capacity = 2 * capacity + 64) * sizeof *lines);
        char *at = text;
        read_name(&at, lines[*count].first);
        read_name(&at, lines[*count].second);
        for (int i = 0; i < NUMBERS && *at != '\0'; i++) {
            lines[*count].numbers[i] = strtod(at, &at);
            at += *at == ',' || *at == '\n';
        }
    }
    (void)fclose(file);
    return lines;
}

static inline heed_dtype dtype_of(const line *l)
{
    return strcmp(l->first, "f32") == 0 ? HEED_F32 : HEED_F64;
}

/* The number of lines from l on that have its words, and its first n numbers. */
static inline int count_alike(const line *l, const line *end, int n)
{
    const line *at = l;
    while (at < end && strcmp(at->first, l->first) == 0 && strcmp(at->second, l->second) == 0 &&
           memcmp(at->numbers, l->numbers, (size_t)n * sizeof(double)) == 0)
        at++;
    return (int)(at - l);
}

#endif
