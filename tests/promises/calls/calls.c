/* tests/promises/calls/calls.c - counts calls in memory that Check's child processes share with their parent, which
 * reports.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define _GNU_SOURCE /* on_exit, MAP_ANONYMOUS, dl_iterate_phdr */

#include "calls.h"

#include <fenv.h>
#include <limits.h>
#include <link.h>
#include <locale.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#define MAX_FUNCTIONS 1024
#define MAX_ARGUMENTS 40
#define MAX_CASES 1024 /* of one function; further cases are merged */
#define MAX_SITES 4096

typedef struct noted_function {
    int64_t calls, allocations, refusals, changed, misnamed;
    char message[HEED_ERROR_MESSAGE_MAX]; /* the first one without the function's name */
    int cases;
    uint32_t traits[MAX_ARGUMENTS];
    uint64_t hashes[MAX_CASES];
} noted_function;

typedef struct notes {
    int sites;
    const void *site[MAX_SITES];
    int64_t refusals;
    noted_function functions[MAX_FUNCTIONS];
} notes;

static notes *shared;
static pid_t parent;

/* Allocations are counted by process, so they are attributed to a call only if no thread was in another call at that
 * time. */
static atomic_int threads_inside;
static atomic_long meetings;
static _Thread_local int depth;

/* Held for a few instructions while a call is recorded. */
static atomic_flag noting = ATOMIC_FLAG_INIT;

static void lock_notes(void)
{
    while (atomic_flag_test_and_set(&noting)) {
    }
}

static void unlock_notes(void)
{
    atomic_flag_clear(&noting);
}

/* -- Arguments ---------------------------------------------------------------------------------------------------- */

static void mix(public_call *call, uint64_t value)
{
    call->hash = (call->hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    call->hash ^= call->hash >> 29;
}

static void note(public_call *call, uint32_t traits, uint64_t value)
{
    mix(call, ((uint64_t)traits << 32) ^ (uint64_t)call->arguments);
    mix(call, value);
    lock_notes();
    if (call->arguments < MAX_ARGUMENTS)
        shared->functions[call->function].traits[call->arguments] |= traits;
    unlock_notes();
    call->arguments++;
}

void call_skip(public_call *call, int arguments)
{
    call->arguments += arguments;
}

void call_pointer(public_call *call, bool present)
{
    note(call, present ? TRAIT_NOT_NULL : TRAIT_NULL, 0);
}

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 14695981039346656037u;
    for (; *text; text++)
        hash = (hash ^ (uint64_t)(unsigned char)*text) * 1099511628211u;
    return hash;
}

void call_text(public_call *call, const char *text)
{
    uint32_t traits = !text ? TRAIT_NULL : *text ? TRAIT_NOT_NULL : TRAIT_NOT_NULL | TRAIT_EMPTY;
    note(call, traits, text ? hash_text(text) : 0);
}

void call_bool(public_call *call, bool value)
{
    note(call, value ? TRAIT_TRUE : TRAIT_FALSE, 0);
}

void call_enum(public_call *call, long value, int count)
{
    note(call, value >= 0 && value < count ? TRAIT_INSIDE : TRAIT_OUTSIDE, (uint64_t)value);
}

void call_word(public_call *call, uint64_t value)
{
    note(call, value ? TRAIT_NOT_NULL : TRAIT_ZERO, value);
}

void call_int(public_call *call, int value)
{
    uint32_t traits = value == -1 ? TRAIT_NEGATIVE : value == 0 ? TRAIT_ZERO : 0;
    note(call, traits | (value == INT_MAX || value == INT_MIN ? TRAIT_2_31 : 0u), (uint64_t)value);
}

void call_int64(public_call *call, int64_t value)
{
    uint32_t traits = value == -1 ? TRAIT_NEGATIVE : value == 0 ? TRAIT_ZERO : 0;
    traits |= value >= INT64_C(1) << 62 ? TRAIT_2_62 : value >= INT64_C(1) << 31 ? TRAIT_2_31 : 0u;
    note(call, traits, (uint64_t)value);
}

