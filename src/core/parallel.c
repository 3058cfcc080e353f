/* core/parallel.c - loops over ranges of work that the calling thread and workers share. */

#include "core/parallel.h"
#include "core/float_mode.h"
#include "core/instrumentation.h"
#include "core/memory.h"
#include "core/pool.h"
#include "system/system.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define MAX_THREADS 256
#define LINE_BYTES 64         /* threads do not write to the same cache line */
#define SERIAL_COST (1 << 19) /* element operations below which threads cost more time than they save */

/* -- Number of threads -------------------------------------------------------------------------------------------- */

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

/* Returns the number of threads that may take part. */
static int threads_for(int64_t n, int64_t grain, int64_t cost)
{
    int64_t ranges = n > 0 ? heed__ceil_div(n, grain) : 1, total;
    bool big = __builtin_mul_overflow(n, cost, &total) || total >= SERIAL_COST;
    int64_t threads = big && ranges > 1 ? heed_num_threads() : 1;
    return (int)(threads < ranges ? threads : ranges);
}

/* -- Loops -------------------------------------------------------------------------------------------------------- */

typedef void slot_fn(int64_t begin, int64_t end, int slot, void *context);

typedef struct parallel_loop {
    slot_fn *fn;
    void *context;
    int64_t n, grain, ranges;
    heed__arithmetic mode; /* the caller's floating-point mode */
    atomic_int_fast64_t next;
    int64_t caller_ranges, caller_time; /* ranges that the caller has processed, and its computing time */
    const heed__observers *observers;   /* to whom workers report; NULL for nobody */
    const char *name;                   /* of the op or span */
} parallel_loop;

static void run_one_range(const parallel_loop *l, int64_t i, int slot)
{
    l->fn(i * l->grain, l->n - i * l->grain < l->grain ? l->n : (i + 1) * l->grain, slot, l->context);
}

static void run_share(int slot, void *job)
{
    parallel_loop *l = job;
    int64_t done = 0, begin = slot == 0 ? heed__thread_nanoseconds() : 0;
    const int64_t task_began = slot > 0 && l->observers ? l->observers->task_begins(l->name) : 0;
    heed__set_float_mode(l->mode);
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
static bool run_shared(parallel_loop *l, int threads)
{
    static _Thread_local heed__pool_backoff backoff;
    const int64_t begin = heed__nanoseconds();
    if (!heed__pool_backoff_allows(&backoff, begin))
        return false;
    l->mode = heed__float_mode();
    const heed__thread_state *self = heed__thread();
    l->observers = heed__observers_of(self);
    l->name = self->callback ? self->callback : "share";
    heed__share(threads, run_share, l);
    const int64_t end = heed__nanoseconds();
    if (l->caller_ranges > 0) {
        const double alone = (double)l->caller_time / (double)l->caller_ranges * (double)l->ranges;
        heed__pool_backoff_record(&backoff, end, (int64_t)alone - (end - begin));
    }
    return true;
}

/* Calls fn for every range with a slot number below threads_for. Concurrent calls have different slots. */
static void run_loop(int64_t n, int64_t grain, int64_t cost, slot_fn *fn, void *context)
{
    parallel_loop l = {.fn = fn, .context = context, .n = n, .grain = grain};
    l.ranges = n > 0 ? heed__ceil_div(n, grain) : 0;
    const int threads = threads_for(n, grain, cost);
    if (threads > 1 && run_shared(&l, threads))
        return;
    for (int64_t i = 0; i < l.ranges; i++)
        run_one_range(&l, i, 0);
}

typedef struct plain_call {
    heed__range_fn *fn;
    void *context;
} plain_call;

static void run_plain(int64_t begin, int64_t end, int slot, void *context)
{
    const plain_call *call = context;
    (void)slot;
    call->fn(begin, end, call->context);
}

void heed__parallel_for(int64_t n, int64_t grain, int64_t cost, heed__range_fn *fn, void *context)
{
    run_loop(n, grain, cost, run_plain, &(plain_call){fn, context});
}

typedef struct scratch_call {
    heed__scratch_fn *fn;
    void *context;
    char *scratch;
    int64_t bytes;
} scratch_call;

static void run_with_scratch(int64_t begin, int64_t end, int slot, void *context)
{
    const scratch_call *call = context;
    call->fn(begin, end, call->scratch + slot * call->bytes, call->context);
}

bool heed__parallel_for_scratch(const char *where, int64_t n, int64_t grain, int64_t cost, int64_t bytes,
                                heed__scratch_fn *fn, void *context)
{
    scratch_call call = {.fn = fn, .context = context, .bytes = heed__ceil_div(bytes, LINE_BYTES) * LINE_BYTES};
    size_t all = (size_t)(threads_for(n, grain, cost) * call.bytes);
    call.scratch = heed__alloc(where, all);
    if (!call.scratch)
        return false;
    run_loop(n, grain, cost, run_with_scratch, &call);
    heed_free(call.scratch, all);
    return true;
}
