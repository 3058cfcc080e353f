/* tests/promises/misuse/test_misuse_graph.c - heed/graph.h and heed/scope.h misused: leaves, backward, grad, hooks,
 * scopes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

static heed_tensor *new_leaf(void)
{
    return heed_set_requires_grad(heed_full(HEED_F64, HEED_SHAPE(2), 3), true);
}

/* -- Leaves ------------------------------------------------------------------------------------------------------- */

START_TEST(leaves)
{
    heed_tensor *x = new_leaf(), *y = heed_square(x), *i = heed_zeros(HEED_I64, HEED_SHAPE(2));
    ck_assert_null_fails("set_requires_grad", HEED_ERR_ARGUMENT, "NULL", heed_set_requires_grad(NULL, true));
    ck_assert_null_fails("set_requires_grad", HEED_ERR_DTYPE, "i64", heed_set_requires_grad(i, true));
    ck_assert_null_fails("set_requires_grad", HEED_ERR_STATE, "square", heed_set_requires_grad(y, true));
    ck_assert_null_fails("set_requires_grad", HEED_ERR_STATE, "square", heed_set_requires_grad(y, false));
    ck_assert_fails("requires_grad", HEED_ERR_ARGUMENT, "NULL", !heed_requires_grad(NULL));
    ck_assert_fails("is_leaf", HEED_ERR_ARGUMENT, "NULL", !heed_is_leaf(NULL));
    ck_assert_null_fails("grad_of", HEED_ERR_ARGUMENT, "NULL", heed_grad_of(NULL));
    ck_assert_null_fails("detach", HEED_ERR_ARGUMENT, "NULL", heed_detach(NULL));
    ck_assert_status_fails("set_grad", HEED_ERR_ARGUMENT, "NULL", heed_set_grad(NULL, x));
    ck_assert_status_fails("set_grad", HEED_ERR_ARGUMENT, "own gradient", heed_set_grad(x, x));
    ck_assert_status_fails("set_grad", HEED_ERR_STATE, "square", heed_set_grad(y, x));
    ck_assert_status_fails("set_grad", HEED_ERR_SHAPE, "(1)", heed_set_grad(x, heed_ones(HEED_F64, HEED_SHAPE(1))));
    ck_assert_status_fails("set_grad", HEED_ERR_DTYPE, "f32", heed_set_grad(x, heed_ones(HEED_F32, HEED_SHAPE(2))));
    ck_assert_int_eq(heed_set_grad(x, heed_detach(x)), HEED_OK); /* shares x's storage */
    ck_assert_int_eq(heed_backward(heed_sum(x)), HEED_OK);
    ck_assert(heed_get(heed_grad_of(x), HEED_INDEX(1)) == 4.0);
    ck_assert(heed_get(x, HEED_INDEX(1)) == 3.0);
}
END_TEST

START_TEST(a_leaf_that_changes_its_mind)
{
    heed_tensor *x = new_leaf(), *loss = heed_sum(heed_square(x));
    heed_set_requires_grad(x, false);
    ck_assert_int_eq(heed_backward(loss), HEED_OK);
    heed_error_clear();
    heed_tensor *again = heed_sum(heed_square(heed_set_requires_grad(x, true))), *g;
    heed_set_requires_grad(x, false);
    ck_assert_status_fails("grad", HEED_ERR_STATE, "requires no gradient", heed_grad(&again, 1, &x, 1, &g, NULL));
    ck_assert_ptr_null(g);
}
END_TEST

/* -- backward and grad -------------------------------------------------------------------------------------------- */

