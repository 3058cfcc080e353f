/* onnx/tests/special_values.c - writes a model of every elementwise op of onnx/src/forms.def into a folder, recorded
 * with special values: OP.DTYPE.onnx, its inputs OP.DTYPE.in.INPUT.npy, and heed's results, OP.DTYPE.out.y.npy. An
 * op of two tensors gets all pairs. With an OP, only of this op. For test_special_values.py.
 *
 *     special_values FOLDER [OP]
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heed/heed.h>
#include <heed/onnx.h>

#include "driver.h"

static const char *folder;

/* Zeros, halves, whole numbers, neighbours of 1, tiny and huge numbers, numbers for which exp and powers overflow,
 * infinities, NaN. */
static const double values[] = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                0.5,
                                -0.5,
                                1.5,
                                -1.5,
                                2.0,
                                2.5,
                                -2.5,
                                0.1,
                                -0.1,
                                3.0,
                                -3.0,
                                0.70710678,
                                -0.25,
                                1e-3,
                                -1e-3,
                                1e-10,
                                -1e-10,
                                1e-30,
                                -1e-30,
                                1e-38,
                                -1e-38,
                                5.0,
                                -7.0,
                                10.0,
                                -20.0,
                                88.0,
                                -88.0,
                                100.0,
                                -104.0,
                                3.1415926535,
                                1e9,
                                -1e9,
                                16777216.,
                                1e30,
                                (double)INFINITY,
                                -(double)INFINITY,
                                (double)NAN};
enum { COUNT = sizeof values / sizeof values[0] };

static const int64_t whole[] = {0,  1,  -1,  2,     -2,      3,         -3,        7,
                                -7, 10, 100, -1000, 1 << 24, INT32_MAX, INT32_MIN, INT64_C(1) << 40};
enum { WHOLE = sizeof whole / sizeof whole[0] };

typedef heed_tensor *unary(heed_tensor *x);
typedef heed_tensor *binary(heed_tensor *a, heed_tensor *b);

static void write_array(const char *model, const char *what, heed_tensor *t)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.%s.npy", folder, model, what);
    heed_io_npy_write(path, heed_contiguous(t));
}

/* -- Recording ----------------------------------------------------------------------------------------------------- */

typedef struct recording {
    char name[64];
    heed_onnx *model;
    heed_scope *scope;
} recording;

static recording begin(const char *op, heed_dtype dtype)
{
    recording r = {.scope = heed_scope_begin()};
    (void)snprintf(r.name, sizeof r.name, "%s.%s", op, heed_dtype_name(dtype));
    r.model = heed_onnx_new(&(heed_onnx_options){.name = r.name});
    return r;
}

static heed_tensor *input(const recording *r, const char *name, heed_tensor *x)
{
    char what[16];
    heed_onnx_input(r->model, name, x);
    (void)snprintf(what, sizeof what, "in.%s", name);
    write_array(r->name, what, x);
    return x;
}

static void end(recording *r, heed_tensor *y)
{
    char path[512];
    heed_onnx_output(r->model, "y", y);
    write_array(r->name, "out.y", y);
    (void)snprintf(path, sizeof path, "%s/%s.onnx", folder, r->name);
    heed_onnx_save(r->model, path);
    heed_onnx_free(r->model);
    heed_scope_end(r->scope);
}

/* The special values of a dtype, as a list (0), a column (1) or a row (2): a column and a row make all pairs. A
 * divisor of i64 is not 0. */
static heed_tensor *special(heed_dtype dtype, int operand, bool divisor)
{
    heed_tensor *t = dtype == HEED_I64
                         ? heed_from_array(HEED_I64, HEED_SHAPE(WHOLE), whole, WHOLE)
                         : heed_to_dtype(heed_from_array(HEED_F64, HEED_SHAPE(COUNT), values, COUNT), dtype);
    if (dtype == HEED_I64 && divisor)
        t = heed_slice(t, 0, 1, WHOLE, 1);
    const int64_t n = heed_numel(t);
    return operand == 0 ? t : heed_clone(heed_reshape(t, operand == 1 ? HEED_SHAPE(n, 1) : HEED_SHAPE(1, n)));
}

static void write_unary(const char *op, unary *f, heed_dtype dtype)
{
    recording r = begin(op, dtype);
    end(&r, f(input(&r, "x", special(dtype, 0, false))));
}

