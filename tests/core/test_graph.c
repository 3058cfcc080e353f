/* tests/core/test_graph.c - tests of recording and backward: leaves, accumulation, higher orders, hooks, versions.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

static heed_tensor *leaf(double value)
{
    return heed_set_requires_grad(heed_full(HEED_F64, HEED_SCALAR, value), true);
}

static double grad(const heed_tensor *t)
{
    return heed_item(heed_grad_of(t));
}

START_TEST(a_product_and_its_gradient)
{
    heed_tensor *a = leaf(3.0), *b = leaf(4.0), *y = heed_add(heed_mul(a, b), a);
    ck_assert(heed_requires_grad(y) && !heed_is_leaf(y) && heed_is_leaf(a));
    ck_assert_ptr_null(heed_grad_of(a));
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert(grad(a) == 5.0 && grad(b) == 3.0);
}
END_TEST

START_TEST(gradients_accumulate)
{
    heed_tensor *a = leaf(3.0);
    heed_backward(heed_square(a));
    heed_backward(heed_square(a));
    ck_assert(grad(a) == 12.0);
    ck_assert_int_eq(heed_set_grad(a, NULL), HEED_OK);
    ck_assert_ptr_null(heed_grad_of(a));
    heed_backward(a);
    ck_assert(grad(a) == 1.0);
}
END_TEST

START_TEST(broadcasting_is_undone)
{
    heed_tensor *a = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(3, 1)), true);
    heed_tensor *b = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(4)), true);
    heed_tensor *g = heed_reshape(heed_arange(HEED_F64, 0, 12, 1), HEED_SHAPE(3, 4));
    ck_assert_int_eq(heed_backward_with(heed_mul(a, b), &(heed_backward_options){.grad_output = g}), HEED_OK);
    ck_assert(heed_shape_equal(heed_shape_of(heed_grad_of(a)), HEED_SHAPE(3, 1)));
    ck_assert(heed_get(heed_grad_of(a), HEED_INDEX(1, 0)) == 22.0);
    ck_assert(heed_get(heed_grad_of(b), HEED_INDEX(3)) == 21.0);
}
END_TEST

START_TEST(gradients_are_not_shared)
{
    heed_tensor *a = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    heed_tensor *b = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    heed_tensor *g = heed_ones(HEED_F64, HEED_SHAPE(2));
    heed_backward_with(heed_add(a, b), &(heed_backward_options){.grad_output = g});
    heed_fill_(heed_grad_of(a), 9.0);
    ck_assert(heed_get(heed_grad_of(b), HEED_INDEX(0)) == 1.0 && heed_get(g, HEED_INDEX(0)) == 1.0);
    heed_backward(heed_sum(heed_add_scalar(a, 1.0)));
    ck_assert(heed_get(heed_grad_of(a), HEED_INDEX(1)) == 10.0);
}
END_TEST

START_TEST(no_grad_and_detach)
{
    heed_tensor *a = leaf(2.0);
    heed_scope *quiet = heed_no_grad_begin();
    ck_assert(!heed_requires_grad(heed_square(a)));
    heed_scope_end(quiet);
    heed_tensor *d = heed_detach(heed_square(a));
    ck_assert(!heed_requires_grad(d) && heed_is_leaf(d));
    heed_backward(heed_mul(d, a));
    ck_assert(grad(a) == 4.0);
    ck_assert(heed_shares_storage(a, heed_detach(a)));
    ck_assert_int_eq(heed_backward(d), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "backward: the tensor of shape () is not part of a graph");
}
END_TEST

START_TEST(higher_orders)
{
    heed_tensor *x = leaf(1.3), *g = heed_sin(x);
    const double expected[] = {cos(1.3), -sin(1.3), -cos(1.3), sin(1.3), cos(1.3)};
    for (int order = 0; order < 5; order++) {
        ck_assert_int_eq(heed_grad(&g, 1, &x, 1, &g, &(heed_grad_options){.create_graph = true}), HEED_OK);
        ck_assert_near(heed_item(g), expected[order], 1e-15);
    }
    ck_assert_ptr_null(heed_grad_of(x));
}
END_TEST

START_TEST(grad_walks_only_where_it_must)
{
    heed_tensor *a = leaf(2.0), *b = leaf(3.0);
    heed_tensor *middle = heed_mul(a, b), *y = heed_square(middle);
    heed_tensor *grads[3], *inputs[3] = {middle, b, leaf(1.0)};
    heed_grad_options options = {.allow_unused = true, .retain_graph = true};
    ck_assert_int_eq(heed_grad(&y, 1, inputs, 3, grads, &options), HEED_OK);
    ck_assert(heed_item(grads[0]) == 12.0 && heed_item(grads[1]) == 24.0);
    ck_assert_ptr_null(grads[2]);
    ck_assert_ptr_null(heed_grad_of(b));
    options.allow_unused = false;
    ck_assert_int_eq(heed_grad(&y, 1, inputs, 3, grads, &options), HEED_ERR_STATE);
    ck_assert_ptr_null(grads[0]);
    ck_assert_error(HEED_ERR_STATE, "grad: the outputs do not depend on input 2");
    heed_tensor *outputs[2] = {y, heed_mul(b, b)};
    ck_assert_int_eq(heed_grad(outputs, 2, &b, 1, grads, NULL), HEED_OK);
    ck_assert(heed_item(grads[0]) == 24.0 + 6.0);
}
END_TEST

START_TEST(a_freed_graph_is_reported)
{
    heed_tensor *a = leaf(2.0), *y = heed_exp(heed_square(a)), *z = heed_neg(y);
    ck_assert_int_eq(heed_backward_with(y, &(heed_backward_options){.retain_graph = true}), HEED_OK);
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert_int_eq(heed_backward(y), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "backward: the graph at exp was freed by an earlier backward pass");
    ck_assert_int_eq(heed_backward(z), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "was freed by an earlier backward pass");
}
END_TEST

START_TEST(grad_frees_only_what_it_walked)
{
    heed_tensor *x = leaf(2.0), *w = leaf(3.0), *g = NULL;
    heed_tensor *u = heed_square(w), *loss = heed_add(heed_square(x), u);
    ck_assert_int_eq(heed_grad(&loss, 1, &x, 1, &g, NULL), HEED_OK);
    ck_assert_int_eq(heed_grad(&u, 1, &w, 1, &g, NULL), HEED_OK);
    ck_assert(heed_item(g) == 6.0);
    loss = heed_add(heed_square(x), u); /* the graph of u is freed now */
    heed_grad_options keep = {.retain_graph = true, .allow_unused = true};
    ck_assert_int_eq(heed_grad(&loss, 1, &x, 1, &g, &keep), HEED_OK);
    ck_assert(heed_item(g) == 4.0);
    ck_assert_int_eq(heed_grad(&loss, 1, &w, 1, &g, &keep), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "grad: the graph at square was freed by an earlier backward pass");
}
END_TEST

