/* team/tree.c - sums along the complete binary tree over the shards. */

#include "team/tree.h"

#include <heed/ops.h>
#include <heed/scope.h>

void heed__tree_clear(heed__tree *tree)
{
    while (tree->n > 0)
        heed_release(tree->subtrees[--tree->n].sum);
}

/* Computes left = left + right and releases right. Returns false after heed_fail, with both unchanged. */
static bool add(heed__subtree *left, heed__subtree *right)
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
        if (!add(left, left + 1))
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
        if (!add(&tree->subtrees[tree->n - 2], &tree->subtrees[tree->n - 1]))
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