void call_size(public_call *call, size_t value)
{
    uint32_t traits = value == 0 ? TRAIT_ZERO : value >= SIZE_MAX / 4 + 1 ? TRAIT_2_62 : value >> 31 ? TRAIT_2_31 : 0u;
    note(call, traits, value);
}

void call_real(public_call *call, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t traits = isnan(value) ? TRAIT_NAN : isinf(value) ? TRAIT_INFINITE : 0;
    note(call, traits | (value == 0.0 ? TRAIT_ZERO : value < 0.0 ? TRAIT_NEGATIVE : 0u), bits);
}

void call_shape(public_call *call, heed_shape shape)
{
    bool valid = shape.rank >= 0 && shape.rank <= HEED_MAX_RANK;
    uint32_t traits = valid ? 0 : TRAIT_BAD_RANK;
    uint64_t dims = 0;
    for (int i = 0; valid && i < shape.rank; i++) {
        traits |= shape.dims[i] < 0 ? TRAIT_NEGATIVE : shape.dims[i] == 0 ? TRAIT_EMPTY : 0u;
        dims = dims * 1000003 + (uint64_t)shape.dims[i];
    }
    note(call, traits, dims * 16 + (uint64_t)shape.rank);
}

/* Called for a function that takes any tensor, including a freed one, but not while an error is pending that does
 * not report it, nor inside a named function: clearing the error would then lose that. */
static bool is_freed(const heed_tensor *t)
{
    if (heed_error_code() != HEED_OK)
        return false;
    const heed_entry entry = heed_enter("numel", NULL);
    heed_leave(&entry);
    if (!entry.named)
        return false;
    (void)heed_numel(t);
    bool freed = heed_error_code() != HEED_OK;
    if (freed)
        heed_error_clear();
    return freed;
}

/* The properties of a tensor that distinguish cases: dtype, shape, strides, leaf or result. */
static uint64_t describe(const heed_tensor *t, uint32_t *traits)
{
    heed_shape shape = heed_shape_of(t);
    uint64_t text = (uint64_t)heed_requires_grad(t) * 2 + heed_is_leaf(t);
    for (int i = 0; i < shape.rank; i++)
        text = (text * 1000003 + (uint64_t)shape.dims[i]) * 1000003 + (uint64_t)heed_stride(t, i);
    *traits |= (uint32_t)TRAIT_F32 << heed_dtype_of(t);
    *traits |= (uint32_t)TRAIT_RANK_0 << (shape.rank < 3 ? shape.rank : 3);
    *traits |= heed_numel(t) == 0 ? TRAIT_EMPTY : 0u;
    *traits |= heed_is_contiguous(t) ? 0u : TRAIT_STRIDED;
    return text;
}

void call_tensor(public_call *call, const heed_tensor *t)
{
    uint32_t traits = t ? TRAIT_NOT_NULL : TRAIT_NULL;
    const bool freed = t && is_freed(t);
    uint64_t text = t && !freed ? describe(t, &traits) : 0;
    traits |= freed ? TRAIT_FREED : 0u;
    for (int i = 0; i < call->tensors; i++)
        if (t && call->tensor[i] == t) {
            traits |= TRAIT_ALIAS;
            text += (uint64_t)i + 1;
        }
    if (call->tensors < CALL_MAX_TENSORS)
        call->tensor[call->tensors++] = t;
    note(call, traits, text);
}

/* -- Calls -------------------------------------------------------------------------------------------------------- */

/* Rounding, flush to zero, masks of exceptions; without the flags that arithmetic raises. */
static unsigned arithmetic_mode(void)
{
#if defined(__x86_64__)
    return _mm_getcsr() & ~0x3Fu;
#else
    return (unsigned)fegetround();
#endif
}

static uint64_t locale_mode(void)
{
    const char *names = setlocale(LC_ALL, NULL);
    return hash_text(names ? names : "") ^ (uint64_t)(uintptr_t)uselocale((locale_t)0);
}

void call_threads_begin(void)
{
    atomic_fetch_add(&threads_inside, 1);
    atomic_fetch_add(&meetings, 1);
}

void call_threads_end(void)
{
    atomic_fetch_sub(&threads_inside, 1);
}

