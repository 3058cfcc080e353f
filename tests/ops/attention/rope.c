/* tests/ops/attention/rope.c - cases of heed_rope.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "attention.h"

/* i: whether the second input is positions, interleaved, heads_inner, dims, offset; p: base, scale. */
static heed_tensor *turn(heed_tensor *const *in, const op_case *c)
{
    return heed_rope(in[0], c->i[0] ? in[1] : NULL,
                     &(heed_rope_options){.base = c->p[0],
                                          .interleaved = c->i[1],
                                          .heads_inner = c->i[2],
                                          .dims = c->i[3],
                                          .offset = c->i[4],
                                          .scale = c->p[1]});
}

#define OF(name_, x, ...)                                                                                              \
    {                                                                                                                  \
        .name = name_, .run = turn, .n_inputs = 1, .in = {FLOATS(x)}, __VA_ARGS__                                      \
    }
#define AT(name_, x, positions, ...)                                                                                   \
    {                                                                                                                  \
        .name = name_, .run = turn, .n_inputs = 2, .in = {FLOATS(x), LENGTHS(50, positions)}, __VA_ARGS__              \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

#define PI 3.14159265358979323846
#define TURN(...) (&(heed_rope_options){__VA_ARGS__})

/* Two positions of 1, 2, 3, 4; rotated by a right angle per position, or not at all. */
static heed_tensor *quarters(bool interleaved, int64_t dims, int64_t offset, heed_tensor *positions)
{
    heed_tensor *x = heed_expand(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 2, 3, 4), HEED_SHAPE(1, 2, 4));
    heed_tensor *frequencies = heed_mul_scalar(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 0), PI / 2);
    return heed_rope(x, positions,
                     TURN(.interleaved = interleaved, .dims = dims, .offset = offset,
                          .frequencies = dims == 2 ? heed_slice(frequencies, 0, 0, 1, 1) : frequencies));
}

GIVES(halves, quarters(false, 0, 0, NULL))
GIVES(neighbours, quarters(true, 0, 0, NULL))
GIVES(partly, quarters(false, 2, 0, NULL))
GIVES(scaled, heed_rope(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 1, 4), 1, 2, 3, 4), NULL, TURN(.dims = 2, .scale = 3)))
GIVES(further, quarters(true, 0, 1, NULL))
GIVES(at_positions, quarters(true, 0, -1, LENS(HEED_SHAPE(1, 2), 3, 1)))
GIVES(default_base, heed_rope(ONES(1, 2, 2), NULL, NULL))
GIVES(own_base, heed_rope(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 1, 4), 0, 1, 0, 0), NULL, TURN(.base = 16, .offset = 1)))

/* -- Errors -------------------------------------------------------------------------------------------------------- */

GIVES(null, heed_rope(NULL, NULL, NULL))
GIVES(integers, heed_rope(LENS(HEED_SHAPE(1, 1, 2), 1, 1), NULL, NULL))
GIVES(rank_2, heed_rope(ONES(2, 4), NULL, NULL))
GIVES(rank_3_inner, heed_rope(ONES(2, 3, 4), NULL, TURN(.heads_inner = true)))
GIVES(odd, heed_rope(ONES(2, 3, 5), NULL, NULL))
GIVES(odd_dims, heed_rope(ONES(2, 3, 4), NULL, TURN(.dims = 3)))
GIVES(dims_above, heed_rope(ONES(2, 3, 4), NULL, TURN(.dims = 6)))
GIVES(dims_below, heed_rope(ONES(2, 3, 4), NULL, TURN(.dims = -2)))
GIVES(base_below, heed_rope(ONES(2, 3, 4), NULL, TURN(.base = -1)))
GIVES(base_nan, heed_rope(ONES(2, 3, 4), NULL, TURN(.base = NAN)))
GIVES(scale_infinite, heed_rope(ONES(2, 3, 4), NULL, TURN(.scale = (double)INFINITY)))
GIVES(positions_float, heed_rope(ONES(2, 3, 4), ONES(3), NULL))
GIVES(positions_count, heed_rope(ONES(2, 3, 4), LENS(HEED_SHAPE(2), 1, 1), NULL))
GIVES(positions_batch, heed_rope(ONES(2, 1, 3, 4), LENS(HEED_SHAPE(1, 3), 1, 1, 1), NULL))
GIVES(frequencies_f32, heed_rope(ONES(2, 3, 4), NULL, TURN(.frequencies = heed_ones(HEED_F32, HEED_SHAPE(2)))))
GIVES(frequencies_count, heed_rope(ONES(2, 3, 4), NULL, TURN(.frequencies = ONES(4))))

