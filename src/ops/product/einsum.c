/* ops/product/einsum.c    y = sums of products, described by an equation such as "bqd,bkd->bqk".
 *
 * Operands are multiplied from left to right. A letter is summed over as soon as neither the output nor a remaining
 * operand uses it. The gradient comes from the ops that einsum is composed of.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "ops/support.h"

/* Labels: the letters A-Z and a-z, then the axes that "..." stands for, counted from the last. */
#define LETTERS 52
#define LABELS (LETTERS + HEED_MAX_RANK)

typedef struct labelled {
    heed_tensor *x; /* NULL after heed_fail */
    int labels[HEED_MAX_RANK];
} labelled;

/* The labels of one operand, or of the output. */
typedef struct term {
    int n, labels[HEED_MAX_RANK]; /* the letters */
    int dots;                     /* number of letters before "...", or -1 */
} term;

typedef struct einsum_equation {
    const char *text, *at; /* at: the next character to read */
    int64_t sizes[LABELS]; /* sizes of the labels; -1 if absent */
    int uses[LABELS];      /* number of operands, plus the output, that use the label */
    int times[LABELS];     /* number of occurrences in operands */
    int dots;              /* maximum number of axes that "..." stands for */
    int output[HEED_MAX_RANK], rank;
} einsum_equation;

/* -- Parsing ------------------------------------------------------------------------------------------------------- */

static int label_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    return c >= 'a' && c <= 'z' ? 26 + c - 'a' : -1;
}

/* Reads a term, up to a comma, an arrow or the end of the text. Returns false after heed_fail. */
static bool read_term(einsum_equation *e, term *t)
{
    *t = (term){.dots = -1};
    for (; *e->at != '\0' && *e->at != ',' && *e->at != '-'; e->at++) {
        if (*e->at == ' ')
            continue;
        int label = label_of(*e->at);
        if (label >= 0 && t->n < HEED_MAX_RANK) {
            t->labels[t->n++] = label;
        } else if (t->dots < 0 && strncmp(e->at, "...", 3) == 0) {
            t->dots = t->n;
            e->at += 2;
        } else
            return heed_fail_false(HEED_ERR_ARGUMENT, "einsum",
                                   label >= 0 ? "more than 8 letters at \"%.40s\"" : "cannot parse \"%.40s\"", e->at);
    }
    return true;
}

/* Writes the labels of the axes of a tensor of this rank. Returns false if the term does not fit the rank. */
static bool spread(const term *t, int rank, int *labels)
{
    int more = rank - t->n, n = 0;
    if (more < 0 || (t->dots < 0 && more > 0))
        return false;
    for (int i = 0; i <= t->n; i++) {
        for (int j = more; i == t->dots && j > 0; j--)
            labels[n++] = LETTERS + j - 1;
        if (i < t->n)
            labels[n++] = t->labels[i];
    }
    return true;
}

/* Returns the name of a label for messages: "letter k", or "axis -1 of ...". */
static heed_text name_of(int label)
{
    heed_text name = {"letter ?"};
    if (label < LETTERS)
        name.s[7] = (char)(label < 26 ? 'A' + label : 'a' + label - 26);
    else
        memcpy(name.s, "axis -? of ...", sizeof "axis -? of ...");
    if (label >= LETTERS)
        name.s[6] = (char)('1' + label - LETTERS);
    return name;
}

/* Parses the term of operand i and labels the axes of x. Returns false after heed_fail. */
static bool read_operand(einsum_equation *e, heed_tensor *x, int i, labelled *operand)
{
    term t;
    const char *text = e->at;
    if (!read_term(e, &t))
        return false;
    operand->x = x;
    if (!spread(&t, x->shape.rank, operand->labels))
        return heed_fail_false(HEED_ERR_SHAPE, "einsum", "operand %d is %s, but \"%.*s\" has %d letters", i,
                               heed_shape_text(x->shape).s, (int)(e->at - text), text, t.n);
    return true;
}

/* Skips the comma after operand i of n; after the last operand, checks for the arrow or the end. Returns false after
 * heed_fail. */
static bool read_separator(einsum_equation *e, int i, int n)
{
    if ((i < n - 1) != (*e->at == ','))
        return heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "\"%.100s\" is not an equation for %d operands", e->text,
                               n);
    e->at += i < n - 1;
    return true;
}