START_TEST(a_leaf_may_stop_wanting_its_gradient)
{
    heed_tensor *a = leaf(2.0), *b = leaf(3.0), *y = heed_mul(a, b);
    heed_set_requires_grad(a, false);
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert(!heed_has_grad(a) && heed_has_grad(b) && grad(b) == 2.0);
}
END_TEST

START_TEST(writes_in_place_are_caught)
{
    heed_tensor *a = leaf(2.0), *b = heed_full(HEED_F64, HEED_SCALAR, 5.0);
    heed_tensor *y = heed_mul(a, b);
    heed_fill_(b, 7.0);
    ck_assert_int_eq(heed_backward(y), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "argument 2 of mul, of shape (), was written in place");
    ck_assert_ptr_null(heed_grad_of(a));
    y = heed_exp(a);
    heed_fill_(heed_detach(y), 1.0);
    ck_assert_int_eq(heed_backward(y), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "the result of exp");
    y = heed_add(a, b);
    heed_fill_(b, 8.0);
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    heed_tensor *index = heed_zeros(HEED_I64, HEED_SHAPE(1));
    y = heed_sum(heed_index_select(heed_reshape(a, HEED_SHAPE(1)), 0, index));
    ck_assert_int_eq(heed_set_(index, HEED_INDEX(0), 0.5), HEED_ERR_ARGUMENT); /* writes no element */
    ck_assert_error(HEED_ERR_ARGUMENT, "set_: 0.5");
    ck_assert_int_eq(heed_backward(y), HEED_OK);
}
END_TEST

