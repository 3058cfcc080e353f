/* core/memory.c - allocates all memory of the library: size classes, a cache of freed blocks per thread, counters.
 *
 * A freed block goes to the list of its size class in the freeing thread, and that thread's next request of the class
 * reuses it. Only core/system_memory.c, the default allocator, calls the C library's allocator. */

#include "core/memory.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "core/attributes.h"
#include "core/blocks.h"
#include "core/counters.h"
#include "core/debug.h"
#include "core/instrumentation.h"
#include "core/size_class.h"
#include "system/system.h"

#define DEFAULT_CACHE_LIMIT ((size_t)256 << 20)

typedef struct free_block {
    struct free_block *next;
} free_block;

/* A thread's record. It is a separate block because thread-local storage is freed with the thread, and the system need
 * not report the end of a thread whose first call of the library comes while it ends. */
typedef struct thread_memory {
    _Alignas(HEED_ALIGNMENT) heed__counters count; /* the alignment makes the size a multiple of it */
    free_block *bins[HEED_CLASS_COUNT + 1];        /* the last list, for excessive sizes, is always empty */
    size_t cached_bytes;
    atomic_size_t cache_limit;             /* the limit in effect; 0 in debug mode, which any thread may begin */
    size_t configured_limit;               /* the limit outside debug mode */
    const void *owner;                     /* the address of the thread's `self` */
    struct thread_memory *next, *previous; /* the list of living threads */
} thread_memory;

static thread_memory unregistered; /* record of all threads outside the list; caches nothing and is never written */
static _Thread_local thread_memory *self = &unregistered;
static _Thread_local bool ending; /* thread_end has run: the thread does not join the list again */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and `ended` */
static thread_memory *registered;
static heed__counters ended; /* sums over ended threads and threads outside the list */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_made;
static _Atomic(void (*)(void)) thread_cleanup;

/* -- Start and end of threads -- */

/* Removes a record from the list and frees it. Requires the lock. */
static void retire(thread_memory *thread)
{
    if (thread->previous)
        thread->previous->next = thread->next;
    else
        registered = thread->next;
    if (thread->next)
        thread->next->previous = thread->previous;
    heed__counters_restart(&thread->count);
    heed__counters_add(&ended, &thread->count);
    heed__system_free(thread, sizeof *thread, NULL);
}

static void clean_up(void)
{
    void (*cleanup)(void) = atomic_load(&thread_cleanup);
    if (cleanup)
        cleanup();
    heed_memory_trim();
}

/* Runs again if another destructor has used the library in the meantime, which sets the key once more. */
static void thread_end(void *unused)
{
    (void)unused;
    clean_up();
    ending = true;
    if (self == &unregistered)
        return;
    pthread_mutex_lock(&lock);
    retire(self);
    pthread_mutex_unlock(&lock);
    self = &unregistered;
}

/* exit() does not run the key destructor of the main thread. */
__attribute__((destructor)) static void process_end(void)
{
    clean_up();
    if (heed__is_instrumented(HEED_INSTRUMENT_DEBUG))
        heed__debug_at_exit();
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
    heed__blocks_lock();
    heed__system_lock();
}

static void in_parent(void)
{
    heed__system_unlock();
    heed__blocks_unlock();
    pthread_mutex_unlock(&lock);
}

/* The other threads do not exist in the child. */
static void in_child(void)
{
    heed__system_unlock();
    heed__blocks_unlock();
    for (thread_memory *thread = registered, *next; thread; thread = next) {
        next = thread->next;
        if (thread != self)
            retire(thread);
    }
    pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
    key_made = pthread_key_create(&key, thread_end) == 0 && heed__at_fork(before_fork, in_parent, in_child);
}

/* Returns the record of a thread that ended unnoticed and whose `self` had this thread's address, or NULL. Requires the
 * lock. */
static thread_memory *find_abandoned(void)
{
    thread_memory *thread = registered;
    while (thread && thread->owner != &self)
        thread = thread->next;
    return thread;
}

