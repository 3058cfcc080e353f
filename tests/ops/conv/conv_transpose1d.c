/* tests/ops/conv/conv_transpose1d.c - cases of heed_conv_transpose1d. */

#include "convs.h"

RUN(run, heed_conv_transpose1d(in[0], in[1], c->n_inputs > 2 ? in[2] : NULL,
                               &(heed_conv_transpose_options[]){conv_transpose_options(c)}[0]))

GIVES(steps, heed_conv_transpose1d(counting(HEED_F64, HEED_SHAPE(1, 1, 3)), ONES(1, 1, 3), NULL,
                                   &(heed_conv_transpose_options){.stride = HEED_SHAPE(2)}))
GIVES(null, heed_conv_transpose1d(NULL, ONES(1, 1, 1), NULL, NULL))
GIVES(rank, heed_conv_transpose1d(ONES(1, 1, 1, 1), ONES(1, 1, 1), NULL, NULL))
GIVES(nothing, heed_conv_transpose1d(ONES(1, 1, 1), ONES(1, 1, 2), NULL,
                                     &(heed_conv_transpose_options){.padding = HEED_SHAPE(1)}))

const op_cases heed_cases_conv_transpose1d = {
    .cases = (const op_case[]){CONV("3", DIMS(2, 2, 4), DIMS(2, 3, 3), 3, 0, 1),
                               CONV_NO_BIAS(DIMS(1, 2, 3), DIMS(2, 2, 2)),
                               CONV("stride, dilation", DIMS(1, 1, 3), DIMS(1, 2, 3), 2, 3, 1, 2, 0, 2),
                               CONV("groups", DIMS(2, 4, 2), DIMS(4, 1, 2), 2, 2, 0, 0, 2),
                               {0}},
    .values = (const op_value[]){{"steps", steps, DIMS(1, 1, 7), 0, (const double[]){0, 0, 1, 1, 3, 2, 2}}, {0}},
    .errors =
        (const op_error[]){
            {"NULL", null, HEED_ERR_ARGUMENT, "conv_transpose1d:"},
            {"rank", rank, HEED_ERR_SHAPE, "conv_transpose1d: x (1, 1, 1, 1) and w (1, 1, 1)"},
            {"nothing left", nothing, HEED_ERR_SHAPE,
             "conv_transpose1d: on (1), a kernel (2) with stride (1), dilation (1) and padding (1) gives"},
            {0}},
};
