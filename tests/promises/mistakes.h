/* tests/promises/mistakes.h - for the tests of common mistakes: every mistake is made once, and the whole message is
 * compared, after the file and line.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef MISTAKES_H
#define MISTAKES_H

#define HEED_SITES
#include "check_heed.h"

#include <stdio.h>

/* Uniform numbers, indices below n, zeros in f64; and a tensor that requires a gradient. */
#define F32(...) heed_rand(HEED_F32, HEED_SHAPE(__VA_ARGS__))
#define F64(...) heed_rand(HEED_F64, HEED_SHAPE(__VA_ARGS__))
#define I64(n, ...) heed_randint(0, n, HEED_SHAPE(__VA_ARGS__))
#define LEAF(...) heed_set_requires_grad(F32(__VA_ARGS__), true)

/* Evaluates the expression, which must leave this message after the call site; clears it. */
#define MISTAKE(message, ...)                                                                                          \
    do {                                                                                                               \
        (void)((__VA_ARGS__) == 0);                                                                                    \
        expect_mistake(__FILE__ ":", message);                                                                         \
    } while (0)

static inline void expect_mistake(const char *file, const char *message)
{
    const char *text = heed_error_message();
    ck_assert_msg(strncmp(text, file, strlen(file)) == 0, "\"%s\" does not begin with %s", text, file);
    text += strlen(file);
    ck_assert_str_eq(text + strspn(text, "0123456789"), message);
    heed_error_clear();
}

#endif