static void set_limit(thread_memory *thread, bool caching)
{
    atomic_store_explicit(&thread->cache_limit, caching ? thread->configured_limit : 0, memory_order_relaxed);
}

/* Adds a record to the list. Returns NULL without memory. Requires the lock. */
static thread_memory *add_record(void)
{
    thread_memory *thread = heed__system_alloc(sizeof *thread, HEED_ALIGNMENT, NULL);
    if (!thread)
        return NULL;
    memset(thread, 0, sizeof *thread);
    thread->configured_limit = HEED_KEEP_BLOCKS ? DEFAULT_CACHE_LIMIT : 0;
    set_limit(thread, !heed__is_instrumented(HEED_INSTRUMENT_DEBUG));
    thread->owner = &self;
    thread->next = registered;
    if (registered)
        registered->previous = thread;
    registered = thread;
    return thread;
}

/* Registers thread_end for this thread and gives it a record, unless thread_end has run before. Returns false if the
 * system lacks the resources. */
static bool register_self(void)
{
    pthread_once(&key_once, make_key);
    heed__debug_first_use();
    if (!key_made || pthread_setspecific(key, &key) != 0)
        return false;
    if (ending)
        return true;
    pthread_mutex_lock(&lock);
    thread_memory *thread = find_abandoned();
    if (!thread)
        thread = add_record();
    pthread_mutex_unlock(&lock);
    if (thread)
        self = thread;
    return thread != NULL;
}

void heed__at_thread_end(void (*cleanup)(void))
{
    atomic_store(&thread_cleanup, cleanup);
    pthread_once(&key_once, make_key); /* at load time, while keys are still available */
}

/* -- Allocation -- */

/* Returns counters that this thread may write until release_counters: its own or, under the lock, the shared ones. */
static heed__counters *acquire_counters(void)
{
    if (self != &unregistered)
        return &self->count;
    pthread_mutex_lock(&lock);
    return &ended;
}

static void release_counters(const heed__counters *count)
{
    if (count == &ended)
        pthread_mutex_unlock(&lock);
}

HEED_COLD static void *alloc_uncached(const char *where, size_t size, heed__block_kind kind)
{
    void *block = NULL;
    if (size <= HEED_MAX_SIZE && (self != &unregistered || register_self())) {
        size_t bytes = heed__class_of(size).bytes;
        block = heed__allocator_alloc(bytes);
        heed__counters *count = acquire_counters();
        heed__counter_bump(&count->system_calls, 1);
        if (block)
            heed__count_block(count, bytes);
        release_counters(count);
        if (block && heed__is_instrumented(HEED_INSTRUMENT_DEBUG))
            heed__debug_allocated(block, bytes, kind, where);
    }
    if (!block && !key_made)
        heed_fail(HEED_ERR_NOMEM, where, "no thread-specific key or fork handler is left in this process");
    else if (!block)
        heed_fail(HEED_ERR_NOMEM, where, "cannot allocate %zu bytes", size);
    return block;
}

/* The kind matters only on the rare path, so there are three functions instead of a parameter. */
static inline void *alloc_block(const char *where, size_t size, heed__block_kind kind)
{
    thread_memory *memory = self;
    const heed__size_class class = heed__class_of(size);
    free_block *cached = memory->bins[class.bin];
    if (!cached)
        return alloc_uncached(where, size, kind);
    memory->bins[class.bin] = cached->next;
    memory->cached_bytes -= class.bytes;
    heed__count_block(&memory->count, class.bytes);
    return cached;
}

void *heed__alloc(const char *where, size_t size)
{
    return alloc_block(where, size, HEED_BLOCK_PLAIN);
}

void *heed__alloc_tensor(const char *where, size_t size)
{
    return alloc_block(where, size, HEED_BLOCK_TENSOR);
}

void *heed__alloc_node(const char *where, size_t size)
{
    return alloc_block(where, size, HEED_BLOCK_NODE);
}

