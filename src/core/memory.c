/* core/memory.c - the one door to memory: size classes, a cache of freed blocks per thread, counters.
 *
 * A freed block goes to its size class's list in the freeing thread and is found again by that thread's next request of
 * the class. Only core/system_memory.c, the source unless the program gives another, calls the C library's allocator.
 */

#include "core/memory.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "core/hint.h"
#include "core/size_class.h"

#define DEFAULT_CACHE_LIMIT ((size_t)256 << 20)

typedef struct free_block {
    struct free_block *next;
} free_block;

/* Counters are written by their own thread (a peak also by heed_memory_reset_peak) and read by any: relaxed atomics
 * without a locked instruction. A block may be freed by a thread other than its maker, so one thread's figures can be
 * negative; their sums are right. */
typedef struct counters {
    _Atomic int64_t objects, bytes, peak_objects, peak_bytes, system_calls;
} counters;

/* A block of its own, since a thread's storage goes with the thread, and the system need not tell us of the end of one
 * that first comes to the library while it ends. */
typedef struct thread_memory {
    _Alignas(HEED_ALIGNMENT) counters count; /* which makes the size a multiple of it */
    free_block *bins[HEED_CLASS_COUNT + 1];  /* the last is empty: of sizes that are too large */
    size_t cached_bytes;
    size_t cache_limit;
    const void *owner;                     /* the address of the thread's `self` */
    struct thread_memory *next, *previous; /* the list of living threads */
} thread_memory;

static thread_memory nobody; /* of a thread that is not in the list: keeps nothing, and is never written */
static _Thread_local thread_memory *self = &nobody;
static _Thread_local bool ending; /* the thread's end was seen: it does not join the list again */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and `ended` */
static thread_memory *living;
static counters ended; /* sums of the threads that are gone, and of those that are not in the list */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_made;
static _Atomic(void (*)(void)) thread_cleanup;

static const heed_allocator system_memory = {heed__system_alloc, heed__system_free, NULL};
static heed_allocator source = {heed__system_alloc, heed__system_free, NULL};

