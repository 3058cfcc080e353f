/* optim/average.c - averages of a module's parameters; heed/optim/average.h states the rules.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/optim.h>

#include "base/mark.h"
#include "optim/updates.h"

struct heed_average {
    heed__parameter_list of; /* retained */
    heed_dict *state;        /* first the number of updates, i64 (), then the averages in the order of the parameters */
    double decay;
    bool swapped;
    uint64_t mark;
};

HEED_MARK_OUTLIVES_FREE(heed_average);

static bool check_average(const char *where, const heed_average *a, bool whole)
{
    if (!a)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the average is NULL");
    if (!heed__is_marked(a->mark, HEED_AVERAGE))
        return heed_fail_freed(where, "the average", a);
    if (whole && a->swapped)
        return heed_fail_false(HEED_ERR_STATE, where, "the module holds the averages: call heed_average_swap first");
    return true;
}

/* Returns the average of parameter i. */
static heed_tensor *average_of(const heed_average *a, int i)
{
    return heed_dict_at(a->state, (int64_t)i + 1);
}

/* -- Creating and freeing ----------------------------------------------------------------------------------------- */

typedef struct collection {
    heed_average *into;
    bool buffers;
} collection;

static heed_status add_average(const heed_module_visit *visit, void *user)
{
    static const char where[] = "average_new";
    const collection *c = user;
    heed_average *a = c->into;
    char name[HEED_MODULE_PATH_MAX + sizeof "module."];
    const heed_dtype dtype = heed_dtype_of(visit->tensor);
    if ((visit->is_buffer && !c->buffers) || (dtype != HEED_F32 && dtype != HEED_F64) ||
        heed__parameters_contain(&a->of, visit->tensor))
        return HEED_OK;
    if (!heed_is_contiguous(visit->tensor))
        return heed_fail(HEED_ERR_UNSUPPORTED, where, "%s must be contiguous", visit->name);
    (void)snprintf(name, sizeof name, "module.%s", visit->name);
    heed_tensor *copy = heed_clone(visit->tensor);
    if (!copy || !heed__parameters_reserve(&a->of, where, 1) || heed_dict_set(a->state, name, copy) != HEED_OK)
        return heed_error_code();
    heed_debug_set_owner(copy, NULL, "an average");
    heed__parameters_push(&a->of, heed_retain(visit->tensor));
    return HEED_OK;
}

static bool fill_average(heed_average *a, heed_module *module, bool buffers)
{
    a->state = heed_dict_new();
    if (!a->state || heed_dict_set(a->state, "n_averaged", heed_zeros(HEED_I64, HEED_SCALAR)) != HEED_OK ||
        heed_module_walk(module, add_average, &(collection){a, buffers}) != HEED_OK)
        return false;
    return a->of.n > 0 || heed_fail_false(HEED_ERR_ARGUMENT, "average_new", "the module has no parameters to average");
}

heed_average *heed_average_new(heed_module *module, const heed_average_options *options)
{
    static const char where[] = "average_new";
    HEED_ENTER(where);
    const double decay = options ? options->decay : 0.0;
    if (!module)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the module is NULL");
    if (!heed__optim_check_weight(where, "decay", decay))
        return NULL;
    heed_scope *scope = heed_no_grad_begin();
    heed_average *a = scope ? heed_calloc(1, sizeof *a) : NULL;
    if (a)
        *a = (heed_average){.decay = decay, .mark = HEED_MARK(HEED_AVERAGE, 0)};
    const bool done = a && fill_average(a, module, options && options->buffers);
    if (a && !done) {
        heed_average_free(a);
        a = NULL;
    }
    if (scope)
        heed_scope_end(scope);
    return a;
}

void heed_average_free(heed_average *a)
{
    if (!a || !check_average("average_free", a, false))
        return;
    for (int i = 0; i < a->of.n; i++)
        heed_release(a->of.items[i]);
    heed__parameters_free(&a->of);
    heed_dict_free(a->state);
    a->mark = 0;
    heed_free(a, sizeof *a);
}

heed_dict *heed_average_state(const heed_average *a)
{
    HEED_ENTER("average_state");
    if (!check_average("average_state", a, true))
        return NULL;
    heed_dict *state = heed_dict_new();
    bool done = state != NULL;
    for (int64_t i = 0; done && i < heed_dict_size(a->state); i++)
        done = heed_dict_set(state, heed_dict_name(a->state, i), heed_dict_at(a->state, i)) == HEED_OK;
    if (done)
        return state;
    heed_dict_free(state);
    return NULL;
}

/* -- Averaging ---------------------------------------------------------------------------------------------------- */

static size_t bytes_of(const heed_tensor *t)
{
    return (size_t)heed_numel(t) * heed_dtype_size(heed_dtype_of(t));
}

static void add_to_average(heed_tensor *a, const heed_tensor *p, double weight)
{
    if (weight == 1.0 && heed_numel(p) > 0)
        memcpy(heed_mutable_bytes(a), heed_data_bytes(p), bytes_of(p));
    else
        heed__move_average(a, p, weight);
}

heed_status heed_average_update(heed_average *a)
{
    static const char where[] = "average_update";
    HEED_ENTER(where);
    if (!check_average(where, a, true))
        return heed_error_code();
    heed_tensor *updates = heed_dict_at(a->state, 0);
    const int64_t n = heed_data_i64(updates)[0];
    if (n < 0 || n == INT64_MAX)
        return heed_fail(HEED_ERR_STATE, where, "n_averaged is %" PRId64 ": must be 0 to %" PRId64, n, INT64_MAX - 1);
    const double weight = n == 0 ? 1.0 : a->decay > 0.0 ? 1.0 - a->decay : 1.0 / ((double)n + 1.0);
    for (int i = 0; i < a->of.n; i++)
        add_to_average(average_of(a, i), a->of.items[i], weight);
    heed_mutable_i64(updates)[0] = n + 1;
    return HEED_OK;
}

static void exchange(unsigned char *restrict x, unsigned char *restrict y, size_t bytes)
{
    unsigned char block[1024];
    for (size_t at = 0, size; at < bytes; at += size) {
        size = bytes - at < sizeof block ? bytes - at : sizeof block;
        memcpy(block, x + at, size);
        memcpy(x + at, y + at, size);
        memcpy(y + at, block, size);
    }
}

heed_status heed_average_swap(heed_average *a)
{
    HEED_ENTER("average_swap");
    if (!check_average("average_swap", a, false))
        return heed_error_code();
    heed_scope *scope = heed_no_grad_begin(); /* allows writes to the parameters */
    if (!scope)
        return HEED_ERR_NOMEM;
    for (int i = 0; i < a->of.n; i++)
        exchange(heed_mutable_bytes(a->of.items[i]), heed_mutable_bytes(average_of(a, i)), bytes_of(a->of.items[i]));
    heed_scope_end(scope);
    a->swapped = !a->swapped;
    return HEED_OK;
}
