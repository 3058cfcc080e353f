/* tests/replay/large.c - cases of replay_hashes that reach the blocked, packed and threaded kernels, which the small
 * cases of the ops do not: one row per shape.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "large.h"
#include "ops/functions.h"

/* -- Products: a (B, M, K) x b (B, K, N); i: whether a and b are stored transposed --------------------------------- */

RUN(product, heed_bmm_t(in[0], c->i[0] != 0, in[1], c->i[1] != 0))

/* Products of less precision may round a and b to bf16. Their bits then depend on the processor; the bits of all other
 * products are the same on all processors with fused multiply-add. */
RUN(product_high, heed_set_matmul_precision(HEED_PRECISION_HIGH) == HEED_OK ? heed_bmm(in[0], in[1]) : NULL)
RUN(product_medium, heed_set_matmul_precision(HEED_PRECISION_MEDIUM) == HEED_OK ? heed_bmm(in[0], in[1]) : NULL)

RUN(linear, heed_linear(in[0], in[1], in[2]))
RUN(linear_relu, heed_linear_activated(in[0], in[1], in[2], heed_relu))

#define PRODUCT(run_, b, m, k, n)                                                                                      \
    {                                                                                                                  \
        .name = #run_ " " #b ", " #m "x" #k "x" #n, .run = run_, .n_inputs = 2, .max_order = 1, .in = {                \
            {.shape = DIMS(b, m, k)},                                                                                  \
            {.shape = DIMS(b, k, n)}                                                                                   \
        }                                                                                                              \
    }
#define TRANSPOSED(b, m, k, n)                                                                                         \
    {                                                                                                                  \
        .name = "both transposed " #b ", " #m "x" #k "x" #n, .run = product, .n_inputs = 2, .max_order = 1,            \
        .i = {1, 1}, .in = {                                                                                           \
            {.shape = DIMS(b, k, m)},                                                                                  \
            {.shape = DIMS(b, n, k)}                                                                                   \
        }                                                                                                              \
    }
#define LINEAR(run_, m, k, n)                                                                                          \
    {                                                                                                                  \
        .name = #run_ " " #m "x" #k "x" #n, .run = run_, .n_inputs = 3, .max_order = 1, .in = {                        \
            {.shape = DIMS(m, k)},                                                                                     \
            {.shape = DIMS(n, k)},                                                                                     \
            {.shape = DIMS(n)}                                                                                         \
        }                                                                                                              \
    }

/* -- Convolutions; i: stride, padding, dilation, groups ------------------------------------------------------------ */

static heed_shape one(int64_t number)
{
    return number ? HEED_SHAPE(number) : HEED_SCALAR;
}

static heed_tensor *conv(heed_tensor *const *in, const op_case *c)
{
    heed_conv_options options = {
        .stride = one(c->i[0]), .padding = one(c->i[1]), .dilation = one(c->i[2]), .groups = c->i[3]};
    return heed_conv(in[0], in[1], NULL, &options);
}

static heed_tensor *conv_transpose(heed_tensor *const *in, const op_case *c)
{
    heed_conv_transpose_options options = {.stride = one(c->i[0]), .padding = one(c->i[1])};
    return heed_conv_transpose(in[0], in[1], NULL, &options);
}

