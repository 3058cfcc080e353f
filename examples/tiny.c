/* examples/tiny.c - heed in under 300 lines: a tensor, a recorded graph, its gradients, three ops and SGD.
 *
 * The program trains the chapter's kernel regression without the library and prints the loss of every epoch; a test
 * compares the losses with the library's. Names that begin with heed are the library's names, and the comment of every
 * function names the file with the full version. Left out are: errors (here the program ends), dtypes other than f64,
 * shapes other than matrices, views, broadcasting except of one element, threads, and derivatives of derivatives.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Tensors ------------------------------------------------------------------------------------------------------- */

typedef struct heed__node heed__node;
typedef struct heed_tensor heed_tensor;

/* A matrix with an owner count. In the library: src/core/tensor.h, with any rank, strides, and a separate storage. */
struct heed_tensor {
    int refs, rows, columns;
    double *data;         /* row-major */
    double *grad;         /* of the same size; NULL for a constant */
    heed__node *producer; /* NULL for a leaf: a tensor that no op made */
};

/* An op is a forward rule and a backward rule. In the library: include/heed/op.h. */
typedef struct heed_op {
    const char *name;
    void (*forward)(heed_tensor *y, heed_tensor *a, heed_tensor *b);
    void (*backward)(const heed_tensor *y, heed_tensor *a, heed_tensor *b); /* adds to a->grad and b->grad */
} heed_op;

/* One recorded call of an op. In the library: src/core/node.h. */
struct heed__node {
    const heed_op *op;
    heed_tensor *inputs[2]; /* owned; the second is NULL for an op of one input */
};

static void die_if(bool bad, const char *problem)
{
    if (bad) {
        fprintf(stderr, "tiny: %s\n", problem);
        exit(1);
    }
}

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    die_if(!block, "out of memory");
    return block;
}

static size_t heed_numel(const heed_tensor *t)
{
    return (size_t)t->rows * (size_t)t->columns;
}

/* A new tensor of zeros with one owner. In the library: src/core/tensor.c. */
static heed_tensor *heed__tensor_alloc(int rows, int columns)
{
    heed_tensor *t = allocate(1, sizeof *t);
    *t = (heed_tensor){.refs = 1, .rows = rows, .columns = columns};
    t->data = allocate(heed_numel(t), sizeof *t->data);
    return t;
}

/* Adds an owner. In the library: src/core/tensor.c. */
static heed_tensor *heed_retain(heed_tensor *t)
{
    t->refs++;
    return t;
}

/* Removes an owner; the last one frees the tensor and the graph that only it kept. The library frees graphs of millions
 * of nodes without recursion: heed__node_release in src/core/node.c. */
static void heed_release(heed_tensor *t)
{
    if (!t || --t->refs > 0)
        return;
    if (t->producer) {
        heed_release(t->producer->inputs[0]);
        heed_release(t->producer->inputs[1]);
        free(t->producer);
    }
    free(t->data);
    free(t->grad);
    free(t);
}

/* -- Scopes -------------------------------------------------------------------------------------------------------- */

/* The results that are released together. In the library scopes nest and grow: src/core/scope.c. */
enum { SCOPE_CAPACITY = 64 };
static heed_tensor *scope[SCOPE_CAPACITY];
static int scope_count;

static heed_tensor *heed__borrow(heed_tensor *t)
{
    die_if(scope_count == SCOPE_CAPACITY, "the scope is full");
    return scope[scope_count++] = t;
}

static void heed_scope_end(void)
{
    while (scope_count > 0)
        heed_release(scope[--scope_count]);
}

/* -- The graph ----------------------------------------------------------------------------------------------------- */

/* Calls an op: computes y, and records the call if an input needs a gradient. In the library: src/core/apply.c. */
static heed_tensor *heed_apply(const heed_op *op, int rows, int columns, heed_tensor *a, heed_tensor *b)
{
    heed_tensor *y = heed__borrow(heed__tensor_alloc(rows, columns));
    op->forward(y, a, b);
    if (a->grad || (b && b->grad)) {
        y->grad = allocate(heed_numel(y), sizeof *y->grad);
        y->producer = allocate(1, sizeof *y->producer);
        *y->producer = (heed__node){.op = op, .inputs = {heed_retain(a), b ? heed_retain(b) : NULL}};
    }
    return y;
}

