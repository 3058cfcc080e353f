/* tests/kernels/test_kernels_matmul.c - tests matmul of every instruction set against its reference, in every layout,
 * whole and in ranges, in batches, with bias and activation.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/matmul/reference.h"

static array x, y, z, again, extra;
static double x_numbers[ARRAY_MAX], z_numbers[ARRAY_MAX], x_sizes[ARRAY_MAX], z_sizes[ARRAY_MAX];

static bool same_bits(int dtype, const array *a, const array *b, int64_t n)
{
    return memcmp(a->storage, b->storage, (size_t)n * element_size(dtype)) == 0;
}

/* Layouts of a matrix: by rows, by columns, by rows with gaps, with gaps between all elements, by rows pages apart. */
enum { LAYOUTS = 5 };

static void lay_out(int layout, int64_t rows, int64_t columns, int64_t *row, int64_t *column)
{
    *row = layout == 0   ? columns
           : layout == 1 ? 1
           : layout == 2 ? columns + 3
           : layout == 3 ? 2 * columns + 1
                         : (columns + 1023) / 1024 * 1024;
    *column = layout == 1 ? rows : layout == 3 ? 2 : 1;
}

static bool fits(int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    return (rows > 0 ? rows - 1 : 0) * row + columns * column < ARRAY_MAX;
}

/* The scratch ends where its size says and holds data left by the last product. */
static void multiply(const table_walk *t, const heed__matmul_args *args, heed__matmul_range part)
{
    static _Alignas(64) unsigned char scratch[1 << 21];
    size_t bytes = (size_t)t->kernels->matmul(args, &part, NULL);
    ck_assert_uint_lt(bytes, sizeof scratch);
    scratch[bytes] = 0x5a;
    t->kernels->matmul(args, &part, scratch);
    EXPECT(scratch[bytes] == 0x5a, "%s: %dx%dx%d writes behind its scratch", t->name, (int)args->m, (int)args->k,
           (int)args->n);
}

static heed__matmul_range all_of(const heed__matmul_args *args)
{
    return (heed__matmul_range){0, args->m, 0, args->n};
}

/* Returns false if a matrix does not fit into its array. */
static bool layouts(heed__matmul_args *args, int layout_a, int layout_b)
{
    lay_out(layout_a, args->m, args->k, &args->a_row, &args->a_col);
    lay_out(layout_b, args->k, args->n, &args->b_row, &args->b_col);
    return fits(args->m, args->k, args->a_row, args->a_col) && fits(args->k, args->n, args->b_row, args->b_col);
}

static void fill(int dtype)
{
    array_draw(dtype, x.storage, ARRAY_MAX, -1, 1, 1);
    array_draw(dtype, z.storage, ARRAY_MAX, -1, 1, 2);
    array_read(dtype, x.storage, ARRAY_MAX, x_numbers);
    array_read(dtype, z.storage, ARRAY_MAX, z_numbers);
    for (int64_t i = 0; i < ARRAY_MAX; i++) {
        x_sizes[i] = fabs(x_numbers[i]);
        z_sizes[i] = fabs(z_numbers[i]);
    }
}

/* -- Values -------------------------------------------------------------------------------------------------------- */

/* Checks only some elements of large products, at all positions within tiles. */
static void check_values(const table_walk *t, const heed__matmul_args *s)
{
    int64_t step = s->m * s->k * s->n / 100000 * 2 + 1;
    for (int64_t i = 0; i < s->m * s->n; i += step) {
        const int64_t in_x = i / s->n * s->a_row, in_z = i % s->n * s->b_col;
        double expected, size, got = array_get(t->dtype, y.storage, i);
        reference_matmul(1, s->k, 1, (reference_matrix){x_numbers + in_x, s->a_row, s->a_col},
                         (reference_matrix){z_numbers + in_z, s->b_row, s->b_col}, NULL, &expected);
        reference_matmul(1, s->k, 1, (reference_matrix){x_sizes + in_x, s->a_row, s->a_col},
                         (reference_matrix){z_sizes + in_z, s->b_row, s->b_col}, NULL, &size);
        const double rounding_of_expected = DBL_EPSILON / 2 * fabs(expected);
        EXPECT(fabs(got - expected) <= epsilon(t->dtype) * size * (1 + (double)s->k / 8) + rounding_of_expected,
               "%s: %dx%dx%d, strides %d %d, %d %d: element %d is %.17g, not %.17g", t->name, (int)s->m, (int)s->k,
               (int)s->n, (int)s->a_row, (int)s->a_col, (int)s->b_row, (int)s->b_col, (int)i, got, expected);
    }
}

