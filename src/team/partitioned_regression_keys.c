/* team/partitioned_regression_keys.c - kernel regression by several processes, each with some of the keys.
 *
 * The computation uses f64, so that the large logits of distant keys lose no visible precision.
 *
 *     l_j = -|(q - k_j) w|^2 / 2    L = ln sum_j exp(l_j)    f = sum_j exp(l_j - L) v_j
 *
 * The op's inputs are the queries q (n, d), w (the inverse width), the keys k (m, d) and the values v (m, v). Its
 * outputs are f (n, v) and L (n, 1), which backward reads. L_s and f_s are L and f over the keys of shard s alone.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/scope.h>

#include "team/exchange.h"
#include "team/partitioned_regression.h"

#define BLOCK_ELEMENTS ((int64_t)1 << 18) /* elements of q - k per block: queries times keys times d */
#define MAX_DISTANCE 1e150                /* limit of |q - k| / h per component, with a finite square */

/* A shard of the keys and values. */
typedef struct key_shard {
    heed_tensor *keys, *values;
} key_shard;

static int64_t count_keys(const heed_call *call)
{
    const heed__partitioned_regression *s = call->params;
    return s->data ? heed_dataset_size(s->data) : heed_call_shape(call, HEED_KEYS).dims[0];
}

/* Converts x, (m) or (m, c), to f64 (m, c), with c = 1 for (m). */
static heed_tensor *as_columns(heed_tensor *x)
{
    x = heed_to_dtype(x, HEED_F64);
    return x && heed_rank(x) == 1 ? heed_unsqueeze(x, 1) : x;
}

/* Reads keys and values begin .. end - 1 of the dataset. Returns false after heed_fail. */
static bool read_shard(const heed_dataset *data, int64_t begin, int64_t end, key_shard *p)
{
    heed_tensor *batch[HEED_DATASET_MAX], *numbers = heed_arange(HEED_I64, (double)begin, (double)end, 1.0);
    if (!numbers || heed_dataset_take(data, numbers, batch) != HEED_OK)
        return false;
    *p = (key_shard){as_columns(batch[0]), as_columns(batch[1])};
    return p->keys && p->values;
}

/* -- A block of queries and a shard of keys ------------------------------------------------------------------------ */

/* Returns the logits l (b, m) of b queries and m keys. */
static heed_tensor *logits(heed_tensor *queries, heed_tensor *keys, heed_tensor *w)
{
    heed_tensor *difference = heed_mul(heed_sub(heed_unsqueeze(queries, 1), heed_unsqueeze(keys, 0)), w);
    return heed_mul_scalar(
        heed_sum_axes(heed_square(heed_clamp(difference, -MAX_DISTANCE, MAX_DISTANCE)), HEED_AXES(2), false), -0.5);
}

/* Returns the number of queries per block. It depends only on sizes, not on the machine. */
static int64_t block_size(heed_tensor *queries, const key_shard *p)
{
    int64_t pairs = heed_numel(p->keys), block = pairs > 0 ? BLOCK_ELEMENTS / pairs : BLOCK_ELEMENTS;
    int64_t n = heed_dim(queries, 0);
    return block < 1 ? 1 : block < n ? block : n;
}

