/* tests/ops/test_special_derivatives.c - the first three derivatives of ops at special numbers, in f32 and f64:
 * zeros, infinities, NaN, the least and the largest numbers, 1 and its neighbours, the limits of rules, rows of
 * large or of equal numbers. Every op of src/ops/ops.def is in a table of tests/reference or of this file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "reference_lines.h"

#include "driver.h"

#include <float.h>

/* -- Comparing ----------------------------------------------------------------------------------------------------- */

enum { ROW = 4 };

static const double row_weights[ROW] = {0.5, -1.25, 2.0, 0.75}, row_other[ROW] = {0.25, 1.5, -0.5, 1.0},
                    row_bits[ROW] = {0.0, 1.0, 1.0, 0.5}; /* as in row_derivatives_reference.py */

static const heed_dtype dtypes[] = {HEED_F32, HEED_F64};

static double epsilon_of(heed_dtype dtype)
{
    return dtype == HEED_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
}

/* Returns the gradient of the sum of g y with respect to x, or zeros if y does not depend on x. */
static heed_tensor *derivative(heed_tensor *y, heed_tensor *x, heed_tensor *g)
{
    heed_tensor *dx = NULL;
    heed_grad_options options = {.grad_outputs = &g, .create_graph = true, .allow_unused = true};
    ck_assert_msg(y && g, "%s", heed_error_message());
    if (heed_requires_grad(y))
        ck_assert_msg(heed_grad(&y, 1, &x, 1, &dx, &options) == HEED_OK, "%s", heed_error_message());
    return dx ? dx : heed_zeros(heed_dtype_of(x), heed_shape_of(x));
}

static heed_tensor *leaf(heed_dtype dtype, int64_t n, const double *numbers)
{
    heed_tensor *x = heed_to_dtype(heed_from_array(HEED_F64, HEED_SHAPE(n), numbers, n), dtype);
    return heed_set_requires_grad(heed_clone(x), true);
}

/* Below the least normal number a result may be 0. */
static bool is_close(heed_dtype dtype, double got, double expected, double relative, double absolute)
{
    const double least = dtype == HEED_F32 ? (double)FLT_MIN : DBL_MIN;
    if (!isfinite(expected))
        return got == expected || (isnan(got) && isnan(expected));
    return fabs(got - expected) <= relative * epsilon_of(dtype) * fabs(expected) + absolute * epsilon_of(dtype) + least;
}

/* -- Ops of one number --------------------------------------------------------------------------------------------- */

/* x^3 overflows in the formula of gelu_tanh, which gives NaN there; sqrt(-0) is -0, and its derivative -infinity;
 * rsqrt(-0) is -infinity, and its derivative infinity. All are the same in PyTorch. */
static bool is_exception(const char *op, heed_dtype dtype, double x)
{
    if (strcmp(op, "sqrt") == 0 || strcmp(op, "rsqrt") == 0)
        return x == 0 && signbit(x);
    return strcmp(op, "gelu_tanh") == 0 && fabs(x) > (dtype == HEED_F32 ? 1e13 : 1e102);
}

/* A column of lines. */
static heed_tensor *column(heed_dtype dtype, const line *l, int count, int number)
{
    double *numbers = malloc((size_t)count * sizeof *numbers);
    for (int i = 0; i < count; i++)
        numbers[i] = l[i].numbers[number];
    heed_tensor *x = leaf(dtype, count, numbers);
    free(numbers);
    return x;
}

/* Returns the op, which must have a row in tests/ops/elementwise for this number of inputs. */
static const op_entry *row_of(const char *name, int n_inputs)
{
    const op_entry *op = op_find(name);
    ck_assert_msg(op && op->cases->run && op->cases->n_inputs == n_inputs, "%s has no row in tests/ops/elementwise",
                  name);
    return op;
}

