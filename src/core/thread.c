/* core/thread.c - the state of every thread: the source line of the program's current call, the running module, the
 * recording mode.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/thread.h"

#include <stdio.h>

#include <heed/graph.h>
#include <heed/site.h>

enum { LEVELS = 16 }; /* maximum number of names in a path */

static _Thread_local heed__thread_state self; /* zero: a new thread records, with full precision */

heed__thread_state *heed__thread(void)
{
    return &self;
}

const char **heed_site(void)
{
    return &self.site;
}

bool heed_set_grad_enabled(bool enabled)
{
    bool old = !self.not_recording;
    self.not_recording = !enabled;
    return old;
}

bool heed_grad_enabled(void)
{
    return !self.not_recording;
}

/* -- Modules ------------------------------------------------------------------------------------------------------- */

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
