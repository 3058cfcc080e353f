/* tests/ops/index/scatter_sum.c - cases of heed_scatter_sum. */

#include "indices.h"

RUN(run, heed_scatter_sum(in[0], (int)c->i[0], in[1], c->shape))

#define SCATTERED(name_, dims, size, axis, result)                                                                     \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2,                                                                      \
        .in = {{.shape = dims}, {.shape = dims, .kind = OP_INDEX, .high = size}}, .i = {axis}, .shape = result         \
    }

GIVES(rows, heed_scatter_sum(counting(HEED_F64, HEED_SHAPE(2, 2)), 0, INDICES(HEED_SHAPE(2, 2), 2, 0, 2, 1),
                             HEED_SHAPE(3, 3)))
GIVES(integers,
      heed_scatter_sum(heed_full(HEED_I64, HEED_SHAPE(3), 5), 0, INDICES(HEED_SHAPE(3), 1, 1, 0), HEED_SHAPE(3)))
GIVES(nothing,
      heed_scatter_sum(heed_ones(HEED_F32, HEED_SHAPE(0)), 0, heed_zeros(HEED_I64, HEED_SHAPE(0)), HEED_SHAPE(2)))

/* Two halves of 2^64 add up to 0. */
static heed_tensor *wrapping(void)
{
    const int64_t x[] = {INT64_MIN, INT64_MIN};
    return heed_scatter_sum(heed_from_array(HEED_I64, HEED_SHAPE(2), x, 2), 0, heed_zeros(HEED_I64, HEED_SHAPE(2)),
                            HEED_SHAPE(1));
}

#define OF_2_3(axis, index, shape) heed_scatter_sum(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), axis, index, shape)
#define ZEROS_2_3 heed_zeros(HEED_I64, HEED_SHAPE(2, 3))
GIVES(of_null, heed_scatter_sum(NULL, 0, ZEROS_2_3, HEED_SHAPE(2, 3)))
GIVES(null_index, OF_2_3(0, NULL, HEED_SHAPE(2, 3)))
GIVES(of_bool, heed_scatter_sum(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3)), 0, ZEROS_2_3, HEED_SHAPE(2, 3)))
GIVES(float_index, OF_2_3(0, heed_zeros(HEED_F32, HEED_SHAPE(2, 3)), HEED_SHAPE(2, 3)))
GIVES(other_index, OF_2_3(0, heed_zeros(HEED_I64, HEED_SHAPE(2, 2)), HEED_SHAPE(2, 3)))
GIVES(narrow, OF_2_3(0, ZEROS_2_3, HEED_SHAPE(2, 2)))
GIVES(other_rank, OF_2_3(0, ZEROS_2_3, HEED_SHAPE(6)))
GIVES(axis_2, OF_2_3(2, ZEROS_2_3, HEED_SHAPE(2, 3)))
GIVES(axis_least, OF_2_3(INT_MIN, ZEROS_2_3, HEED_SHAPE(2, 3)))
GIVES(to_scalar, OF_2_3(0, ZEROS_2_3, HEED_SCALAR))
GIVES(negative_shape, OF_2_3(0, ZEROS_2_3, HEED_SHAPE(-1, 3)))
GIVES(overflow, OF_2_3(0, ZEROS_2_3, HEED_SHAPE(INT64_MAX, 3)))
GIVES(rank_9, OF_2_3(0, ZEROS_2_3, RANK_9))
GIVES(outside, OF_2_3(0, INDICES(HEED_SHAPE(2, 3), 0, 1, 0, 1, 4, 0), HEED_SHAPE(4, 3)))
GIVES(negative, OF_2_3(0, INDICES(HEED_SHAPE(2, 3), 0, -1, 0, 1, 4, 0), HEED_SHAPE(4, 3)))

const op_cases heed_cases_scatter_sum = {
    .cases = (const op_case[]){SCATTERED("(1) to (1)", DIMS(1), 1, 0, DIMS(1)),
                               SCATTERED("(5) to (3)", DIMS(5), 3, 0, DIMS(3)),
                               SCATTERED("(3) to (5)", DIMS(3), 5, 0, DIMS(5)),
                               SCATTERED("(0) to (2)", DIMS(0), 2, 0, DIMS(2)),
                               SCATTERED("(2, 3) to (4, 3)", DIMS(2, 3), 4, 0, DIMS(4, 3)),
                               SCATTERED("(2, 3) to (2, 2) axis 1", DIMS(2, 3), 2, 1, DIMS(2, 2)),
                               SCATTERED("(2, 3) to (3, 4) axis -1", DIMS(2, 3), 4, -1, DIMS(3, 4)),
                               SCATTERED("(7, 1) to (2, 1)", DIMS(7, 1), 2, 0, DIMS(2, 1)),
                               SCATTERED("(2, 3, 5) to (2, 2, 6) axis 1", DIMS(2, 3, 5), 2, 1, DIMS(2, 2, 6)),
                               SCATTERED("(2, 1, 2, 1, 2) to (2, 1, 3, 2, 2) axis 2", DIMS(2, 1, 2, 1, 2), 3, 2,
                                         DIMS(2, 1, 3, 2, 2)),
                               SCATTERED("(0, 3) to (2, 2) axis 1", DIMS(0, 3), 2, 1, DIMS(2, 2)),
                               {0}},
    .values = (const op_value[]){{"rows", rows, DIMS(3, 3), 0, (const double[]){0, 1, 0, 0, 3, 0, 2, 0, 0}},
                                 {"i64", integers, DIMS(3), 0, (const double[]){5, 10, 0}},
                                 {"i64 wraps around", wrapping, DIMS(1), 0, (const double[]){0}},
                                 {"nothing", nothing, DIMS(2), 0, (const double[]){0, 0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "scatter_sum:"},
            {"NULL index", null_index, HEED_ERR_ARGUMENT, "scatter_sum:"},
            {"bool", of_bool, HEED_ERR_DTYPE, "scatter_sum: the tensor is bool (2, 3): must be f32, f64 or i64"},
            {"f32 index", float_index, HEED_ERR_DTYPE, "scatter_sum: the indices are f32"},
            {"index (2, 2)", other_index, HEED_ERR_SHAPE, "scatter_sum: indices (2, 2) for (2, 3)"},
            {"to (2, 2)", narrow, HEED_ERR_SHAPE, "scatter_sum: indices (2, 3) do not fit (2, 2)"},
            {"to (6)", other_rank, HEED_ERR_SHAPE, "scatter_sum: indices (2, 3) do not fit (6)"},
            {"axis 2", axis_2, HEED_ERR_SHAPE, "scatter_sum: there is no axis 2"},
            {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "scatter_sum: there is no axis -2147483648"},
            {"to ()", to_scalar, HEED_ERR_SHAPE, "scatter_sum: there is no axis 0"},
            {"to (-1, 3)", negative_shape, HEED_ERR_SHAPE, "scatter_sum: (-1, 3)"},
            {"overflow", overflow, HEED_ERR_SHAPE, "scatter_sum: (9223372036854775807, 3)"},
            {"rank 9", rank_9, HEED_ERR_SHAPE, "scatter_sum:"},
            {"index 4", outside, HEED_ERR_INDEX, "scatter_sum: index 4 at (1, 1) is outside"},
            {"index -1", negative, HEED_ERR_INDEX, "scatter_sum: index -1 at (0, 1) is outside an axis of size 4"},
            {0}},
};
