/* tests/ops/driver_checks.c - the checks of one case.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "driver_sample.h"
#include "from.h"

/* Two computations of the same f64 numbers may differ only by rounding. */
#define SAME 1e-12
#define SHORT 128 /* elements: the rounding errors of longer sums, in a different order, grow in proportion */

static bool is_float(const op_case *c, int i)
{
    return c->in[i].kind == OP_FLOAT && c->max_order >= 0;
}

static int count_floats(const op_case *c)
{
    int n = 0;
    for (int i = 0; i < c->n_inputs; i++)
        n += is_float(c, i);
    return n;
}

static void expect_equal(op_run_state *run, heed_tensor *a, heed_tensor *b, double tolerance, const char *what)
{
    double mismatch = op_mismatch(a, b);
    if (mismatch < 0)
        op_fail(run, "%s: %s", what, heed_error_message());
    else if (!(mismatch <= tolerance))
        op_fail(run, "%s differ by %.2e (1 + |value|), more than %.0e", what, mismatch, tolerance);
}

/* -- Gradients of a sample ----------------------------------------------------------------------------------------- */

typedef struct gradients {
    heed_tensor *of[OP_MAX_INPUTS]; /* NULL for an input without a gradient */
} gradients;

/* Computes the gradients by the composed rule or by the fused one. Returns false after heed_fail. */
static bool differentiate(const op_sample *s, heed_tensor *y, heed_tensor *g, bool composed, gradients *out)
{
    heed_tensor *leaves[OP_MAX_INPUTS], *found[OP_MAX_INPUTS];
    int n = 0;
    *out = (gradients){{NULL}};
    for (int i = 0; i < s->c->n_inputs; i++)
        if (heed_requires_grad(s->leaves[i]))
            leaves[n++] = s->leaves[i];
    heed_grad_options options = {.grad_outputs = &g, .retain_graph = true, .create_graph = composed};
    if (!y || !g || heed_grad(&y, 1, leaves, n, found, &options) != HEED_OK)
        return false;
    for (int i = s->c->n_inputs - 1; i >= 0; i--)
        if (heed_requires_grad(s->leaves[i]))
            out->of[i] = found[--n];
    return true;
}

/* Compares the gradients that both have. */
static void expect_equal_gradients(op_run_state *run, const gradients *a, const gradients *b, double tolerance,
                                   const char *what)
{
    for (int i = 0; i < OP_MAX_INPUTS; i++)
        if (a->of[i] && b->of[i])
            expect_equal(run, a->of[i], b->of[i], tolerance, what);
}

/* The output's gradient: random, 1/2 .. 1. */
static heed_tensor *draw_output_gradient(heed_tensor *y)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_generator *g = heed_generator_new(1);
    heed_tensor *u = scope && g && y ? FROM(g, heed_rand(HEED_F64, heed_shape_of(y))) : NULL;
    heed_tensor *gradient = u ? heed_to_dtype(heed_add_scalar(heed_mul_scalar(u, 0.5), 0.5), heed_dtype_of(y)) : NULL;
    heed_generator_free(g);
    return scope ? heed_scope_return(scope, gradient) : NULL;
}

/* -- One variation ------------------------------------------------------------------------------------------------- */

/* The op on views returns the same values as on copies of them. */
static void check_values(op_run_state *run, op_sample *s)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *inputs[OP_MAX_INPUTS], *copies[OP_MAX_INPUTS];
    bool ok = scope && op_inputs(s, s->leaves, inputs);
    for (int i = 0; ok && i < s->c->n_inputs; i++)
        ok = (copies[i] = heed_clone(inputs[i])) != NULL;
    if (!ok)
        op_fail(run, "laying out the inputs: %s", heed_error_message());
    else
        expect_equal(run, s->c->run(inputs, s->c), s->c->run(copies, s->c), SAME, "values from views and from copies");
    if (scope)
        (void)heed_scope_end(scope);
}

typedef heed_status check_fn(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                             const heed_gradcheck_options *options, heed_gradcheck_result *result);

static void check_derivatives(op_run_state *run, op_sample *s, int order, const heed_gradcheck_options *options)
{
    heed_gradcheck_result r;
    check_fn *check = order == 1 ? heed_gradcheck : heed_gradgradcheck;
    heed_status status = check(op_call, s, s->leaves, s->c->n_inputs, options, &r);
    run->result->compared += r.compared;
    double *worst = &run->result->worst[order - 1];
    if (r.compared > 0 && !(r.max_error <= *worst) && !isnan(*worst))
        *worst = r.max_error;
    if (status != HEED_OK)
        op_fail(run, "%s", r.report);
}

