/* fuzz/shapes.h - what must come of a random view: the rules of fuzz/shape_rules.c. */
#ifndef FUZZ_SHAPES_H
#define FUZZ_SHAPES_H

#include "fuzz.h"

#define MAX_VALUES 128 /* elements that are followed */

typedef struct plan plan;

/* Where in the source the element `at` of the result lies; rank -1: nowhere, it is 0. */
typedef heed_shape (*source_rule)(heed_shape at, heed_shape from, const plan *p);

struct plan {
    bool valid; /* the library must take the arguments, unless memory runs out */
    bool view;  /* the result must share the storage */
    heed_shape shape;
    source_rule source;
    int axis;
    int64_t number[HEED_MAX_RANK]; /* as the rule has it */
};

heed_shape position_of(int64_t i, heed_shape shape);
int64_t index_of(heed_shape at, heed_shape shape);

/* A shape with few elements, mostly. */
heed_shape small_shape(fuzz_input *in);

/* One step on x, chosen and filled by bytes, and what must come of it. */
heed_tensor *random_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p);

#endif