START_TEST(backward)
{
    heed_tensor *x = new_leaf(), *y = heed_square(x), *loss = heed_sum(y);
    heed_tensor *wrong[] = {heed_ones(HEED_F64, HEED_SHAPE(3)), heed_ones(HEED_F64, HEED_SCALAR),
                            heed_ones(HEED_F64, HEED_SHAPE(1, 2))};
    ck_assert_status_fails("backward", HEED_ERR_ARGUMENT, "NULL", heed_backward(NULL));
    ck_assert_status_fails("backward_with", HEED_ERR_ARGUMENT, "NULL", heed_backward_with(NULL, NULL));
    ck_assert_status_fails("backward", HEED_ERR_SHAPE, "(2)", heed_backward(y));
    ck_assert_status_fails("backward", HEED_ERR_STATE, "not part of a graph",
                           heed_backward(heed_ones(HEED_F64, HEED_SCALAR)));
    for (int i = 0; i < COUNT_OF(wrong); i++)
        ck_assert_status_fails("backward_with", HEED_ERR_SHAPE, "(2)",
                               heed_backward_with(y, &(heed_backward_options){.grad_output = wrong[i]}));
    ck_assert_status_fails(
        "backward_with", HEED_ERR_DTYPE, "f32",
        heed_backward_with(y, &(heed_backward_options){.grad_output = heed_ones(HEED_F32, HEED_SHAPE(2))}));
    ck_assert_ptr_null(heed_grad_of(x));
    ck_assert_int_eq(heed_backward_with(y, &(heed_backward_options){.grad_output = x, .retain_graph = true}), HEED_OK);
    ck_assert_int_eq(heed_backward_with(y, &(heed_backward_options){.grad_output = y}), HEED_OK); /* 18 + 54 */
    ck_assert(heed_get(heed_grad_of(x), HEED_INDEX(0)) == 72.0);
    ck_assert_status_fails("backward", HEED_ERR_STATE, "was freed by an earlier backward pass", heed_backward(loss));
    ck_assert_int_eq(heed_backward_with(x, &(heed_backward_options){.grad_output = x}), HEED_OK);
    ck_assert_int_eq(heed_backward_with(x, &(heed_backward_options){.grad_output = heed_grad_of(x)}), HEED_OK);
    ck_assert(heed_get(heed_grad_of(x), HEED_INDEX(0)) == 150.0);
}
END_TEST

START_TEST(grad_with_wrong_lists)
{
    heed_tensor *x = new_leaf(), *loss = heed_sum(heed_square(x)), *none = NULL, *g = x;
    heed_tensor *plain = heed_ones(HEED_F64, HEED_SCALAR);
    for (int i = 0; i < COUNT_OF(hostile_ints); i++) {
        int n = hostile_ints[i];
        if (n < 1) {
            ck_assert_status_fails("grad", HEED_ERR_ARGUMENT, "", heed_grad(&loss, n, &x, 1, &g, NULL));
            ck_assert_status_fails("grad", HEED_ERR_ARGUMENT, "", heed_grad(&loss, 1, &x, n, &g, NULL));
        }
        ck_assert_status_fails("grad", HEED_ERR_ARGUMENT, "", heed_grad(NULL, n, &x, 1, &g, NULL));
        ck_assert_status_fails("grad", HEED_ERR_ARGUMENT, "", heed_grad(&loss, 1, &x, 1, NULL, NULL));
    }
    ck_assert_status_fails("grad", HEED_ERR_ARGUMENT, "", heed_grad(&loss, 1, NULL, 1, &g, NULL));
    ck_assert_status_fails("grad", HEED_ERR_ARGUMENT, "NULL", heed_grad(&none, 1, &x, 1, &g, NULL));
    ck_assert_status_fails("grad", HEED_ERR_ARGUMENT, "NULL", heed_grad(&loss, 1, &none, 1, &g, NULL));
    ck_assert_ptr_null(g);
    ck_assert_status_fails("grad", HEED_ERR_STATE, "not part of a graph", heed_grad(&plain, 1, &x, 1, &g, NULL));
    ck_assert_status_fails("grad", HEED_ERR_STATE, "no gradient", heed_grad(&loss, 1, &plain, 1, &g, NULL));
}
END_TEST

