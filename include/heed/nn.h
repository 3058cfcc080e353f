/* heed/nn.h - layers. Each is a module (heed/module.h): a struct that begins with `heed_module base`, is made by
 * heed_nn_NAME_new, run by heed_nn_NAME_forward and freed by heed_module_free(&net->base).
 *
 *     heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(784, 256, NULL),
 *                                                                   heed_nn_function_new("relu", heed_relu),
 *                                                                   heed_nn_linear_new(256, 10, NULL)));
 *     heed_tensor *logits = heed_nn_sequential_forward(net, images);
 *     ...
 *     heed_module_free(&net->base);
 *
 * Parameters have PyTorch's names, shapes and initial distributions wherever PyTorch has the layer, and the book's
 * where it has not, so that weights can be exchanged. They are drawn from the default generator (heed/random.h).
 *
 * NULL options are the defaults: f32, with biases, no dropout. All constructors return NULL with HEED_ERR_ARGUMENT for
 * a size below 1 or another number out of its range, HEED_ERR_SHAPE for a parameter of more elements than can be
 * counted, HEED_ERR_DTYPE for a dtype other than f32 and f64, HEED_ERR_NOMEM.
 * All forwards return NULL with HEED_ERR_ARGUMENT for a NULL module or tensor, HEED_ERR_SHAPE, HEED_ERR_DTYPE for a
 * tensor of another dtype than the module's, HEED_ERR_NOMEM.
 *
 * Shapes: B sequences, T steps, Q queries, K keys.
 */
#ifndef HEED_NN_H
#define HEED_NN_H

#include <heed/module.h>
#include <heed/ops.h>

HEED_BEGIN_DECLS

/* -- Building blocks --------------------------------------------------------------------------------------------- */

/* y = activation(x W^T + b): x (..., in) -> (..., out). Parameters "weight" W (out, in) and "bias" b (out), both drawn
 * from U(-1/sqrt(in), 1/sqrt(in)): torch.nn.Linear. new: HEED_ERR_ARGUMENT for an unknown activation. forward:
 * HEED_ERR_SHAPE unless the last axis of x is `in`. */
typedef struct heed_nn_linear_options {
    bool no_bias;
    heed_dtype dtype;
    heed_activation activation; /* 0: none */
    HEED_RESERVED;
} heed_nn_linear_options;

typedef struct heed_nn_linear {
    heed_module base;
    heed_tensor *weight;
    heed_tensor *bias; /* NULL with no_bias */
    heed_activation activation;
} heed_nn_linear;

HEED_API heed_nn_linear *heed_nn_linear_new(int64_t in, int64_t out, const heed_nn_linear_options *options);
HEED_API heed_tensor *heed_nn_linear_forward(heed_nn_linear *net, heed_tensor *x);

/* While base.training, each element is 0 with probability p and x / (1 - p) otherwise (heed_dropout, from the default
 * generator); else x itself. x has any shape, f32 or f64. new: HEED_ERR_ARGUMENT unless p is in [0, 1]. */
typedef struct heed_nn_dropout {
    heed_module base;
    double p;
} heed_nn_dropout;

HEED_API heed_nn_dropout *heed_nn_dropout_new(double p);
HEED_API heed_tensor *heed_nn_dropout_forward(heed_nn_dropout *net, heed_tensor *x);

/* y = (x - mean) / sqrt(variance + eps) weight + bias over the last axes of x, which must be `shape` (rank 1 or more):
 * torch.nn.LayerNorm. Parameters "weight", ones, and "bias", zeros, of that shape. new: HEED_ERR_ARGUMENT also for an
 * eps that is negative or not finite. forward: HEED_ERR_SHAPE for other last axes. */
typedef struct heed_nn_layer_norm_options {
    double eps;     /* 0: 1e-5 */
    bool no_affine; /* neither weight nor bias: forward takes f32 and f64 */
    bool no_bias;
    heed_dtype dtype; /* of weight and bias */
    HEED_RESERVED;
} heed_nn_layer_norm_options;

