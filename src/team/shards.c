/* team/shards.c - a pass over samples in shards: the work of this process. shards_collect.c combines the results.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "team/shards.h"

#include <inttypes.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

#include "base/mark.h"

#define MAX_SHARDS ((int64_t)1 << 20)

HEED_MARK_OUTLIVES_FREE(heed_shards);

static bool check_pass_live(const char *where, const heed_shards *pass)
{
    if (!pass)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the pass is NULL");
    return heed__is_marked(pass->mark, HEED_SHARDS) || heed_fail_freed(where, "the pass", pass);
}

bool heed__shards_check(const char *where, const heed_shards *pass)
{
    return check_pass_live(where, pass) && heed__comm_is_live(where, pass->split.comm);
}

/* -- Creation and freeing ------------------------------------------------------------------------------------------ */

heed_shards *heed_shards_new(heed_comm *comm, int64_t samples, int64_t shards)
{
    const char *where = "shards_new";
    HEED_ENTER(where);
    if (!heed__comm_is_live(where, comm))
        return NULL;
    int processes = heed_comm_size(comm), rank = heed_comm_rank(comm);
    if (samples < 1)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "%" PRId64 " samples: must be 1 or more", samples);
    if (shards != 0 && (shards < processes || shards > MAX_SHARDS))
        return heed_fail_null(HEED_ERR_ARGUMENT, where,
                              "%" PRId64 " shards: must be at least the number of processes, %d, and at most %" PRId64,
                              shards, processes, MAX_SHARDS);
    heed_shards *pass = heed_calloc(1, sizeof *pass);
    if (!pass)
        return NULL;
    pass->mark = HEED_MARK(HEED_SHARDS, 0);
    pass->split = (heed__split){.comm = comm,
                                .samples = samples,
                                .shards = shards > 0 ? shards : processes,
                                .processes = processes,
                                .rank = rank};
    pass->number = heed__comm_next_pass(comm);
    pass->next = heed__first_shard(&pass->split, rank);
    pass->last = heed__first_shard(&pass->split, rank + 1);
    pass->filled = heed__first_sample(&pass->split, pass->next);
    return pass;
}

static void release_columns(heed__columns *c)
{
    for (int i = 0; i < c->k; i++) {
        heed_release(c->t[i]);
        c->t[i] = NULL;
    }
}

void heed_shards_free(heed_shards *pass)
{
    if (!pass || !check_pass_live("shards_free", pass))
        return;
    release_columns(&pass->sums);
    release_columns(&pass->rows);
    for (int kind = 0; kind < HEED_SUMS; kind++)
        heed__tree_clear(&pass->trees[kind]);
    pass->mark = 0;
    heed_free(pass, sizeof *pass);
}

/* -- The end of a shard -------------------------------------------------------------------------------------------- */

/* Returns f64 (2 n): splits every i64 x = 2^32 h + l, with 0 <= l < 2^32, into h and l. Sums of up to 2^20 numbers h,
 * or of 2^20 numbers l, are exact in f64, so the tree only has to sum floats. */
static heed_tensor *as_floats(heed_tensor *t)
{
    int64_t n = heed_numel(t);
    heed_tensor *halves = heed_empty(HEED_F64, HEED_SHAPE(2 * n));
    double *to = heed_mutable_f64(halves);
    const int64_t *from = heed_data_i64(t);
    for (int64_t i = 0; to && i < n; i++) {
        int64_t low = (int64_t)((uint64_t)from[i] & UINT32_MAX);
        to[i] = (double)((from[i] - low) / ((int64_t)1 << 32));
        to[n + i] = (double)low;
    }
    return halves;
}

/* Concatenates the sums of a shard into two vectors, one of f32 and one of f64. */
static bool flatten(const heed__columns *sums, heed_tensor *vector[HEED_SUMS])
{
    for (int kind = 0; kind < HEED_SUMS; kind++) {
        heed_tensor *list[HEED_SHARDS_MAX];
        int n = 0;
        for (int i = 0; i < sums->k; i++) {
            if ((sums->dtype[i] == HEED_F32) != (kind == HEED_SUM_F32))
                continue;
            list[n] = sums->dtype[i] == HEED_I64 ? as_floats(sums->t[i]) : heed_reshape(sums->t[i], HEED_SHAPE(-1));
            if (!list[n++])
                return false;
        }
        vector[kind] = n > 0 ? heed_concat(list, n, 0) : NULL;
        if (n > 0 && !vector[kind])
            return false;
    }
    return true;
}

