/* tests/leaks.c - part of every example in a build with tests: a program that succeeds must have freed
 * everything. Objects in the root scope are freed at the end of the process, before the check.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define _DEFAULT_SOURCE /* on_exit */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <heed/memory.h>

static int ended_with = EXIT_FAILURE;

static void note_status(int status, void *unused)
{
    (void)unused;
    ended_with = status;
}

__attribute__((constructor)) static void at_start(void)
{
    (void)on_exit(note_status, NULL);
}

/* Destructors with a priority run after those without, of which the library's is one. */
__attribute__((destructor(101))) static void at_end(void)
{
    heed_memory_stats left = heed_memory_get_stats();
    if (ended_with != EXIT_SUCCESS || (left.live_objects == 0 && left.live_bytes == 0))
        return;
    (void)fprintf(stderr, "tests/leaks.c: %lld objects, %lld bytes are left\n", (long long)left.live_objects,
                  (long long)left.live_bytes);
    _exit(99);
}
