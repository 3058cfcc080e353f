/* core/gradcheck.c - heed_gradcheck and heed_gradgradcheck: options, verdict, report. */

#include "core/gradcheck.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/tensor.h"

/* -- Verdict ------------------------------------------------------------------------------------------------------ */

static double tolerance(const heed_check *c, double numeric)
{
    return c->options.atol + c->options.rtol * fabs(numeric);
}

void heed__check_compare(heed_check *c, int64_t row, int point, int64_t index, const double analytic[RULES],
                         double numeric)
{
    double differences[RULES], allowed = tolerance(c, numeric);
    bool wrong_by[RULES];
    for (int rule = 0; rule < RULES; rule++) {
        differences[rule] = fabs(analytic[rule] - numeric);
        wrong_by[rule] = !(isfinite(differences[rule]) && differences[rule] <= allowed);
    }
    heed_check_rule worse = differences[COMPOSED] <= differences[FUSED] || isnan(differences[FUSED]) ? FUSED : COMPOSED;
    double error = differences[worse] / (1 + fabs(numeric));
    bool right = !wrong_by[FUSED] && !wrong_by[COMPOSED];
    bool first = right ? c->result.compared == 0 : c->wrong == 0;
    bool larger = !(error <= c->result.max_error) && !isnan(c->result.max_error) && (!right || c->wrong == 0);
    c->result.compared++;
    if (!right)
        c->wrong++;
    if (first || larger) {
        c->result.max_error = error;
        c->result.input = c->places[point].input;
        c->result.input_index = index;
        c->result.output_index = row;
        c->result.analytic = analytic[worse];
        c->result.numeric = numeric;
        memcpy(c->wrong_by, wrong_by, sizeof wrong_by);
    }
}

typedef struct index_text {
    char s[72];
} index_text;

/* "[1, 2]": where the element is; "" in a scalar. */
static index_text index_format(const heed_shape *shape, int64_t index)
{
    int64_t at[HEED_MAX_RANK];
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        at[axis] = index % shape->dims[axis];
        index /= shape->dims[axis];
    }
    index_text text = {""};
    size_t used = 0;
    for (int axis = 0; axis < shape->rank && used < sizeof text.s; axis++)
        used += (size_t)snprintf(text.s + used, sizeof text.s - used, "%s%" PRId64 "%s", axis == 0 ? "[" : ", ",
                                 at[axis], axis + 1 == shape->rank ? "]" : "");
    return text;
}

typedef struct name_text {
    char s[104];
} name_text;

/* "output[1, 2]", or "gradient of input 0[1, 2]". */
static name_text output_name(const heed_check *c, int64_t row)
{
    name_text text;
    int k = 0;
    while (k + 1 < c->n_outputs && row >= heed_shape_numel(c->places[k].shape))
        row -= heed_shape_numel(c->places[k++].shape);
    index_text index = index_format(&c->places[k].shape, row);
    if (c->order == 1)
        (void)snprintf(text.s, sizeof text.s, "output%s", index.s);
    else
        (void)snprintf(text.s, sizeof text.s, "gradient of input %d%s", c->places[k].input, index.s);
    return text;
}

/* "input 0[1, 2]", or "output gradient[1, 2]"; without the index for a projection. */
static name_text input_name(const heed_check *c)
{
    name_text text;
    index_text index = {""};
    bool is_g = c->result.input == c->n_inputs;
    heed_shape shape = is_g ? c->points[c->n_points - 1]->shape : c->inputs[c->result.input]->shape;
    if (!c->options.random_projection)
        index = index_format(&shape, c->result.input_index);
    if (is_g)
        (void)snprintf(text.s, sizeof text.s, "output gradient%s", index.s);
    else
        (void)snprintf(text.s, sizeof text.s, "input %d%s", c->result.input, index.s);
    return text;
}

/* The derivative in question: "d output[1] / d input 0[1]". */
static void name_derivative(const heed_check *c, char *text, size_t size)
{
    name_text input = input_name(c);
    if (c->options.random_projection)
        (void)snprintf(text, size, "a random projection of the derivatives by %s", input.s);
    else
        (void)snprintf(text, size, "d %s / d %s", output_name(c, c->result.output_index).s, input.s);
}

/* Who is wrong, and who is right. */
typedef struct verdict_text {
    const char *wrong, *right;
} verdict_text;

static verdict_text verdict(const heed_check *c)
{
    if (c->wrong_by[FUSED] == c->wrong_by[COMPOSED])
        return (verdict_text){"backward", ""};
    if (c->wrong_by[FUSED])
        return (verdict_text){"backward_fused", " (right by backward, with create_graph)"};
    return (verdict_text){"backward, with create_graph,", " (right without, by backward_fused)"};
}

