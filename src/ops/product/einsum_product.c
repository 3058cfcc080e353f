/* ops/product/einsum_product.c - tensors whose axes have labels: diagonals, sums and products. See einsum.h. */

#include "ops/product/einsum.h"

static int axis_of(const heed__labelled *a, int label)
{
    for (int axis = 0; a->x && axis < a->x->shape.rank; axis++)
        if (a->labels[axis] == label)
            return axis;
    return -1;
}

/* Removes the label of an axis that no longer exists. */
static void drop_label(heed__labelled *a, int axis, int rank)
{
    for (int i = axis; i + 1 < rank; i++)
        a->labels[i] = a->labels[i + 1];
}

heed__labelled heed__label_once(heed__labelled a)
{
    for (int axis = 0; a.x && axis < a.x->shape.rank; axis++) {
        int label = a.labels[axis], first = axis_of(&a, label), rank = a.x->shape.rank;
        if (first == axis)
            continue;
        a.x = heed_diagonal(a.x, 0, first, axis);
        drop_label(&a, axis, rank);
        drop_label(&a, first, rank - 1);
        a.labels[rank - 2] = label;
        axis = -1; /* start over */
    }
    return a;
}

/* Sums a over the labels that have no remaining uses and that `other` lacks. */
static void sum_unused(heed__labelled *a, const heed__labelled *other, const int *uses)
{
    heed_shape axes = {.rank = 0};
    int kept = 0;
    for (int axis = 0; a->x && axis < a->x->shape.rank; axis++) {
        int label = a->labels[axis];
        if (uses[label] == 0 && axis_of(other, label) < 0)
            axes.dims[axes.rank++] = axis;
        else
            a->labels[kept++] = label;
    }
    if (axes.rank > 0)
        a->x = heed_sum_axes(a->x, axes, false);
}

/* Removes the axes of size 1 from a whose labels have larger axes in b. */
static void squeeze_shorter(heed__labelled *a, const heed__labelled *b)
{
    for (int axis = 0; a->x && b->x && axis < a->x->shape.rank; axis++) {
        int axis_b = axis_of(b, a->labels[axis]), rank = a->x->shape.rank;
        if (axis_b < 0 || a->x->shape.dims[axis] != 1 || b->x->shape.dims[axis_b] == 1)
            continue;
        a->x = heed_squeeze(a->x, axis);
        drop_label(a, axis--, rank);
    }
}

/* Labels whose axes are merged into one. */
typedef struct group {
    int n, labels[HEED_MAX_RANK];
    int64_t size;
} group;

/* Returns the labels of a that b has (if `shared`) or lacks, and that have remaining uses (if `used`) or none. */
static group labels_of(const heed__labelled *a, const heed__labelled *b, bool shared, bool used, const int *uses)
{
    group g = {.size = 1};
    for (int axis = 0; axis < a->x->shape.rank; axis++) {
        int label = a->labels[axis];
        if ((axis_of(b, label) >= 0) != shared || (uses[label] > 0) != used)
            continue;
        g.labels[g.n++] = label;
        g.size *= a->x->shape.dims[axis];
    }
    return g;
}

/* Returns a->x with the axes of every group merged: (first, second, third). The result is a view if the axes of each
 * group are adjacent in memory. */
static heed_tensor *as_batch(const heed__labelled *a, const group *first, const group *second, const group *third)
{
    const group *groups[] = {first, second, third};
    heed_shape order = {.rank = 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < groups[i]->n; j++)
            order.dims[order.rank++] = axis_of(a, groups[i]->labels[j]);
    return heed_reshape(heed_permute(a->x, order), HEED_SHAPE(first->size, second->size, third->size));
}

static heed_tensor *multiply(const heed__labelled *a, const heed__labelled *b, const group *batch, const group *rows,
                             const group *summed, const group *columns)
{
    static const group none = {.size = 1};
    if (summed->n == 0)
        return heed_mul(as_batch(a, batch, rows, &none), as_batch(b, batch, &none, columns));
    return heed_bmm(as_batch(a, batch, rows, summed), as_batch(b, batch, summed, columns));
}

/* Appends the group's labels to the labels of y, and the sizes of their axes in `from` to *shape. */
static void ungroup(heed__labelled *y, const heed__labelled *from, const group *g, heed_shape *shape)
{
    for (int i = 0; i < g->n; i++) {
        y->labels[shape->rank] = g->labels[i];
        shape->dims[shape->rank++] = from->x->shape.dims[axis_of(from, g->labels[i])];
    }
}

heed__labelled heed__labelled_product(heed__labelled a, heed__labelled b, const int uses[HEED__LABELS])
{
    heed__labelled y = {.x = NULL};
    heed_shape shape = {.rank = 0};
    squeeze_shorter(&a, &b);
    squeeze_shorter(&b, &a);
    sum_unused(&a, &b, uses);
    sum_unused(&b, &a, uses);
    if (!a.x || !b.x)
        return y;
    group batch = labels_of(&a, &b, true, true, uses), summed = labels_of(&a, &b, true, false, uses);
    group rows = labels_of(&a, &b, false, true, uses), columns = labels_of(&b, &a, false, true, uses);
    if (batch.n + rows.n + columns.n > HEED_MAX_RANK) {
        heed_fail(HEED_ERR_SHAPE, "einsum", "the product of %s and %s has %d axes: must have at most %d",
                  heed_shape_text(a.x->shape).s, heed_shape_text(b.x->shape).s, batch.n + rows.n + columns.n,
                  HEED_MAX_RANK);
        return y;
    }
    ungroup(&y, &a, &batch, &shape);
    ungroup(&y, &a, &rows, &shape);
    ungroup(&y, &b, &columns, &shape);
    y.x = heed_reshape(multiply(&a, &b, &batch, &rows, &summed, &columns), shape);
    return y;
}

heed_tensor *heed__labelled_result(heed__labelled a, const int uses[HEED__LABELS], const int *labels, int n)
{
    static const heed__labelled none = {.x = NULL};
    heed_shape order = {.rank = n};
    sum_unused(&a, &none, uses);
    for (int i = 0; i < n; i++)
        order.dims[i] = axis_of(&a, labels[i]);
    return heed_permute(a.x, order);
}
