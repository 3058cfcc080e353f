/* bench/limits.c - the highest rates of this machine, with one thread and with two: multiply-adds, memory, fresh
 * pages; and the rates of heed's kernels of exp and tanh. The best of many short windows counts: other processes
 * only make a window slower.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define _DEFAULT_SOURCE

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "limits.h"

enum { MAX_THREADS = 2, SMALL = 4096, ROUNDS = 20000, WINDOWS = 200 };

/* The state of one thread. */
typedef struct worker {
    const struct probe *probe;
    char *from, *to; /* of probe->bytes; NULL if 0 */
    size_t at;       /* offset of the next piece */
    double window;   /* seconds */
    double rate;     /* units per second */
    float sink;
} worker;

typedef struct probe {
    const char *name, *unit;
    void (*run)(worker *w); /* runs the probe once */
    double work;            /* units per run */
    size_t bytes, piece;    /* of memory, and touched per run */
    const limits_isa *isa;
} probe;

static pthread_barrier_t barrier;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void multiply_add(worker *w)
{
    w->sink += w->probe->isa->multiply_add(ROUNDS);
}

static void exp_f32(worker *w)
{
    HEED__RUN(exp, 0, SMALL, w->from, 1, w->to, NULL);
}

static void tanh_f32(worker *w)
{
    HEED__RUN(tanh, 0, SMALL, w->from, 1, w->to, NULL);
}

/* The next piece; all of the memory is touched before a piece is touched again. */
static size_t next(worker *w)
{
    size_t at = w->at;
    w->at = at + 2 * w->probe->piece <= w->probe->bytes ? at + w->probe->piece : 0;
    return at;
}

static void read_piece(worker *w)
{
    const float *x = (const float *)(const void *)(w->from + next(w));
    w->sink += w->probe->isa->read(x, (int64_t)(w->probe->piece / sizeof(float)));
}

static void write_piece(worker *w)
{
    memset(w->to + next(w), 1, w->probe->piece);
}

static void copy_piece(worker *w)
{
    size_t at = next(w);
    memcpy(w->to + at, w->from + at, w->probe->piece);
}