public_call call_begin(int function, const char *name)
{
    if (depth++ == 0 && atomic_fetch_add(&threads_inside, 1) > 0)
        atomic_fetch_add(&meetings, 1);
    long before = atomic_load(&meetings); /* read first: no thread enters unseen */
    return (public_call){.function = function,
                         .name = name,
                         .hash = 1,
                         .allocations = heed_memory_get_stats().system_calls,
                         .refusals = shared->refusals,
                         .meetings = atomic_load(&threads_inside) > 1 ? -1 : before,
                         .arithmetic = arithmetic_mode(),
                         .locale = locale_mode(),
                         .pending = heed_error_code() != HEED_OK};
}

static void add_case(noted_function *f, uint64_t hash)
{
    uint64_t slot = hash % MAX_CASES;
    while (f->hashes[slot] != 0 && f->hashes[slot] != hash)
        slot = (slot + 1) % MAX_CASES;
    if (f->hashes[slot] == 0) {
        f->hashes[slot] = hash;
        f->cases++;
    }
}

/* Only for a call by the program itself, not by one of its functions that the library called. */
static void check_message(noted_function *f, const public_call *call)
{
    const char *message = heed_error_message();
    size_t length = strlen(call->name);
    if (call->pending || heed_error_code() == HEED_OK ||
        (strncmp(message, call->name, length) == 0 && message[length] == ':'))
        return;
    if (f->misnamed++ == 0)
        memcpy(f->message, message, strlen(message) + 1);
}

void call_end(const public_call *call)
{
    noted_function *f = &shared->functions[call->function];
    lock_notes();
    f->calls++;
    if (call->meetings == atomic_load(&meetings))
        f->allocations += heed_memory_get_stats().system_calls - call->allocations;
    if (--depth == 0) {
        atomic_fetch_sub(&threads_inside, 1);
        check_message(f, call);
    }
    f->refusals += shared->refusals - call->refusals;
    f->changed += arithmetic_mode() != call->arithmetic || locale_mode() != call->locale;
    if (f->cases < MAX_CASES / 2)
        add_case(f, call->hash | 1);
    unlock_notes();
}

void call_refused(const void *site)
{
    lock_notes();
    shared->refusals++;
    int i = 0;
    while (i < shared->sites && shared->site[i] != site)
        i++;
    if (i == shared->sites && i < MAX_SITES && site)
        shared->site[shared->sites++] = site;
    unlock_notes();
}

/* -- The report --------------------------------------------------------------------------------------------------- */

static int find_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = (uintptr_t)info->dlpi_addr;
    return 1; /* the program itself comes first */
}

static void report_function(FILE *file, int i, const noted_function *f)
{
    (void)fprintf(file, "function %d %lld %lld %lld %lld", i, (long long)f->calls, (long long)f->allocations,
                  (long long)f->refusals, (long long)f->changed);
    for (int k = 0; k < MAX_ARGUMENTS; k++)
        (void)fprintf(file, " %x", (unsigned)f->traits[k]);
    for (int k = 0; k < MAX_CASES; k++)
        if (f->hashes[k])
            (void)fprintf(file, " %llx", (unsigned long long)f->hashes[k]);
    (void)fputc('\n', file);
    if (f->misnamed == 0)
        return;
    (void)fprintf(file, "misnamed %d %lld ", i, (long long)f->misnamed);
    for (const char *c = f->message; *c; c++)
        (void)fputc(*c >= ' ' && *c <= '~' ? *c : '?', file);
    (void)fputc('\n', file);
}

static void report(int status, void *unused)
{
    (void)unused;
    const char *path = getenv("HEED_CALLS_REPORT");
    FILE *file = getpid() == parent && path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    uintptr_t base = 0;
    (void)dl_iterate_phdr(find_base, &base);
    (void)fprintf(file, "status %d\n", status);
    for (int i = 0; i < shared->sites; i++)
        (void)fprintf(file, "site %llx\n", (unsigned long long)((uintptr_t)shared->site[i] - base));
    for (int i = 0; i < MAX_FUNCTIONS; i++)
        if (shared->functions[i].calls)
            report_function(file, i, &shared->functions[i]);
    (void)fclose(file);
}

__attribute__((constructor)) static void start(void)
{
    parent = getpid();
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        abort();
    (void)on_exit(report, NULL);
}
