/* heed/functional.h - derivatives of functions: Jacobians, Hessians and products with them; and activation
 * checkpointing, which recomputes intermediate results instead of keeping them.
 *
 *     static heed_tensor *f(heed_tensor *const *in, void *user) { return heed_tanh(heed_linear(in[0], user, NULL)); }
 *     ...
 *     heed_tensor *jacobian;
 *     heed_tensor *y = heed_jacobian(f, w, &x, 1, &jacobian, NULL);
 *
 * To differentiate an existing result, use heed_grad, with create_graph for higher orders.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_FUNCTIONAL_H
#define HEED_FUNCTIONAL_H

#include <heed/graph.h>

HEED_BEGIN_DECLS

/* A function from tensors to one tensor, f32 or f64, as for heed_gradcheck. It returns NULL on failure. It is a
 * callback under the rules of heed/scope.h. */
typedef heed_tensor *(*heed_function)(heed_tensor *const *inputs, void *user);

/* -- Derivatives ------------------------------------------------------------------------------------------------- *
 *
 * Every function here calls fn(inputs, user) once, recording even if the caller does not record, and returns its value
 * y. On failure it returns NULL, and all tensors to be written are NULL. An input that y does not depend on has the
 * derivative 0. No .grad changes. Without create_graph, returned and written tensors belong to no graph.
 *
 * Errors: HEED_ERR_ARGUMENT for a NULL fn, list or input, zero inputs or more than 2^20; HEED_ERR_DTYPE for an input or
 * a value that is neither f32 nor f64; HEED_ERR_SHAPE or HEED_ERR_DTYPE for vectors whose shape or dtype does not fit;
 * HEED_ERR_STATE if fn returns NULL without an error; HEED_ERR_UNSUPPORTED for an op without a derivative of the
 * required order; and the errors of fn. */

/* Options of the functions in this section; NULL: all options are 0. */
typedef struct heed_functional_options {
    bool create_graph; /* y and the derivatives are differentiable with respect to the inputs that require a gradient
                          and to all other tensors that fn reads */
    HEED_RESERVED;
} heed_functional_options;

/* Computes vector-Jacobian products, products[i] = v^T J_i with J_i = d y / d inputs[i], and returns y.
 * products[i] is shaped like inputs[i] and v like y. If y has one element, v may be NULL, which means 1.
 * Errors: HEED_ERR_ARGUMENT for a NULL fn, list or input, zero inputs or more than 2^20; HEED_ERR_SHAPE or
 * HEED_ERR_DTYPE for an input, value or vector that does not fit; HEED_ERR_STATE if fn returns NULL without an error;
 * HEED_ERR_UNSUPPORTED for an op without a derivative of the required order; the errors of fn; HEED_ERR_NOMEM.
 * torch: torch.autograd.functional.vjp */
HEED_API heed_tensor *heed_vjp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs, heed_tensor *v,
                               heed_tensor **products, const heed_functional_options *options);

/* Computes a Jacobian-vector product, *product = sum over i of J_i vectors[i], shaped like y, and returns y.
 * It is the derivative along the vectors, which are shaped like the inputs; for a single input of one element, NULL
 * means 1. It is computed as the gradient of v^T J with respect to v, so every op in fn must have a second derivative.
 * Errors: as heed_vjp.
 * torch: torch.autograd.functional.jvp */
HEED_API heed_tensor *heed_jvp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                               heed_tensor *const *vectors, heed_tensor **product,
                               const heed_functional_options *options);

/* Computes Hessian-vector products without computing the Hessian H, and returns y.
 *
 *     products[i] = sum over j of H_ij vectors[j],   H_ij = d^2 y / d inputs[i] d inputs[j]
 *
 * y must have one element (HEED_ERR_SHAPE). Vectors are as for heed_jvp; products are shaped like the inputs.
 * Errors: as heed_vjp, and HEED_ERR_SHAPE unless y has one element.
 * torch: torch.autograd.functional.hvp */
HEED_API heed_tensor *heed_hvp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                               heed_tensor *const *vectors, heed_tensor **products,
                               const heed_functional_options *options);

/* Computes the Jacobians, jacobians[i] = d y / d inputs[i], and returns y.
 * jacobians[i] has the axes of y followed by the axes of inputs[i]; HEED_ERR_SHAPE if these are more than
 * HEED_MAX_RANK. It runs one backward pass per element of y.
 * Errors: as heed_vjp, and HEED_ERR_SHAPE for a Jacobian of more than HEED_MAX_RANK axes.
 * torch: torch.autograd.functional.jacobian */
HEED_API heed_tensor *heed_jacobian(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                    heed_tensor **jacobians, const heed_functional_options *options);

/* Computes the Hessians, hessians[i * n_inputs + j] = d^2 y / d inputs[i] d inputs[j], and returns y.
 * There are n_inputs^2 of them; each has the axes of inputs[i] followed by the axes of inputs[j]. y must have one
 * element (HEED_ERR_SHAPE). It runs one backward pass per element of the inputs.
 * Errors: as heed_vjp, and HEED_ERR_SHAPE unless y has one element or for a Hessian of more than HEED_MAX_RANK axes.
 * torch: torch.autograd.functional.hessian */
HEED_API heed_tensor *heed_hessian(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                   heed_tensor **hessians, const heed_functional_options *options);

/* -- Activation checkpointing ------------------------------------------------------------------------------------ */

/* Calls fn(inputs, user) without keeping its intermediate results; a backward pass calls fn again to recompute them.
 * A model of n equal blocks, each called in this way, then needs memory for n results and the intermediate results of
 * one block, at the cost of a second forward pass. Values and gradients have the same bits as without checkpointing;
 * higher derivatives may differ in the last bit, because recomputed nodes come later in the order in which gradients
 * are added. With create_graph, recomputed results are kept as long as the gradients.
 *
 *     static heed_tensor *block(heed_tensor *const *in, void *user) { return heed_module_forward(user, in[0]); }
 *     ...
 *     for (int i = 0; i < n; i++)
 *         h = heed_checkpointed(block, net->blocks[i], &h, 1);
 *
 * The second call of fn draws the same random numbers as the first, including dropout, and does not change the
 * generator's position. Leaves, such as parameters, need not be among the inputs, but results of recorded ops that fn
 * uses must be (HEED_ERR_UNSUPPORTED). `user`, and the data it points to, must not change until the graph is freed.
 * Side effects of fn happen every time: the running statistics of batch norm are updated twice. A backward pass fails
 * with HEED_ERR_STATE if the second result differs from the first in any bit, or is computed by different ops. Calls
 * may nest. If recording is off, or fn's value does not depend on a tensor that requires a gradient, this is a plain
 * call of fn.
 *
 * Returns the value of fn, or NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL fn, list or input, zero inputs or more than 2^19; HEED_ERR_STATE if fn returns
 * NULL without an error; errors of fn.
 * torch: torch.utils.checkpoint.checkpoint */
HEED_API heed_tensor *heed_checkpointed(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs);

/* Returns true while the function of a heed_checkpointed runs for the second time, in the backward pass.
 * A function with side effects on its own result, such as a power iteration, can then skip them. */
HEED_API bool heed_is_recomputing(void);

HEED_END_DECLS

#endif
