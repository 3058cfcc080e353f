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

#if defined(__GNUC__)
#define HEED_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define HEED_PRINTF(text, first)
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
