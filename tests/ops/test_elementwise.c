/* tests/ops/test_elementwise.c - elementwise ops against naive loops: broadcasting, layouts, sizes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdint.h>

#include "check_heed.h"

/* -- Random shapes and layouts ------------------------------------------------------------------------------------- */

#define MAX_RANK 4

static uint64_t state;

/* xorshift64*, for shapes. */
static int64_t below(int64_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (int64_t)((state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % n;
}

static heed_shape random_shape(void)
{
    heed_shape shape = {.rank = (int)below(MAX_RANK + 1)};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = below(12) == 0 ? 0 : 1 + below(5);
    return shape;
}

/* A shape that broadcasts to `shape`: leading axes dropped, some axes 1. */
static heed_shape random_part(heed_shape shape)
{
    int dropped = below(2) ? 0 : (int)below(shape.rank + 1);
    heed_shape part = {.rank = shape.rank - dropped};
    for (int i = 0; i < part.rank; i++)
        part.dims[i] = below(3) == 0 ? 1 : shape.dims[i + dropped];
    return part;
}

/* NumPy's rule, implemented independently: aligned at the end, the dim other than 1. */
static heed_shape broadcast_shape(heed_shape a, heed_shape b)
{
    heed_shape out = {.rank = a.rank > b.rank ? a.rank : b.rank};
    for (int i = 1; i <= out.rank; i++) {
        int64_t m = i > a.rank ? 1 : a.dims[a.rank - i], n = i > b.rank ? 1 : b.dims[b.rank - i];
        out.dims[out.rank - i] = m == 1 ? n : m;
    }
    return out;
}

static heed_shape axes_reversed(int rank)
{
    heed_shape order = {.rank = rank};
    for (int i = 0; i < rank; i++)
        order.dims[i] = rank - 1 - i;
    return order;
}

enum { PLAIN, TRANSPOSED, STEPPED, FLIPPED, OFFSET, LAYOUTS };

/* The same elements in a different layout. */
static heed_tensor *laid_out(heed_tensor *x, int layout)
{
    int rank = heed_rank(x);
    if (rank == 0)
        return x;
    heed_shape order = axes_reversed(rank);
    switch (layout) {
    case TRANSPOSED:
        return heed_permute(heed_clone(heed_permute(x, order)), order);
    case STEPPED:
        return heed_slice(heed_repeat_interleave(x, rank - 1, 2), rank - 1, 0, HEED_END, 2);
    case FLIPPED:
        return heed_flip(heed_clone(heed_flip(x, order)), order);
    case OFFSET:
        return heed_slice(heed_concat((heed_tensor *[]){x, x}, 2, 0), 0, heed_dim(x, 0), HEED_END, 1);
    default:
        return x;
    }
}

/* Whole numbers -3 .. 3, so that equal numbers occur. */
static heed_tensor *random_tensor(heed_dtype dtype, heed_shape shape)
{
    heed_tensor *x = heed_randint(-3, 4, shape);
    return laid_out(heed_to_dtype(x, dtype), (int)below(LAYOUTS));
}

/* -- Naive loops --------------------------------------------------------------------------------------------------- */

static int64_t numel(heed_shape shape)
{
    int64_t n = 1;
    for (int i = 0; i < shape.rank; i++)
        n *= shape.dims[i];
    return n;
}

/* Index of element i, row-major. */
static heed_shape index_of(heed_shape shape, int64_t i)
{
    heed_shape index = {.rank = shape.rank};
    for (int axis = shape.rank - 1; axis >= 0; axis--) {
        index.dims[axis] = i % shape.dims[axis];
        i /= shape.dims[axis];
    }
    return index;
}

/* The element of x that broadcasting puts at `index` of the result. */
static double element(heed_tensor *x, heed_shape index)
{
    heed_shape own = heed_shape_of(x), at = {.rank = own.rank};
    for (int i = 0; i < own.rank; i++)
        at.dims[i] = own.dims[i] == 1 ? 0 : index.dims[index.rank - own.rank + i];
    return heed_get(x, at);
}

static void assert_shape(heed_tensor *y, heed_shape shape)
{
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(y), shape));
}

/* -- Broadcasting -------------------------------------------------------------------------------------------------- */

typedef struct binary {
    heed_tensor *(*op)(heed_tensor *a, heed_tensor *b);
    double (*expected)(double a, double b);
} binary;

static double sum(double a, double b)
{
    return a + b;
}

static double difference(double a, double b)
{
    return a - b;
}

static double product(double a, double b)
{
    return a * b;
}

static double quotient(double a, double b)
{
    return a / b;
}

static const binary binaries[] = {{heed_add, sum},      {heed_sub, difference}, {heed_mul, product},
                                  {heed_div, quotient}, {heed_maximum, fmax},   {heed_minimum, fmin}};

