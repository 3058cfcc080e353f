/* team/shards_collect.c - the end of a pass over shards: sums over all processes, and the rows of all samples.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "team/shards.h"

/* The numbers that every process sends before it sums or gathers, as a row of i64. */
typedef struct agreement {
    int64_t passes; /* number of earlier passes */
    int64_t samples, shards;
    int64_t gathers; /* 1 for heed_shards_gather, 0 for heed_shards_sum */
    int64_t tensors;
    int64_t has_columns; /* 1 if the process has samples and therefore knows `columns`, which are 0 otherwise */
    struct {
        int64_t dtype, rank, dims[HEED_MAX_RANK];
    } columns[HEED_SHARDS_MAX];
} agreement;

enum { NUMBERS = sizeof(agreement) / sizeof(int64_t) };

typedef struct collection {
    const char *where;
    heed_shards *pass;
    heed__columns *columns; /* sums or rows */
    int k;
} collection;

/* -- Rows of all processes ----------------------------------------------------------------------------------------- */

/* Gathers the rows of all samples in `whole` (n, row): every process has filled in the rows of its own samples and
 * receives all other rows. Returns false after heed_fail. */
static bool gather_whole_rows(const char *where, const heed__split *split, heed_tensor *whole, int64_t row)
{
    const int rank = split->rank, processes = split->processes;
    heed__messages *messages = heed__messages_new(where, split->comm, 2 * (processes - 1));
    bool ok = messages != NULL;
    int64_t begin = heed__first_sample(split, heed__first_shard(split, rank)),
            end = heed__first_sample(split, heed__first_shard(split, rank + 1));
    for (int step = 1; step < processes && ok; step++) {
        int other = (rank + step) % processes;
        int64_t from = heed__first_sample(split, heed__first_shard(split, other)),
                to = heed__first_sample(split, heed__first_shard(split, other + 1));
        ok = heed__messages_receive(messages, other, 0, whole, from * row, to * row) &&
             heed__messages_send(messages, other, 0, whole, begin * row, end * row);
    }
    return heed__messages_finish(messages) && ok;
}

/* -- Checking that all processes agree ----------------------------------------------------------------------------- */

static void write_agreement(const collection *c, agreement *row)
{
    const heed__columns *columns = c->columns;
    row->passes = c->pass->number;
    row->samples = c->pass->split.samples;
    row->shards = c->pass->split.shards;
    row->gathers = columns == &c->pass->rows;
    row->tensors = c->k;
    row->has_columns = columns->k > 0;
    for (int i = 0; i < columns->k; i++) {
        row->columns[i].dtype = columns->dtype[i];
        row->columns[i].rank = columns->shape[i].rank;
        memcpy(row->columns[i].dims, columns->shape[i].dims, sizeof(int64_t) * (size_t)columns->shape[i].rank);
    }
}

/* Reads dtypes and shapes from the row of a process that has samples, for a process that has none. */
static void adopt_columns(heed__columns *columns, int k, const agreement *row)
{
    for (int i = 0; i < k; i++) {
        columns->dtype[i] = (heed_dtype)row->columns[i].dtype;
        columns->shape[i] = (heed_shape){.rank = (int)row->columns[i].rank};
        memcpy(columns->shape[i].dims, row->columns[i].dims, sizeof(int64_t) * (size_t)row->columns[i].rank);
    }
    columns->k = k;
}

/* A number that must be the same in all processes. */
typedef struct shared_number {
    const char *name; /* NULL for `gathers` */
    size_t offset;    /* in the agreement */
} shared_number;

static int64_t read_shared_number(const agreement *row, const shared_number *number)
{
    int64_t value;
    memcpy(&value, (const char *)row + number->offset, sizeof value);
    return value;
}

/* Calls heed_fail because a number has the value `expected` in process 0 and `found` in `process`. Returns false. */
static bool fail_number(const char *where, const char *name, int64_t expected, int process, int64_t found)
{
    if (!name)
        return heed_fail_false(HEED_ERR_STATE, where, "process 0 calls heed_shards_%s, process %d heed_shards_%s",
                               expected ? "gather" : "sum", process, found ? "gather" : "sum");
    return heed_fail_false(HEED_ERR_STATE, where,
                           "the number of %s differs: process 0 has %" PRId64 ", process %d has %" PRId64, name,
                           expected, process, found);
}

