/* core/call_site.c - the program's line that called the library, and the module whose forward is running. */

#include "core/call_site.h"

#include <stdio.h>

#include <heed/site.h>

#include "base/mark.h"
#include "core/observe.h"

enum { LEVELS = 16 }; /* maximum number of names in a path */

atomic_uint heed__instrumentation;

const char **heed_site(void)
{
    return &heed__thread()->site;
}

heed_module_entry heed_module_enter(const heed_module *m)
{
    heed__thread_state *self = heed__thread();
    heed_module_entry entry = {.outer = self->module};
    if (!m || m == self->module || !heed__is_marked(m->serial, HEED_MODULE)) /* its forward reports a freed module */
        return entry;
    self->module = m;
    if (heed__is_observed(self))
        heed__observe_enter(self, &entry);
    return entry;
}

void heed_module_leave(const heed_module_entry *entry)
{
    if (!entry)
        return;
    heed__thread_state *self = heed__thread();
    if (entry->began && heed__is_observed(self))
        heed__observe_leave(self, entry);
    self->module = entry->outer;
}

void heed__module_path(const heed_module *m, char *text, size_t size)
{
    const char *names[LEVELS];
    int n = 0;
    for (; m && n < LEVELS; m = m->above)
        names[n++] = m->above ? m->name : m->type;
    text[0] = '\0';
    size_t used = 0;
    for (const char *between = m ? "..." : ""; n > 0 && used < size; between = ".") {
        int length = snprintf(text + used, size - used, "%s%s", between, names[--n]);
        used += length > 0 ? (size_t)length : size;
    }
}
