/* heed/literals.h - macros that write lists and options directly as arguments, in C11 and in C++11 and later.
 *
 *     heed_concat(HEED_TENSORS(x, y), 0);
 *     heed_optim_sgd(&net->base, HEED_OPTIONS(heed_optim_sgd_options, .lr = 0.1, .momentum = 0.9));
 *
 * In C they are compound literals. C++ lacks these, so there they are temporary objects, which exist until the end of
 * the whole expression (in practice, until the semicolon); heed's functions do not use them longer. Do not keep
 * pointers to them. Every argument is evaluated once.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_LITERALS_H
#define HEED_LITERALS_H

#include <heed/cxx.h>

/* HEED_OPTIONS(heed_optim_sgd_options, .lr = 0.1, .momentum = 0.9) is the address of options with these fields, and
 * zero, which is the default, in all others. C programs may write the same without it:
 * &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.9}. In C++ the fields are assigned one after another, in a lambda
 * that captures by reference. This allows up to 16 fields, in any order, without braces (.xlim[0] = 0, .xlim[1] = 1),
 * only inside functions. clang before version 16 does not allow names of structured bindings there. Data that a field
 * points to must outlive the call, so HEED_OPTIONS cannot be nested in C++. For the defaults alone, pass NULL.
 * HEED_OPTIONS with a * in front is a value of any struct: heed_plot_series series[] = {*HEED_OPTIONS(heed_plot_series,
 * .y = loss, .label = "train")}. */
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

/* HEED_LIST(heed_tensor *, x, y) expands to two arguments, a list and its length. In C++ it accepts up to 64 pointers,
 * and arguments with commas outside of parentheses, such as f<int, 2>(x), need parentheses around them. */
#ifndef __cplusplus
#define HEED_LIST(type, ...) ((type[]){__VA_ARGS__}), ((int)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)))
#else
#define HEED_LIST(type, ...)                                                                                           \
    (heed_cxx::list_of<type, HEED_CXX_COUNT(__VA_ARGS__)>({__VA_ARGS__})), (HEED_CXX_COUNT(__VA_ARGS__))
#endif

/* HEED_NUMBERS(1, x, 2.5) expands to two arguments, a list of doubles of any length and its length. */
#ifndef __cplusplus
#define HEED_NUMBERS(...) HEED_LIST(double, __VA_ARGS__)
#else
#define HEED_NUMBERS(...)                                                                                              \
    (heed_cxx::numbers_of(__VA_ARGS__).begin()), (static_cast<int>(sizeof(heed_cxx::count_of(__VA_ARGS__))))
#endif

#endif