/* Compares the rows of all processes. */
static bool check_agreement(const collection *c, const agreement *rows)
{
    static const shared_number numbers[] = {{"earlier passes", offsetof(agreement, passes)},
                                            {"samples", offsetof(agreement, samples)},
                                            {"shards", offsetof(agreement, shards)},
                                            {NULL, offsetof(agreement, gathers)},
                                            {"tensors", offsetof(agreement, tensors)}};
    int processes = c->pass->split.processes, first = 0;
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        for (int i = 1; i < processes; i++) {
            const int64_t expected = read_shared_number(&rows[0], &numbers[k]),
                          found = read_shared_number(&rows[i], &numbers[k]);
            if (found != expected)
                return fail_number(c->where, numbers[k].name, expected, i, found);
        }
    while (!rows[first].has_columns) /* ends: at least one process has samples */
        first++;
    for (int i = first + 1; i < processes; i++)
        if (rows[i].has_columns && memcmp(rows[i].columns, rows[first].columns, sizeof rows[i].columns) != 0)
            return heed_fail_false(HEED_ERR_STATE, c->where,
                                   "shapes or dtypes differ between process %d and process %d", first, i);
    if (c->columns->k == 0)
        adopt_columns(c->columns, c->k, &rows[first]);
    return true;
}

static bool check_consistency(const collection *c)
{
    const heed__split *split = &c->pass->split;
    if (split->processes == 1)
        return true;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *all = scope ? heed_zeros(HEED_I64, HEED_SHAPE(split->processes, NUMBERS)) : NULL;
    agreement *rows = all ? (agreement *)(void *)heed_mutable_i64(all) : NULL;
    if (rows)
        write_agreement(c, &rows[split->rank]);
    bool ok = rows && heed__exchange_rows(c->where, split->comm, all) && check_agreement(c, rows);
    if (scope)
        heed_scope_end(scope);
    return ok;
}

/* -- Sums ---------------------------------------------------------------------------------------------------------- */

static int64_t element_count(const heed__columns *sums, int i)
{
    return heed__column_size(sums, i) * (sums->dtype[i] == HEED_I64 ? 2 : 1);
}

/* Combines the halves h and l that as_floats (team/shards.c) wrote to i64 numbers. */
static heed_tensor *as_integers(heed_tensor *slice)
{
    int64_t n = heed_numel(slice) / 2;
    heed_tensor *t = heed_empty(HEED_I64, HEED_SHAPE(n));
    int64_t *to = heed_mutable_i64(t);
    const double *from = heed_data_f64(slice);
    for (int64_t i = 0; to && i < n; i++)
        to[i] = (int64_t)(((uint64_t)(int64_t)from[i] << 32) + (uint64_t)(int64_t)from[n + i]);
    return t;
}

static bool split_sums(const heed__columns *sums, heed_tensor *const whole[HEED_SUMS], heed_tensor **out)
{
    int64_t at[HEED_SUMS] = {0};
    for (int i = 0; i < sums->k; i++) {
        heed_scope *scope = heed_scope_begin();
        if (!scope)
            return false;
        int kind = sums->dtype[i] == HEED_F32 ? HEED_SUM_F32 : HEED_SUM_F64;
        int64_t from = at[kind];
        at[kind] += element_count(sums, i);
        heed_tensor *slice = heed_clone(heed_slice(whole[kind], 0, from, at[kind], 1));
        if (slice && sums->dtype[i] == HEED_I64)
            slice = as_integers(slice);
        out[i] = heed_scope_return(scope, heed_reshape(slice, sums->shape[i]));
        if (!out[i])
            return false;
    }
    return true;
}

/* Sets *whole to the sum over all shards of the vector of one kind, owned by the caller. Returns false after
 * heed_fail. */
static bool sum_vector(const collection *c, heed__tree *tree, heed_dtype dtype, int64_t length, heed_tensor **whole)
{
    const heed__split *split = &c->pass->split;
    heed__exchange x = {.dtype = dtype, .length = length};
    const bool ok =
        heed__exchange_begin(c->where, split, &x, tree) && heed__exchange_all_reduce(c->where, split, &x, tree, whole);
    heed__exchange_clear(&x);
    return ok;
}

