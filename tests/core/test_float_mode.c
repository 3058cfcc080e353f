/* tests/core/test_float_mode.c - tests that the caller's floating-point mode applies in all threads: results have the
 * same bits for any number of threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from.h"
#include "hash.h"

#include <fenv.h>
#include <stdint.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

enum { NEAREST, UPWARD, DOWNWARD, FLUSHED, MODES };
static const int thread_counts[] = {1, 2, 3, 8};
enum { COUNTS = sizeof thread_counts / sizeof thread_counts[0], MAX_THREADS = 8 };

static void set_mode(int mode)
{
    (void)fesetround(mode == UPWARD ? FE_UPWARD : mode == DOWNWARD ? FE_DOWNWARD : FE_TONEAREST);
#ifdef __SSE2__
    enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };
    unsigned flags = FLUSH_TO_ZERO | DENORMALS_ARE_ZERO;
    _mm_setcsr(mode == FLUSHED ? _mm_getcsr() | flags : _mm_getcsr() & ~flags);
#endif
}

/* Returns a hash over an elementwise op, a product, a reduction, rows, attention, kernel regression and a gradient.
 * Some of their numbers are denormal, and all are large enough for threads. */
static uint64_t compute(heed_dtype dtype)
{
    heed_scope *scope = heed_scope_begin();
    heed_generator *generator = heed_generator_new(7);
    double small = dtype == HEED_F32 ? 1e-38 : 1e-307;
    uint64_t hash = HASH_BEGIN;
    heed_tensor *x = FROM(generator, heed_randn(dtype, HEED_SHAPE(4, 300, 200)));
    heed_tensor *tiny = heed_mul_scalar(x, small), *rows = heed_reshape(x, HEED_SHAPE(1200, 200));
    hash = hash_tensor(hash, tiny);
    hash = hash_tensor(hash, heed_mul(tiny, x));
    hash = hash_tensor(hash, heed_bmm_t(tiny, false, x, true));
    hash = hash_tensor(hash, heed_sum_axes(heed_reshape(tiny, HEED_SHAPE(1200, 200)), HEED_AXES(0), false));
    hash = hash_tensor(hash, heed_softmax(heed_mul_scalar(x, 40), -1));
    hash = hash_tensor(hash, heed_dot_product_attention(x, x, tiny, NULL, NULL));
    heed_tensor *keys = heed_contiguous(heed_select(heed_transpose(rows, 0, 1), 0, 0));
    heed_tensor *width = heed_full(dtype, HEED_SHAPE(1), 5);
    hash = hash_tensor(hash, heed_kernel_regression(keys, keys, keys, width, NULL, NULL));
    heed_tensor *w = heed_set_requires_grad(heed_ones(dtype, HEED_SHAPE(200, 200)), true), *dw = NULL;
    heed_tensor *loss = heed_sum(heed_linear(tiny, w, NULL));
    ck_assert_int_eq(heed_grad(&loss, 1, &w, 1, &dw, NULL), HEED_OK);
    hash = hash_tensor(hash, dw);
    heed_generator_free(generator);
    heed_scope_end(scope);
    return hash;
}

/* The worker threads start, in the mode of the process, before the caller changes its own mode. */
START_TEST(same_bits_in_every_mode)
{
    uint64_t hashes[MODES][2];
    ck_assert_int_eq(heed_set_num_threads(MAX_THREADS), HEED_OK);
    (void)compute(HEED_F32);
    for (int mode = 0; mode < MODES; mode++)
        for (int d = 0; d < 2; d++)
            for (int i = 0; i < COUNTS; i++) {
                heed_dtype dtype = d == 0 ? HEED_F32 : HEED_F64;
                ck_assert_int_eq(heed_set_num_threads(thread_counts[i]), HEED_OK);
                set_mode(mode);
                uint64_t hash = compute(dtype);
                set_mode(NEAREST);
                hashes[mode][d] = i == 0 ? hash : hashes[mode][d];
                ck_assert_msg(hash == hashes[mode][d], "%s, mode %d: %d threads give other bits than 1",
                              heed_dtype_name(dtype), mode, thread_counts[i]);
            }
    for (int d = 0; d < 2; d++)
        for (int mode = UPWARD; mode < MODES; mode++)
#ifndef __SSE2__
            if (mode != FLUSHED)
#endif
                ck_assert_msg(hashes[mode][d] != hashes[NEAREST][d], "mode %d changes nothing", mode);
}
END_TEST

HEED_TEST_MAIN("modes of floating-point arithmetic", same_bits_in_every_mode)