/* Writes the shard's L_s and f_s to `row` (1, n, 1 + v). Returns false after heed_fail. */
static bool fill_row(heed_tensor *queries, heed_tensor *w, const key_shard *p, heed_tensor *row)
{
    const int64_t n = heed_dim(queries, 0), block = block_size(queries, p);
    bool ok = true;
    for (int64_t at = 0; at < n && ok; at += block) {
        int64_t to = at + block < n ? at + block : n;
        heed_scope *scope = heed_scope_begin();
        if (!scope)
            return false;
        heed_tensor *l = logits(heed_slice(queries, 0, at, to, 1), p->keys, w);
        heed_tensor *both =
            heed_concat(HEED_TENSORS(heed_logsumexp(l, 1, true), heed_matmul(heed_softmax(l, 1), p->values)), 1);
        ok = both && heed_copy_(heed_slice(row, 1, at, to, 1), heed_unsqueeze(both, 0)) == HEED_OK;
        heed_scope_end(scope);
    }
    return ok;
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* Computes the row of one shard, keys begin .. end - 1, and adds it to the pass. For a shard without keys L_s is -inf
 * and f_s is 0. Returns false after heed_fail. */
static bool compute_key_shard(const heed_call *call, heed_shards *pass, int64_t begin, int64_t end, int64_t columns)
{
    const heed__partitioned_regression *s = call->params;
    heed_tensor *queries = call->inputs[HEED_QUERIES];
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *row = scope ? heed_zeros(HEED_F64, HEED_SHAPE(1, heed_dim(queries, 0), 1 + columns)) : NULL;
    bool ok = row != NULL;
    key_shard p = {NULL, NULL};
    if (ok && begin == end) {
        ok = heed_fill_(heed_slice(row, 2, 0, 1, 1), -(double)INFINITY) == HEED_OK;
    } else if (ok) {
        if (s->data)
            ok = read_shard(s->data, begin, end, &p);
        else
            p = (key_shard){heed_slice(call->inputs[HEED_KEYS], 0, begin, end, 1),
                            heed_slice(call->inputs[HEED_VALUES], 0, begin, end, 1)};
        ok = ok && p.keys && p.values && fill_row(queries, call->inputs[HEED_WIDTH], &p, row);
    }
    ok = ok && heed_shards_put(pass, &row, 1) == HEED_OK;
    if (scope)
        heed_scope_end(scope);
    return ok;
}

/* Combines the S shards' rows, (S, n, 1 + v) with L_s followed by f_s, into the outputs f and L. Shards are added in
 * order. */
static bool merge_shards(heed_tensor *rows, heed_tensor *const *out)
{
    heed_tensor *log_sums = heed_slice(rows, 2, 0, 1, 1), *means = heed_slice(rows, 2, 1, HEED_END, 1);
    heed_tensor *log_total = heed_logsumexp(log_sums, 0, true);
    heed_tensor *f = heed_sum_axes(heed_mul(heed_softmax(log_sums, 0), means), HEED_AXES(0), false);
    return f && heed_copy_(out[0], f) == HEED_OK && heed_copy_(out[1], heed_squeeze(log_total, 0)) == HEED_OK;
}

static bool by_keys_infer(const heed_call *call, heed_meta *out)
{
    const heed__partitioned_regression *s = call->params;
    int64_t n = heed_dim(call->inputs[HEED_QUERIES], 0), columns = s->columns;
    out[0] = (heed_meta){HEED_F64, HEED_SHAPE(n, columns)};
    out[1] = (heed_meta){HEED_F64, HEED_SHAPE(n, 1)};
    return true;
}

/* Runs a pass of heed/shards.h in which every shard of keys counts as one sample. The row of that sample is L_s and
 * f_s. */
static bool by_keys_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__partitioned_regression *s = call->params;
    HEED_ENTER(call->op->name);
    int64_t shards = s->shards > 0 ? s->shards : heed_comm_size(s->comm), one, next;
    const heed__split keys = {.samples = count_keys(call), .shards = shards};
    heed_shards *pass = heed_shards_new(s->comm, shards, shards);
    heed_tensor *rows;
    bool ok = pass != NULL;
    while (ok && heed_shards_next(pass, &one, &next))
        ok = compute_key_shard(call, pass, heed__first_sample(&keys, one), heed__first_sample(&keys, next), s->columns);
    ok = ok && heed_error_code() == HEED_OK && heed_shards_gather(pass, &rows, 1) == HEED_OK && merge_shards(rows, out);
    heed__partitioned_regression_end(s->comm, pass, ok);
    return ok;
}

/* -- Backward ------------------------------------------------------------------------------------------------------ */

/* Returns a scalar with the same gradients as the regression, for queries at .. to - 1. With a_j = exp(l_j - L) and g
 * = df, the gradient of f:
 *
 *     dl_j = a_j (g v_j - g f),  dv_j = a_j g
 *
 * Both are gradients of sum_j exp(l_j - L) (g v_j - g f) if L and f are constants. The function returns this sum. */
