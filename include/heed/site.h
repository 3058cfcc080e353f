/* heed/site.h - the program's own file and line in errors, in the graph and in what debugging shows.
 *
 *     #define HEED_SITES
 *     #include <heed/heed.h>
 *
 *     train.c:42: linear: x (2, 8) has 8 features, w (2, 9) takes 9
 *
 * With HEED_SITES every public function that can fail is also a macro. The macro notes its line, calls the function
 * with the arguments as they stand, and then restores the line that was noted before, which takes a few loads and
 * stores. Without HEED_SITES nothing is done. A call among the arguments notes its own line in the meantime. A
 * compiler's message about a wrong call names the documented function and counts its documented arguments. A function's
 * address is still taken by its name alone, and a name in parentheses, `(heed_relu)(x)`, is the function itself.
 *
 * If longjmp or an exception leaves a call, its line stays noted until the call around it returns or the program calls
 * heed_error_clear.
 */
#ifndef HEED_SITE_H
#define HEED_SITE_H

#include <heed/export.h>

HEED_BEGIN_DECLS

/* Where the calling thread's line is noted, "train.c:42"; NULL there where none is. The place is the thread's own and
 * stays until it ends. */
HEED_API const char **heed_site(void);

#ifdef HEED_SITES

/* The line that this stands on: "train.c:42". */
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

/* The lines that the calls under way in this file and thread restore. If more than HEED_SITE_DEPTH calls are nested,
 * as by recursion in the arguments, the outer ones go on without a line. */
#define HEED_SITE_DEPTH 64

static HEED_SITE_LOCAL struct {
    const char **here; /* heed_site(), or NULL before the first call */
    const char *outer[HEED_SITE_DEPTH];
    unsigned depth;
} heed_site_calls;

/* Notes a call's line. It is a function, since C does not sequence the arguments of a call: two assignments to the same
 * object among them would be undefined. */
static inline void heed_site_note(const char *at)
{
    if (!heed_site_calls.here)
        heed_site_calls.here = heed_site();
    heed_site_calls.outer[++heed_site_calls.depth % HEED_SITE_DEPTH] = *heed_site_calls.here;
    *heed_site_calls.here = at;
}

/* Restores the line that was noted before the call. */
static inline void heed_site_restore(void)
{
    const char **outer = &heed_site_calls.outer[heed_site_calls.depth-- % HEED_SITE_DEPTH];
    *heed_site_calls.here = *outer;
    *outer = HEED_NO_SITE;
}

#define HEED_NOTE heed_site_note(HEED_HERE)

/* Functions of your own that apply an op can note the line that calls them, too:
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

/* HEED_SITED(type, name) defines name_sited, which gets the function's result and returns it. Further arguments, which
 * earlier versions needed, are ignored. */
#define HEED_SITED(type, ...) HEED_SITED_AS(type, __VA_ARGS__, )
#define HEED_SITED_AS(type, name, ...)                                                                                 \
    static inline type name##_sited(type heed_result)                                                                  \
    {                                                                                                                  \
        heed_site_restore();                                                                                           \
        return heed_result;                                                                                            \
    }

#endif

HEED_END_DECLS

#endif
