/* tests/ops/test_extreme_norms.c - norms, deviations, normalisations and distances of numbers whose squares overflow
 * or underflow: values and first derivatives against long double, from the smallest numbers of a dtype to the
 * largest.
 *
 * Every function is written twice, in ops and in long double. The derivatives of the second are differences, with
 * relative errors of about 1e-11. Only results that the dtype can hold are compared.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "hash.h"
#include "kernels/kernels.h"
#include "wide_norms.h"

#include <float.h>

typedef int wide_function(const wide *x, double p, wide *y);
typedef heed_tensor *op_function(heed_tensor *x, double p);

typedef struct function {
    const char *name;
    op_function *op;
    wide_function *exact;
    double p;
    double least; /* steps are proportional to |x|, or to this constant, which the function adds, if it is larger */
} function;

/* -- In ops -------------------------------------------------------------------------------------------------------- */

static heed_tensor *op_norm(heed_tensor *x, double p)
{
    return heed_norm(x, p, HEED_AXES(1), false);
}

static heed_tensor *op_norm_of_columns(heed_tensor *x, double p)
{
    return heed_reshape(heed_norm(heed_transpose(x, 0, 1), p, HEED_AXES(0), true), HEED_SHAPE(ROWS));
}

static heed_tensor *op_var(heed_tensor *x, double p)
{
    return heed_var(x, HEED_AXES(1), (int)p, false);
}

static heed_tensor *op_std(heed_tensor *x, double p)
{
    return heed_std(x, HEED_AXES(1), (int)p, true);
}

static heed_tensor *op_layer_norm(heed_tensor *x, double p)
{
    return heed_layer_norm(x, HEED_SHAPE(COLUMNS), NULL, NULL, p);
}

static heed_tensor *op_rms_norm(heed_tensor *x, double p)
{
    return heed_rms_norm(x, HEED_SHAPE(COLUMNS), NULL, p);
}

static heed_tensor *op_batch_norm(heed_tensor *x, double p)
{
    return heed_batch_norm(x, NULL, NULL, NULL, NULL, p, NULL);
}

static heed_tensor *op_instance_norm(heed_tensor *x, double p)
{
    return heed_instance_norm(heed_reshape(x, HEED_SHAPE(1, ROWS, COLUMNS)), NULL, NULL, p);
}

/* One channel per row, so that its elements are contiguous. */
static heed_tensor *op_batch_norm_of_rows(heed_tensor *x, double p)
{
    return heed_batch_norm(heed_reshape(x, HEED_SHAPE(1, ROWS, COLUMNS)), NULL, NULL, NULL, NULL, p, NULL);
}

static heed_tensor *op_group_norm(heed_tensor *x, double p)
{
    return heed_group_norm(heed_reshape(x, HEED_SHAPE(ROWS / 2, 2, COLUMNS)), 1, NULL, NULL, p);
}

static heed_tensor *other_tensor(const heed_tensor *x)
{
    heed_tensor *t = heed_zeros(HEED_F64, HEED_SHAPE(COLUMNS));
    for (int i = 0; i < COLUMNS; i++)
        heed_mutable_f64(t)[i] = other_of(i);
    return heed_expand(heed_to_dtype(t, heed_dtype_of(x)), HEED_SHAPE(ROWS, COLUMNS));
}

static heed_tensor *op_cosine_similarity(heed_tensor *x, double p)
{
    (void)p;
    return heed_cosine_similarity(other_tensor(x), x, 1);
}

static heed_tensor *op_cosine_embedding_loss(heed_tensor *x, double p)
{
    (void)p;
    return heed_cosine_embedding_loss(x, other_tensor(x), heed_ones(heed_dtype_of(x), HEED_SHAPE(ROWS)), 0,
                                      HEED_REDUCTION_NONE);
}

static heed_tensor *op_triplet(heed_tensor *x, double p)
{
    (void)p;
    heed_tensor *rolled = heed_roll(x, 1, -1);
    return heed_triplet_margin_loss(x, rolled, heed_mul_scalar(rolled, 0.5), 1, false, HEED_REDUCTION_NONE);
}