/* Writes the report of a finished comparison; fails when an entry differs. */
static bool conclude(heed_check *c)
{
    heed_gradcheck_result *r = &c->result;
    char derivative[224] = "";
    verdict_text by = verdict(c);
    if (r->compared > 0)
        name_derivative(c, derivative, sizeof derivative);
    r->passed = c->wrong == 0;
    if (r->passed && r->compared == 0) {
        (void)snprintf(r->report, sizeof r->report, "%s: passed, nothing to compare (no elements)", c->name);
    } else if (r->passed) {
        (void)snprintf(r->report, sizeof r->report,
                       "%s: passed, %" PRId64 " derivatives compared, largest error %.1e (%s)", c->name, r->compared,
                       r->max_error, derivative);
    } else {
        char text[HEED_GRADCHECK_REPORT_MAX - 16];
        (void)snprintf(text, sizeof text,
                       "%s is %.10g by %s but %.10g by differences%s, error %.2e above atol %.1e + rtol %.1e |numeric|"
                       "%s; %" PRId64 " of %" PRId64 " wrong",
                       derivative, r->analytic, by.wrong, r->numeric, by.right, fabs(r->analytic - r->numeric),
                       c->options.atol, c->options.rtol, c->strided ? ", for strided views" : "", c->wrong,
                       r->compared);
        (void)heed_fail(HEED_ERR_STATE, c->name, "%s", text);
        (void)snprintf(r->report, sizeof r->report, "%s: %s", c->name, text);
    }
    return r->passed;
}

bool heed__check_recorded(heed_check *c, const double *recorded, const double *values)
{
    int64_t row = 0;
    while (row < c->rows && (recorded[row] == values[row] || isnan(values[row]) ||
                             fabs(recorded[row] - values[row]) <= tolerance(c, values[row])))
        row++;
    if (row == c->rows)
        return true;
    c->result.output_index = row;
    return heed_fail_false(HEED_ERR_STATE, c->name, "%s is %.10g %s but %.10g %s%s", output_name(c, row).s,
                           recorded[row], c->order == 1 ? "while recording is on" : "by backward, with create_graph,",
                           values[row], c->order == 1 ? "while it is off" : "by backward_fused",
                           c->strided ? ", for strided views" : "");
}

/* -- Rounds ------------------------------------------------------------------------------------------------------- */

static bool run_round(heed_check *c, bool strided)
{
    c->strided = strided;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    (void)heed_set_grad_enabled(true);
    bool ok = heed__check_prepare(c) &&
              (c->options.random_projection ? heed__check_projection(c) : heed__check_jacobian(c)) && conclude(c);
    (void)heed_scope_end(scope);
    return ok;
}

/* Storage for the tables of a check; heed_free ignores what was not got. */
static bool run_rounds(heed_check *c)
{
    size_t n = (size_t)c->n_inputs + 1; /* and g */
    size_t pointers = 4 * n * sizeof(heed_tensor *);
    heed_tensor **table = heed_calloc(4 * n, sizeof *table);
    c->places = heed_calloc(n, sizeof *c->places);
    c->random = heed_generator_new(c->options.seed);
    bool ok = table && c->places && c->random;
    if (ok) {
        c->arguments = table;
        c->points = table + n;
        c->outputs = table + 2 * n;
        c->gradients = table + 3 * n;
        ok = run_round(c, false) && (c->options.contiguous_only || run_round(c, true));
    }
    heed_generator_free(c->random);
    heed_free(c->places, n * sizeof *c->places);
    heed_free(table, pointers);
    return ok;
}

/* -- Arguments ---------------------------------------------------------------------------------------------------- */

/* value, or its default when it is 0. False after heed_fail when it is negative, infinite or NaN. */
static bool fill_option(const char *where, const char *option, double *value, double when_zero)
{
    if (!(*value >= 0) || isinf(*value))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s = %g is not a finite number >= 0", option, *value);
    if (*value == 0)
        *value = when_zero;
    return true;
}

static bool fill_options(heed_check *c)
{
    return fill_option(c->name, "eps", &c->options.eps, 1e-3) &&
           fill_option(c->name, "atol", &c->options.atol, c->order == 1 ? 1e-8 : 1e-6) &&
           fill_option(c->name, "rtol", &c->options.rtol, c->options.atol);
}

static bool check_inputs(heed_check *c)
{
    if (!c->fn || !c->inputs || c->n_inputs < 1)
        return heed_fail_false(HEED_ERR_ARGUMENT, c->name, "%s",
                               !c->fn       ? "fn is NULL"
                               : !c->inputs ? "inputs is NULL"
                                            : "there must be at least one input");
    bool any = false;
    for (int i = 0; i < c->n_inputs; i++) {
        const heed_tensor *x = c->inputs[i];
        if (!x)
            return heed_fail_false(HEED_ERR_ARGUMENT, c->name, "input %d is NULL", i);
        if (x->requires_grad && x->dtype != HEED_F64) {
            c->result.input = i;
            return heed_fail_false(HEED_ERR_DTYPE, c->name, "input %d is %s; derivatives are compared in f64", i,
                                   heed_dtype_name(x->dtype));
        }
        any = any || x->requires_grad;
    }
    if (!any)
        (void)heed_fail(HEED_ERR_ARGUMENT, c->name, "no input requires a gradient");
    return any;
}

static heed_status check(heed_check *c, const heed_gradcheck_options *options, heed_gradcheck_result *result)
{
    if (options)
        c->options = *options;
    c->result = (heed_gradcheck_result){.order = c->order, .input = -1, .input_index = -1, .output_index = -1};
    bool ok = fill_options(c) && check_inputs(c) && run_rounds(c);
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
    heed_check c = {.name = "gradcheck", .order = 1, .fn = fn, .user = user, .inputs = inputs, .n_inputs = n_inputs};
    return check(&c, options, result);
}

heed_status heed_gradgradcheck(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                               const heed_gradcheck_options *options, heed_gradcheck_result *result)
{
    HEED_ENTER("gradgradcheck");
    heed_check c = {
        .name = "gradgradcheck", .order = 2, .fn = fn, .user = user, .inputs = inputs, .n_inputs = n_inputs};
    return check(&c, options, result);
}
