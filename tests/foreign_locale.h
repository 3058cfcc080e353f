/* tests/foreign_locale.h - puts a locale in force whose decimal point is not '.'.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FOREIGN_LOCALE_H
#define FOREIGN_LOCALE_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the locale `name` ("de_DE") in UTF-8: an installed one, or else one that tests/CMakeLists.txt has made. If
 * neither exists, prints a line to stderr and returns false; the caller then has nothing to test. */
static inline bool foreign_locale_begin(const char *name)
{
    char full[32];
    (void)snprintf(full, sizeof full, "%s.UTF-8", name);
    if (!setlocale(LC_ALL, full)) { /* with glibc's variable */
        (void)setenv("LOCPATH", HEED_LOCALES, 1);
        (void)setlocale(LC_ALL, full);
        (void)unsetenv("LOCPATH");
    }
    if (strcmp(localeconv()->decimal_point, ".") != 0)
        return true;
    (void)fprintf(stderr, "no locale %s here: its test is skipped\n", full);
    (void)setlocale(LC_ALL, "C");
    return false;
}

static inline void foreign_locale_end(void)
{
    (void)setlocale(LC_ALL, "C");
}

#endif
