/* tests/promises/calls/calls.h - what is noted of each call that a test makes of a public function.
 *
 * calls.py reads the public headers and writes public_calls.h: for each function a wrapper of the same signature that
 * tells its arguments to what is below, and a macro that puts the wrapper in the function's place. A test program built
 * with heed_count_calls (tests/promises/calls/calls.cmake) so counts its calls without knowing of it, and writes a
 * report when it ends, where the environment variable HEED_CALLS_REPORT says.
 *
 * A case is a combination of arguments that was not there before: NULL or not, the numbers, the words, the shape, dtype
 * and layout of tensors and which of them are the same one; not what is in them. Calls must leave the locale and the
 * mode of floating-point arithmetic as they were, and an error of theirs must begin with the function's name.
 */
#ifndef HEED_TESTS_CALLS_H
#define HEED_TESTS_CALLS_H

#include <heed/heed.h>

/* What has been seen of one argument: bits, whose meaning depends on its kind. calls.py has the same list. */
enum {
    SEEN_NULL = 1 << 0, /* pointers, words, tensors */
    SEEN_THERE = 1 << 1,
    SEEN_F32 = 1 << 2, /* tensors: 1 << (2 + dtype) */
    SEEN_RANK_0 = 1 << 6,
    SEEN_RANK_1 = 1 << 7,
    SEEN_RANK_2 = 1 << 8,
    SEEN_RANK_MORE = 1 << 9,
    SEEN_EMPTY = 1 << 10, /* also a shape with a 0, and an empty word */
    SEEN_STRIDED = 1 << 11,
    SEEN_ALIAS = 1 << 12,    /* a tensor that is also an argument before this one */
    SEEN_NEGATIVE = 1 << 13, /* -1 of an integer; a number below 0; a negative dim */
    SEEN_ZERO = 1 << 14,
    SEEN_2_31 = 1 << 15, /* 2^31 or more; of an int, INT_MAX or INT_MIN */
    SEEN_2_62 = 1 << 16,
    SEEN_NAN = 1 << 17,
    SEEN_INFINITE = 1 << 18,
    SEEN_INSIDE = 1 << 19, /* enums */
    SEEN_OUTSIDE = 1 << 20,
    SEEN_FALSE = 1 << 21,
    SEEN_TRUE = 1 << 22,
    SEEN_BAD_RANK = 1 << 23,
    SEEN_FREED = 1 << 24, /* a tensor that is not one any more */
};

#define CALL_MAX_TENSORS 8

/* One call under way. */
typedef struct public_call {
    int function;
    const char *name; /* without heed_ */
    int arguments;    /* noted so far */
    uint64_t hash;    /* of what was noted */
    int tensors;
    const heed_tensor *tensor[CALL_MAX_TENSORS];
    int64_t allocations, refusals; /* before it */
    long meetings;
    unsigned arithmetic;
    uint64_t locale;
    bool pending; /* an error, before it */
} public_call;

public_call call_begin(int function, const char *name);
void call_end(const public_call *call);

void call_pointer(public_call *call, bool there);
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

/* Fields of options that were not given. */
void call_skip(public_call *call, int arguments);

/* For an allocator that fails on demand: it has just refused what was asked for at that address. */
void call_refused(const void *site);

#endif
