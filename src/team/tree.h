/* team/tree.h - sums along the complete binary tree over the shards 0 .. S - 1, the same whoever adds which part.
 *
 *     S = 7:    ((0 + 1) + (2 + 3)) + ((4 + 5) + 6)
 *
 * Subtrees come in order. As in a binary counter, two siblings are added as soon as both are there; so a process that
 * adds shards 2, 3, 4 is left with 2 + 3 and 4, and whoever gets these and the others' can go on from there.
 */
#ifndef HEED_TEAM_TREE_H
#define HEED_TEAM_TREE_H

#include <heed/tensor.h>

/* The sum of the shards first .. first + 2^level - 1. */
typedef struct heed__subtree {
    int level;
    int64_t first;
    heed_tensor *sum; /* retained; NULL where there is nothing to add */
} heed__subtree;

/* Starts as {0}. */
typedef struct heed__tree {
    heed__subtree subtrees[64]; /* by rising `first` and falling level */
    int n;
} heed__tree;

/* Takes `subtree` over, which follows the last one. False after heed_fail. */
bool heed__tree_add(heed__tree *tree, heed__subtree subtree);

/* Adds up what is left when the last shard has come: one subtree stays. False after heed_fail. */
bool heed__tree_finish(heed__tree *tree);

/* Releases all. */
void heed__tree_clear(heed__tree *tree);

/* The subtrees that are left when the shards first .. last - 1 have been added: how many, and where the k-th begins and
 * its level. */
int heed__tree_count(int64_t first, int64_t last);
heed__subtree heed__tree_subtree(int64_t first, int64_t last, int k);

#endif