static void write_binary(const char *op, binary *f, heed_dtype dtype)
{
    recording r = begin(op, dtype);
    heed_tensor *a = input(&r, "a", special(dtype, 1, false)), *b = input(&r, "b", special(dtype, 2, false));
    end(&r, f(a, b));
}

/* -- Ops with parameters ------------------------------------------------------------------------------------------- */

#define WITH(name, call)                                                                                               \
    static heed_tensor *name(heed_tensor *x)                                                                           \
    {                                                                                                                  \
        return call;                                                                                                   \
    }
WITH(times, heed_mul_scalar(x, 0.3))
WITH(plus, heed_add_scalar(x, -0.3))
WITH(from, heed_rsub_scalar(x, 0.3))
WITH(cube, heed_pow_scalar(x, 3))
WITH(root, heed_pow_scalar(x, 0.5))
WITH(inverse, heed_pow_scalar(x, -1))
WITH(leaky, heed_leaky_relu(x, 0.1))
WITH(exponential, heed_elu(x, 0.7))
WITH(between, heed_hardtanh(x, -1.3, 1.3))
WITH(clamped, heed_clamp(x, -0.7, (double)INFINITY))
WITH(clamped_whole, heed_clamp(x, -2, 5))
WITH(to_f64, heed_to_dtype(x, HEED_F64))
WITH(to_f32, heed_to_dtype(x, HEED_F32))
WITH(to_bool, heed_to_dtype(x, HEED_BOOL))
WITH(times_whole, heed_mul_scalar(x, -3))
WITH(from_whole, heed_rsub_scalar(x, 4))

#define COMPARED(name, how)                                                                                            \
    static heed_tensor *name(heed_tensor *a, heed_tensor *b)                                                           \
    {                                                                                                                  \
        return heed_compare(a, how, b);                                                                                \
    }
COMPARED(equal, HEED_COMPARE_EQ)
COMPARED(unequal, HEED_COMPARE_NE)
COMPARED(less, HEED_COMPARE_LT)
COMPARED(at_most, HEED_COMPARE_LE)
COMPARED(greater, HEED_COMPARE_GT)
COMPARED(at_least, HEED_COMPARE_GE)

static heed_tensor *choose(heed_tensor *a, heed_tensor *b)
{
    return heed_where(heed_compare(a, HEED_COMPARE_LT, b), a, b);
}

/* i64 becomes f64. */
static heed_tensor *between_pairs(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *x = heed_dtype_of(a) == HEED_I64 ? heed_to_dtype(a, HEED_F64) : a;
    heed_tensor *y = heed_dtype_of(b) == HEED_I64 ? heed_to_dtype(b, HEED_F64) : b;
    return heed_lerp(x, y, y);
}

/* A slope per channel. */
static heed_tensor *sloped(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *x = heed_dtype_of(a) == HEED_I64 ? heed_to_dtype(a, HEED_F64) : a;
    heed_tensor *slope = heed_dtype_of(b) == HEED_I64 ? heed_to_dtype(b, HEED_F64) : b;
    const int64_t n = heed_numel(b);
    return heed_prelu(heed_expand(x, HEED_SHAPE(n, n)), heed_reshape(slope, HEED_SHAPE(n)));
}

#define LOGICAL(name)                                                                                                  \
    static heed_tensor *name##_of(heed_tensor *a, heed_tensor *b)                                                      \
    {                                                                                                                  \
        return heed_##name(heed_to_dtype(a, HEED_BOOL), heed_to_dtype(b, HEED_BOOL));                                  \
    }
LOGICAL(logical_and)
LOGICAL(logical_or)
LOGICAL(logical_xor)
WITH(logical_not_of, heed_logical_not(heed_to_dtype(x, HEED_BOOL)))

/* -- All ----------------------------------------------------------------------------------------------------------- */

/* Models of ops without a row in tests/ops/elementwise, and of ops with other parameters than in their row. A name is
 * the op's name and, after '-', the variant of its form. */
