/* heed/nn/layers.h - building blocks. Linear maps, dropout, layer norm, embedding, functions as layers, layers one
 * after another and around others. What heed/nn.h says of all layers holds here.
 */
#ifndef HEED_NN_LAYERS_H
#define HEED_NN_LAYERS_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* -- Linear -------------------------------------------------------------------------------------------------------- */

/* What heed_nn_linear_new may be told. */
typedef struct heed_nn_linear_options {
    bool no_bias;               /* y = activation(x W^T) */
    heed_dtype dtype;           /* of the parameters, and so of x and y; 0: f32 */
    heed_activation activation; /* 0: none. heed_relu and other functions of heed/ops.h, or one of yours */
    HEED_RESERVED;
} heed_nn_linear_options;

/* y = activation(x W^T + b). */
typedef struct heed_nn_linear {
    heed_module base;           /* the module */
    heed_tensor *weight;        /* W (out, in) */
    heed_tensor *bias;          /* b (out); NULL with no_bias */
    heed_activation activation; /* NULL: none */
} heed_nn_linear;

/* A layer from `in` to `out` features: parameters "weight" (out, in) and "bias" (out), both drawn from
 * U(-1/sqrt(in), 1/sqrt(in)). NULL options: f32, a bias, no activation. NULL on failure: HEED_ERR_ARGUMENT for a size
 * below 1, HEED_ERR_SHAPE for a weight too large to be counted, HEED_ERR_DTYPE unless f32 or f64, HEED_ERR_NOMEM.
 * torch: torch.nn.Linear */
HEED_API HEED_NODISCARD heed_nn_linear *heed_nn_linear_new(int64_t in, int64_t out,
                                                           const heed_nn_linear_options *options);

/* y = activation(x W^T + b): x (..., in) -> (..., out). NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE
 * unless the last axis of x is `in`, HEED_ERR_DTYPE unless x has the layer's dtype, HEED_ERR_STATE if the activation
 * returns NULL and does not say why, HEED_ERR_NOMEM.
 * torch: torch.nn.Linear.forward */
HEED_API heed_tensor *heed_nn_linear_forward(heed_nn_linear *net, heed_tensor *x);

/* -- Dropout ------------------------------------------------------------------------------------------------------- */

/* While base.training each element is 0 with probability p, and x / (1 - p) otherwise; else x itself. */
typedef struct heed_nn_dropout {
    heed_module base; /* the module */
    double p;         /* probability of 0 */
} heed_nn_dropout;

/* A layer without parameters that drops elements with probability p. NULL on failure: HEED_ERR_ARGUMENT unless p is in
 * [0, 1], HEED_ERR_NOMEM.
 * torch: torch.nn.Dropout */
HEED_API HEED_NODISCARD heed_nn_dropout *heed_nn_dropout_new(double p);

/* Drops elements of x while base.training: each is 0 with probability p and x / (1 - p) otherwise, drawn from the
 * default generator (heed_dropout). After heed_module_eval: x itself. x is f32 or f64 of any shape. NULL on failure:
 * HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.nn.Dropout.forward */
HEED_API heed_tensor *heed_nn_dropout_forward(heed_nn_dropout *net, heed_tensor *x);

/* -- Layer norm ---------------------------------------------------------------------------------------------------- */

/* What heed_nn_layer_norm_new may be told. */
typedef struct heed_nn_layer_norm_options {
    double eps;       /* 0: 1e-5 */
    bool no_affine;   /* neither weight nor bias: forward takes f32 and f64 */
    bool no_bias;     /* a weight alone */
    heed_dtype dtype; /* of weight and bias; 0: f32 */
    HEED_RESERVED;
} heed_nn_layer_norm_options;

/* y = (x - mean) / sqrt(variance + eps) weight + bias. */
typedef struct heed_nn_layer_norm {
    heed_module base;           /* the module */
    heed_shape shape;           /* of the last axes, which are normalised together */
    double eps;                 /* added to the variance */
    heed_tensor *weight, *bias; /* of that shape; NULL where there is none */
} heed_nn_layer_norm;

