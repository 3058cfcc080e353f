/* check/gradcheck.c - heed_gradcheck and heed_gradgradcheck: comparisons and their report, rounds, arguments.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check/gradcheck.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/memory.h>

/* -- Comparisons and the report ------------------------------------------------------------------------------------ */

static double tolerance(const heed__gradcheck *c, double numeric)
{
    return c->options.atol + c->options.rtol * fabs(numeric);
}

void heed__gradcheck_compare(heed__gradcheck *c, int64_t row, int point, int64_t index, const double analytic[RULES],
                             double numeric)
{
    double differences[RULES], allowed = tolerance(c, numeric);
    bool wrong_by[RULES];
    for (int rule = 0; rule < RULES; rule++) {
        differences[rule] = fabs(analytic[rule] - numeric);
        wrong_by[rule] = !(isfinite(differences[rule]) && differences[rule] <= allowed);
    }
    heed__gradcheck_rule worse =
        differences[COMPOSED] <= differences[FUSED] || isnan(differences[FUSED]) ? FUSED : COMPOSED;
    double error = differences[worse] / (1 + fabs(numeric));
    bool all_right = !wrong_by[FUSED] && !wrong_by[COMPOSED];
    bool first = all_right ? c->result.compared == 0 : c->wrong == 0;
    bool larger = !(error <= c->result.max_error) && !isnan(c->result.max_error) && (!all_right || c->wrong == 0);
    c->result.compared++;
    if (!all_right)
        c->wrong++;
    if (first || larger) {
        c->result.max_error = error;
        c->result.input = c->entries[point].input;
        c->result.input_index = index;
        c->result.output_index = row;
        c->result.analytic = analytic[worse];
        c->result.numeric = numeric;
        memcpy(c->wrong_by, wrong_by, sizeof wrong_by);
    }
}

heed_shape heed__gradcheck_index(heed_shape shape, int64_t i)
{
    for (int axis = shape.rank - 1; axis >= 0; axis--) {
        int64_t size = shape.dims[axis];
        shape.dims[axis] = i % size;
        i /= size;
    }
    return shape;
}

typedef struct index_text {
    char s[72];
} index_text;

/* Formats the index of an element, such as "[1, 2]"; "" for a scalar. `index` is the element's number in row-major
 * order. */
static index_text index_format(const heed_shape *shape, int64_t index)
{
    const heed_shape at = heed__gradcheck_index(*shape, index);
    index_text text = {""};
    size_t used = 0;
    for (int axis = 0; axis < shape->rank && used < sizeof text.s; axis++)
        used += (size_t)snprintf(text.s + used, sizeof text.s - used, "%s%" PRId64 "%s", axis == 0 ? "[" : ", ",
                                 at.dims[axis], axis + 1 == shape->rank ? "]" : "");
    return text;
}

typedef struct name_text {
    char s[104];
} name_text;

/* Returns a name such as "output[1, 2]" or "gradient of input 0[1, 2]" for a row. */
static name_text output_name(const heed__gradcheck *c, int64_t row)
{
    name_text text;
    int k = 0;
    while (k + 1 < c->n_outputs && row >= heed_shape_numel(c->entries[k].shape))
        row -= heed_shape_numel(c->entries[k++].shape);
    index_text index = index_format(&c->entries[k].shape, row);
    if (c->order == 1)
        (void)snprintf(text.s, sizeof text.s, "output%s", index.s);
    else
        (void)snprintf(text.s, sizeof text.s, "gradient of input %d%s", c->entries[k].input, index.s);
    return text;
}

/* Returns a name such as "input 0[1, 2]" or "output gradient[1, 2]"; without the index for a projection. */
static name_text input_name(const heed__gradcheck *c)
{
    name_text text;
    index_text index = {""};
    bool is_g = c->result.input == c->n_inputs;
    heed_shape shape = heed_shape_of(is_g ? c->points[c->n_points - 1] : c->inputs[c->result.input]);
    if (!c->options.random_projection)
        index = index_format(&shape, c->result.input_index);
    if (is_g)
        (void)snprintf(text.s, sizeof text.s, "output gradient%s", index.s);
    else
        (void)snprintf(text.s, sizeof text.s, "input %d%s", c->result.input, index.s);
    return text;
}