/* -- Sizes --------------------------------------------------------------------------------------------------------- */

static bool check_size(einsum_equation *e, const labelled *operand, int i, int axis)
{
    int label = operand->labels[axis], first = 0;
    int64_t size = operand->x->shape.dims[axis], before = e->sizes[label];
    while (operand->labels[first] != label)
        first++;
    if (first < axis) /* a diagonal: its axes must have equal sizes, without broadcasting */
        before = operand->x->shape.dims[first];
    else if (before < 0 || before == 1 || size == 1) {
        e->sizes[label] = before > 1 || before == 0 ? before : size;
        return true;
    }
    if (before != size)
        return heed_fail_false(HEED_ERR_SHAPE, "einsum", "%s has size %" PRId64 ", but %" PRId64 " in operand %d %s",
                               name_of(label).s, before, size, i, heed_shape_text(operand->x->shape).s);
    return true;
}

static bool count(einsum_equation *e, const labelled *operand, int i)
{
    int rank = operand->x->shape.rank, dots = 0;
    bool present[LABELS] = {false};
    for (int axis = 0; axis < rank; axis++) {
        int label = operand->labels[axis];
        if (!check_size(e, operand, i, axis))
            return false;
        e->uses[label] += !present[label];
        e->times[label]++;
        dots += label >= LETTERS;
        present[label] = true;
    }
    e->dots = dots > e->dots ? dots : e->dots;
    return true;
}

/* -- The output ---------------------------------------------------------------------------------------------------- */

/* Writes the output term of an equation without an arrow: the axes of "...", then every letter that occurs once, in
 * alphabetical order. */
static bool implied_term(const einsum_equation *e, term *t)
{
    *t = (term){.dots = 0};
    for (int label = 0; label < LETTERS; label++) {
        if (e->times[label] != 1)
            continue;
        if (t->n == HEED_MAX_RANK)
            return heed_fail_false(HEED_ERR_SHAPE, "einsum", "\"%.100s\" gives more than %d axes", e->text,
                                   HEED_MAX_RANK);
        t->labels[t->n++] = label;
    }
    return true;
}

static bool read_output_term(einsum_equation *e, term *t)
{
    if (*e->at == '\0')
        return implied_term(e, t);
    if (strncmp(e->at, "->", 2) != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "cannot parse \"%.40s\"", e->at);
    e->at += 2;
    if (!read_term(e, t))
        return false;
    return *e->at == '\0' || heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "cannot parse \"%.40s\"", e->at);
}

static bool read_output(einsum_equation *e)
{
    term t;
    if (!read_output_term(e, &t))
        return false;
    e->rank = t.n + (t.dots >= 0 ? e->dots : 0);
    if (e->rank > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, "einsum", "\"%.100s\" gives %d axes: must be at most %d", e->text,
                               e->rank, HEED_MAX_RANK);
    (void)spread(&t, e->rank, e->output);
    bool present[LABELS] = {false};
    for (int i = 0; i < e->rank; i++) {
        int label = e->output[i];
        if (present[label] || e->times[label] == 0)
            return heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "%s of the output %s", name_of(label).s,
                                   present[label] ? "occurs twice" : "is in no operand");
        present[label] = true;
        e->uses[label]++;
    }
    return true;
}

/* -- Diagonals, sums and products of tensors whose axes have labels ------------------------------------------------ */

static int axis_of(const labelled *a, int label)
{
    for (int axis = 0; a->x && axis < a->x->shape.rank; axis++)
        if (a->labels[axis] == label)
            return axis;
    return -1;
}

/* Removes the label of an axis that no longer exists. */
static void drop_label(labelled *a, int axis, int rank)
{
    for (int i = axis; i + 1 < rank; i++)
        a->labels[i] = a->labels[i + 1];
}