typedef struct heed_nn_layer_norm {
    heed_module base;
    heed_shape shape;
    double eps;
    heed_tensor *weight, *bias; /* NULL where there is none */
} heed_nn_layer_norm;

HEED_API heed_nn_layer_norm *heed_nn_layer_norm_new(heed_shape shape, const heed_nn_layer_norm_options *options);
HEED_API heed_tensor *heed_nn_layer_norm_forward(heed_nn_layer_norm *net, heed_tensor *x);

/* y[...] = weight[indices[...]]: indices i64 (...), each in 0 .. count - 1 -> (..., dim). Parameter "weight" (count,
 * dim), drawn from N(0, 1): torch.nn.Embedding. forward: HEED_ERR_INDEX for an index out of range, HEED_ERR_DTYPE
 * unless i64. */
typedef struct heed_nn_embedding_options {
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_embedding_options;

typedef struct heed_nn_embedding {
    heed_module base;
    heed_tensor *weight;
} heed_nn_embedding;

HEED_API heed_nn_embedding *heed_nn_embedding_new(int64_t count, int64_t dim, const heed_nn_embedding_options *options);
HEED_API heed_tensor *heed_nn_embedding_forward(heed_nn_embedding *net, heed_tensor *indices);

/* y = function(x), a module without parameters: heed_nn_function_new("relu", heed_relu). `name` is the module's type,
 * in messages, and must outlive it. new: HEED_ERR_ARGUMENT for NULL. forward: what the function fails with, or
 * HEED_ERR_STATE if it returns NULL without an error; the same holds for the activations below. */
typedef struct heed_nn_function {
    heed_module base;
    heed_tensor *(*function)(heed_tensor *x);
} heed_nn_function;

HEED_API heed_nn_function *heed_nn_function_new(const char *name, heed_tensor *(*function)(heed_tensor *x));
HEED_API heed_tensor *heed_nn_function_forward(heed_nn_function *net, heed_tensor *x);

/* y = module_n-1(... module_1(module_0(x))): torch.nn.Sequential. The modules are children named "0", "1", ... */
typedef struct heed_nn_sequential {
    heed_module base;
} heed_nn_sequential;

/* HEED_MODULES(a, b, c) stands for two arguments, a list of modules of any type and its length. */
#define HEED_MODULES(...) ((void *[]){__VA_ARGS__}), ((int)(sizeof((void *[]){__VA_ARGS__}) / sizeof(void *)))

/* Takes ownership of the n modules, and frees them on failure: so constructors may be written in the list. n = 0 is
 * the identity. HEED_ERR_ARGUMENT when a module is NULL, given twice, or has a parent (which keeps it);
 * HEED_ERR_UNSUPPORTED when one takes more than one tensor. heed_nn_sequential_add appends a module, for lists made in
 * a loop, and owns it in the same way, unless that is net itself or above it in the tree (HEED_ERR_ARGUMENT). */
HEED_API heed_nn_sequential *heed_nn_sequential_new(void *const *modules, int n);
HEED_API heed_status heed_nn_sequential_add(heed_nn_sequential *net, void *module);
HEED_API heed_tensor *heed_nn_sequential_forward(heed_nn_sequential *net, heed_tensor *x);

/* -- Initial values: torch.nn.init ----------------------------------------------------------------------------------
 * Written to every element of t in place, drawn from the default generator; not recorded. HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_NOMEM. After a failure t is as it was. The last two are for t of
 * shape (out, in, ...), HEED_ERR_SHAPE for a rank below 2; the product of the sizes after `in` multiplies both in and
 * out. */

/* U(low, high). HEED_ERR_ARGUMENT unless low <= high, and both and their difference are finite in t's dtype. */
HEED_API heed_status heed_nn_init_uniform_(heed_tensor *t, double low, double high);

/* N(mean, std^2). HEED_ERR_ARGUMENT unless both are finite in t's dtype, and std is 0 or more. */
HEED_API heed_status heed_nn_init_normal_(heed_tensor *t, double mean, double std);

/* U(-a, a), a = sqrt(6 / (in + out)). X. Glorot, Y. Bengio (AISTATS 2010). */
HEED_API heed_status heed_nn_init_xavier_uniform_(heed_tensor *t);

/* U(-a, a), a = sqrt(6 / in), for ReLU. K. He, X. Zhang, S. Ren, J. Sun (ICCV 2015). */
HEED_API heed_status heed_nn_init_kaiming_uniform_(heed_tensor *t);

/* -- Attention ----------------------------------------------------------------------------------------------------
 * queries (B, Q, .), keys (B, K, .), values (B, K, v), h = hidden_size; valid_lens i64 (B) or (B, Q), or NULL, as
 * heed_masked_softmax. *weights, unless `weights` is NULL, receives the weights of the forward as the ops give them: before dropout,
 * differentiable, and NULL on failure; heed_detach where they are only looked at. Weights are dropped while
 * base.training. What a query does not see does not exist for it (heed/ops.h), nor, where no query sees it, for the
 * parameters; but in self-attention a step past the valid length is a query all the same. */

/* AdditiveAttention of the book, MLPAttention in its older editions:
 *     softmax over the keys of w_v^T tanh(W_q q + W_k k), times the values -> (B, Q, v).
 * "W_k.weight" (h, key_size), "W_q.weight" (h, query_size), "w_v.weight" (1, h), no biases.
 * D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate (ICLR 2015). */
typedef struct heed_nn_additive_attention_options {
    double dropout;
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_additive_attention_options;

typedef struct heed_nn_additive_attention {
    heed_module base;
    heed_nn_linear *W_k, *W_q, *w_v;
    double dropout;
} heed_nn_additive_attention;

HEED_API heed_nn_additive_attention *heed_nn_additive_attention_new(int64_t key_size, int64_t query_size,
                                                                    int64_t hidden_size,
                                                                    const heed_nn_additive_attention_options *options);
HEED_API heed_tensor *heed_nn_additive_attention_forward(heed_nn_additive_attention *net, heed_tensor *queries,
                                                         heed_tensor *keys, heed_tensor *values,
                                                         heed_tensor *valid_lens, heed_tensor **weights);

/* DotProductAttention of the book: softmax over the keys of q^T k / sqrt(d), times the values; queries and keys have
 * one size d. No parameters: takes f32 and f64. */
typedef struct heed_nn_dot_product_attention_options {
    double dropout;
    double scale; /* 0: 1 / sqrt(d) */
    bool causal;  /* query i sees keys 0 .. i */
    HEED_RESERVED;
} heed_nn_dot_product_attention_options;

typedef struct heed_nn_dot_product_attention {
    heed_module base;
    double dropout, scale;
    bool causal;
} heed_nn_dot_product_attention;

HEED_API heed_nn_dot_product_attention *
heed_nn_dot_product_attention_new(const heed_nn_dot_product_attention_options *options);
HEED_API heed_tensor *heed_nn_dot_product_attention_forward(heed_nn_dot_product_attention *net, heed_tensor *queries,
                                                            heed_tensor *keys, heed_tensor *values,
                                                            heed_tensor *valid_lens, heed_tensor **weights);

/* num_heads dot-product attentions of size hidden_size / num_heads side by side, between linear maps of queries, keys
 * and values to hidden_size and one of the result: queries (B, Q, query_size) -> (B, Q, hidden_size).
 *
 * The parameters are those of torch.nn.MultiheadAttention: "in_proj_weight" (3 h, h), the maps of queries, keys and
 * values one above the other, or "q_proj_weight" (h, query_size), "k_proj_weight" and "v_proj_weight" when the sizes
 * are not all hidden_size, each Glorot-uniform; "in_proj_bias" (3 h), zeros; "out_proj.weight" (h, h), "out_proj.bias"
 * (h), zeros. The book's layer is this one with no_bias; its W_q, W_k, W_v, W_o are these.
 * HEED_ERR_ARGUMENT unless num_heads divides hidden_size.
 * A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017). */
typedef struct heed_nn_multi_head_attention_options {
    int64_t query_size, key_size, value_size; /* 0: hidden_size */
    double dropout;
    bool causal;
    bool no_bias;
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_multi_head_attention_options;

typedef struct heed_nn_multi_head_attention {
    heed_module base;
    int64_t hidden_size, num_heads;
    heed_tensor *in_proj_weight;                                /* NULL when sizes differ, */
    heed_tensor *q_proj_weight, *k_proj_weight, *v_proj_weight; /* else these are */
    heed_tensor *in_proj_bias;                                  /* NULL with no_bias */
    heed_nn_linear *out_proj;
    double dropout;
    bool causal;
} heed_nn_multi_head_attention;

HEED_API heed_nn_multi_head_attention *
heed_nn_multi_head_attention_new(int64_t hidden_size, int64_t num_heads,
                                 const heed_nn_multi_head_attention_options *options);
HEED_API heed_tensor *heed_nn_multi_head_attention_forward(heed_nn_multi_head_attention *net, heed_tensor *queries,
                                                           heed_tensor *keys, heed_tensor *values,
                                                           heed_tensor *valid_lens, heed_tensor **weights);

/* y = dropout(x + P[:T]): x (B, T, h) -> (B, T, h), where h = hidden_size and
 *     P[i, 2j] = sin(i / 10000^(2j/h)),   P[i, 2j+1] = cos(i / 10000^(2j/h))
 * h may be odd. P is computed in f64, and is not part of the module's state. forward: HEED_ERR_SHAPE if T > max_len. */
typedef struct heed_nn_positional_encoding_options {
    double dropout;
    int64_t max_len; /* 0: 1000 */
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_positional_encoding_options;

typedef struct heed_nn_positional_encoding {
    heed_module base;
    double dropout;
    heed_tensor *P; /* (max_len, h) */
} heed_nn_positional_encoding;

HEED_API heed_nn_positional_encoding *
heed_nn_positional_encoding_new(int64_t hidden_size, const heed_nn_positional_encoding_options *options);
HEED_API heed_tensor *heed_nn_positional_encoding_forward(heed_nn_positional_encoding *net, heed_tensor *x);

/* -- Transformer --------------------------------------------------------------------------------------------------- */

/* y = linear2(dropout(activation(linear1(x)))): x (..., hidden_size) to the same shape, each position alike; the book's
 * PositionWiseFFN. Children "linear1" (ffn_size, hidden_size) and "linear2" (hidden_size, ffn_size). */
typedef struct heed_nn_feed_forward_options {
    heed_activation activation; /* NULL: heed_relu */
    double dropout;
    bool no_bias;
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_feed_forward_options;

typedef struct heed_nn_feed_forward {
    heed_module base;
    heed_nn_linear *linear1, *linear2; /* (ffn_size, hidden_size), (hidden_size, ffn_size) */
    heed_activation activation;
    double dropout;
} heed_nn_feed_forward;

HEED_API heed_nn_feed_forward *heed_nn_feed_forward_new(int64_t hidden_size, int64_t ffn_size,
                                                        const heed_nn_feed_forward_options *options);
HEED_API heed_tensor *heed_nn_feed_forward_forward(heed_nn_feed_forward *net, heed_tensor *x);

/* Self-attention and feed-forward, each with a residual connection, dropout and layer norm: x (B, T, hidden_size) to the
 * same shape.
 *     post-norm:  x = norm1(x + attention(x)),   x = norm2(x + feed_forward(x))
 *     pre-norm:   x = x + attention(norm1(x)),   x = x + feed_forward(norm2(x))
 * Parameters of torch.nn.TransformerEncoderLayer: "self_attn. ...", "linear1. ...", "linear2. ...", "norm1. ...",
 * "norm2. ...". Its dropout is 0.1 unless told otherwise; here it is what you write. With `causal` the block is that of
 * a decoder-only Transformer. heed_module_forward passes no valid_lens and asks for no weights, (B, num_heads, T, T). */
typedef struct heed_nn_transformer_encoder_block_options {
    double dropout;
    double eps;                 /* of the layer norms; 0: 1e-5 */
    heed_activation activation; /* NULL: heed_relu */
    bool pre_norm;
    bool causal;
    bool no_bias; /* in no map and no norm */
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_transformer_encoder_block_options;

typedef struct heed_nn_transformer_encoder_block {
    heed_module base;
    heed_nn_multi_head_attention *self_attn;
    heed_nn_linear *linear1, *linear2;
    heed_nn_layer_norm *norm1, *norm2;
    heed_activation activation;
    double dropout;
    bool pre_norm;
} heed_nn_transformer_encoder_block;

HEED_API heed_nn_transformer_encoder_block *
heed_nn_transformer_encoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                      const heed_nn_transformer_encoder_block_options *options);
HEED_API heed_tensor *heed_nn_transformer_encoder_block_forward(heed_nn_transformer_encoder_block *net, heed_tensor *x,
                                                                heed_tensor *valid_lens, heed_tensor **weights);

/* -- Nadaraya-Watson kernel regression --------------------------------------------------------------------------
 *
 * heed_kernel_regression (heed/ops.h), f(q) = sum_i a_i(q) v_i, with a width that is learned. Dive into Deep Learning,
 * "Attention Pooling". */

typedef struct heed_nn_nw_kernel_regression_options {
    heed_nw_kernel kernel; /* heed/ops.h */
    bool non_parametric;   /* the width is fixed: a buffer, not a parameter */
    bool log_width;        /* the parameter is "log_h" = ln h instead of "w" = 1 / h, which may get stuck at w = 0 */
    double width; /* h at the start; 0: 1 when fixed or log_width, else w is drawn from U(0, 1) as in the book */
    int64_t dim;  /* 0: one width for all components of the keys; d: one for each of the d components */
    heed_dtype dtype;
    bool leave_one_out; /* while base.training, query i does not see key i: shared keys, as many as queries */
    HEED_RESERVED;
} heed_nn_nw_kernel_regression_options;

typedef struct heed_nn_nw_kernel_regression {
    heed_module base;
    heed_nn_nw_kernel_regression_options options; /* leave_one_out may be set at any time */
    heed_tensor *width;                           /* (1) or (dim): "w", or "log_h" */
} heed_nn_nw_kernel_regression;

/* NULL options: Gaussian, parametric, one width, f32. HEED_ERR_ARGUMENT for a width that is negative, not finite, or
 * for which the dtype cannot hold 1 / h^2, a negative dim, an unknown kernel; HEED_ERR_DTYPE for a dtype that is not
 * floating-point. */
HEED_API heed_nn_nw_kernel_regression *
heed_nn_nw_kernel_regression_new(const heed_nn_nw_kernel_regression_options *options);

/* queries (n) or (n, d); keys (m) or (m, d), shared by all queries, or (n, m) or (n, m, d), one set per query; values
 * (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise. Returns (n) or (n, v); weights (n, m), as
 * heed_kernel_regression. Errors as there; HEED_ERR_DTYPE unless all have the module's dtype. */
HEED_API heed_tensor *heed_nn_nw_kernel_regression_forward(heed_nn_nw_kernel_regression *net, heed_tensor *queries,
                                                           heed_tensor *keys, heed_tensor *values,
                                                           heed_tensor **weights);

/* x (n) or (n, d) -> (n, n-1) or (n, n-1, d): row i is x without x[i], the book's X_tile. The option leave_one_out
 * does the same without copies. HEED_ERR_SHAPE for another rank. */
HEED_API heed_tensor *heed_nn_leave_one_out(heed_tensor *x);

/* Silverman's rule of thumb for x (n): 0.9 min(sd, IQR / 1.34) n^(-1/5), R's bw.nrd0; without the IQR where that is 0.
 * B. W. Silverman: Density Estimation (1986), eq. 3.31. NaN with HEED_ERR_SHAPE unless rank 1 with n >= 2,
 * HEED_ERR_DTYPE unless floating-point, HEED_ERR_ARGUMENT when all are equal, one is not finite, or the width would
 * not be finite and above 0. */
HEED_API double heed_nn_silverman_width(heed_tensor *x);

HEED_END_DECLS

#endif