/* Appends y and all results that it depends on to `found`, every one once and after its inputs. In the library:
 * src/core/walk.c, which goes by the numbers of the nodes and never calls itself. */
static int walk(heed_tensor *y, heed_tensor **found, int count)
{
    if (!y || !y->producer)
        return count;
    for (int i = 0; i < count; i++)
        if (found[i] == y)
            return count;
    count = walk(y->producer->inputs[0], found, count);
    count = walk(y->producer->inputs[1], found, count);
    found[count] = y;
    return count + 1;
}

/* Adds the gradients of a loss of one element to the .grad of all leaves: d loss / d loss = 1, then every op's backward
 * rule in reverse order. When the turn of a result comes, all its users have added their share. In the library:
 * src/core/backward.c and src/core/pass.c. */
static void heed_backward(heed_tensor *loss)
{
    heed_tensor *found[SCOPE_CAPACITY];
    loss->grad[0] = 1;
    for (int i = walk(loss, found, 0) - 1; i >= 0; i--) {
        const heed__node *node = found[i]->producer;
        node->op->backward(found[i], node->inputs[0], node->inputs[1]);
    }
}

/* -- Three ops ----------------------------------------------------------------------------------------------------- */

/* y = a b, elementwise; b may have one element.    da = g b,  db = g a. In the library: ops/elementwise/arithmetic.c */
static void mul_forward(heed_tensor *y, heed_tensor *a, heed_tensor *b)
{
    size_t step = heed_numel(b) > 1;
    for (size_t i = 0; i < heed_numel(y); i++)
        y->data[i] = a->data[i] * b->data[step * i];
}

static void mul_backward(const heed_tensor *y, heed_tensor *a, heed_tensor *b)
{
    size_t step = heed_numel(b) > 1;
    for (size_t i = 0; i < heed_numel(y); i++) {
        if (a->grad)
            a->grad[i] += y->grad[i] * b->data[step * i];
        if (b->grad)
            b->grad[step * i] += y->grad[i] * a->data[i];
    }
}

static heed_tensor *heed_mul(heed_tensor *a, heed_tensor *b)
{
    static const heed_op op = {"mul", mul_forward, mul_backward};
    return heed_apply(&op, a->rows, a->columns, a, b);
}

/* y = exp(a) / sum exp(a) in every row.    da = y (g - sum g y). In the library: src/ops/softmax/softmax.c. */
static void softmax_forward(heed_tensor *y, heed_tensor *a, heed_tensor *b)
{
    (void)b;
    for (int i = 0; i < a->rows; i++) {
        double *row = y->data + i * a->columns, *from = a->data + i * a->columns, largest = from[0], sum = 0;
        for (int j = 0; j < a->columns; j++)
            largest = fmax(largest, from[j]);
        for (int j = 0; j < a->columns; j++)
            sum += row[j] = exp(from[j] - largest);
        for (int j = 0; j < a->columns; j++)
            row[j] /= sum;
    }
}

static void softmax_backward(const heed_tensor *y, heed_tensor *a, heed_tensor *b)
{
    (void)b;
    for (int i = 0; a->grad && i < a->rows; i++) {
        const double *row = y->data + i * a->columns, *g = y->grad + i * a->columns;
        double dot = 0;
        for (int j = 0; j < a->columns; j++)
            dot += g[j] * row[j];
        for (int j = 0; j < a->columns; j++)
            a->grad[i * a->columns + j] += row[j] * (g[j] - dot);
    }
}

static heed_tensor *heed_softmax(heed_tensor *a)
{
    static const heed_op op = {"softmax", softmax_forward, softmax_backward};
    return heed_apply(&op, a->rows, a->columns, a, NULL);
}