static void check_binary(const binary *op, heed_tensor *a, heed_tensor *b)
{
    heed_shape shape = broadcast_shape(heed_shape_of(a), heed_shape_of(b));
    heed_tensor *y = op->op(a, b);
    assert_shape(y, shape);
    bool narrow = heed_dtype_of(y) == HEED_F32;
    for (int64_t i = 0; i < numel(shape); i++) {
        heed_shape index = index_of(shape, i);
        double expected = op->expected(element(a, index), element(b, index));
        ck_assert_same(heed_get(y, index), narrow ? (double)(float)expected : expected);
    }
}

START_TEST(binary_ops_broadcast_as_numpy_does)
{
    state = 1;
    for (int round = 0; round < 300; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_shape shape = random_shape();
        heed_dtype dtype = below(2) ? HEED_F32 : HEED_F64;
        heed_tensor *a = random_tensor(dtype, random_part(shape)), *b = random_tensor(dtype, random_part(shape));
        for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
            check_binary(&binaries[i], a, b);
        heed_scope_end(scope);
    }
}
END_TEST

/* Short rows, which are gathered, and rows with distant elements, which are split. */
START_TEST(long_and_short_rows)
{
    static const int64_t sizes[][2] = {{300, 7}, {1000, 1}, {45, 63}, {40, 64}, {70, 700}, {3, 1000}, {700, 2}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        heed_scope *scope = heed_scope_begin();
        const int64_t m = sizes[k][0], n = sizes[k][1];
        const heed_dtype dtype = k % 2 ? HEED_F32 : HEED_F64;
        heed_tensor *plain = heed_randn(dtype, HEED_SHAPE(m, n));
        heed_tensor *others[] = {heed_randn(dtype, HEED_SHAPE(n)), heed_randn(dtype, HEED_SHAPE(m, 1)),
                                 heed_transpose(heed_randn(dtype, HEED_SHAPE(n, m)), 0, 1),
                                 heed_slice(heed_randn(dtype, HEED_SHAPE(m, 2 * n)), 1, 0, 2 * n, 2),
                                 heed_transpose(heed_randn(dtype, HEED_SHAPE(1, m)), 0, 1)};
        for (int i = 0; i < 5; i++) {
            check_binary(&binaries[0], plain, others[i]);
            check_binary(&binaries[3], others[i], others[2]);
            heed_tensor *y = heed_where(heed_compare(plain, HEED_COMPARE_LT, others[i]), others[2], others[i]);
            for (int64_t j = 0; j < m * n; j += 13) {
                heed_shape at = HEED_INDEX(j / n, j % n);
                double a = element(plain, at), b = element(others[i], at);
                ck_assert_same(heed_get(y, at), a < b ? element(others[2], at) : b);
            }
        }
        heed_scope_end(scope);
    }
}
END_TEST

static bool holds(double a, heed_comparison comparison, double b)
{
    switch (comparison) {
    case HEED_COMPARE_EQ:
        return a == b;
    case HEED_COMPARE_NE:
        return a != b;
    case HEED_COMPARE_LT:
        return a < b;
    case HEED_COMPARE_LE:
        return a <= b;
    case HEED_COMPARE_GT:
        return a > b;
    case HEED_COMPARE_GE:
        return a >= b;
    }
    return false;
}

START_TEST(compare_takes_every_dtype_and_layout)
{
    state = 2;
    for (int round = 0; round < 400; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_dtype dtype = (heed_dtype)(round % HEED_DTYPE_COUNT);
        heed_comparison comparison = (heed_comparison)below(HEED_COMPARE_GE + 1);
        heed_shape all = random_shape();
        heed_tensor *a = random_tensor(dtype, random_part(all)), *b = random_tensor(dtype, random_part(all));
        heed_shape shape = broadcast_shape(heed_shape_of(a), heed_shape_of(b));
        heed_tensor *y = heed_compare(a, comparison, b);
        assert_shape(y, shape);
        ck_assert_int_eq(heed_dtype_of(y), HEED_BOOL);
        for (int64_t i = 0; i < numel(shape); i++) {
            heed_shape index = index_of(shape, i);
            ck_assert_int_eq(heed_get_i64(y, index), holds(element(a, index), comparison, element(b, index)));
        }
        heed_scope_end(scope);
    }
}
END_TEST

START_TEST(where_broadcasts_three)
{
    state = 3;
    for (int round = 0; round < 400; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_shape all = random_shape();
        heed_dtype dtype = below(2) ? HEED_F32 : HEED_F64;
        heed_tensor *condition = random_tensor(HEED_BOOL, random_part(all));
        heed_tensor *a = random_tensor(dtype, random_part(all)), *b = random_tensor(dtype, random_part(all));
        heed_shape shape = broadcast_shape(heed_shape_of(condition), heed_shape_of(a));
        shape = broadcast_shape(shape, heed_shape_of(b));
        heed_tensor *y = heed_where(condition, a, b);
        assert_shape(y, shape);
        for (int64_t i = 0; i < numel(shape); i++) {
            heed_shape index = index_of(shape, i);
            ck_assert_same(heed_get(y, index), element(element(condition, index) != 0 ? a : b, index));
        }
        heed_scope_end(scope);
    }
}
END_TEST

