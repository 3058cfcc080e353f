/* heed/nn/layers.h - building blocks: linear maps, dropout, layer norm, embedding, functions as layers, sequences of
 * layers and residual connections. The rules in heed/nn.h hold here too.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_LAYERS_H
#define HEED_NN_LAYERS_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* -- Linear -------------------------------------------------------------------------------------------------------- */

/* Options of heed_nn_linear_new. */
typedef struct heed_nn_linear_options {
    bool no_bias;               /* no b: y = activation(x W^T) */
    heed_dtype dtype;           /* of the parameters, x and y; 0: f32 */
    heed_activation activation; /* heed_relu, another function of heed/ops.h, or your own; 0: no activation */
    HEED_RESERVED;
} heed_nn_linear_options;

/* A linear layer: y = activation(x W^T + b). */
typedef struct heed_nn_linear {
    heed_module base;           /* the module */
    heed_tensor *weight;        /* W (out, in) */
    heed_tensor *bias;          /* b (out); NULL with no_bias */
    heed_activation activation; /* NULL: no activation */
} heed_nn_linear;

/* Makes a linear layer from `in` to `out` features. The parameters are "weight" (out, in) and "bias" (out), both drawn
 * from U(-1/sqrt(in), 1/sqrt(in)). NULL options: f32, a bias, no activation.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1; HEED_ERR_SHAPE for a weight with more elements than can be counted;
 * HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
 * torch: torch.nn.Linear */
HEED_API HEED_NODISCARD heed_nn_linear *heed_nn_linear_new(int64_t in, int64_t out,
                                                           const heed_nn_linear_options *options);

/* Applies the layer: y = activation(x W^T + b), x (..., in) -> (..., out).
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE unless the last axis of x is `in`; HEED_ERR_DTYPE unless x has the
 * dtype of the layer; HEED_ERR_STATE if the activation returns NULL without an error; HEED_ERR_NOMEM.
 * torch: torch.nn.Linear.forward */
HEED_API heed_tensor *heed_nn_linear_forward(heed_nn_linear *net, heed_tensor *x);

/* -- Dropout ------------------------------------------------------------------------------------------------------- */

/* A dropout layer. While base.training, every element is 0 with probability p, and x / (1 - p) otherwise; else the
 * result is x itself. */
typedef struct heed_nn_dropout {
    heed_module base; /* the module */
    double p;         /* probability of 0 */
} heed_nn_dropout;

/* Makes a layer without parameters that drops elements with probability p.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT unless p is in [0, 1]; HEED_ERR_NOMEM.
 * torch: torch.nn.Dropout */
HEED_API HEED_NODISCARD heed_nn_dropout *heed_nn_dropout_new(double p);

/* Drops elements of x while base.training: every element is 0 with probability p and x / (1 - p) otherwise. The
 * generator in use decides (heed_generator_use). After heed_module_eval the result is x itself. x is f32 or f64 of any
 * shape.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
 * torch: torch.nn.Dropout.forward */
HEED_API heed_tensor *heed_nn_dropout_forward(heed_nn_dropout *net, heed_tensor *x);

/* -- Layer norm ---------------------------------------------------------------------------------------------------- */

/* Options of heed_nn_layer_norm_new. */
typedef struct heed_nn_layer_norm_options {
    double eps;       /* 0: 1e-5 */
    bool no_affine;   /* without weight and bias; forward then takes f32 and f64 */
    bool no_bias;     /* with a weight only */
    heed_dtype dtype; /* of weight and bias; 0: f32 */
    HEED_RESERVED;
} heed_nn_layer_norm_options;

/* A layer norm: y = (x - mean) / sqrt(variance + eps) weight + bias. */
typedef struct heed_nn_layer_norm {
    heed_module base;           /* the module */
    heed_shape shape;           /* sizes of the last axes, which are normalised together */
    double eps;                 /* added to the variance */
    heed_tensor *weight, *bias; /* have the shape `shape`; NULL if the layer lacks them */
} heed_nn_layer_norm;

/* Makes a layer that normalises over last axes of the given shape (rank 1 or more). The parameters have this shape:
 * "weight", which begins as 1, and "bias", which begins as 0. NULL options: f32, eps 1e-5.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for rank 0, a size below 1, or a negative or non-finite eps; HEED_ERR_SHAPE for more
 * elements than can be counted; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
 * torch: torch.nn.LayerNorm */
