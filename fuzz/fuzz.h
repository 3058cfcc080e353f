/* fuzz/fuzz.h - what a fuzz target is, and what it may use.
 *
 * A target is a file that defines fuzz_target: it reads an input's bytes as it likes and uses the library, which must
 * succeed or fail cleanly. fuzz.c runs it on each input, lets allocations fail as the input's first byte says, and
 * requires that nothing stays behind. The inputs are made by libFuzzer (preset fuzz), or by replay.c: files of a
 * corpus, and mutations of them.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include <heed/heed.h>

/* Ends the process, which is how a finding is reported; also in builds without assert. */
#define FUZZ_CHECK(condition)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            (void)fprintf(stderr, "%s:%d: %s: does not hold; the error is: %s\n", __FILE__, __LINE__, #condition,      \
                          heed_error_message());                                                                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Bytes still to be read. */
typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t size;
} fuzz_input;

/* What one input makes happen. */
void fuzz_target(fuzz_input in);

/* libFuzzer's name for it: one input, with the checks before and after. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The next byte, 0 when there is none left; and one of low .. high, at most 256 of them. */
uint8_t fuzz_byte(fuzz_input *in);
int64_t fuzz_pick(fuzz_input *in, int64_t low, int64_t high);

/* A number that is likely to be awkward: small ones, and near the ends of the integer types. */
int64_t fuzz_int(fuzz_input *in);

/* The same among the floats, NaN and infinity included. */
double fuzz_double(fuzz_input *in);

/* After each call of the library: an error is pending exactly when it failed, with a code, a name and a text. Clears
 * it; returns `succeeded`. */
bool fuzz_outcome(bool succeeded);

/* Whether an allocation was refused since the last fuzz_outcome, and the most bytes that were in use or asked for
 * besides since the input's beginning. Blocks above FUZZ_MAX_BLOCK, or beyond FUZZ_MAX_LIVE in all, are always
 * refused. */
#define FUZZ_MAX_BLOCK ((size_t)1 << 20)
#define FUZZ_MAX_LIVE ((size_t)64 << 20)
bool fuzz_refused(void);
bool fuzz_may_refuse(void); /* whether one is to fail, or did */
size_t fuzz_peak(void);

/* Between the two no allocation is made to fail, and none is counted: for what a target prepares and looks at. */
void fuzz_pause(void);
void fuzz_go_on(void);

/* If an allocation is to fail, it is the one n later: for calls that need more of them than a first byte can count. */
void fuzz_fail_later(long n);

/* After a call, before fuzz_outcome: false when it was not refused memory. If it was, it must have failed, by
 * HEED_ERR_NOMEM; clears that, and from here on no allocation is made to fail: the call is to be made again. */
bool fuzz_try_again(bool succeeded);

/* Whether a and b are equal, NaN and NaN included. */
bool fuzz_same(double a, double b);

#endif
