/* tests/fuzz/fuzz.h - the interface of a fuzz target, and the helpers that it may use.
 *
 * A target is a file that defines fuzz_target: it reads an input's bytes as it likes and uses the library, which
 * must succeed or fail cleanly. fuzz.c runs it on every input, makes allocations fail as the input's first byte
 * says, and requires that no object stays alive. The inputs are made by libFuzzer (preset fuzz), or by replay.c:
 * files of a corpus, and mutations of them.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include <heed/heed.h>

/* Ends the process, which reports a finding; also in builds without assert. */
#define FUZZ_CHECK(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: %s: does not hold; the error is: %s\n", __FILE__, __LINE__, #condition,      \
                          heed_error_message());                                                                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Remaining bytes. */
typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t size;
} fuzz_input;

/* Runs one input. */
void fuzz_target(fuzz_input in);

/* libFuzzer's entry point: one input, with the checks before and after. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The next byte, or 0 at the end; and a number of low .. high, at most 256 values. */
uint8_t fuzz_byte(fuzz_input *in);
int64_t fuzz_pick(fuzz_input *in, int64_t low, int64_t high);

/* A number, often an edge case: small, or near the ends of the integer types. */
int64_t fuzz_int(fuzz_input *in);

/* The same for floats, NaN and infinity included. */
double fuzz_double(fuzz_input *in);

/* After a call of the library, checks that an error is pending exactly if the call failed, with a code, a name and a
 * text. Clears it; returns `succeeded`. */
bool fuzz_outcome(bool succeeded);

/* Whether an allocation was refused since the last fuzz_outcome, and the peak of bytes in use plus requested since
 * the start of the input. Blocks above FUZZ_MAX_BLOCK, or beyond FUZZ_MAX_LIVE in total, are always refused. */
#define FUZZ_MAX_BLOCK ((size_t)1 << 20)
#define FUZZ_MAX_LIVE ((size_t)64 << 20)
bool fuzz_refused(void);
bool fuzz_may_refuse(void); /* whether one will fail, or did */
size_t fuzz_peak(void);

/* Between the two calls no allocation fails or is counted: for a target's preparations and checks. */
void fuzz_pause(void);
void fuzz_go_on(void);

/* Delays the planned failure by n allocations: for calls that make more of them than a first byte can count. */
void fuzz_fail_later(long n);

/* After a call, before fuzz_outcome: returns false if no allocation was refused. Otherwise the call must have failed
 * with HEED_ERR_NOMEM; clears that error, and from here on no allocation fails: repeat the call. */
bool fuzz_try_again(bool succeeded);

/* Whether a and b are equal; NaN equals NaN. */
bool fuzz_same(double a, double b);

#endif
