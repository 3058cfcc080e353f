/* heed/site.h - the program's own file and line in errors, in the graph and in what debugging shows.
 *
 *     #define HEED_SITES
 *     #include <heed/heed.h>
 *
 *     train.c:42: linear: x (2, 8) has 8 features, w (2, 9) takes 9
 *
 * With HEED_SITES each public function that can fail is also a macro, which notes the line it is called from until it
 * returns: its arguments have been evaluated by then, and a call among them has noted a line of its own. This takes a
 * nanosecond; without HEED_SITES nothing is done. A function's address is still taken by its name alone, and a name in
 * parentheses, `(heed_relu)(x)`, is the function itself.
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
static thread_local const char **heed_site_cached;
#else
static _Thread_local const char **heed_site_cached;
#endif

/* heed_site(), which is asked once in each thread and file. */
static inline const char **heed_site_quick(void)
{
    if (!heed_site_cached)
        heed_site_cached = heed_site();
    return heed_site_cached;
}

/* For functions of your own that apply an op: the line that calls them is noted, too, with
 *
 *     heed_tensor *cube(heed_tensor *x);
 *     #ifdef HEED_SITES
 *     HEED_SITED(heed_tensor *, cube, (x), heed_tensor *x)
 *     #define cube(...) HEED_AT(cube, __VA_ARGS__)
 *     #endif
 *
 * behind whose back the function is defined as `heed_tensor *(cube)(heed_tensor *x) {...}`. */
#define HEED_AT(name, ...) name##_sited(HEED_HERE, __VA_ARGS__)

#define HEED_SITED(type, name, arguments, ...) HEED_SITED_AS(type, name, arguments, (const char *heed_at, __VA_ARGS__))

/* The same for a function whose result must be looked at. */
#define HEED_SITED_NODISCARD(type, name, arguments, ...)                                                               \
    HEED_NODISCARD static inline type name##_sited(const char *heed_at, __VA_ARGS__);                                  \
    HEED_SITED(type, name, arguments, __VA_ARGS__)

/* The same for a function that returns nothing. */
#define HEED_SITED_VOID(name, arguments, ...) HEED_SITED_VOID_AS(name, arguments, (const char *heed_at, __VA_ARGS__))

/* What they are made of: with heed_at as the first parameter. */
#define HEED_SITED_NODISCARD_AS(type, name, arguments, parameters)                                                     \
    HEED_NODISCARD static inline type name##_sited parameters;                                                         \
    HEED_SITED_AS(type, name, arguments, parameters)
#define HEED_SITED_AS(type, name, arguments, parameters)                                                               \
    static inline type name##_sited parameters                                                                         \
    {                                                                                                                  \
        const char **heed_slot = heed_site_quick(), *heed_outer_at = *heed_slot;                                       \
        *heed_slot = heed_at;                                                                                          \
        type heed_result = (name)arguments;                                                                            \
        *heed_slot = heed_outer_at;                                                                                    \
        return heed_result;                                                                                            \
    }

#define HEED_SITED_VOID_AS(name, arguments, parameters)                                                                \
    static inline void name##_sited parameters                                                                         \
    {                                                                                                                  \
        const char **heed_slot = heed_site_quick(), *heed_outer_at = *heed_slot;                                       \
        *heed_slot = heed_at;                                                                                          \
        (name) arguments;                                                                                              \
        *heed_slot = heed_outer_at;                                                                                    \
    }

#endif

HEED_END_DECLS

#endif
