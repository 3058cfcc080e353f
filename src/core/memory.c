/* core/memory.c - the one door to memory: size classes, a cache of freed blocks per thread, counters.
 *
 * A size is rounded up to its class: multiples of 64 bytes to 512, then eight classes per power of two, so that at most
 * an eighth is lost. A freed block goes to its class's list in the freeing thread and is found again by the next
 * request of that class. Nothing else in the library calls malloc or free.
 */

#include "core/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "core/hint.h"

#define SMALL_CLASSES 8 /* 64, 128, ... 512 */
#define CLASS_COUNT (SMALL_CLASSES + 8 * 38)
#define MAX_SIZE ((size_t)1 << 46)
#define DEFAULT_CACHE_LIMIT ((size_t)256 << 20)

/* Under AddressSanitizer a cache would hide uses after free. */
#if defined(__SANITIZE_ADDRESS__)
#define CACHE_LIMIT_AT_START 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CACHE_LIMIT_AT_START 0
#endif
#endif
#ifndef CACHE_LIMIT_AT_START
#define CACHE_LIMIT_AT_START DEFAULT_CACHE_LIMIT
#endif

typedef struct free_block {
    struct free_block *next;
} free_block;

/* Counters are written by their own thread (a peak also by heed_memory_reset_peak) and read by any: relaxed atomics
 * without a locked instruction. A block
 * may be freed by another thread than its maker, so one thread's figures can be negative; their sums are right. */
typedef struct counters {
    _Atomic int64_t objects, bytes, peak_objects, peak_bytes, system_calls;
} counters;

typedef struct thread_memory {
    counters count;
    free_block *bins[CLASS_COUNT];
    size_t cached_bytes;
    size_t cache_limit;
    bool registered;
    struct thread_memory *next, *previous; /* the list of living threads */
} thread_memory;

static _Thread_local thread_memory self;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list, `ended` and thread_cleanup */
static thread_memory *living;
static counters ended; /* sums of the threads that are gone */
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

static void unlink_self(void)
{
    pthread_mutex_lock(&lock);
    if (self.previous)
        self.previous->next = self.next;
    else
        living = self.next;
    if (self.next)
        self.next->previous = self.previous;
    restart_peak(&self.count);
    add_counters(&ended, &self.count);
    memset(&self, 0, sizeof self);
    pthread_mutex_unlock(&lock);
}

static void thread_end(void *unused)
{
    (void)unused;
    void (*cleanup)(void) = atomic_load(&thread_cleanup);
    if (cleanup)
        cleanup();
    heed_memory_trim();
    if (self.registered)
        unlink_self();
}