HEED_API HEED_NODISCARD heed_nn_layer_norm *heed_nn_layer_norm_new(heed_shape shape,
                                                                   const heed_nn_layer_norm_options *options);

/* Normalises x: y = (x - mean) / sqrt(variance + eps) weight + bias. The mean and variance are taken over the last axes
 * of x, whose sizes must be the layer's `shape`. The result has the shape of x.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for different last axes; HEED_ERR_DTYPE unless x has the dtype of
 * the parameters; HEED_ERR_NOMEM.
 * torch: torch.nn.LayerNorm.forward */
HEED_API heed_tensor *heed_nn_layer_norm_forward(heed_nn_layer_norm *net, heed_tensor *x);

/* -- Embedding ----------------------------------------------------------------------------------------------------- */

/* Options of heed_nn_embedding_new. */
typedef struct heed_nn_embedding_options {
    heed_dtype dtype;     /* of the vectors; 0: f32 */
    bool has_padding_idx; /* the row padding_idx starts as zeros and has the gradient 0 */
    int64_t padding_idx;  /* a negative number counts from the last row; HEED_ERR_ARGUMENT if it is not 0 although
                             has_padding_idx is false */
    HEED_RESERVED;
} heed_nn_embedding_options;

/* A table of vectors, looked up by index. */
typedef struct heed_nn_embedding {
    heed_module base;    /* the module */
    heed_tensor *weight; /* (count, dim) */
    int64_t padding_idx; /* the row without a gradient; -1 if all rows have gradients */
} heed_nn_embedding;

/* Makes a table of `count` vectors of size `dim`. The parameter is "weight" (count, dim), drawn from N(0, 1) except for
 * the row of padding.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1; HEED_ERR_INDEX for a padding_idx outside -count .. count - 1;
 * HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE
 * unless f32 or f64; HEED_ERR_NOMEM.
 * torch: torch.nn.Embedding */
HEED_API HEED_NODISCARD heed_nn_embedding *heed_nn_embedding_new(int64_t count, int64_t dim,
                                                                 const heed_nn_embedding_options *options);

/* Looks up vectors: indices, i64 (...) -> y (..., dim), with y[...] = weight[indices[...]]. Every index must be in 0 ..
 * count - 1. The row padding_idx gets no gradient.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_INDEX for an index out of range; HEED_ERR_DTYPE unless i64;
 * HEED_ERR_SHAPE; HEED_ERR_NOMEM.
 * torch: torch.nn.Embedding.forward */
HEED_API heed_tensor *heed_nn_embedding_forward(heed_nn_embedding *net, heed_tensor *indices);

/* -- Functions as modules ------------------------------------------------------------------------------------------ */

/* A function as a layer, for use between other layers: y = function(x). */
typedef struct heed_nn_function {
    heed_module base;                         /* the module; base.type is the name */
    heed_tensor *(*function)(heed_tensor *x); /* the function that forward calls */
} heed_nn_function;

/* Makes a module without parameters from a function: heed_nn_function_new("relu", heed_relu). `name` is the module's
 * type in messages and must outlive the module. The function runs as heed/scope.h describes for user functions.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_nn_function *heed_nn_function_new(const char *name,
                                                               heed_tensor *(*function)(heed_tensor *x));

/* Returns function(x). The function determines the shape and dtype of x.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of the function; HEED_ERR_STATE if the function returns NULL without
 * an error. */
HEED_API heed_tensor *heed_nn_function_forward(heed_nn_function *net, heed_tensor *x);

/* Returns the activation with a name of torch.nn.functional: "relu", "gelu", "silu", "tanh", "sigmoid", "softplus",
 * "selu", "gelu_tanh", and, with PyTorch's default numbers, "elu", "leaky_relu" and "hardtanh". Use it in options, or
 * as a layer:
 *
 *     heed_nn_function_new(name, heed_activation_named(name))
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for an unknown name and for NULL. */
HEED_API heed_activation heed_activation_named(const char *name);

/* -- PReLU --------------------------------------------------------------------------------------------------------- */

