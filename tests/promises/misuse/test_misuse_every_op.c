/* tests/promises/misuse/test_misuse_every_op.c - the functions of heed/ops.h that take lists, options or many
 * tensors, with hostile arguments of every kind. test_misuse_ops.c has the others.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"

#define GIVEN(options) (one_in(8) ? NULL : &(options))

static void lists(void)
{
    heed_tensor *list[] = {any_tensor(), any_tensor(), any_tensor()}, *indices;
    bool present = !one_in(4);
    int n = any_int();
    n = present && n > 3 ? 3 : n;
    POINTER(heed_concat(present ? list : NULL, n, any_int()));
    POINTER(heed_stack(present ? list : NULL, n, any_int()));
    POINTER(heed_sort_axis(any_tensor(), any_int(), any_flag(), one_in(3) ? NULL : &indices));
}

#define MAX_PARTS 8

/* Returns a number of parts, which may be invalid. */
static int any_results(void)
{
    int n = any_int();
    return n > MAX_PARTS ? 2 : n;
}

static void parts(void)
{
    static const int64_t sizes[MAX_PARTS] = {1, 1, 0, 1, INT64_MAX, INT64_MIN, -1, 7};
    heed_tensor *list[MAX_PARTS] = {any_tensor(), any_tensor(), any_tensor()};
    heed_tensor *made[MAX_PARTS], **present = one_in(4) ? NULL : made;
    STATUS(heed_split(any_tensor(), any_int(), one_in(4) ? NULL : sizes, present, any_results()));
    int n = any_int();
    STATUS(heed_meshgrid(one_in(4) ? NULL : list, n > 3 ? 3 : n, one_in(4) ? list : present));
    STATUS(heed_meshgrid_xy(one_in(4) ? NULL : list, n > 3 ? 3 : n, one_in(4) ? list : present));
    heed_tensor *vectors[] = {heed_ones(any_dtype(), HEED_SHAPE(2)), heed_ones(HEED_F32, HEED_SHAPE(0))};
    heed_error_clear();
    STATUS(heed_meshgrid(vectors, 2, present));
    STATUS(heed_meshgrid_xy(vectors, 2, present));
}

/* Sometimes a tensor that fits the others. */
static heed_tensor *some_tensor(heed_shape shape)
{
    return one_in(2) ? heed_rand(one_in(4) ? HEED_F32 : HEED_F64, shape) : any_tensor();
}

static heed_attention_options any_options(void)
{
    return (heed_attention_options){.valid_lens = one_in(2) ? NULL : any_tensor(),
                                    .causal = any_flag(),
                                    .heads_inner = one_in(4),
                                    .scale = one_in(2) ? 0 : any_real(),
                                    .dropout = one_in(2) ? 0 : any_real(),
                                    .generator = one_in(2) ? NULL : heed_generator_default()};
}

static void attention(void)
{
    heed_tensor *weights = NULL;
    heed_attention_options o = any_options();
    heed_tensor *q = some_tensor(HEED_SHAPE(2, 3, 2)), *k = one_in(3) ? q : some_tensor(HEED_SHAPE(2, 3, 2));
    heed_tensor *v = one_in(3) ? k : some_tensor(HEED_SHAPE(2, 3, 2));
    POINTER(heed_dot_product_attention(q, k, v, GIVEN(o), one_in(2) ? NULL : &weights));
    POINTER(
        heed_dot_product_attention(any_tensor(), any_tensor(), any_tensor(), GIVEN(o), one_in(2) ? NULL : &weights));
    o.heads_inner = o.heads_inner && one_in(4);
    heed_tensor *W_q = one_in(8) ? v : some_tensor(HEED_SHAPE(5, 2));
    heed_tensor *W_k = one_in(4) ? W_q : some_tensor(HEED_SHAPE(5, 2));
    POINTER(heed_additive_attention(q, k, v, W_q, W_k, one_in(4) ? W_q : some_tensor(HEED_SHAPE(5)), GIVEN(o),
                                    one_in(2) ? NULL : &weights));
}

static void regression(void)
{
    heed_tensor *weights = NULL;
    heed_kernel_regression_options o = {.kernel = (heed_nw_kernel)any_enum(8),
                                        .log_width = any_flag(),
                                        .leave_one_out = any_flag(),
                                        .degree = any_enum(4)};
    heed_tensor *q = some_tensor(HEED_SHAPE(3)), *k = one_in(3) ? q : some_tensor(HEED_SHAPE(3));
    heed_tensor *v = one_in(3) ? k : some_tensor(HEED_SHAPE(3)), *width = one_in(4) ? v : some_tensor(HEED_SHAPE(1));
    POINTER(heed_kernel_regression(q, k, v, width, GIVEN(o), one_in(2) ? NULL : &weights));
}

ROUNDS_OF(lists)
ROUNDS_OF(parts)
ROUNDS_OF(attention)
ROUNDS_OF(regression)

MISUSE_MAIN("every op misused", rounds_of_lists, rounds_of_parts, rounds_of_attention, rounds_of_regression)
