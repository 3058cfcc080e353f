/* team/exchange.c - the sum over all shards, of which each process has some.
 *
 * Vectors are cut into chunks of 64 Ki elements, and each process owns a run of them. It gets the others' subtrees of its
 * chunks, goes on adding along the tree, and sends the sum to all: 2 (R - 1) / R of a vector leave a process where each has
 * one subtree. No process adds in another order than one alone would.
 */

#include "team/exchange.h"

#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

enum { CHUNK = 1 << 16 };

static const heed_dtype dtypes[HEED_SUMS] = {[HEED_SUM_F32] = HEED_F32, [HEED_SUM_F64] = HEED_F64};

/* One vector under way. */
typedef struct exchange {
    const char *where;
    heed_comm *comm;
    const heed__split *split;
    int rank, kind;
    int64_t length;     /* of the vector */
    int64_t begin, end; /* what this process owns of it */
} exchange;

int64_t heed__cut(int64_t i, int64_t whole, int64_t parts)
{
    return whole / parts * i + whole % parts * i / parts;
}

static int64_t owned_from(const exchange *x, int process)
{
    int64_t chunks = (x->length + CHUNK - 1) / CHUNK, from = heed__cut(process, chunks, x->split->processes) * CHUNK;
    return from < x->length ? from : x->length;
}

/* -- Whose subtrees there are -------------------------------------------------------------------------------------- */

static bool has_samples(const heed__split *split, const heed__subtree *subtree)
{
    int64_t last = subtree->first + ((int64_t)1 << subtree->level);
    return heed__first_sample(split, subtree->first) < heed__first_sample(split, last);
}

static int count_subtrees(const exchange *x, int process)
{
    return heed__tree_count(heed__first_shard(x->split, process), heed__first_shard(x->split, process + 1));
}

static heed__subtree subtree_of(const exchange *x, int process, int k)
{
    return heed__tree_subtree(heed__first_shard(x->split, process), heed__first_shard(x->split, process + 1), k);
}

static int count_all_subtrees(const exchange *x)
{
    int n = 0;
    for (int process = 0; process < x->split->processes; process++)
        n += count_subtrees(x, process);
    return n;
}

/* -- Each owner adds up its part ------------------------------------------------------------------------------------ */

/* Sends to every owner its part of this process's subtrees. */
static bool send_parts(const exchange *x, heed__messages *messages, const heed__tree *mine)
{
    for (int step = 1; step < x->split->processes; step++) {
        int to = (x->rank + step) % x->split->processes;
        int64_t begin = owned_from(x, to), end = owned_from(x, to + 1);
        for (int k = 0; k < mine->n; k++) {
            heed_tensor *sum = mine->subtrees[k].sum[x->kind];
            if (sum && !heed__messages_send(messages, to, k, sum, begin, end))
                return false;
        }
    }
    return true;
}

/* Receives the others' subtrees of this process's part, one row of `parts` each, in their order. */
static bool receive_parts(const exchange *x, heed__messages *messages, heed_tensor *parts)
{
    int64_t row = 0, size = x->end - x->begin;
    for (int from = 0; from < x->split->processes; from++)
        for (int k = 0; k < count_subtrees(x, from); k++, row++) {
            heed__subtree subtree = subtree_of(x, from, k);
            if (from != x->rank && has_samples(x->split, &subtree) &&
                !heed__messages_receive(messages, from, k, parts, row * size, (row + 1) * size))
                return false;
        }
    return true;
}

