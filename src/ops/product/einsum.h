/* ops/product/einsum.h - tensors whose axes have labels. */
#ifndef HEED_OPS_PRODUCT_EINSUM_H
#define HEED_OPS_PRODUCT_EINSUM_H

#include "ops/support.h"

/* Labels: the letters A-Z and a-z, then the axes that "..." stands for, counted from the last. */
#define HEED__LETTERS 52
#define HEED__LABELS (HEED__LETTERS + HEED_MAX_RANK)

typedef struct heed__labelled {
    heed_tensor *x; /* NULL after heed_fail */
    int labels[HEED_MAX_RANK];
} heed__labelled;

/* Merges axes with the same label, which must have equal sizes, into their diagonal. */
heed__labelled heed__label_once(heed__labelled a);

/* The product of a and b. Axes with the same label are matched; an axis of size 1 matches any size. uses[label] is the
 * number of remaining uses of a label; labels without uses are summed over. */
heed__labelled heed__labelled_product(heed__labelled a, heed__labelled b, const int uses[HEED__LABELS]);

/* Sums a over the unused labels and orders the remaining axes as in `labels`. */
heed_tensor *heed__labelled_result(heed__labelled a, const int uses[HEED__LABELS], const int *labels, int n);

#endif
