/* heed/export.h - macros for symbol visibility, compiler checks and C++.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_EXPORT_H
#define HEED_EXPORT_H

#include <stdint.h>

#if defined(_WIN32)
#define HEED_API
#elif defined(__GNUC__)
#define HEED_API __attribute__((visibility("default")))
#else
#define HEED_API
#endif

#if defined(__MINGW32__) /* heed formats as GNU's printf does, whichever printf the program uses */
#define HEED_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define HEED_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define HEED_PRINTF(text, first)
#endif

/* Marks functions whose result must be used, because otherwise the created object is lost, or the program continues
 * without it. gcc and clang warn if the result is ignored (-Wunused-result, which is on without -Wall). Functions that
 * fill or change an object, such as heed_backward, are not marked: their error stays pending (heed/error.h). */
#if defined(__GNUC__)
#define HEED_NODISCARD __attribute__((warn_unused_result))
#else
#define HEED_NODISCARD
#endif

/* Marks functions that a later version removes. The text names the replacement. gcc, clang and MSVC warn at every call
 * and print the text. The mark is a separate line before the prototype; docs/abi.md has the rules:
 *
 *     HEED_DEPRECATED("use heed_new")
 *     HEED_API heed_tensor *heed_old(heed_tensor *x); */
#if defined(__GNUC__)
#define HEED_DEPRECATED(text) __attribute__((deprecated(text)))
#elif defined(_MSC_VER)
#define HEED_DEPRECATED(text) __declspec(deprecated(text))
#else
#define HEED_DEPRECATED(text)
#endif

#include <heed/literals.h>

/* The last field of every struct that a program fills in: space for fields of later versions, which keeps programs
 * binary compatible. It must be 0, as designated initialisers set it. */
#define HEED_RESERVED int64_t reserved[4]

#ifdef __cplusplus
#define HEED_BEGIN_DECLS extern "C" {
#define HEED_END_DECLS }
#else
#define HEED_BEGIN_DECLS
#define HEED_END_DECLS
#endif

#endif