static char *pages(size_t bytes)
{
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void write_fresh(worker *w, int advice)
{
    char *p = pages(w->probe->piece);
    if (!p)
        return;
    madvise(p, w->probe->piece, advice);
    memset(p, 1, w->probe->piece);
    munmap(p, w->probe->piece);
}

static void write_fresh_small(worker *w)
{
    write_fresh(w, MADV_NOHUGEPAGE);
}

static void write_fresh_huge(worker *w)
{
    write_fresh(w, MADV_HUGEPAGE);
}

/* Fills the buffers with numbers from -8 to 8, so that their pages exist. */
static bool worker_begin(worker *w)
{
    size_t bytes = w->probe->bytes;
    if (bytes == 0)
        return true;
    w->from = pages(bytes);
    w->to = pages(bytes);
    if (!w->from || !w->to)
        return false;
    float *x = (float *)(void *)w->from;
    for (size_t i = 0; i < bytes / sizeof(float); i++)
        x[i] = (float)(i % 4096) / 256.0f - 8.0f;
    memset(w->to, 1, bytes);
    return true;
}

static void worker_end(worker *w)
{
    if (w->from)
        munmap(w->from, w->probe->bytes);
    if (w->to)
        munmap(w->to, w->probe->bytes);
}

static void *work(void *context)
{
    worker *w = context;
    w->probe->run(w);
    pthread_barrier_wait(&barrier);
    double begin = now(), runs = 0.0, taken = 0.0;
    do {
        w->probe->run(w);
        runs++;
        taken = now() - begin;
    } while (taken < w->window);
    w->rate = runs * w->probe->work / taken;
    return NULL;
}

/* Units per second of all threads together, in one window. */
static double window_rate(worker *workers, int threads)
{
    pthread_t others[MAX_THREADS];
    int started = 1;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    while (started < threads && pthread_create(&others[started], NULL, work, &workers[started]) == 0)
        started++;
    if (started < threads)
        return 0.0;
    work(&workers[0]);
    double sum = workers[0].rate;
    for (int i = 1; i < threads; i++) {
        pthread_join(others[i], NULL);
        sum += workers[i].rate;
    }
    pthread_barrier_destroy(&barrier);
    return sum;
}

static double best_rate(const probe *p, int threads, bool quick)
{
    worker workers[MAX_THREADS];
    double best = 0.0;
    bool ready = true;
    for (int i = 0; i < threads; i++) {
        workers[i] = (worker){.probe = p, .window = quick ? 0.0 : 0.003};
        ready = worker_begin(&workers[i]) && ready;
    }
    for (int i = 0; ready && i < (quick ? 1 : WINDOWS); i++) {
        double rate = window_rate(workers, threads);
        best = rate > best ? rate : best;
    }
    for (int i = 0; i < threads; i++)
        worker_end(&workers[i]);
    return best;
}

static void print(const probe *p, bool quick)
{
    printf("%-38s", p->name);
    for (int threads = 1; threads <= MAX_THREADS; threads++)
        printf(" %8.3g", best_rate(p, threads, quick));
    printf("  %s\n", p->unit);
    fflush(stdout);
}

static void print_memory(const char *where, size_t bytes, size_t piece, const limits_isa *isa, bool quick)
{
    static const struct {
        const char *name;
        void (*run)(worker *w);
        double passes;
    } ways[] = {{"read", read_piece, 1.0}, {"write", write_piece, 1.0}, {"copy (read + written)", copy_piece, 2.0}};
    for (int i = 0; i < 3; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s, %zu KiB: %s", where, bytes / 1024, ways[i].name);
        print(&(probe){name, "GB/s", ways[i].run, 1e-9 * ways[i].passes * (double)piece, bytes, piece, isa}, quick);
    }
}

static size_t half_of_l2(void)
{
    long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes >= 1 << 16 ? (size_t)bytes / 4 : (size_t)1 << 17; /* bytes are half read, half written */
}

int main(int argc, char **argv)
{
    bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fputs("usage: bench_limits [--quick]\n", stderr);
        return 2;
    }
    const char *named;
    if (!heed__choose_isa(&named)) {
        fprintf(stderr, "bench_limits: HEED_ISA is %s\n", named);
        return 2;
    }
    const limits_isa *const isas[] = {LIMITS_ISAS}, *best = isas[0];
    printf("%-38s %8s %8s\n", "at most, by threads:", "1", "2");
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        if (heed__isa_named(isas[i]->name) < 0)
            continue;
        best = isas[i];
        char name[80];
        snprintf(name, sizeof name, "multiply-adds f32, %s", best->name);
        double work = 2e-9 * ROUNDS * LIMITS_CHAINS * best->lanes;
        print(&(probe){name, "GFLOP/s", multiply_add, work, 0, 0, best}, quick);
    }
    print(&(probe){"heed's exp f32, in cache", "10^9/s", exp_f32, 1e-9 * SMALL, SMALL * sizeof(float), 0, best}, quick);
    print(&(probe){"heed's tanh f32, in cache", "10^9/s", tanh_f32, 1e-9 * SMALL, SMALL * sizeof(float), 0, best},
          quick);
    size_t l2 = half_of_l2(), large = (size_t)(quick ? 16 : 256) << 20, piece = (size_t)4 << 20;
    print_memory("L2", l2, l2, best, quick);
    print_memory("memory", large, piece, best, quick);
    double fresh = 1e-9 * (double)(4 * piece);
    print(&(probe){"fresh pages of 4 KiB: write", "GB/s", write_fresh_small, fresh, 0, 4 * piece, best}, quick);
    print(&(probe){"fresh huge pages: write", "GB/s", write_fresh_huge, fresh, 0, 4 * piece, best}, quick);
    return 0;
}
