/* tests/promises/misuse/misuse.h - for the tests of misuse: hostile arguments, and the checks after any call.
 *
 * A call either returns a result without an error, or fails with an error that names the function. It prints
 * nothing; this, and the absence of leaks, is checked after every test. The allocator refuses blocks beyond 64 MiB,
 * so that enormous sizes fail everywhere in the same way.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef MISUSE_H
#define MISUSE_H

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <unistd.h>

#include "check_heed.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define TWO31 (INT64_C(1) << 31)
#define TWO61 (INT64_C(1) << 61)
#define TWO62 (INT64_C(1) << 62)

/* -- Hostile numbers -------------------------------------------------------------------------------------------- */

static const int64_t hostile_counts[] = {-1, 0, 1, 2, 3, TWO31, TWO62, INT64_MIN, INT64_MAX, INT64_MIN + 1, -TWO31};
static const int hostile_ints[] = {-1, 0, 1, 2, 8, 9, -8, -9, INT_MAX, INT_MIN, 1 << 20};
static const double hostile_doubles[] = {
    0.0,      -0.0,    1.0,       -1.0,   0.5,     (double)NAN, (double)INFINITY, -(double)INFINITY, DBL_MAX,
    -DBL_MAX, DBL_MIN, 0x1p-1074, 0x1p63, -0x1p63, 1e-300};

#define BAD_RANK(r)                                                                                                    \
    {                                                                                                                  \
        .rank = (r), .dims = { 1, 1, 1, 1, 1, 1, 1, 1 }                                                                \
    }
static const heed_shape hostile_shapes[] = {
    BAD_RANK(-1),
    BAD_RANK(9),
    BAD_RANK(INT_MAX),
    BAD_RANK(INT_MIN),
    BAD_RANK(8),
    {.rank = 0},
    {.rank = 1, .dims = {-1}},
    {.rank = 1, .dims = {0}},
    {.rank = 1, .dims = {3}},
    {.rank = 1, .dims = {INT64_MIN}},
    {.rank = 1, .dims = {INT64_MAX}},
    {.rank = 1, .dims = {TWO31}},
    {.rank = 2, .dims = {2, 3}},
    {.rank = 2, .dims = {3, 2}},
    {.rank = 2, .dims = {0, 1}},
    {.rank = 2, .dims = {1, 0}},
    {.rank = 2, .dims = {2, -1}},
    {.rank = 2, .dims = {-1, -1}},
    {.rank = 2, .dims = {0, -1}},
    {.rank = 2, .dims = {TWO62, 4}},
    {.rank = 2, .dims = {0, TWO62}},
    {.rank = 2, .dims = {TWO62, 0}},
    {.rank = 2, .dims = {INT64_MAX, INT64_MAX}},
    {.rank = 3, .dims = {0, TWO62, TWO62}},
    {.rank = 3, .dims = {TWO31, TWO31, 2}},
    {.rank = 3, .dims = {3, 2, 3}},
};

/* A separate small generator, so that failures can be repeated. */
static uint64_t misuse_state = 1;

static inline uint64_t misuse_random(void)
{
    misuse_state ^= misuse_state << 13;
    misuse_state ^= misuse_state >> 7;
    misuse_state ^= misuse_state << 17;
    return misuse_state;
}

#define ANY_OF(array) ((array)[misuse_random() % (uint64_t)COUNT_OF(array)])

/* -- Hostile tensors -------------------------------------------------------------------------------------------- */

#define ZOO_SIZE 26

typedef struct zoo {
    heed_tensor *animals[ZOO_SIZE + 1]; /* the first is NULL; the one after the living ones is freed */
} zoo;

