/* tests/ops/driver.c - runs the cases, values and errors of an op, and checks that no objects are left. */

#include "driver_sample.h"

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

static void run_case(op_run_state *run, const op_case *c)
{
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

static void check_value(op_run_state *run, const op_value *v)
{
    heed_tensor *y = v->run();
    char shape[96];
    heed_tensor *values = op_read(y);
    const double *got = values ? heed_data_f64(values) : NULL;
    if (!got) {
        op_fail(run, "%s", heed_error_message());
        return;
    }
    (void)heed_shape_format(heed_shape_of(y), shape, sizeof shape);
    if (!heed_shape_equal(heed_shape_of(y), v->shape)) {
        op_fail(run, "the shape is %s", shape);
        return;
    }
    for (int64_t i = 0; i < heed_numel(y); i++)
        if (!is_expected(got[i], v->expected[i], v->tolerance)) {
            op_fail(run, "element %lld of %s is %.17g, expected %.17g +- %g", (long long)i, shape, got[i],
                    v->expected[i], v->tolerance);
            return;
        }
}

static void check_error(op_run_state *run, const op_error *e)
{
    if (e->run())
        op_fail(run, "no error where %s was expected", heed_status_name(e->status));
    else if (heed_error_code() != e->status)
        op_fail(run, "expected %s, got %s: %s", heed_status_name(e->status), heed_status_name(heed_error_code()),
                heed_error_message());
    else if (!strstr(heed_error_message(), e->text))
        op_fail(run, "\"%s\" is not in the message \"%s\"", e->text, heed_error_message());
    heed_error_clear();
}

/* Runs a value or an error of the op. Exactly one of the two pointers is not NULL. */
static void run_value_or_error(op_run_state *run, const op_value *value, const op_error *error)
{
    heed_memory_stats before = count_objects();
    heed_scope *scope = heed_scope_begin();
    op_begin_sample(run, value ? "value" : "error", value ? value->name : error->name);
    if (value)
        check_value(run, value);
    else
        check_error(run, error);
    (void)heed_scope_end(scope);
    check_nothing_left(run, &before);
}

bool op_run(const op_entry *op, int order, const op_listener *listener, op_result *result)
{
    op_run_state run = {.op = op, .order = order, .listener = listener, .result = result};
    *result = (op_result){.worst = {-1, -1}};
    for (const op_case *c = op->cases->cases; c && c->name; c++)
        run_case(&run, c);
    for (const op_value *v = op->cases->values; v && v->name; v++)
        run_value_or_error(&run, v, NULL);
    for (const op_error *e = op->cases->errors; e && e->name; e++)
        run_value_or_error(&run, NULL, e);
    return result->failures == 0;
}
