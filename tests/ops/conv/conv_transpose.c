/* tests/ops/conv/conv_transpose.c - cases of heed_conv_transpose.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "convs.h"

RUN(run, heed_conv_transpose(in[0], in[1], c->n_inputs > 2 ? in[2] : NULL,
                             &(heed_conv_transpose_options[]){conv_transpose_options(c)}[0]))

/* The book's example, and with a stride. */
static heed_tensor *book_of(int64_t stride, int64_t padding)
{
    heed_tensor *k = counting(HEED_F64, HEED_SHAPE(1, 1, 2, 2));
    return heed_conv_transpose(
        k, k, NULL, &(heed_conv_transpose_options){.stride = HEED_SHAPE(stride), .padding = HEED_SHAPE(padding)});
}

GIVES(book, book_of(1, 0))
GIVES(book_stride, book_of(2, 0))
GIVES(book_padding, book_of(1, 1))
GIVES(steps, heed_conv_transpose(counting(HEED_F64, HEED_SHAPE(1, 1, 3)), ONES(1, 1, 3), NULL,
                                 &(heed_conv_transpose_options){.stride = HEED_SHAPE(2)}))
GIVES(between, heed_conv_transpose(ONES(1, 1, 1, 2), ONES(1, 1, 1, 1), HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 5),
                                   &(heed_conv_transpose_options){.stride = HEED_SHAPE(1, 3)}))

/* Images large enough to be processed one after another have the same bits as each one alone. */
static heed_tensor *large_images(void)
{
    const heed_conv_transpose_options o = {.stride = HEED_SHAPE(2), .padding = HEED_SHAPE(1)};
    heed_tensor *x = waves(HEED_F32, HEED_SHAPE(3, 1, 130, 130)), *w = waves(HEED_F32, HEED_SHAPE(1, 1, 3, 3)), *y[3];
    for (int i = 0; i < 3; i++)
        y[i] = heed_conv_transpose(heed_slice(x, 0, i, i + 1, 1), w, NULL, &o);
    return differences(heed_conv_transpose(x, w, NULL, &o), heed_concat(y, 3, 0));
}

GIVES(one_after_another, large_images())

GIVES(null, heed_conv_transpose(NULL, ONES(1, 1, 1, 1), NULL, NULL))
GIVES(rank, heed_conv_transpose(ONES(1, 1, 1), ONES(1, 1, 1, 1), NULL, NULL))
GIVES(rank_of_line, heed_conv_transpose(ONES(1, 1, 1, 1), ONES(1, 1, 1), NULL, NULL))
GIVES(channels, heed_conv_transpose(ONES(1, 3, 4, 4), ONES(2, 3, 3, 3), NULL, NULL))
GIVES(nothing, heed_conv_transpose(ONES(1, 1, 1, 1), ONES(1, 1, 2, 2), NULL,
                                   &(heed_conv_transpose_options){.padding = HEED_SHAPE(1)}))
GIVES(nothing_of_line,
      heed_conv_transpose(ONES(1, 1, 1), ONES(1, 1, 2), NULL, &(heed_conv_transpose_options){.padding = HEED_SHAPE(1)}))
GIVES(rest, heed_conv_transpose(ONES(1, 1, 4, 4), ONES(1, 1, 2, 2), NULL,
                                &(heed_conv_transpose_options){.output_padding = HEED_SHAPE(1)}))
GIVES(huge, heed_conv_transpose(ONES(1, 1, 4, 4), ONES(1, 1, 2, 2), NULL,
                                &(heed_conv_transpose_options){.stride = HEED_SHAPE(INT64_MAX / 8)}))
GIVES(bias, heed_conv_transpose(ONES(1, 2, 4, 4), ONES(2, 1, 1, 1), ONES(2), NULL))

