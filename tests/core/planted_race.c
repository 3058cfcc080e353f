/* tests/core/planted_race.c - a deliberate data race: one thread writes to a tensor that a second thread reads, without
 * a lock. Under the tsan preset a test requires a report of this race; without it, the absence of reports elsewhere
 * would prove little.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <heed/heed.h>

static pthread_barrier_t both_have_arrived;
static atomic_bool done; /* relaxed, so that it orders no other access */

static void *write_shared(void *t)
{
    volatile float *data = heed_mutable_f32(t);
    pthread_barrier_wait(&both_have_arrived);
    while (!atomic_load_explicit(&done, memory_order_relaxed))
        data[0] = 1.0F;
    return NULL;
}

static void *read_shared(void *t)
{
    pthread_barrier_wait(&both_have_arrived);
    for (int i = 0; i < 20000; i++)
        if (heed_item(t) < 0.0)
            break;
    atomic_store_explicit(&done, true, memory_order_relaxed);
    return NULL;
}

/* Provokes many races, since the sanitizer detects only some of them. */
int main(void)
{
    heed_tensor *t = heed_zeros(HEED_F32, HEED_SHAPE(1));
    pthread_barrier_init(&both_have_arrived, NULL, 2);
    for (int i = 0; i < 40; i++) {
        pthread_t writer, reader;
        atomic_store(&done, false);
        if (pthread_create(&writer, NULL, write_shared, t) != 0 || pthread_create(&reader, NULL, read_shared, t) != 0)
            return 1;
        pthread_join(writer, NULL);
        pthread_join(reader, NULL);
    }
    pthread_barrier_destroy(&both_have_arrived);
    printf("%g\n", heed_item(t));
    return 0;
}