static void check_rules(op_run_state *run, op_sample *s)
{
    gradients fused, composed;
    heed_tensor *y = op_call(s->leaves, s), *g = draw_output_gradient(y);
    int64_t elements = heed_shape_numel(s->c->in[0].shape);
    double tolerance = elements > SHORT ? SAME * (double)elements / SHORT : SAME;
    if (differentiate(s, y, g, false, &fused) && differentiate(s, y, g, true, &composed))
        expect_equal_gradients(run, &fused, &composed, tolerance, "fused and composed gradients");
    else
        op_fail(run, "%s", heed_error_message());
}

/* Sanitizers look for errors in the use of memory. One projection of the second derivatives finds them as well as the
 * full Jacobian, in a fraction of the time. */
#ifdef HEED_SANITIZED
#define ALWAYS_PROJECT_SECOND true
#else
#define ALWAYS_PROJECT_SECOND false
#endif

/* The checks of a variation. STRIDED_TOO: full Jacobians, with contiguous and with strided leaves. FULL: only with
 * contiguous leaves. PROJECT_SECOND: as FULL, but with one projection of the second derivatives. */
typedef enum effort { STRIDED_TOO, FULL, PROJECT_SECOND } effort;

static void check_variation(op_run_state *run, op_sample *s, const char *what, effort much)
{
    heed_scope *scope = heed_scope_begin();
    op_begin_sample(run, s->c->name, what);
    heed_gradcheck_options options = {.contiguous_only = much != STRIDED_TOO};
    check_values(run, s);
    if (count_floats(s->c) > 0 && run->order != 2) {
        check_derivatives(run, s, 1, &options);
        check_rules(run, s);
    }
    options.random_projection = ALWAYS_PROJECT_SECOND || much == PROJECT_SECOND;
    if (count_floats(s->c) > 0 && run->order != 1 && s->c->max_order == 0)
        check_derivatives(run, s, 2, &options);
    (void)heed_scope_end(scope);
}

static bool set_leaves(op_run_state *run, op_sample *s, heed_tensor *const *values)
{
    for (int i = 0; i < s->c->n_inputs; i++)
        if (!op_set_leaf(s, i, values[i], OP_PLAIN, is_float(s->c, i))) {
            op_fail(run, "making the leaves: %s", heed_error_message());
            return false;
        }
    return true;
}

/* -- Views --------------------------------------------------------------------------------------------------------- */

/* Lays out input `only`, or every input for -1. */
static void check_layout(op_run_state *run, const op_case *c, heed_tensor *const *values, op_layout layout, int only)
{
    op_sample s = {.c = c};
    char what[64];
    bool applies = false;
    heed_scope *scope = heed_scope_begin();
    bool ok = scope && set_leaves(run, &s, values);
    for (int i = 0; ok && i < c->n_inputs; i++)
        if ((only < 0 || only == i) && op_layout_applies(layout, &c->in[i].shape)) {
            ok = op_set_leaf(&s, i, values[i], layout, is_float(c, i));
            applies = true;
        }
    (void)snprintf(what, sizeof what, only < 0 ? "%s" : "%s input %d", op_layout_name(layout), only);
    if (!ok)
        op_fail(run, "%s: %s", what, heed_error_message());
    else if (applies)
        check_variation(run, &s, what, only < 0 ? FULL : PROJECT_SECOND);
    if (scope)
        (void)heed_scope_end(scope);
}

static void check_layouts(op_run_state *run, const op_case *c, heed_tensor *const *values)
{
    for (op_layout layout = OP_TRANSPOSED; layout <= OP_EXPANDED; layout++)
        for (int only = c->n_inputs > 1 ? c->n_inputs - 1 : -1; only >= -1; only--)
            check_layout(run, c, values, layout, only);
}

/* Finds two inputs of the same shape and range. */
static bool find_twins(const op_case *c, int *first, int *second)
{
    for (int i = 0; i < c->n_inputs; i++)
        for (int j = i + 1; j < c->n_inputs; j++) {
            const op_input *a = &c->in[i], *b = &c->in[j];
            if (is_float(c, i) && is_float(c, j) && heed_shape_equal(a->shape, b->shape) && a->low == b->low &&
                a->high == b->high && a->gap == b->gap && !a->values && !b->values) {
                *first = i;
                *second = j;
                return true;
            }
        }
    return false;
}

static void check_twins(op_run_state *run, const op_case *c, heed_tensor *const *values, op_layout layout)
{
    op_sample s = {.c = c};
    int first, second;
    heed_scope *scope = heed_scope_begin();
    if (scope && find_twins(c, &first, &second) && set_leaves(run, &s, values)) {
        s.leaves[second] = s.leaves[first];
        s.layouts[second] = layout;
        check_variation(run, &s, layout == OP_PLAIN ? "the same tensor twice" : "a tensor and its view", FULL);
    }
    if (scope)
        (void)heed_scope_end(scope);
}

