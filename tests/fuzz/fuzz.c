/* tests/fuzz/fuzz.c - runs one input: allocations fail, and no object may be left.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fuzz.h"

#include <math.h>
#include <string.h>

/* -- Memory ----------------------------------------------------------------------------------------------------- */

static struct {
    long count;   /* allocations of this input */
    long fail_at; /* the number of the failing allocation; 0: all succeed */
    bool from_then_on, refused, paused;
    size_t live, peak;
} memory;

static void *take(size_t size, size_t alignment, void *user)
{
    (void)user;
    memory.count += !memory.paused;
    if (memory.live + size > memory.peak)
        memory.peak = memory.live + size;
    bool fails = memory.fail_at > 0 && !memory.paused &&
                 (memory.count == memory.fail_at || (memory.from_then_on && memory.count > memory.fail_at));
    bool fits = size <= FUZZ_MAX_BLOCK && memory.live + size <= FUZZ_MAX_LIVE;
    void *block = fails || !fits ? NULL : aligned_alloc(alignment, size);
    memory.refused = memory.refused || !block;
    memory.live += block ? size : 0;
    return block;
}

static void give(void *block, size_t size, void *user)
{
    (void)user;
    memory.live -= size;
    free(block);
}

/* 0 .. 127: all succeed; 128 .. 191: number 1 .. 64 fails; 192 .. 255: number 1 .. 64 and all later ones fail. */
static void begin_memory(uint8_t plan)
{
    memory.count = 0;
    memory.fail_at = plan < 128 ? 0 : 1 + plan % 64;
    memory.from_then_on = plan >= 192;
    memory.refused = memory.paused = false;
    memory.live = memory.peak = 0;
}

bool fuzz_refused(void)
{
    return memory.refused;
}

bool fuzz_may_refuse(void)
{
    return memory.fail_at > 0;
}

size_t fuzz_peak(void)
{
    return memory.peak;
}

void fuzz_pause(void)
{
    memory.paused = true;
}

void fuzz_go_on(void)
{
    memory.paused = false;
}

void fuzz_fail_later(long n)
{
    memory.fail_at += memory.fail_at > 0 ? n : 0;
}

bool fuzz_try_again(bool succeeded)
{
    if (!memory.refused)
        return false;
    FUZZ_CHECK(!succeeded && heed_error_code() == HEED_ERR_NOMEM);
    heed_error_clear();
    memory.refused = false;
    memory.fail_at = 0;
    return true;
}

/* -- Bytes ------------------------------------------------------------------------------------------------------ */

uint8_t fuzz_byte(fuzz_input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->bytes++;
}

int64_t fuzz_pick(fuzz_input *in, int64_t low, int64_t high)
{
    return low + fuzz_byte(in) % (high - low + 1);
}

int64_t fuzz_int(fuzz_input *in)
{
    static const int64_t awkward[] = {
        INT64_MIN,
        INT64_MIN + 1,
        INT64_MAX,
        INT64_MAX - 1,
        INT64_C(1) << 62,
        INT64_C(1) << 32,
        INT64_C(1) << 31,
        INT32_MAX,
        -(INT64_C(1) << 32),
        INT64_C(1) << 20,
        1000,
        -1000,
    };
    const int n_awkward = sizeof awkward / sizeof awkward[0];
    int byte = fuzz_byte(in);
    return byte < 256 - n_awkward ? byte % 12 - 4 : awkward[255 - byte];
}

double fuzz_double(fuzz_input *in)
{
    static const double awkward[] = {
        (double)NAN, (double)INFINITY, -(double)INFINITY, -0.0, 1e-320, 1e308, -1e308, 1e38, 1e-45, 0x1p63,
        1e10,        0x1p-60,
    };
    const int n_awkward = sizeof awkward / sizeof awkward[0];
    int byte = fuzz_byte(in);
    return byte < 256 - n_awkward ? (byte % 61 - 20) / 8.0 : awkward[255 - byte];
}

bool fuzz_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* -- Errors ----------------------------------------------------------------------------------------------------- */

bool fuzz_outcome(bool succeeded)
{
    heed_status code = heed_error_code();
    memory.refused = false;
    FUZZ_CHECK(succeeded == (code == HEED_OK));
    if (succeeded)
        return true;
    FUZZ_CHECK(code > HEED_OK && code <= HEED_ERR_FORMAT);
    const char *message = heed_error_message(), *colon = strstr(message, ": ");
    FUZZ_CHECK(colon > message && colon[2] != '\0' && strlen(message) < HEED_ERROR_MESSAGE_MAX);
    heed_error_clear();
    return false;
}

/* -- One input -------------------------------------------------------------------------------------------------- */

static void prepare_once(void)
{
    static bool prepared;
    if (prepared)
        return;
    prepared = true;
    (void)heed_set_num_threads(1);
    (void)heed_memory_set_cache_limit(0); /* so that every allocation reaches this allocator */
    FUZZ_CHECK(heed_set_allocator(&(heed_allocator){take, give, NULL}) == HEED_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    prepare_once();
    fuzz_input in = {bytes, size};
    begin_memory(fuzz_byte(&in));
    heed_manual_seed(1);
    fuzz_target(in);
    FUZZ_CHECK(heed_error_code() == HEED_OK);
    heed_thread_cleanup();
    heed_memory_stats stats = heed_memory_get_stats();
    FUZZ_CHECK(stats.live_objects == 0 && stats.live_bytes == 0 && memory.live == 0);
    return 0;
}
