/* team/exchange.c - sums along a tree over all shards, which are distributed over the processes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "team/exchange.h"

#include <math.h>

#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

/* -- Sums along the tree ------------------------------------------------------------------------------------------- */

void heed__tree_clear(heed__tree *tree)
{
    while (tree->n > 0)
        heed_release(tree->subtrees[--tree->n].sum);
}

/* Computes left = left + right and releases right. Returns false after heed_fail, with both unchanged. */
static bool merge_subtrees(heed__subtree *left, heed__subtree *right)
{
    if (!left->sum || !right->sum) {
        left->sum = left->sum ? left->sum : right->sum;
        right->sum = NULL;
        return true;
    }
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *sum = scope ? heed_retain(heed_add(left->sum, right->sum)) : NULL;
    if (scope)
        heed_scope_end(scope);
    if (!sum)
        return false;
    heed_release(left->sum);
    heed_release(right->sum);
    left->sum = sum;
    right->sum = NULL;
    return true;
}

static bool are_siblings(const heed__subtree *left, const heed__subtree *right)
{
    int64_t size = (int64_t)1 << left->level;
    return left->level == right->level && left->first % (2 * size) == 0 && right->first == left->first + size;
}

bool heed__tree_add(heed__tree *tree, heed__subtree subtree)
{
    tree->subtrees[tree->n++] = subtree;
    while (tree->n > 1 && are_siblings(&tree->subtrees[tree->n - 2], &tree->subtrees[tree->n - 1])) {
        heed__subtree *left = &tree->subtrees[tree->n - 2];
        if (!merge_subtrees(left, left + 1))
            return false;
        left->level++;
        tree->n--;
    }
    return true;
}

/* At the end of the tree a right half may be smaller than its left sibling, or missing. The remaining subtrees
 * therefore have descending levels, and the sum of all subtrees after one is that subtree's right sibling. */
bool heed__tree_finish(heed__tree *tree)
{
    for (; tree->n > 1; tree->n--)
        if (!merge_subtrees(&tree->subtrees[tree->n - 2], &tree->subtrees[tree->n - 1]))
            return false;
    return true;
}

/* Returns the level of the largest subtree that begins with shard `first` and ends with shard `last` - 1 or before. */
static int level_at(int64_t first, int64_t last)
{
    int level = 0;
    while (first % ((int64_t)2 << level) == 0 && first + ((int64_t)2 << level) <= last)
        level++;
    return level;
}

int heed__tree_count(int64_t first, int64_t last)
{
    int n = 0;
    for (; first < last; n++)
        first += (int64_t)1 << level_at(first, last);
    return n;
}

heed__subtree heed__tree_subtree(int64_t first, int64_t last, int k)
{
    for (; k > 0; k--)
        first += (int64_t)1 << level_at(first, last);
    return (heed__subtree){.level = level_at(first, last), .first = first};
}

/* -- Shards and spans ---------------------------------------------------------------------------------------------- */

int64_t heed__partition_begin(int64_t i, int64_t whole, int64_t received)
{
    return whole / received * i + whole % received * i / received;
}

heed__span heed__exchange_span(const heed__split *split, const heed__exchange *x, int process)
{
    const int64_t chunks = (x->length + HEED_CHUNK - 1) / HEED_CHUNK;
    const int64_t i = (process - x->rotation % split->processes + split->processes) % split->processes;
    const int64_t begin = heed__partition_begin(i, chunks, split->processes) * HEED_CHUNK,
                  end = heed__partition_begin(i + 1, chunks, split->processes) * HEED_CHUNK;
    return (heed__span){begin < x->length ? begin : x->length, end < x->length ? end : x->length};
}

static int64_t span_length(const heed__split *split, const heed__exchange *x)
{
    heed__span span = heed__exchange_span(split, x, split->rank);
    return span.end - span.begin;
}

void heed__exchange_clear(heed__exchange *x)
{
    heed__messages_drop(x->messages);
    heed_release(x->received);
    x->messages = NULL;
    x->received = NULL;
}

/* -- The subtrees of all processes --------------------------------------------------------------------------------- */

static bool has_samples(const heed__split *split, const heed__subtree *subtree)
{
    int64_t last = subtree->first + ((int64_t)1 << subtree->level);
    return heed__first_sample(split, subtree->first) < heed__first_sample(split, last);
}

static int count_subtrees(const heed__split *split, int process)
{
    return heed__tree_count(heed__first_shard(split, process), heed__first_shard(split, process + 1));
}

/* A subtree: the k-th one of process `from`. `row` counts the subtrees of all processes. If `from` is a different
 * process, x->received[row] receives this process's span of the subtree's sum. */
