/* tests/ops/index/gather.c - cases of heed_gather. */

#include "indices.h"

RUN(run, heed_gather(in[0], (int)c->i[0], in[1]))

GIVES(rows, heed_gather(counting(HEED_F64, HEED_SHAPE(3, 2)), 0, INDICES(HEED_SHAPE(2, 2), 2, 0, 0, 1)))
GIVES(columns, heed_gather(counting(HEED_I64, HEED_SHAPE(2, 3)), -1, INDICES(HEED_SHAPE(2, 2), 2, 2, 0, 1)))
GIVES(corner, heed_gather(counting(HEED_F32, HEED_SHAPE(3, 4)), 1, INDICES(HEED_SHAPE(2, 1), 3, 1)))
GIVES(masks, heed_gather(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 0, 1), 0, INDICES(HEED_SHAPE(3), 1, 0, 1)))
GIVES(no_indices, heed_gather(heed_ones(HEED_F64, HEED_SHAPE(0, 3)), 0, heed_zeros(HEED_I64, HEED_SHAPE(0, 3))))

#define OF_2_3(axis, index) heed_gather(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), axis, index)
GIVES(of_null, heed_gather(NULL, 0, heed_zeros(HEED_I64, HEED_SHAPE(1))))
GIVES(null_index, OF_2_3(0, NULL))
GIVES(float_index, OF_2_3(0, heed_zeros(HEED_F64, HEED_SHAPE(2, 3))))
GIVES(other_rank, OF_2_3(0, heed_zeros(HEED_I64, HEED_SHAPE(2))))
GIVES(too_wide, OF_2_3(0, heed_zeros(HEED_I64, HEED_SHAPE(2, 4))))
GIVES(axis_2, OF_2_3(2, heed_zeros(HEED_I64, HEED_SHAPE(2, 3))))
GIVES(axis_least, OF_2_3(INT_MIN, heed_zeros(HEED_I64, HEED_SHAPE(2, 3))))
GIVES(outside, OF_2_3(1, INDICES(HEED_SHAPE(2, 2), 0, 1, 2, 3)))
GIVES(negative, OF_2_3(0, INDICES(HEED_SHAPE(1, 3), 1, -1, 5)))
GIVES(least, OF_2_3(0, heed_from_array(HEED_I64, HEED_SHAPE(1, 1), &(int64_t){INT64_MIN}, 1)))
GIVES(of_nothing, heed_gather(heed_ones(HEED_F64, HEED_SHAPE(0)), 0, heed_zeros(HEED_I64, HEED_SHAPE(1))))

const op_cases heed_cases_gather = {
    .cases = (const op_case[]){INDEXED("(1) (1)", run, DIMS(1), DIMS(1), 1, 0),
                               INDEXED("(5) (3)", run, DIMS(5), DIMS(3), 5, 0),
                               INDEXED("(5) (0)", run, DIMS(5), DIMS(0), 5, 0),
                               INDEXED("(2, 3) (4, 3) axis 0", run, DIMS(2, 3), DIMS(4, 3), 2, 0),
                               INDEXED("(2, 3) (2, 5) axis 1", run, DIMS(2, 3), DIMS(2, 5), 3, 1),
                               INDEXED("(3, 4) (2, 2) axis 0", run, DIMS(3, 4), DIMS(2, 2), 3, 0),
                               INDEXED("(3, 4) (2, 2) axis -1", run, DIMS(3, 4), DIMS(2, 2), 4, -1),
                               INDEXED("(2, 3, 5) (2, 4, 3) axis 1", run, DIMS(2, 3, 5), DIMS(2, 4, 3), 3, 1),
                               INDEXED("(2, 1, 3, 2, 2) (2, 1, 2, 1, 2) axis 2", run, DIMS(2, 1, 3, 2, 2),
                                       DIMS(2, 1, 2, 1, 2), 3, 2),
                               INDEXED("(0, 3) (0, 2) axis 1", run, DIMS(0, 3), DIMS(0, 2), 3, 1),
                               {0}},
    .values = (const op_value[]){{"rows", rows, DIMS(2, 2), 0, (const double[]){4, 1, 0, 3}},
                                 {"columns, i64", columns, DIMS(2, 2), 0, (const double[]){2, 2, 3, 4}},
                                 {"corner", corner, DIMS(2, 1), 0, (const double[]){3, 5}},
                                 {"bool", masks, DIMS(3), 0, (const double[]){1, 0, 1}},
                                 {"no indices", no_indices, DIMS(0, 3), 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "gather:"},
            {"NULL index", null_index, HEED_ERR_ARGUMENT, "gather:"},
            {"f64 index", float_index, HEED_ERR_DTYPE, "gather: the indices are f64 (2, 3): must be i64"},
            {"index (2)", other_rank, HEED_ERR_SHAPE, "gather: indices (2) do not fit (2, 3)"},
            {"index (2, 4)", too_wide, HEED_ERR_SHAPE, "gather: indices (2, 4) do not fit (2, 3)"},
            {"axis 2", axis_2, HEED_ERR_SHAPE, "gather: there is no axis 2"},
            {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "gather: there is no axis -2147483648"},
            {"index 3", outside, HEED_ERR_INDEX, "gather: index 3 at (1, 1) is outside an axis of size 3"},
            {"index -1", negative, HEED_ERR_INDEX, "gather: index -1 at (0, 1) is outside an axis of size 2"},
            {"index INT64_MIN", least, HEED_ERR_INDEX, "gather: index -9223372036854775808 at"},
            {"of nothing", of_nothing, HEED_ERR_INDEX, "gather: index 0 at (0)"},
            {0}},
};