/* Normalisation over last axes of the given shape (rank 1 or more): parameters "weight", ones, and "bias", zeros, of
 * that shape. NULL options: f32, eps 1e-5. NULL on failure: HEED_ERR_ARGUMENT for rank 0, a size below 1, or an eps
 * that is negative or not finite, HEED_ERR_SHAPE for more elements than can be counted, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM.
 * torch: torch.nn.LayerNorm */
HEED_API HEED_NODISCARD heed_nn_layer_norm *heed_nn_layer_norm_new(heed_shape shape,
                                                                   const heed_nn_layer_norm_options *options);

/* y = (x - mean) / sqrt(variance + eps) weight + bias. Mean and variance are those over the last axes of x, which must
 * be the layer's shape: x (..., shape) to the same shape. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE
 * for other last axes, HEED_ERR_DTYPE unless x has the parameters' dtype, HEED_ERR_NOMEM.
 * torch: torch.nn.LayerNorm.forward */
HEED_API heed_tensor *heed_nn_layer_norm_forward(heed_nn_layer_norm *net, heed_tensor *x);

/* -- Embedding ----------------------------------------------------------------------------------------------------- */

/* What heed_nn_embedding_new may be told. */
typedef struct heed_nn_embedding_options {
    heed_dtype dtype; /* of the vectors; 0: f32 */
    HEED_RESERVED;
} heed_nn_embedding_options;

/* A table of vectors, looked up by index. */
typedef struct heed_nn_embedding {
    heed_module base;    /* the module */
    heed_tensor *weight; /* (count, dim) */
} heed_nn_embedding;

/* A table of `count` vectors of size `dim`: parameter "weight" (count, dim), drawn from N(0, 1). NULL on failure:
 * HEED_ERR_ARGUMENT for a size below 1, HEED_ERR_SHAPE for more elements than can be counted, HEED_ERR_DTYPE unless
 * f32 or f64, HEED_ERR_NOMEM.
 * torch: torch.nn.Embedding */
HEED_API HEED_NODISCARD heed_nn_embedding *heed_nn_embedding_new(int64_t count, int64_t dim,
                                                                 const heed_nn_embedding_options *options);

/* y[...] = weight[indices[...]]: indices i64 (...), each in 0 .. count - 1 -> (..., dim). NULL on failure:
 * HEED_ERR_ARGUMENT for NULL, HEED_ERR_INDEX for an index out of range, HEED_ERR_DTYPE unless i64, HEED_ERR_SHAPE,
 * HEED_ERR_NOMEM.
 * torch: torch.nn.Embedding.forward */
HEED_API heed_tensor *heed_nn_embedding_forward(heed_nn_embedding *net, heed_tensor *indices);

/* -- Functions as modules ------------------------------------------------------------------------------------------ */

/* y = function(x), so that it can stand between layers. */
typedef struct heed_nn_function {
    heed_module base;                         /* the module; base.type is the name */
    heed_tensor *(*function)(heed_tensor *x); /* what forward calls */
} heed_nn_function;

/* A function as a module without parameters: heed_nn_function_new("relu", heed_relu). `name` is the module's type,
 * in messages, and must outlive it. The function runs as heed/scope.h says of functions of others. NULL on failure:
 * HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_nn_function *heed_nn_function_new(const char *name,
                                                               heed_tensor *(*function)(heed_tensor *x));

/* function(x), of whatever shape and dtype the function takes. NULL on failure: HEED_ERR_ARGUMENT for NULL, what
 * the function fails with, or HEED_ERR_STATE if it returns NULL without an error. */
HEED_API heed_tensor *heed_nn_function_forward(heed_nn_function *net, heed_tensor *x);

/* The activation of that name, as torch.nn.functional has it: "relu", "gelu", "silu", "tanh", "sigmoid", "softplus",
 * and with PyTorch's default numbers "elu", "leaky_relu" and "hardtanh"; also "gelu_tanh". For options, and as a layer:
 *
 *     heed_nn_function_new(name, heed_activation_named(name))
 *
 * NULL with HEED_ERR_ARGUMENT for another name, and for NULL. */
