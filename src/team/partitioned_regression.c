/* team/partitioned_regression.c - kernel regression by several processes: partitioned by queries, and functions shared
 * with partitioned_regression_keys.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "team/partitioned_regression.h"

#include <inttypes.h>

#include <heed/scope.h>

/* -- Checks -------------------------------------------------------------------------------------------------------- */

static bool check_regression_shapes(const char *where, heed_shape q, heed_shape k, heed_shape v, bool leave_one_out)
{
    const int own_keys = k.rank - q.rank; /* 1 if every query has its own keys and values */
    bool valid = q.rank >= 1 && q.rank <= 2 && own_keys >= 0 && own_keys <= 1 && v.rank >= own_keys + 1 &&
                 v.rank <= own_keys + 2 && v.dims[own_keys] == k.dims[own_keys] &&
                 (q.rank == 1 || k.dims[k.rank - 1] == q.dims[1]) && q.dims[0] > 0;
    valid = valid && (own_keys == 0 || (k.dims[0] == q.dims[0] && v.dims[0] == q.dims[0]));
    if (!valid)
        return heed_fail_false(
            HEED_ERR_SHAPE, where,
            "queries %s, keys %s, values %s: must be (n), (m), (m[, v]), or (n), (n, m), (n, m[, v]), "
            "with n at least 1; for vectors, queries and keys have one more axis d at the end",
            heed_shape_text(q).s, heed_shape_text(k).s, heed_shape_text(v).s);
    if (leave_one_out && (own_keys == 1 || k.dims[0] != q.dims[0]))
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "queries %s, keys %s: leave_one_out needs shared keys, one per query",
                               heed_shape_text(q).s, heed_shape_text(k).s);
    return true;
}

bool heed__partitioned_regression_check(const char *where, heed_tensor *const in[HEED_REGRESSION_INPUTS],
                                        const heed_kernel_regression_options *options)
{
    static const char *const names[] = {"queries", "width", "keys", "values"};
    for (int i = 0; i < HEED_REGRESSION_INPUTS; i++) {
        if (!in[i])
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "the %s %s NULL", names[i],
                                   i == HEED_WIDTH ? "is" : "are");
        heed_dtype dtype = heed_dtype_of(in[i]), first = heed_dtype_of(in[0]);
        if (!heed_dtype_is_float(dtype) || dtype != first)
            return heed_fail_false(HEED_ERR_DTYPE, where, "queries are %s, %s %s: must be f32 or f64, the same for all",
                                   heed_dtype_name(first), names[i], heed_dtype_name(dtype));
    }
    if ((int)options->kernel < HEED_NW_GAUSSIAN || options->kernel > HEED_NW_CONSTANT)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "kernel must be one of HEED_NW_*, not %d",
                               (int)options->kernel);
    if (options->degree < 0 || options->degree > 3)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "degree is %d: must be 0 to 3", options->degree);
    heed_shape q = heed_shape_of(in[HEED_QUERIES]), w = heed_shape_of(in[HEED_WIDTH]);
    if (!check_regression_shapes(where, q, heed_shape_of(in[HEED_KEYS]), heed_shape_of(in[HEED_VALUES]),
                                 options->leave_one_out))
        return false;
    int64_t d = q.rank == 2 ? q.dims[1] : 1;
    if (w.rank != 1 || (w.dims[0] != 1 && w.dims[0] != d))
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "width %s: must be (1), or (%" PRId64 "), one per component of the keys",
                               heed_shape_text(w).s, d);
    return true;
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

static bool is_partitioned(unsigned partitioned, int input)
{
    return (partitioned >> input & 1) != 0;
}

/* Sets leaf[i] to a new leaf with the values of input i. For a partitioned input the leaf has only the rows begin ..
 * end - 1 of the shard. Returns false after heed_fail. */
static bool make_leaves(const heed_call *call, unsigned partitioned, int64_t begin, int64_t end, heed_tensor **leaf)
{
    for (int i = 0; i < call->n_inputs; i++) {
        heed_tensor *x = call->inputs[i];
        leaf[i] = heed_detach(is_partitioned(partitioned, i) ? heed_slice(x, 0, begin, end, 1) : x);
        if (!leaf[i] || (heed_call_needs(call, i) && !heed_set_requires_grad(leaf[i], true)))
            return false;
    }
    return true;
}

/* Adds the gradients of the leaves to the pass: as rows for partitioned inputs, as sums for the others. A missing
 * gradient counts as 0. Returns false after heed_fail. */
