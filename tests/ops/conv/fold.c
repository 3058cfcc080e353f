/* tests/ops/conv/fold.c - cases of heed_fold.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "convs.h"

/* c->shape is the size; c->i[0] the kernel, c->i[1 .. 3] stride, padding, dilation. */
RUN(run, heed_fold(in[0], c->shape, numbers(c->i[0]),
                   &(heed_unfold_options){
                       .stride = numbers(c->i[1]), .padding = numbers(c->i[2]), .dilation = numbers(c->i[3])}))

/* <fold(y), x> = <y, unfold(x)>. */
static heed_tensor *adjoint(void)
{
    const heed_unfold_options o = {.stride = HEED_SHAPE(2, 1), .padding = HEED_SHAPE(1), .dilation = HEED_SHAPE(1, 2)};
    heed_tensor *x = waves(HEED_F64, HEED_SHAPE(2, 3, 5, 6)), *columns = heed_unfold(x, HEED_SHAPE(2, 3), &o);
    heed_tensor *other = columns ? waves(HEED_F64, heed_shape_of(columns)) : NULL;
    heed_tensor *there = heed_sum(heed_mul(columns, other));
    return heed_sub(there, heed_sum(heed_mul(x, heed_fold(other, HEED_SHAPE(5, 6), HEED_SHAPE(2, 3), &o))));
}

GIVES(is_adjoint, adjoint())
GIVES(counts, heed_fold(ONES(1, 4, 4), HEED_SHAPE(3), HEED_SHAPE(2), NULL))
GIVES(nothing, heed_fold(ONES(0, 4, 4), HEED_SHAPE(3), HEED_SHAPE(2), NULL))

GIVES(null, heed_fold(NULL, HEED_SHAPE(1), HEED_SHAPE(1), NULL))
GIVES(rank, heed_fold(ONES(4, 4), HEED_SHAPE(3), HEED_SHAPE(2), NULL))
GIVES(of_i64, heed_fold(heed_ones(HEED_I64, HEED_SHAPE(1, 4, 4)), HEED_SHAPE(3), HEED_SHAPE(2), NULL))
GIVES(no_size, heed_fold(ONES(1, 4, 4), HEED_SCALAR, HEED_SHAPE(2), NULL))
GIVES(other_height, heed_fold(ONES(1, 5, 4), HEED_SHAPE(3), HEED_SHAPE(2), NULL))
GIVES(other_width, heed_fold(ONES(1, 4, 5), HEED_SHAPE(3), HEED_SHAPE(2), NULL))
GIVES(small, heed_fold(ONES(1, 4, 4), HEED_SHAPE(1), HEED_SHAPE(2), NULL))

const op_cases heed_cases_fold = {
    .cases = (const op_case[]){ONE("2", run, DIMS(2, 8, 6), .shape = DIMS(3, 4), .i = {2}),
                               ONE("stride, padding", run, DIMS(1, 8, 6), .shape = DIMS(4, 3), .i = {2, 2, 1}),
                               ONE("dilation", run, DIMS(1, 4, 49), .shape = DIMS(5), .i = {2, 1, 2, 2}),
                               ONE("apart", run, DIMS(1, 1, 4), .shape = DIMS(5, 4), .i = {1, 3}),
                               ONE("no channels", run, DIMS(1, 0, 4), .shape = DIMS(3), .i = {2}),
                               {0}},
    .values = (const op_value[]){{"overlaps", counts, DIMS(1, 1, 3, 3), 0, (const double[]){1, 2, 1, 2, 4, 2, 1, 2, 1}},
                                 {"nothing", nothing, DIMS(0, 1, 3, 3), 0, (const double[]){0}},
                                 {"adjoint", is_adjoint, NO_DIMS, 1e-13, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){{"NULL", null, HEED_ERR_ARGUMENT, "fold:"},
                           {"rank", rank, HEED_ERR_SHAPE, "fold: the columns are (4, 4): must be (B, C kh kw, M N)"},
                           {"i64", of_i64, HEED_ERR_DTYPE, "fold: the tensor is i64"},
                           {"no size", no_size, HEED_ERR_ARGUMENT, "fold: size is (): must have at least one number"},
                           {"height", other_height, HEED_ERR_SHAPE,
                            "fold: the columns are (1, 5, 4): for planes (3, 3) and a kernel (2, 2)"},
                           {"width", other_width, HEED_ERR_SHAPE, "they must be (B, C kh kw, 2 * 2)"},
                           {"small planes", small, HEED_ERR_SHAPE, "fold: a kernel (2, 2)"},
                           {0}},
};