/* Sums of rows, (n, m) -> (n, 1), or of a column, (n, 1) -> (1, 1).    da = g. In the library: ops/reduce/sums.c */
static void sum_forward(heed_tensor *y, heed_tensor *a, heed_tensor *b)
{
    (void)b;
    for (size_t i = 0; i < heed_numel(a); i++)
        y->data[i * heed_numel(y) / heed_numel(a)] += a->data[i];
}

static void sum_backward(const heed_tensor *y, heed_tensor *a, heed_tensor *b)
{
    (void)b;
    for (size_t i = 0; a->grad && i < heed_numel(a); i++)
        a->grad[i] += y->grad[i * heed_numel(y) / heed_numel(a)];
}

static heed_tensor *heed_sum(heed_tensor *a)
{
    static const heed_op op = {"sum", sum_forward, sum_backward};
    return heed_apply(&op, a->columns > 1 ? a->rows : 1, 1, a, NULL);
}

/* -- Training ------------------------------------------------------------------------------------------------------ */

/* p = p - lr grad, and grad = 0. In the library: src/optim/sgd.c, with momentum and weight decay. */
static void heed_optimizer_step(heed_tensor *p, double lr)
{
    for (size_t i = 0; i < heed_numel(p); i++) {
        p->data[i] -= lr * p->grad[i];
        p->grad[i] = 0;
    }
}

/* The chapter's data, 2 sin x + x^0.8, with a cosine in place of noise, so that they are the same everywhere. For every
 * point i and every other point j: distances x_i - x_j, and values y_j - y_i. */
static void make_data(int n, heed_tensor *distances, heed_tensor *values)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 1; j++) {
            int other = j + (j >= i);
            double x[2] = {5.0 * i / (n - 1), 5.0 * other / (n - 1)};
            double y[2] = {2 * sin(x[0]) + pow(x[0], 0.8) + 0.5 * cos(7.0 * i),
                           2 * sin(x[1]) + pow(x[1], 0.8) + 0.5 * cos(7.0 * other)};
            distances->data[i * (n - 1) + j] = x[0] - x[1];
            values->data[i * (n - 1) + j] = y[1] - y[0];
        }
}

static heed_tensor *constant(double value)
{
    heed_tensor *t = heed__borrow(heed__tensor_alloc(1, 1));
    t->data[0] = value;
    return t;
}

/* Nadaraya-Watson kernel regression of every point from the others. The weights of a row are softmax(-(d w)^2 / 2) and
 * sum to 1, so the weighted sum of y_j - y_i is the error of the prediction. Returns sum error^2 / 2. In the library:
 * src/nn/nw_kernel_regression.c. */
static heed_tensor *regression_loss(heed_tensor *w, heed_tensor *distances, heed_tensor *values)
{
    heed_tensor *scaled = heed_mul(distances, w);
    heed_tensor *weights = heed_softmax(heed_mul(heed_mul(scaled, scaled), constant(-0.5)));
    heed_tensor *errors = heed_sum(heed_mul(weights, values));
    return heed_mul(heed_sum(heed_mul(errors, errors)), constant(0.5));
}

int main(void)
{
    enum { POINTS = 50, EPOCHS = 10 };
    heed_tensor *distances = heed__tensor_alloc(POINTS, POINTS - 1), *values = heed__tensor_alloc(POINTS, POINTS - 1);
    heed_tensor *w = heed__tensor_alloc(1, 1);
    make_data(POINTS, distances, values);
    w->data[0] = 1.0;
    w->grad = allocate(1, sizeof *w->grad);
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        heed_tensor *loss = regression_loss(w, distances, values);
        printf("epoch %d, loss %.9f\n", epoch, loss->data[0]);
        heed_backward(loss);
        heed_optimizer_step(w, 0.1);
        heed_scope_end();
    }
    printf("w %.9f\n", w->data[0]);
    heed_release(distances);
    heed_release(values);
    heed_release(w);
    return 0;
}