/* Ranges of this number of rows and columns give the bits of the whole product. */
static void check_parts(const table_walk *t, heed__matmul_args s, int64_t rows, int64_t columns)
{
    s.c = again.storage;
    for (int64_t i = 0; i < s.m; i += rows)
        for (int64_t j = 0; j < s.n; j += columns)
            multiply(
                t, &s,
                (heed__matmul_range){i, i + rows < s.m ? i + rows : s.m, j, j + columns < s.n ? j + columns : s.n});
    EXPECT(same_bits(t->dtype, &y, &again, s.m * s.n), "%s: %dx%dx%d, strides %d %d, %d %d, by %dx%d", t->name,
           (int)s.m, (int)s.k, (int)s.n, (int)s.a_row, (int)s.a_col, (int)s.b_row, (int)s.b_col, (int)rows,
           (int)columns);
}

static void check_matmul(const table_walk *t, int64_t m, int64_t k, int64_t n, int layout_a, int layout_b)
{
    heed__matmul_args args = {.m = m, .n = n, .k = k, .a = x.storage, .b = z.storage, .c = y.storage, .batches = 1};
    if (!layouts(&args, layout_a, layout_b))
        return;
    for (int64_t i = 0; i <= m * n; i++)
        array_set(t->dtype, y.storage, i, 1234);
    multiply(t, &args, all_of(&args));
    ck_assert_double_eq(array_get(t->dtype, y.storage, m * n), 1234);
    check_values(t, &args);
    check_parts(t, args, 5, 3 + (m + n) % 40);
    check_parts(t, args, 64, 65);
}

static const int64_t sizes[][3] = {
    {1, 1, 1},     {0, 3, 4},     {3, 0, 4},     {3, 4, 0},     {1, 49, 1},    {50, 49, 1},    {1, 64, 64},
    {3, 5, 7},     {8, 8, 8},     {4, 16, 16},   {7, 31, 32},   {5, 33, 33},   {9, 1, 47},     {47, 1, 9},
    {13, 1, 1},    {1, 1, 13},    {2, 130, 3},   {37, 41, 43},  {11, 3, 17},   {17, 129, 5},   {6, 260, 35},
    {16, 64, 128}, {64, 7, 1},    {10, 10, 63},  {13, 70, 70},  {14, 300, 33}, {15, 90, 97},   {29, 513, 31},
    {7, 600, 17},  {28, 320, 64}, {30, 321, 65}, {57, 333, 71}, {16, 641, 96}, {130, 70, 290}, {41, 203, 6},
    {7, 131, 19},  {31, 250, 60}, {32, 257, 60}, {15, 1, 300},  {17, 3, 261},  {16, 8, 300},   {20, 2, 71},
    {1, 5, 131},   {1, 520, 99},  {1, 7, 1100},  {2, 9, 150},   {3, 40, 120},  {4, 300, 100},  {5, 11, 97},
    {6, 11, 70},   {8, 5, 64},    {9, 20, 50},   {21, 50, 1},   {23, 40, 2},   {19, 50, 3},    {25, 80, 5},
};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