/* Adds the next shard to the trees. vector[kind] is its vector of that kind, or NULL for an empty shard. Returns false
 * after heed_fail. */
static bool add_to_trees(heed_shards *pass, heed_tensor *const vector[HEED_SUMS])
{
    bool ok = true;
    for (int kind = 0; kind < HEED_SUMS && ok; kind++)
        ok = heed__tree_add(&pass->trees[kind], (heed__subtree){.first = pass->next, .sum = heed_retain(vector[kind])});
    return ok;
}

static bool add_sums(heed_shards *pass)
{
    heed_tensor *vector[HEED_SUMS] = {NULL};
    heed_scope *scope = heed_no_grad_begin();
    const bool ok = scope && flatten(&pass->sums, vector) && add_to_trees(pass, vector);
    if (scope)
        heed_scope_end(scope);
    return ok;
}

static bool close_shard(heed_shards *pass)
{
    const char *where = "shards_next";
    if (pass->sums.k > 0 && !pass->sums.t[0])
        return heed_fail_false(HEED_ERR_STATE, where,
                               "shard %" PRId64 " has no sums, but earlier shards have: call heed_shards_add",
                               pass->next);
    if (pass->rows.k > 0 && pass->filled < pass->end)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "shard %" PRId64 " has %" PRId64 " of its %" PRId64
                               " rows: call heed_shards_put for the others",
                               pass->next, pass->filled - pass->begin, pass->end - pass->begin);
    pass->failed = !add_sums(pass);
    if (pass->failed)
        return false;
    release_columns(&pass->sums);
    pass->shard_open = false;
    pass->any_complete = true;
    pass->next++;
    return true;
}

bool heed_shards_next(heed_shards *pass, int64_t *begin, int64_t *end)
{
    const char *where = "shards_next";
    HEED_ENTER(where);
    if (!heed__shards_check(where, pass))
        return false;
    if (!begin || !end)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is NULL", begin ? "end" : "begin");
    if (pass->failed)
        return heed_fail_false(HEED_ERR_STATE, where, "shard %" PRId64 " has failed", pass->next);
    if (pass->shard_open && !close_shard(pass))
        return false;
    for (; pass->next < pass->last; pass->next++) {
        pass->begin = heed__first_sample(&pass->split, pass->next);
        pass->end = heed__first_sample(&pass->split, pass->next + 1);
        pass->shard_open = pass->begin < pass->end;
        if (pass->shard_open)
            break;
        pass->failed = !add_to_trees(pass, (heed_tensor *[HEED_SUMS]){NULL});
        if (pass->failed)
            return false;
    }
    *begin = pass->begin;
    *end = pass->end;
    return pass->shard_open;
}

/* -- heed_shards_add and heed_shards_put --------------------------------------------------------------------------- */

static bool check_shard_tensor(const char *where, int i, const heed_tensor *t)
{
    if (!t)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "tensor %d is NULL", i);
    if (heed_dtype_of(t) == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, where, "tensor %d is bool: must be f32, f64 or i64", i);
    return true;
}

/* Returns the shape that must be the same in all calls: the shape of t, without the first axis if `rows`. */
static heed_shape column_shape(const heed_tensor *t, bool rows)
{
    const heed_shape whole = heed_shape_of(t);
    heed_shape row = {.rank = whole.rank - 1};
    memcpy(row.dims, whole.dims + 1, sizeof row.dims - sizeof row.dims[0]);
    return rows ? row : whole;
}

/* Checks that dtypes and shapes match the first call, which records them. Returns false after heed_fail. */
static bool check_matches(const char *where, heed__columns *c, heed_tensor *const *list, int k, bool rows)
{
    if (c->k > 0 && k != c->k)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%d tensors: must be %d, as in the first call", k, c->k);
    for (int i = 0; i < k; i++) {
        heed_shape shape = column_shape(list[i], rows);
        if (c->k == 0) {
            c->dtype[i] = heed_dtype_of(list[i]);
            c->shape[i] = shape;
        } else if (heed_dtype_of(list[i]) != c->dtype[i]) {
            return heed_fail_false(HEED_ERR_DTYPE, where, "tensor %d is %s, but was %s in the first call", i,
                                   heed_dtype_name(heed_dtype_of(list[i])), heed_dtype_name(c->dtype[i]));
        } else if (!heed_shape_equal(shape, c->shape[i])) {
            return heed_fail_false(HEED_ERR_SHAPE, where, "tensor %d has %s%s, but had %s in the first call", i,
                                   rows ? "rows " : "shape ", heed_shape_text(shape).s, heed_shape_text(c->shape[i]).s);
        }
    }
    return true;
}