/* -- Gradients of the output --------------------------------------------------------------------------------------- */

static void check_output_layout(op_run_state *run, op_sample *s, heed_tensor *y, op_layout layout)
{
    char what[64];
    gradients expected, fused, composed;
    (void)snprintf(what, sizeof what, "output gradient %s", op_layout_name(layout));
    op_begin_sample(run, s->c->name, what);
    heed_tensor *g = op_lay_out(draw_output_gradient(y), layout);
    heed_tensor *copy = heed_clone(g);
    if (!differentiate(s, y, copy, false, &expected) || !differentiate(s, y, g, false, &fused) ||
        !differentiate(s, y, g, true, &composed)) {
        op_fail(run, "%s", heed_error_message());
        return;
    }
    expect_equal_gradients(run, &fused, &expected, SAME, "fused gradients of a view and of its copy");
    expect_equal_gradients(run, &composed, &expected, SAME, "composed gradients of a view and fused of its copy");
}

static void check_zero_gradient(op_run_state *run, op_sample *s, heed_tensor *y, bool composed)
{
    gradients got;
    op_begin_sample(run, s->c->name, composed ? "output gradient zero, composed" : "output gradient zero");
    if (!differentiate(s, y, heed_zeros(heed_dtype_of(y), heed_shape_of(y)), composed, &got)) {
        op_fail(run, "%s", heed_error_message());
        return;
    }
    for (int i = 0; i < s->c->n_inputs; i++)
        if (got.of[i])
            expect_equal(run, got.of[i], heed_zeros(HEED_F64, heed_shape_of(got.of[i])), 0, "the gradient and 0");
}

static void check_output_gradients(op_run_state *run, const op_case *c, heed_tensor *const *values)
{
    op_sample s = {.c = c};
    heed_scope *scope = heed_scope_begin();
    heed_tensor *y = scope && set_leaves(run, &s, values) ? op_call(s.leaves, &s) : NULL;
    if (!y) {
        op_fail(run, "%s", heed_error_message());
    } else if (!heed_requires_grad(y)) {
        op_fail(run, "the result requires no gradient");
    } else {
        heed_shape shape = heed_shape_of(y);
        for (op_layout layout = OP_TRANSPOSED; layout <= OP_EXPANDED; layout++)
            if (op_layout_applies(layout, &shape))
                check_output_layout(run, &s, y, layout);
        check_zero_gradient(run, &s, y, false);
        check_zero_gradient(run, &s, y, true);
    }
    if (scope)
        (void)heed_scope_end(scope);
}

/* -- Subsets of the inputs ----------------------------------------------------------------------------------------- */

static void check_without(op_run_state *run, const op_case *c, heed_tensor *const *values, int without)
{
    op_sample all = {.c = c}, some = {.c = c};
    gradients expected, fused, composed;
    char what[64];
    (void)snprintf(what, sizeof what, "input %d without gradient", without);
    op_begin_sample(run, c->name, what);
    heed_scope *scope = heed_scope_begin();
    bool ok = scope && set_leaves(run, &all, values) && set_leaves(run, &some, values) &&
              op_set_leaf(&some, without, values[without], OP_PLAIN, false);
    heed_tensor *y_all = ok ? op_call(all.leaves, &all) : NULL, *y = ok ? op_call(some.leaves, &some) : NULL;
    heed_tensor *g = draw_output_gradient(y);
    if (differentiate(&all, y_all, g, false, &expected) && differentiate(&some, y, g, false, &fused) &&
        differentiate(&some, y, g, true, &composed)) {
        expect_equal_gradients(run, &fused, &expected, SAME, "the others' fused gradients");
        expect_equal_gradients(run, &composed, &expected, SAME, "the others' composed gradients");
    } else {
        op_fail(run, "%s", heed_error_message());
    }
    if (scope)
        (void)heed_scope_end(scope);
}

/* -- Computed inputs ----------------------------------------------------------------------------------------------- */

static heed_tensor *itself(void *t)
{
    return t;
}

/* Runs the op on computed tensors whose values are the leaves. Their own elements are NaN. */
static heed_tensor *call_computed(const op_sample *s)
{
    heed_tensor *inputs[OP_MAX_INPUTS] = {NULL};
    for (int i = 0; i < s->c->n_inputs; i++) {
        heed_tensor *leaf = s->leaves[i];
        inputs[i] = leaf;
        if (!heed_dtype_is_float(heed_dtype_of(leaf)))
            continue;
        inputs[i] = heed_full(heed_dtype_of(leaf), heed_shape_of(leaf), (double)NAN);
        if (heed_set_compute(inputs[i], itself, leaf) != HEED_OK)
            return NULL;
    }
    return heed_clone(s->c->run(inputs, s->c));
}