const op_cases heed_cases_rope = {
    .cases = (const op_case[]){OF("halves", DIMS(1, 3, 4), .i = {0}),
                               OF("neighbours", DIMS(2, 3, 4), .i = {0, true}, .p = {7}),
                               OF("heads", DIMS(2, 2, 3, 2), .i = {0, false, false, 0, 5}),
                               OF("heads inside, partly", DIMS(2, 3, 2, 5), .i = {0, true, true, 4}),
                               OF("scaled, partly", DIMS(1, 3, 6), .i = {0, false, false, 4}, .p = {0, 1.5}),
                               OF("partly", DIMS(1, 2, 2, 7), .i = {0, false, false, 4}),
                               AT("positions", DIMS(2, 3, 4), DIMS(3), .i = {true}),
                               AT("positions of each", DIMS(2, 2, 3, 2), DIMS(2, 3), .i = {true, false, false, 0, -3}),
                               AT("the same inside", DIMS(2, 3, 2, 4), DIMS(2, 3), .i = {true, true, true}),
                               OF("many", DIMS(1, 3, 38), .max_order = 1),
                               OF("no batch", DIMS(0, 2, 4), .i = {0}),
                               OF("no positions", DIMS(2, 0, 4), .i = {0}),
                               OF("no heads", DIMS(2, 3, 0, 4), .i = {0, 0, true}),
                               OF("no numbers", DIMS(2, 3, 0), .i = {0}),
                               {0}},
    .values =
        (const op_value[]){
            {"halves", halves, DIMS(1, 2, 4), 1e-15, (const double[]){1, 2, 3, 4, -3, 2, 1, 4}},
            {"neighbours", neighbours, DIMS(1, 2, 4), 1e-15, (const double[]){1, 2, 3, 4, -2, 1, 3, 4}},
            {"partly", partly, DIMS(1, 2, 4), 1e-15, (const double[]){1, 2, 3, 4, -2, 1, 3, 4}},
            {"scaled", scaled, DIMS(1, 1, 4), 1e-15, (const double[]){3, 6, 3, 4}},
            {"offset", further, DIMS(1, 2, 4), 1e-15, (const double[]){-2, 1, 3, 4, -1, -2, 3, 4}},
            {"positions", at_positions, DIMS(1, 2, 4), 1e-15, (const double[]){-1, -2, 3, 4, 1, 2, 3, 4}},
            {"a radian a position", default_base, DIMS(1, 2, 2), 1e-15,
             (const double[]){1, 1, 0.540302305868139717400937 - 0.841470984807896506652502,
                              0.540302305868139717400937 + 0.841470984807896506652502}},
            {"base 16", own_base, DIMS(1, 1, 4), 1e-15,
             (const double[]){0, 0.968912421710644784144595, 0, 0.247403959254522929594085}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", null, HEED_ERR_ARGUMENT, "rope:"},
            {"i64", integers, HEED_ERR_DTYPE, "rope:"},
            {"rank 2", rank_2, HEED_ERR_SHAPE, "rope: x is (2, 4): must be (B, T, d) or (B, H, T, d)"},
            {"rank 3, heads inside", rank_3_inner, HEED_ERR_SHAPE, "rope: x is (2, 3, 4): must be (B, T, H, d)"},
            {"odd", odd, HEED_ERR_SHAPE, "rope: x is (2, 3, 5), dims 0: must rotate an even number"},
            {"3 of 4", odd_dims, HEED_ERR_SHAPE, "rope: x is (2, 3, 4), dims 3: must rotate an even number"},
            {"6 of 4", dims_above, HEED_ERR_SHAPE, "dims 6"},
            {"-2 of 4", dims_below, HEED_ERR_SHAPE, "dims -2"},
            {"base -1", base_below, HEED_ERR_ARGUMENT, "rope: base -1: must be a positive number"},
            {"base NaN", base_nan, HEED_ERR_ARGUMENT, "rope: base nan"},
            {"scale infinite", scale_infinite, HEED_ERR_ARGUMENT, "rope: scale is inf: must be finite"},
            {"positions f64", positions_float, HEED_ERR_DTYPE, "rope:"},
            {"2 positions of 3", positions_count, HEED_ERR_SHAPE,
             "rope: positions are (2), x is (2, 3, 4): must be (3) or (2, 3)"},
            {"positions of 1 of 2", positions_batch, HEED_ERR_SHAPE, "positions are (1, 3)"},
            {"frequencies f32", frequencies_f32, HEED_ERR_DTYPE, "rope: frequencies are f32 (2): must be f64 (2)"},
            {"4 frequencies", frequencies_count, HEED_ERR_SHAPE, "frequencies are f64 (4): must be f64 (2)"},
            {0}},
};
