/* tests/ops/shape/pad.c - cases of heed_pad. */

#include "functions.h"

/* shape: the pads; i: the mode; p: the value */
RUN(run, heed_pad(in[0], c->shape, (heed_pad_mode)c->i[0], c->p[0]))

#define PADDED(name_, dims, mode, value, ...)                                                                          \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = dims}}, .i = {HEED_PAD_##mode}, .p = {value},       \
        .shape = DIMS(__VA_ARGS__)                                                                                     \
    }

#define OF_3(mode, ...) heed_pad(counting(HEED_F64, HEED_SHAPE(3)), HEED_SHAPE(__VA_ARGS__), HEED_PAD_##mode, 0)
GIVES(value, heed_pad(counting(HEED_F32, HEED_SHAPE(3)), HEED_SHAPE(1, 2), HEED_PAD_CONSTANT, -INFINITY))
GIVES(reflected, OF_3(REFLECT, 2, 2))
GIVES(replicated, OF_3(REPLICATE, 2, 2))
GIVES(circular, OF_3(CIRCULAR, 2, 2))
GIVES(around_twice, OF_3(CIRCULAR, 7, 0))
GIVES(cut, OF_3(CONSTANT, -1, 1))
GIVES(cut_to_nothing, OF_3(CONSTANT, -1, -2))
GIVES(cut_and_reflected, OF_3(REFLECT, -1, 1))
GIVES(last_two, heed_pad(heed_ones(HEED_I64, HEED_SHAPE(2, 1)), HEED_SHAPE(1, 0, 0, 1), HEED_PAD_CONSTANT, 7))
GIVES(masks, heed_pad(heed_ones(HEED_BOOL, HEED_SHAPE(1)), HEED_SHAPE(1, 1), HEED_PAD_CONSTANT, 0))
GIVES(around_nothing, heed_pad(heed_ones(HEED_F64, HEED_SHAPE(0)), HEED_SHAPE(1, 1), HEED_PAD_CONSTANT, 3))

/* The result is a copy, even with zero padding. */
static heed_tensor *shares(void)
{
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2));
    heed_tensor *y = heed_pad(x, HEED_SCALAR, HEED_PAD_REFLECT, 0);
    return heed_full(HEED_I64, HEED_SCALAR, heed_shares_storage(x, y));
}

#define BAD_OF_3(name, mode, value, ...)                                                                               \
    GIVES(name, heed_pad(heed_ones(HEED_F64, HEED_SHAPE(3)), HEED_SHAPE(__VA_ARGS__), mode, value))
GIVES(of_null, heed_pad(NULL, HEED_SHAPE(1, 1), HEED_PAD_CONSTANT, 0))
BAD_OF_3(one_number, HEED_PAD_CONSTANT, 0, 1)
BAD_OF_3(four_numbers, HEED_PAD_CONSTANT, 0, 1, 1, 1, 1)
BAD_OF_3(cut_before, HEED_PAD_CONSTANT, 0, -4, 8)
BAD_OF_3(cut_both, HEED_PAD_REPLICATE, 0, -2, -2)
BAD_OF_3(lowest, HEED_PAD_CONSTANT, 0, INT64_MIN, 1)
BAD_OF_3(highest, HEED_PAD_CONSTANT, 0, INT64_MAX, INT64_MAX)
BAD_OF_3(vast, HEED_PAD_CIRCULAR, 0, INT64_MAX - 3, 0)
BAD_OF_3(mirrored_too_far, HEED_PAD_REFLECT, 0, 0, 3)
BAD_OF_3(mode_4, (heed_pad_mode)4, 0, 1, 1)
BAD_OF_3(mode_below_0, (heed_pad_mode)-1, 0, 1, 1)
BAD_OF_3(value_unused, HEED_PAD_REFLECT, 1, 1, 1)
GIVES(no_elements, heed_pad(heed_ones(HEED_F64, HEED_SHAPE(0)), HEED_SHAPE(1, 0), HEED_PAD_REPLICATE, 0))
GIVES(rank_below_0, heed_pad(heed_ones(HEED_F64, HEED_SHAPE(3)), RANK_BELOW_0, HEED_PAD_CONSTANT, 0))
GIVES(half, heed_pad(heed_ones(HEED_I64, HEED_SHAPE(3)), HEED_SHAPE(1, 1), HEED_PAD_CONSTANT, 0.5))