START_TEST(matmul_is_right)
{
    FOR_EACH_TABLE(t)
    {
        fill(t.dtype);
        for (int s = 0; s < SIZES; s++)
            for (int pair = 0; pair < LAYOUTS * LAYOUTS; pair++)
                check_matmul(&t, sizes[s][0], sizes[s][1], sizes[s][2], pair / LAYOUTS, pair % LAYOUTS);
    }
}
END_TEST

/* Tests all numbers of rows and columns up to more than a tile, for A and B stored by rows and by columns. */
START_TEST(every_tile_is_right)
{
    FOR_EACH_TABLE(t)
    {
        fill(t.dtype);
        for (int64_t m = 1; m <= 16; m++)
            for (int64_t n = 1; n <= 34; n++)
                for (int pair = 0; pair < 4; pair++)
                    check_matmul(&t, m, 1 + (m * n) % 19, n, pair / 2, pair % 2);
    }
}
END_TEST

/* A is stored by columns and so large that it is packed. */
START_TEST(large_transposed_matrices)
{
    FOR_EACH_TABLE(t)
    {
        fill(t.dtype);
        for (int layout_b = 0; layout_b < 2; layout_b++)
            check_matmul(&t, 203, 330, 151, 1, layout_b);
    }
}
END_TEST

/* A padded column must not affect its neighbours, since 0 times NaN is NaN. */
START_TEST(matmul_keeps_nan_in_its_row)
{
    FOR_EACH_TABLE(t)
    for (int64_t n = 1; n <= 37; n += 4)
        for (int layout = 0; layout < 4; layout++) {
            heed__matmul_args args = {
                .m = 9, .n = n, .k = 19, .a = x.storage, .b = z.storage, .c = y.storage, .batches = 1};
            ck_assert(layouts(&args, layout, layout));
            array_draw(t.dtype, x.storage, 1000, 1, 2, 1);
            array_draw(t.dtype, z.storage, 2000, 1, 2, 2);
            array_set(t.dtype, x.storage, 4 * args.a_row + 18 * args.a_col, NAN);
            array_set(t.dtype, z.storage, 0, INFINITY);
            multiply(&t, &args, all_of(&args));
            for (int64_t i = 0; i < 9 * n; i++) {
                double got = array_get(t.dtype, y.storage, i);
                EXPECT(i / n == 4   ? isnan(got)
                       : i % n == 0 ? got == INFINITY
                                    : got > 0 && got < 100,
                       "%s: n %d, layout %d, element %d: %g", t.name, (int)n, layout, (int)i, got);
            }
        }
}
END_TEST

/* -- Batches, bias, activation ------------------------------------------------------------------------------------- */

/* A batch element has the same bits as alone; B is the same for all if `shared`. */
static void check_batch(const table_walk *t, int64_t m, int64_t k, int64_t n, int pair, bool shared)
{
    enum { BATCHES = 3 };
    heed__matmul_args args = {
        .m = m, .n = n, .k = k, .a = x.storage, .b = z.storage, .c = y.storage, .batches = BATCHES};
    args.a_batch = m * k + 1;
    args.b_batch = shared ? 0 : k * n + 2;
    args.c_batch = m * n;
    if (!layouts(&args, pair / 2, pair % 2) || BATCHES * args.b_batch > ARRAY_MAX)
        return;
    multiply(t, &args, all_of(&args));
    heed__matmul_args one = args;
    one.batches = 1;
    for (int64_t i = 0; i < BATCHES; i++) {
        one.a = array_at(t->dtype, x.storage, i * args.a_batch);
        one.b = array_at(t->dtype, z.storage, i * args.b_batch);
        one.c = array_at(t->dtype, again.storage, i * args.c_batch);
        multiply(t, &one, all_of(&one));
    }
    EXPECT(same_bits(t->dtype, &y, &again, BATCHES * m * n), "%s: batch of %dx%dx%d, layouts %d %d", t->name, (int)m,
           (int)k, (int)n, pair / 2, pair % 2);
}

