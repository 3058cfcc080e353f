/* core/computed.c - computed tensors: ops call a function for the value of such a tensor instead of reading its
 * elements. core/apply.c replaces computed inputs by their values before an op runs.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/graph.h>

#include "core/memory.h"
#include "core/tensor.h"
#include "core/thread.h"

enum { MAX_COMPUTING = 64 }; /* more nested functions means that one of them reads its own tensor */

heed_status heed_set_compute(heed_tensor *t, heed_compute compute, void *user)
{
    static const char where[] = "set_compute";
    if (!heed__check_tensor(where, t))
        return heed_error_code();
    if (!heed_dtype_is_float(t->dtype))
        return heed_fail(HEED_ERR_DTYPE, where, "the tensor is %s: must be f32 or f64", heed_dtype_name(t->dtype));
    if (t->producer)
        return heed_fail(HEED_ERR_STATE, where, "the tensor of shape %s is the result of a recorded op",
                         heed_shape_text(t->shape).s);
    t->compute = compute;
    t->compute_user = user;
    t->computed = t->requires_grad = compute != NULL;
    return HEED_OK;
}

bool heed__check_elements(const char *where, const heed_tensor *t)
{
    if (!heed__check_tensor(where, t))
        return false;
    return !t->computed ||
           heed_fail_false(HEED_ERR_STATE, where,
                           "the tensor of shape %s is computed from others at each use, as a parametrized weight is: "
                           "read heed_clone(t), write the others",
                           heed_shape_text(t->shape).s);
}

static bool check_value(const char *where, const heed_tensor *t, const heed_tensor *value)
{
    if (!value)
        return heed_fail_false(HEED_ERR_STATE, where, "the function of a computed tensor of shape %s returned NULL",
                               heed_shape_text(t->shape).s);
    if (!heed__check_elements(where, value))
        return false;
    if (value->dtype == t->dtype && heed__same_shape(&value->shape, &t->shape))
        return true;
    return heed_fail_false(value->dtype == t->dtype ? HEED_ERR_SHAPE : HEED_ERR_DTYPE, where,
                           "the function of a computed tensor returned %s %s: must be %s %s",
                           heed_dtype_name(value->dtype), heed_shape_text(value->shape).s, heed_dtype_name(t->dtype),
                           heed_shape_text(t->shape).s);
}

/* Calls the function of a computed tensor. Returns NULL after heed_fail. */
static heed_tensor *call_compute(const char *where, const heed_tensor *t)
{
    heed__thread_state *self = heed__thread();
    if (!self->callback) /* the function of an earlier call may have ended by longjmp */
        self->computing = 0;
    if (self->computing == MAX_COMPUTING)
        return heed_fail_null(HEED_ERR_STATE, where, "the function of a computed tensor of shape %s reads this tensor",
                              heed_shape_text(t->shape).s);
    const heed_callback before = heed__callback_begin(self, "the function of a computed tensor");
    self->computing++;
    heed_tensor *value = t->compute(t->compute_user);
    self->computing--;
    return heed__callback_end(self, before) && check_value(where, t, value) ? value : NULL;
}

heed_tensor *heed__computed_value(const char *where, const heed_tensor *t)
{
    HEED_ENTER(where);
    const size_t mark = heed__scope_mark();
    heed_tensor *value = heed_retain(call_compute(where, t));
    heed__scope_rewind(mark);
    return value;
}

heed_tensor **heed__values_of(const char *where, heed_tensor *const *tensors, int n)
{
    heed_tensor **values = heed__alloc(where, (size_t)n * sizeof *values);
    bool ok = values != NULL;
    for (int i = 0; values && i < n; i++) {
        values[i] = NULL;
        if (ok)
            values[i] = tensors[i]->computed ? heed__computed_value(where, tensors[i]) : heed_retain(tensors[i]);
        ok = values[i] != NULL;
    }
    if (ok)
        return values;
    heed__values_free(values, n);
    return NULL;
}

void heed__values_free(heed_tensor **values, int n)
{
    for (int i = 0; values && i < n; i++)
        heed_release(values[i]);
    heed_free(values, (size_t)n * sizeof *values);
}
