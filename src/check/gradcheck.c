/* check/gradcheck.c - heed_gradcheck and heed_gradgradcheck: arguments and rounds. */

#include "check/gradcheck.h"

#include <math.h>

#include <heed/memory.h>

/* -- Rounds ------------------------------------------------------------------------------------------------------- */

static bool run_round(heed__gradcheck *c, bool strided)
{
    c->strided = strided;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    (void)heed_set_grad_enabled(true);
    bool ok = heed__gradcheck_prepare(c) &&
              (c->options.random_projection ? heed__gradcheck_projection(c) : heed__gradcheck_jacobian(c)) &&
              heed__gradcheck_conclude(c);
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

/* -- Arguments ---------------------------------------------------------------------------------------------------- */

/* Replaces a value of 0 by its default. Returns false after heed_fail if the value is negative, infinite or NaN. */
static bool check_option(const char *where, const char *option, double *value, double default_value)
{
    if (!(*value >= 0) || isinf(*value))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g: must be finite and at least 0", option, *value);
    if (*value == 0)
        *value = default_value;
    return true;
}

static bool check_options(heed__gradcheck *c)
{
    return check_option(c->name, "eps", &c->options.eps, 1e-3) &&
           check_option(c->name, "atol", &c->options.atol, c->order == 1 ? 1e-8 : 1e-6) &&
           check_option(c->name, "rtol", &c->options.rtol, c->options.atol);
}

static bool check_inputs(heed__gradcheck *c)
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

static heed_status check(heed__gradcheck *c, const heed_gradcheck_options *options, heed_gradcheck_result *result)
{
    if (options)
        c->options = *options;
    c->result = (heed_gradcheck_result){.order = c->order, .input = -1, .input_index = -1, .output_index = -1};
    bool ok = check_options(c) && check_inputs(c) && run_rounds(c);
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
    return check(&c, options, result);
}

heed_status heed_gradgradcheck(heed_gradcheck_fn fn, void *user, heed_tensor *const *inputs, int n_inputs,
                               const heed_gradcheck_options *options, heed_gradcheck_result *result)
{
    HEED_ENTER("gradgradcheck");
    heed__gradcheck c = {
        .name = "gradgradcheck", .order = 2, .fn = fn, .user = user, .inputs = inputs, .n_inputs = n_inputs};
    return check(&c, options, result);
}
