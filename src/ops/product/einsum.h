/* ops/product/einsum.h - tensors whose axes have labels. */
#ifndef HEED_OPS_PRODUCT_EINSUM_H
#define HEED_OPS_PRODUCT_EINSUM_H

#include "ops/support.h"

/* Labels: the letters, A-Z and a-z, and the axes that "..." stands for, counted from the last. */
#define HEED__LETTERS 52
#define HEED__LABELS (HEED__LETTERS + HEED_MAX_RANK)

typedef struct heed__labelled {
    heed_tensor *x; /* NULL after heed_fail */
    int labels[HEED_MAX_RANK];
} heed__labelled;

/* The axes of one label made one, their diagonal; they are as long as each other. */
heed__labelled heed__label_once(heed__labelled a);

/* The product of a and b, each of whose axes of one label go together, one of size 1 with any. A label that is no
 * longer used is summed over. */
heed__labelled heed__labelled_product(heed__labelled a, heed__labelled b, const int uses[HEED__LABELS]);

/* a summed over the labels that are not used, with the axes of the others in this order. */
heed_tensor *heed__labelled_result(heed__labelled a, const int uses[HEED__LABELS], const int *labels, int n);

#endif
