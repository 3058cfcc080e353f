/* tests/ops/conv/unfold.c - cases of heed_unfold.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "convs.h"

/* c->shape is the kernel; c->i[0 .. 2] stride, padding, dilation. */
RUN(run, heed_unfold(in[0], c->shape,
                     &(heed_unfold_options){
                         .stride = numbers(c->i[0]), .padding = numbers(c->i[1]), .dilation = numbers(c->i[2])}))

/* A convolution is a product with the columns. */
static heed_tensor *product(void)
{
    heed_tensor *x = waves(HEED_F64, HEED_SHAPE(2, 3, 7, 6)), *w = waves(HEED_F64, HEED_SHAPE(4, 3, 3, 2));
    const heed_shape stride = HEED_SHAPE(2, 1), padding = HEED_SHAPE(2), dilation = HEED_SHAPE(1, 3);
    heed_tensor *columns = heed_unfold(
        x, HEED_SHAPE(3, 2), &(heed_unfold_options){.stride = stride, .padding = padding, .dilation = dilation});
    heed_tensor *y =
        heed_conv(x, w, NULL, &(heed_conv_options){.stride = stride, .padding = padding, .dilation = dilation});
    y = heed_reshape(y, HEED_SHAPE(2, 4, -1));
    return heed_max(heed_abs(heed_sub(y, heed_matmul(heed_reshape(w, HEED_SHAPE(4, 18)), columns))));
}

GIVES(as_product, product())
GIVES(windows, heed_unfold(counting(HEED_F32, HEED_SHAPE(1, 1, 2, 3)), HEED_SHAPE(2), NULL))
GIVES(wide_padding, heed_unfold(ONES(1, 1, 1, 1), HEED_SHAPE(1), &(heed_unfold_options){.padding = HEED_SHAPE(0, 2)}))
GIVES(nothing, heed_unfold(ONES(0, 2, 3, 3), HEED_SHAPE(2), NULL))

GIVES(null, heed_unfold(NULL, HEED_SHAPE(1), NULL))
GIVES(rank, heed_unfold(ONES(1, 4, 4), HEED_SHAPE(1), NULL))
GIVES(of_i64, heed_unfold(heed_ones(HEED_I64, HEED_SHAPE(1, 1, 4, 4)), HEED_SHAPE(1), NULL))
GIVES(no_kernel, heed_unfold(ONES(1, 1, 4, 4), HEED_SCALAR, NULL))
GIVES(empty_kernel, heed_unfold(ONES(1, 1, 4, 4), HEED_SHAPE(0), NULL))
GIVES(large_kernel, heed_unfold(ONES(1, 1, 4, 4), HEED_SHAPE(5), NULL))
GIVES(no_stride, heed_unfold(ONES(1, 1, 4, 4), HEED_SHAPE(2), &(heed_unfold_options){.stride = HEED_SHAPE(0)}))
GIVES(too_much,
      heed_unfold(ONES(1, 1, 1, 1), HEED_SHAPE(1), &(heed_unfold_options){.padding = HEED_SHAPE(INT64_C(1) << 40)}))

const op_cases heed_cases_unfold = {
    .cases = (const op_case[]){ONE("2", run, DIMS(2, 2, 3, 4), .shape = DIMS(2)),
                               ONE("stride, padding", run, DIMS(1, 2, 4, 3), .shape = DIMS(2, 3), .i = {2, 1}),
                               ONE("dilation", run, DIMS(1, 1, 5, 5), .shape = DIMS(3, 2), .i = {1, 2, 2}),
                               ONE("apart", run, DIMS(1, 1, 5, 4), .shape = DIMS(1), .i = {3}),
                               ONE("no channels", run, DIMS(1, 0, 3, 3), .shape = DIMS(2)),
                               {0}},
    .values = (const op_value[]){{"windows", windows, DIMS(1, 4, 2), 0, (const double[]){0, 1, 1, 2, 3, 4, 4, 5}},
                                 {"wide padding", wide_padding, DIMS(1, 1, 5), 0, (const double[]){0, 0, 1, 0, 0}},
                                 {"nothing", nothing, DIMS(0, 8, 4), 0, (const double[]){0}},
                                 {"a product", as_product, NO_DIMS, 1e-13, (const double[]){0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", null, HEED_ERR_ARGUMENT, "unfold:"},
                                 {"rank", rank, HEED_ERR_SHAPE, "unfold: x is (1, 4, 4): must be (B, C, H, W)"},
                                 {"i64", of_i64, HEED_ERR_DTYPE, "unfold: the tensor is i64"},
                                 {"no kernel", no_kernel, HEED_ERR_ARGUMENT,
                                  "unfold: kernel is (): must have at least one size"},
                                 {"empty kernel", empty_kernel, HEED_ERR_ARGUMENT, "unfold: kernel is 0: must be 1 to"},
                                 {"kernel too large", large_kernel, HEED_ERR_SHAPE, "unfold: a kernel (5, 5)"},
                                 {"stride 0", no_stride, HEED_ERR_ARGUMENT, "unfold: stride is 0"},
                                 {"too much", too_much, HEED_ERR_SHAPE, "unfold: "},
                                 {0}},
};
