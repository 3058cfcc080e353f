/* tests/ops/index/index_sum.c - cases of heed_index_sum. */

#include "indices.h"

/* i: axis, size */
RUN(run, heed_index_sum(in[0], (int)c->i[0], in[1], c->i[1]))

GIVES(rows, heed_index_sum(counting(HEED_F64, HEED_SHAPE(3, 2)), 0, INDICES(HEED_SHAPE(3), 2, 0, 2), 4))
GIVES(columns, heed_index_sum(counting(HEED_I64, HEED_SHAPE(2, 3)), -1, INDICES(HEED_SHAPE(3), 1, 1, 0), 2))
GIVES(middle, heed_index_sum(heed_ones(HEED_F32, HEED_SHAPE(2, 2, 2)), 1, INDICES(HEED_SHAPE(2), 1, 1), 2))
/* The last of enough rows that they are processed in several ranges. */
GIVES(many_rows, heed_slice(heed_index_sum(counting(HEED_F64, HEED_SHAPE(5000, 1)), 1, INDICES(HEED_SHAPE(1), 1), 2), 0,
                            4998, 5000, 1))
GIVES(none, heed_index_sum(heed_ones(HEED_F64, HEED_SHAPE(2, 0)), 1, heed_zeros(HEED_I64, HEED_SHAPE(0)), 2))

#define OF_2_3(axis, index, size) heed_index_sum(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), axis, index, size)
GIVES(of_null, heed_index_sum(NULL, 0, heed_zeros(HEED_I64, HEED_SHAPE(1)), 1))
GIVES(null_index, OF_2_3(0, NULL, 2))
GIVES(of_bool, heed_index_sum(heed_ones(HEED_BOOL, HEED_SHAPE(2)), 0, heed_zeros(HEED_I64, HEED_SHAPE(2)), 1))
GIVES(float_index, OF_2_3(0, heed_zeros(HEED_F64, HEED_SHAPE(2)), 2))
GIVES(matrix_index, OF_2_3(0, heed_zeros(HEED_I64, HEED_SHAPE(1, 2)), 2))
GIVES(short_index, OF_2_3(1, heed_zeros(HEED_I64, HEED_SHAPE(2)), 2))
GIVES(axis_2, OF_2_3(2, heed_zeros(HEED_I64, HEED_SHAPE(2)), 2))
GIVES(axis_least, OF_2_3(INT_MIN, heed_zeros(HEED_I64, HEED_SHAPE(2)), 2))
GIVES(size_negative, OF_2_3(0, heed_zeros(HEED_I64, HEED_SHAPE(2)), -1))
GIVES(size_most, OF_2_3(0, heed_zeros(HEED_I64, HEED_SHAPE(2)), INT64_MAX))
GIVES(outside, OF_2_3(0, INDICES(HEED_SHAPE(2), 0, 4), 4))
GIVES(negative, OF_2_3(0, INDICES(HEED_SHAPE(2), -1, 4), 4))

const op_cases heed_cases_index_sum = {
    .cases = (const op_case[]){INDEXED("(1) to 1", run, DIMS(1), DIMS(1), 1, 0, 1),
                               INDEXED("(5) to 3", run, DIMS(5), DIMS(5), 3, 0, 3),
                               INDEXED("(3) to 7", run, DIMS(3), DIMS(3), 7, -1, 7),
                               INDEXED("(0) to 2", run, DIMS(0), DIMS(0), 2, 0, 2),
                               INDEXED("(4, 3) to 2", run, DIMS(4, 3), DIMS(4), 2, 0, 2),
                               INDEXED("(2, 3) to 4 axis 1", run, DIMS(2, 3), DIMS(3), 4, 1, 4),
                               INDEXED("(7, 1) to 2 axis 1", run, DIMS(7, 1), DIMS(1), 2, 1, 2),
                               INDEXED("(2, 3, 5) to 2 axis 1", run, DIMS(2, 3, 5), DIMS(3), 2, 1, 2),
                               INDEXED("(2, 1, 3, 2, 2) to 2 axis 2", run, DIMS(2, 1, 3, 2, 2), DIMS(3), 2, 2, 2),
                               INDEXED("(0, 3) to 2 axis 1", run, DIMS(0, 3), DIMS(3), 2, 1, 2),
                               {0}},
    .values = (const op_value[]){{"rows", rows, DIMS(4, 2), 0, (const double[]){2, 3, 0, 0, 4, 6, 0, 0}},
                                 {"columns, i64", columns, DIMS(2, 2), 0, (const double[]){2, 1, 5, 7}},
                                 {"middle", middle, DIMS(2, 2, 2), 0, (const double[]){0, 0, 2, 2, 0, 0, 2, 2}},
                                 {"many rows", many_rows, DIMS(2, 2), 0, (const double[]){0, 4998, 0, 4999}},
                                 {"none", none, DIMS(2, 2), 0, (const double[]){0, 0, 0, 0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "index_sum:"},
            {"NULL index", null_index, HEED_ERR_ARGUMENT, "index_sum:"},
            {"bool", of_bool, HEED_ERR_DTYPE, "index_sum: the tensor is bool (2): must be f32, f64 or i64"},
            {"f64 index", float_index, HEED_ERR_DTYPE, "index_sum: the indices are f64 (2): must be i64"},
            {"index (1, 2)", matrix_index, HEED_ERR_SHAPE, "index_sum: indices (1, 2) for axis 0"},
            {"index (2)", short_index, HEED_ERR_SHAPE, "index_sum: indices (2) for axis 1 of (2, 3)"},
            {"axis 2", axis_2, HEED_ERR_SHAPE, "index_sum: there is no axis 2"},
            {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "index_sum: there is no axis -2147483648"},
            {"size -1", size_negative, HEED_ERR_SHAPE, "index_sum: (-1, 3)"},
            {"size INT64_MAX", size_most, HEED_ERR_SHAPE, "index_sum: (9223372036854775807, 3)"},
            {"index 4", outside, HEED_ERR_INDEX, "index_sum: index 4 at (1) is outside"},
            {"index -1", negative, HEED_ERR_INDEX, "index_sum: index -1 at (0) is outside"},
            {0}},
};