static inline void zoo_fill_plain(heed_tensor **at)
{
    heed_tensor *square = heed_reshape(heed_arange(HEED_F64, -4, 5, 1), HEED_SHAPE(3, 3));
    *at++ = heed_ones(HEED_F32, HEED_SCALAR);
    *at++ = heed_full(HEED_I64, HEED_SCALAR, 1);
    *at++ = heed_full(HEED_BOOL, HEED_SCALAR, 1);
    *at++ = heed_ones(HEED_F32, HEED_SHAPE(2, 3));
    *at++ = square;
    *at++ = heed_transpose(square, 0, 1);
    *at++ = heed_slice(square, 1, 0, HEED_END, 2);
    *at++ = heed_flip(square, HEED_AXES(0, 1));
    *at++ = heed_expand(heed_ones(HEED_F64, HEED_SHAPE(3, 1)), HEED_SHAPE(2, 3, 2));
    *at++ = heed_expand(heed_ones(HEED_F32, HEED_SCALAR), HEED_SHAPE(TWO61));
    *at++ = heed_expand(heed_ones(HEED_BOOL, HEED_SHAPE(1, 1)), HEED_SHAPE(TWO31, TWO31));
    *at++ = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), (double)NAN, (double)INFINITY, -(double)INFINITY, -0.0);
    *at++ = heed_zeros(HEED_F32, HEED_SHAPE(1, 1, 1, 1, 1, 1, 1, 1));
    *at++ = heed_zeros(HEED_BOOL, HEED_SHAPE(2, 3));
}

static inline void zoo_fill_odd(heed_tensor **at)
{
    heed_tensor *leaf = heed_set_requires_grad(heed_rand(HEED_F64, HEED_SHAPE(2, 3, 2)), true);
    *at++ = heed_zeros(HEED_F64, HEED_SHAPE(0));
    *at++ = heed_zeros(HEED_F64, HEED_SHAPE(0, TWO62 - 1));
    *at++ = heed_zeros(HEED_F32, HEED_SHAPE(TWO62 - 1, 0));
    *at++ = heed_zeros(HEED_F32, HEED_SHAPE(TWO31, 0, TWO31 - 1));
    *at++ = heed_zeros(HEED_I64, HEED_SHAPE(TWO31, 0));
    *at++ = leaf;
    *at++ = heed_mul(leaf, leaf);
    *at++ = heed_expand(heed_transpose(leaf, 0, 2), HEED_SHAPE(2, 2, 3, 2));
    *at++ = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 0, 1);
    *at++ = heed_flip(HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 0, 1, 2, 1, 1, 0), HEED_AXES(1));
    *at++ = heed_from_array(HEED_I64, HEED_SHAPE(3), (int64_t[]){-1, INT64_MAX, INT64_MIN}, 3);
}

/* Returns a freed tensor. Its block cannot be reused, because a view still needs its elements. */
static inline heed_tensor *zoo_freed(void)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(2, 3));
    ck_assert_ptr_nonnull(heed_scope_return(scope, heed_detach(t)));
    return t;
}

static inline void zoo_open(zoo *z)
{
    z->animals[0] = NULL;
    zoo_fill_plain(z->animals + 1);
    zoo_fill_odd(z->animals + 15);
    z->animals[ZOO_SIZE] = zoo_freed();
    for (int i = 1; i < ZOO_SIZE; i++)
        ck_assert_msg(z->animals[i] != NULL, "animal %d: %s", i, heed_error_message());
}

/* -- Checks after a call ---------------------------------------------------------------------------------------- */

/* Whether the pending error's message is "name: text". */
static inline bool misuse_names(const char *name)
{
    size_t length = strlen(name);
    const char *message = heed_error_message();
    return strncmp(message, name, length) == 0 && message[length] == ':' && message[length + 1] == ' ' &&
           message[length + 2] != '\0';
}

/* After a call that failed: an error of a known code is pending and names the function. Clears it. */
static inline void misuse_failed(const char *name)
{
    heed_status code = heed_error_code();
    ck_assert_msg(code > HEED_OK && code <= HEED_ERR_FORMAT, "%s failed with code %d", name, (int)code);
    ck_assert_msg(misuse_names(name), "%s failed with \"%s\"", name, heed_error_message());
    heed_error_clear();
}

