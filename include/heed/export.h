/* heed/export.h - how symbols are exported and checked. */
#ifndef HEED_EXPORT_H
#define HEED_EXPORT_H

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

#ifdef __cplusplus
#define HEED_BEGIN_DECLS extern "C" {
#define HEED_END_DECLS }
#else
#define HEED_BEGIN_DECLS
#define HEED_END_DECLS
#endif

#endif