/* Checks all lines of one op. A line contains the op's arguments, x, and the expected derivatives at x. */
static void check_op_of_one(const line *l, int count)
{
    const heed_dtype dtype = dtype_of(l);
    const op_entry *op = row_of(l->second, 1);
    const op_case c = {.p = {l->numbers[0], l->numbers[1]}};
    heed_tensor *x = column(dtype, l, count, 2), *y = op->cases->run(&x, &c);
    heed_tensor *one = heed_ones(dtype, HEED_SHAPE(count));
    for (int k = 1; k <= 3; k++) {
        y = derivative(y, x, one);
        for (int i = 0; i < count; i++) {
            const double at = l[i].numbers[2], got = heed_get(y, HEED_INDEX(i)), expected = l[i].numbers[2 + k];
            ck_assert_msg(is_close(dtype, got, expected, 64, op->cases->derivative_error) ||
                              is_exception(op->name, dtype, at),
                          "derivative %d of %s(x, %g, %g) in %s at %.9g is %.9g and not %.9g", k, op->name,
                          l->numbers[0], l->numbers[1], l->first, at, got, expected);
        }
    }
}

START_TEST(ops_of_one_number)
{
    int count, alike;
    line *lines = read_lines("derivatives.csv", &count);
    for (const line *l = lines; l < lines + count; l += alike) {
        alike = count_alike(l, lines + count, 2);
        if (heed_test_chooses(l->second))
            check_op_of_one(l, alike);
    }
    free(lines);
}
END_TEST

/* -- Ops of two numbers -------------------------------------------------------------------------------------------- */

enum { BY_A, BY_B, BY_AA, BY_AB, BY_BB, BY_AAA, BY_AAB, BY_ABB, BY_BBB, PARTIALS };

/* Whether a derivative of lower order or its square is infinite, or is below the least normal number: products with
 * it overflow or underflow in the rules of the next order. */
static bool is_out_of_range(heed_dtype dtype, const double *row, int partial)
{
    const double least = dtype == HEED_F32 ? (double)FLT_MIN : DBL_MIN;
    const double most = sqrt(dtype == HEED_F32 ? (double)FLT_MAX : DBL_MAX);
    const int lower = partial <= BY_B ? 0 : partial <= BY_BB ? BY_AA : BY_AAA;
    for (int i = 0; i < lower; i++)
        if (fabs(row[2 + i]) > most || (row[2 + i] != 0 && fabs(row[2 + i]) < least))
            return true;
    return false;
}

/* Checks the lines of one op: a, b, and the derivatives. */
static void check_op_of_two(const line *l, int count)
{
    const heed_dtype dtype = dtype_of(l);
    const op_entry *op = row_of(l->second, 2);
    const op_case c = {.p = {0}};
    heed_tensor *a = column(dtype, l, count, 0), *b = column(dtype, l, count, 1), *by[PARTIALS];
    heed_tensor *y = op->cases->run((heed_tensor *[]){a, b}, &c), *one = heed_ones(dtype, HEED_SHAPE(count));
    by[BY_A] = derivative(y, a, one);
    by[BY_B] = derivative(y, b, one);
    by[BY_AA] = derivative(by[BY_A], a, one);
    by[BY_AB] = derivative(by[BY_A], b, one);
    by[BY_BB] = derivative(by[BY_B], b, one);
    by[BY_AAA] = derivative(by[BY_AA], a, one);
    by[BY_AAB] = derivative(by[BY_AA], b, one);
    by[BY_ABB] = derivative(by[BY_AB], b, one);
    by[BY_BBB] = derivative(by[BY_BB], b, one);
    for (int k = 0; k < PARTIALS; k++)
        for (int i = 0; i < count; i++) {
            const double *row = l[i].numbers, got = heed_get(by[k], HEED_INDEX(i)), expected = row[2 + k];
            ck_assert_msg(is_close(dtype, got, expected, 64, 0) || is_out_of_range(dtype, row, k),
                          "partial derivative %d of %s in %s at (%.9g, %.9g) is %.9g and not %.9g", k, op->name,
                          l->first, row[0], row[1], got, expected);
        }
}

START_TEST(ops_of_two_numbers)
{
    int count, alike;
    line *lines = read_lines("pair_derivatives.csv", &count);
    for (const line *l = lines; l < lines + count; l += alike) {
        alike = count_alike(l, lines + count, 0);
        if (heed_test_chooses(l->second))
            check_op_of_two(l, alike);
    }
    free(lines);
}
END_TEST

/* -- Functions of a row -------------------------------------------------------------------------------------------- */

static heed_tensor *constant(heed_tensor *x, const double *numbers)
{
    return heed_to_dtype(heed_from_array(HEED_F64, HEED_SHAPE(ROW), numbers, ROW), heed_dtype_of(x));
}