/* After any call that returns a status. */
static inline void misuse_status(const char *name, heed_status status)
{
    if (status != HEED_OK) {
        ck_assert_int_eq(status, heed_error_code());
        misuse_failed(name);
    }
    ck_assert_msg(heed_error_code() == HEED_OK, "%s succeeded with \"%s\"", name, heed_error_message());
}

/* A call must fail with that code, and the message must contain its own name and `text`. */
#define ck_assert_fails(name, code, text, call)                                                                        \
    do {                                                                                                               \
        ck_assert_msg((call), "%s did not fail: %s", (name), #call);                                                   \
        ck_assert_msg(misuse_names(name), "%s failed with \"%s\"", (name), heed_error_message());                      \
        ck_assert_error(code, text);                                                                                   \
    } while (0)
#define ck_assert_null_fails(name, code, text, call) ck_assert_fails(name, code, text, (call) == NULL)
#define ck_assert_status_fails(name, code, text, call) ck_assert_fails(name, code, text, (call) == (code))

/* -- Running ---------------------------------------------------------------------------------------------------- */

static void *modest_alloc(size_t size, size_t alignment, void *user)
{
    (void)user;
    return size > (size_t)64 << 20 ? NULL : aligned_alloc(alignment, size);
}

static void modest_free(void *block, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(block);
}

static FILE *misuse_output;
static int misuse_saved[2];

/* stdout and stderr go to a file; a sanitizer's report must be visible, so stderr stays there. */
#if defined(__SANITIZE_ADDRESS__)
#define MISUSE_CAPTURED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MISUSE_CAPTURED 1
#endif
#endif
#ifndef MISUSE_CAPTURED
#define MISUSE_CAPTURED 2
#endif

static void misuse_capture(void)
{
    misuse_output = tmpfile();
    ck_assert_ptr_nonnull(misuse_output);
    (void)fflush(NULL);
    for (int i = 0; i < MISUSE_CAPTURED; i++) {
        misuse_saved[i] = dup(i + 1);
        ck_assert_int_ge(dup2(fileno(misuse_output), i + 1), 0);
    }
}

static void misuse_release(void)
{
    (void)fflush(NULL);
    for (int i = 0; i < MISUSE_CAPTURED; i++) {
        (void)dup2(misuse_saved[i], i + 1);
        (void)close(misuse_saved[i]);
    }
    char text[200] = "";
    rewind(misuse_output);
    size_t printed = fread(text, 1, sizeof text - 1, misuse_output);
    (void)fclose(misuse_output);
    ck_assert_msg(printed == 0, "printed: %s", text);
}

/* Runs the tests `loops` times, with _i from 0. */
static inline int misuse_run(const char *name, const TTest *const *tests, size_t count, int loops)
{
    heed_allocator modest = {modest_alloc, modest_free, NULL};
    if (heed_set_allocator(&modest) != HEED_OK)
        return EXIT_FAILURE;
    if (!setlocale(LC_ALL, "C.UTF-8")) /* a locale that calls cannot restore unnoticed */
        (void)fprintf(stderr, "no locale C.UTF-8 here\n");
    (void)heed_memory_set_cache_limit(0); /* so that the counts of calls see every allocation (tests/promises/calls) */
    TCase *tcase = heed_test_case(name);
    tcase_add_checked_fixture(tcase, misuse_capture, misuse_release);
    for (size_t i = 0; i < count; i++)
        tcase_add_loop_test(tcase, tests[i], 0, loops);
    return heed_run_case(name, tcase);
}

#define MISUSE_MAIN(name, ...)                                                                                         \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                                                    \
        return misuse_run(name, tests, sizeof tests / sizeof tests[0], 1);                                             \
    }

#endif
