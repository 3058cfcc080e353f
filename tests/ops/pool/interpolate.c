/* tests/ops/pool/interpolate.c - cases of heed_interpolate.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "convs.h"

/* c->i: mode, align_corners; c->shape: size; c->p: scale_factor, scale_factor_w. */
RUN(run, heed_interpolate(in[0], &(heed_interpolate_options){.size = c->shape,
                                                             .scale_factor = c->p[0],
                                                             .scale_factor_w = c->p[1],
                                                             .mode = (heed_interpolate_mode)c->i[0],
                                                             .align_corners = c->i[1] != 0}))

#define LINEAR HEED_INTERPOLATE_LINEAR
#define BILINEAR HEED_INTERPOLATE_BILINEAR

#define GIVES_RESIZED(name, x, ...) GIVES(name, heed_interpolate(x, &(heed_interpolate_options){__VA_ARGS__}))

GIVES_RESIZED(doubled, counting(HEED_F64, HEED_SHAPE(1, 1, 3)), .scale_factor = 2)
GIVES_RESIZED(lines, counting(HEED_F64, HEED_SHAPE(1, 1, 3)), .size = HEED_SHAPE(5), .mode = LINEAR,
              .align_corners = true)
GIVES_RESIZED(planes, counting(HEED_F64, HEED_SHAPE(1, 1, 2, 2)), .size = HEED_SHAPE(4), .mode = BILINEAR)
GIVES_RESIZED(no_channels, ONES(2, 0, 3), .scale_factor = 2)

/* Elements of weight 0 do not contribute: inf, -inf and NaN stay in their neighbourhood, and -0.0 keeps its sign. */
static heed_tensor *special(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 1, 4), -0.0, (double)INFINITY, 1, (double)NAN);
}

GIVES_RESIZED(special_nearest, special(), .size = HEED_SHAPE(4))
GIVES_RESIZED(special_linear, special(), .size = HEED_SHAPE(7), .mode = LINEAR, .align_corners = true)

/* <interpolate(x), g> = <x, adjoint(g)> */
static heed_tensor *bilinear(heed_tensor *x)
{
    const heed_interpolate_options o = {.size = HEED_SHAPE(7, 2), .mode = BILINEAR};
    heed_tensor *y = heed_interpolate(x, &o);
    return y ? heed_mul(y, waves(HEED_F64, heed_shape_of(y))) : NULL;
}

static heed_tensor *adjoint(void)
{
    heed_tensor *x = waves(HEED_F64, HEED_SHAPE(2, 3, 4, 5));
    return heed_sub(heed_sum(bilinear(x)), heed_sum(heed_mul(x, gradient(bilinear, x))));
}

GIVES(is_adjoint, adjoint())

GIVES_RESIZED(null, NULL, .scale_factor = 2)
GIVES(no_options, heed_interpolate(ONES(1, 1, 3), NULL))
GIVES_RESIZED(of_i64, heed_ones(HEED_I64, HEED_SHAPE(1, 1, 3)), .scale_factor = 2)
GIVES_RESIZED(rank_2, ONES(1, 3), .scale_factor = 2)
GIVES_RESIZED(rank_5, ONES(1, 1, 1, 1, 3), .scale_factor = 2)
GIVES_RESIZED(linear_plane, ONES(1, 1, 3, 3), .scale_factor = 2, .mode = LINEAR)
GIVES_RESIZED(bilinear_line, ONES(1, 1, 3), .scale_factor = 2, .mode = BILINEAR)
GIVES_RESIZED(empty_line, ONES(1, 1, 0), .size = HEED_SHAPE(2))
GIVES_RESIZED(empty_plane, ONES(1, 1, 2, 0), .size = HEED_SHAPE(2))
GIVES_RESIZED(both, ONES(1, 1, 3), .size = HEED_SHAPE(2), .scale_factor = 2)
GIVES_RESIZED(two_sizes, ONES(1, 1, 3), .size = HEED_SHAPE(2, 2))
GIVES_RESIZED(size_0, ONES(1, 1, 3), .size = HEED_SHAPE(0))
GIVES_RESIZED(too_small, ONES(1, 1, 3), .scale_factor = 0.25)
GIVES_RESIZED(below_0, ONES(1, 1, 3), .scale_factor = -1)
GIVES_RESIZED(nan_factor, ONES(1, 1, 3), .scale_factor = (double)NAN)
GIVES_RESIZED(infinite, ONES(1, 1, 3, 3), .scale_factor = 1, .scale_factor_w = (double)INFINITY)
GIVES_RESIZED(only_w, ONES(1, 1, 3, 3), .scale_factor_w = 2)
GIVES_RESIZED(huge, ONES(1, 1, 3), .scale_factor = 1e300)
GIVES_RESIZED(too_many, ONES(1, 1, 3, 3), .size = HEED_SHAPE(INT64_C(1) << 59))
GIVES_RESIZED(mode_9, ONES(1, 1, 3), .scale_factor = 2, .mode = (heed_interpolate_mode)9)
GIVES_RESIZED(corners, ONES(1, 1, 3), .scale_factor = 2, .align_corners = true)

