/* core/attributes.h - compiler attributes that keep rarely executed code out of fast paths. */
#ifndef HEED_CORE_ATTRIBUTES_H
#define HEED_CORE_ATTRIBUTES_H

#if defined(__GNUC__)
#define HEED_COLD __attribute__((cold, noinline))
/* For a function whose call is often skipped: its caller stays short and needs no stack frame. */
#define HEED_NOINLINE __attribute__((noinline))
#define HEED_RARELY(condition) __builtin_expect(!!(condition), 0)
#else
#define HEED_COLD
#define HEED_NOINLINE
#define HEED_RARELY(condition) (condition)
#endif

#endif
