/* tensor.c - examples of heed/tensor.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>
#include <string.h>

/* -- Dtypes and owners --------------------------------------------------------------------------------------------- */

static void example_dtypes(void)
{
    /* [heed_dtype_size heed_dtype_name heed_dtype_is_float] */
    const heed_dtype dtypes[] = {HEED_F32, HEED_F64, HEED_I64, HEED_BOOL};
    for (int i = 0; i < HEED_DTYPE_COUNT; i++)
        printf("%s %zu%s; ", heed_dtype_name(dtypes[i]), heed_dtype_size(dtypes[i]),
               heed_dtype_is_float(dtypes[i]) ? " float" : "");
    /* -> f32 4 float; f64 8 float; i64 8; bool 1; */
    /* [] */
}

static void example_owners(void)
{
    /* [heed_retain heed_release] */
    heed_tensor *best = NULL;
    for (int step = 0; step < 3; step++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss = heed_full(HEED_F32, HEED_SCALAR, 1.0 / (step + 1));
        heed_release(best);
        best = heed_retain(loss); /* outlives its scope */
        heed_scope_end(scope);
    }
    printf("%.4f\n", heed_item(best)); /* -> 0.3333 */
    heed_release(best);
    /* [] */
}

/* -- Creating ------------------------------------------------------------------------------------------------------ */

static void example_constants(void)
{
    /* [heed_zeros heed_ones heed_full heed_eye] */
    heed_print(heed_zeros(HEED_F32, HEED_SHAPE(2, 3)), stdout);
    /* -> tensor([[0., 0., 0.],
     *            [0., 0., 0.]], shape=(2, 3), dtype=f32) */
    heed_print(heed_ones(HEED_I64, HEED_SHAPE(4)), stdout);    /* -> tensor([1, 1, 1, 1], shape=(4), dtype=i64) */
    heed_print(heed_full(HEED_F64, HEED_SCALAR, 2.5), stdout); /* -> tensor(2.5000, shape=(), dtype=f64) */
    heed_print(heed_eye(HEED_F32, 2, 3), stdout);
    /* -> tensor([[1., 0., 0.],
     *            [0., 1., 0.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_empty(void)
{
    /* [heed_empty heed_mutable_f32 heed_mutable_f64 heed_mutable_i64] */
    heed_tensor *squares = heed_empty(HEED_I64, HEED_SHAPE(5));
    int64_t *out = heed_mutable_i64(squares);
    for (int64_t i = 0; i < heed_numel(squares); i++)
        out[i] = i * i;
    heed_print(squares, stdout); /* -> tensor([ 0,  1,  4,  9, 16], shape=(5), dtype=i64) */
    /* [] */
}

static void example_bools(void)
{
    /* [heed_data_bool heed_mutable_bool heed_data_bytes heed_mutable_bytes] */
    heed_tensor *odd = heed_empty(HEED_BOOL, HEED_SHAPE(3)), *copy = heed_empty(HEED_BOOL, HEED_SHAPE(3));
    bool *out = heed_mutable_bool(odd);
    for (int64_t i = 0; i < heed_numel(odd); i++)
        out[i] = i % 2 != 0;
    memcpy(heed_mutable_bytes(copy), heed_data_bytes(odd), 3 * heed_dtype_size(HEED_BOOL));
    printf("%d %d %d", heed_data_bool(copy)[0], heed_data_bool(copy)[1], heed_data_bool(copy)[2]); /* -> 0 1 0 */
    /* [] */
}

static void example_ranges(void)
{
    /* [heed_arange heed_linspace] */
    heed_print(heed_arange(HEED_I64, 0, 5, 1), stdout);  /* -> tensor([0, 1, 2, 3, 4], shape=(5), dtype=i64) */
    heed_print(heed_arange(HEED_F32, 3, 0, -1), stdout); /* -> tensor([3., 2., 1.], shape=(3), dtype=f32) */
    heed_print(heed_linspace(HEED_F64, 0, 1, 5), stdout);
    /* -> tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000], shape=(5), dtype=f64) */
    /* [] */
}

static void example_from_array(void)
{
    /* [heed_from_array] */
    const float pixels[] = {0, 0.25F, 0.5F, 1}; /* copied: the array may go away */
    heed_tensor *image = heed_from_array(HEED_F32, HEED_SHAPE(2, 2), pixels, 4);
    heed_print(image, stdout);
    /* -> tensor([[0.0000, 0.2500],
     *            [0.5000, 1.0000]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_from_buffer(void)
{
    /* [heed_from_buffer] */
    double samples[] = {1, 2, 3, 4}; /* not copied: must outlive the tensors that use it */
    heed_tensor *t = heed_from_buffer(HEED_F64, HEED_SHAPE(2, 2), samples, 4, NULL, NULL);
    samples[3] = 40;
    heed_fill_(heed_select(t, 0, 0), 7);
    printf("%g\n", samples[0]); /* -> 7 */
    heed_print(t, stdout);
    /* -> tensor([[ 7.,  7.],
     *            [ 3., 40.]], shape=(2, 2), dtype=f64) */
    /* [] */
}

static void example_from_values(void)
{
    /* [heed_from_values] */
    const double lengths[] = {3, 5, 2};
    heed_tensor *lens = heed_from_values(HEED_I64, HEED_SHAPE(3), lengths, 3);
    heed_print(lens, stdout);                                          /* -> tensor([3, 5, 2], shape=(3), dtype=i64) */
    heed_print(HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 3, 5, 2), stdout); /* -> tensor([3, 5, 2], shape=(3), dtype=i64) */
    /* [] */
}