typedef struct subtree_cursor {
    int from, k;
    int64_t row;
    heed__subtree subtree;
} subtree_cursor;

#define BEFORE_FIRST_SUBTREE                                                                                           \
    {                                                                                                                  \
        .k = -1, .row = -1                                                                                             \
    }

/* Advances to the next subtree; returns false after the last. */
static bool next_subtree(const heed__split *split, subtree_cursor *cursor)
{
    cursor->row++;
    cursor->k++;
    for (; cursor->from < split->processes && cursor->k == count_subtrees(split, cursor->from); cursor->k = 0)
        cursor->from++;
    if (cursor->from == split->processes)
        return false;
    cursor->subtree = heed__tree_subtree(heed__first_shard(split, cursor->from),
                                         heed__first_shard(split, cursor->from + 1), cursor->k);
    return true;
}

/* -- Every owner sums its span ------------------------------------------------------------------------------------- */

/* Sends to every other process the span that it owns, cut from each of this process's subtrees. */
static bool send_subtrees(const heed__split *split, heed__exchange *x, const heed__tree *local)
{
    for (int step = 1; step < split->processes; step++) {
        int to = (split->rank + step) % split->processes;
        heed__span span = heed__exchange_span(split, x, to);
        for (int k = 0; k < local->n; k++) {
            heed_tensor *sum = local->subtrees[k].sum;
            if (sum && !heed__messages_send(x->messages, to, k, sum, span.begin, span.end))
                return false;
        }
    }
    return true;
}

/* Receives this process's span of the subtrees of all other processes, in the order of the processes and their
 * subtrees. */
static bool receive_subtrees(const heed__split *split, heed__exchange *x)
{
    const int64_t size = span_length(split, x);
    for (subtree_cursor cursor = BEFORE_FIRST_SUBTREE; next_subtree(split, &cursor);)
        if (cursor.from != split->rank && has_samples(split, &cursor.subtree) &&
            !heed__messages_receive(x->messages, cursor.from, cursor.k, x->received, cursor.row * size,
                                    (cursor.row + 1) * size))
            return false;
    return true;
}

bool heed__exchange_begin(const char *where, const heed__split *split, heed__exchange *x, const heed__tree *local)
{
    if (split->processes == 1)
        return true;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    int rows = 0;
    for (int process = 0; process < split->processes; process++)
        rows += count_subtrees(split, process);
    const int sends = local->n * (split->processes - 1);
    x->received = heed_retain(heed_empty(x->dtype, HEED_SHAPE(rows, span_length(split, x))));
    x->messages = x->received ? heed__messages_new(where, split->comm, rows + sends) : NULL;
    heed_scope_end(scope);
    return x->messages && receive_subtrees(split, x) && send_subtrees(split, x, local);
}

/* Returns the elements that this process owns of the sum of the subtree at `cursor`. The tensor is borrowed. */
static heed_tensor *span_of(const heed__split *split, const heed__exchange *x, const heed__tree *local,
                            const subtree_cursor *cursor)
{
    if (cursor->from != split->rank)
        return heed_select(x->received, 0, cursor->row);
    heed__span span = heed__exchange_span(split, x, split->rank);
    return heed_slice(local->subtrees[cursor->k].sum, 0, span.begin, span.end, 1);
}

/* Adds this process's span of the subtrees of all processes to `tree`, which completes the sum. Returns false after
 * heed_fail. */
static bool add_subtrees(const heed__split *split, const heed__exchange *x, const heed__tree *local, heed__tree *tree)
{
    for (subtree_cursor cursor = BEFORE_FIRST_SUBTREE; next_subtree(split, &cursor);) {
        if (has_samples(split, &cursor.subtree) &&
            !(cursor.subtree.sum = heed_retain(span_of(split, x, local, &cursor))))
            return false;
        if (!heed__tree_add(tree, cursor.subtree))
            return false;
    }
    return heed__tree_finish(tree);
}

static bool sum_span(const heed__split *split, heed__exchange *x, const heed__tree *local, heed_tensor **sum)
{
    heed__tree tree = {.n = 0};
    heed_scope *scope = heed_no_grad_begin();
    const bool ok = scope && add_subtrees(split, x, local, &tree);
    if (ok)
        *sum = heed_retain(tree.subtrees[0].sum);
    heed__tree_clear(&tree);
    if (scope)
        heed_scope_end(scope);
    return ok;
}

bool heed__exchange_sum(const heed__split *split, heed__exchange *x, heed__tree *local, heed_tensor **sum)
{
    *sum = NULL;
    if (split->processes > 1)
        return heed__exchange_end(split, x) && (span_length(split, x) == 0 || sum_span(split, x, local, sum));
    if (!heed__tree_finish(local))
        return false;
    *sum = heed_retain(local->subtrees[0].sum);
    return true;
}