/* Options of heed_nn_prelu_new. */
typedef struct heed_nn_prelu_options {
    double init;      /* the initial slope; 0: 0.25 */
    heed_dtype dtype; /* of the slopes; 0: f32 */
    HEED_RESERVED;
} heed_nn_prelu_options;

/* A rectifier whose slope below 0 is learned. */
typedef struct heed_nn_prelu {
    heed_module base;    /* the module */
    heed_tensor *weight; /* (num_parameters) */
} heed_nn_prelu;

/* Makes a rectifier with one slope for all elements (num_parameters 1) or one slope per channel. The parameter is
 * "weight" (num_parameters), filled with `init`.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for num_parameters below 1 and a non-finite init; HEED_ERR_SHAPE for more elements than can
 * be counted; HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
 * torch: torch.nn.PReLU */
HEED_API HEED_NODISCARD heed_nn_prelu *heed_nn_prelu_new(int64_t num_parameters, const heed_nn_prelu_options *options);

/* Rectifies x: y = x if x > 0, else w x, where w is the slope of the element's channel, which is its index on axis 1.
 * dx = g if x > 0, else g w; dw = the sum of g x over x <= 0.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE if the layer has several slopes and axis 1 of x has a different
 * size; HEED_ERR_DTYPE unless x has the dtype of the slopes; HEED_ERR_NOMEM.
 * Reference: He et al., Delving Deep into Rectifiers, 2015.
 * torch: torch.nn.PReLU.forward */
HEED_API heed_tensor *heed_nn_prelu_forward(heed_nn_prelu *net, heed_tensor *x);

/* -- Flatten ------------------------------------------------------------------------------------------------------- */

/* A layer that merges axes into one. */
typedef struct heed_nn_flatten {
    heed_module base;         /* the module */
    int start_axis, end_axis; /* the first and the last merged axis */
} heed_nn_flatten;

/* Makes a layer without parameters that merges the axes start_axis .. end_axis into one: heed_nn_flatten_new(1, -1)
 * turns (B, ...) into (B, n).
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_NOMEM.
 * torch: torch.nn.Flatten */
HEED_API HEED_NODISCARD heed_nn_flatten *heed_nn_flatten_new(int start_axis, int end_axis);

/* Merges the axes of x into one, as heed_flatten does.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE if x lacks an axis; HEED_ERR_NOMEM.
 * torch: torch.nn.Flatten.forward */
HEED_API heed_tensor *heed_nn_flatten_forward(heed_nn_flatten *net, heed_tensor *x);

/* A layer that splits an axis into several. */
typedef struct heed_nn_unflatten {
    heed_module base; /* the module */
    int axis;         /* the axis that is split */
    heed_shape sizes; /* the sizes of the axes that replace it */
} heed_nn_unflatten;

/* Makes a layer without parameters that splits an axis into axes of the given sizes, one of which may be -1 and is
 * computed: heed_nn_unflatten_new(1, HEED_SHAPE(3, -1)) turns (B, 6) into (B, 3, 2).
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for an empty list, a size below -1, and more than one -1; HEED_ERR_NOMEM.
 * torch: torch.nn.Unflatten */
HEED_API HEED_NODISCARD heed_nn_unflatten *heed_nn_unflatten_new(int axis, heed_shape sizes);

/* Splits the axis of x; the result is a view if the layout of x allows it, as in heed_reshape.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE if x lacks the axis, if its size is not the product of the sizes,
 * or if the result would have more than 8 axes; HEED_ERR_NOMEM.
 * torch: torch.nn.Unflatten.forward */
HEED_API heed_tensor *heed_nn_unflatten_forward(heed_nn_unflatten *net, heed_tensor *x);

/* -- Identity ------------------------------------------------------------------------------------------------------ */

/* A layer that returns its input, to replace a layer of a network. */
typedef struct heed_nn_identity {
    heed_module base; /* the module */
} heed_nn_identity;

/* Makes a layer without parameters that returns its input.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_NOMEM.
 * torch: torch.nn.Identity */
HEED_API HEED_NODISCARD heed_nn_identity *heed_nn_identity_new(void);

/* Returns x itself.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.nn.Identity.forward */
HEED_API heed_tensor *heed_nn_identity_forward(heed_nn_identity *net, heed_tensor *x);

/* -- Sequences of layers ------------------------------------------------------------------------------------------- */