START_TEST(batches_are_their_elements)
{
    FOR_EACH_TABLE(t)
    {
        fill(t.dtype);
        for (int s = 0; s < SIZES; s++)
            for (int pair = 0; pair < 8; pair++)
                check_batch(&t, sizes[s][0], sizes[s][1], sizes[s][2], pair % 4, pair >= 4);
    }
}
END_TEST

static void check_finish(const table_walk *t, int64_t m, int64_t k, int64_t n, int pair, heed__unary_kernel *activation)
{
    heed__matmul_args args = {.m = m, .n = n, .k = k, .a = x.storage, .b = z.storage, .c = y.storage, .batches = 1};
    ck_assert(layouts(&args, pair / 2, pair % 2));
    args.c = again.storage;
    multiply(t, &args, all_of(&args));
    for (int64_t i = 0; i < m; i++) {
        void *row = array_at(t->dtype, again.storage, i * n);
        t->kernels->add(n, row, 1, extra.storage, 1, row, NULL);
        if (activation)
            activation(n, row, 1, row, NULL);
    }
    args.c = y.storage;
    args.bias = extra.storage;
    args.activation = activation;
    multiply(t, &args, all_of(&args));
    EXPECT(same_bits(t->dtype, &y, &again, m * n), "%s: bias and activation of %dx%dx%d", t->name, (int)m, (int)k,
           (int)n);
    check_parts(t, args, 5, 33);
}

/* The same numbers as with separate passes, in every variant of matmul. */
START_TEST(bias_and_activation)
{
    FOR_EACH_TABLE(t)
    {
        fill(t.dtype);
        array_draw(t.dtype, extra.storage, 300, -1, 1, 3);
        heed__unary_kernel *const activations[] = {NULL, t.kernels->relu, t.kernels->tanh};
        for (int s = 0; s < SIZES; s++)
            for (int pair = 0; pair < 4; pair++)
                check_finish(&t, sizes[s][0], sizes[s][1], sizes[s][2], pair, activations[(s + pair) % 3]);
    }
}
END_TEST

/* A bias for every row, or for every column, and relu, against the reference: the sums are at most k + 1. */
START_TEST(bias_of_rows_and_of_columns)
{
    static double biases[300], expected[130 * 290];
    FOR_EACH_TABLE(t)
    {
        fill(t.dtype);
        array_draw(t.dtype, extra.storage, 300, -1, 1, 3);
        array_read(t.dtype, extra.storage, 300, biases);
        for (int i = 0; i < 2 * SIZES; i++) {
            const int64_t m = sizes[i / 2][0], k = sizes[i / 2][1], n = sizes[i / 2][2];
            const reference_matrix bias = {biases, i % 2, !(i % 2)};
            heed__matmul_args args = {
                .m = m, .n = n, .k = k, .a = x.storage, .b = z.storage, .c = y.storage, .batches = 1};
            args.bias = extra.storage;
            args.bias_of_rows = i % 2;
            args.activation = t.kernels->relu;
            if (n > 300 || m * k * n > 300000 || !layouts(&args, i % 2, i % 2))
                continue;
            multiply(&t, &args, all_of(&args));
            reference_matmul(m, k, n, (reference_matrix){x_numbers, args.a_row, args.a_col},
                             (reference_matrix){z_numbers, args.b_row, args.b_col}, &bias, expected);
            for (int64_t at = 0; at < m * n; at++)
                expected[at] = fmax(expected[at], 0);
            describe_case("%dx%dx%d with bias", (int)m, (int)k, (int)n);
            expect_all_near(&t, "c", &y, expected, m * n, (double)(k + 1) * (1 + (double)k / 8), 0);
        }
    }
}
END_TEST

