/* core/hint.h - what to tell the compiler about functions that run rarely: kept out of the way of those that call them
 * on every op. */
#ifndef HEED_CORE_HINT_H
#define HEED_CORE_HINT_H

#if defined(__GNUC__)
#define HEED_RARE __attribute__((cold, noinline))
#define HEED_APART __attribute__((noinline)) /* often not reached: then its caller is short, and needs no stack */
#else
#define HEED_RARE
#define HEED_APART
#endif

#endif