/* Goes on adding along the tree: the sum of this process's part; NULL where no shard has samples. */
static bool add_parts(const exchange *x, const heed__tree *mine, heed_tensor *parts, heed__tree *tree)
{
    int64_t row = 0;
    for (int from = 0; from < x->split->processes; from++)
        for (int k = 0; k < count_subtrees(x, from); k++, row++) {
            heed__subtree subtree = subtree_of(x, from, k);
            heed_tensor *part = NULL;
            if (has_samples(x->split, &subtree)) {
                part = from == x->rank ? heed_slice(mine->subtrees[k].sum[x->kind], 0, x->begin, x->end, 1)
                                       : heed_select(parts, 0, row);
                if (!part)
                    return false;
            }
            subtree.sum[x->kind] = heed_retain(part);
            if (!heed__tree_add(tree, subtree))
                return false;
        }
    return heed__tree_finish(tree);
}

static bool reduce(const exchange *x, const heed__tree *mine, heed__tree *tree)
{
    int rows = count_all_subtrees(x), sends = mine->n * (x->split->processes - 1);
    heed_tensor *parts = heed_empty(dtypes[x->kind], HEED_SHAPE(rows, x->end - x->begin));
    heed__messages *messages = parts ? heed__messages_new(x->where, x->comm, rows + sends) : NULL;
    bool ok = messages && receive_parts(x, messages, parts) && send_parts(x, messages, mine);
    ok = heed__messages_finish(messages) && ok;
    return ok && (x->begin == x->end || add_parts(x, mine, parts, tree));
}

/* -- All get all ----------------------------------------------------------------------------------------------------- */

static bool gather(const exchange *x, heed_tensor *whole)
{
    heed__messages *messages = heed__messages_new(x->where, x->comm, 2 * (x->split->processes - 1));
    bool ok = messages != NULL;
    for (int step = 1; step < x->split->processes && ok; step++) {
        int other = (x->rank + step) % x->split->processes;
        ok = heed__messages_receive(messages, other, 0, whole, owned_from(x, other), owned_from(x, other + 1)) &&
             heed__messages_send(messages, other, 0, whole, x->begin, x->end);
    }
    return heed__messages_finish(messages) && ok;
}

/* The whole sum, owned by the caller. */
static heed_tensor *exchange_one(const exchange *x, const heed__tree *mine)
{
    heed__tree tree = {.n = 0};
    heed_tensor *whole = heed_empty(dtypes[x->kind], HEED_SHAPE(x->length));
    bool ok = whole && reduce(x, mine, &tree);
    if (ok && x->begin < x->end)
        ok = heed_copy_(heed_slice(whole, 0, x->begin, x->end, 1), tree.subtrees[0].sum[x->kind]) == HEED_OK;
    ok = ok && gather(x, whole);
    heed__tree_clear(&tree);
    return ok ? heed_retain(whole) : NULL;
}

static bool exchange_all(const char *where, heed_comm *comm, const heed__split *split, const heed__tree *mine,
                         const int64_t length[HEED_SUMS], heed_tensor *whole[HEED_SUMS])
{
    for (int kind = 0; kind < HEED_SUMS; kind++) {
        if (length[kind] == 0)
            continue;
        exchange x = {where, comm, split, heed_comm_rank(comm), kind, length[kind], 0, 0};
        x.begin = owned_from(&x, x.rank);
        x.end = owned_from(&x, x.rank + 1);
        heed_scope *scope = heed_no_grad_begin();
        if (!scope)
            return false;
        whole[kind] = exchange_one(&x, mine);
        heed_scope_end(scope);
        if (!whole[kind])
            return false;
    }
    return true;
}

bool heed__exchange(const char *where, heed_comm *comm, const heed__split *split, heed__tree *mine,
                    const int64_t length[HEED_SUMS], heed_tensor *whole[HEED_SUMS])
{
    bool ok;
    if (split->processes == 1) {
        ok = heed__tree_finish(mine);
        for (int kind = 0; kind < HEED_SUMS && ok && mine->n > 0; kind++)
            whole[kind] = heed_retain(mine->subtrees[0].sum[kind]);
    } else {
        ok = split->samples == 0 || exchange_all(where, comm, split, mine, length, whole);
    }
    heed__tree_clear(mine);
    return ok;
}