static heed_tensor *surrogate_loss(const heed_call *call, heed_tensor *g, heed_tensor *const *leaf, const key_shard *p,
                                   int64_t at, int64_t to)
{
    heed_tensor *f = heed_slice(heed_detach(call->outputs[0]), 0, at, to, 1),
                *log_total = heed_slice(heed_detach(call->outputs[1]), 0, at, to, 1);
    g = heed_slice(g, 0, at, to, 1);
    heed_tensor *slopes =
        heed_sub(heed_matmul(g, heed_transpose(p->values, 0, 1)), heed_sum_axes(heed_mul(g, f), HEED_AXES(1), true));
    heed_tensor *l = logits(heed_slice(leaf[HEED_QUERIES], 0, at, to, 1), p->keys, leaf[HEED_WIDTH]);
    return heed_sum(heed_mul(heed_exp(heed_sub(l, log_total)), slopes));
}

static bool keys_rule(const heed_call *call, heed_tensor *const *g, heed_tensor *const *leaf, int64_t begin,
                      int64_t end)
{
    const heed__partitioned_regression *s = call->params;
    key_shard p;
    if (s->data) {
        if (!read_shard(s->data, begin, end, &p))
            return false;
    } else {
        p = (key_shard){leaf[HEED_KEYS], leaf[HEED_VALUES]};
    }
    const int64_t n = heed_dim(leaf[HEED_QUERIES], 0), block = block_size(leaf[HEED_QUERIES], &p);
    bool ok = true;
    for (int64_t at = 0; at < n && ok; at += block) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *sum = scope ? surrogate_loss(call, g[0], leaf, &p, at, at + block < n ? at + block : n) : NULL;
        ok = sum && heed_backward(sum) == HEED_OK;
        if (scope)
            heed_scope_end(scope);
    }
    return ok;
}

static void by_keys_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__regression_partition partition = {count_keys(call), 1U << HEED_KEYS | 1U << HEED_VALUES, keys_rule};
    heed__partitioned_regression_backward(call, g, dx, &partition);
}

#define BY_KEYS(NAME)                                                                                                  \
    {                                                                                                                  \
        .name = NAME, .n_inputs = 2, .max_inputs = HEED_REGRESSION_INPUTS, .n_outputs = 2,                             \
        .params_size = sizeof(heed__partitioned_regression), .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,            \
        .infer = by_keys_infer, .forward = by_keys_forward, .backward = by_keys_backward,                              \
    }

static const heed_op by_keys = BY_KEYS("kernel_regression_by_keys");
static const heed_op by_data = BY_KEYS("kernel_regression_by_data");

/* -- The functions ------------------------------------------------------------------------------------------------- */

static bool check_keys_options(const char *where, const heed_comm *comm, const heed_kernel_regression_options *o)
{
    if (!comm)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the comm is NULL");
    if (o->kernel != HEED_NW_GAUSSIAN || o->leave_one_out || o->degree != 0)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                               "%s is not supported: use heed_kernel_regression_by_queries",
                               o->leave_one_out ? "leave_one_out"
                               : o->degree != 0 ? "a degree above 0"
                                                : "a kernel other than the Gaussian");
    return true;
}

static heed_tensor *apply_by_keys(const heed_op *op, heed__partitioned_regression *s,
                                  heed_tensor *const in[HEED_REGRESSION_INPUTS], int n_inputs)
{
    heed_tensor *f[2], *converted[HEED_REGRESSION_INPUTS];
    converted[HEED_QUERIES] = as_columns(in[HEED_QUERIES]);
    converted[HEED_WIDTH] = heed_to_dtype(in[HEED_WIDTH], HEED_F64);
    if (s->options.log_width) /* 1 / h, finite for any ln h */
        converted[HEED_WIDTH] = heed_exp(heed_clamp(heed_neg(converted[HEED_WIDTH]), -(double)INFINITY, 709.0));
    converted[HEED_KEYS] = as_columns(in[HEED_KEYS]);
    converted[HEED_VALUES] = as_columns(in[HEED_VALUES]);
    s->columns = converted[HEED_VALUES] ? heed_dim(converted[HEED_VALUES], 1) : 0;
    if (!heed_apply_all(op, converted, n_inputs, s, f))
        return NULL;
    heed_tensor *values = f[0] && heed_rank(in[HEED_VALUES]) == 1 ? heed_squeeze(f[0], 1) : f[0];
    return heed_to_dtype(values, heed_dtype_of(in[HEED_QUERIES]));
}