START_TEST(broadcasting_by_hand)
{
    heed_tensor *column = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 1), 10, 20);
    heed_tensor *row = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 3);
    heed_tensor *y = heed_add(column, row);
    const double expected[] = {11, 12, 13, 21, 22, 23};
    assert_shape(y, HEED_SHAPE(2, 3));
    ck_assert_mem_eq(heed_data_f64(y), expected, sizeof expected);

    heed_set_requires_grad(column, true);
    heed_set_requires_grad(row, true);
    ck_assert_int_eq(heed_backward(heed_sum(heed_mul(column, row))), HEED_OK);
    const double of_column[] = {6, 6}, of_row[] = {30, 30, 30};
    ck_assert_mem_eq(heed_data_f64(heed_grad_of(column)), of_column, sizeof of_column);
    ck_assert_mem_eq(heed_data_f64(heed_grad_of(row)), of_row, sizeof of_row);
}
END_TEST

/* -- One tensor ---------------------------------------------------------------------------------------------------- */

static heed_tensor *scale(heed_tensor *x)
{
    return heed_mul_scalar(x, 1.7);
}

static heed_tensor *add_scalar(heed_tensor *x)
{
    return heed_add_scalar(x, 1.7);
}

static heed_tensor *rsub(heed_tensor *x)
{
    return heed_rsub_scalar(x, 1.7);
}

static heed_tensor *to_power(heed_tensor *x)
{
    return heed_pow_scalar(x, 2.7);
}

static heed_tensor *power_0(heed_tensor *x)
{
    return heed_pow_scalar(x, 0.0);
}

static heed_tensor *clamp(heed_tensor *x)
{
    return heed_clamp(x, -1.0, 1.0);
}

static heed_tensor *(*const unaries[])(heed_tensor *x) = {
    heed_neg, scale,     add_scalar, rsub,     to_power,  heed_square,  heed_sqrt,
    heed_exp, heed_log,  heed_sin,   heed_cos, heed_tanh, heed_erf,     heed_relu,
    heed_abs, heed_sign, clamp,      power_0,  heed_gelu, heed_sigmoid, heed_clone};

#define UNARIES (sizeof unaries / sizeof unaries[0])

START_TEST(unary_ops_take_every_layout)
{
    state = 4;
    for (int round = 0; round < 100; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_shape shape = random_shape();
        heed_tensor *dense = heed_add_scalar(heed_rand(below(2) ? HEED_F32 : HEED_F64, shape), -0.3);
        heed_tensor *x = laid_out(dense, (int)below(LAYOUTS));
        for (size_t k = 0; k < UNARIES; k++) {
            heed_tensor *y = unaries[k](x), *expected = unaries[k](dense);
            assert_shape(y, shape);
            ck_assert(heed_is_contiguous(y));
            for (int64_t i = 0; i < numel(shape); i++)
                ck_assert_same(heed_get(y, index_of(shape, i)), heed_get(expected, index_of(shape, i)));
        }
        heed_scope_end(scope);
    }
}
END_TEST

/* The result of an element does not depend on its position or on the number of elements. */
START_TEST(elements_do_not_depend_on_their_position)
{
    for (int dtype = HEED_F32; dtype <= HEED_F64; dtype++) {
        heed_tensor *all = heed_mul_scalar(heed_add_scalar(heed_rand((heed_dtype)dtype, HEED_SHAPE(40001)), -0.4), 6.0);
        for (size_t k = 0; k < UNARIES; k++) {
            heed_scope *scope = heed_scope_begin();
            heed_tensor *y = unaries[k](all);
            for (int64_t n = 1; n < 70; n++) {
                int64_t start = 577 * n;
                heed_tensor *part = unaries[k](heed_slice(all, 0, start, start + n, 1));
                for (int64_t i = 0; i < n; i++)
                    ck_assert_same(heed_get(part, HEED_INDEX(i)), heed_get(y, HEED_INDEX(start + i)));
            }
            heed_scope_end(scope);
        }
    }
}
END_TEST

START_TEST(empty_tensors_are_legal)
{
    for (size_t k = 0; k < UNARIES; k++) {
        heed_tensor *x = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(3, 0, 2)), true);
        heed_tensor *y = unaries[k](x);
        assert_shape(y, HEED_SHAPE(3, 0, 2));
        ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
        assert_shape(heed_grad_of(x), HEED_SHAPE(3, 0, 2));
    }
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++) {
        heed_tensor *a = heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(0, 1)), true);
        heed_tensor *b = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(3)), true);
        heed_tensor *y = binaries[i].op(a, b);
        assert_shape(y, HEED_SHAPE(0, 3));
        ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
        assert_shape(heed_grad_of(a), HEED_SHAPE(0, 1));
        ck_assert_same(heed_get(heed_grad_of(b), HEED_INDEX(1)), 0.0);
    }
}
END_TEST

HEED_TEST_MAIN("elementwise", binary_ops_broadcast_as_numpy_does, long_and_short_rows,
               compare_takes_every_dtype_and_layout, where_broadcasts_three, broadcasting_by_hand,
               unary_ops_take_every_layout, elements_do_not_depend_on_their_position, empty_tensors_are_legal)
