/* onnx/tests/model_ops.c - models of single ops: every op with an ONNX form is in one of them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driver_sample.h"
#include "models.h"

/* Ops that forms.def lists, and functions that are composed of other ops. */
static bool can_be_exported(const char *op)
{
    static const char *const names[] = {
#define HEED_ONNX_NODE(op, type) #op,
#define HEED_ONNX_FORM(op, nodes) #op,
#include "forms.def"
#define HEED_OP(name)
#define HEED_COMPOSITE(name) #name,
#include "ops/ops.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], op) == 0)
            return true;
    return false;
}

/* Runs the first case of the row with at least 6 elements. */
static void run_row(const op_entry *op)
{
    heed_tensor *values[OP_MAX_INPUTS], *in[OP_MAX_INPUTS];
    const op_case *c = op->cases->cases;
    while (c->name && (c->run || heed_shape_numel(c->in[0].shape) < 6))
        c++;
    if (!c->name)
        return;
    const op_case filled = op_case_of(op->cases, c);
    (void)op_draw(op->name, &filled, values);
    for (int i = 0; i < filled.n_inputs; i++) {
        char name[48];
        (void)snprintf(name, sizeof name, "%s%d", op->name, i);
        in[i] = input(name, heed_to_dtype(values[i], HEED_F32));
    }
    output(filled.run(in, &filled));
}

/* Every row of tests/ops/elementwise, and ops without one. */
static void elementwise(heed_module *net)
{
    (void)net;
    int count;
    const op_entry *ops = op_entries(&count);
    for (int i = 0; i < count; i++)
        if (ops[i].cases->n_inputs > 0 && can_be_exported(ops[i].name))
            run_row(&ops[i]);
    heed_tensor *x = input("x", randn(HEED_SHAPE(3, 4)));
    output(heed_clone(x));
    output(heed_isnan(x));
    output(heed_isinf(x));
    output(heed_isfinite(x));
}

static void pairs(heed_module *net)
{
    (void)net;
    heed_tensor *a = input("a", randn(HEED_SHAPE(3, 4))), *b = input("b", randn(HEED_SHAPE(4)));
    heed_tensor *i = input("i", heed_randint(-9, 9, HEED_SHAPE(6))), *j = input("j", heed_randint(1, 5, HEED_SHAPE(6)));
    output(heed_floor_divide(i, heed_neg(j)));
    output(heed_remainder(i, j));
    output(heed_square(i));
    output(heed_sign(i));
    output(heed_mul_scalar(i, -3));
    output(heed_rsub_scalar(i, 4));
    output(heed_pow_scalar(i, 5));
    output(heed_clamp(i, -2, 4));
    output(heed_clamp(i, -2, (double)INFINITY));
    for (int comparison = HEED_COMPARE_EQ; comparison <= HEED_COMPARE_GE; comparison++)
        output(heed_compare(i, (heed_comparison)comparison, j));
    heed_tensor *less = heed_compare(a, HEED_COMPARE_LT, b), *more = heed_compare_scalar(a, HEED_COMPARE_GT, 0);
    output(heed_where(less, a, b));
    output(heed_lerp(a, b, heed_sigmoid(b)));
    output(heed_prelu(a, b));
    output(heed_masked_fill(a, less, -1));
    output(heed_logical_and(less, more));
    output(heed_logical_or(less, more));
    output(heed_logical_xor(less, more));
    output(heed_logical_not(less));
    output(heed_any(less, HEED_AXES(1), false));
    output(heed_all(less, HEED_AXES(0), true));
    output(heed_to_dtype(a, HEED_I64));
    output(heed_to_dtype(less, HEED_F32));
}

static void reductions(heed_module *net)
{
    (void)net;
    heed_tensor *x = input("x", randn(HEED_SHAPE(3, 4, 5))), *indices = NULL;
    output(heed_sum(x));
    output(heed_sum_axes(x, HEED_AXES(0, 2), true));
    output(heed_mean_axes(x, HEED_AXES(1), false));
    output(heed_var(x, HEED_AXES(-1), 1, false));
    output(heed_max_axes(x, HEED_AXES(1), true));
    output(heed_min_axes(x, HEED_AXES(0, 1), false));
    output(heed_max(x));
    output(heed_argmax(x, 0, false));
    output(heed_argmax(x, 1, true));
    output(heed_argmin(x, 2, false));
    output(heed_cumsum(x, 1));
    output(heed_logsumexp(x, 1, false));
    output(heed_softmax(x, 1));
    output(heed_log_softmax(x, -1));
    output(heed_sort(x));
    output(heed_topk(x, 1, 2, true, &indices));
    output(indices);
    output(heed_norm(x, 2, HEED_AXES(2), false));
    output(heed_prod(x, HEED_AXES(1), false));
}

static void shapes(heed_module *net)
{
    (void)net;
    heed_tensor *x = input("x", randn(HEED_SHAPE(3, 4, 5))), *row = input("row", randn(HEED_SHAPE(1, 5)));
    output(heed_reshape(x, HEED_SHAPE(2, 30)));
    output(heed_permute(x, HEED_AXES(2, 0, 1)));
    output(heed_expand(row, HEED_SHAPE(4, 5)));
    output(heed_slice(x, 1, 1, 4, 2));
    output(heed_select(x, 2, -1));
    output(heed_concat((heed_tensor *[]){x, x}, 2, 1));
    output(heed_stack((heed_tensor *[]){row, row}, 2, 0));
    output(heed_flip(x, HEED_AXES(0, 2)));
    output(heed_pad(x, HEED_SHAPE(1, 2, 0, 1), HEED_PAD_CONSTANT, 0.5));
    output(heed_tril(x, 1));
    output(heed_triu(x, -1));
    output(heed_roll(x, 1, 1));
    output(heed_tile(row, HEED_SHAPE(2, 3)));
}

static void indices(heed_module *net)
{
    (void)net;
    heed_tensor *x = input("x", randn(HEED_SHAPE(4, 5))), *at = input("at", heed_randint(0, 4, HEED_SHAPE(3)));
    heed_tensor *grid = input("grid", heed_randint(0, 5, HEED_SHAPE(4, 2)));
    output(heed_index_select(x, 0, at));
    output(heed_embedding(grid, heed_transpose(x, 0, 1)));
    output(heed_gather(x, 1, grid));
    output(heed_scatter_sum(heed_slice(x, 1, 0, 2, 1), 1, grid, HEED_SHAPE(4, 5)));
    output(heed_one_hot(at, 4, HEED_F32));
}

static void products(heed_module *net)
{
    (void)net;
    heed_tensor *a = input("a", randn(HEED_SHAPE(2, 3, 4))), *b = input("b", randn(HEED_SHAPE(2, 4, 5)));
    heed_tensor *w = input("w", randn(HEED_SHAPE(6, 4))), *c = input("c", randn(HEED_SHAPE(6)));
    output(heed_bmm(a, b));
    output(heed_bmm_t(b, true, a, true));
    output(heed_matmul(a, heed_transpose(w, 0, 1)));
    output(heed_einsum("bij,bjk->ik", (heed_tensor *[]){a, b}, 2));
    output(heed_linear(a, w, c));
    output(heed_linear(a, w, NULL));
    output(heed_linear_activated(heed_select(a, 0, 0), w, c, heed_sigmoid));
    output(heed_rope(a, NULL, &(heed_rope_options){.dims = 2}));
    output(heed_rope(a, NULL, &(heed_rope_options){.interleaved = true, .offset = 3}));
}

static void windows(heed_module *net)
{
    (void)net;
    heed_tensor *x = input("x", randn(HEED_SHAPE(2, 4, 9, 7))), *line = input("line", randn(HEED_SHAPE(2, 4, 9)));
    heed_tensor *w = randn(HEED_SHAPE(6, 2, 3, 2)), *bias = randn(HEED_SHAPE(6));
    const heed_conv_options o = {
        .stride = HEED_SHAPE(2, 1), .padding = HEED_SHAPE(1, 2), .dilation = HEED_SHAPE(2, 1), .groups = 2};
    output(heed_conv(x, w, bias, &o));
    output(heed_conv(line, randn(HEED_SHAPE(3, 4, 4)), NULL, &(heed_conv_options){.same = true}));
    const heed_conv_transpose_options t = {
        .stride = HEED_SHAPE(2), .padding = HEED_SHAPE(1), .output_padding = HEED_SHAPE(1)};
    output(heed_conv_transpose(x, randn(HEED_SHAPE(4, 3, 3, 3)), randn(HEED_SHAPE(3)), &t));
    output(heed_conv_transpose(x, randn(HEED_SHAPE(4, 3, 2, 2)), NULL, NULL));
    const heed_max_pool_options m = {.stride = HEED_SHAPE(2), .padding = HEED_SHAPE(1), .ceil_mode = true};
    output(heed_max_pool(x, HEED_SHAPE(3, 3), &m, NULL));
    output(heed_max_pool(line, HEED_SHAPE(2), NULL, NULL));
    output(heed_avg_pool(x, HEED_SHAPE(2, 2), NULL));
    heed_avg_pool_options a = {.stride = HEED_SHAPE(2), .padding = HEED_SHAPE(1), .ceil_mode = true};
    output(heed_avg_pool(x, HEED_SHAPE(3, 3), &a));
    a.exclude_pad = true;
    output(heed_avg_pool(x, HEED_SHAPE(3, 3), &a));
    a.divisor = 5;
    output(heed_avg_pool(x, HEED_SHAPE(3, 3), &a));
    output(heed_adaptive_avg_pool(x, HEED_SHAPE(3, 1)));
    output(heed_adaptive_max_pool(line, HEED_SHAPE(3), NULL));
}

static void norms(heed_module *net)
{
    (void)net;
    heed_tensor *x = input("x", randn(HEED_SHAPE(3, 4, 5))), *w = input("w", randn(HEED_SHAPE(5)));
    heed_tensor *lens = input("lens", heed_from_array(HEED_I64, HEED_SHAPE(3), (const int64_t[]){0, 2, 5}, 3));
    heed_tensor *steps = input("steps", heed_from_array(HEED_I64, HEED_SHAPE(3), (const int64_t[]){0, 2, 4}, 3));
    output(heed_layer_norm(x, HEED_SHAPE(4, 5), NULL, NULL, 1e-5));
    output(heed_layer_norm(x, HEED_SHAPE(5), NULL, w, 1e-5));
    output(heed_rms_norm(x, HEED_SHAPE(5), w, 1e-6));
    output(heed_group_norm(x, 2, NULL, NULL, 1e-5));
    output(heed_batch_norm(x, randn(HEED_SHAPE(4)), heed_square(randn(HEED_SHAPE(4))), NULL, NULL, 1e-5, NULL));
    output(heed_masked_softmax(x, lens));
    output(heed_masked_softmax(x, heed_compare_scalar(x, HEED_COMPARE_GT, 0.5)));
    output(heed_sequence_mask(x, steps, -1));
}

/* f64, and inputs and constants as outputs, and outputs used twice. */
static void plumbing(heed_module *net)
{
    (void)net;
    heed_tensor *x = input("x", heed_randn(HEED_F64, HEED_SHAPE(3, 4)));
    heed_tensor *w = heed_randn(HEED_F64, HEED_SHAPE(5, 4)), *y = heed_linear(x, w, NULL);
    heed_atan2(y, y); /* has no ONNX form, but no output depends on it */
    output(x);
    output(heed_transpose(w, 0, 1));
    output(y);
    output(y);
    output(heed_sub(y, heed_detach(heed_max_axes(y, HEED_AXES(1), true))));
}

const example op_examples[] = {
    {"elementwise", NULL, elementwise, false}, {"pairs", NULL, pairs, false},
    {"reductions", NULL, reductions, false},   {"shapes", NULL, shapes, false},
    {"indices", NULL, indices, false},         {"products", NULL, products, false},
    {"windows", NULL, windows, false},         {"norms", NULL, norms, false},
    {"plumbing", NULL, plumbing, false},       {NULL, NULL, NULL, false},
};
