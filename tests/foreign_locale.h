/* tests/foreign_locale.h - puts a locale in force whose decimal point is not '.'. */
#ifndef FOREIGN_LOCALE_H
#define FOREIGN_LOCALE_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The locale `name` ("de_DE"), in UTF-8: an installed one, else one that localedef makes from its source in a folder of
 * its own. False, and a line on stderr, where neither is to be had: the caller then has nothing to test. */
static inline bool foreign_locale_begin(const char *name)
{
    char full[32], command[256], made_in[] = "/tmp/heed-locale-XXXXXX";
    (void)snprintf(full, sizeof full, "%s.UTF-8", name);
    bool found = setlocale(LC_ALL, full) != NULL;
    if (!found && mkdtemp(made_in)) {
        (void)snprintf(command, sizeof command, "localedef -i %s -f UTF-8 %s/%s >/dev/null 2>&1", name, made_in, full);
        (void)setenv("LOCPATH", made_in, 1);
        found = system(command) == 0 && setlocale(LC_ALL, full) != NULL;
        (void)unsetenv("LOCPATH");
        (void)snprintf(command, sizeof command, "rm -rf %s", made_in);
        if (system(command) != 0)
            (void)fprintf(stderr, "%s stays behind\n", made_in);
    }
    if (found && strcmp(localeconv()->decimal_point, ".") != 0)
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
