/* core/memory.c - allocates all memory of the library: size classes, a cache of freed blocks per thread, counters.
 *
 * A freed block goes to the list of its size class in the freeing thread, and that thread's next request of the class
 * reuses it. Only core/allocator.c, with the default allocator, calls the C library's allocator.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/memory.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "core/instrumentation.h"
#include "system/system.h"

#define DEFAULT_CACHE_LIMIT ((size_t)256 << 20)

/* -- Size classes -- */

/* Multiples of 64 bytes to 512, then eight classes per power of two, which waste at most an eighth. */
#define SMALL_CLASSES 8 /* 64, 128, ... 512 */
#define CLASS_COUNT (SMALL_CLASSES + 8 * 38)
#if SIZE_MAX > UINT32_MAX
#define MAX_SIZE ((size_t)1 << 46)
#else
#define MAX_SIZE ((size_t)1 << 30)
#endif

static inline size_t class_size(int bin)
{
    if (bin < SMALL_CLASSES)
        return 64 * ((size_t)bin + 1);
    int exponent = 9 + (bin - SMALL_CLASSES) / 8;
    size_t eighth = (size_t)((bin - SMALL_CLASSES) % 8);
    return (9 + eighth) << (exponent - 3);
}

typedef struct size_class {
    int bin; /* CLASS_COUNT, an invalid class, for sizes above MAX_SIZE */
    size_t bytes;
} size_class;

static inline size_class class_of(size_t size)
{
    if (size <= 512) {
        size_t bin = (size - (size > 0)) / 64;
        return (size_class){(int)bin, 64 * (bin + 1)};
    }
    if (size > MAX_SIZE)
        return (size_class){CLASS_COUNT, size};
    int exponent = 63 - __builtin_clzll((unsigned long long)(size - 1)); /* 2^exponent <= size - 1 < 2^(exponent + 1) */
    int eighth = (int)((size - 1) >> (exponent - 3)) - 8;
    int bin = SMALL_CLASSES + 8 * (exponent - 9) + eighth;
    return (size_class){bin, class_size(bin)};
}

/* -- Counters of blocks and bytes in use -- */

/* Counters are written by their own thread (a peak also by heed_memory_reset_peak) and read by any thread. They are
 * relaxed atomics without a locked instruction. One thread may free a block that a different thread allocated, so one
 * thread's counters can be negative; the sums over all threads are right. */
typedef struct counters {
    _Atomic int64_t objects, bytes, peak_objects, peak_bytes, system_calls;
} counters;

static inline int64_t load_counter(_Atomic int64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static inline void bump_counter(_Atomic int64_t *value, int64_t change)
{
    atomic_store_explicit(value, load_counter(value) + change, memory_order_relaxed);
}

static inline void raise_counter(_Atomic int64_t *peak, int64_t value)
{
    if (value > load_counter(peak))
        atomic_store_explicit(peak, value, memory_order_relaxed);
}

static inline void add_counters(counters *sum, counters *part)
{
    bump_counter(&sum->objects, load_counter(&part->objects));
    bump_counter(&sum->bytes, load_counter(&part->bytes));
    bump_counter(&sum->peak_objects, load_counter(&part->peak_objects));
    bump_counter(&sum->peak_bytes, load_counter(&part->peak_bytes));
    bump_counter(&sum->system_calls, load_counter(&part->system_calls));
}

static inline void restart_peaks(counters *count)
{
    atomic_store_explicit(&count->peak_objects, load_counter(&count->objects), memory_order_relaxed);
    atomic_store_explicit(&count->peak_bytes, load_counter(&count->bytes), memory_order_relaxed);
}

static inline void count_block(counters *count, size_t bytes)
{
    int64_t objects = load_counter(&count->objects) + 1, total = load_counter(&count->bytes) + (int64_t)bytes;
    atomic_store_explicit(&count->objects, objects, memory_order_relaxed);
    atomic_store_explicit(&count->bytes, total, memory_order_relaxed);
    raise_counter(&count->peak_objects, objects);
    raise_counter(&count->peak_bytes, total);
}

static inline void uncount_block(counters *count, size_t bytes)
{
    bump_counter(&count->objects, -1);
    bump_counter(&count->bytes, -(int64_t)bytes);
}

/* -- Records of threads -- */

typedef struct free_block {
    struct free_block *next;
} free_block;

/* A thread's record. It is a separate block because thread-local storage is freed with the thread, and the system need
 * not report the end of a thread whose first call of the library comes while it ends. */
typedef struct thread_memory {
    _Alignas(HEED_ALIGNMENT) counters count; /* the alignment makes the size a multiple of it */
    free_block *bins[CLASS_COUNT + 1];       /* the last list, for excessive sizes, is always empty */
    size_t cached_bytes;
    atomic_size_t cache_limit;             /* the limit in effect; 0 in debug mode, which any thread may begin */
    size_t configured_limit;               /* the limit outside debug mode */
    const void *owner;                     /* the address of the thread's `self` */
    struct thread_memory *next, *previous; /* the list of living threads */
} thread_memory;

static thread_memory unregistered; /* shared by all threads not in `registered`; caches nothing, never written */
static _Thread_local thread_memory *self = &unregistered;
static _Thread_local bool ending; /* thread_end has run: the thread is not registered again */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards `registered` and `ended` */
static thread_memory *registered;                        /* the list of living threads */
static counters ended; /* sums over ended threads and threads that are not registered */
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
    restart_peaks(&thread->count);
    add_counters(&ended, &thread->count);
    heed__system_free(thread, sizeof *thread, NULL);
}