static const function functions[] = {
    {"norm 2", op_norm, exact_norm, 2, 0},
    {"norm 2 of columns", op_norm_of_columns, exact_norm, 2, 0},
    {"norm 3", op_norm, exact_norm, 3, 0},
    {"norm 1.5", op_norm, exact_norm, 1.5, 0},
    {"norm 1", op_norm, exact_norm, 1, 0},
    {"norm 0.5", op_norm, exact_norm, 0.5, 0},
    {"norm 10", op_norm, exact_norm, 10, 0},
    {"norm 700", op_norm, exact_norm, 700, 0},
    {"norm -1", op_norm, exact_norm, -1, 0},
    {"norm -2", op_norm, exact_norm, -2, 0},
    {"std", op_std, exact_std, 1, 0},
    {"std by n", op_std, exact_std, 0, 0},
    {"var", op_var, exact_var, 1, 0},
    {"layer_norm", op_layer_norm, exact_layer_norm, 0, 0},
    {"layer_norm, eps 1e-5", op_layer_norm, exact_layer_norm, 1e-5, 0},
    {"rms_norm", op_rms_norm, exact_rms_norm, 0, 0},
    {"rms_norm, eps 1e-5", op_rms_norm, exact_rms_norm, 1e-5, 0},
    {"instance_norm", op_instance_norm, exact_layer_norm, 0, 0},
    {"instance_norm, eps 1e-30", op_instance_norm, exact_layer_norm, 1e-30, 0},
    {"group_norm", op_group_norm, exact_group_norm, 0, 0},
    {"batch_norm", op_batch_norm, exact_batch_norm, 0, 0},
    {"batch_norm, eps 1e-5", op_batch_norm, exact_batch_norm, 1e-5, 0},
    {"batch_norm of rows", op_batch_norm_of_rows, exact_layer_norm, 0, 0},
    {"cosine_similarity", op_cosine_similarity, exact_cosine_similarity, 0, 1e-9},
    {"cosine_embedding_loss", op_cosine_embedding_loss, exact_cosine_embedding_loss, 0, 1e-9},
    {"triplet_margin_loss", op_triplet, exact_triplet, 0, 3e-5},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* -- Inputs -------------------------------------------------------------------------------------------------------- */

/* The parameters of a comparison. */
typedef struct setting {
    const function *f;
    heed_dtype dtype;
    double scale; /* of the numbers */
    double g;     /* of the gradient that arrives */
    bool mixed;   /* rows of the numbers, their inverses and ordinary ones alternate */
    bool graph;   /* create_graph */
} setting;

static double rounded(heed_dtype dtype, double x)
{
    return dtype == HEED_F32 ? (double)(float)x : x;
}

/* Returns a number in -1 .. 1 whose magnitude is at least 0.125. */
static double number(int i)
{
    const double u = fmod(0.5 + 0.6180339887498949 * (i + 1), 1.0);
    return (i % 3 == 1 ? -1 : 1) * (0.125 + 0.875 * u);
}

static double scale_of(const setting *s, int row)
{
    const double inverse = s->dtype == HEED_F32 ? fmax(1 / s->scale, 1e-38) : 1 / s->scale;
    return !s->mixed || row % 3 == 0 ? s->scale : row % 3 == 1 ? inverse : 1;
}

static void draw(const setting *s, double *x)
{
    for (int i = 0; i < ALL; i++)
        x[i] = rounded(s->dtype, scale_of(s, i / COLUMNS) * number(i));
}

static heed_tensor *tensor_of(heed_dtype dtype, heed_shape shape, const double *x)
{
    heed_tensor *t = heed_zeros(HEED_F64, shape);
    for (int64_t i = 0; i < heed_numel(t); i++)
        heed_mutable_f64(t)[i] = x[i];
    return heed_to_dtype(t, dtype);
}

/* -- Comparing ----------------------------------------------------------------------------------------------------- */

/* n results in rows of `row`: compared relative to the largest of a row, if all can be held. */
static void compare(const setting *s, const char *what, int n, int row, heed_tensor *found, const wide *expected)
{
    const double largest = s->dtype == HEED_F32 ? FLT_MAX : DBL_MAX,
                 least = s->dtype == HEED_F32 ? 0x1p-149 : 0x1p-1074;
    const double share = s->dtype == HEED_F32 ? 2e-5 : 2e-10;
    found = heed_contiguous(heed_to_dtype(heed_detach(found), HEED_F64));
    ck_assert_msg(found != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_numel(found), n);
    for (int begin = 0; begin < n; begin += row) {
        wide most = 0;
        for (int i = begin; i < begin + row; i++)
            most = fmaxl(most, fabsl(expected[i]));
        for (int i = begin; i < begin + row && most < largest / 4; i++)
            ck_assert_msg(fabsl(heed_data_f64(found)[i] - expected[i]) <= share * most + 4 * least,
                          "%s %s, scale %g%s, g %g%s: %s %d is %.17g, not %.17Lg", heed_dtype_name(s->dtype),
                          s->f->name, s->scale, s->mixed ? " mixed" : "", s->g, s->graph ? ", graph" : "", what, i,
                          heed_data_f64(found)[i], expected[i]);
    }
}

static bool over_columns(const function *f)
{
    return f->exact == exact_batch_norm || f->exact == exact_group_norm;
}

/* Computes dx[i] = sum w dy / dx[i] by five-point differences. Every y is differenced separately, so that the y of
 * other rows, which do not change, cancel exactly. */
static void differentiate(const setting *s, const double *x, const wide *w, wide *dx)
{
    static const int at[] = {-2, 2, -1, 1};
    static wide moved[ALL], y[4][ALL];
    for (int i = 0; i < ALL; i++) {
        const wide step = fmaxl(fabsl((wide)x[i]), s->f->least) * 1e-4L / fmaxl(1, fabsl((wide)s->f->p) / 4);
        int n = 0;
        for (int j = 0; j < ALL; j++)
            moved[j] = x[j];
        for (int k = 0; k < 4; k++) {
            moved[i] = x[i] + at[k] * step;
            n = s->f->exact(moved, s->f->p, y[k]);
        }
        dx[i] = 0;
        for (int j = 0; j < n; j++)
            dx[i] += w[j] * ((8 * (y[3][j] - y[2][j]) - (y[1][j] - y[0][j])) / (12 * step));
    }
}

static void check(const setting *s)
{
    double x[ALL], g[ALL];
    static wide exact[ALL], y[ALL], w[ALL], dx[ALL];
    draw(s, x);
    for (int i = 0; i < ALL; i++) {
        g[i] = rounded(s->dtype, s->g * number(7 * i + 3));
        exact[i] = x[i];
        w[i] = g[i];
    }
    heed_tensor *in = heed_set_requires_grad(tensor_of(s->dtype, HEED_SHAPE(ROWS, COLUMNS), x), true), *found = NULL;
    heed_tensor *out = s->f->op(in, s->f->p);
    ck_assert_msg(out != NULL, "%s", heed_error_message());
    const int n = s->f->exact(exact, s->f->p, y), row = over_columns(s->f) ? n : n / ROWS;
    compare(s, "value", n, row, out, y);
    heed_tensor *arriving = tensor_of(s->dtype, heed_shape_of(out), g);
    const heed_grad_options o = {.grad_outputs = &arriving, .create_graph = s->graph};
    ck_assert_msg(heed_grad(&out, 1, &in, 1, &found, &o) == HEED_OK, "%s", heed_error_message());
    differentiate(s, x, w, dx);
    compare(s, "gradient", ALL, over_columns(s->f) ? ALL : COLUMNS, found, dx);
}

/* -- The tests ----------------------------------------------------------------------------------------------------- */

static const double scales_f32[] = {1e-38, 1e-35, 1e-30, 1e-25, 1e-20, 1e-15, 1e-7, 1,   1e5,
                                    1e10,  1e15,  1e18,  1e20,  1e25,  1e30,  1e37, 1e38};
static const double scales_f64[] = {1e-307, 1e-300, 1e-250, 1e-200, 1e-165, 1e-155, 1e-100, 1e-20, 1,
                                    1e20,   1e100,  1e152,  1e155,  1e200,  1e250,  1e300,  1e307};
enum { SCALES = sizeof scales_f32 / sizeof scales_f32[0] };
_Static_assert(sizeof scales_f64 == sizeof scales_f32, "as many scales of f64");

static void check_scales(const function *f, heed_dtype dtype)
{
    static const double gs[] = {1, 1e-6, 1e4};
    for (int i = 0; i < SCALES; i++)
        for (int g = 0; g < 3; g++)
            for (int variant = 0; variant < 4; variant++) {
                const double scale = dtype == HEED_F32 ? scales_f32[i] : scales_f64[i];
                const setting s = {f, dtype, scale, gs[g], variant & 1, variant & 2};
                if (s.mixed && over_columns(f))
                    continue;
                if (dtype == HEED_F64 && (f->p < 0 || f->p > 500) && fabs(log10(scale)) > 290)
                    continue; /* documented in the header of heed_norm */
                heed_scope *scope = heed_scope_begin();
                check(&s);
                heed_scope_end(scope);
            }
}

static const char *const isas[] = {"scalar", "avx2", "avx512", "neon"};
enum { ISAS = sizeof isas / sizeof isas[0] };

/* Returns false if this processor or build lacks the instruction set. */
static bool use_isa(const char *name)
{
    const int isa = heed__isa_named(name);
    if (isa >= 0)
        atomic_store(&heed__isa_in_force, isa);
    return isa >= 0;
}

/* Test number `_i` is a function on an instruction set. */
START_TEST(the_whole_range_of_f32)
{
    if (use_isa(isas[_i / FUNCTIONS]))
        check_scales(&functions[_i % FUNCTIONS], HEED_F32);
}
END_TEST

/* A long double must have a larger range than a double. */
START_TEST(the_whole_range_of_f64)
{
    if (LDBL_MAX_EXP > DBL_MAX_EXP && use_isa(isas[_i / FUNCTIONS]))
        check_scales(&functions[_i % FUNCTIONS], HEED_F64);
}
END_TEST

/* Rows of many scales, enough for several ranges of the parallel loops. */
static heed_tensor *many_rows(heed_dtype dtype)
{
    enum { N = 3000, LONG = 70 };
    heed_tensor *t = heed_zeros(HEED_F64, HEED_SHAPE(N, LONG));
    for (int i = 0; i < N * LONG; i++)
        heed_mutable_f64(t)[i] = number(i) * ldexp(1, i / LONG % 240 - 120);
    return heed_set_requires_grad(heed_to_dtype(t, dtype), true);
}

static heed_tensor *of_many_rows(heed_tensor *x, int which)
{
    const heed_shape shape = HEED_SHAPE(70), axes = HEED_AXES(1);
    switch (which) {
    case 0:
        return heed_norm(x, 2, axes, false);
    case 1:
        return heed_std(x, axes, 1, false);
    case 2:
        return heed_layer_norm(x, shape, NULL, NULL, 0);
    case 3:
        return heed_rms_norm(x, shape, NULL, 0);
    case 4:
        return heed_batch_norm(heed_transpose(x, 0, 1), NULL, NULL, NULL, NULL, 0, NULL);
    default:
        return heed_cosine_similarity(x, heed_flip(x, axes), 1);
    }
}
enum { MANY = 6 };

static uint64_t hash_of_many_rows(heed_dtype dtype, int which)
{
    heed_tensor *x = many_rows(dtype), *y = of_many_rows(x, which), *sum = heed_sum(heed_square(y)), *dx = NULL;
    ck_assert_int_eq(heed_grad(&sum, 1, &x, 1, &dx, NULL), HEED_OK);
    return hash_tensor(hash_tensor(HASH_BEGIN, y), dx);
}

START_TEST(threads_change_no_bit)
{
    for (int dtype = 0; dtype < 2; dtype++) {
        uint64_t hash[2];
        for (int threads = 1; threads <= 8; threads += 7) {
            ck_assert_int_eq(heed_set_num_threads(threads), HEED_OK);
            hash[threads > 1] = hash_of_many_rows(dtype == 0 ? HEED_F32 : HEED_F64, _i);
        }
        ck_assert(hash[0] == hash[1]);
    }
}
END_TEST

/* Rows of ordinary numbers have the same bits with and without a row of huge numbers, a row of tiny numbers, and a
 * row of zeros. */
START_TEST(a_row_is_alone)
{
    const heed_dtype dtype = _i / MANY == 0 ? HEED_F32 : HEED_F64;
    heed_tensor *rows = heed_slice(many_rows(dtype), 0, 110, 130, 1), *got[2][2];
    for (int with = 0; with < 2; with++) {
        heed_tensor *all[] = {rows, heed_mul_scalar(heed_slice(rows, 0, 9, 10, 1), dtype == HEED_F32 ? 1e30 : 1e200),
                              heed_mul_scalar(heed_slice(rows, 0, 9, 10, 1), dtype == HEED_F32 ? 1e-30 : 1e-200),
                              heed_zeros(dtype, HEED_SHAPE(1, 70))};
        heed_tensor *x = heed_set_requires_grad(heed_detach(heed_concat(all, with ? 4 : 1, 0)), true), *dx = NULL;
        heed_tensor *y = of_many_rows(x, _i % MANY), *some = heed_slice(y, _i % MANY == 4, 0, 20, 1);
        heed_tensor *sum = heed_sum(heed_square(some));
        ck_assert_int_eq(heed_grad(&sum, 1, &x, 1, &dx, NULL), HEED_OK);
        got[0][with] = some;
        got[1][with] = heed_slice(dx, 0, 0, 20, 1);
    }
    for (int i = 0; i < 2; i++)
        ck_assert(hash_tensor(HASH_BEGIN, got[i][0]) == hash_tensor(HASH_BEGIN, got[i][1]));
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("squares out of range");
    tcase_add_loop_test(tcase, the_whole_range_of_f32, 0, ISAS * FUNCTIONS);
    tcase_add_loop_test(tcase, the_whole_range_of_f64, 0, ISAS * FUNCTIONS);
    tcase_add_loop_test(tcase, threads_change_no_bit, 0, MANY);
    tcase_add_loop_test(tcase, a_row_is_alone, 0, 2 * MANY);
    return heed_run_case("norms of extreme numbers", tcase);
}