static int64_t load(_Atomic int64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static void bump(_Atomic int64_t *value, int64_t change)
{
    atomic_store_explicit(value, load(value) + change, memory_order_relaxed);
}

static void raise_to(_Atomic int64_t *peak, int64_t value)
{
    if (value > load(peak))
        atomic_store_explicit(peak, value, memory_order_relaxed);
}

/* -- Threads coming and going -- */

static void add_counters(counters *sum, counters *part)
{
    bump(&sum->objects, load(&part->objects));
    bump(&sum->bytes, load(&part->bytes));
    bump(&sum->peak_objects, load(&part->peak_objects));
    bump(&sum->peak_bytes, load(&part->peak_bytes));
    bump(&sum->system_calls, load(&part->system_calls));
}

static void restart_peak(counters *count)
{
    atomic_store_explicit(&count->peak_objects, load(&count->objects), memory_order_relaxed);
    atomic_store_explicit(&count->peak_bytes, load(&count->bytes), memory_order_relaxed);
}

/* Takes a record out of the list and frees it. Under the lock. */
static void retire(thread_memory *thread)
{
    if (thread->previous)
        thread->previous->next = thread->next;
    else
        living = thread->next;
    if (thread->next)
        thread->next->previous = thread->previous;
    restart_peak(&thread->count);
    add_counters(&ended, &thread->count);
    heed__system_free(thread, sizeof *thread, NULL);
}

static void clean_up(void)
{
    void (*cleanup)(void) = atomic_load(&thread_cleanup);
    if (cleanup)
        cleanup();
    heed_memory_trim();
}

/* Called again when another destructor has used the library since, which sets the key once more. */
static void thread_end(void *unused)
{
    (void)unused;
    clean_up();
    ending = true;
    if (self == &nobody)
        return;
    pthread_mutex_lock(&lock);
    retire(self);
    pthread_mutex_unlock(&lock);
    self = &nobody;
}

/* The main thread's key destructor does not run on exit(). */
__attribute__((destructor)) static void process_end(void)
{
    clean_up();
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
    heed__system_lock();
}

static void in_parent(void)
{
    heed__system_unlock();
    pthread_mutex_unlock(&lock);
}

/* The other threads are gone. */
static void in_child(void)
{
    heed__system_unlock();
    for (thread_memory *thread = living, *next; thread; thread = next) {
        next = thread->next;
        if (thread != self)
            retire(thread);
    }
    pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
    key_made = pthread_key_create(&key, thread_end) == 0 && pthread_atfork(before_fork, in_parent, in_child) == 0;
}

/* The record of a thread that ended unseen, at whose address this one lives. NULL if there is none. Under the lock. */
static thread_memory *find_abandoned(void)
{
    thread_memory *thread = living;
    while (thread && thread->owner != &self)
        thread = thread->next;
    return thread;
}

/* A new record in the list. NULL when there is no memory. Under the lock. */
static thread_memory *add_record(void)
{
    thread_memory *thread = heed__system_alloc(sizeof *thread, HEED_ALIGNMENT, NULL);
    if (!thread)
        return NULL;
    memset(thread, 0, sizeof *thread);
    thread->cache_limit = HEED_KEEP_BLOCKS ? DEFAULT_CACHE_LIMIT : 0;
    thread->owner = &self;
    thread->next = living;
    if (living)
        living->previous = thread;
    living = thread;
    return thread;
}

/* Sees to it that we are told of this thread's end, and gives it a record, unless that end was seen before. False when the
 * system has no room for that. */
static bool register_self(void)
{
    pthread_once(&key_once, make_key);
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
    pthread_once(&key_once, make_key); /* at load, before others have taken all keys */
}

/* -- The door -- */

static inline void add_block(counters *count, size_t bytes)
{
    int64_t objects = load(&count->objects) + 1, total = load(&count->bytes) + (int64_t)bytes;
    atomic_store_explicit(&count->objects, objects, memory_order_relaxed);
    atomic_store_explicit(&count->bytes, total, memory_order_relaxed);
    raise_to(&count->peak_objects, objects);
    raise_to(&count->peak_bytes, total);
}

static inline void take_block(counters *count, size_t bytes)
{
    bump(&count->objects, -1);
    bump(&count->bytes, -(int64_t)bytes);
}

/* The counters for this thread to write, until give_counters: its own, or those that are shared, under the lock. */
static counters *get_counters(void)
{
    if (self != &nobody)
        return &self->count;
    pthread_mutex_lock(&lock);
    return &ended;
}

static void give_counters(const counters *count)
{
    if (count == &ended)
        pthread_mutex_unlock(&lock);
}

HEED_RARE static void *alloc_from_source(const char *where, size_t size)
{
    void *block = NULL;
    if (size <= HEED_MAX_SIZE && (self != &nobody || register_self())) {
        size_t bytes = heed__class_of(size).bytes;
        block = source.alloc(bytes, HEED_ALIGNMENT, source.user);
        counters *count = get_counters();
        bump(&count->system_calls, 1);
        if (block)
            add_block(count, bytes);
        give_counters(count);
    }
    if (!block && !key_made)
        heed_fail(HEED_ERR_NOMEM, where, "no thread-specific key or fork handler is left in this process");
    else if (!block)
        heed_fail(HEED_ERR_NOMEM, where, "cannot allocate %zu bytes", size);
    return block;
}

void *heed__alloc(const char *where, size_t size)
{
    thread_memory *memory = self;
    const heed__size_class class = heed__class_of(size);
    free_block *cached = memory->bins[class.bin];
    if (!cached)
        return alloc_from_source(where, size);
    memory->bins[class.bin] = cached->next;
    memory->cached_bytes -= class.bytes;
    add_block(&memory->count, class.bytes);
    return cached;
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

/* For a block that the cache has no room for, or the first that this thread frees. */
HEED_RARE static void free_to_source(void *block, size_t bytes)
{
    if (self == &nobody)
        (void)register_self();
    counters *count = get_counters();
    take_block(count, bytes);
    give_counters(count);
    source.free(block, bytes, source.user);
}

void heed_free(void *block, size_t size)
{
    if (!block)
        return;
    thread_memory *memory = self;
    const heed__size_class class = heed__class_of(size);
    if (memory->cached_bytes + class.bytes > memory->cache_limit) { /* 0 until the thread is registered */
        free_to_source(block, class.bytes);
        return;
    }
    take_block(&memory->count, class.bytes);
    free_block *cached = block;
    cached->next = memory->bins[class.bin];
    memory->bins[class.bin] = cached;
    memory->cached_bytes += class.bytes;
}

/* -- Settings and figures -- */

void heed_memory_trim(void)
{
    for (int bin = 0; bin < HEED_CLASS_COUNT && self->cached_bytes > 0; bin++) {
        size_t bytes = heed__class_size(bin);
        while (self->bins[bin]) {
            free_block *block = self->bins[bin];
            self->bins[bin] = block->next;
            self->cached_bytes -= bytes;
            source.free(block, bytes, source.user);
        }
    }
}

size_t heed_memory_set_cache_limit(size_t bytes)
{
    if (self == &nobody)
        (void)register_self();
    if (self == &nobody)
        return 0;
    size_t old = self->cache_limit;
    self->cache_limit = bytes;
    if (self->cached_bytes > bytes)
        heed_memory_trim();
    return old;
}

heed_memory_stats heed_memory_get_stats(void)
{
    counters sum = {0};
    pthread_mutex_lock(&lock);
    add_counters(&sum, &ended);
    for (thread_memory *thread = living; thread; thread = thread->next)
        add_counters(&sum, &thread->count);
    pthread_mutex_unlock(&lock);
    return (heed_memory_stats){
        .live_objects = load(&sum.objects),
        .live_bytes = load(&sum.bytes),
        .peak_objects = load(&sum.peak_objects),
        .peak_bytes = load(&sum.peak_bytes),
        .cached_bytes = (int64_t)self->cached_bytes,
        .system_calls = load(&sum.system_calls),
    };
}

void heed_memory_reset_peak(void)
{
    pthread_mutex_lock(&lock);
    restart_peak(&ended);
    for (thread_memory *thread = living; thread; thread = thread->next)
        restart_peak(&thread->count);
    pthread_mutex_unlock(&lock);
}

heed_status heed_set_allocator(const heed_allocator *allocator)
{
    if (allocator && (!allocator->alloc || !allocator->free))
        return heed_fail(HEED_ERR_ARGUMENT, "set_allocator", "%s is NULL", allocator->alloc ? "free" : "alloc");
    int64_t live = heed_memory_get_stats().live_objects;
    if (live != 0)
        return heed_fail(HEED_ERR_STATE, "set_allocator", "%" PRId64 " blocks are in use", live);
    heed_memory_trim();
    source = allocator ? *allocator : system_memory;
    return HEED_OK;
}
