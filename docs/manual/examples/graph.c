/* graph.c - examples of include/heed/graph.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdlib.h>

#include <heed/heed.h>

static heed_tensor *leaf(void)
{
    return heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 2, 3), true);
}

static void example_leaves(void)
{
    /* [heed_set_requires_grad heed_requires_grad heed_is_leaf heed_detach] */
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true), *y = heed_square(w);
    printf("%d %d\n", heed_is_leaf(w), heed_is_leaf(y));             /* -> 1 0 */
    printf("%d %d\n", heed_requires_grad(w), heed_requires_grad(y)); /* -> 1 1 */
    printf("%d\n", heed_requires_grad(heed_detach(y)));              /* -> 0 */
    /* [] */
}

/* [heed_set_compute] */
static heed_tensor *positive(void *log_scale)
{
    return heed_exp(log_scale);
}
/* [] */

static void example_compute(void)
{
    /* [heed_set_compute] */
    heed_tensor *log_scale = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(2)), true);
    heed_tensor *scale = heed_zeros(HEED_F32, HEED_SHAPE(2));
    heed_set_compute(scale, positive, log_scale);
    heed_print(heed_detach(scale), stdout); /* -> tensor([1., 1.], shape=(2), dtype=f32) */
    heed_backward(heed_sum(heed_mul_scalar(scale, 3)));
    heed_print(heed_grad_of(log_scale), stdout); /* -> tensor([3., 3.], shape=(2), dtype=f32) */
    heed_set_compute(scale, NULL, NULL);
    /* [] */
}

static void example_backward(void)
{
    heed_tensor *w = leaf();
    /* [heed_grad_of heed_has_grad heed_set_grad] */
    printf("%d\n", heed_has_grad(w)); /* -> 0 */
    heed_backward(heed_sum(heed_square(w)));
    heed_print(heed_grad_of(w), stdout); /* -> tensor([2., 4., 6.], shape=(3), dtype=f32) */
    heed_backward(heed_sum(w));          /* adds to the gradient */
    heed_print(heed_grad_of(w), stdout); /* -> tensor([3., 5., 7.], shape=(3), dtype=f32) */
    heed_set_grad(w, NULL);              /* removes it */
    printf("%d\n", heed_has_grad(w));    /* -> 0 */
    /* [] */
}

static void example_backward_with(void)
{
    heed_tensor *w = leaf();
    /* [heed_backward_with] */
    heed_tensor *factors = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 10, 100);
    heed_backward_with(heed_square(w), &(heed_backward_options){.grad_output = factors});
    heed_print(heed_grad_of(w), stdout); /* -> tensor([  2.,  40., 600.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_grad(void)
{
    /* [heed_grad] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 2), true);
    heed_tensor *y = heed_pow_scalar(x, 3), *slope, *curvature;
    heed_grad(&y, 1, &x, 1, &slope, &(heed_grad_options){.create_graph = true});
    heed_grad(&slope, 1, &x, 1, &curvature, NULL);
    printf("%g %g\n", heed_item(slope), heed_item(curvature)); /* -> 12 12 */
    /* [] */
}

static void example_recording(void)
{
    heed_tensor *w = leaf();
    /* [heed_set_grad_enabled heed_grad_enabled] */
    heed_scope *scope = heed_no_grad_begin();
    printf("%d %d\n", heed_grad_enabled(), heed_requires_grad(heed_square(w))); /* -> 0 0 */
    bool old = heed_set_grad_enabled(true);                                     /* until the end of the scope */
    printf("%d %d\n", old, heed_requires_grad(heed_square(w)));                 /* -> 0 1 */
    heed_scope_end(scope);
    /* [] */
}

/* [heed_add_hook heed_remove_hook] */
static heed_tensor *halve(heed_tensor *grad, void *user)
{
    (void)user;
    return heed_mul_scalar(grad, 0.5);
}
/* [] */

static void example_hooks(void)
{
    heed_tensor *w = leaf();
    /* [heed_add_hook heed_remove_hook] */
    int64_t id = heed_add_hook(w, halve, NULL);
    heed_backward(heed_sum(heed_square(w)));
    heed_print(heed_grad_of(w), stdout); /* -> tensor([1., 2., 3.], shape=(3), dtype=f32) */
    heed_remove_hook(w, id);
    /* [] */
}

/* [heed_set_hook_free] */
static heed_tensor *scale(heed_tensor *grad, void *user)
{
    return heed_mul_scalar(grad, *(double *)user);
}
/* [] */

static void example_hook_free(void)
{
    heed_tensor *w = leaf();
    /* [heed_set_hook_free] */
    double *factor = malloc(sizeof *factor);
    if (!factor)
        return;
    *factor = 10.0;
    heed_set_hook_free(w, heed_add_hook(w, scale, factor), free); /* freed with w */
    heed_backward(heed_sum(w));
    heed_print(heed_grad_of(w), stdout); /* -> tensor([10., 10., 10.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_dot(void)
{
    heed_tensor *w = leaf();
    /* [heed_graph_dot] */
    heed_tensor *loss = heed_sum(heed_square(w));
    if (heed_graph_dot(loss, stdout) != HEED_OK) /* for "dot -Tsvg" */
        puts(heed_error_message());
    /* -> digraph heed {
     *      rankdir=BT;
     *      l0 [shape=ellipse, label="f32 (3)"];
     *      n1 [shape=box, label="square"];
     *      l0 -> n1;
     *      n0 [shape=box, label="sum"];
     *      n1 -> n0 [label="(3)"];
     *    } */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_leaves();
    example_compute();
    example_backward();
    example_backward_with();
    example_grad();
    example_recording();
    example_hooks();
    example_hook_free();
    example_dot();
    return 0;
}