START_TEST(grad_with_aliases)
{
    heed_tensor *x = new_leaf(), *y = heed_square(x), *loss = heed_sum(y);
    heed_tensor *tensors[3] = {x, y, x}, *outputs[2] = {loss, loss}, *other = new_leaf();
    heed_grad_options keep = {.retain_graph = true};
    ck_assert_int_eq(heed_grad(outputs, 2, tensors, 3, tensors, &keep), HEED_OK); /* grads over inputs */
    ck_assert(heed_get(tensors[0], HEED_INDEX(0)) == 12.0 && heed_get(tensors[1], HEED_INDEX(0)) == 2.0);
    ck_assert(heed_get(tensors[2], HEED_INDEX(0)) == 12.0);
    tensors[0] = tensors[1] = loss;
    ck_assert_int_eq(heed_grad(tensors, 1, tensors, 2, tensors, &keep), HEED_OK); /* d loss / d loss, all one array */
    ck_assert(heed_item(tensors[0]) == 1.0 && heed_item(tensors[1]) == 1.0);
    ck_assert_status_fails("grad", HEED_ERR_STATE, "do not depend on input 0",
                           heed_grad(&loss, 1, &other, 1, outputs, NULL));
    ck_assert_ptr_null(outputs[0]);
    ck_assert_int_eq(heed_grad(&x, 1, &x, 1, &outputs[0], &(heed_grad_options){.grad_outputs = &x}), HEED_OK);
    ck_assert(heed_get(outputs[0], HEED_INDEX(0)) == 3.0);
}
END_TEST

START_TEST(dot)
{
    ck_assert_status_fails("graph_dot", HEED_ERR_ARGUMENT, "NULL", heed_graph_dot(NULL, stdout));
    ck_assert_status_fails("graph_dot", HEED_ERR_ARGUMENT, "NULL", heed_graph_dot(new_leaf(), NULL));
    FILE *full = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(full);
    ck_assert_status_fails("graph_dot", HEED_ERR_IO, "", heed_graph_dot(heed_square(new_leaf()), full));
    ck_assert_status_fails("print", HEED_ERR_IO, "", heed_print(new_leaf(), full));
    (void)fclose(full);
}
END_TEST

/* -- Hooks -------------------------------------------------------------------------------------------------------- */

typedef struct helper {
    heed_tensor *t, *loss;
    int64_t ids[3];
    int calls;
} helper;

static heed_tensor *count(heed_tensor *grad, void *user)
{
    ((helper *)user)->calls++;
    return grad;
}

static heed_tensor *remove_all(heed_tensor *grad, void *user)
{
    helper *h = user;
    h->calls++;
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(heed_remove_hook(h->t, h->ids[i]), HEED_OK);
    return grad;
}

static heed_tensor *add_itself(heed_tensor *grad, void *user)
{
    helper *h = user;
    h->calls++;
    ck_assert(heed_add_hook(h->t, add_itself, user) > 0);
    return grad;
}

static heed_tensor *walk_again(heed_tensor *grad, void *user)
{
    helper *h = user;
    ck_assert_int_eq(heed_backward(h->loss), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE,
                    h->calls++ ? "was freed by an earlier backward pass" : "in use by a different pass");
    return grad;
}

static heed_tensor *leave_a_mess(heed_tensor *grad, void *user)
{
    helper *h = user;
    (void)heed_scope_begin();
    (void)heed_set_grad_enabled(true);
    (void)heed_set_grad(h->t, heed_clone(grad));
    heed_tensor *changed = heed_mul_scalar(grad, 2);
    (void)heed_no_grad_begin();
    return changed;
}

static heed_tensor *wrong_dtype(heed_tensor *grad, void *user)
{
    (void)user;
    return heed_to_dtype(grad, HEED_F32);
}

START_TEST(hooks_that_change_the_list)
{
    helper h = {.t = new_leaf()};
    for (int round = 0; round < 2; round++) { /* on a leaf and on a result */
        h.ids[0] = heed_add_hook(h.t, remove_all, &h);
        h.ids[1] = heed_add_hook(h.t, count, &h);
        h.ids[2] = heed_add_hook(h.t, count, &h);
        h.calls = 0;
        ck_assert_int_eq(heed_backward_with(heed_sum(h.t), &(heed_backward_options){.retain_graph = true}), HEED_OK);
        ck_assert_int_eq(h.calls, 1);
        ck_assert(heed_add_hook(h.t, count, &h) != h.ids[2]);
        ck_assert_status_fails("remove_hook", HEED_ERR_ARGUMENT, "no hook", heed_remove_hook(h.t, h.ids[2]));
        ck_assert(heed_add_hook(h.t, add_itself, &h) > 0);
        h.calls = 0;
        ck_assert_int_eq(heed_backward(heed_sum(h.t)), HEED_OK);
        ck_assert_int_eq(h.calls, 2);
        h.t = heed_square(new_leaf());
    }
}
END_TEST

