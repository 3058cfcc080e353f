/* np/classes.c - class probabilities: the density of the columns and the label divided by the density of the columns.
 *
 *     P(c | q) = f(q, c) / f(q),   where c is a label; the factors that normalise the weights of the columns cancel
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "np/fit.h"

static const char where[] = "np_fit_classes";

heed__np_smoother heed__np_condition(const heed__np_smoother *s, heed__np_data *given)
{
    heed__np_smoother condition = *s;
    *given = *s->data; /* the order of the keys does not depend on the last column, because it contains labels */
    given->columns--;
    condition.data = given;
    condition.conditional = false;
    return condition;
}

/* -- The fit ------------------------------------------------------------------------------------------------------- */

static bool check_label_shapes(heed_tensor *x, heed_tensor *labels)
{
    if (!heed__check_tensor(where, x) || !heed__check_tensor(where, labels))
        return false;
    if (heed_dtype_of(x) == HEED_BOOL || heed_dtype_of(labels) == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, where, "x is %s, labels are %s: must be f32, f64 or i64",
                               heed_dtype_name(heed_dtype_of(x)), heed_dtype_name(heed_dtype_of(labels)));
    if (heed_rank(x) < 1 || heed_rank(x) > 2 || heed_rank(labels) != 1 || heed_dim(labels, 0) != heed_dim(x, 0))
        return heed_fail_false(HEED_ERR_SHAPE, where, "x is %s, labels are %s: must be (n) or (n, d), and (n)",
                               heed_shape_text(heed_shape_of(x)).s, heed_shape_text(heed_shape_of(labels)).s);
    if (heed_rank(x) == 2 && heed_dim(x, 1) >= HEED_NP_MAX_COLUMNS)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                               "x has %" PRId64 " columns: must be below %d, because labels add one", heed_dim(x, 1),
                               HEED_NP_MAX_COLUMNS);
    return true;
}

/* Returns (n, d + 1): the columns of x, followed by the labels. NULL after heed_fail. */
static heed_tensor *join_labels(heed_tensor *x, heed_tensor *labels)
{
    heed_tensor *columns = heed_to_dtype(heed_detach(x), HEED_F64),
                *last = heed_to_dtype(heed_detach(labels), HEED_F64);
    if (columns && heed_rank(columns) == 1)
        columns = heed_unsqueeze(columns, 1);
    return columns && last ? heed_concat(HEED_TENSORS(columns, heed_unsqueeze(last, 1)), 1) : NULL;
}

static heed_np *fit_joined(heed_tensor *x, heed_tensor *labels, heed_np_options o)
{
    heed_tensor *joined = join_labels(x, labels), *nothing = heed_zeros(HEED_F64, HEED_SHAPE(heed_dim(x, 0)));
    heed_np_column kinds[HEED_NP_MAX_COLUMNS] = {0};
    const int d = heed_rank(x) == 2 ? (int)heed_dim(x, 1) : 1;
    if (o.columns)
        memcpy(kinds, o.columns, (size_t)d * sizeof *kinds);
    kinds[d] = HEED_NP_UNORDERED;
    o.columns = kinds;
    if (o.criterion != HEED_NP_RULE)
        o.criterion = HEED__NP_LIKELIHOOD;
    return joined && nothing ? heed__np_fit(joined, nothing, &o, HEED__NP_CLASSES) : NULL;
}

heed_np *heed_np_fit_classes(heed_tensor *x, heed_tensor *labels, const heed_np_options *options)
{
    HEED_ENTER(where);
    const heed_np_options o = options ? *options : (heed_np_options){0};
    if (!heed__np_check_density(where, &o) || !check_label_shapes(x, labels))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    heed_np *fit = scope ? fit_joined(x, labels, o) : NULL;
    heed_scope_end(scope);
    return fit;
}

/* -- Results ------------------------------------------------------------------------------------------------------- */

static bool check_classes(const char *function, const heed_np *fit)
{
    if (!heed__np_check(function, fit))
        return false;
    return fit->smoother.conditional ||
           heed_fail_false(HEED_ERR_UNSUPPORTED, function, "the fit must be from heed_np_fit_classes");
}

static heed_tensor *distinct_labels(const heed_np *fit)
{
    const heed__np_data *data = &fit->data;
    const double *labels = data->x + (data->columns - 1) * data->keys;
    heed_tensor *all = heed_from_array(HEED_F64, HEED_SHAPE(data->keys), labels, data->keys);
    return all ? heed_unique(heed_to_dtype(all, HEED_I64), NULL, NULL) : NULL;
}

heed_tensor *heed_np_classes(const heed_np *fit)
{
    static const char function[] = "np_classes";
    HEED_ENTER(function);
    heed_scope *scope = check_classes(function, fit) ? heed_scope_begin() : NULL;
    return scope ? heed_scope_return(scope, distinct_labels(fit)) : NULL;
}

