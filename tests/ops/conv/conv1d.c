/* tests/ops/conv/conv1d.c - cases of heed_conv1d. */

#include "convs.h"

RUN(run, heed_conv1d(in[0], in[1], c->n_inputs > 2 ? in[2] : NULL, &(heed_conv_options[]){conv_options(c)}[0]))

/* The book's example: 0 .. 6 by 1, 2; and three channels. */
GIVES(book, heed_conv1d(counting(HEED_F64, HEED_SHAPE(1, 1, 7)), HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 1, 2), 1, 2), NULL,
                        NULL))
GIVES(long_text, heed_mean(heed_conv1d(heed_ones(HEED_F32, HEED_SHAPE(1, 1, 100003)),
                                       heed_ones(HEED_F32, HEED_SHAPE(1, 1, 5)), NULL, NULL)))
GIVES(null, heed_conv1d(NULL, ONES(1, 1, 1), NULL, NULL))
GIVES(rank, heed_conv1d(ONES(1, 1, 1, 1), ONES(1, 1, 1), NULL, NULL))
GIVES(too_long, heed_conv1d(ONES(1, 1, 4), ONES(1, 1, 3), NULL, &(heed_conv_options){.dilation = HEED_SHAPE(2)}))
GIVES(two, heed_conv1d(ONES(1, 1, 4), ONES(1, 1, 3), NULL, &(heed_conv_options){.stride = HEED_SHAPE(1, 1)}))
GIVES(bias, heed_conv1d(ONES(1, 1, 4), ONES(1, 1, 3), ONES(2), NULL))

const op_cases heed_cases_conv1d = {
    .cases = (const op_case[]){CONV("3", DIMS(2, 2, 5), DIMS(3, 2, 3), 3, 0, 1),
                               CONV_NO_BIAS(DIMS(1, 2, 4), DIMS(2, 2, 2)),
                               CONV("stride, dilation", DIMS(1, 1, 9), DIMS(2, 1, 3), 2, 2, 3, 2),
                               CONV("groups", DIMS(2, 4, 3), DIMS(2, 2, 2), 2, 0, 0, 0, 2),
                               CONV("same", DIMS(1, 2, 4), DIMS(2, 2, 4), 2, 0, 0, 0, 0, 1),
                               {0}},
    .values = (const op_value[]){{"book", book, DIMS(1, 1, 6), 0, (const double[]){2, 5, 8, 11, 14, 17}},
                                 {"a long text", long_text, NO_DIMS, 0, (const double[]){5}},
                                 {0}},
    .errors =
        (const op_error[]){{"NULL", null, HEED_ERR_ARGUMENT, "conv1d:"},
                           {"rank", rank, HEED_ERR_SHAPE, "conv1d: x (1, 1, 1, 1) and w (1, 1, 1): must be of rank 3"},
                           {"kernel too long", too_long, HEED_ERR_SHAPE,
                            "conv1d: a kernel (3) with dilation (2) does not fit into (4) with padding (0)"},
                           {"two numbers", two, HEED_ERR_ARGUMENT, "conv1d: stride has 2 numbers: must be at most 1"},
                           {"bias", bias, HEED_ERR_SHAPE, "the bias has shape (2): must be (1)"},
                           {0}},
};
