/* tests/ops/index/index_select.c - cases of heed_index_select. */

#include "indices.h"

RUN(run, heed_index_select(in[0], (int)c->i[0], in[1]))

GIVES(rows, heed_index_select(counting(HEED_F64, HEED_SHAPE(3, 2)), 0, INDICES(HEED_SHAPE(3), 2, 0, 2)))
GIVES(columns, heed_index_select(counting(HEED_I64, HEED_SHAPE(2, 3)), -1, INDICES(HEED_SHAPE(2), 2, 1)))
GIVES(middle, heed_index_select(counting(HEED_F32, HEED_SHAPE(2, 2, 2)), 1, INDICES(HEED_SHAPE(1), 1)))
GIVES(masks, heed_index_select(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 0, 1), 0, INDICES(HEED_SHAPE(3), 1, 0, 1)))
GIVES(none, heed_index_select(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 1, heed_zeros(HEED_I64, HEED_SHAPE(0))))

#define OF_2_3(axis, index) heed_index_select(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), axis, index)
GIVES(of_null, heed_index_select(NULL, 0, heed_zeros(HEED_I64, HEED_SHAPE(1))))
GIVES(null_index, OF_2_3(0, NULL))
GIVES(of_scalar, heed_index_select(heed_ones(HEED_F64, HEED_SCALAR), 0, heed_zeros(HEED_I64, HEED_SHAPE(1))))
GIVES(float_index, OF_2_3(0, heed_zeros(HEED_F64, HEED_SHAPE(2))))
GIVES(matrix_index, OF_2_3(0, heed_zeros(HEED_I64, HEED_SHAPE(1, 2))))
GIVES(axis_2, OF_2_3(2, heed_zeros(HEED_I64, HEED_SHAPE(1))))
GIVES(axis_least, OF_2_3(INT_MIN, heed_zeros(HEED_I64, HEED_SHAPE(1))))
GIVES(outside, OF_2_3(1, INDICES(HEED_SHAPE(3), 0, 2, 3)))
GIVES(negative, OF_2_3(0, INDICES(HEED_SHAPE(3), 1, -1, 5)))
GIVES(of_nothing, heed_index_select(heed_ones(HEED_F64, HEED_SHAPE(0, 3)), 0, heed_zeros(HEED_I64, HEED_SHAPE(1))))
GIVES(vast, heed_index_select(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0,
                              heed_expand(heed_zeros(HEED_I64, HEED_SCALAR), HEED_SHAPE(INT64_C(1) << 62))))

const op_cases heed_cases_index_select = {
    .cases = (const op_case[]){INDEXED("(1) (1)", run, DIMS(1), DIMS(1), 1, 0),
                               INDEXED("(5) (3)", run, DIMS(5), DIMS(3), 5, 0),
                               INDEXED("(3) (7)", run, DIMS(3), DIMS(7), 3, -1),
                               INDEXED("(5) (0)", run, DIMS(5), DIMS(0), 5, 0),
                               INDEXED("(2, 3) (4) axis 0", run, DIMS(2, 3), DIMS(4), 2, 0),
                               INDEXED("(2, 3) (2) axis 1", run, DIMS(2, 3), DIMS(2), 3, 1),
                               INDEXED("(7, 1) (2) axis 1", run, DIMS(7, 1), DIMS(2), 1, 1),
                               INDEXED("(2, 3, 5) (4) axis 1", run, DIMS(2, 3, 5), DIMS(4), 3, 1),
                               INDEXED("(2, 1, 3, 2, 2) (2) axis 2", run, DIMS(2, 1, 3, 2, 2), DIMS(2), 3, 2),
                               INDEXED("(0, 3) (2) axis 1", run, DIMS(0, 3), DIMS(2), 3, 1),
                               {0}},
    .values = (const op_value[]){{"rows", rows, DIMS(3, 2), 0, (const double[]){4, 5, 0, 1, 4, 5}},
                                 {"columns, i64", columns, DIMS(2, 2), 0, (const double[]){2, 1, 5, 4}},
                                 {"middle", middle, DIMS(2, 1, 2), 0, (const double[]){2, 3, 6, 7}},
                                 {"bool", masks, DIMS(3), 0, (const double[]){1, 0, 1}},
                                 {"none", none, DIMS(2, 0), 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "index_select:"},
            {"NULL index", null_index, HEED_ERR_ARGUMENT, "index_select:"},
            {"()", of_scalar, HEED_ERR_SHAPE, "index_select: there is no axis 0"},
            {"f64 index", float_index, HEED_ERR_DTYPE, "index_select: the indices are f64 (2): must be i64"},
            {"index (1, 2)", matrix_index, HEED_ERR_SHAPE, "index_select: indices (1, 2) for (2, 3)"},
            {"axis 2", axis_2, HEED_ERR_SHAPE, "index_select: there is no axis 2"},
            {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "index_select: there is no axis -2147483648"},
            {"index 3", outside, HEED_ERR_INDEX, "index_select: index 3 at (2) is outside an axis of size 3"},
            {"index -1", negative, HEED_ERR_INDEX, "index_select: index -1 at (1) is outside an axis of size 2"},
            {"of nothing", of_nothing, HEED_ERR_INDEX, "index_select: index 0 at (0)"},
            {"2^62 indices", vast, HEED_ERR_SHAPE, "index_select: (4611686018427387904, 3)"},
            {0}},
};