const op_cases heed_cases_interpolate = {
    .cases = (const op_case[]){ONE("nearest line", run, DIMS(2, 1, 4), .shape = DIMS(7)),
                               ONE("nearest, smaller", run, DIMS(1, 2, 7), .shape = DIMS(3)),
                               ONE("nearest plane, by factors", run, DIMS(1, 2, 3, 4), .p = {1.6, 2.5}),
                               ONE("linear", run, DIMS(2, 1, 4), .shape = DIMS(7), .i = {LINEAR}),
                               ONE("linear, smaller", run, DIMS(1, 2, 7), .shape = DIMS(3), .i = {LINEAR}),
                               ONE("linear, aligned", run, DIMS(2, 2, 4), .shape = DIMS(6), .i = {LINEAR, 1}),
                               ONE("linear, aligned, one", run, DIMS(2, 1, 4), .shape = DIMS(1), .i = {LINEAR, 1}),
                               ONE("linear by a factor", run, DIMS(1, 1, 5), .p = {2.3}, .i = {LINEAR}),
                               ONE("bilinear", run, DIMS(2, 1, 3, 4), .shape = DIMS(5, 3), .i = {BILINEAR}),
                               ONE("bilinear, one size", run, DIMS(1, 2, 3, 2), .shape = DIMS(4), .i = {BILINEAR}),
                               ONE("bilinear, aligned", run, DIMS(1, 1, 4, 3), .shape = DIMS(2, 6), .i = {BILINEAR, 1}),
                               ONE("bilinear by factors", run, DIMS(1, 1, 3, 4), .p = {2.0, 0.7}, .i = {BILINEAR}),
                               ONE("no images", run, DIMS(0, 2, 3, 4), .shape = DIMS(5), .i = {BILINEAR}),
                               {0}},
    .values =
        (const op_value[]){
            {"doubled", doubled, DIMS(1, 1, 6), 0, (const double[]){0, 0, 1, 1, 2, 2}},
            {"line", lines, DIMS(1, 1, 5), 0, (const double[]){0, 0.5, 1, 1.5, 2}},
            {"plane", planes, DIMS(1, 1, 4, 4), 0,
             (const double[]){0, 0.25, 0.75, 1, 0.5, 0.75, 1.25, 1.5, 1.5, 1.75, 2.25, 2.5, 2, 2.25, 2.75, 3}},
            {"no channels", no_channels, DIMS(2, 0, 6), 0, (const double[]){0}},
            {"special, nearest", special_nearest, DIMS(1, 1, 4), 0, (const double[]){-0.0, INFINITY, 1, NAN}},
            {"special, linear", special_linear, DIMS(1, 1, 7), 0,
             (const double[]){-0.0, INFINITY, INFINITY, INFINITY, 1, NAN, NAN}},
            {"adjoint", is_adjoint, NO_DIMS, 1e-13, (const double[]){0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", null, HEED_ERR_ARGUMENT, "interpolate:"},
            {"no options", no_options, HEED_ERR_ARGUMENT,
             "interpolate: size is (), scale_factor is 0: give either one or the other"},
            {"i64", of_i64, HEED_ERR_DTYPE, "interpolate: the tensor is i64"},
            {"rank 2", rank_2, HEED_ERR_SHAPE, "interpolate: x is (1, 3): must be (B, C, L) or (B, C, H, W)"},
            {"rank 5", rank_5, HEED_ERR_SHAPE, "interpolate: x is (1, 1, 1, 1, 3): must be (B, C, L) or (B, C, H, W)"},
            {"linear plane", linear_plane, HEED_ERR_SHAPE,
             "interpolate: x is (1, 1, 3, 3): must be (B, C, L) in mode linear"},
            {"bilinear line", bilinear_line, HEED_ERR_SHAPE,
             "interpolate: x is (1, 1, 3): must be (B, C, H, W) in mode bilinear"},
            {"empty line", empty_line, HEED_ERR_SHAPE, "interpolate: the lines of x (1, 1, 0) are empty"},
            {"empty plane", empty_plane, HEED_ERR_SHAPE, "interpolate: the planes of x (1, 1, 2, 0) are empty"},
            {"size and factor", both, HEED_ERR_ARGUMENT, "interpolate: size is (2), scale_factor is 2: give either"},
            {"two sizes", two_sizes, HEED_ERR_ARGUMENT, "interpolate: size has 2 numbers: must be at most 1"},
            {"size 0", size_0, HEED_ERR_ARGUMENT, "interpolate: size is 0: must be 1 to "},
            {"too small", too_small, HEED_ERR_SHAPE,
             "interpolate: a scale_factor of 0.25 gives 3 elements the size 0: must be 1 to 2^60"},
            {"factor -1", below_0, HEED_ERR_ARGUMENT, "interpolate: scale_factor is -1: must be above 0 and finite"},
            {"factor NaN", nan_factor, HEED_ERR_ARGUMENT,
             "interpolate: scale_factor is nan: must be above 0 and finite"},
            {"factor inf", infinite, HEED_ERR_ARGUMENT, "interpolate: scale_factor is inf: must be above 0 and finite"},
            {"only the width", only_w, HEED_ERR_ARGUMENT, "interpolate: scale_factor is 0: must be above 0 and finite"},
            {"factor 1e300", huge, HEED_ERR_SHAPE,
             "interpolate: a scale_factor of 1e+300 gives 3 elements the size 3e+300"},
            {"too many elements", too_many, HEED_ERR_SHAPE, "interpolate: "},
            {"mode", mode_9, HEED_ERR_ARGUMENT, "interpolate: mode is 9: must be one of HEED_INTERPOLATE_*"},
            {"corners", corners, HEED_ERR_ARGUMENT,
             "interpolate: align_corners is true: must be false in mode nearest"},
            {0}},
};