static void clean_up_memory(void)
{
    void (*cleanup)(void) = atomic_load(&thread_cleanup);
    if (cleanup)
        cleanup();
    heed__memory_trim();
}

/* Runs again if another destructor has used the library in the meantime, which sets the key once more. */
static void thread_end(void *unused)
{
    (void)unused;
    clean_up_memory();
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
    clean_up_memory();
    const heed__debugger *debugger = heed__debugger_if_on();
    if (debugger)
        debugger->process_ends();
}

static void memory_before_fork(void)
{
    pthread_mutex_lock(&lock);
    heed__instrumentation_lock();
    heed__system_lock();
}

static void memory_in_parent(void)
{
    heed__system_unlock();
    heed__instrumentation_unlock();
    pthread_mutex_unlock(&lock);
}

/* The other threads do not exist in the child. */
static void memory_in_child(void)
{
    heed__system_unlock();
    heed__instrumentation_unlock();
    for (thread_memory *thread = registered, *next; thread; thread = next) {
        next = thread->next;
        if (thread != self)
            retire(thread);
    }
    pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
    key_made = pthread_key_create(&key, thread_end) == 0 &&
               heed__at_fork(memory_before_fork, memory_in_parent, memory_in_child);
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
    set_limit(thread, !heed__debugger_if_on());
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
    thread_memory *thread = registered; /* of a thread that ended unnoticed and whose `self` had this address */
    while (thread && thread->owner != &self)
        thread = thread->next;
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
static counters *acquire_counters(void)
{
    if (self != &unregistered)
        return &self->count;
    pthread_mutex_lock(&lock);
    return &ended;
}

static void release_counters(const counters *count)
{
    if (count == &ended)
        pthread_mutex_unlock(&lock);
}

HEED_COLD static void *alloc_uncached(const char *where, size_t size, heed__block_kind kind)
{
    void *block = NULL;
    if (size <= MAX_SIZE && (self != &unregistered || register_self())) {
        size_t bytes = class_of(size).bytes;
        block = heed__allocator_alloc(bytes);
        counters *count = acquire_counters();
        bump_counter(&count->system_calls, 1);
        if (block)
            count_block(count, bytes);
        release_counters(count);
        const heed__debugger *debugger = heed__debugger_if_on();
        if (block && debugger)
            debugger->allocated(block, bytes, kind, where);
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
    const size_class class = class_of(size);
    free_block *cached = memory->bins[class.bin];
    if (!cached)
        return alloc_uncached(where, size, kind);
    memory->bins[class.bin] = cached->next;
    memory->cached_bytes -= class.bytes;
    count_block(&memory->count, class.bytes);
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
    const heed__debugger *debugger = heed__debugger_if_on();
    if (debugger && !debugger->may_free(block, bytes))
        return;
    counters *count = acquire_counters();
    uncount_block(count, bytes);
    release_counters(count);
    if (debugger)
        debugger->quarantine(block, bytes);
    else
        heed__allocator_free(block, bytes);
}

void heed_free(void *block, size_t size)
{
    if (!block)
        return;
    thread_memory *memory = self;
    const size_class class = class_of(size);
    const size_t limit = atomic_load_explicit(&memory->cache_limit, memory_order_relaxed);
    if (memory->cached_bytes + class.bytes > limit) { /* the limit is 0 until the thread is registered */
        free_uncached(block, class.bytes);
        return;
    }
    uncount_block(&memory->count, class.bytes);
    free_block *cached = block;
    cached->next = memory->bins[class.bin];
    memory->bins[class.bin] = cached;
    memory->cached_bytes += class.bytes;
}

/* -- Settings and statistics -- */

void heed__memory_trim(void)
{
    for (int bin = 0; bin < CLASS_COUNT && self->cached_bytes > 0; bin++) {
        size_t bytes = class_size(bin);
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
    set_limit(self, !heed__debugger_if_on());
    pthread_mutex_unlock(&lock);
    if (self->cached_bytes > bytes)
        heed__memory_trim();
    return old;
}

void heed__memory_set_caching(bool on)
{
    pthread_mutex_lock(&lock);
    for (thread_memory *thread = registered; thread; thread = thread->next)
        set_limit(thread, on);
    pthread_mutex_unlock(&lock);
    if (!on)
        heed__memory_trim();
}

heed_memory_stats heed_memory_get_stats(void)
{
    counters sum = {0};
    pthread_mutex_lock(&lock);
    add_counters(&sum, &ended);
    for (thread_memory *thread = registered; thread; thread = thread->next)
        add_counters(&sum, &thread->count);
    pthread_mutex_unlock(&lock);
    return (heed_memory_stats){
        .live_objects = load_counter(&sum.objects),
        .live_bytes = load_counter(&sum.bytes),
        .peak_objects = load_counter(&sum.peak_objects),
        .peak_bytes = load_counter(&sum.peak_bytes),
        .cached_bytes = (int64_t)self->cached_bytes,
        .system_calls = load_counter(&sum.system_calls),
    };
}

void heed_memory_reset_peak(void)
{
    pthread_mutex_lock(&lock);
    restart_peaks(&ended);
    for (thread_memory *thread = registered; thread; thread = thread->next)
        restart_peaks(&thread->count);
    pthread_mutex_unlock(&lock);
}
