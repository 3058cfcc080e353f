/* tests/ops/index/unique.c - cases of heed_unique. */

#include "functions.h"

RUN(values, heed_unique(in[0], NULL, NULL))

static heed_tensor *inverse_of(heed_tensor *x)
{
    heed_tensor *inverse = NULL;
    return heed_unique(x, &inverse, NULL) ? inverse : NULL;
}
static heed_tensor *counts_of(heed_tensor *x)
{
    heed_tensor *counts = NULL;
    return heed_unique(x, NULL, &counts) ? counts : NULL;
}
RUN(inverse, inverse_of(in[0]))
RUN(counts, counts_of(in[0]))

#define SAMPLE(name_, run_, dims)                                                                                      \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{.shape = dims, .kind = OP_INDEX, .low = -2, .high = 3}},    \
        .max_order = -1                                                                                                \
    }

static heed_tensor *special(void)
{
    return HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 4), NAN, 0.0, 2, -0.0, NAN, INFINITY, 2, -1);
}
GIVES(of_special, heed_unique(special(), NULL, NULL))
GIVES(special_inverse, inverse_of(special()))
GIVES(special_counts, counts_of(special()))
GIVES(of_bool, heed_unique(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 1), NULL, NULL))
GIVES(of_scalar, heed_unique(heed_full(HEED_F64, HEED_SCALAR, 3), NULL, NULL))
GIVES(scalar_inverse, inverse_of(heed_full(HEED_F64, HEED_SCALAR, 3)))
GIVES(of_nothing, heed_unique(heed_zeros(HEED_F64, HEED_SHAPE(2, 0)), NULL, NULL))
GIVES(nothing_inverse, inverse_of(heed_zeros(HEED_F64, HEED_SHAPE(2, 0))))
GIVES(nothing_counts, counts_of(heed_zeros(HEED_F64, HEED_SHAPE(2, 0))))

static heed_tensor *of_leaf(void)
{
    heed_tensor *y = heed_unique(heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true), NULL, NULL);
    return heed_full(HEED_I64, HEED_SCALAR, heed_requires_grad(y));
}

GIVES(of_null, heed_unique(NULL, NULL, NULL))
static heed_tensor *after_failure(void)
{
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2)), *a = x, *b = x;
    (void)heed_unique(NULL, &a, &b);
    return a ? a : b;
}

const op_cases heed_cases_unique = {
    .cases = (const op_case[]){SAMPLE("(7)", values, DIMS(7)),
                               SAMPLE("(7) inverse", inverse, DIMS(7)),
                               SAMPLE("(7) counts", counts, DIMS(7)),
                               SAMPLE("(2, 3, 2)", values, DIMS(2, 3, 2)),
                               SAMPLE("(2, 3, 2) inverse", inverse, DIMS(2, 3, 2)),
                               SAMPLE("(1)", values, DIMS(1)),
                               SAMPLE("(0)", values, DIMS(0)),
                               {0}},
    .values =
        (const op_value[]){{"special", of_special, DIMS(6), 0, (const double[]){-1, 0, 2, INFINITY, NAN, NAN}},
                           {"their numbers", special_inverse, DIMS(2, 4), 0, (const double[]){4, 1, 2, 1, 5, 3, 2, 0}},
                           {"their counts", special_counts, DIMS(6), 0, (const double[]){1, 2, 2, 1, 1, 1}},
                           {"bool", of_bool, DIMS(2), 0, (const double[]){0, 1}},
                           {"a scalar", of_scalar, DIMS(1), 0, (const double[]){3}},
                           {"its number", scalar_inverse, NO_DIMS, 0, (const double[]){0}},
                           {"nothing", of_nothing, DIMS(0), 0, (const double[]){0}},
                           {"no numbers", nothing_inverse, DIMS(2, 0), 0, (const double[]){0}},
                           {"no counts", nothing_counts, DIMS(0), 0, (const double[]){0}},
                           {"of a leaf", of_leaf, NO_DIMS, 0, (const double[]){0}},
                           {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "unique:"},
                                 {"nothing left", after_failure, HEED_ERR_ARGUMENT, "unique:"},
                                 {0}},
};
