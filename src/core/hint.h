/* core/hint.h - compiler attributes for rarely called functions, which keep them out of their callers' fast paths. */
#ifndef HEED_CORE_HINT_H
#define HEED_CORE_HINT_H

#if defined(__GNUC__)
#define HEED_RARE __attribute__((cold, noinline))
#define HEED_APART                                                                                                     \
    __attribute__((noinline)) /* often skipped: out of line, it keeps its caller short and without a
                                              * stack frame */
#else
#define HEED_RARE
#define HEED_APART
#endif

#endif
