/* tests/promises/calls/calls.h - records the calls that a test makes of public functions.
 *
 * calls.py reads the public headers and writes public_calls.h: for every function a wrapper of the same signature,
 * which passes its arguments to the functions below, and a macro that replaces the function with the wrapper. A test
 * program built with heed_count_calls (tests/promises/calls/calls.cmake) thus counts its calls without changes to
 * its source, and writes a report at its end to the file in the environment variable HEED_CALLS_REPORT.
 *
 * A case is a new combination of arguments: NULL or not, the numbers, the texts, the shape, dtype and layout of
 * tensors and which of them are the same one, but not their contents. Calls must not change the locale and the mode
 * of floating-point arithmetic, and their errors must begin with the function's name.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_CALLS_H
#define HEED_TESTS_CALLS_H

#include <heed/heed.h>

/* The observed properties of one argument: bits, whose meaning depends on its kind. calls.py has the same list. */
enum {
    TRAIT_NULL = 1 << 0, /* pointers, texts, tensors */
    TRAIT_NOT_NULL = 1 << 1,
    TRAIT_F32 = 1 << 2, /* tensors: 1 << (2 + dtype) */
    TRAIT_RANK_0 = 1 << 6,
    TRAIT_RANK_1 = 1 << 7,
    TRAIT_RANK_2 = 1 << 8,
    TRAIT_RANK_MORE = 1 << 9,
    TRAIT_EMPTY = 1 << 10, /* also a shape with a 0, and an empty text */
    TRAIT_STRIDED = 1 << 11,
    TRAIT_ALIAS = 1 << 12,    /* also an earlier argument */
    TRAIT_NEGATIVE = 1 << 13, /* -1 for an integer; a number below 0; a negative dim */
    TRAIT_ZERO = 1 << 14,
    TRAIT_2_31 = 1 << 15, /* 2^31 or more; INT_MAX or INT_MIN for an int */
    TRAIT_2_62 = 1 << 16,
    TRAIT_NAN = 1 << 17,
    TRAIT_INFINITE = 1 << 18,
    TRAIT_INSIDE = 1 << 19, /* enums */
    TRAIT_OUTSIDE = 1 << 20,
    TRAIT_FALSE = 1 << 21,
    TRAIT_TRUE = 1 << 22,
    TRAIT_BAD_RANK = 1 << 23,
    TRAIT_FREED = 1 << 24, /* a freed tensor */
};

#define CALL_MAX_TENSORS 8

/* One call in progress. */
typedef struct public_call {
    int function;
    const char *name; /* without heed_ */
    int arguments;    /* recorded so far */
    uint64_t hash;    /* of the recorded arguments */
    int tensors;
    const heed_tensor *tensor[CALL_MAX_TENSORS];
    int64_t allocations, refusals; /* before it */
    long meetings;
    unsigned arithmetic;
    uint64_t locale;
    bool pending; /* an error, before it */
} public_call;

/* While the library's own threads may allocate, as the readers of a loader do, allocations are not attributed to the
 * functions that the program calls. */
void call_threads_begin(void);
void call_threads_end(void);

public_call call_begin(int function, const char *name);
void call_end(const public_call *call);

void call_pointer(public_call *call, bool present);
void call_text(public_call *call, const char *text);
void call_tensor(public_call *call, const heed_tensor *t);
void call_int(public_call *call, int value);
void call_int64(public_call *call, int64_t value);
void call_size(public_call *call, size_t value);
void call_word(public_call *call, uint64_t value);
void call_real(public_call *call, double value);
void call_enum(public_call *call, long value, int count);
void call_bool(public_call *call, bool value);
void call_shape(public_call *call, heed_shape shape);

/* Records nothing for the `arguments` fields of options that are NULL, but counts them, so that the next argument keeps
 * its number. */
void call_skip(public_call *call, int arguments);

/* For an allocator that fails on demand: it has just refused the request of the call at that address. */
void call_refused(const void *site);

#endif
