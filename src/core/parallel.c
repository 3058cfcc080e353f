/* core/parallel.c - loops over ranges of work that the calling thread and workers share.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/parallel.h"
#include "core/instrumentation.h"
#include "core/memory.h"
#include "core/pool.h"
#include "system/system.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#if !defined(__x86_64__) && !defined(__i386__) && !defined(__aarch64__)
#include <fenv.h>
#endif

#define MAX_THREADS 256
#define LINE_BYTES 64         /* threads do not write to the same cache line */
#define SERIAL_COST (1 << 19) /* element operations below which threads cost more time than they save */

/* -- Number of threads --------------------------------------------------------------------------------------------- */

static _Thread_local int requested_threads; /* 0 means the default */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int default_threads;

/* Reads an environment variable: one number, or a list whose first number counts (OpenMP's nested regions). Returns 0
 * if it is unset or invalid. */
static int threads_of(const char *variable)
{
    const char *text = getenv(variable);
    if (!text)
        return 0;
    char *end;
    const long value = strtol(text, &end, 10);
    const bool sound = end != text && (*end == '\0' || *end == ',') && value >= 1 && value <= MAX_THREADS;
    return sound ? (int)value : 0;
}

static void find_default(void)
{
    int count = threads_of("HEED_NUM_THREADS");
    if (count == 0)
        count = threads_of("OMP_NUM_THREADS");
    if (count == 0)
        count = heed__processors();
    default_threads = count > MAX_THREADS ? MAX_THREADS : count;
}

heed_status heed_set_num_threads(int n)
{
    if (n < 1 || n > MAX_THREADS)
        return heed_fail(HEED_ERR_ARGUMENT, "set_num_threads", "n is %d: must be 1 to %d", n, MAX_THREADS);
    requested_threads = n;
    return HEED_OK;
}

int heed_num_threads(void)
{
    pthread_once(&once, find_default);
    return requested_threads ? requested_threads : default_threads;
}

/* -- Floating-point mode ------------------------------------------------------------------------------------------- */

/* A thread's floating-point mode: rounding, denormals, traps. Setting it preserves the flags of raised exceptions. x86
 * and ARM use their own instructions because fegetenv and fesetenv take several times longer. */

#if defined(__x86_64__) || defined(__i386__)

/* The C libraries of 32-bit x86 and of Windows compute with x87. */
typedef struct float_mode {
    unsigned sse;
    unsigned short x87;
} float_mode;
enum { RAISED = 0x3f };

static inline float_mode get_float_mode(void)
{
    float_mode mode = {.sse = __builtin_ia32_stmxcsr()};
    __asm__ volatile("fnstcw %0" : "=m"(mode.x87));
    return mode;
}

static inline void set_float_mode(float_mode mode)
{
    __builtin_ia32_ldmxcsr((mode.sse & ~(unsigned)RAISED) | (__builtin_ia32_stmxcsr() & RAISED));
    __asm__ volatile("fldcw %0" : : "m"(mode.x87));
}

#elif defined(__aarch64__)

typedef uint64_t float_mode;

static inline float_mode get_float_mode(void)
{
    float_mode mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}

static inline void set_float_mode(float_mode mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
}

#else

typedef fenv_t float_mode;

static inline float_mode get_float_mode(void)
{
    float_mode mode;
    (void)fegetenv(&mode);
    return mode;
}

static inline void set_float_mode(float_mode mode)
{
    fexcept_t raised;
    (void)fegetexceptflag(&raised, FE_ALL_EXCEPT);
    (void)fesetenv(&mode);
    (void)fesetexceptflag(&raised, FE_ALL_EXCEPT);
}

#endif

/* -- Loops --------------------------------------------------------------------------------------------------------- */

