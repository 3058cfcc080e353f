/* tests/promises/misuse/misuse_draw.h - draws hostile arguments of every kind, and checks the results of calls with
 * them. The programs test_misuse_every_*.c cover the headers with it, one line per function; tests/promises/calls
 * reports the missing ones.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef MISUSE_DRAW_H
#define MISUSE_DRAW_H

#include <ctype.h>

#include "misuse.h"

/* Calls of every function with different arguments: enough for every hostile value of every argument to occur. */
#define ROUNDS 400

static zoo drawn_from;

static inline int one_in(uint64_t n)
{
    return misuse_random() % n == 0;
}

/* Returns any tensor of the zoo, often the freed one, so that the freed tensor also reaches arguments that are rarely a
 * random tensor. */
static inline heed_tensor *any_tensor(void)
{
    return one_in(8) ? drawn_from.animals[ZOO_SIZE] : ANY_OF(drawn_from.animals);
}

/* A live tensor, or NULL. */
static inline heed_tensor *any_live_tensor(void)
{
    return drawn_from.animals[misuse_random() % ZOO_SIZE];
}

static inline int any_int(void)
{
    return one_in(3) ? (int)(misuse_random() % 41) - 20 : ANY_OF(hostile_ints);
}

static inline int64_t any_count(void)
{
    return one_in(4) ? (int64_t)(misuse_random() % 41) - 20 : ANY_OF(hostile_counts);
}

static inline size_t any_size(void)
{
    static const size_t sizes[] = {
        0, 1, 7, 64, TWO31, SIZE_MAX / 8 + 1, SIZE_MAX / 4 + 1, SIZE_MAX / 2 + 1, SIZE_MAX, SIZE_MAX - 63};
    return one_in(4) ? (size_t)misuse_random() % 200 : ANY_OF(sizes);
}

static inline double any_real(void)
{
    return one_in(3) ? (double)(misuse_random() % 4001) / 1000.0 - 2.0 : ANY_OF(hostile_doubles);
}

static inline bool any_flag(void)
{
    return misuse_random() % 2;
}

static inline uint64_t any_u64(void)
{
    return one_in(8) ? 0 : misuse_random();
}

static inline heed_shape any_shape(void)
{
    return ANY_OF(hostile_shapes);
}

/* For an enum of n constants: usually one of them, or a value just outside. */
static inline int any_enum(int n)
{
    return one_in(4) ? any_int() : (int)(misuse_random() % (uint64_t)(n + 2)) - 1;
}

static inline heed_dtype any_dtype(void)
{
    return (heed_dtype)any_enum(HEED_DTYPE_COUNT);
}

static inline const char *any_text(void)
{
    static const char *const texts[] = {
        NULL,     "",         "w",  ".",  "a.b", "w.",           "c",      " ",     "/",   "\xff\n", "%s%n%d", "0", "1",
        "weight", "module.w", "-1", "..", "\t",  "\xe2\x82\xac", "a/../b", "/proc", "nan", "(2, 3)"};
    return ANY_OF(texts);
}

static inline heed_tensor *hand_on(heed_tensor *grad, void *user)
{
    (void)user;
    return grad;
}

/* -- Judging ------------------------------------------------------------------------------------------------------ */

/* A pending error has a code and a message "name: what"; clears it. */
static inline void judge_error(const char *call)
{
    heed_status code = heed_error_code();
    const char *message = heed_error_message();
    size_t name = strspn(message, "abcdefghijklmnopqrstuvwxyz_0123456789");
    ck_assert_msg(code >= HEED_OK && code <= HEED_ERR_FORMAT, "%s: code %d", call, (int)code);
    ck_assert_msg(code == HEED_OK || (name > 0 && strncmp(message + name, ": ", 2) == 0 && message[name + 2]),
                  "%s: \"%s\"", call, message);
    heed_error_clear();
}

/* Returns NULL exactly if it fails. */
#define POINTER(call)                                                                                                  \
    do {                                                                                                               \
        bool given = (call) != NULL;                                                                                   \
        ck_assert_msg(given == (heed_error_code() == HEED_OK), "%s: %s", #call, heed_error_message());                 \
        judge_error(#call);                                                                                            \
    } while (0)

/* Returns the code of its error. */
#define STATUS(call)                                                                                                   \
    do {                                                                                                               \
        heed_status returned = (call);                                                                                 \
        ck_assert_msg(returned == heed_error_code(), "%s: %d, %s", #call, (int)returned, heed_error_message());        \
        judge_error(#call);                                                                                            \
    } while (0)

/* Any other result. */
#define VALUE(call)                                                                                                    \
    do {                                                                                                               \
        (void)(call);                                                                                                  \
        judge_error(#call);                                                                                            \
    } while (0)

/* Runs the body ROUNDS times, in a scope per round. */
static inline void in_rounds(void (*body)(void))
{
    zoo_open(&drawn_from);
    for (int round = 0; round < ROUNDS; round++) {
        heed_scope *scope = heed_scope_begin();
        body();
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
        ck_assert_int_eq(heed_error_code(), HEED_OK);
    }
}

#define ROUNDS_OF(body)                                                                                                \
    START_TEST(rounds_of_##body)                                                                                       \
    {                                                                                                                  \
        in_rounds(body);                                                                                               \
    }                                                                                                                  \
    END_TEST

#endif