static heed_tensor *regress_by_keys(heed__partitioned_regression *s, heed_tensor *const in[HEED_REGRESSION_INPUTS])
{
    if (!heed__partitioned_regression_check(by_keys.name, in, &s->options))
        return NULL;
    heed_shape q = heed_shape_of(in[HEED_QUERIES]), k = heed_shape_of(in[HEED_KEYS]);
    if (k.rank != q.rank || k.dims[0] == 0)
        return heed_fail_null(HEED_ERR_SHAPE, by_keys.name,
                              "queries %s, keys %s: must be (n), (m), or (n, d), (m, d), with m at least 1",
                              heed_shape_text(q).s, heed_shape_text(k).s);
    return apply_by_keys(&by_keys, s, in, HEED_REGRESSION_INPUTS);
}

heed_tensor *heed_kernel_regression_by_keys(heed_comm *comm, int64_t shards, heed_tensor *queries, heed_tensor *keys,
                                            heed_tensor *values, heed_tensor *width,
                                            const heed_kernel_regression_options *options)
{
    HEED_ENTER(by_keys.name);
    heed__partitioned_regression s = {.comm = comm, .shards = shards};
    s.options = options ? *options : s.options;
    heed_scope *scope = check_keys_options(by_keys.name, comm, &s.options) ? heed_scope_begin() : NULL;
    return scope ? heed_scope_return(scope, regress_by_keys(&s, (heed_tensor *[]){queries, width, keys, values}))
                 : NULL;
}

/* Reads sample 0 of the dataset to check the shapes of keys and values, then applies the op. */
static heed_tensor *regress_by_data(heed__partitioned_regression *s, heed_tensor *queries, heed_tensor *width)
{
    const char *where = by_data.name;
    heed_tensor *first[HEED_DATASET_MAX], *number = heed_zeros(HEED_I64, HEED_SHAPE(1));
    if (!queries)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the queries are NULL");
    if (heed_dataset_tensors(s->data) < 2 || heed_dataset_size(s->data) < 1)
        return heed_fail_null(HEED_ERR_ARGUMENT, where,
                              "the dataset has %d tensors and %" PRId64
                              " samples: must have keys, values and at least 1 sample",
                              heed_dataset_tensors(s->data), heed_dataset_size(s->data));
    if (!number || heed_dataset_take(s->data, number, first) != HEED_OK) {
        heed__comm_give_up(s->comm);
        return NULL;
    }
    heed_dtype dtype = heed_dtype_of(queries);
    heed_tensor *in[] = {queries, width, heed_to_dtype(first[0], dtype), heed_to_dtype(first[1], dtype)};
    if (!in[HEED_KEYS] || !in[HEED_VALUES] || !heed__partitioned_regression_check(where, in, &s->options))
        return NULL;
    if (heed_rank(in[HEED_KEYS]) != heed_rank(queries))
        return heed_fail_null(HEED_ERR_SHAPE, where, "queries %s, one key %s: must be (n), (1), or (n, d), (1, d)",
                              heed_shape_text(heed_shape_of(queries)).s,
                              heed_shape_text(heed_shape_of(in[HEED_KEYS])).s);
    return apply_by_keys(&by_data, s, in, 2);
}

heed_tensor *heed_kernel_regression_by_data(heed_comm *comm, int64_t shards, heed_tensor *queries,
                                            const heed_dataset *data, heed_tensor *width,
                                            const heed_kernel_regression_options *options)
{
    HEED_ENTER(by_data.name);
    heed__partitioned_regression s = {.comm = comm, .shards = shards, .data = data};
    s.options = options ? *options : s.options;
    if (!data)
        return heed_fail_null(HEED_ERR_ARGUMENT, by_data.name, "the dataset is NULL");
    heed_scope *scope = check_keys_options(by_data.name, comm, &s.options) ? heed_scope_begin() : NULL;
    return scope ? heed_scope_return(scope, regress_by_data(&s, queries, width)) : NULL;
}
