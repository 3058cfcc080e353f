/* heed/functional.h - derivatives of functions: products with the Jacobian, the Jacobian and the Hessian themselves;
 * and functions whose intermediate results are computed again instead of kept.
 *
 *     static heed_tensor *f(heed_tensor *const *in, void *user) { return heed_tanh(heed_linear(in[0], user, NULL)); }
 *     ...
 *     heed_tensor *jacobian;
 *     heed_tensor *y = heed_jacobian(f, w, &x, 1, &jacobian, NULL);
 *
 * Where several derivatives of a result that is there already are wanted, heed_grad with create_graph is all it takes.
 */
#ifndef HEED_FUNCTIONAL_H
#define HEED_FUNCTIONAL_H

#include <heed/graph.h>

HEED_BEGIN_DECLS

/* A function of any number of tensors to one of floating-point dtype: what heed_gradcheck checks, too. It returns NULL
 * to fail, and runs as heed/scope.h says of functions of others. */
typedef heed_tensor *(*heed_function)(heed_tensor *const *inputs, void *user);

/* -- Derivatives ------------------------------------------------------------------------------------------------- *
 *
 * Each calls fn(inputs, user) once, recording whether or not the caller does, and returns its value y, and NULL on
 * failure: then what was to be written is NULL, too. An input that y does not depend on has the derivative 0. No .grad
 * is touched. What is returned and written is in no graph, unless create_graph asks for it.
 *
 * All fail with HEED_ERR_ARGUMENT for a NULL fn, list or input, no input or more than 2^20; HEED_ERR_DTYPE for an input
 * or a value that is neither f32 nor f64; HEED_ERR_SHAPE or HEED_ERR_DTYPE for vectors unlike what they are to be
 * multiplied with; HEED_ERR_STATE when fn returns NULL without an error; HEED_ERR_UNSUPPORTED for an op without the
 * derivative; and with what fn fails with. */

/* What these may be told; NULL: all of them 0. */
typedef struct heed_functional_options {
    bool create_graph; /* y and the derivatives are differentiable: with respect to the inputs that require a gradient,
                          and to whatever else fn reads */
    HEED_RESERVED;
} heed_functional_options;

/* products[i] = v^T J_i, with J_i = d y / d inputs[i]: shaped like inputs[i]. v is shaped like y; NULL where y has one
 * element: 1.
 * torch: torch.autograd.functional.vjp */
HEED_API heed_tensor *heed_vjp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs, heed_tensor *v,
                               heed_tensor **products, const heed_functional_options *options);

/* *product = sum over i of J_i vectors[i], shaped like y: the derivative along the vectors, which are shaped like the
 * inputs; NULL where there is one input of one element: 1. Computed as the gradient of v^T J with respect to v, so each
 * op in fn must have a second derivative.
 * torch: torch.autograd.functional.jvp */
HEED_API heed_tensor *heed_jvp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                               heed_tensor *const *vectors, heed_tensor **product,
                               const heed_functional_options *options);

/* products[i] = sum over j of H_ij vectors[j], with H_ij = d^2 y / d inputs[i] d inputs[j], without H: y has one
 * element (HEED_ERR_SHAPE). Vectors as heed_jvp; products are shaped like the inputs.
 * torch: torch.autograd.functional.hvp */
HEED_API heed_tensor *heed_hvp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                               heed_tensor *const *vectors, heed_tensor **products,
                               const heed_functional_options *options);

/* jacobians[i] = d y / d inputs[i], shaped (y's shape, that of inputs[i]); HEED_ERR_SHAPE where these have more than
 * HEED_MAX_RANK axes together. One backward pass for each element of y.
 * torch: torch.autograd.functional.jacobian */
HEED_API heed_tensor *heed_jacobian(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                    heed_tensor **jacobians, const heed_functional_options *options);

/* hessians[i * n_inputs + j] = d^2 y / d inputs[i] d inputs[j], shaped (that of inputs[i], that of inputs[j]), of a y
 * with one element (HEED_ERR_SHAPE); n_inputs^2 of them. One backward pass for each element of the inputs.
 * torch: torch.autograd.functional.hessian */
HEED_API heed_tensor *heed_hessian(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                                   heed_tensor **hessians, const heed_functional_options *options);

/* -- Activation checkpointing ------------------------------------------------------------------------------------ */

/* fn(inputs, user), of whose intermediate results nothing is kept: a backward pass calls fn again and goes on through
 * what it records then. A model in n parts of one size each needs the memory of n results and of one part, for the time
 * of another forward pass. Values and gradients have the bits that they have without it; higher orders may differ in
 * the last one, as what is computed again counts as later where gradients are added up. With create_graph, what was
 * computed again is kept as long as the gradients.
 *
 *     static heed_tensor *block(heed_tensor *const *in, void *user) { return heed_module_forward(user, in[0]); }
 *     ...
 *     for (int i = 0; i < n; i++)
 *         h = heed_checkpointed(block, net->blocks[i], &h, 1);
 *
 * Random numbers that fn draws, dropout's too, are the same the second time, and no generator moves then. Leaves, such
 * as parameters, need not be among the inputs, but the results of recorded ops that fn uses must be: else
 * HEED_ERR_UNSUPPORTED. `user`, and what it leads to, has to be as it was until the graph is freed; what fn does
 * besides is done each time: the running statistics of batch norm move twice. A backward pass fails with
 * HEED_ERR_STATE where fn computes something else than the first time. Parts may lie within parts. While nothing is
 * recorded, and where fn's value depends on nothing that requires a gradient, it is a call of fn.
 *
 * The value; NULL on failure: HEED_ERR_ARGUMENT for a NULL fn, list or input, no input or more than 2^19;
 * HEED_ERR_STATE when fn returns NULL without an error; what fn fails with.
 * torch: torch.utils.checkpoint.checkpoint */
HEED_API heed_tensor *heed_checkpointed(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs);

HEED_END_DECLS

#endif