static bool add_gradients(const heed_call *call, heed_shards *pass, unsigned partitioned, heed_tensor *const *leaf)
{
    heed_tensor *sums[HEED_REGRESSION_INPUTS], *rows[HEED_REGRESSION_INPUTS];
    int n_sums = 0, n_rows = 0;
    for (int i = 0; i < call->n_inputs; i++) {
        if (!heed_call_needs(call, i))
            continue;
        heed_tensor *dx =
            heed_has_grad(leaf[i]) ? heed_grad_of(leaf[i]) : heed_zeros(heed_dtype_of(leaf[i]), heed_shape_of(leaf[i]));
        *(is_partitioned(partitioned, i) ? &rows[n_rows++] : &sums[n_sums++]) = dx;
    }
    return (n_sums == 0 || heed_shards_add(pass, sums, n_sums) == HEED_OK) &&
           (n_rows == 0 || heed_shards_put(pass, rows, n_rows) == HEED_OK);
}

static bool differentiate_shard(const heed_call *call, heed_tensor *const *g, heed_shards *pass,
                                const heed__regression_partition *partition, int64_t begin, int64_t end)
{
    heed_tensor *leaf[HEED_REGRESSION_INPUTS];
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    heed_set_grad_enabled(true);
    bool ok = make_leaves(call, partition->inputs, begin, end, leaf) && partition->rule(call, g, leaf, begin, end) &&
              add_gradients(call, pass, partition->inputs, leaf);
    heed_scope_end(scope);
    return ok;
}

/* Sets dx to the gradients of all processes. Returns false after heed_fail. */
static bool collect_gradients(const heed_call *call, heed_shards *pass, unsigned partitioned, heed_tensor **dx)
{
    heed_tensor *sums[HEED_REGRESSION_INPUTS] = {NULL}, *rows[HEED_REGRESSION_INPUTS] = {NULL};
    int n_sums = 0, n_rows = 0;
    for (int i = 0; i < call->n_inputs; i++)
        if (heed_call_needs(call, i))
            *(is_partitioned(partitioned, i) ? &n_rows : &n_sums) += 1;
    if ((n_sums > 0 && heed_shards_sum(pass, sums, n_sums) != HEED_OK) ||
        (n_rows > 0 && heed_shards_gather(pass, rows, n_rows) != HEED_OK))
        return false;
    n_sums = n_rows = 0;
    for (int i = 0; i < call->n_inputs; i++)
        if (heed_call_needs(call, i))
            dx[i] = is_partitioned(partitioned, i) ? rows[n_rows++] : sums[n_sums++];
    return true;
}

void heed__partitioned_regression_end(heed_comm *comm, heed_shards *pass, bool ok)
{
    if (pass && !ok)
        heed__comm_notify_failure(comm);
    heed_shards_free(pass);
}

void heed__partitioned_regression_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx,
                                           const heed__regression_partition *partition)
{
    const heed__partitioned_regression *s = call->params;
    if (heed_grad_enabled()) {
        heed_fail(HEED_ERR_UNSUPPORTED, call->op->name, "second derivatives (create_graph) are not supported");
        return;
    }
    HEED_ENTER(call->op->name);
    heed_shards *pass = heed_shards_new(s->comm, partition->samples, s->shards);
    int64_t begin, end;
    bool ok = pass != NULL;
    while (ok && heed_shards_next(pass, &begin, &end))
        ok = differentiate_shard(call, g, pass, partition, begin, end);
    ok = ok && heed_error_code() == HEED_OK && collect_gradients(call, pass, partition->inputs, dx);
    heed__partitioned_regression_end(s->comm, pass, ok);
}

/* -- By queries ---------------------------------------------------------------------------------------------------- */

static bool has_own_keys(const heed_call *call)
{
    return heed_call_shape(call, HEED_KEYS).rank > heed_call_shape(call, HEED_QUERIES).rank;
}

static unsigned partitioned_by_queries(const heed_call *call)
{
    return 1U << HEED_QUERIES | (has_own_keys(call) ? 1U << HEED_KEYS | 1U << HEED_VALUES : 0);
}

/* Returns (end - begin, n - 1, ...): for every query i in begin .. end - 1, the rows of x (n, ...) except row i. */
static heed_tensor *rows_of_others(heed_tensor *x, int64_t begin, int64_t end)
{
    const heed_shape shape = heed_shape_of(x);
    const int64_t n = shape.dims[0];
    heed_tensor *index = heed_empty(HEED_I64, HEED_SHAPE((end - begin) * (n - 1)));
    int64_t *to = heed_mutable_i64(index);
    for (int64_t i = begin; to && i < end; i++)
        for (int64_t k = 0; k < n - 1; k++)
            *to++ = k < i ? k : k + 1;
    heed_tensor *rows = heed_index_select(x, 0, index);
    return shape.rank == 2 ? heed_reshape(rows, HEED_SHAPE(end - begin, n - 1, shape.dims[1]))
                           : heed_reshape(rows, HEED_SHAPE(end - begin, n - 1));
}

