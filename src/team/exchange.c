/* team/exchange.c - sums a vector over all shards, which are distributed over the processes. */

#include "team/exchange.h"

#include <math.h>

#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

int64_t heed__cut(int64_t i, int64_t whole, int64_t parts)
{
    return whole / parts * i + whole % parts * i / parts;
}

heed__run heed__exchange_run(const heed__split *split, const heed__exchange *x, int process)
{
    const int64_t chunks = (x->length + HEED_CHUNK - 1) / HEED_CHUNK;
    const int64_t i = (process - x->turn % split->processes + split->processes) % split->processes;
    const int64_t begin = heed__cut(i, chunks, split->processes) * HEED_CHUNK,
                  end = heed__cut(i + 1, chunks, split->processes) * HEED_CHUNK;
    return (heed__run){begin < x->length ? begin : x->length, end < x->length ? end : x->length};
}

static int64_t run_length(const heed__split *split, const heed__exchange *x)
{
    heed__run run = heed__exchange_run(split, x, split->rank);
    return run.end - run.begin;
}

void heed__exchange_clear(heed__exchange *x)
{
    heed__messages_drop(x->messages);
    heed_release(x->parts);
    x->messages = NULL;
    x->parts = NULL;
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

/* One of all subtrees: the k-th of process `from`. If it comes from a different process, its elements are in that row
 * of x->parts. */
typedef struct sent_part {
    int from, k;
    int64_t row;
    heed__subtree subtree;
} sent_part;

#define BEFORE_THE_FIRST                                                                                               \
    {                                                                                                                  \
        .k = -1, .row = -1                                                                                             \
    }

/* Advances to the next subtree; returns false after the last. */
static bool next_part(const heed__split *split, sent_part *part)
{
    part->row++;
    part->k++;
    for (; part->from < split->processes && part->k == count_subtrees(split, part->from); part->k = 0)
        part->from++;
    if (part->from == split->processes)
        return false;
    part->subtree =
        heed__tree_subtree(heed__first_shard(split, part->from), heed__first_shard(split, part->from + 1), part->k);
    return true;
}

static int count_all_subtrees(const heed__split *split)
{
    int n = 0;
    for (int process = 0; process < split->processes; process++)
        n += count_subtrees(split, process);
    return n;
}

/* -- Every owner sums its span ------------------------------------------------------------------------------------- */

/* Sends to every owner its span of this process's subtrees. */
static bool send_parts(const heed__split *split, heed__exchange *x, const heed__tree *mine)
{
    for (int step = 1; step < split->processes; step++) {
        int to = (split->rank + step) % split->processes;
        heed__run run = heed__exchange_run(split, x, to);
        for (int k = 0; k < mine->n; k++) {
            heed_tensor *sum = mine->subtrees[k].sum;
            if (sum && !heed__messages_send(x->messages, to, k, sum, run.begin, run.end))
                return false;
        }
    }
    return true;
}

/* Receives this process's span of the others' subtrees, in their order. */
static bool receive_parts(const heed__split *split, heed__exchange *x)
{
    const int64_t size = run_length(split, x);
    for (sent_part p = BEFORE_THE_FIRST; next_part(split, &p);)
        if (p.from != split->rank && has_samples(split, &p.subtree) &&
            !heed__messages_receive(x->messages, p.from, p.k, x->parts, p.row * size, (p.row + 1) * size))
            return false;
    return true;
}

bool heed__exchange_begin(const char *where, const heed__split *split, heed__exchange *x, const heed__tree *mine)
{
    if (split->processes == 1)
        return true;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    const int rows = count_all_subtrees(split), sends = mine->n * (split->processes - 1);
    x->parts = heed_retain(heed_empty(x->dtype, HEED_SHAPE(rows, run_length(split, x))));
    x->messages = x->parts ? heed__messages_new(where, split->comm, rows + sends) : NULL;
    heed_scope_end(scope);
    return x->messages && receive_parts(split, x) && send_parts(split, x, mine);
}

/* Returns this process's span of a subtree, borrowed. */
static heed_tensor *run_of(const heed__split *split, const heed__exchange *x, const heed__tree *mine,
                           const sent_part *part)
{
    if (part->from != split->rank)
        return heed_select(x->parts, 0, part->row);
    heed__run run = heed__exchange_run(split, x, split->rank);
    return heed_slice(mine->subtrees[part->k].sum, 0, run.begin, run.end, 1);
}

/* Continues the summation along the tree. */
static bool add_parts(const heed__split *split, const heed__exchange *x, const heed__tree *mine, heed__tree *tree)
{
    for (sent_part p = BEFORE_THE_FIRST; next_part(split, &p);) {
        if (has_samples(split, &p.subtree) && !(p.subtree.sum = heed_retain(run_of(split, x, mine, &p))))
            return false;
        if (!heed__tree_add(tree, p.subtree))
            return false;
    }
    return heed__tree_finish(tree);
}

static bool sum_run(const heed__split *split, heed__exchange *x, const heed__tree *mine, heed_tensor **sum)
{
    heed__tree tree = {.n = 0};
    heed_scope *scope = heed_no_grad_begin();
    const bool ok = scope && add_parts(split, x, mine, &tree);
    if (ok)
        *sum = heed_retain(tree.subtrees[0].sum);
    heed__tree_clear(&tree);
    if (scope)
        heed_scope_end(scope);
    return ok;
}

bool heed__exchange_sum(const heed__split *split, heed__exchange *x, heed__tree *mine, heed_tensor **sum)
{
    *sum = NULL;
    if (split->processes > 1)
        return heed__exchange_end(split, x) && (run_length(split, x) == 0 || sum_run(split, x, mine, sum));
    if (!heed__tree_finish(mine))
        return false;
    *sum = heed_retain(mine->subtrees[0].sum);
    return true;
}

/* -- Finding the process with non-finite values -------------------------------------------------------------------- */

#define ALL_FINITE(real, name)                                                                                         \
    static bool name(const real *x, int64_t n)                                                                         \
    {                                                                                                                  \
        for (int64_t i = 0; i < n; i++)                                                                                \
            if (!isfinite(x[i]))                                                                                       \
                return false;                                                                                          \
        return true;                                                                                                   \
    }

ALL_FINITE(float, are_finite_f32)
ALL_FINITE(double, are_finite_f64)

bool heed__is_finite(const heed_tensor *t, int64_t begin, int64_t end)
{
    return heed_dtype_of(t) == HEED_F32 ? are_finite_f32(heed_data_f32(t) + begin, end - begin)
                                        : are_finite_f64(heed_data_f64(t) + begin, end - begin);
}

static bool is_part_finite(const heed__split *split, const heed__exchange *x, const heed__tree *mine,
                           const sent_part *part)
{
    const heed__run run = heed__exchange_run(split, x, split->rank);
    const int64_t size = run.end - run.begin;
    return part->from == split->rank ? heed__is_finite(mine->subtrees[part->k].sum, run.begin, run.end)
                                     : heed__is_finite(x->parts, part->row * size, (part->row + 1) * size);
}

int heed__exchange_blame(const heed__split *split, const heed__exchange *x, const heed__tree *mine)
{
    if (split->processes == 1)
        return heed__is_finite(mine->subtrees[0].sum, 0, x->length) ? -1 : 0;
    for (sent_part p = BEFORE_THE_FIRST; next_part(split, &p);)
        if (has_samples(split, &p.subtree) && !is_part_finite(split, x, mine, &p))
            return p.from;
    return -1;
}

/* -- Sending spans to all processes -------------------------------------------------------------------------------- */

static bool spread(const heed__split *split, heed__exchange *x, heed_tensor *whole, int to)
{
    const heed__run mine = heed__exchange_run(split, x, split->rank);
    const bool receives = to < 0 || to == split->rank;
    for (int step = 1; step < split->processes; step++) {
        const int other = (split->rank + step) % split->processes;
        const heed__run theirs = heed__exchange_run(split, x, other);
        if (receives && !heed__messages_receive(x->messages, other, 0, whole, theirs.begin, theirs.end))
            return false;
        if ((to < 0 || to == other) && !heed__messages_send(x->messages, other, 0, whole, mine.begin, mine.end))
            return false;
    }
    return true;
}

bool heed__exchange_spread(const char *where, const heed__split *split, heed__exchange *x, heed_tensor *whole, int to)
{
    if (split->processes == 1)
        return true;
    x->messages = heed__messages_new(where, split->comm, 2 * (split->processes - 1));
    return x->messages && spread(split, x, whole, to);
}

bool heed__exchange_end(const heed__split *split, heed__exchange *x)
{
    if (split->processes == 1)
        return true;
    heed__messages *messages = x->messages;
    x->messages = NULL;
    return heed__messages_finish(messages);
}

static heed_tensor *whole_of(const char *where, const heed__split *split, heed__exchange *x, heed_tensor *run)
{
    const heed__run mine = heed__exchange_run(split, x, split->rank);
    heed_tensor *whole = heed_empty(x->dtype, HEED_SHAPE(x->length));
    if (!whole || (run && heed_copy_(heed_slice(whole, 0, mine.begin, mine.end, 1), run) != HEED_OK))
        return NULL;
    return heed__exchange_spread(where, split, x, whole, -1) && heed__exchange_end(split, x) ? whole : NULL;
}

bool heed__exchange_whole(const char *where, const heed__split *split, heed__exchange *x, heed__tree *mine,
                          heed_tensor **whole)
{
    heed_tensor *run;
    if (!heed__exchange_sum(split, x, mine, &run))
        return false;
    heed_scope *scope = heed_no_grad_begin();
    *whole = scope ? heed_retain(whole_of(where, split, x, run)) : NULL;
    heed_release(run);
    if (scope)
        heed_scope_end(scope);
    return *whole != NULL;
}

enum { TAG_ROWS = 32766 }; /* not the number of any subtree */

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
