/* heed/shape.h - shapes are values: row-major, NumPy's axis order, rank at most 8. */
#ifndef HEED_SHAPE_H
#define HEED_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heed/export.h>

HEED_BEGIN_DECLS

#define HEED_MAX_RANK 8

typedef struct heed_shape {
    int rank; /* 0 (a scalar) to HEED_MAX_RANK */
    int64_t dims[HEED_MAX_RANK];
} heed_shape;

/* HEED_SHAPE(2, 3, 4) is a shape of rank 3; HEED_SCALAR the shape of one number. The same type carries
 * lists of axes and indices: HEED_AXES(0, -1), HEED_INDEX(1, 2). */
#define HEED_SHAPE(...)                                                                                                \
    ((heed_shape){.rank = (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), .dims = {__VA_ARGS__}})
#define HEED_SCALAR ((heed_shape){.rank = 0, .dims = {0}})
#define HEED_AXES(...) HEED_SHAPE(__VA_ARGS__)
#define HEED_INDEX(...) HEED_SHAPE(__VA_ARGS__)

/* Every axis: the default of reductions. */
#define HEED_ALL_AXES HEED_SCALAR

/* Number of elements: the product of the dims, 1 for a scalar. -1 for a shape that is not valid: a rank
 * outside 0..8, a negative dim, or a product of non-zero dims that does not fit int64_t. */
HEED_API int64_t heed_shape_numel(heed_shape shape);

HEED_API bool heed_shape_equal(heed_shape a, heed_shape b);

/* Writes "(2, 3, 4)", "()" for a scalar, as snprintf does: at most `size` bytes with the NUL, and returns
 * the length of the whole text. */
HEED_API size_t heed_shape_format(heed_shape shape, char *text, size_t size);

/* The same by value, for messages: heed_shape_text(shape).s */
typedef struct heed_text {
    char s[192]; /* holds eight of the longest numbers, and what is between them */
} heed_text;
HEED_API heed_text heed_shape_text(heed_shape shape);

/* NumPy's broadcasting: aligns the last axes, and a dim of 1 stretches. Returns false, with no error
 * pending, when a and b do not go together. */
HEED_API bool heed_shape_broadcast(heed_shape a, heed_shape b, heed_shape *out);

HEED_END_DECLS

#endif