/* Computed inputs (heed_set_compute) give the same numbers, and the gradients reach the leaves. */
static void check_computed(op_run_state *run, const op_case *c, heed_tensor *const *values)
{
    op_sample s = {.c = c};
    op_begin_sample(run, c->name, "computed inputs");
    heed_scope *scope = heed_scope_begin();
    heed_tensor *y = scope && set_leaves(run, &s, values) ? op_call(s.leaves, &s) : NULL;
    heed_tensor *of_computed = y ? call_computed(&s) : NULL, *g = draw_output_gradient(y);
    gradients expected, got;
    expect_equal(run, of_computed, y, 0, "values of computed inputs");
    if (of_computed && count_floats(c) > 0) {
        if (differentiate(&s, y, g, false, &expected) && differentiate(&s, of_computed, g, false, &got))
            expect_equal_gradients(run, &got, &expected, 0, "gradients of computed inputs");
        else
            op_fail(run, "%s", heed_error_message());
    }
    if (scope)
        (void)heed_scope_end(scope);
}

/* -- f32 ----------------------------------------------------------------------------------------------------------- */

/* Sets the leaves to `values` rounded to f32, so that a sample of either dtype has the same numbers. */
static bool set_leaves_of(op_sample *s, heed_tensor *const *values, heed_dtype dtype)
{
    for (int i = 0; i < s->c->n_inputs; i++) {
        heed_tensor *x = values[i];
        if (heed_dtype_of(x) == HEED_F64)
            x = heed_to_dtype(heed_to_dtype(x, HEED_F32), dtype);
        if (!x || !op_set_leaf(s, i, x, OP_PLAIN, is_float(s->c, i)))
            return false;
    }
    return true;
}

static void compare_f32(op_run_state *run, op_sample *narrow, op_sample *wide, double tolerance)
{
    heed_tensor *y32 = op_call(narrow->leaves, narrow), *y64 = op_call(wide->leaves, wide);
    expect_equal(run, y32, y64, tolerance, "f32 and f64 values");
    if (!y32 || !y64 || count_floats(narrow->c) == 0)
        return;
    heed_tensor *g32 = heed_to_dtype(draw_output_gradient(y32), HEED_F32),
                *g64 = heed_to_dtype(g32, heed_dtype_of(y64));
    for (int composed = 0; composed < 2; composed++) {
        gradients got, expected;
        if (differentiate(narrow, y32, heed_to_dtype(g32, heed_dtype_of(y32)), composed, &got) &&
            differentiate(wide, y64, g64, composed, &expected))
            expect_equal_gradients(run, &got, &expected, tolerance, "f32 and f64 gradients");
        else
            op_fail(run, "%s", heed_error_message());
        for (int i = 0; i < narrow->c->n_inputs; i++)
            if (got.of[i] && heed_dtype_of(got.of[i]) != HEED_F32)
                op_fail(run, "the gradient of input %d is %s", i, heed_dtype_name(heed_dtype_of(got.of[i])));
    }
}

static void check_f32(op_run_state *run, const op_case *c, heed_tensor *const *values)
{
    op_sample narrow = {.c = c}, wide = {.c = c};
    double tolerance = c->f32_tolerance == 0 ? 1e-5 : c->f32_tolerance;
    if (tolerance < 0)
        return;
    op_begin_sample(run, c->name, "f32 against f64");
    heed_scope *scope = heed_scope_begin();
    if (scope && set_leaves_of(&narrow, values, HEED_F32) && set_leaves_of(&wide, values, HEED_F64))
        compare_f32(run, &narrow, &wide, tolerance);
    else
        op_fail(run, "%s", heed_error_message());
    if (scope)
        (void)heed_scope_end(scope);
}

/* -- Everything ---------------------------------------------------------------------------------------------------- */

static void check_plain(op_run_state *run, const op_case *c, heed_tensor *const *values)
{
    op_sample s = {.c = c};
    heed_scope *scope = heed_scope_begin();
    if (scope && set_leaves(run, &s, values))
        check_variation(run, &s, "contiguous", STRIDED_TOO);
    if (scope)
        (void)heed_scope_end(scope);
}

void op_check_case(op_run_state *run, const op_case *c, heed_tensor *const *values)
{
    check_plain(run, c, values);
    check_layouts(run, c, values);
    check_twins(run, c, values, OP_PLAIN);
    check_twins(run, c, values, OP_ALIAS);
    if (run->order == 2)
        return;
    if (count_floats(c) > 0)
        check_output_gradients(run, c, values);
    for (int i = 0; count_floats(c) > 1 && i < c->n_inputs; i++)
        if (is_float(c, i))
            check_without(run, c, values, i);
    check_computed(run, c, values);
    check_f32(run, c, values);
}