/* Modules applied in turn: y = module_n-1(... module_1(module_0(x))). The modules are children named "0", "1", ... */
typedef struct heed_nn_sequential {
    heed_module base; /* the module, which owns the children */
} heed_nn_sequential;

/* HEED_MODULES(a, b, c) stands for two arguments, a list of modules of any type and its length. */
#define HEED_MODULES(...) HEED_LIST(void *, __VA_ARGS__)

/* Makes a module that applies n modules in turn: heed_nn_sequential_new(HEED_MODULES(a, b)). With n = 0 it is the
 * identity. It takes ownership of the modules and frees them on failure, so constructors may be written in the list.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT if a module is NULL, is given twice, or has a parent already (the parent then keeps it);
 * HEED_ERR_UNSUPPORTED if a module takes more than one tensor; HEED_ERR_NOMEM.
 * torch: torch.nn.Sequential */
HEED_API HEED_NODISCARD heed_nn_sequential *heed_nn_sequential_new(void *const *modules, int n);

/* Appends a module, for sequences that are built in a loop, and takes ownership of it. On failure it frees the module,
 * unless the module has a parent already, or is net itself or an ancestor of net.
 *
 * Errors: HEED_ERR_ARGUMENT for these cases and for NULL; HEED_ERR_UNSUPPORTED for a module that takes more than one
 * tensor; HEED_ERR_NOMEM.
 * torch: torch.nn.Sequential.append */
HEED_API heed_status heed_nn_sequential_add(heed_nn_sequential *net, void *module);

/* Passes x through all modules in turn; returns x itself if the list is empty.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM; the errors of the modules.
 * torch: torch.nn.Sequential.forward */
HEED_API heed_tensor *heed_nn_sequential_forward(heed_nn_sequential *net, heed_tensor *x);

/* -- Lists of parameters ------------------------------------------------------------------------------------------- */

/* Makes a module whose parameters "0", "1", ... are n tensors: heed_nn_parameter_list_new(HEED_TENSORS(a, b)). Pass it
 * to functions that accept a module, for example to an optimizer of tensors without a model or of some parameters of a
 * model:
 *
 *     heed_module *weights = heed_nn_parameter_list_new(HEED_TENSORS(net->weight));
 *     heed_module *biases = heed_nn_parameter_list_new(HEED_TENSORS(net->bias));
 *     heed_optimizer *adamw = heed_optim_adamw(weights, &(heed_optim_adam_options){.weight_decay = 0.01});
 *     heed_optim_adamw_add_group(adamw, biases, NULL);
 *     heed_module_free(weights);
 *     heed_module_free(biases);
 *
 * The list retains the tensors. Freeing a list that has no parent keeps the gradients of its tensors, unlike freeing
 * other modules. A tensor given twice is one parameter with two names.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL tensor; HEED_ERR_STATE for a tensor that does not require a gradient or is the
 * result of a recorded op; HEED_ERR_UNSUPPORTED for a non-contiguous tensor; HEED_ERR_NOMEM.
 * torch: torch.nn.ParameterList */
HEED_API HEED_NODISCARD heed_module *heed_nn_parameter_list_new(heed_tensor *const *tensors, int n);

/* -- Residual connections ------------------------------------------------------------------------------------------ */

/* A residual connection: y = x + net(x).
 *
 * Reference: K. He, X. Zhang, S. Ren, J. Sun: Deep Residual Learning for Image Recognition (2015). */
typedef struct heed_nn_residual {
    heed_module base;        /* the module */
    heed_nn_sequential *net; /* child "net" */
} heed_nn_residual;

/* Makes a residual connection around n modules applied in turn: heed_nn_residual_new(HEED_MODULES(a, b)). The modules
 * belong to the child "net", a heed_nn_sequential, so their parameters are named "net.0.weight" and so on. Ownership is
 * as in heed_nn_sequential_new.
 * Errors: as heed_nn_sequential_new. */
HEED_API HEED_NODISCARD heed_nn_residual *heed_nn_residual_new(void *const *modules, int n);

/* Computes y = x + net(x), of the shape of x.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE if the shape of net(x) differs from the shape of x;
 * HEED_ERR_NOMEM; the errors of the modules. */
HEED_API heed_tensor *heed_nn_residual_forward(heed_nn_residual *net, heed_tensor *x);

HEED_END_DECLS

#endif