const op_cases heed_cases_pad = {
    .cases = (const op_case[]){PADDED("(1) 1, 1", DIMS(1), CONSTANT, 2, 1, 1),
                               PADDED("(5) 0, 3", DIMS(5), CONSTANT, 0, 0, 3),
                               PADDED("(5) -1, 2", DIMS(5), CONSTANT, 0, -1, 2),
                               PADDED("(2, 3) 1, 2, 3, 0", DIMS(2, 3), CONSTANT, -1, 1, 2, 3, 0),
                               PADDED("(0, 3) 1, 1", DIMS(0, 3), CONSTANT, 1, 1, 1),
                               PADDED("(0) 1, 1", DIMS(0), CONSTANT, 1, 1, 1),
                               PADDED("(2, 3, 2) 0, 0, 1, -1", DIMS(2, 3, 2), CONSTANT, 1, 0, 0, 1, -1),
                               PADDED("(4) reflect", DIMS(4), REFLECT, 0, 3, 2),
                               PADDED("(3, 2) reflect", DIMS(3, 2), REFLECT, 0, 1, 1, 2, 0),
                               PADDED("(3, 4) reflect -1, 1", DIMS(3, 4), REFLECT, 0, -1, 1),
                               PADDED("(2, 3) replicate", DIMS(2, 3), REPLICATE, 0, 2, 3, 1, 0),
                               PADDED("(2, 3) circular", DIMS(2, 3), CIRCULAR, 0, 3, 1, 1, 1),
                               PADDED("(2, 3) circular, nothing", DIMS(2, 3), CIRCULAR, 0, 0, 0),
                               {0}},
    .values =
        (const op_value[]){{"a value", value, DIMS(6), 0, (const double[]){-INFINITY, 0, 1, 2, -INFINITY, -INFINITY}},
                           {"reflected", reflected, DIMS(7), 0, (const double[]){2, 1, 0, 1, 2, 1, 0}},
                           {"replicated", replicated, DIMS(7), 0, (const double[]){0, 0, 0, 1, 2, 2, 2}},
                           {"circular", circular, DIMS(7), 0, (const double[]){1, 2, 0, 1, 2, 0, 1}},
                           {"around twice", around_twice, DIMS(10), 0, (const double[]){2, 0, 1, 2, 0, 1, 2, 0, 1, 2}},
                           {"cut", cut, DIMS(3), 0, (const double[]){1, 2, 0}},
                           {"cut to nothing", cut_to_nothing, DIMS(0), 0, (const double[]){0}},
                           {"cut and reflected", cut_and_reflected, DIMS(3), 0, (const double[]){1, 2, 1}},
                           {"i64, two axes", last_two, DIMS(3, 2), 0, (const double[]){7, 1, 7, 1, 7, 7}},
                           {"bool", masks, DIMS(3), 0, (const double[]){0, 1, 0}},
                           {"around nothing", around_nothing, DIMS(2), 0, (const double[]){3, 3}},
                           {"a copy", shares, NO_DIMS, 0, (const double[]){0}},
                           {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "pad:"},
            {"one number", one_number, HEED_ERR_SHAPE, "pad: 1 numbers for (3): must be two per padded axis"},
            {"four numbers", four_numbers, HEED_ERR_SHAPE, "pad: 4 numbers for (3): must be two per padded axis"},
            {"rank -1", rank_below_0, HEED_ERR_SHAPE, "pad: -1 numbers for (3)"},
            {"cut before", cut_before, HEED_ERR_SHAPE, "pad: padding -4 and 8 does not fit axis 0 of (3)"},
            {"cut both", cut_both, HEED_ERR_SHAPE, "pad: padding -2 and -2 does not fit axis 0 of (3)"},
            {"INT64_MIN", lowest, HEED_ERR_SHAPE, "pad: padding -9223372036854775808 and 1 does not fit"},
            {"INT64_MAX", highest, HEED_ERR_SHAPE,
             "pad: padding 9223372036854775807 and 9223372036854775807 does not fit"},
            {"vast", vast, HEED_ERR_SHAPE, "pad: "},
            {"mirrored too far", mirrored_too_far, HEED_ERR_SHAPE,
             "pad: axis 0 of (3) is too short to be padded with 3"},
            {"nothing to repeat", no_elements, HEED_ERR_SHAPE, "pad: axis 0 of (0) is too short to be padded with 1"},
            {"mode 4", mode_4, HEED_ERR_ARGUMENT, "pad: mode is 4: must be one of HEED_PAD_*"},
            {"mode -1", mode_below_0, HEED_ERR_ARGUMENT, "pad: mode is -1: must be one of HEED_PAD_*"},
            {"a value that is not used", value_unused, HEED_ERR_ARGUMENT, "pad: value is 1: must be 0"},
            {"0.5 in i64", half, HEED_ERR_ARGUMENT, "pad:"},
            {0}},
};
