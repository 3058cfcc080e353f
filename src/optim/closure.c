/* optim/closure.c - heed_optimizer_step_closure: steps that evaluate the loss themselves. */

#include <math.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "optim/closure.h"
#include "optim/partial.h"

static const char where[] = "optimizer_step_closure";

bool heed__optimizer_evaluate(heed_optimizer *o, heed_closure closure, void *user, double *loss)
{
    if (heed_optimizer_zero_grad(o) != HEED_OK)
        return false;
    heed_callback call = heed_callback_begin("the closure of optimizer_step_closure");
    (void)heed_set_grad_enabled(true);
    o->evaluating = true;
    heed_tensor *value = closure(user);
    const bool done = value && heed_backward(value) == HEED_OK;
    o->evaluating = false;
    if (!heed_callback_end(&call))
        return false;
    if (!done)
        return heed_fail_false(HEED_ERR_STATE, where, "the closure returned NULL without an error");
    *loss = heed_item(value);
    return true;
}

/* A closure step for optimizers that need one evaluation: evaluates the loss and its gradients, then updates. */
static heed_status step(heed_optimizer *o, heed_closure closure, void *user, double *loss)
{
    heed_scope *scope = heed_scope_begin();
    const bool done = scope && heed__optimizer_evaluate(o, closure, user, loss);
    if (scope && heed_scope_end(scope) != HEED_OK)
        return heed_error_code();
    return done ? heed__optimizer_update(o) : heed_error_code();
}

heed_status heed_optimizer_step_closure(heed_optimizer *o, heed_closure closure, void *user, double *loss)
{
    HEED_ENTER(where);
    double value = (double)NAN;
    if (!heed__optimizer_check_idle(where, o))
        return heed_error_code();
    if (!closure)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the closure is NULL");
    if (o->partial)
        return heed_fail(HEED_ERR_STATE, where,
                         "this process holds only a part of the state: use heed_data_parallel_step");
    const heed_status status = (o->kind->step ? o->kind->step : step)(o, closure, user, &value);
    if (status == HEED_OK && loss)
        *loss = value;
    return status;
}
