/* heed/export.h - how symbols are exported and checked. */
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

#if defined(__MINGW32__) /* whose printf may be another than heed's */
#define HEED_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define HEED_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define HEED_PRINTF(text, first)
#endif

/* Functions whose result must be looked at: what they make is lost otherwise, or the program goes on with what it has
 * not got. gcc and clang warn where it is ignored (-Wunused-result, which is on without -Wall). Functions that fill or
 * change something, as heed_backward does, do not have it: their error stays pending until it is looked at
 * (heed/error.h). */
#if defined(__GNUC__)
#define HEED_NODISCARD __attribute__((warn_unused_result))
#else
#define HEED_NODISCARD
#endif

#include <heed/literals.h>

/* The last field of each struct that a program fills in: room for the fields of later versions, so that what was built
 * before goes on working. 0, as designated initialisers leave it. */
#define HEED_RESERVED int64_t reserved[4]

#ifdef __cplusplus
#define HEED_BEGIN_DECLS extern "C" {
#define HEED_END_DECLS }
#else
#define HEED_BEGIN_DECLS
#define HEED_END_DECLS
#endif

#endif
