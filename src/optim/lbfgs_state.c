/* optim/lbfgs_state.c - saves the state of L-BFGS to a dict and loads it; heed/optim/base.h lists the names.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/ops.h>

#include "optim/lbfgs.h"

#define MAX_COUNT (INT64_MAX / 2) /* limit of loaded counts, so that later steps cannot overflow them */

heed__lbfgs *heed__lbfgs_new(int capacity)
{
    heed__lbfgs *l = heed_calloc(1, sizeof *l);
    heed__lbfgs_pair *pairs = l ? heed_calloc((size_t)capacity, sizeof *pairs) : NULL;
    if (!pairs) {
        heed_free(l, sizeof *l);
        return NULL;
    }
    l->pairs = pairs;
    l->capacity = capacity;
    return l;
}

void heed__lbfgs_replace(heed_tensor **at, heed_tensor *t)
{
    heed_tensor *before = *at;
    *at = heed_retain(t);
    heed_release(before);
}

void heed__lbfgs_push(heed__lbfgs *l, heed_tensor *y, heed_tensor *s)
{
    if (l->n == l->capacity) {
        heed_release(l->pairs[0].y);
        heed_release(l->pairs[0].s);
        memmove(l->pairs, l->pairs + 1, (size_t)(l->n - 1) * sizeof *l->pairs);
        l->n--;
    }
    l->pairs[l->n++] = (heed__lbfgs_pair){heed_retain(y), heed_retain(s), 1.0 / heed__dot(y, s)};
}

heed__lbfgs *heed__lbfgs_copy(const heed__lbfgs *from)
{
    heed__lbfgs *to = heed__lbfgs_new(from->capacity);
    if (!to)
        return NULL;
    to->n_iter = from->n_iter;
    to->func_evals = from->func_evals;
    to->t = from->t;
    heed__lbfgs_replace(&to->d, from->d);
    heed__lbfgs_replace(&to->grad, from->grad);
    for (int i = 0; i < from->n; i++)
        heed__lbfgs_push(to, from->pairs[i].y, from->pairs[i].s);
    return to;
}

static void drop_pairs(heed__lbfgs *l)
{
    for (; l->n > 0; l->n--) {
        heed_release(l->pairs[l->n - 1].y);
        heed_release(l->pairs[l->n - 1].s);
    }
}

void heed__lbfgs_free(heed__lbfgs *l)
{
    if (!l)
        return;
    drop_pairs(l);
    heed_release(l->d);
    heed_release(l->grad);
    heed_free(l->pairs, (size_t)l->capacity * sizeof *l->pairs);
    heed_free(l, sizeof *l);
}

/* -- Conversion to a dict ----------------------------------------------------------------------------------------- */

typedef struct pair_name {
    char s[40];
} pair_name;

/* Returns a name such as "0.old_dirs.7". */
static pair_name pair_name_of(const char *what, int i)
{
    pair_name name;
    (void)snprintf(name.s, sizeof name.s, "0.%s.%d", what, i);
    return name;
}

heed_tensor *heed__lbfgs_vector(const heed_optimizer *o)
{
    int64_t n = 0;
    for (int i = 0; i < o->parameters.n; i++)
        n += heed_numel(o->parameters.items[i]);
    return heed_empty(HEED_F64, HEED_SHAPE(n));
}

static int count_pairs(const heed__lbfgs *l, const heed_dict *like)
{
    int n = 0;
    if (!like)
        return l->n;
    while (n < l->capacity && heed_dict_has(like, pair_name_of("old_dirs", n).s))
        n++;
    return n;
}

bool heed__lbfgs_put(heed_dict *dict, const heed_optimizer *o, const heed_dict *like)
{
    const heed__lbfgs *l = o->lbfgs;
    if (like ? !heed_dict_has(like, "0.func_evals") : l->func_evals == 0)
        return true;
    if (!heed__state_put_count(dict, "0.func_evals", l->func_evals) ||
        !heed__state_put_count(dict, "0.n_iter", l->n_iter))
        return false;
    if (like ? !heed_dict_has(like, "0.d") : !l->d)
        return true;
    bool done = heed__state_put(dict, "0.d", like ? heed__lbfgs_vector(o) : l->d) &&
                heed__state_put(dict, "0.t", heed_from_array(HEED_F64, HEED_SCALAR, &l->t, 1)) &&
                heed__state_put(dict, "0.prev_flat_grad", like ? heed__lbfgs_vector(o) : l->grad);
    for (int i = 0, n = count_pairs(l, like); i < n && done; i++)
        done = heed__state_put(dict, pair_name_of("old_dirs", i).s, like ? heed__lbfgs_vector(o) : l->pairs[i].y) &&
               heed__state_put(dict, pair_name_of("old_stps", i).s, like ? heed__lbfgs_vector(o) : l->pairs[i].s);
    return done;
}

bool heed__lbfgs_check(const heed_dict *draft)
{
    static const char where[] = "optimizer_load_state";
    if (!heed_dict_has(draft, "0.func_evals"))
        return true;
    const int64_t evals = heed_item_i64(heed_dict_get(draft, "0.func_evals"));
    const int64_t iterations = heed_item_i64(heed_dict_get(draft, "0.n_iter"));
    const bool has_direction = heed_dict_has(draft, "0.d");
    if (evals < 1 || evals > MAX_COUNT || iterations < has_direction || iterations > (has_direction ? MAX_COUNT : 0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "0.func_evals is %" PRId64 " and 0.n_iter %" PRId64 ", %s 0.d: these are inconsistent",
                               evals, iterations, has_direction ? "with" : "without");
    if (has_direction && !isfinite(heed_item(heed_dict_get(draft, "0.t"))))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "0.t is %g: must be finite",
                               heed_item(heed_dict_get(draft, "0.t")));
    return true;
}

void heed__lbfgs_install(heed__lbfgs *l, const heed_dict *draft)
{
    const bool has_counts = heed_dict_has(draft, "0.func_evals"), has_direction = heed_dict_has(draft, "0.d");
    drop_pairs(l);
    l->func_evals = has_counts ? heed_item_i64(heed_dict_get(draft, "0.func_evals")) : 0;
    l->n_iter = has_counts ? heed_item_i64(heed_dict_get(draft, "0.n_iter")) : 0;
    l->t = has_direction ? heed_item(heed_dict_get(draft, "0.t")) : 0.0;
    heed__lbfgs_replace(&l->d, has_direction ? heed_dict_get(draft, "0.d") : NULL);
    heed__lbfgs_replace(&l->grad, has_direction ? heed_dict_get(draft, "0.prev_flat_grad") : NULL);
    for (int i = 0, n = has_direction ? count_pairs(l, draft) : 0; i < n; i++)
        heed__lbfgs_push(l, heed_dict_get(draft, pair_name_of("old_dirs", i).s),
                         heed_dict_get(draft, pair_name_of("old_stps", i).s));
}