/* Row 2 of three, and the same row alone; both are dot products with too few terms to be split. */
START_TEST(a_row_alone_has_the_bits_it_has_among_others)
{
    static const int64_t terms[] = {24, 90, 131, 511, 512};
    enum { N = 141 }; /* with 512 terms the columns are far enough apart to be prefetched */
    FOR_EACH_TABLE(t)
    {
        fill(t.dtype);
        for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
            const int64_t k = terms[i];
            heed__matmul_args args = {.m = 3, .n = N, .k = k, .a = x.storage, .a_row = k, .a_col = 1, .b = z.storage};
            args.b_row = args.batches = 1;
            args.b_col = k;
            args.c = y.storage;
            multiply(&t, &args, all_of(&args));
            args.m = 1;
            args.a = array_at(t.dtype, x.storage, 2 * k);
            args.c = again.storage;
            multiply(&t, &args, all_of(&args));
            ck_assert_mem_eq(array_at(t.dtype, y.storage, 2 * N), again.storage, N * element_size(t.dtype));
        }
    }
}
END_TEST

/* -- Instruction sets ---------------------------------------------------------------------------------------------- */

/* Compares the instruction sets with fused multiply-add: a product has the same bits on all of them. */
static void check_same_bits(int dtype, const heed__matmul_args *s)
{
    bool any = false;
    FOR_EACH_TABLE(t)
    {
        if (t.dtype != dtype || strcmp(t.isa, "scalar") == 0)
            continue;
        heed__matmul_args args = *s;
        args.c = any ? again.storage : y.storage;
        multiply(&t, &args, all_of(&args));
        EXPECT(!any || same_bits(dtype, &y, &again, s->m * s->n), "%s: %dx%dx%d, strides %d %d, %d %d", t.name,
               (int)s->m, (int)s->k, (int)s->n, (int)s->a_row, (int)s->a_col, (int)s->b_row, (int)s->b_col);
        any = true;
    }
}

/* Shapes m, k, n on both sides of the limits of path.h. */
START_TEST(instruction_sets_have_the_same_bits)
{
    static const int shapes[][3] = {
        {1, 37, 2},    {1, 300, 70},   {2, 300, 70},   {3, 9, 257},   {3, 23, 257},  {3, 24, 257},   {70, 300, 1},
        {13, 104, 12}, {13, 103, 12},  {13, 104, 11},  {14, 112, 12}, {31, 248, 40}, {32, 256, 40},  {6, 1000, 17},
        {7, 1000, 17}, {28, 600, 100}, {29, 600, 100}, {29, 128, 64}, {29, 128, 65}, {40, 700, 16},  {40, 700, 17},
        {40, 700, 32}, {40, 700, 33},  {16, 600, 2},   {15, 600, 2},  {16, 600, 4},  {31, 600, 4},   {32, 600, 8},
        {33, 600, 9},  {16, 600, 5},   {8, 8, 4},      {512, 3, 130}, {9, 8, 129},   {2, 1040, 40},  {5, 2500, 3},
        {2, 9000, 3},  {20, 4200, 10}, {40, 1500, 40}, {3, 2000, 40}, {1, 4097, 20}, {64, 512, 100}, {65, 520, 100},
    };
    for (int dtype = 0; dtype < 2; dtype++) {
        fill(dtype);
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
            for (int layout = 0; layout < LAYOUTS * LAYOUTS; layout++) {
                heed__matmul_args args = {.m = shapes[i][0],
                                          .k = shapes[i][1],
                                          .n = shapes[i][2],
                                          .a = x.storage,
                                          .b = z.storage,
                                          .batches = 1};
                if (layouts(&args, layout / LAYOUTS, layout % LAYOUTS))
                    check_same_bits(dtype, &args);
            }
    }
}
END_TEST

HEED_TEST_MAIN("matmul", matmul_is_right, every_tile_is_right, large_transposed_matrices, matmul_keeps_nan_in_its_row,
               batches_are_their_elements, bias_and_activation, bias_of_rows_and_of_columns,
               a_row_alone_has_the_bits_it_has_among_others, instruction_sets_have_the_same_bits)