static bool check_call(const char *where, const heed_shards *pass, heed_tensor *const *list, int k)
{
    if (!heed__shards_check(where, pass))
        return false;
    if (!list)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the list of tensors is NULL");
    if (k < 1 || k > HEED_SHARDS_MAX)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%d tensors: must be 1 to %d", k, HEED_SHARDS_MAX);
    if (!pass->shard_open)
        return heed_fail_false(HEED_ERR_STATE, where, "no shard is open: call heed_shards_next first");
    for (int i = 0; i < k; i++)
        if (!check_shard_tensor(where, i, list[i]))
            return false;
    return true;
}

/* Returns a + b, or a copy of b if a, the previous sum, is NULL. Never returns b itself, because the user may change b
 * later. */
static heed_tensor *accumulate(heed_tensor *a, heed_tensor *b)
{
    if (!a)
        return heed_contiguous(heed_clone(b));
    if (heed_dtype_of(a) != HEED_I64)
        return heed_add(a, b);
    heed_tensor *sum = heed_contiguous(heed_clone(b));
    int64_t *to = heed_mutable_i64(sum);
    for (int64_t i = 0; to && i < heed_numel(sum); i++)
        to[i] = (int64_t)((uint64_t)to[i] + (uint64_t)heed_data_i64(a)[i]);
    return sum;
}

heed_status heed_shards_add(heed_shards *pass, heed_tensor *const *terms, int k)
{
    const char *where = "shards_add";
    HEED_ENTER(where);
    if (!check_call(where, pass, terms, k))
        return heed_error_code();
    heed__columns *sums = &pass->sums;
    if (sums->k == 0 && pass->any_complete)
        return heed_fail(HEED_ERR_STATE, where, "shard %" PRId64 " has sums, but earlier shards have none", pass->next);
    if (!check_matches(where, sums, terms, k, false))
        return heed_error_code();
    heed_tensor *sum[HEED_SHARDS_MAX];
    heed_scope *scope = heed_no_grad_begin();
    bool ok = scope != NULL;
    for (int i = 0; i < k && ok; i++)
        ok = (sum[i] = accumulate(sums->k > 0 ? sums->t[i] : NULL, terms[i])) != NULL;
    for (int i = 0; i < k && ok; i++) {
        heed_release(sums->t[i]);
        sums->t[i] = heed_retain(sum[i]);
    }
    if (ok)
        sums->k = k;
    if (scope)
        heed_scope_end(scope);
    return ok ? HEED_OK : heed_error_code();
}

/* Returns m, the number of samples in `rows`, k tensors (m, ...), or -1 after heed_fail. */
static int64_t count_rows(const char *where, const heed_shards *pass, heed_tensor *const *rows, int k)
{
    int64_t remaining = pass->end - pass->filled;
    for (int i = 0; i < k; i++) {
        if (heed_rank(rows[i]) > 0 && heed_dim(rows[i], 0) == heed_dim(rows[0], 0) && heed_dim(rows[i], 0) <= remaining)
            continue;
        heed_fail(HEED_ERR_SHAPE, where,
                  "tensor %d is %s: must be (m, ...), with the same m for all and at most the %" PRId64
                  " remaining samples",
                  i, heed_shape_text(heed_shape_of(rows[i])).s, remaining);
        return -1;
    }
    return heed_dim(rows[0], 0);
}

heed_status heed_shards_put(heed_shards *pass, heed_tensor *const *rows, int k)
{
    const char *where = "shards_put";
    HEED_ENTER(where);
    if (!check_call(where, pass, rows, k))
        return heed_error_code();
    if (pass->filled < pass->begin)
        return heed_fail(HEED_ERR_STATE, where, "shard %" PRId64 " has rows, but earlier shards have none", pass->next);
    int64_t n = count_rows(where, pass, rows, k);
    if (n < 0 || !check_matches(where, &pass->rows, rows, k, true))
        return heed_error_code();
    heed_scope *scope = heed_no_grad_begin();
    int known = pass->rows.k;
    pass->rows.k = k;
    bool ok = scope && heed__shards_make_rows(pass);
    if (!ok && known == 0) {
        release_columns(&pass->rows);
        pass->rows.k = 0;
    }
    for (int i = 0; i < k && ok; i++)
        ok = heed_copy_(heed_slice(pass->rows.t[i], 0, pass->filled, pass->filled + n, 1), rows[i]) == HEED_OK;
    pass->filled += ok ? n : 0;
    if (scope)
        heed_scope_end(scope);
    return ok ? HEED_OK : heed_error_code();
}