/* -- Reading ------------------------------------------------------------------------------------------------------- */

static void example_looks(void)
{
    /* [heed_dtype_of heed_shape_of heed_rank heed_numel heed_dim] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(32, 10, 64));
    printf("%s %s, ", heed_dtype_name(heed_dtype_of(x)), heed_shape_text(heed_shape_of(x)).s);
    printf("rank %d, %lld elements, ", heed_rank(x), (long long)heed_numel(x));
    printf("last axis %lld\n", (long long)heed_dim(x, -1));
    /* -> f32 (32, 10, 64), rank 3, 20480 elements, last axis 64 */
    /* [] */
}

static void example_layout(void)
{
    /* [heed_stride heed_is_contiguous heed_shares_storage] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 3));
    heed_tensor *t = heed_transpose(x, 0, 1); /* a view: no element is copied */
    printf("strides %lld %lld, ", (long long)heed_stride(t, 0), (long long)heed_stride(t, 1));
    printf("contiguous %d, shares %d\n", heed_is_contiguous(t), heed_shares_storage(t, x));
    /* -> strides 1 3, contiguous 0, shares 1 */
    t = heed_contiguous(t);
    printf("contiguous %d, shares %d\n", heed_is_contiguous(t), heed_shares_storage(t, x));
    /* -> contiguous 1, shares 0 */
    /* [] */
}

static void example_item(void)
{
    /* [heed_item heed_item_i64] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 5, 2);
    printf("mean %.4f, ", heed_item(heed_mean(x)));
    printf("largest at %lld\n", (long long)heed_item_i64(heed_argmax(x, 0, false))); /* -> mean 2.6667, largest at 1 */
    /* [] */
}

static void example_get(void)
{
    /* [heed_get heed_get_i64] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 3, 4);
    heed_tensor *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 7, 8, 9);
    printf("%g, ", heed_get(x, HEED_INDEX(0, 1)));
    printf("%lld\n", (long long)heed_get_i64(tokens, HEED_INDEX(-1))); /* -> 2, 9 */
    /* [] */
}

static void example_data(void)
{
    /* [heed_data_f32 heed_data_f64 heed_data_i64] */
    heed_tensor *x = heed_contiguous(heed_transpose(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 3, 4), 0, 1));
    const float *elements = heed_data_f32(x);
    for (int64_t i = 0; i < heed_numel(x); i++)
        printf("%g ", (double)elements[i]); /* -> 1 3 2 4 */
    /* [] */
}

/* -- Writing ------------------------------------------------------------------------------------------------------- */

static void example_set(void)
{
    /* [heed_set_] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 2));
    heed_set_(x, HEED_INDEX(0, 1), 7);
    heed_set_(x, HEED_INDEX(-1, -1), 9);
    heed_print(x, stdout);
    /* -> tensor([[0., 7.],
     *            [0., 9.]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_fill(void)
{
    /* [heed_fill_] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 3));
    heed_fill_(heed_select(x, 0, 1), 5); /* a row of x, which shares its memory */
    heed_print(x, stdout);
    /* -> tensor([[0., 0., 0.],
     *            [5., 5., 5.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_copy(void)
{
    /* [heed_copy_] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 3));
    heed_copy_(x, HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 1, 2, 3)); /* broadcast and converted */
    heed_print(x, stdout);
    /* -> tensor([[1., 2., 3.],
     *            [1., 2., 3.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

/* -- Printing ------------------------------------------------------------------------------------------------------ */

static void example_format(void)
{
    /* [heed_format] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.5, 100);
    char text[64];
    size_t length = heed_format(x, text, sizeof text);
    printf("%zu letters: %s\n", length, text); /* -> 50 letters: tensor([  0.5000, 100.0000], shape=(2), dtype=f64) */
    /* [] */
}

static void example_print(void)
{
    /* [heed_print] */
    heed_tensor *x = heed_linspace(HEED_F32, 1, 2, 1001);
    heed_print(x, stdout);
    /* -> tensor([1.0000, 1.0010, 1.0020,  ..., 1.9980, 1.9990, 2.0000], shape=(1001),
     *           dtype=f32) */
    heed_print(heed_div(heed_ones(HEED_F32, HEED_SHAPE(2)), HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 3, 0)), stdout);
    /* -> tensor([0.3333,    inf], shape=(2), dtype=f32) */
    /* [] */
}

static void example_likes(void)
{
    /* [heed_zeros_like] */
    heed_tensor *x = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 1, 2, 3);
    heed_print(heed_zeros_like(x), stdout); /* -> tensor([0, 0, 0], shape=(3), dtype=i64) */
    heed_print(heed_full(heed_dtype_of(x), heed_shape_of(x), 7), stdout);
    /* -> tensor([7, 7, 7], shape=(3), dtype=i64) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_dtypes();
    example_owners();
    example_constants();
    example_empty();
    example_bools();
    example_ranges();
    example_from_array();
    example_from_buffer();
    example_from_values();
    example_looks();
    example_layout();
    example_item();
    example_get();
    example_data();
    example_set();
    example_fill();
    example_copy();
    example_format();
    example_print();
    example_likes();
    return 0;
}