static const struct {
    const char *op;
    unary *f;
} unaries[] = {{"mul_scalar", times},    {"add_scalar", plus},        {"rsub_scalar", from},
               {"pow_scalar-3", cube},   {"pow_scalar-half", root},   {"pow_scalar-inverse", inverse},
               {"leaky_relu", leaky},    {"elu", exponential},        {"hardtanh", between},
               {"clamp", clamped},       {"clone", heed_clone},       {"to_dtype-f64", to_f64},
               {"to_dtype-f32", to_f32}, {"to_dtype-bool", to_bool},  {"isnan", heed_isnan},
               {"isinf", heed_isinf},    {"isfinite", heed_isfinite}, {"logical_not", logical_not_of}},
  whole_unaries[] = {{"clamp", clamped_whole},
                     {"mul_scalar", times_whole},
                     {"rsub_scalar", from_whole},
                     {"to_dtype-f64", to_f64},
                     {"to_dtype-bool", to_bool}};

static const struct {
    const char *op;
    binary *f;
} binaries[] = {{"where", choose},
                {"lerp", between_pairs},
                {"prelu", sloped},
                {"compare-equal", equal},
                {"compare-unequal", unequal},
                {"compare-less", less},
                {"compare-at_most", at_most},
                {"compare-greater", greater},
                {"compare-at_least", at_least},
                {"logical_and", logical_and_of},
                {"logical_or", logical_or_of},
                {"logical_xor", logical_xor_of}};

static bool is_of(const char *name, const char *op)
{
    return strncmp(name, op, strlen(op)) == 0 && strchr("-", name[strlen(op)]);
}

/* -- Rows of tests/ops/elementwise --------------------------------------------------------------------------------- */

/* Returns whether forms.def lists the op and `unaries` does not. */
static bool is_recorded_as_row(const op_entry *op)
{
    static const char *const forms[] = {
#define HEED_ONNX_NODE(op, type) #op,
#define HEED_ONNX_FORM(op, nodes) #op,
#include "forms.def"
    };
    bool has_form = false;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        has_form = has_form || strcmp(forms[i], op->name) == 0;
    for (size_t i = 0; i < sizeof unaries / sizeof unaries[0]; i++)
        if (is_of(unaries[i].op, op->name))
            return false;
    return has_form && op->cases->n_inputs > 0 && strcmp(op->name, "compare") != 0;
}

static void write_row(const op_entry *op, heed_dtype dtype)
{
    const op_case c = {.p = {op->cases->p[0], op->cases->p[1]}};
    const bool one = op->cases->n_inputs == 1, divides = strstr("div floor_divide remainder", op->name) != NULL;
    recording r = begin(op->name, dtype);
    heed_tensor *in[2] = {input(&r, one ? "x" : "a", special(dtype, one ? 0 : 1, false))};
    if (!one) {
        heed_tensor *b = special(dtype, 2, divides);
        in[1] = input(&r, "b", dtype == HEED_I64 && strcmp(op->name, "pow") == 0 ? heed_abs(b) : b);
    }
    end(&r, op->cases->run(in, &c));
}

static void write_rows(const char *only)
{
    int count;
    const op_entry *ops = op_entries(&count);
    for (int i = 0; i < count; i++)
        if (is_recorded_as_row(&ops[i]) && (!only || strcmp(only, ops[i].name) == 0))
            for (int dtype = HEED_F32; dtype <= (ops[i].cases->accepts_i64 ? HEED_I64 : HEED_F64); dtype++)
                write_row(&ops[i], (heed_dtype)dtype);
}

int main(int argc, char **argv)
{
    const char *only = argc == 3 ? argv[2] : NULL;
    if (argc != 2 && argc != 3)
        return 2;
    folder = argv[1];
    heed_set_error_handler(heed_exit_on_error, NULL);
    write_rows(only);
    for (size_t i = 0; i < sizeof unaries / sizeof unaries[0]; i++)
        for (int dtype = HEED_F32; dtype <= HEED_F64; dtype++)
            if (!only || is_of(unaries[i].op, only))
                write_unary(unaries[i].op, unaries[i].f, (heed_dtype)dtype);
    for (size_t i = 0; i < sizeof whole_unaries / sizeof whole_unaries[0]; i++)
        if (!only || is_of(whole_unaries[i].op, only))
            write_unary(whole_unaries[i].op, whole_unaries[i].f, HEED_I64);
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        for (int dtype = HEED_F32; dtype <= HEED_I64; dtype++)
            if (!only || is_of(binaries[i].op, only))
                write_binary(binaries[i].op, binaries[i].f, (heed_dtype)dtype);
    return 0;
}