static bool sum_columns(const collection *c, heed_tensor **out)
{
    static const heed_dtype dtypes[HEED_SUMS] = {[HEED_SUM_F32] = HEED_F32, [HEED_SUM_F64] = HEED_F64};
    int64_t length[HEED_SUMS] = {0};
    heed_tensor *whole[HEED_SUMS] = {NULL};
    for (int i = 0; i < c->k; i++)
        length[c->columns->dtype[i] == HEED_F32 ? HEED_SUM_F32 : HEED_SUM_F64] += element_count(c->columns, i);
    bool ok = true;
    for (int kind = 0; kind < HEED_SUMS && ok; kind++)
        ok = length[kind] == 0 || sum_vector(c, &c->pass->trees[kind], dtypes[kind], length[kind], &whole[kind]);
    ok = ok && split_sums(c->columns, whole, out);
    for (int kind = 0; kind < HEED_SUMS; kind++)
        heed_release(whole[kind]);
    return ok;
}

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

bool heed__shards_make_rows(heed_shards *pass)
{
    heed__columns *rows = &pass->rows;
    for (int i = 0; i < rows->k; i++) {
        heed_shape shape = rows->shape[i], whole = {.rank = shape.rank + 1, .dims = {pass->split.samples}};
        memcpy(whole.dims + 1, shape.dims, sizeof(int64_t) * (size_t)shape.rank);
        if (!rows->t[i] && !(rows->t[i] = heed_retain(heed_empty(rows->dtype[i], whole))))
            return false;
    }
    return true;
}

static bool gather_rows(const collection *c, heed_tensor **out)
{
    heed_shards *pass = c->pass;
    if (!heed__shards_make_rows(pass))
        return false;
    for (int i = 0; i < c->k; i++) {
        int64_t row = heed__column_size(c->columns, i);
        if (pass->split.processes > 1 && !gather_whole_rows(c->where, &pass->split, c->columns->t[i], row))
            return false;
        if (!(out[i] = heed_detach(c->columns->t[i])))
            return false;
    }
    return true;
}

/* -- Common to both ------------------------------------------------------------------------------------------------ */

static bool check_collection(const collection *c, heed_tensor *const *out)
{
    const heed_shards *pass = c->pass;
    const char *what = c->columns == &pass->rows ? "rows" : "sums";
    if (!out)
        return heed_fail_false(HEED_ERR_ARGUMENT, c->where, "%s is NULL", what);
    if (c->k < 1 || c->k > HEED_SHARDS_MAX)
        return heed_fail_false(HEED_ERR_ARGUMENT, c->where, "%d tensors: must be 1 to %d", c->k, HEED_SHARDS_MAX);
    if (pass->failed || pass->shard_open || pass->next < pass->last)
        return heed_fail_false(HEED_ERR_STATE, c->where,
                               "shard %" PRId64 " is not finished: call heed_shards_next until it returns false",
                               pass->next);
    if (c->columns->collected)
        return heed_fail_false(HEED_ERR_STATE, c->where, "the %s have already been returned", what);
    if (c->columns->k != c->k && (c->columns->k > 0 || pass->any_complete))
        return heed_fail_false(HEED_ERR_ARGUMENT, c->where, "%d %s are requested, but the shards have %d", c->k, what,
                               c->columns->k);
    return true;
}

/* Checks that all processes agree, calls `combine` and stores its results in `out`; they belong to the innermost
 * scope. */
static heed_status collect_columns(const collection *c, heed_tensor **out,
                                   bool (*combine)(const collection *, heed_tensor **))
{
    if (out && c->k >= 1 && c->k <= HEED_SHARDS_MAX)
        memset(out, 0, (size_t)c->k * sizeof *out);
    heed_tensor *results[HEED_SHARDS_MAX];
    if (!check_collection(c, out))
        return heed_error_code();
    if (!check_consistency(c) || !combine(c, results)) {
        heed__comm_notify_failure(c->pass->split.comm);
        return heed_error_code();
    }
    memcpy(out, results, (size_t)c->k * sizeof *out);
    c->columns->collected = true;
    return HEED_OK;
}

heed_status heed_shards_sum(heed_shards *pass, heed_tensor **sums, int k)
{
    const char *where = "shards_sum";
    HEED_ENTER(where);
    if (!heed__shards_check(where, pass))
        return heed_error_code();
    return collect_columns(&(collection){where, pass, &pass->sums, k}, sums, sum_columns);
}

heed_status heed_shards_gather(heed_shards *pass, heed_tensor **rows, int k)
{
    const char *where = "shards_gather";
    HEED_ENTER(where);
    if (!heed__shards_check(where, pass))
        return heed_error_code();
    return collect_columns(&(collection){where, pass, &pass->rows, k}, rows, gather_rows);
}