START_TEST(hooks_that_misbehave)
{
    helper h = {.t = new_leaf()};
    heed_tensor *y = heed_square(h.t);
    h.loss = heed_sum(y);
    ck_assert(heed_add_hook(y, walk_again, &h) > 0);
    ck_assert(heed_add_hook(y, leave_a_mess, &h) > 0);
    ck_assert_int_eq(heed_backward_with(h.loss, &(heed_backward_options){.retain_graph = true}), HEED_OK);
    ck_assert(heed_grad_enabled());
    ck_assert(heed_get(heed_grad_of(h.t), HEED_INDEX(0)) == 1.0 + 12.0);
    ck_assert(!heed_requires_grad(heed_grad_of(h.t)));
    ck_assert(heed_add_hook(y, wrong_dtype, NULL) > 0);
    ck_assert_status_fails("backward", HEED_ERR_SHAPE, "f32", heed_backward(h.loss)); /* the walk has freed its top */
    ck_assert_int_eq(h.calls, 2);
    for (int i = 0; i < COUNT_OF(hostile_counts); i++)
        if (hostile_counts[i] < 1 || hostile_counts[i] > 3)
            ck_assert_status_fails("remove_hook", HEED_ERR_ARGUMENT, "", heed_remove_hook(y, hostile_counts[i]));
    ck_assert_status_fails("remove_hook", HEED_ERR_ARGUMENT, "NULL", heed_remove_hook(NULL, 1));
    ck_assert_status_fails("set_hook_free", HEED_ERR_ARGUMENT, "NULL", heed_set_hook_free(NULL, 1, NULL));
    ck_assert_status_fails("set_hook_free", HEED_ERR_ARGUMENT, "no hook -1", heed_set_hook_free(y, -1, NULL));
    ck_assert_fails("add_hook", HEED_ERR_ARGUMENT, "NULL", heed_add_hook(NULL, count, &h) == 0);
    ck_assert_fails("add_hook", HEED_ERR_ARGUMENT, "NULL", heed_add_hook(y, NULL, &h) == 0);
    ck_assert_fails("add_hook", HEED_ERR_STATE, "no gradient", heed_add_hook(heed_detach(y), count, &h) == 0);
}
END_TEST

/* -- Scopes ------------------------------------------------------------------------------------------------------- */

START_TEST(scopes)
{
    heed_scope *outer = heed_scope_begin(), *inner = heed_no_grad_begin();
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2));
    int nothing = 0;
    ck_assert_status_fails("scope_end", HEED_ERR_ARGUMENT, "NULL", heed_scope_end(NULL));
    ck_assert_null_fails("scope_return", HEED_ERR_ARGUMENT, "NULL", heed_scope_return(NULL, x));
    ck_assert_status_fails("scope_end", HEED_ERR_STATE, "not open", heed_scope_end((heed_scope *)(void *)&nothing));
    ck_assert_int_eq(heed_scope_end(outer), HEED_OK);
    ck_assert(heed_grad_enabled());
    ck_assert_status_fails("scope_end", HEED_ERR_STATE, "not open", heed_scope_end(inner));
    ck_assert_status_fails("scope_end", HEED_ERR_STATE, "not open", heed_scope_end(outer));
    ck_assert_null_fails("scope_return", HEED_ERR_STATE, "not open", heed_scope_return(inner, NULL));
    heed_scope *s = heed_scope_begin();
    ck_assert_ptr_null(heed_scope_return(s, NULL));
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    heed_thread_cleanup();
    heed_thread_cleanup();
    ck_assert_ptr_null(heed_retain(NULL));
    heed_release(NULL);
    ck_assert_int_eq(heed_error_code(), HEED_OK);
}
END_TEST

MISUSE_MAIN("misuse of heed/graph.h", leaves, a_leaf_that_changes_its_mind, backward, grad_with_wrong_lists,
            grad_with_aliases, dot, hooks_that_change_the_list, hooks_that_misbehave, scopes)
