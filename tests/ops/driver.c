/* tests/ops/driver.c - runs the cases, values and errors of an op, and checks that no objects are left.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "driver_sample.h"
#include "functions.h"

#include <stdarg.h>
#include <string.h>

#define HEED_OP(name) extern const op_cases heed_cases_##name;
#define HEED_COMPOSITE(name) HEED_OP(name)
#include "ops/ops.def"
#undef HEED_OP

static const op_entry entries[] = {
#define HEED_OP(name) {#name, &heed_cases_##name},
#include "ops/ops.def"
#undef HEED_OP
#undef HEED_COMPOSITE
};

const op_entry *op_entries(int *count)
{
    *count = (int)(sizeof entries / sizeof entries[0]);
    return entries;
}

const op_entry *op_find(const char *name)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

op_case op_case_of(const op_cases *cases, const op_case *c)
{
    op_case result = *c;
    if (!c->run) {
        result.run = cases->run;
        if (c->p[0] == 0 && c->p[1] == 0)
            memcpy(result.p, cases->p, sizeof result.p);
    }
    return result;
}

/* -- Reporting ----------------------------------------------------------------------------------------------------- */

void op_begin_sample(op_run_state *run, const char *where, const char *what)
{
    (void)snprintf(run->sample, sizeof run->sample, "%s %s, %s", run->op->name, where, what);
    run->result->samples++;
    if (run->listener->ran)
        run->listener->ran(run->sample, run->listener->user);
}

void op_fail(op_run_state *run, const char *format, ...)
{
    char text[1024];
    int used = snprintf(text, sizeof text, "%s: ", run->sample);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    run->result->failures++;
    if (run->listener->failed)
        run->listener->failed(text, run->listener->user);
    heed_error_clear();
}

/* The library's lists per thread are not counted: they grow on demand. */
static heed_memory_stats count_objects(void)
{
    heed_thread_cleanup();
    return heed_memory_get_stats();
}

static void check_nothing_left(op_run_state *run, const heed_memory_stats *before)
{
    if (heed_error_code() != HEED_OK)
        op_fail(run, "an error is left pending: %s", heed_error_message());
    heed_memory_stats after = count_objects();
    if (after.live_objects != before->live_objects || after.live_bytes != before->live_bytes)
        op_fail(run, "%lld objects of %lld bytes are left", (long long)(after.live_objects - before->live_objects),
                (long long)(after.live_bytes - before->live_bytes));
}

/* -- Cases --------------------------------------------------------------------------------------------------------- */

static void run_case(op_run_state *run, const op_case *given)
{
    const op_case filled = op_case_of(run->op->cases, given), *c = &filled;
    heed_memory_stats before = count_objects();
    heed_scope *scope = heed_scope_begin();
    heed_tensor *values[OP_MAX_INPUTS];
    (void)snprintf(run->sample, sizeof run->sample, "%s %s", run->op->name, c->name);
    if (scope && op_draw(run->op->name, c, values))
        op_check_case(run, c, values);
    else
        op_fail(run, "drawing the inputs: %s", heed_error_message());
    if (scope)
        (void)heed_scope_end(scope);
    check_nothing_left(run, &before);
}

/* If a minus zero is expected, a plus zero does not match. */
static bool is_expected(double value, double expected, double tolerance)
{
    if (isnan(expected))
        return isnan(value);
    if (expected == 0 && signbit(expected) && tolerance == 0)
        return value == 0 && signbit(value);
    return value == expected || fabs(value - expected) <= tolerance * (1 + fabs(expected));
}

/* Checks that y has this shape and the expected elements. */
static void check_value(op_run_state *run, heed_tensor *y, heed_shape expected_shape, const double *expected,
                        double tolerance)
{
    heed_tensor *values = op_read(y);
    const double *got = values ? heed_data_f64(values) : NULL;
    if (!got) {
        op_fail(run, "%s", heed_error_message());
        return;
    }
    const heed_text shape = heed_shape_text(heed_shape_of(y));
    if (!heed_shape_equal(heed_shape_of(y), expected_shape)) {
        op_fail(run, "the shape is %s", shape.s);
        return;
    }
    for (int64_t i = 0; i < heed_numel(y); i++)
        if (!is_expected(got[i], expected[i], tolerance)) {
            op_fail(run, "element %lld of %s is %.17g, expected %.17g +- %g", (long long)i, shape.s, got[i],
                    expected[i], tolerance);
            return;
        }
}

/* Checks that the call that returned y failed with this status and a message that contains `text`. */
static void check_error(op_run_state *run, const heed_tensor *y, heed_status status, const char *text)
{
    if (y)
        op_fail(run, "no error where %s was expected", heed_status_name(status));
    else if (heed_error_code() != status)
        op_fail(run, "expected %s, got %s: %s", heed_status_name(status), heed_status_name(heed_error_code()),
                heed_error_message());
    else if (!strstr(heed_error_message(), text))
        op_fail(run, "\"%s\" is not in the message \"%s\"", text, heed_error_message());
    heed_error_clear();
}