const op_cases heed_cases_conv_transpose = {
    .cases =
        (const op_case[]){CONV("one number", DIMS(1, 1, 1, 1), DIMS(1, 1, 1, 1), 1, 0),
                          CONV("3 x 3", DIMS(2, 2, 3, 2), DIMS(2, 3, 3, 3), 3, 0, 1),
                          CONV_NO_BIAS("no bias", DIMS(1, 2, 2, 3), DIMS(2, 2, 2, 2)),
                          CONV("stride", DIMS(1, 2, 2, 3), DIMS(2, 2, 2, 3), 2, 23, 10, 0, 0, 12),
                          CONV("dilation", DIMS(1, 1, 3, 2), DIMS(1, 2, 2, 3), 2, 24, 0, 32),
                          CONV("output padding of a dilation", DIMS(1, 1, 3, 3), DIMS(1, 1, 2, 2), 1, 1, 1, 3, 0, 2),
                          CONV("groups", DIMS(2, 4, 2, 2), DIMS(4, 1, 2, 2), 2, 2, 0, 0, 2),
                          CONV("line", DIMS(2, 2, 4), DIMS(2, 3, 3), 3, 0, 1),
                          CONV("line, stride, dilation", DIMS(1, 1, 3), DIMS(1, 2, 3), 2, 3, 1, 2, 0, 2),
                          CONV("line, groups", DIMS(2, 4, 2), DIMS(4, 1, 2), 2, 2, 0, 0, 2),
                          CONV_NO_BIAS("line, no bias", DIMS(1, 2, 3), DIMS(2, 2, 2)),
                          CONV("no images", DIMS(0, 2, 2, 2), DIMS(2, 2, 2, 2), 2, 0),
                          CONV("no channels are made", DIMS(2, 2, 2, 2), DIMS(2, 0, 3, 3), 0, 2, 1),
                          CONV("1 x 1, a product", DIMS(2, 3, 8, 8), DIMS(3, 4, 1, 1), 4, 0),
                          CONV("1 x 1, a product, stride", DIMS(2, 2, 8, 8), DIMS(2, 3, 1, 1), 3, 23, 0, 0, 0, 12),
                          CONV("many remainders", DIMS(3, 2, 2, 3), DIMS(2, 1, 4, 4), 1, 3, 1),
                          CONV("wide lines, a channel a group", DIMS(2, 2, 2, 19), DIMS(2, 1, 3, 3), 2, 2, 1, 0, 2),
                          {0}},
    .values = (const op_value[]){{"book", book, DIMS(1, 1, 3, 3), 0, (const double[]){0, 0, 1, 0, 4, 6, 4, 12, 9}},
                                 {"book, stride", book_stride, DIMS(1, 1, 4, 4), 0,
                                  (const double[]){0, 0, 0, 1, 0, 0, 2, 3, 0, 2, 0, 3, 4, 6, 6, 9}},
                                 {"book, padding", book_padding, DIMS(1, 1, 1, 1), 0, (const double[]){4}},
                                 {"steps", steps, DIMS(1, 1, 7), 0, (const double[]){0, 0, 1, 1, 3, 2, 2}},
                                 {"between strides there is the bias", between, DIMS(1, 1, 1, 4), 0,
                                  (const double[]){6, 5, 5, 6}},
                                 {"images one after another", one_after_another, NO_DIMS, 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", null, HEED_ERR_ARGUMENT, "conv_transpose:"},
            {"rank", rank, HEED_ERR_SHAPE, "conv_transpose: x is (1, 1, 1) and w is (1, 1, 1, 1): both must"},
            {"rank of a line", rank_of_line, HEED_ERR_SHAPE, "x is (1, 1, 1, 1) and w is (1, 1, 1): both"},
            {"nothing left of a line", nothing_of_line, HEED_ERR_SHAPE,
             "conv_transpose: on (1), a kernel (2) with stride (1), dilation (1) and padding (1) gives"},
            {"channels", channels, HEED_ERR_SHAPE,
             "conv_transpose: w (2, 3, 3, 3) takes 2 channels, x (1, 3, 4, 4) has 3"},
            {"nothing left", nothing, HEED_ERR_SHAPE, "gives an empty or too large result"},
            {"output padding", rest, HEED_ERR_ARGUMENT, "output_padding is (1, 1): must be less than"},
            {"huge", huge, HEED_ERR_SHAPE, "gives an empty or too large result"},
            {"bias", bias, HEED_ERR_SHAPE, "conv_transpose: the bias has shape (2): must be (1)"},
            {0}},
};
