/* check/report.c - collects comparisons and writes the report. */

#include "check/gradcheck.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

typedef struct index_text {
    char s[72];
} index_text;

/* Formats the index of an element, such as "[1, 2]"; "" for a scalar. `index` is the element's number in row-major
 * order. */
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

bool heed__gradcheck_conclude(heed__gradcheck *c)
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
