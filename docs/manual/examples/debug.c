/* debug.c - examples of include/heed/debug.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include <heed/heed.h>

static void example_debug(void)
{
    /* [heed_set_debug] */
    heed_set_debug(true);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *y = heed_ones(HEED_F32, HEED_SHAPE(8));
    heed_scope_end(scope);
    if (!heed_tanh(y))
        printf("%s\n", heed_error_message());
    /* -> tanh: argument 1 was freed: f32 (8), made by ones; its scope ended */
    heed_error_clear();
    heed_set_debug(false);
    /* [] */
}

/* [heed_fail_freed] */
typedef struct counter {
    uint64_t mark; /* 0 once the counter is freed */
} counter;

static bool check_counter(const char *where, const counter *c)
{
    return c->mark != 0 || heed_fail_freed(where, "the counter", c);
}
/* [] */

static void example_freed(void)
{
    counter c = {0};
    /* [heed_fail_freed] */
    if (!check_counter("counter_add", &c))
        printf("%s\n", heed_error_message()); /* -> counter_add: the counter was freed (HEED_DEBUG=1 reports where) */
    /* [] */
    heed_error_clear();
}

static void example_owner(void)
{
    FILE *file = tmpfile();
    heed_set_debug(true);
    /* [heed_debug_set_owner] */
    heed_tensor *table = heed_zeros(HEED_F32, HEED_SHAPE(1000));
    heed_debug_set_owner(table, NULL, "a table of sines");
    heed_memory_report(file);
    rewind(file);
    for (char line[200]; fgets(line, sizeof line, file);)
        if (strstr(line, "a table of sines"))
            printf("%s", line + strspn(line, " ")); /* -> kept by a table of sines, the root scope */
    heed_debug_set_owner(table, NULL, NULL);
    /* [] */
    heed_set_debug(false);
    fclose(file);
}

int main(void)
{
    example_debug();
    example_freed();
    example_owner();
    return 0;
}
