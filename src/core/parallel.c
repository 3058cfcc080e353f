/* core/parallel.c - OpenMP, always with an explicit, capped number of threads; none in a child after fork. */

#include "core/parallel.h"
#include "core/float_mode.h"
#include "core/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#define MAX_THREADS 256
#define LINE_BYTES 64         /* threads do not write to the same cache line */
#define SERIAL_COST (1 << 19) /* element operations below which threads cost more than they save */

static _Thread_local int wanted; /* 0: the default */
#ifdef _OPENMP
static atomic_bool forked; /* libgomp's threads do not survive: a region in the child would wait for them for ever */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int default_threads;

static void in_child(void)
{
    atomic_store(&forked, true);
}

/* At load, since the program may use OpenMP itself, and fork, before it needs our threads. */
__attribute__((constructor)) static void at_load(void)
{
    (void)pthread_atfork(NULL, NULL, in_child);
}

/* OMP_NUM_THREADS is one number, or a list for nested regions of which the first counts. */
static void find_default(void)
{
    long count = omp_get_num_procs();
    const char *text = getenv("OMP_NUM_THREADS");
    if (text) {
        char *end;
        long value = strtol(text, &end, 10);
        if (end != text && (*end == '\0' || *end == ',') && value >= 1 && value <= MAX_THREADS)
            count = value;
    }
    default_threads = count < 1 ? 1 : count > MAX_THREADS ? MAX_THREADS : (int)count;
}
#endif

heed_status heed_set_num_threads(int n)
{
    if (n < 1 || n > MAX_THREADS)
        return heed_fail(HEED_ERR_ARGUMENT, "set_num_threads", "n is %d: must be 1 to %d", n, MAX_THREADS);
    wanted = n;
    return HEED_OK;
}

int heed_num_threads(void)
{
#ifdef _OPENMP
    pthread_once(&once, find_default);
    if (atomic_load_explicit(&forked, memory_order_relaxed))
        return 1;
    return wanted ? wanted : default_threads;
#else
    return 1;
#endif
}

int heed__parallel_slots(int64_t n, int64_t grain, int64_t cost)
{
    int64_t ranges = n > 0 ? heed__ceil_div(n, grain) : 1, total;
    bool big = __builtin_mul_overflow(n, cost, &total) || total >= SERIAL_COST;
    int64_t threads = big && ranges > 1 ? heed_num_threads() : 1;
    return (int)(threads < ranges ? threads : ranges);
}

static void run_range(int64_t i, int64_t n, int64_t grain, int slot, heed__slot_fn *fn, void *context)
{
    fn(i * grain, n - i * grain < grain ? n : (i + 1) * grain, slot, context);
}

void heed__parallel_for_slots(int64_t n, int64_t grain, int64_t cost, heed__slot_fn *fn, void *context)
{
    int64_t ranges = n > 0 ? heed__ceil_div(n, grain) : 0;
#ifdef _OPENMP
    int threads = heed__parallel_slots(n, grain, cost);
    if (threads > 1) { /* which have modes of their own, and may be the host's */
        const heed__arithmetic callers = heed__float_mode();
#pragma omp parallel num_threads(threads)
        {
            const heed__arithmetic own = heed__float_mode();
            heed__set_float_mode(callers);
#pragma omp for schedule(dynamic, 1) nowait
            for (int64_t i = 0; i < ranges; i++)
                run_range(i, n, grain, omp_get_thread_num(), fn, context);
            heed__set_float_mode(own);
        }
        return;
    }
#else
    (void)cost;
#endif
    for (int64_t i = 0; i < ranges; i++)
        run_range(i, n, grain, 0, fn, context);
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
    heed__parallel_for_slots(n, grain, cost, run_plain, &(plain_call){fn, context});
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
    size_t all = (size_t)(heed__parallel_slots(n, grain, cost) * call.bytes);
    call.scratch = heed__alloc(where, all);
    if (!call.scratch)
        return false;
    heed__parallel_for_slots(n, grain, cost, run_with_scratch, &call);
    heed_free(call.scratch, all);
    return true;
}
