/* team/tree.h - sums along the complete binary tree over the shards 0 .. S - 1, independent of which process adds which
 * subtree.
 *
 *     S = 7:    ((0 + 1) + (2 + 3)) + ((4 + 5) + 6)
 *
 * Subtrees are added in order. Two siblings are combined as soon as both are present, as in a binary counter. A process
 * that adds shards 2, 3, 4 therefore has the subtrees 2 + 3 and 4 at the end. A process that receives these and the
 * subtrees of all other processes can continue the summation. */
#ifndef HEED_TEAM_TREE_H
#define HEED_TEAM_TREE_H

#include <heed/tensor.h>

/* The sum of the shards first .. first + 2^level - 1. */
typedef struct heed__subtree {
    int level;
    int64_t first;
    heed_tensor *sum; /* retained; NULL if all shards are empty */
} heed__subtree;

/* The subtrees that were added and not yet combined. Initialise it as {0}. */
typedef struct heed__tree {
    heed__subtree subtrees[64]; /* in order of ascending `first` and descending level */
    int n;
} heed__tree;

/* Adds `subtree`, which must begin after the last shard added, and takes ownership of its sum. Returns false after
 * heed_fail. */
bool heed__tree_add(heed__tree *tree, heed__subtree subtree);

/* Called after the last shard: combines the remaining subtrees into one. Returns false after heed_fail. */
bool heed__tree_finish(heed__tree *tree);

/* Releases all subtrees. */
void heed__tree_clear(heed__tree *tree);

/* Adding the shards first .. last - 1 results in heed__tree_count subtrees. heed__tree_subtree returns the k-th of
 * them, without its sum. */
int heed__tree_count(int64_t first, int64_t last);
heed__subtree heed__tree_subtree(int64_t first, int64_t last, int k);

#endif