void *heed_alloc(size_t size)
{
    return heed__alloc("alloc", size);
}

void *heed_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return heed_fail_null(HEED_ERR_NOMEM, "calloc", "cannot allocate %zu times %zu bytes", count, size);
    void *block = heed__alloc("calloc", bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

/* Frees a block that does not fit into the cache. Also runs for the first block that a thread frees, and for every
 * block in debug mode. */
HEED_COLD static void free_uncached(void *block, size_t bytes)
{
    if (self == &unregistered)
        (void)register_self();
    const bool debugging = heed__is_instrumented(HEED_INSTRUMENT_DEBUG);
    if (debugging && !heed__debug_may_free(block, bytes))
        return;
    heed__counters *count = acquire_counters();
    heed__uncount_block(count, bytes);
    release_counters(count);
    if (debugging)
        heed__debug_quarantine(block, bytes);
    else
        heed__allocator_free(block, bytes);
}

void heed_free(void *block, size_t size)
{
    if (!block)
        return;
    thread_memory *memory = self;
    const heed__size_class class = heed__class_of(size);
    const size_t limit = atomic_load_explicit(&memory->cache_limit, memory_order_relaxed);
    if (memory->cached_bytes + class.bytes > limit) { /* the limit is 0 until the thread is registered */
        free_uncached(block, class.bytes);
        return;
    }
    heed__uncount_block(&memory->count, class.bytes);
    free_block *cached = block;
    cached->next = memory->bins[class.bin];
    memory->bins[class.bin] = cached;
    memory->cached_bytes += class.bytes;
}

/* -- Settings and statistics -- */

void heed_memory_trim(void)
{
    for (int bin = 0; bin < HEED_CLASS_COUNT && self->cached_bytes > 0; bin++) {
        size_t bytes = heed__class_size(bin);
        while (self->bins[bin]) {
            free_block *block = self->bins[bin];
            self->bins[bin] = block->next;
            self->cached_bytes -= bytes;
            heed__allocator_free(block, bytes);
        }
    }
}

size_t heed_memory_set_cache_limit(size_t bytes)
{
    if (self == &unregistered)
        (void)register_self();
    if (self == &unregistered)
        return 0;
    size_t old = self->configured_limit;
    pthread_mutex_lock(&lock);
    self->configured_limit = bytes;
    set_limit(self, !heed__is_instrumented(HEED_INSTRUMENT_DEBUG));
    pthread_mutex_unlock(&lock);
    if (self->cached_bytes > bytes)
        heed_memory_trim();
    return old;
}

void heed__memory_set_caching(bool on)
{
    pthread_mutex_lock(&lock);
    for (thread_memory *thread = registered; thread; thread = thread->next)
        set_limit(thread, on);
    pthread_mutex_unlock(&lock);
    if (!on)
        heed_memory_trim();
}

heed_memory_stats heed_memory_get_stats(void)
{
    heed__counters sum = {0};
    pthread_mutex_lock(&lock);
    heed__counters_add(&sum, &ended);
    for (thread_memory *thread = registered; thread; thread = thread->next)
        heed__counters_add(&sum, &thread->count);
    pthread_mutex_unlock(&lock);
    return (heed_memory_stats){
        .live_objects = heed__counter_load(&sum.objects),
        .live_bytes = heed__counter_load(&sum.bytes),
        .peak_objects = heed__counter_load(&sum.peak_objects),
        .peak_bytes = heed__counter_load(&sum.peak_bytes),
        .cached_bytes = (int64_t)self->cached_bytes,
        .system_calls = heed__counter_load(&sum.system_calls),
    };
}

void heed_memory_reset_peak(void)
{
    pthread_mutex_lock(&lock);
    heed__counters_restart(&ended);
    for (thread_memory *thread = registered; thread; thread = thread->next)
        heed__counters_restart(&thread->count);
    pthread_mutex_unlock(&lock);
}
