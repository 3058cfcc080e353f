/* core/attributes.h - compiler attributes for rarely called functions, which keep these out of fast paths. */
#ifndef HEED_CORE_ATTRIBUTES_H
#define HEED_CORE_ATTRIBUTES_H

#if defined(__GNUC__)
#define HEED_COLD __attribute__((cold, noinline))
#define HEED_NOINLINE __attribute__((noinline)) /* often skipped: keeps its caller short and without a stack frame */
#else
#define HEED_COLD
#define HEED_NOINLINE
#endif

#endif
