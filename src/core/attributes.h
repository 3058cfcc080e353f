/* core/attributes.h - compiler attributes that keep rarely executed code out of fast paths. */
#ifndef HEED_CORE_ATTRIBUTES_H
#define HEED_CORE_ATTRIBUTES_H

#if defined(__GNUC__)
#define HEED_COLD __attribute__((cold, noinline))
#define HEED_NOINLINE __attribute__((noinline)) /* often skipped: keeps its caller short and without a stack frame */
#define HEED_RARELY(condition) __builtin_expect(!!(condition), 0)
#else
#define HEED_COLD
#define HEED_NOINLINE
#define HEED_RARELY(condition) (condition)
#endif

#endif