HEED_API heed_activation heed_activation_named(const char *name);

/* -- Flatten ------------------------------------------------------------------------------------------------------- */

/* Some axes as one. */
typedef struct heed_nn_flatten {
    heed_module base;         /* the module */
    int start_axis, end_axis; /* the first and the last of them */
} heed_nn_flatten;

/* A layer without parameters that makes one axis of start_axis .. end_axis: heed_nn_flatten_new(1, -1) makes (B, ...)
 * to (B, n). NULL on failure: HEED_ERR_NOMEM.
 * torch: torch.nn.Flatten */
HEED_API HEED_NODISCARD heed_nn_flatten *heed_nn_flatten_new(int start_axis, int end_axis);

/* x with these axes as one, as heed_flatten. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for axes that
 * x has not, HEED_ERR_NOMEM.
 * torch: torch.nn.Flatten.forward */
HEED_API heed_tensor *heed_nn_flatten_forward(heed_nn_flatten *net, heed_tensor *x);

/* -- One after another --------------------------------------------------------------------------------------------- */

/* y = module_n-1(... module_1(module_0(x))). The modules are children named "0", "1", ... */
typedef struct heed_nn_sequential {
    heed_module base; /* the module, which owns the others */
} heed_nn_sequential;

/* HEED_MODULES(a, b, c) stands for two arguments, a list of modules of any type and its length. */
#define HEED_MODULES(...) HEED_LIST(void *, __VA_ARGS__)

/* n modules one after another, n = 0 the identity: heed_nn_sequential_new(HEED_MODULES(a, b)). Takes ownership of
 * them, and frees them on failure: so constructors may be written in the list. NULL on failure: HEED_ERR_ARGUMENT when
 * a module is NULL, given twice, or has a parent (which keeps it), HEED_ERR_UNSUPPORTED when one takes more than one
 * tensor, HEED_ERR_NOMEM.
 * torch: torch.nn.Sequential */
HEED_API HEED_NODISCARD heed_nn_sequential *heed_nn_sequential_new(void *const *modules, int n);

/* Appends a module, for lists made in a loop, and owns it: it is freed on failure, unless it has a parent already, or
 * is net itself or above it in the tree. HEED_ERR_ARGUMENT for these and for NULL, HEED_ERR_UNSUPPORTED for a module
 * that takes more than one tensor, HEED_ERR_NOMEM.
 * torch: torch.nn.Sequential.append */
HEED_API heed_status heed_nn_sequential_add(heed_nn_sequential *net, void *module);

/* x through all modules in turn; x itself where there is none. NULL on failure: HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_NOMEM, and what a module fails with.
 * torch: torch.nn.Sequential.forward */
HEED_API heed_tensor *heed_nn_sequential_forward(heed_nn_sequential *net, heed_tensor *x);

/* -- Around others ------------------------------------------------------------------------------------------------- */

/* y = x + net(x). K. He, X. Zhang, S. Ren, J. Sun: Deep Residual Learning for Image Recognition (2015). */
typedef struct heed_nn_residual {
    heed_module base;        /* the module */
    heed_nn_sequential *net; /* child "net" */
} heed_nn_residual;

/* n modules one after another, and a way around them: heed_nn_residual_new(HEED_MODULES(a, b)). They are those of the
 * child "net", a heed_nn_sequential, so that their parameters are "net.0.weight" and so on. Takes ownership of them,
 * and fails and frees them, as heed_nn_sequential_new. */
HEED_API HEED_NODISCARD heed_nn_residual *heed_nn_residual_new(void *const *modules, int n);

/* y = x + net(x), of x's shape. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE where net(x) has another
 * shape than x, HEED_ERR_NOMEM, and what a module fails with. */
HEED_API heed_tensor *heed_nn_residual_forward(heed_nn_residual *net, heed_tensor *x);

HEED_END_DECLS

#endif