/* -- Examples of rows ---------------------------------------------------------------------------------------------- */

static heed_tensor *make_input(const op_given *g)
{
    if (g->make)
        return g->make();
    if (g->ones)
        return heed_ones(g->dtype, g->shape);
    if (g->counting)
        return counting(g->dtype, g->shape);
    return g->numbers ? heed_from_values(g->dtype, g->shape, g->numbers, heed_shape_numel(g->shape)) : NULL;
}

/* Returns the gradient of the sum of function(in, c) by x. */
static heed_tensor *slope_of(op_function *function, heed_tensor *const *in, const op_case *c, heed_tensor *x)
{
    heed_tensor *dx = NULL;
    (void)heed_set_requires_grad(x, true);
    heed_tensor *y = heed_sum(function(in, c));
    return y && heed_grad(&y, 1, &x, 1, &dx, NULL) == HEED_OK ? dx : NULL;
}

/* `shared` is the list of the example; NULL: the row's own. */
static void check_example(op_run_state *run, const op_example *e, const op_shared *shared)
{
    op_function *function = e->run ? e->run : shared && shared->run ? shared->run : run->op->cases->run;
    heed_tensor *const in[] = {make_input(&e->in[0]), make_input(&e->in[1]), make_input(&e->in[2])};
    const op_case c = {.n_inputs = in[2] ? 3 : 2,
                       .i = {e->i[0], e->i[1], e->i[2], e->i[3]},
                       .p = {e->p[0], e->p[1]},
                       .shape = e->axes};
    heed_tensor *y = e->slope ? slope_of(function, in, &c, in[e->slope - 1]) : function(in, &c);
    if (e->text) {
        const char *name = e->text[0] != ':' ? "" : shared && shared->name ? shared->name : run->op->name;
        char text[256];
        (void)snprintf(text, sizeof text, "%s%s", name, e->text);
        check_error(run, y, e->status, text);
    } else {
        check_value(run, y, e->shape, e->expected, e->tolerance);
    }
}

/* -- Rows of elementwise ops --------------------------------------------------------------------------------------- */

enum { MOST_POINTS = 64, WHOLE_1 = 5, WHOLE_2 = 8 };

static heed_tensor *run_row(const op_cases *row, op_function *function, heed_tensor *const *in)
{
    const op_case c = {.p = {row->p[0], row->p[1]}};
    return (function ? function : row->run)(in, &c);
}

static void check_points(op_run_state *run, const op_points *points)
{
    const op_cases *row = run->op->cases;
    double columns[3][MOST_POINTS];
    heed_tensor *in[2] = {NULL, NULL};
    const int n = points->count, width = row->n_inputs + 1;
    for (int i = 0; i < n * width; i++)
        columns[i % width][i / width] = points->numbers[i];
    for (int i = 0; i < row->n_inputs; i++)
        in[i] = heed_from_values(HEED_F64, HEED_SHAPE(n), columns[i], n);
    check_value(run, run_row(row, points->run, in), HEED_SHAPE(n), columns[row->n_inputs], points->tolerance);
}

static void check_whole(op_run_state *run)
{
    static const int64_t x[WHOLE_1] = {INT64_MIN, INT64_MAX, 5, 0, -3};
    static const int64_t a[WHOLE_2] = {INT64_MAX, INT64_MIN, 7, -7, 7, -7, 6, 0};
    static const int64_t b[WHOLE_2] = {1, -1, 2, 2, -2, -2, 3, 5};
    const op_cases *row = run->op->cases;
    const int64_t n = row->n_inputs == 1 ? WHOLE_1 : WHOLE_2;
    heed_tensor *const in[] = {heed_from_array(HEED_I64, HEED_SHAPE(n), n == WHOLE_1 ? x : a, n),
                               heed_from_array(HEED_I64, HEED_SHAPE(n), n == WHOLE_1 ? x : b, n)};
    check_value(run, run_row(row, NULL, in), HEED_SHAPE(n), row->whole, 0);
}

typedef enum bad_input { I64, NO_INPUT, BOOL, NO_FIRST, NO_SECOND, MIXED, APART } bad_input;

/* A bad input of ops with this number of inputs, and its error. `text` is in the message; NULL: the op's name. */
typedef struct row_error {
    int n_inputs;
    const char *name;
    bad_input bad;
    heed_status status;
    const char *text;
} row_error;