/* -- Finding the process with non-finite values -------------------------------------------------------------------- */

bool heed__is_finite(const heed_tensor *t, int64_t begin, int64_t end)
{
    const float *f32 = heed_data_bytes(t);
    const double *f64 = heed_data_bytes(t);
    for (int64_t i = begin; i < end; i++)
        if (heed_dtype_of(t) == HEED_F32 ? !isfinite(f32[i]) : !isfinite(f64[i]))
            return false;
    return true;
}

static bool is_subtree_finite(const heed__split *split, const heed__exchange *x, const heed__tree *local,
                              const subtree_cursor *cursor)
{
    const heed__span span = heed__exchange_span(split, x, split->rank);
    const int64_t size = span.end - span.begin;
    return cursor->from == split->rank ? heed__is_finite(local->subtrees[cursor->k].sum, span.begin, span.end)
                                       : heed__is_finite(x->received, cursor->row * size, (cursor->row + 1) * size);
}

int heed__exchange_nonfinite_source(const heed__split *split, const heed__exchange *x, const heed__tree *local)
{
    if (split->processes == 1)
        return heed__is_finite(local->subtrees[0].sum, 0, x->length) ? -1 : 0;
    for (subtree_cursor cursor = BEFORE_FIRST_SUBTREE; next_subtree(split, &cursor);)
        if (has_samples(split, &cursor.subtree) && !is_subtree_finite(split, x, local, &cursor))
            return cursor.from;
    return -1;
}

/* -- Sending spans to all processes -------------------------------------------------------------------------------- */

static bool gather_spans(const heed__split *split, heed__exchange *x, heed_tensor *whole, int to)
{
    const heed__span local = heed__exchange_span(split, x, split->rank);
    const bool receives = to < 0 || to == split->rank;
    for (int step = 1; step < split->processes; step++) {
        const int other = (split->rank + step) % split->processes;
        const heed__span remote = heed__exchange_span(split, x, other);
        if (receives && !heed__messages_receive(x->messages, other, 0, whole, remote.begin, remote.end))
            return false;
        if ((to < 0 || to == other) && !heed__messages_send(x->messages, other, 0, whole, local.begin, local.end))
            return false;
    }
    return true;
}

bool heed__exchange_gather(const char *where, const heed__split *split, heed__exchange *x, heed_tensor *whole, int to)
{
    if (split->processes == 1)
        return true;
    x->messages = heed__messages_new(where, split->comm, 2 * (split->processes - 1));
    return x->messages && gather_spans(split, x, whole, to);
}

bool heed__exchange_end(const heed__split *split, heed__exchange *x)
{
    if (split->processes == 1)
        return true;
    heed__messages *messages = x->messages;
    x->messages = NULL;
    return heed__messages_finish(messages);
}

static heed_tensor *gather_whole(const char *where, const heed__split *split, heed__exchange *x, heed_tensor *span)
{
    const heed__span local = heed__exchange_span(split, x, split->rank);
    heed_tensor *whole = heed_empty(x->dtype, HEED_SHAPE(x->length));
    if (!whole || (span && heed_copy_(heed_slice(whole, 0, local.begin, local.end, 1), span) != HEED_OK))
        return NULL;
    return heed__exchange_gather(where, split, x, whole, -1) && heed__exchange_end(split, x) ? whole : NULL;
}

bool heed__exchange_all_reduce(const char *where, const heed__split *split, heed__exchange *x, heed__tree *local,
                               heed_tensor **whole)
{
    heed_tensor *span;
    if (!heed__exchange_sum(split, x, local, &span))
        return false;
    heed_scope *scope = heed_no_grad_begin();
    *whole = scope ? heed_retain(gather_whole(where, split, x, span)) : NULL;
    heed_release(span);
    if (scope)
        heed_scope_end(scope);
    return *whole != NULL;
}

enum { TAG_ROWS = 32766 }; /* a tag that no message of a subtree has */

bool heed__exchange_rows(const char *where, heed_comm *comm, heed_tensor *table)
{
    const int processes = heed_comm_size(comm), rank = heed_comm_rank(comm);
    const int64_t row = heed_numel(table) / processes;
    if (processes == 1)
        return true;
    heed__messages *messages = heed__messages_new(where, comm, 2 * (processes - 1));
    bool ok = messages != NULL;
    for (int step = 1; step < processes && ok; step++) {
        const int other = (rank + step) % processes;
        ok = heed__messages_receive(messages, other, TAG_ROWS, table, other * row, (other + 1) * row) &&
             heed__messages_send(messages, other, TAG_ROWS, table, rank * row, (rank + 1) * row);
    }
    return heed__messages_finish(messages) && ok;
}
