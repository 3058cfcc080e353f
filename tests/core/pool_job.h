/* tests/core/pool_job.h - a job of many pieces for the thread pool that counts how often every piece runs.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef POOL_JOB_H
#define POOL_JOB_H

#include "check_heed.h"
#include "core/pool.h"

#include <stdatomic.h>
#include <time.h>

static void sleep_for(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

enum { CHUNKS = 500, MAX_THREADS = 64 };

typedef struct count_job {
    atomic_int next;
    int times[CHUNKS];             /* how often a piece ran */
    atomic_int calls[MAX_THREADS]; /* calls per slot */
    long pause;                    /* microseconds after every piece */
} count_job;

static void count_pieces(int slot, void *job)
{
    count_job *c = job;
    atomic_fetch_add(&c->calls[slot], 1);
    for (int i; (i = atomic_fetch_add(&c->next, 1)) < CHUNKS;) {
        c->times[i]++;
        if (c->pause)
            sleep_for(c->pause);
    }
}

/* Returns the number of threads that took part, or 0 if some piece did not run exactly once or a slot was wrong. */
static int run_chunks(int threads, long pause)
{
    count_job c = {.pause = pause};
    heed__share(threads, count_pieces, &c);
    bool right = c.calls[0] == 1;
    for (int i = 0; i < CHUNKS; i++)
        right = right && c.times[i] == 1;
    int helped = 0;
    for (int slot = 0; slot < MAX_THREADS; slot++) {
        right = right && c.calls[slot] <= (slot < threads);
        helped += c.calls[slot];
    }
    return right ? helped : 0;
}

/* Returns whether all `able` threads take part in one of many jobs; on a busy machine a thread may arrive too late for
 * some of them. Returns false if a job goes wrong. */
static bool all_take_part(int threads, int able)
{
    int helped;
    do
        helped = run_chunks(threads, 20);
    while (helped > 0 && helped < able);
    return helped == able;
}

#endif
