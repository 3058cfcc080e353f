/* examples/attention_scoring.c - the chapter on attention scoring functions of "Dive into Deep Learning": masked
 * softmax, additive attention, scaled dot-product attention. Shares training.c (command line, pictures) with other
 * examples.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "training.h"

static const char about[] =
    "Prints the outputs of the book's chapter, and draws the attention weights of its two examples\n"
    "as additive.png and dot_product.png, and of a third example as uneven.png.";

static void show(const char *title, heed_tensor *t)
{
    printf("%s\n", title);
    heed_print(t, stdout);
}

/* (B, 1, K): one row per batch element. */
static void draw_weights(heed_tensor *weights, const char *name)
{
    heed_tensor *matrix = heed_squeeze(weights, 1);
    heed_plot_heatmap(matrix, training_picture(name),
                      &(heed_plot_heatmap_options){.xlabel = "Keys", .ylabel = "Queries"});
}

static void masked_softmax(void)
{
    heed_tensor *scores = heed_reshape(heed_mul_scalar(heed_arange(HEED_F32, 0, 16, 1), 0.1), HEED_SHAPE(2, 2, 4));
    show("masked softmax, without lengths", heed_masked_softmax(scores, NULL));
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 3);
    show("a length per batch element: 2, 3", heed_masked_softmax(scores, lens));
    heed_tensor *lens_by_query = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 1, 3, 2, 4);
    show("a length per query: 1, 3, 2, 4", heed_masked_softmax(scores, lens_by_query));
}

/* (2, 10, 4): 0 .. 39, twice. */
static heed_tensor *values_of(heed_dtype dtype)
{
    heed_tensor *values = heed_reshape(heed_arange(dtype, 0, 40, 1), HEED_SHAPE(1, 10, 4));
    return heed_tile(values, HEED_SHAPE(2, 1, 1));
}

/* All keys are equal, so all valid keys get equal weights for any queries and parameters. */
static void toys(heed_tensor *valid_lens)
{
    heed_tensor *keys = heed_ones(HEED_F32, HEED_SHAPE(2, 10, 2)), *values = values_of(HEED_F32), *weights = NULL;
    heed_nn_additive_attention *additive =
        heed_nn_additive_attention_new(2, 20, 8, &(heed_nn_additive_attention_options){.dropout = 0.1});
    heed_module_eval(&additive->base);
    heed_tensor *queries = heed_randn(HEED_F32, HEED_SHAPE(2, 1, 20));
    show("additive attention",
         heed_nn_additive_attention_forward(additive, queries, keys, values, valid_lens, &weights));
    draw_weights(weights, "additive.png");
    heed_module_free(&additive->base);

    heed_nn_dot_product_attention *dot =
        heed_nn_dot_product_attention_new(&(heed_nn_dot_product_attention_options){.dropout = 0.5});
    heed_module_eval(&dot->base);
    queries = heed_randn(HEED_F32, HEED_SHAPE(2, 1, 2));
    show("scaled dot-product attention",
         heed_nn_dot_product_attention_forward(dot, queries, keys, values, valid_lens, &weights));
    draw_weights(weights, "dot_product.png");
    heed_module_free(&dot->base);
}

/* Keys that differ, with fixed parameters: an example of the weights that a trained layer would compute. */
static void uneven(heed_tensor *valid_lens)
{
    heed_tensor *i = heed_arange(HEED_F64, 0, 8, 1), *column = heed_unsqueeze(i, 1);
    heed_tensor *n = heed_arange(HEED_F64, 0, 40, 1), *j = heed_arange(HEED_F64, 0, 20, 1);
    heed_tensor *W_q = heed_mul_scalar(heed_cos(heed_add(column, j)), 0.05);
    heed_tensor *W_k =
        heed_mul(heed_mul_scalar(heed_add_scalar(column, 1), 0.1), HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, -1));
    heed_tensor *w_v = heed_set_requires_grad(heed_mul_scalar(heed_add_scalar(i, -3.5), 0.25), true);
    heed_tensor *queries = heed_reshape(heed_sin(heed_mul_scalar(n, 0.3)), HEED_SHAPE(2, 1, 20));
    heed_tensor *keys = heed_reshape(heed_cos(heed_mul_scalar(n, 0.7)), HEED_SHAPE(2, 10, 2));
    heed_tensor *weights = NULL;
    heed_tensor *out = heed_additive_attention(queries, keys, values_of(HEED_F64), W_q, W_k, w_v,
                                               &(heed_attention_options){.valid_lens = valid_lens}, &weights);
    show("additive attention, uneven", out);
    draw_weights(weights, "uneven.png");

    heed_tensor *loss = heed_mul_scalar(heed_sum(heed_square(out)), 0.5);
    heed_backward(loss);
    printf("loss %.6f, and its gradient in w_v\n", heed_item(loss));
    heed_print(heed_grad_of(w_v), stdout);
}

int main(int argc, char **argv)
{
    training_begin(argc, argv, about, NULL, 0);
    heed_tensor *valid_lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 6);
    masked_softmax();
    toys(valid_lens);
    uneven(valid_lens);
    heed_thread_cleanup();
    return 0;
}