/* Returns the regression's values f(q) at the queries begin .. end - 1, one shard; `in` holds the shard's inputs. */
static heed_tensor *regress(const heed__partitioned_regression *s, heed_tensor *const *in, int64_t begin, int64_t end)
{
    heed_kernel_regression_options o = s->options;
    heed_tensor *keys = in[HEED_KEYS], *values = in[HEED_VALUES];
    if (o.leave_one_out) {
        keys = rows_of_others(keys, begin, end);
        values = rows_of_others(values, begin, end);
        o.leave_one_out = false;
    }
    return heed_kernel_regression(in[HEED_QUERIES], keys, values, in[HEED_WIDTH], &o, NULL);
}

static bool by_queries_infer(const heed_call *call, heed_meta *out)
{
    const heed__partitioned_regression *s = call->params;
    heed_tensor *const *in = call->inputs;
    if (!heed__partitioned_regression_check(call->op->name, in, &s->options))
        return false;
    const heed_shape v = heed_shape_of(in[HEED_VALUES]);
    const int64_t n = heed_dim(in[HEED_QUERIES], 0);
    out->dtype = heed_dtype_of(in[HEED_QUERIES]);
    out->shape = v.rank == 2 + has_own_keys(call) ? HEED_SHAPE(n, v.dims[v.rank - 1]) : HEED_SHAPE(n);
    return true;
}

static bool regress_shard(const heed_call *call, heed_shards *pass, int64_t begin, int64_t end)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *leaf[HEED_REGRESSION_INPUTS] = {NULL};
    for (int i = 0; i < call->n_inputs; i++)
        leaf[i] = is_partitioned(partitioned_by_queries(call), i) ? heed_slice(call->inputs[i], 0, begin, end, 1)
                                                                  : call->inputs[i];
    heed_tensor *f = scope ? regress(call->params, leaf, begin, end) : NULL;
    bool ok = f && heed_shards_put(pass, &f, 1) == HEED_OK;
    if (scope)
        heed_scope_end(scope);
    return ok;
}

static bool by_queries_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__partitioned_regression *s = call->params;
    HEED_ENTER(call->op->name);
    heed_shards *pass = heed_shards_new(s->comm, heed_dim(call->inputs[HEED_QUERIES], 0), s->shards);
    heed_tensor *f;
    int64_t begin, end;
    bool ok = pass != NULL;
    while (ok && heed_shards_next(pass, &begin, &end))
        ok = regress_shard(call, pass, begin, end);
    ok = ok && heed_error_code() == HEED_OK && heed_shards_gather(pass, &f, 1) == HEED_OK &&
         heed_copy_(out[0], f) == HEED_OK;
    heed__partitioned_regression_end(s->comm, pass, ok);
    return ok;
}

static bool queries_rule(const heed_call *call, heed_tensor *const *g, heed_tensor *const *leaf, int64_t begin,
                         int64_t end)
{
    heed_tensor *f = regress(call->params, leaf, begin, end), *range = heed_slice(g[0], 0, begin, end, 1);
    if (!f || !range)
        return false;
    return !heed_requires_grad(f) || heed_backward_with(f, &(heed_backward_options){.grad_output = range}) == HEED_OK;
}

static void by_queries_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__regression_partition partition = {heed_call_shape(call, HEED_QUERIES).dims[0],
                                                  partitioned_by_queries(call), queries_rule};
    heed__partitioned_regression_backward(call, g, dx, &partition);
}

static const heed_op by_queries = {
    .name = "kernel_regression_by_queries",
    .n_inputs = HEED_REGRESSION_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(heed__partitioned_regression),
    .saved = HEED_SAVE_INPUTS,
    .infer = by_queries_infer,
    .forward = by_queries_forward,
    .backward = by_queries_backward,
};

heed_tensor *heed_kernel_regression_by_queries(heed_comm *comm, int64_t shards, heed_tensor *queries, heed_tensor *keys,
                                               heed_tensor *values, heed_tensor *width,
                                               const heed_kernel_regression_options *options)
{
    HEED_ENTER(by_queries.name);
    const heed_kernel_regression_options o = options ? *options : (heed_kernel_regression_options){0};
    if (!comm)
        return heed_fail_null(HEED_ERR_ARGUMENT, by_queries.name, "the comm is NULL");
    const heed__partitioned_regression s = {.comm = comm, .shards = shards, .options = o};
    return heed_apply(&by_queries, (heed_tensor *[]){queries, width, keys, values}, HEED_REGRESSION_INPUTS, &s);
}