#define OF_ROW(name, expression)                                                                                       \
    static heed_tensor *row_##name(heed_tensor *x)                                                                     \
    {                                                                                                                  \
        heed_tensor *other = constant(x, row_other), *bits = constant(x, row_bits);                                    \
        (void)other;                                                                                                   \
        (void)bits;                                                                                                    \
        return expression;                                                                                             \
    }
#define FUNCTIONS_OF_ROWS                                                                                              \
    ROW_OP(softmax, heed_softmax(x, -1))                                                                               \
    ROW_OP(log_softmax, heed_log_softmax(x, -1))                                                                       \
    ROW_OP(logsumexp, heed_logsumexp(x, -1, false))                                                                    \
    ROW_OP(var, heed_var(x, HEED_ALL_AXES, 1, false))                                                                  \
    ROW_OP(std, heed_std(x, HEED_ALL_AXES, 1, false))                                                                  \
    ROW_OP(norm_1, heed_norm(x, 1, HEED_ALL_AXES, false))                                                              \
    ROW_OP(norm_2, heed_norm(x, 2, HEED_ALL_AXES, false))                                                              \
    ROW_OP(norm_3, heed_norm(x, 3, HEED_ALL_AXES, false))                                                              \
    ROW_OP(prod, heed_prod(x, HEED_ALL_AXES, false))                                                                   \
    ROW_OP(cumsum, heed_cumsum(x, 0))                                                                                  \
    ROW_OP(cumprod, heed_cumprod(x, 0))                                                                                \
    ROW_OP(layer_norm, heed_layer_norm(x, HEED_SHAPE(ROW), NULL, NULL, 1e-5))                                          \
    ROW_OP(mse_loss, heed_mse_loss(x, other, HEED_REDUCTION_MEAN))                                                     \
    ROW_OP(smooth_l1_loss, heed_smooth_l1_loss(x, other, 1, HEED_REDUCTION_MEAN))                                      \
    ROW_OP(huber_loss, heed_huber_loss(x, other, 1, HEED_REDUCTION_MEAN))                                              \
    ROW_OP(binary_cross_entropy_with_logits, heed_binary_cross_entropy_with_logits(x, bits, NULL))                     \
    ROW_OP(poisson_nll_loss, heed_poisson_nll_loss(x, bits, NULL))                                                     \
    ROW_OP(kl_div, heed_kl_div(x, bits, false, HEED_REDUCTION_SUM))                                                    \
    ROW_OP(cross_entropy, heed_cross_entropy(heed_unsqueeze(x, 0), HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 2), NULL))     \
    ROW_OP(cosine_similarity, heed_cosine_similarity(x, other, -1))

#define ROW_OP(name, expression) OF_ROW(name, expression)
FUNCTIONS_OF_ROWS
#undef ROW_OP

typedef struct function_of_row {
    const char *name;
    heed_tensor *(*run)(heed_tensor *x);
} function_of_row;

static const function_of_row functions_of_rows[] = {
#define ROW_OP(name, expression) {#name, row_##name},
    FUNCTIONS_OF_ROWS
#undef ROW_OP
    {NULL, NULL}};

static double largest(const double *numbers)
{
    double most = 0;
    for (int i = 0; i < ROW; i++)
        most = fmax(most, fabs(numbers[i]));
    return most;
}

/* Errors are relative to the largest number of a row. */
static void check_row(const line *l, heed_dtype dtype)
{
    const function_of_row *function = functions_of_rows;
    while (function->name && strcmp(function->name, l->first) != 0)
        function++;
    ck_assert_msg(function->name, "%s is not in the table", l->first);
    heed_tensor *x = leaf(dtype, ROW, l->numbers), *y = function->run(x), *w = constant(x, row_weights);
    for (int k = 1; k <= 3; k++) {
        const double *d = l->numbers + (ptrdiff_t)ROW * k;
        heed_tensor *g = y ? heed_reshape(heed_slice(w, 0, 0, heed_numel(y), 1), heed_shape_of(y)) : NULL;
        y = derivative(y, x, g);
        for (int i = 0; i < ROW; i++)
            ck_assert_msg(is_close(dtype, heed_get(y, HEED_INDEX(i)), d[i], 0, 512 * largest(d)),
                          "derivative %d of %s of the row '%s' in %s is %.9g and not %.9g at %d", k, l->first,
                          l->second, heed_dtype_name(dtype), heed_get(y, HEED_INDEX(i)), d[i], i);
    }
}