/* The main thread's key destructor does not run on exit(). */
__attribute__((destructor)) static void process_end(void)
{
    void (*cleanup)(void) = atomic_load(&thread_cleanup);
    if (cleanup)
        cleanup();
    heed_memory_trim();
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

/* The other threads are gone, and their memory may become a new thread's: they must leave the list. */
static void in_child(void)
{
    for (thread_memory *thread = living; thread; thread = thread->next)
        if (thread != &self) {
            restart_peak(&thread->count);
            add_counters(&ended, &thread->count);
        }
    living = self.registered ? &self : NULL;
    self.next = self.previous = NULL;
    pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
    key_made = pthread_key_create(&key, thread_end) == 0 && pthread_atfork(before_fork, in_parent, in_child) == 0;
}

/* False when the system has no room to tell us of this thread's end. */
static bool register_self(void)
{
    pthread_once(&key_once, make_key);
    if (!key_made || pthread_setspecific(key, &self) != 0)
        return false;
    pthread_mutex_lock(&lock);
    self.cache_limit = CACHE_LIMIT_AT_START;
    self.registered = true;
    self.previous = NULL;
    self.next = living;
    if (living)
        living->previous = &self;
    living = &self;
    pthread_mutex_unlock(&lock);
    return true;
}

void heed__at_thread_end(void (*cleanup)(void))
{
    atomic_store(&thread_cleanup, cleanup);
    pthread_once(&key_once, make_key); /* at load, before others have taken all keys */
}

/* -- Size classes -- */

static int class_of(size_t size)
{
    if (size <= 512)
        return size == 0 ? 0 : (int)((size - 1) / 64);
    int exponent = 63 - __builtin_clzll((unsigned long long)(size - 1)); /* 2^exponent <= size - 1 < 2^(exponent + 1) */
    int eighth = (int)((size - 1) >> (exponent - 3)) - 8;
    return SMALL_CLASSES + 8 * (exponent - 9) + eighth;
}

static size_t class_size(int class)
{
    if (class < SMALL_CLASSES)
        return 64 * ((size_t) class + 1);
    int exponent = 9 + (class - SMALL_CLASSES) / 8;
    size_t eighth = (size_t)((class - SMALL_CLASSES) % 8);
    return (9 + eighth) << (exponent - 3);
}

/* -- The door -- */

static inline void count_block(size_t bytes)
{
    counters *count = &self.count;
    int64_t objects = load(&count->objects) + 1, total = load(&count->bytes) + (int64_t)bytes;
    atomic_store_explicit(&count->objects, objects, memory_order_relaxed);
    atomic_store_explicit(&count->bytes, total, memory_order_relaxed);
    raise_to(&count->peak_objects, objects);
    raise_to(&count->peak_bytes, total);
}

HEED_RARE static void *alloc_from_source(const char *where, size_t size)
{
    void *block = NULL;
    if (size <= MAX_SIZE && (self.registered || register_self())) {
        size_t bytes = class_size(class_of(size));
        block = source.alloc(bytes, HEED_ALIGNMENT, source.user);
        bump(&self.count.system_calls, 1);
        if (block)
            count_block(bytes);
    }
    if (!block && !key_made)
        heed_fail(HEED_ERR_NOMEM, where, "no thread-specific key or fork handler is left in this process");
    else if (!block)
        heed_fail(HEED_ERR_NOMEM, where, "cannot allocate %zu bytes", size);
    return block;
}

void *heed__alloc(const char *where, size_t size)
{
    int class = size <= MAX_SIZE ? class_of(size) : 0;
    free_block *cached = size <= MAX_SIZE ? self.bins[class] : NULL;
    if (!cached)
        return alloc_from_source(where, size);
    size_t bytes = class_size(class);
    self.bins[class] = cached->next;
    self.cached_bytes -= bytes;
    count_block(bytes);
    return cached;
}

void *heed_alloc(size_t size)
{
    return heed__alloc("alloc", size);
}

void *heed_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        heed_fail(HEED_ERR_NOMEM, "calloc", "cannot allocate %zu times %zu bytes", count, size);
        return NULL;
    }
    void *block = heed__alloc("calloc", bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

/* By a thread that cannot be registered. */
static void count_elsewhere(size_t bytes)
{
    pthread_mutex_lock(&lock);
    bump(&ended.objects, -1);
    bump(&ended.bytes, -(int64_t)bytes);
    pthread_mutex_unlock(&lock);
}

/* A block for which the cache has no room, or which is this thread's first. */
HEED_RARE static void free_to_source(void *block, size_t bytes)
{
    if (self.registered || register_self()) {
        bump(&self.count.objects, -1);
        bump(&self.count.bytes, -(int64_t)bytes);
    } else {
        count_elsewhere(bytes);
    }
    source.free(block, bytes, source.user);
}

void heed_free(void *block, size_t size)
{
    if (!block)
        return;
    int class = class_of(size);
    size_t bytes = class_size(class);
    if (self.cached_bytes + bytes > self.cache_limit) { /* 0 until the thread is registered */
        free_to_source(block, bytes);
        return;
    }
    bump(&self.count.objects, -1);
    bump(&self.count.bytes, -(int64_t)bytes);
    free_block *cached = block;
    cached->next = self.bins[class];
    self.bins[class] = cached;
    self.cached_bytes += bytes;
}

/* -- Settings and figures -- */

void heed_memory_trim(void)
{
    for (int class = 0; class < CLASS_COUNT && self.cached_bytes > 0; class ++) {
        size_t bytes = class_size(class);
        while (self.bins[class]) {
            free_block *block = self.bins[class];
            self.bins[class] = block->next;
            self.cached_bytes -= bytes;
            source.free(block, bytes, source.user);
        }
    }
}

size_t heed_memory_set_cache_limit(size_t bytes)
{
    if (!self.registered && !register_self())
        return 0;
    size_t old = self.cache_limit;
    self.cache_limit = bytes;
    if (self.cached_bytes > bytes)
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
        .cached_bytes = (int64_t)self.cached_bytes,
        .system_calls = load(&sum.system_calls),
    };
}

void heed_memory_reset_peak(void)
{
    pthread_mutex_lock(&lock);
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
        return heed_fail(HEED_ERR_STATE, "set_allocator", "%lld blocks are in use", (long long)live);
    heed_memory_trim();
    source = allocator ? *allocator : system_memory;
    return HEED_OK;
}