/* Merges axes with the same label, which must have equal sizes, into their diagonal. */
static labelled label_once(labelled a)
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
static void sum_unused(labelled *a, const labelled *other, const int *uses)
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
static void squeeze_shorter(labelled *a, const labelled *b)
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
static group labels_of(const labelled *a, const labelled *b, bool shared, bool used, const int *uses)
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
static heed_tensor *as_batch(const labelled *a, const group *first, const group *second, const group *third)
{
    const group *groups[] = {first, second, third};
    heed_shape order = {.rank = 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < groups[i]->n; j++)
            order.dims[order.rank++] = axis_of(a, groups[i]->labels[j]);
    return heed_reshape(heed_permute(a->x, order), HEED_SHAPE(first->size, second->size, third->size));
}

static heed_tensor *multiply_groups(const labelled *a, const labelled *b, const group *batch, const group *rows,
                                    const group *summed, const group *columns)
{
    static const group none = {.size = 1};
    if (summed->n == 0)
        return heed_mul(as_batch(a, batch, rows, &none), as_batch(b, batch, &none, columns));
    return heed_bmm(as_batch(a, batch, rows, summed), as_batch(b, batch, summed, columns));
}

/* Appends the group's labels to the labels of y, and the sizes of their axes in `from` to *shape. */
static void ungroup(labelled *y, const labelled *from, const group *g, heed_shape *shape)
{
    for (int i = 0; i < g->n; i++) {
        y->labels[shape->rank] = g->labels[i];
        shape->dims[shape->rank++] = from->x->shape.dims[axis_of(from, g->labels[i])];
    }
}

/* The product of a and b. Axes with the same label are matched; an axis of size 1 matches any size. uses[label] is the
 * number of remaining uses of a label; labels without uses are summed over. */
static labelled labelled_product(labelled a, labelled b, const int uses[LABELS])
{
    labelled y = {.x = NULL};
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
    y.x = heed_reshape(multiply_groups(&a, &b, &batch, &rows, &summed, &columns), shape);
    return y;
}

/* Sums a over the unused labels and orders the remaining axes as in `labels`. */
static heed_tensor *labelled_result(labelled a, const int uses[LABELS], const int *labels, int n)
{
    static const labelled none = {.x = NULL};
    heed_shape order = {.rank = n};
    sum_unused(&a, &none, uses);
    for (int i = 0; i < n; i++)
        order.dims[i] = axis_of(&a, labels[i]);
    return heed_permute(a.x, order);
}

/* -- Evaluation ---------------------------------------------------------------------------------------------------- */

static bool read_equation(einsum_equation *e, heed_tensor *const *operands, int n)
{
    labelled operand;
    for (int label = 0; label < LABELS; label++)
        e->sizes[label] = -1;
    for (int i = 0; i < n; i++)
        if (!read_operand(e, operands[i], i, &operand) || !read_separator(e, i, n) || !count(e, &operand, i))
            return false;
    return read_output(e);
}

/* Parses the next operand again and removes its labels from the use counts. */
static labelled next_operand(einsum_equation *e, heed_tensor *x, int i)
{
    labelled operand;
    (void)read_operand(e, x, i, &operand);
    e->at++;
    operand = label_once(operand);
    for (int axis = 0; operand.x && axis < operand.x->shape.rank; axis++)
        e->uses[operand.labels[axis]]--;
    return operand;
}

static heed_tensor *evaluate(einsum_equation *e, heed_tensor *const *operands, int n)
{
    e->at = e->text;
    labelled product = next_operand(e, operands[0], 0);
    for (int i = 1; product.x && i < n; i++) {
        labelled operand = next_operand(e, operands[i], i);
        product = labelled_product(product, operand, e->uses);
    }
    return product.x ? labelled_result(product, e->uses, e->output, e->rank) : NULL;
}

static bool check(const char *text, heed_tensor *const *operands, int n)
{
    if (!text)
        return heed_fail_false(HEED_ERR_ARGUMENT, "einsum", "equation is NULL");
    if (!heed__check_list("einsum", operands, n) || !heed__check_float("einsum", operands[0]))
        return false;
    for (int i = 1; i < n; i++)
        if (!heed__check_pair("einsum", operands[0], operands[i]))
            return false;
    return true;
}

heed_tensor *heed_einsum(const char *equation, heed_tensor *const *operands, int n)
{
    HEED_ENTER("einsum");
    einsum_equation e = {.text = equation, .at = equation};
    if (!check(equation, operands, n) || !read_equation(&e, operands, n))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, evaluate(&e, operands, n)) : NULL;
}