/* Writes the derivative's name, such as "d output[1] / d input 0[1]". */
static void name_derivative(const heed__gradcheck *c, char *text, size_t size)
{
    name_text input = input_name(c);
    if (c->options.random_projection)
        (void)snprintf(text, size, "a random projection of the derivatives by %s", input.s);
    else
        (void)snprintf(text, size, "d %s / d %s", output_name(c, c->result.output_index).s, input.s);
}

/* Names of the wrong rule and, if only one rule is wrong, a remark that the other rule is right. */
typedef struct rule_text {
    const char *wrong, *remark;
} rule_text;

static rule_text find_wrong_rule(const heed__gradcheck *c)
{
    if (c->wrong_by[FUSED] == c->wrong_by[COMPOSED])
        return (rule_text){"backward", ""};
    if (c->wrong_by[FUSED])
        return (rule_text){"backward_fused", " (backward with create_graph is right)"};
    return (rule_text){"backward with create_graph", " (backward_fused is right)"};
}

/* Writes the report after all comparisons. Returns false after heed_fail if a derivative differs. */
static bool conclude_check(heed__gradcheck *c)
{
    heed_gradcheck_result *r = &c->result;
    char derivative[224] = "";
    rule_text rule = find_wrong_rule(c);
    if (r->compared > 0)
        name_derivative(c, derivative, sizeof derivative);
    r->passed = c->wrong == 0;
    if (r->passed && r->compared == 0) {
        (void)snprintf(r->report, sizeof r->report, "%s: passed, no elements to compare", c->name);
    } else if (r->passed) {
        (void)snprintf(r->report, sizeof r->report,
                       "%s: passed, %" PRId64 " derivatives compared, largest error %.1e (%s)", c->name, r->compared,
                       r->max_error, derivative);
    } else {
        char text[HEED_GRADCHECK_REPORT_MAX - 16];
        (void)snprintf(text, sizeof text,
                       "%s is %.10g by %s but %.10g by differences%s, error %.2e above atol %.1e + rtol %.1e |numeric|"
                       "%s; %" PRId64 " of %" PRId64 " wrong",
                       derivative, r->analytic, rule.wrong, r->numeric, rule.remark, fabs(r->analytic - r->numeric),
                       c->options.atol, c->options.rtol, c->strided ? ", for strided views" : "", c->wrong,
                       r->compared);
        (void)heed_fail(HEED_ERR_STATE, c->name, "%s", text);
        (void)snprintf(r->report, sizeof r->report, "%s: %s", c->name, text);
    }
    return r->passed;
}

bool heed__gradcheck_compare_recorded(heed__gradcheck *c, const double *recorded, const double *values)
{
    int64_t row = 0;
    while (row < c->rows && (recorded[row] == values[row] || isnan(values[row]) ||
                             fabs(recorded[row] - values[row]) <= tolerance(c, values[row])))
        row++;
    if (row == c->rows)
        return true;
    c->result.output_index = row;
    return heed_fail_false(HEED_ERR_STATE, c->name, "%s is %.10g %s but %.10g %s%s", output_name(c, row).s,
                           recorded[row], c->order == 1 ? "while recording is on" : "by backward with create_graph",
                           values[row], c->order == 1 ? "while it is off" : "by backward_fused",
                           c->strided ? ", for strided views" : "");
}

/* -- Rounds -------------------------------------------------------------------------------------------------------- */

static bool run_round(heed__gradcheck *c, bool strided)
{
    c->strided = strided;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    (void)heed_set_grad_enabled(true);
    bool ok = heed__gradcheck_prepare(c) &&
              (c->options.random_projection ? heed__gradcheck_projection(c) : heed__gradcheck_jacobian(c)) &&
              conclude_check(c);
    (void)heed_scope_end(scope);
    return ok;
}

/* Allocates the tables of a check and runs its rounds. If an allocation fails, frees the others; heed_free ignores
 * NULL. */