static const row_error row_errors[] = {
    {1, "i64", I64, HEED_ERR_DTYPE, "i64"},
    {1, "NULL", NO_INPUT, HEED_ERR_ARGUMENT, NULL},
    {1, "bool", BOOL, HEED_ERR_DTYPE, "bool"},
    {1, "its name", BOOL, HEED_ERR_DTYPE, NULL},
    {2, "first NULL", NO_FIRST, HEED_ERR_ARGUMENT, NULL},
    {2, "second NULL", NO_SECOND, HEED_ERR_ARGUMENT, NULL},
    {2, "f64 and f32", MIXED, HEED_ERR_DTYPE, NULL},
    {2, "names f64", MIXED, HEED_ERR_DTYPE, "f64"},
    {2, "names f32", MIXED, HEED_ERR_DTYPE, "f32"},
    {2, "(2, 3) and (4)", APART, HEED_ERR_SHAPE, NULL},
    {2, "names (2, 3)", APART, HEED_ERR_SHAPE, "(2, 3)"},
    {2, "names (4)", APART, HEED_ERR_SHAPE, "(4)"},
};

static void check_row_error(op_run_state *run, const row_error *e)
{
    char name[64];
    heed_tensor *one = heed_ones(HEED_F64, HEED_SCALAR);
    heed_tensor *const inputs[][2] = {
        [I64] = {heed_zeros(HEED_I64, HEED_SHAPE(2))},
        [NO_INPUT] = {NULL},
        [BOOL] = {heed_zeros(HEED_BOOL, HEED_SHAPE(2))},
        [NO_FIRST] = {NULL, one},
        [NO_SECOND] = {one, NULL},
        [MIXED] = {one, heed_ones(HEED_F32, HEED_SCALAR)},
        [APART] = {heed_ones(HEED_F64, HEED_SHAPE(2, 3)), heed_ones(HEED_F64, HEED_SHAPE(4))},
    };
    (void)snprintf(name, sizeof name, "%s:", run->op->name);
    check_error(run, run_row(run->op->cases, NULL, inputs[e->bad]), e->status, e->text ? e->text : name);
}

/* -- Values, points and errors ------------------------------------------------------------------------------------- */

/* One of them: the others are NULL. With all of them NULL, the results of whole numbers. */
typedef struct op_check {
    const op_value *value;
    const op_points *points;
    const op_error *error;
    const row_error *row_error;
    const op_example *example;
    const op_shared *shared; /* of the example */
} op_check;

static void run_check(op_run_state *run, const char *kind, const char *name, const op_check *check)
{
    heed_memory_stats before = count_objects();
    heed_scope *scope = heed_scope_begin();
    op_begin_sample(run, kind, name);
    if (check->value)
        check_value(run, check->value->run(), check->value->shape, check->value->expected, check->value->tolerance);
    else if (check->points)
        check_points(run, check->points);
    else if (check->error)
        check_error(run, check->error->run(), check->error->status, check->error->text);
    else if (check->row_error)
        check_row_error(run, check->row_error);
    else if (check->example)
        check_example(run, check->example, check->shared);
    else
        check_whole(run);
    (void)heed_scope_end(scope);
    check_nothing_left(run, &before);
}

static void run_row_checks(op_run_state *run)
{
    const op_cases *row = run->op->cases;
    for (const op_points *points = row->points; points && points->name; points++)
        run_check(run, "value", points->name, &(op_check){.points = points});
    if (row->whole)
        run_check(run, "value", "i64", &(op_check){.value = NULL});
    for (size_t i = 0; i < sizeof row_errors / sizeof *row_errors; i++)
        if (row_errors[i].n_inputs == row->n_inputs && !(row_errors[i].bad == I64 && row->accepts_i64))
            run_check(run, "error", row_errors[i].name, &(op_check){.row_error = &row_errors[i]});
}

static void run_examples(op_run_state *run, const op_example *examples, const op_shared *shared)
{
    for (const op_example *e = examples; e && e->name; e++)
        run_check(run, e->text ? "error" : "value", e->name, &(op_check){.example = e, .shared = shared});
}

bool op_run(const op_entry *op, int order, const op_listener *listener, op_result *result)
{
    op_run_state run = {.op = op, .order = order, .listener = listener, .result = result};
    *result = (op_result){.worst = {-1, -1}};
    for (const op_case *c = op->cases->cases; c && c->name; c++)
        run_case(&run, c);
    for (const op_value *v = op->cases->values; v && v->name; v++)
        run_check(&run, "value", v->name, &(op_check){.value = v});
    for (const op_error *e = op->cases->errors; e && e->name; e++)
        run_check(&run, "error", e->name, &(op_check){.error = e});
    run_examples(&run, op->cases->examples, NULL);
    for (size_t i = 0; i < sizeof op->cases->shared / sizeof *op->cases->shared; i++)
        run_examples(&run, op->cases->shared[i].examples, &op->cases->shared[i]);
    if (op->cases->n_inputs > 0)
        run_row_checks(&run);
    return result->failures == 0;
}
