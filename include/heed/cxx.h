/* heed/cxx.h - private: helpers of the macros in heed/literals.h and heed/shape.h for C++11 and later.
 *
 * Stability: private
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CXX_H
#define HEED_CXX_H

#ifdef __cplusplus
#include <stddef.h>

extern "C++" { /* also if a program includes heed within extern "C" */
namespace heed_cxx
{

template <typename T> inline const T *address_of(const T &value)
{
    return &value;
}

template <typename T, int expected, size_t n> inline const T *list_of(const T (&items)[n])
{
    static_assert(n == expected, "put parentheses around what has commas outside of parentheses");
    return items;
}

template <size_t n> struct numbers {
    double items[n];
    const double *begin() const
    {
        return items;
    }
};

template <typename... T> inline numbers<sizeof...(T)> numbers_of(T... values)
{
    return {{static_cast<double>(values)...}};
}

/* Never called: the size of its type is the number of arguments. */
template <typename... T> char (&count_of(const T &...))[sizeof...(T)];

} // namespace heed_cxx
}

/* The number of arguments, 1 to 64, counted by the preprocessor, so that an argument may contain a lambda. */
#define HEED_CXX_COUNT(...)                                                                                            \
    HEED_CXX_65TH(__VA_ARGS__, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, \
                  42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18,  \
                  17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define HEED_CXX_65TH(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21,  \
                      a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, a40,   \
                      a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59,   \
                      a60, a61, a62, a63, a64, count, ...)                                                             \
    count

#define HEED_CXX_PASTE(a, b) HEED_CXX_PASTE_EXPANDED(a, b)
#define HEED_CXX_PASTE_EXPANDED(a, b) a##b

/* HEED_CXX_ASSIGN_n turns n fields such as `.lr = 0.1` into assignments to the options o. */
#define HEED_CXX_ASSIGN_1(o, a) o a
#define HEED_CXX_ASSIGN_2(o, a, ...) o a, HEED_CXX_ASSIGN_1(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_3(o, a, ...) o a, HEED_CXX_ASSIGN_2(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_4(o, a, ...) o a, HEED_CXX_ASSIGN_3(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_5(o, a, ...) o a, HEED_CXX_ASSIGN_4(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_6(o, a, ...) o a, HEED_CXX_ASSIGN_5(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_7(o, a, ...) o a, HEED_CXX_ASSIGN_6(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_8(o, a, ...) o a, HEED_CXX_ASSIGN_7(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_9(o, a, ...) o a, HEED_CXX_ASSIGN_8(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_10(o, a, ...) o a, HEED_CXX_ASSIGN_9(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_11(o, a, ...) o a, HEED_CXX_ASSIGN_10(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_12(o, a, ...) o a, HEED_CXX_ASSIGN_11(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_13(o, a, ...) o a, HEED_CXX_ASSIGN_12(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_14(o, a, ...) o a, HEED_CXX_ASSIGN_13(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_15(o, a, ...) o a, HEED_CXX_ASSIGN_14(o, __VA_ARGS__)
#define HEED_CXX_ASSIGN_16(o, a, ...) o a, HEED_CXX_ASSIGN_15(o, __VA_ARGS__)
#endif

#endif
