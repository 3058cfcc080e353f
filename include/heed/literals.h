/* heed/literals.h - arguments that are written where they are used: lists and options, in C11 and in C++11 and later.
 *
 *     heed_concat(HEED_TENSORS(x, y), 0);
 *     heed_optim_sgd(&net->base, HEED_OPTIONS(heed_optim_sgd_options, .lr = 0.1, .momentum = 0.9));
 *
 * They are compound literals in C. C++ has none, so there they are temporary objects, which last until the end of the
 * whole expression (in practice, until the semicolon): as long as any function of heed looks at them. Keep no pointer
 * to one. Whatever is given is evaluated once.
 */
#ifndef HEED_LITERALS_H
#define HEED_LITERALS_H

#include <heed/cxx.h>

/* HEED_OPTIONS(heed_optim_sgd_options, .lr = 0.1, .momentum = 0.9) is the address of options with these fields, and
 * zero, which is the default, in all others. C programs may write the same without it:
 * &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.9}. In C++ the fields are assigned one after another, in a lambda
 * that captures by reference: up to 16, in any order, and no braces in them (.xlim[0] = 0, .xlim[1] = 1); inside
 * functions only, and before clang 16 without names of structured bindings. What a field points to must outlive the
 * call: another HEED_OPTIONS does not. Defaults alone are NULL. With a * before it, it is a value of any struct:
 * heed_plot_series series[] = {*HEED_OPTIONS(heed_plot_series, .y = loss, .label = "train")}. */
#ifndef __cplusplus
#define HEED_OPTIONS(type, ...) (&(type){__VA_ARGS__})
#else
#define HEED_OPTIONS(type, ...)                                                                                        \
    heed_cxx::address_of([&] {                                                                                         \
        type heed_options = {};                                                                                        \
        HEED_CXX_PASTE(HEED_CXX_ASSIGN_, HEED_CXX_COUNT(__VA_ARGS__))(heed_options, __VA_ARGS__);                      \
        return heed_options;                                                                                           \
    }())
#endif

/* HEED_LIST(heed_tensor *, x, y) stands for two arguments, a list and its length. In C++ it takes up to 64 pointers,
 * and what has commas outside of parentheses, such as f<int, 2>(x), needs parentheses around it. */
#ifndef __cplusplus
#define HEED_LIST(type, ...) ((type[]){__VA_ARGS__}), ((int)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)))
#else
#define HEED_LIST(type, ...)                                                                                           \
    (heed_cxx::list_of<type, HEED_CXX_COUNT(__VA_ARGS__)>({__VA_ARGS__})), (HEED_CXX_COUNT(__VA_ARGS__))
#endif

/* HEED_NUMBERS(1, x, 2.5) stands for two arguments, a list of doubles and its length, of any number of numbers. */
#ifndef __cplusplus
#define HEED_NUMBERS(...) HEED_LIST(double, __VA_ARGS__)
#else
#define HEED_NUMBERS(...)                                                                                              \
    (heed_cxx::numbers_of(__VA_ARGS__).begin()), (static_cast<int>(sizeof(heed_cxx::count_of(__VA_ARGS__))))
#endif

#endif