typedef struct parallel_loop {
    heed__range_fn *fn; /* or */
    heed__scratch_fn *scratch_fn;
    void *context;
    char *scratch; /* of scratch_fn: `bytes` bytes per thread */
    int64_t bytes;
    int64_t n, grain, ranges;
    int threads;     /* that may take part, at least 1 */
    float_mode mode; /* the caller's floating-point mode */
    atomic_int_fast64_t next;
    int64_t caller_ranges, caller_time; /* ranges that the caller has processed, and its computing time */
    const heed__observers *observers;   /* to whom workers report; NULL for nobody */
    const char *name;                   /* of the op or span */
} parallel_loop;

static void measure_loop(parallel_loop *l, int64_t cost)
{
    int64_t total;
    const bool big = __builtin_mul_overflow(l->n, cost, &total) || total >= SERIAL_COST;
    l->ranges = l->n > 0 ? heed__ceil_div(l->n, l->grain) : 0;
    l->threads = big && l->ranges > 1 ? heed_num_threads() : 1;
    if (l->ranges > 1 && l->threads > l->ranges)
        l->threads = (int)l->ranges;
}

/* Concurrent calls have different slots, below l->threads. */
static void run_one_range(const parallel_loop *l, int64_t i, int slot)
{
    const int64_t begin = i * l->grain, end = l->n - begin < l->grain ? l->n : begin + l->grain;
    if (l->fn)
        l->fn(begin, end, l->context);
    else
        l->scratch_fn(begin, end, l->scratch + slot * l->bytes, l->context);
}

static void run_share(int slot, void *job)
{
    parallel_loop *l = job;
    int64_t done = 0, begin = slot == 0 ? heed__thread_nanoseconds() : 0;
    const int64_t task_began = slot > 0 && l->observers ? l->observers->task_begins(l->name) : 0;
    set_float_mode(l->mode);
    for (int64_t i; (i = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed)) < l->ranges; done++)
        run_one_range(l, i, slot);
    if (slot == 0) {
        l->caller_ranges = done;
        l->caller_time = heed__thread_nanoseconds() - begin;
    }
    if (task_began)
        l->observers->task_ends(l->name, task_began);
}

/* Runs the loop on several threads unless sharing has not paid off lately; then returns false. Alone, the caller would
 * take for every range the time that it took per range of its own. The time it waited for a processor or for other
 * threads is the cost of sharing. */
static bool run_shared(parallel_loop *l)
{
    static _Thread_local heed__pool_backoff backoff;
    const int64_t begin = heed__nanoseconds();
    if (!heed__pool_backoff_allows(&backoff, begin))
        return false;
    l->mode = get_float_mode();
    const heed__thread_state *self = heed__thread();
    l->observers = heed__observers_of(self);
    l->name = self->callback ? self->callback : "share";
    heed__share(l->threads, run_share, l);
    const int64_t end = heed__nanoseconds();
    if (l->caller_ranges > 0) {
        const double alone = (double)l->caller_time / (double)l->caller_ranges * (double)l->ranges;
        heed__pool_backoff_record(&backoff, end, (int64_t)alone - (end - begin));
    }
    return true;
}

static void run_loop(parallel_loop *l)
{
    if (l->threads > 1 && run_shared(l))
        return;
    for (int64_t i = 0; i < l->ranges; i++)
        run_one_range(l, i, 0);
}

void heed__parallel_for(int64_t n, int64_t grain, int64_t cost, heed__range_fn *fn, void *context)
{
    parallel_loop l = {.fn = fn, .context = context, .n = n, .grain = grain};
    measure_loop(&l, cost);
    run_loop(&l);
}

bool heed__parallel_for_scratch(const char *where, int64_t n, int64_t grain, int64_t cost, int64_t bytes,
                                heed__scratch_fn *fn, void *context)
{
    parallel_loop l = {.scratch_fn = fn, .context = context, .n = n, .grain = grain};
    measure_loop(&l, cost);
    l.bytes = heed__ceil_div(bytes, LINE_BYTES) * LINE_BYTES;
    const size_t all = (size_t)(l.threads * l.bytes);
    l.scratch = heed__alloc(where, all);
    if (!l.scratch)
        return false;
    run_loop(&l);
    heed_free(l.scratch, all);
    return true;
}