START_TEST(functions_of_rows_of_numbers)
{
    int count;
    line *lines = read_lines("row_derivatives.csv", &count);
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++)
            check_row(&lines[i], dtypes[k]);
    free(lines);
}
END_TEST

/* -- All ops ------------------------------------------------------------------------------------------------------- */

/* Ops without a table of special numbers, and why. Their cases (tests/ops/FAMILY) check derivatives of both orders
 * by differences. */
static const char *const without[] = {
    /* no gradient */
    "compare", "compare_scalar", "isnan", "isinf", "isfinite", "isclose", "logical_and", "logical_or", "logical_xor",
    "logical_not", "any", "all", "argmax", "argmin", "argsort", "unique", "nonzero", "searchsorted", "bincount",
    "one_hot", "attention_visible_keys",
    /* piecewise linear: a second derivative is 0 everywhere */
    "where", "floor_divide", "remainder", "clone", "contiguous", "to_dtype", "sum", "mean", "nansum", "nanmean",
    "median", "quantile", "max", "min", "trapezoid", "sum_to", "reshape", "transpose", "permute", "movedim", "squeeze",
    "unsqueeze", "flatten", "expand", "slice", "unslice", "select", "narrow", "concat", "stack", "repeat_interleave",
    "tile", "flip", "pad", "roll", "tril", "triu", "diagonal", "diag", "sort", "topk", "masked_fill", "masked_select",
    "gather", "scatter_sum", "scatter", "index_select", "index_sum", "index_copy", "embedding", "unfold", "fold",
    "max_pool", "avg_pool", "adaptive_max_pool", "adaptive_avg_pool", "sequence_mask", "dropout", "rope", "l1_loss",
    "hinge_loss", "hinge_embedding_loss", "nll_loss", "sequence_loss", "interpolate", "pixel_shuffle",
    "pixel_unshuffle",
    /* products: a derivative is also a product */
    "bmm", "matmul", "einsum", "linear", "conv", "conv_transpose", "lerp", "lerp_scalar", "prelu",
    /* a derivative is made of products and of the same ops */
    "cholesky", "solve_triangular", "solve", "inverse", "slogdet", "logdet",
    /* composed of ops in the tables, at least in the rules for higher derivatives */
    "linear_activated", "recurrence", "rms_norm", "batch_norm", "group_norm", "instance_norm", "masked_softmax",
    "dot_product_attention", "additive_attention", "kernel_regression", "cosine_embedding_loss", "triplet_margin_loss",
    "gaussian_nll_loss", "cdist", "binary_cross_entropy", "glu",
    /* in test_padding_derivatives.c */
    "ctc_loss"};

static bool has_lines(const char *file, const char *name)
{
    int count;
    bool found = false;
    line *lines = read_lines(file, &count);
    for (int i = 0; i < count && !found; i++)
        found = strcmp(lines[i].second, name) == 0;
    free(lines);
    return found;
}

static bool is_in_a_table(const char *name)
{
    const size_t length = strlen(name);
    if (op_find(name)->cases->run && (has_lines("derivatives.csv", name) || has_lines("pair_derivatives.csv", name)))
        return true;
    for (const function_of_row *f = functions_of_rows; f->name; f++) /* norm_2 is norm of order 2 */
        if (strncmp(f->name, name, length) == 0 && (f->name[length] == '\0' || f->name[length] == '_'))
            return true;
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
        if (strcmp(without[i], name) == 0)
            return true;
    return false;
}

START_TEST(every_op_is_in_a_table)
{
    static const char *const all[] = {
#define HEED_OP(name) #name,
#define HEED_COMPOSITE(name) #name,
#include "ops/ops.def"
#undef HEED_OP
#undef HEED_COMPOSITE
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        ck_assert_msg(is_in_a_table(all[i]), "%s of src/ops/ops.def is in no table of this test", all[i]);
}
END_TEST

HEED_TEST_MAIN("special_derivatives", ops_of_one_number, ops_of_two_numbers, functions_of_rows_of_numbers,
               every_op_is_in_a_table)
