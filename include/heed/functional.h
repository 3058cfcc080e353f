/* heed/functional.h - derivatives of functions: products with the Jacobian, the Jacobian and the Hessian themselves;
 * and functions whose intermediate results are computed again instead of kept.
 *
 *     static heed_tensor *f(heed_tensor *const *in, void *user) { return heed_tanh(heed_linear(in[0], user, NULL)); }
 *     ...
 *     heed_tensor *jacobian;
 *     heed_tensor *y = heed_jacobian(f, w, &x, 1, &jacobian, NULL);
 *
 * To differentiate a result that has been computed already, use heed_grad, for higher orders with create_graph.
 */
#ifndef HEED_FUNCTIONAL_H
#define HEED_FUNCTIONAL_H

#include <heed/graph.h>

HEED_BEGIN_DECLS

/* A function from tensors to one tensor, f32 or f64; heed_gradcheck takes the same. It returns NULL to fail. What
 * heed/scope.h says of functions of others holds for it. */
typedef heed_tensor *(*heed_function)(heed_tensor *const *inputs, void *user);

/* -- Derivatives ------------------------------------------------------------------------------------------------- *
 *
 * Each calls fn(inputs, user) once, recording even where the caller does not, and returns its value y. On failure it
 * returns NULL, and all that was to be written is NULL, too. An input that y does not depend on has the derivative 0.
 * No .grad is touched. What is returned and written is in no graph, unless create_graph asks for it.
 *
 * All fail with HEED_ERR_ARGUMENT for a NULL fn, list or input, no input or more than 2^20; HEED_ERR_DTYPE for an input
 * or a value that is neither f32 nor f64; HEED_ERR_SHAPE or HEED_ERR_DTYPE for vectors that do not have the shape and
 * dtype stated below; HEED_ERR_STATE when fn returns NULL without an error; HEED_ERR_UNSUPPORTED for an op that lacks
 * the derivative; and with what fn fails with. */

/* What these may be told; NULL: all of them 0. */
typedef struct heed_functional_options {
    bool create_graph; /* y and the derivatives are differentiable: with respect to the inputs that require a gradient,
                          and to whatever else fn reads */
    HEED_RESERVED;
} heed_functional_options;

/* products[i] = v^T J_i, with J_i = d y / d inputs[i]: shaped like inputs[i]. v is shaped like y; where y has one
 * element NULL stands for 1.
 * torch: torch.autograd.functional.vjp */
HEED_API heed_tensor *heed_vjp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs, heed_tensor *v,
                               heed_tensor **products, const heed_functional_options *options);

/* *product = sum over i of J_i vectors[i], shaped like y: the derivative along the vectors, which are shaped like the
 * inputs; where there is one input, of one element, NULL stands for 1. Computed as the gradient of v^T J with respect
 * to v, so each op in fn must have a second derivative.
 * torch: torch.autograd.functional.jvp */
HEED_API heed_tensor *heed_jvp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                               heed_tensor *const *vectors, heed_tensor **product,
                               const heed_functional_options *options);

/* products[i] = sum over j of H_ij vectors[j], with H_ij = d^2 y / d inputs[i] d inputs[j], without computing H; y must
 * have one element (HEED_ERR_SHAPE). Vectors as for heed_jvp; products are shaped like the inputs.
 * torch: torch.autograd.functional.hvp */
HEED_API heed_tensor *heed_hvp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                               heed_tensor *const *vectors, heed_tensor **products,
                               const heed_functional_options *options);

/* jacobians[i] = d y / d inputs[i], shaped (y's shape, that of inputs[i]); HEED_ERR_SHAPE where these have more than
 * HEED_MAX_RANK axes together. One backward pass for each element of y.
 * torch: torch.autograd.functional.jacobian */
HEED_API heed_tensor *heed_jacobian(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                    heed_tensor **jacobians, const heed_functional_options *options);

/* hessians[i * n_inputs + j] = d^2 y / d inputs[i] d inputs[j], shaped (that of inputs[i], that of inputs[j]), for a y
 * of one element (else HEED_ERR_SHAPE); n_inputs^2 of them. One backward pass for each element of the inputs.
 * torch: torch.autograd.functional.hessian */
HEED_API heed_tensor *heed_hessian(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                   heed_tensor **hessians, const heed_functional_options *options);

/* -- Activation checkpointing ------------------------------------------------------------------------------------ */

/* fn(inputs, user), without keeping its intermediate results: a backward pass calls fn again, and goes on through what
 * it records then. A model of n equal parts then needs memory for n results and for the inside of one part, at the cost
 * of another forward pass. Values and gradients have the same bits as without; derivatives of higher order may differ
 * in the last one, since what is computed again comes later in the order in which gradients are added up. With
 * create_graph, what was computed again is kept as long as the gradients.
 *
 *     static heed_tensor *block(heed_tensor *const *in, void *user) { return heed_module_forward(user, in[0]); }
 *     ...
 *     for (int i = 0; i < n; i++)
 *         h = heed_checkpointed(block, net->blocks[i], &h, 1);
 *
 * Random numbers that fn draws, dropout's too, are the same the second time, and no generator moves then. Leaves, such
 * as parameters, need not be among the inputs, but the results of recorded ops that fn uses must be: else
 * HEED_ERR_UNSUPPORTED. `user`, and what it points to, must stay as it is until the graph is freed. What fn does
 * besides is done each time: the running statistics of batch norm move twice. A backward pass fails with
 * HEED_ERR_STATE if fn gives other numbers than the first time, in any bit of its result, or computes them
 * by other ops. Calls may nest. While nothing is recorded, and
 * where fn's value depends on nothing that requires a gradient, this is a plain call of fn.
 *
 * Returns the value; NULL on failure: HEED_ERR_ARGUMENT for a NULL fn, list or input, no input or more than 2^19;
 * HEED_ERR_STATE when fn returns NULL without an error; what fn fails with.
 * torch: torch.utils.checkpoint.checkpoint */
HEED_API heed_tensor *heed_checkpointed(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs);

HEED_END_DECLS

#endif
