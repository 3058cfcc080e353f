/* heed/shape.h - shapes: row-major, in NumPy's axis order, of rank at most 8, passed by value.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_SHAPE_H
#define HEED_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heed/export.h>

HEED_BEGIN_DECLS

/* The maximum number of axes of a tensor. */
#define HEED_MAX_RANK 8

/* Sizes of a tensor's axes; also a list of axes, or the index of an element. */
typedef struct heed_shape {
    int rank;                    /* 0 (a scalar) to HEED_MAX_RANK */
    int64_t dims[HEED_MAX_RANK]; /* only the first `rank` are used */
} heed_shape;

#ifndef __cplusplus
/* HEED_SHAPE(2, 3, 4) is a shape of rank 3. */
#define HEED_SHAPE(...)                                                                                                \
    ((heed_shape){.rank = (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), .dims = {__VA_ARGS__}})

/* The shape of a single number, with rank 0. */
#define HEED_SCALAR ((heed_shape){.rank = 0, .dims = {0}})
#else
#define HEED_SHAPE(...) heed_cxx_shape(HEED_CXX_COUNT(__VA_ARGS__), __VA_ARGS__)
#define HEED_SCALAR heed_cxx_shape(0)
constexpr heed_shape heed_cxx_shape(int rank, int64_t a = 0, int64_t b = 0, int64_t c = 0, int64_t d = 0, int64_t e = 0,
                                    int64_t f = 0, int64_t g = 0, int64_t h = 0)
{
    return {rank, {a, b, c, d, e, f, g, h}};
}
#endif

/* A list of axes, HEED_AXES(0, -1), which is also a heed_shape. */
#define HEED_AXES(...) HEED_SHAPE(__VA_ARGS__)

/* The index of an element, HEED_INDEX(1, 2), which is also a heed_shape. */
#define HEED_INDEX(...) HEED_SHAPE(__VA_ARGS__)

/* All axes, the default of reductions. */
#define HEED_ALL_AXES HEED_SCALAR

/* Returns the number of elements: the product of the dims, or 1 for a scalar.
 * It returns -1, without an error, for an invalid shape: a rank outside 0..8, a negative dim, or a product of non-zero
 * dims that overflows int64_t.
 * torch: torch.Size.numel   numpy: numpy.prod */
HEED_API int64_t heed_shape_numel(heed_shape shape);

/* Returns true if both shapes have the same rank and the same dims. */
HEED_API bool heed_shape_equal(heed_shape a, heed_shape b);

/* A short text, passed by value. */
typedef struct heed_text {
    char s[192]; /* enough for eight of the longest numbers with separators */
} heed_text;

/* Returns a shape as text, by value: printf("%s", heed_shape_text(shape).s).
 * The text is "(2, 3, 4)", "(2)" for rank 1, "()" for a scalar. */
HEED_API heed_text heed_shape_text(heed_shape shape);

/* Writes the shape that a and b broadcast to, by NumPy's rule, to *out: the last axes are aligned, and a dim of 1
 * stretches.
 * Returns false, without an error, if a and b cannot be broadcast together.
 * torch: torch.broadcast_shapes   numpy: numpy.broadcast_shapes */
HEED_API bool heed_shape_broadcast(heed_shape a, heed_shape b, heed_shape *out);

HEED_END_DECLS

#endif