START_TEST(backward_refuses)
{
    heed_tensor *v = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(3)), true), *y = heed_exp(v);
    ck_assert_int_eq(heed_backward(y), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "backward: a tensor of shape (3) does not have exactly one element");
    heed_backward_options options = {.grad_output = heed_ones(HEED_F64, HEED_SHAPE(2))};
    ck_assert_int_eq(heed_backward_with(y, &options), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "the output gradient has shape (2)");
    options.grad_output = heed_ones(HEED_F32, HEED_SHAPE(3));
    ck_assert_int_eq(heed_backward_with(y, &options), HEED_ERR_DTYPE);
    ck_assert_error(HEED_ERR_DTYPE, "dtype f32");
    ck_assert_int_eq(heed_backward(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "backward: the tensor is NULL");
    ck_assert_ptr_null(heed_set_requires_grad(y, false));
    ck_assert_error(HEED_ERR_STATE, "set_requires_grad: the tensor is a result of exp");
    ck_assert_ptr_null(heed_set_requires_grad(heed_ones(HEED_I64, HEED_SCALAR), true));
    ck_assert_error(HEED_ERR_DTYPE, "dtype i64 has no gradient");
    ck_assert_int_eq(heed_set_grad(v, heed_ones(HEED_F64, HEED_SHAPE(2))), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "set_grad");
    ck_assert_int_eq(heed_set_grad(v, heed_ones(HEED_F32, HEED_SHAPE(3))), HEED_ERR_DTYPE);
    ck_assert_error(HEED_ERR_DTYPE, "set_grad");
    ck_assert_int_eq(heed_set_grad(y, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "set_grad");
    heed_tensor *grads[1];
    ck_assert_int_eq(heed_grad(&y, 0, &v, 1, grads, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "grad: 0 outputs");
    heed_tensor *constant = heed_ones(HEED_F64, HEED_SHAPE(3));
    heed_tensor *s = heed_sum(y);
    ck_assert_int_eq(heed_grad(&s, 1, &constant, 1, grads, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "grad: input 0, of shape (3), requires no gradient");
}
END_TEST

/* -- Hooks -- */

static heed_tensor *twice(heed_tensor *g, void *calls)
{
    ++*(int *)calls;
    return heed_mul_scalar(g, 2.0);
}

static heed_tensor *stop(heed_tensor *g, void *user)
{
    (void)g;
    (void)user;
    return NULL;
}

static heed_tensor *wrong_shape(heed_tensor *g, void *user)
{
    (void)user;
    return heed_unsqueeze(g, 0);
}

static heed_tensor *overwrite(heed_tensor *g, void *user)
{
    (void)user;
    heed_fill_(g, 0.0);
    return g;
}

static heed_tensor *again(heed_tensor *g, void *y)
{
    ck_assert_int_eq(heed_backward(y), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "is in use by a different pass");
    return g;
}

START_TEST(hooks_see_and_change_gradients)
{
    int calls = 0;
    heed_tensor *a = leaf(3.0), *y = heed_square(a);
    int64_t on_leaf = heed_add_hook(a, twice, &calls), on_result = heed_add_hook(y, twice, &calls);
    ck_assert(on_leaf > 0 && on_result > 0);
    heed_backward_options keep = {.retain_graph = true};
    heed_backward_with(heed_mul_scalar(y, 1.0), &keep);
    ck_assert(grad(a) == 24.0);
    ck_assert_int_eq(calls, 2);
    ck_assert_int_eq(heed_remove_hook(y, on_result), HEED_OK);
    ck_assert_int_eq(heed_remove_hook(y, on_result), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "remove_hook");
    heed_set_grad(a, NULL);
    heed_backward_with(y, &keep);
    ck_assert(grad(a) == 12.0);
    heed_add_hook(y, again, y);
    heed_backward_with(y, &keep);
    ck_assert(grad(a) == 24.0);
    heed_add_hook(y, stop, NULL);
    ck_assert_int_eq(heed_backward_with(y, &keep), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "a hook returned NULL");
    ck_assert(grad(a) == 24.0);
    heed_add_hook(a, wrong_shape, NULL);
    ck_assert_int_eq(heed_backward(heed_square(a)), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "a hook returned a gradient of shape (1)");
    heed_tensor *b = leaf(1.0), *c = leaf(1.0);
    heed_add_hook(b, overwrite, NULL);
    ck_assert_int_eq(heed_backward(heed_add(b, c)), HEED_ERR_STATE); /* both get the same tensor */
    ck_assert_error(HEED_ERR_STATE, "a hook wrote to the gradient of shape () in place");
    ck_assert(!heed_has_grad(c));
    ck_assert_int_eq(heed_add_hook(heed_detach(a), twice, &calls), 0);
    ck_assert_error(HEED_ERR_STATE, "add_hook");
    ck_assert_int_eq(heed_add_hook(a, NULL, NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "add_hook");
}
END_TEST

START_TEST(create_graph_through_backward)
{
    heed_tensor *x = leaf(2.0);
    heed_backward_with(heed_mul(heed_square(x), x), &(heed_backward_options){.create_graph = true});
    heed_tensor *g = heed_grad_of(x); /* 3 x^2 */
    heed_set_grad(x, NULL);
    heed_backward(g);
    ck_assert(grad(x) == 12.0);
    heed_set_grad(x, NULL);
}
END_TEST

START_TEST(dot_names_nodes_and_leaves)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2, 3)), true);
    heed_tensor *y = heed_sum(heed_mul(heed_tanh(w), w));
    char text[1000] = "";
    FILE *file = tmpfile();
    ck_assert_int_eq(heed_graph_dot(y, file), HEED_OK);
    rewind(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        (void)setvbuf(full, NULL, _IONBF, 0);
        ck_assert_int_eq(heed_graph_dot(y, full), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, "graph_dot: cannot write to the file");
        fclose(full);
    }
    ck_assert_str_eq(text, "digraph heed {\n"
                           "  rankdir=BT;\n"
                           "  l0 [shape=ellipse, label=\"f32 (2, 3)\"];\n"
                           "  n2 [shape=box, label=\"tanh\"];\n"
                           "  l0 -> n2;\n"
                           "  n1 [shape=box, label=\"mul\"];\n"
                           "  n2 -> n1 [label=\"(2, 3)\"];\n"
                           "  l0 -> n1;\n"
                           "  n0 [shape=box, label=\"sum\"];\n"
                           "  n1 -> n0 [label=\"(2, 3)\"];\n"
                           "}\n");
    ck_assert_int_eq(heed_graph_dot(y, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "graph_dot");
    ck_assert_int_eq(heed_backward(y), HEED_OK);
}
END_TEST

/* More leaves than the initial capacity of a pass: d (sum of i x_i) / d x_i = i. */
START_TEST(many_leaves)
{
    heed_tensor *leaves[200], *sum = heed_zeros(HEED_F64, HEED_SCALAR);
    for (int i = 0; i < 200; i++) {
        leaves[i] = leaf(1.0);
        sum = heed_add(sum, heed_mul_scalar(leaves[i], i));
    }
    ck_assert_int_eq(heed_backward(sum), HEED_OK);
    for (int i = 0; i < 200; i++)
        ck_assert(grad(leaves[i]) == i);
}
END_TEST

START_TEST(an_intermediate_of_a_different_graph)
{
    heed_tensor *a = leaf(2.0), *other = heed_square(leaf(3.0)), *y = heed_square(a), *g = a;
    ck_assert_int_eq(heed_grad(&y, 1, &other, 1, &g, &(heed_grad_options){.allow_unused = true}), HEED_OK);
    ck_assert_ptr_null(g);
    y = heed_square(a);
    ck_assert_int_eq(heed_grad(&y, 1, &other, 1, &g, NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "grad: the outputs do not depend on input 0");
}
END_TEST

/* An op that returns x twice. */
static bool two_of(const heed_call *call, heed_meta *out)
{
    return heed_infer_same(call, &out[0]) && heed_infer_same(call, &out[1]);
}

static bool copy_twice(const heed_call *call, heed_tensor *const *out)
{
    return heed_copy_(out[0], call->inputs[0]) == HEED_OK && heed_copy_(out[1], call->inputs[0]) == HEED_OK;
}

static void add_both(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0] && g[1] ? heed_add(g[0], g[1]) : g[0] ? g[0] : g[1];
}

static heed_tensor *scaled(heed_tensor *g, void *factor)
{
    return heed_mul_scalar(g, *(double *)factor);
}

/* Every result has its own hooks. */
START_TEST(hooks_of_two_results)
{
    static const heed_op twin = {
        .name = "twin", .n_inputs = 1, .n_outputs = 2, .infer = two_of, .forward = copy_twice, .backward = add_both};
    double two = 2.0, three = 3.0;
    heed_tensor *x = leaf(1.0), *y[2];
    ck_assert(heed_apply_all(&twin, &x, 1, NULL, y));
    int64_t second = heed_add_hook(y[1], scaled, &three), first = heed_add_hook(y[0], scaled, &two);
    ck_assert_int_eq(heed_remove_hook(y[0], second), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "remove_hook: the tensor has no hook");
    heed_tensor *sum = heed_add(y[0], y[1]), *g;
    heed_grad_options keep = {.retain_graph = true};
    ck_assert_int_eq(heed_grad(&sum, 1, &x, 1, &g, &keep), HEED_OK);
    ck_assert(heed_item(g) == 5.0);
    ck_assert_int_eq(heed_grad(&y[1], 1, &x, 1, &g, &keep), HEED_OK);
    ck_assert(heed_item(g) == 3.0);
    ck_assert_int_eq(heed_remove_hook(y[0], first), HEED_OK);
    ck_assert_int_eq(heed_grad(&sum, 1, &x, 1, &g, NULL), HEED_OK);
    ck_assert(heed_item(g) == 4.0);
}
END_TEST

HEED_TEST_MAIN("graph", a_product_and_its_gradient, gradients_accumulate, broadcasting_is_undone,
               gradients_are_not_shared, no_grad_and_detach, higher_orders, grad_walks_only_where_it_must,
               a_freed_graph_is_reported, grad_frees_only_what_it_walked, a_leaf_may_stop_wanting_its_gradient,
               writes_in_place_are_caught, backward_refuses, hooks_see_and_change_gradients,
               create_graph_through_backward, dot_names_nodes_and_leaves, many_leaves,
               an_intermediate_of_a_different_graph, hooks_of_two_results)