/* The evaluation of one label at n queries. */
typedef struct trial {
    const heed_np *fit;
    int64_t n;
    double *x, *given;
    heed__np_locals locals;
} trial;

/* Writes P(label | q) for the queries q to to[0], to[step], to[2 step] ... Returns false after heed_fail. */
static bool try_label(const trial *t, double label, double *to, int64_t step)
{
    const heed__np_smoother *s = &t->fit->smoother;
    double *last = t->x + (s->data->columns - 1) * t->n, slopes[HEED_NP_MAX_COLUMNS];
    const double factor = heed__np_log_factor(s, slopes);
    for (int64_t i = 0; i < t->n; i++)
        last[i] = label;
    if (!heed__np_fit_at(s, t->x, t->n, &(heed__np_requested){0}, &t->locals))
        return false;
    for (int64_t i = 0; i < t->n; i++) {
        const double sum = heed__np_local_at(&t->locals, i)->log_sum;
        to[i * step] = isinf(t->given[i]) ? (double)NAN : fmin(exp(sum + factor - t->given[i]), 1);
    }
    return true;
}

/* Writes ln f(q) plus ln of the sum of weights to t->given for every query. Returns false after heed_fail. */
static bool find_given(const trial *t)
{
    heed__np_data data;
    double slopes[HEED_NP_MAX_COLUMNS];
    const heed__np_smoother s = heed__np_condition(&t->fit->smoother, &data);
    const double factor = heed__np_log_factor(&s, slopes);
    if (!heed__np_fit_at(&s, t->x, t->n, &(heed__np_requested){0}, &t->locals))
        return false;
    for (int64_t i = 0; i < t->n; i++)
        t->given[i] = heed__np_local_at(&t->locals, i)->log_sum + factor;
    return true;
}

static bool fill_probabilities(trial *t, heed_tensor *labels, double *p)
{
    const int64_t k = heed_numel(labels);
    if (!heed__np_locals_new(&t->locals, t->fit->data.columns, t->n))
        return false;
    bool good = find_given(t);
    for (int64_t c = 0; good && c < k; c++)
        good = try_label(t, (double)((const int64_t *)(const void *)labels->data)[c], p + c, k);
    heed__np_locals_free(&t->locals);
    return good;
}

/* Returns (n, k): the probabilities of the k labels at n queries. NULL after heed_fail. */
static heed_tensor *find_probabilities(const char *function, const heed_np *fit, heed_tensor *x, heed_tensor *labels)
{
    heed__np_data given;
    trial t = {.fit = fit};
    (void)heed__np_condition(&fit->smoother, &given);
    const double *queries = heed__np_queries(function, &given, x, &t.n);
    if (!queries)
        return NULL;
    const int64_t columns = fit->data.columns;
    heed_tensor *memory = heed_zeros(HEED_F64, HEED_SHAPE(columns + 1, t.n));
    heed_tensor *p = memory ? heed_zeros(HEED_F64, HEED_SHAPE(t.n, heed_numel(labels))) : NULL;
    if (!p)
        return NULL;
    t.x = heed__np_numbers(memory);
    t.given = t.x + columns * t.n;
    memcpy(t.x, queries, (size_t)((columns - 1) * t.n) * sizeof *t.x);
    return fill_probabilities(&t, labels, heed__np_numbers(p)) ? p : NULL;
}

/* Returns (n): for every query the label with the largest probability, the first one if several are equal. NULL after
 * heed_fail. */
static heed_tensor *likeliest_of(const char *function, heed_tensor *labels, heed_tensor *p)
{
    const int64_t n = heed_dim(p, 0), k = heed_dim(p, 1), *all = (const int64_t *)(const void *)labels->data;
    heed_tensor *likeliest = heed__tensor_new(function, HEED_I64, &HEED_SHAPE(n));
    for (int64_t i = 0; likeliest && i < n; i++) {
        const double *row = heed__np_numbers(p) + i * k;
        int64_t best = 0;
        for (int64_t c = 1; c < k; c++)
            best = row[c] > row[best] ? c : best;
        ((int64_t *)(void *)likeliest->data)[i] = isnan(row[best]) ? HEED_NP_NO_LABEL : all[best];
    }
    return likeliest;
}

heed_tensor *heed_np_classify(const heed_np *fit, heed_tensor *x, heed_tensor **probabilities)
{
    static const char function[] = "np_classify";
    HEED_ENTER(function);
    if (probabilities)
        *probabilities = NULL;
    heed_tensor *labels = check_classes(function, fit) ? distinct_labels(fit) : NULL;
    heed_tensor *p = labels ? find_probabilities(function, fit, x, labels) : NULL;
    heed_tensor *likeliest = p ? likeliest_of(function, labels, p) : NULL;
    if (likeliest && probabilities)
        *probabilities = p;
    return likeliest;
}