static bool run_rounds(heed__gradcheck *c)
{
    size_t n = (size_t)c->n_inputs + 1; /* one more for g */
    size_t pointers = 4 * n * sizeof(heed_tensor *);
    heed_tensor **table = heed_calloc(4 * n, sizeof *table);
    c->entries = heed_calloc(n, sizeof *c->entries);
    c->random = heed_generator_new(c->options.seed);
    bool ok = table && c->entries && c->random;
    if (ok) {
        c->arguments = table;
        c->points = table + n;
        c->outputs = table + 2 * n;
        c->gradients = table + 3 * n;
        ok = run_round(c, false) && (c->options.contiguous_only || run_round(c, true));
    }
    heed_generator_free(c->random);
    heed_free(c->entries, n * sizeof *c->entries);
    heed_free(table, pointers);
    return ok;
}

/* -- Arguments ----------------------------------------------------------------------------------------------------- */

/* Replaces a value of 0 by its default. Returns false after heed_fail if the value is negative, infinite or NaN. */
static bool check_option(const char *where, const char *option, double *value, double default_value)
{
    if (!(*value >= 0) || isinf(*value))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g: must be finite and at least 0", option, *value);
    if (*value == 0)
        *value = default_value;
    return true;
}

static bool check_differentiable(heed__gradcheck *c)
{
    if (!c->fn || !c->inputs)
        return heed_fail_false(HEED_ERR_ARGUMENT, c->name, "%s is NULL", c->fn ? "inputs" : "fn");
    if (c->n_inputs < 1)
        return heed_fail_false(HEED_ERR_ARGUMENT, c->name, "n_inputs is %d: must be at least 1", c->n_inputs);
    bool any_requires_grad = false;
    for (int i = 0; i < c->n_inputs; i++) {
        const heed_tensor *x = c->inputs[i];
        if (!x)
            return heed_fail_false(HEED_ERR_ARGUMENT, c->name, "input %d is NULL", i);
        if (heed_requires_grad(x) && heed_dtype_of(x) != HEED_F64) {
            c->result.input = i;
            return heed_fail_false(HEED_ERR_DTYPE, c->name, "input %d is %s: must be f64", i,
                                   heed_dtype_name(heed_dtype_of(x)));
        }
        any_requires_grad = any_requires_grad || heed_requires_grad(x);
    }
    if (!any_requires_grad)
        (void)heed_fail(HEED_ERR_ARGUMENT, c->name, "no input requires a gradient");
    return any_requires_grad;
}

static heed_status run_check(heed__gradcheck *c, const heed_gradcheck_options *options, heed_gradcheck_result *result)
{
    if (options)
        c->options = *options;
    c->result = (heed_gradcheck_result){.order = c->order, .input = -1, .input_index = -1, .output_index = -1};
    bool ok = check_option(c->name, "eps", &c->options.eps, 1e-3) &&
              check_option(c->name, "atol", &c->options.atol, c->order == 1 ? 1e-8 : 1e-6) &&
              check_option(c->name, "rtol", &c->options.rtol, c->options.atol) && check_differentiable(c) &&
              run_rounds(c);
    if (!ok && c->wrong == 0)
        (void)snprintf(c->result.report, sizeof c->result.report, "%s", heed_error_message());
    c->result.passed = ok;
    if (result)
        *result = c->result;
    return ok ? HEED_OK : heed_error_code();
}

heed_status heed_gradcheck(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                           const heed_gradcheck_options *options, heed_gradcheck_result *result)
{
    HEED_ENTER("gradcheck");
    heed__gradcheck c = {
        .name = "gradcheck", .order = 1, .fn = fn, .user = user, .inputs = inputs, .n_inputs = n_inputs};
    return run_check(&c, options, result);
}

heed_status heed_gradgradcheck(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                               const heed_gradcheck_options *options, heed_gradcheck_result *result)
{
    HEED_ENTER("gradgradcheck");
    heed__gradcheck c = {
        .name = "gradgradcheck", .order = 2, .fn = fn, .user = user, .inputs = inputs, .n_inputs = n_inputs};
    return run_check(&c, options, result);
}
