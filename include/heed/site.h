/* heed/site.h - the program's file and line in errors, in the graph and in debug mode's output.
 *
 *     #define HEED_SITES
 *     #include <heed/heed.h>
 *
 *     train.c:42: linear: x (2, 8) has 8 features, w (2, 9) takes 9
 *
 * With HEED_SITES every public function that can fail is also a macro. The macro records its line, calls the function,
 * and restores the line that was recorded before; that takes a few loads and stores. A call among the arguments records
 * its own line in the same way. A compiler's message about a wrong call names the documented function and counts the
 * documented arguments, and a debugger's step enters the function directly. The name alone is still the function's
 * address, and `(heed_relu)(x)` calls the function itself. gcc does not report that an argument of such a call is
 * uninitialized (-Wuninitialized); clang does.
 *
 * If longjmp or an exception leaves a call, its line stays recorded until the surrounding call returns or the program
 * calls heed_error_clear.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_SITE_H
#define HEED_SITE_H

#include <heed/export.h>

HEED_BEGIN_DECLS

/* Returns the address of the calling thread's recorded line, a string such as "train.c:42", or NULL without a line. The
 * address is valid until the thread ends. The call cannot fail. */
HEED_API const char **heed_site(void);

#ifdef HEED_SITES

/* The current file and line as a string: "train.c:42". */
#define HEED_HERE __FILE__ ":" HEED_TEXT_OF(__LINE__)
#define HEED_TEXT_OF(x) HEED_TEXT(x)
#define HEED_TEXT(x) #x

#ifdef __cplusplus
#define HEED_SITE_LOCAL thread_local
#define HEED_NO_SITE nullptr
#else
#define HEED_SITE_LOCAL _Thread_local
#define HEED_NO_SITE ((const char *)0)
#endif

/* A stack per file and thread: every running call saves here the line that was recorded before it, and restores it at
 * its end. If more than HEED_SITE_DEPTH calls are nested, for example by recursion in the arguments, the lines saved by
 * the outermost calls are lost. */
#define HEED_SITE_DEPTH 64

static HEED_SITE_LOCAL struct {
    const char **here; /* heed_site(), or NULL before the first call */
    const char *outer[HEED_SITE_DEPTH];
    unsigned depth;
} heed_site_calls;

/* A debugger's step does not stop in a function without line numbers. clang has an attribute for this; for gcc,
 * heed/sites.h defines the functions on line 0. */
#ifdef __clang__
#define HEED_SITE_INLINE static inline __attribute__((nodebug))
#else
#define HEED_SITE_INLINE static inline
#endif

/* Defines heed_site_note, which records the line of a call, and heed_site_restore, which restores the line that was
 * recorded before. They are functions, because C does not sequence the arguments of a call: two assignments to one
 * object among them would be undefined behaviour. */
#define HEED_SITE_FUNCTIONS                                                                                            \
    HEED_SITE_INLINE void heed_site_note(const char *at)                                                               \
    {                                                                                                                  \
        if (!heed_site_calls.here)                                                                                     \
            heed_site_calls.here = heed_site();                                                                        \
        heed_site_calls.outer[++heed_site_calls.depth % HEED_SITE_DEPTH] = *heed_site_calls.here;                      \
        *heed_site_calls.here = at;                                                                                    \
    }                                                                                                                  \
    HEED_SITE_INLINE void heed_site_restore(void)                                                                      \
    {                                                                                                                  \
        const char **outer = &heed_site_calls.outer[heed_site_calls.depth-- % HEED_SITE_DEPTH];                        \
        *heed_site_calls.here = *outer;                                                                                \
        *outer = HEED_NO_SITE;                                                                                         \
    }

#define HEED_NOTE heed_site_note(HEED_HERE)

/* Your own functions that apply an op can record the line of their callers, too:
 *
 *     heed_tensor *cube(heed_tensor *x);
 *     #ifdef HEED_SITES
 *     HEED_SITED(heed_tensor *, cube)
 *     #define cube(...) HEED_AT(cube, __VA_ARGS__)
 *     #endif
 *
 * The function is then defined as `heed_tensor *(cube)(heed_tensor *x) {...}`. HEED_NODISCARD may precede HEED_SITED.
 * For a function that returns void, HEED_AT_VOID takes the place of both. */
#define HEED_AT(name, ...) (HEED_NOTE, (name##_sited)((name)(__VA_ARGS__)))
#define HEED_AT_VOID(name, ...) (HEED_NOTE, (name)(__VA_ARGS__), heed_site_restore())

/* HEED_SITED(type, name) defines name_sited, which takes the function's result, restores the line and returns the
 * result. */
#define HEED_SITED(type, name)                                                                                         \
    HEED_SITE_INLINE type name##_sited(type heed_result)                                                               \
    {                                                                                                                  \
        heed_site_restore();                                                                                           \
        return heed_result;                                                                                            \
    }

#endif

HEED_END_DECLS

#endif