#define CONV(run_, x, w, ...)                                                                                          \
    {                                                                                                                  \
        .name = #run_ " " #x " " #w, .run = run_, .n_inputs = 2, .max_order = 1, .in = {{.shape = x}, {.shape = w}},   \
        .i = {                                                                                                         \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

/* -- Attention: q (B, H, Q, d), k and v (B, G, K, d), lengths (B); i: causal, window, offset, heads inside -------- */

static heed_tensor *attention(heed_tensor *const *in, const op_case *c)
{
    heed_generator *generator = heed_generator_new(7);
    heed_attention_options options = {.valid_lens = in[3],
                                      .causal = c->i[0] != 0,
                                      .window = c->i[1],
                                      .query_offset = c->i[2],
                                      .heads_inner = c->i[3] != 0,
                                      .dropout = c->p[0],
                                      .generator = generator,
                                      .bias = c->n_inputs > 4 ? in[4] : NULL,
                                      .relative_bias = c->n_inputs > 5 ? in[5] : NULL};
    heed_tensor *y = heed_dot_product_attention(in[0], in[1], in[2], &options, NULL);
    heed_generator_free(generator);
    return y;
}

static heed_tensor *additive(heed_tensor *const *in, const op_case *c)
{
    heed_attention_options options = {.valid_lens = in[6], .causal = c->i[0] != 0, .window = c->i[1]};
    return heed_additive_attention(in[0], in[1], in[2], in[3], in[4], in[5], &options, NULL);
}

#define HEADS(b, h, g, q, k, d)                                                                                        \
    {.shape = DIMS(b, h, q, d)}, {.shape = DIMS(b, g, k, d)}, {.shape = DIMS(b, g, k, d)},                             \
    {                                                                                                                  \
        .kind = OP_INDEX, .shape = DIMS(b), .low = 1, .high = k                                                        \
    }
#define ATTENTION(name_, b, h, g, q, k, d, ...)                                                                        \
    {                                                                                                                  \
        .name = name_ " " #b ", " #h ", " #q ", " #k ", " #d, .run = attention, .n_inputs = 4, .max_order = 1,         \
        .in = {HEADS(b, h, g, q, k, d)}, __VA_ARGS__                                                                   \
    }
#define ADDITIVE(b, q, k, d, h, ...)                                                                                   \
    {                                                                                                                  \
        .name = "additive " #b ", " #q ", " #k ", " #d ", " #h, .run = additive, .n_inputs = 7, .max_order = 1,        \
        .in = {{.shape = DIMS(b, q, d)},                                                                               \
               {.shape = DIMS(b, k, d)},                                                                               \
               {.shape = DIMS(b, k, d)},                                                                               \
               {.shape = DIMS(h, d)},                                                                                  \
               {.shape = DIMS(h, d)},                                                                                  \
               {.shape = DIMS(h)},                                                                                     \
               {.kind = OP_INDEX, .shape = DIMS(b), .low = 1, .high = k}},                                             \
        __VA_ARGS__                                                                                                    \
    }

/* -- Rows, planes and kernel regression ---------------------------------------------------------------------------- */

RUN(softmax, heed_softmax(in[0], (int)c->i[0]))
RUN(log_softmax, heed_log_softmax(in[0], (int)c->i[0]))
RUN(masked_softmax, heed_masked_softmax(in[0], in[1]))
RUN(sum, heed_sum_axes(in[0], c->shape, false))
RUN(cumsum, heed_cumsum(in[0], (int)c->i[0]))
RUN(sort, heed_sort_axis(in[0], (int)c->i[0], false, NULL))
RUN(layer_norm, heed_layer_norm(in[0], HEED_SHAPE(c->i[0]), in[1], in[2], 1e-5))
RUN(batch_norm, heed_batch_norm(in[0], NULL, NULL, in[1], in[2], 1e-5, NULL))
RUN(max_pool, heed_max_pool(in[0], HEED_SHAPE(c->i[0], c->i[0]), NULL, NULL))
RUN(regression,
    heed_kernel_regression(in[0], in[1], in[2], in[3],
                           &(heed_kernel_regression_options){.kernel = (heed_nw_kernel)c->i[0], .degree = (int)c->i[1]},
                           NULL))

#define ROWS(run_, dims, ...)                                                                                          \
    {                                                                                                                  \
        .name = #run_ " " #dims, .run = run_, .n_inputs = 1, .max_order = 1, .in = {{.shape = dims}}, __VA_ARGS__      \
    }
#define NORM(run_, dims, n, ...)                                                                                       \
    {                                                                                                                  \
        .name = #run_ " " #dims, .run = run_, .n_inputs = 3, .max_order = 1,                                           \
        .in = {{.shape = dims}, {.shape = DIMS(n)}, {.shape = DIMS(n)}}, __VA_ARGS__                                   \
    }
#define REGRESSION(name_, n, m, ...)                                                                                   \
    {                                                                                                                  \
        .name = name_ " " #n ", " #m, .run = regression, .n_inputs = 4, .max_order = 1,                                \
        .in = {{.shape = DIMS(n)}, {.shape = DIMS(m)}, {.shape = DIMS(m)}, {.shape = DIMS(1), .low = 0.5, .high = 2}}, \
        __VA_ARGS__                                                                                                    \
    }

static const op_case cases[] = {
    PRODUCT(product, 1, 1, 300, 70),
    PRODUCT(product, 1, 3, 9, 257),
    PRODUCT(product, 1, 70, 300, 1),
    PRODUCT(product, 1, 129, 257, 131),
    PRODUCT(product, 1, 512, 3, 512),
    PRODUCT(product, 1, 33, 5000, 17),
    PRODUCT(product, 8, 5, 6, 7),
    PRODUCT(product, 64, 16, 16, 16),
    PRODUCT(product, 3, 100, 65, 40),
    PRODUCT(product, 40, 1, 64, 64),
    PRODUCT(product, 1, 1, 2500, 3),
    PRODUCT(product, 1, 2, 1040, 40),
    PRODUCT(product, 1, 3, 24, 257),
    PRODUCT(product, 1, 7, 1000, 17),
    PRODUCT(product, 1, 13, 104, 12),
    PRODUCT(product, 1, 14, 112, 12),
    PRODUCT(product, 1, 28, 600, 100),
    PRODUCT(product, 1, 29, 600, 100),
    PRODUCT(product, 1, 31, 256, 513),
    PRODUCT(product, 1, 40, 700, 33),
    PRODUCT(product, 1, 64, 512, 600),
    PRODUCT(product, 2, 3, 5000, 20),
    TRANSPOSED(1, 13, 104, 300),
    TRANSPOSED(1, 16, 600, 4),
    TRANSPOSED(1, 31, 600, 4),
    TRANSPOSED(1, 33, 600, 8),
    TRANSPOSED(1, 129, 257, 131),
    TRANSPOSED(16, 7, 33, 20),
    PRODUCT(product_high, 2, 65, 300, 70),
    PRODUCT(product_medium, 2, 65, 300, 70),
    LINEAR(linear, 200, 100, 50),
    LINEAR(linear_relu, 200, 100, 50),
    LINEAR(linear, 3, 784, 256),
    CONV(conv, DIMS(2, 3, 200), DIMS(8, 3, 5), 1, 2),
    CONV(conv, DIMS(2, 16, 200), DIMS(16, 16, 3), 2, 1, 2),
    CONV(conv, DIMS(2, 3, 33, 35), DIMS(8, 3, 3, 3), 1, 1),
    CONV(conv, DIMS(2, 16, 28, 28), DIMS(32, 16, 3, 3), 1, 1),
    CONV(conv, DIMS(1, 64, 14, 14), DIMS(64, 64, 3, 3), 1, 1),
    CONV(conv, DIMS(4, 1, 28, 28), DIMS(6, 1, 5, 5), 1, 2),
    CONV(conv, DIMS(2, 32, 20, 20), DIMS(48, 32, 1, 1), 0),
    CONV(conv, DIMS(2, 16, 21, 19), DIMS(16, 16, 3, 3), 2, 1),
    CONV(conv, DIMS(2, 16, 21, 19), DIMS(16, 1, 3, 3), 1, 1, 1, 16),
    CONV(conv, DIMS(2, 16, 21, 19), DIMS(16, 4, 3, 3), 1, 2, 2, 4),
    CONV(conv, DIMS(1, 3, 64, 64), DIMS(24, 3, 7, 7), 2, 3),
    CONV(conv_transpose, DIMS(2, 16, 14, 14), DIMS(16, 8, 4, 4), 2, 1),
    /* the paths of ops/conv/path.c for y, x and w, with incomplete registers and with sums of many terms */
    CONV(conv, DIMS(2, 4, 6, 7), DIMS(37, 4, 3, 3), 1),
    CONV(conv, DIMS(1, 460, 5, 5), DIMS(20, 460, 3, 3), 1, 1),
    CONV(conv, DIMS(1, 460, 5, 7), DIMS(31, 460, 3, 3), 1, 1),
    CONV(conv, DIMS(2, 40, 9, 4), DIMS(9, 40, 3, 3), 1, 1),
    CONV(conv, DIMS(3, 37, 4, 4), DIMS(460, 37, 3, 3), 1, 1),
    CONV(conv, DIMS(3, 6, 14, 13), DIMS(16, 6, 5, 5), 1),
    CONV(conv, DIMS(3, 5, 33, 35), DIMS(20, 5, 3, 3), 1, 1),
    CONV(conv, DIMS(2, 2, 2500), DIMS(3, 2, 4), 1, 1),
    CONV(conv, DIMS(2, 1, 150, 37), DIMS(1, 1, 11, 11), 1, 5),
    CONV(conv, DIMS(3, 2, 70, 11), DIMS(4, 2, 3, 3), 1, 1),
    CONV(conv, DIMS(2, 5, 23, 37), DIMS(5, 1, 3, 3), 2, 1, 1, 5),
    CONV(conv, DIMS(2, 3, 31, 41), DIMS(3, 1, 5, 5), 3, 2, 1, 3),
    CONV(conv, DIMS(3, 16, 33, 35), DIMS(19, 16, 3, 3), 1, 1),
    CONV(conv, DIMS(2, 17, 29, 31), DIMS(19, 17, 3, 3), 2, 1),
    CONV(conv_transpose, DIMS(2, 6, 13, 11), DIMS(6, 5, 5, 4), 3, 1),
    CONV(conv_transpose, DIMS(2, 7, 90), DIMS(7, 2, 5), 2, 1),
    ATTENTION("lengths", 3, 4, 4, 65, 130, 32, .i = {0}),
    ATTENTION("one query", 3, 4, 4, 1, 300, 64, .i = {0}),
    ATTENTION("causal", 2, 4, 2, 130, 130, 24, .i = {1}),
    ATTENTION("window", 2, 2, 2, 300, 300, 16, .i = {1, 40}),
    ATTENTION("window of both sides", 1, 2, 2, 200, 210, 16, .i = {0, 30}),
    ATTENTION("dropout", 2, 2, 2, 70, 90, 16, .p = {0.2}),
    {.name = "biases",
     .run = attention,
     .n_inputs = 6,
     .max_order = 1,
     .in = {HEADS(2, 2, 2, 60, 120, 16), {.shape = DIMS(2, 60, 120)}, {.shape = DIMS(2, 41)}}},
    ADDITIVE(2, 33, 70, 24, 20, .i = {0}),
    ADDITIVE(2, 1, 200, 16, 64, .i = {0}),
    ADDITIVE(2, 50, 50, 16, 16, .i = {1, 20}),
    ATTENTION("by query", 2, 2, 1, 5, 9, 7, .i = {0}),
    ATTENTION("by query", 2, 2, 2, 4, 6, 20, .i = {1}),
    ATTENTION("one query with a window", 2, 4, 2, 1, 300, 41, .i = {1, 100, 250}),
    ATTENTION("one query, many keys", 1, 1, 1, 1, 5000, 24, .i = {0}),
    ATTENTION("columns", 2, 2, 1, 70, 130, 40, .i = {0}),
    ATTENTION("columns", 1, 2, 2, 45, 130, 61, .i = {1}),
    ATTENTION("wide", 1, 2, 2, 40, 50, 300, .i = {0}),
    ATTENTION("many keys", 1, 1, 1, 33, 4200, 20, .i = {0}),
    ATTENTION("many queries", 1, 1, 1, 4200, 40, 20, .i = {0}),
    {.name = "heads inside",
     .run = attention,
     .n_inputs = 4,
     .max_order = 1,
     .in = {{.shape = DIMS(2, 70, 4, 24)},
            {.shape = DIMS(2, 90, 2, 24)},
            {.shape = DIMS(2, 90, 2, 12)},
            {.kind = OP_INDEX, .shape = DIMS(2), .low = 0, .high = 91}},
     .i = {1, 0, 20, 1}},
    {.name = "causal biases",
     .run = attention,
     .n_inputs = 6,
     .max_order = 1,
     .in = {HEADS(2, 3, 1, 139, 150, 16), {.shape = DIMS(139, 150)}, {.shape = DIMS(3, 301)}},
     .i = {1, 60}},
    ADDITIVE(2, 5, 70, 8, 3, .i = {0}),
    ADDITIVE(2, 20, 30, 8, 8, .i = {0}),
    ADDITIVE(1, 20, 30, 8, 12, .i = {0}),
    ADDITIVE(1, 20, 30, 8, 37, .i = {0}),
    ADDITIVE(1, 20, 30, 8, 48, .i = {1}),
    ADDITIVE(1, 70, 66, 8, 101, .i = {0}),
    ADDITIVE(1, 130, 10, 8, 23, .i = {0}),
    ADDITIVE(1, 3, 4200, 8, 20, .i = {0}),
    ROWS(softmax, DIMS(60, 1000), .i = {-1}),
    ROWS(softmax, DIMS(300, 40, 7), .i = {1}),
    ROWS(sum, DIMS(300, 700), .shape = DIMS(0)),
    ROWS(sum, DIMS(300, 700), .shape = DIMS(1)),
    ROWS(sum, DIMS(100000), .shape = DIMS(0)),
    ROWS(sum, DIMS(20, 30, 40, 10), .shape = DIMS(0, 2)),
    ROWS(cumsum, DIMS(50, 600), .i = {1}),
    ROWS(sort, DIMS(30, 700), .i = {1}),
    ROWS(max_pool, DIMS(4, 8, 28, 28), .i = {2}),
    {.name = "masked_softmax (8, 60, 120)",
     .run = masked_softmax,
     .n_inputs = 2,
     .max_order = 1,
     .in = {{.shape = DIMS(8, 60, 120)}, {.kind = OP_INDEX, .shape = DIMS(8), .low = 0, .high = 121}}},
    NORM(layer_norm, DIMS(300, 129), 129, .i = {129}),
    NORM(batch_norm, DIMS(8, 16, 30, 30), 16, .i = {16}),
    REGRESSION("Gaussian", 500, 700, .i = {HEED_NW_GAUSSIAN}),
    REGRESSION("local linear", 100, 300, .i = {HEED_NW_GAUSSIAN, 1}),
    REGRESSION("Epanechnikov", 100, 300, .i = {HEED_NW_EPANECHNIKOV}),
    REGRESSION("Gaussian", 30, 6007, .i = {HEED_NW_GAUSSIAN}),
    ROWS(softmax, DIMS(3, 2501), .i = {-1}),
    ROWS(log_softmax, DIMS(9, 1027), .i = {-1}),
    NORM(layer_norm, DIMS(7, 1291), 1291, .i = {1291}),
    NORM(batch_norm, DIMS(70, 37), 37, .i = {37}),
    NORM(batch_norm, DIMS(3, 5, 9, 11), 5, .i = {5}),
    {.name = NULL},
};

const op_cases large_cases = {.cases = cases};
