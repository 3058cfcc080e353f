/* bench/w8_transformer.c - W8: a training step of a character Transformer: pre-norm blocks, learned positions, the last
 * layer tied to the embedding, AdamW. */

#include <heed/heed.h>

#include "workloads.h"

enum { VOCABULARY = 65, HEADS = 4, MAX_LAYERS = 8 };

typedef struct language_model {
    heed_module base;
    heed_nn_embedding *tokens, *positions;
    heed_nn_transformer_encoder_block *blocks[MAX_LAYERS];
    heed_nn_layer_norm *norm;
    int64_t layers;
} language_model;

typedef struct training {
    language_model *net;
    heed_optimizer *adamw;
    heed_tensor *text, *next; /* i64 (B, T) */
} training;

static heed_status draw_small(const heed_module_visit *visit, void *user)
{
    (void)user;
    return heed_rank(visit->tensor) > 1 ? heed_nn_init_normal_(visit->tensor, 0.0, 0.02) : HEED_OK;
}

static language_model *model(int64_t steps, int64_t d, int64_t layers)
{
    static const char *const names[MAX_LAYERS] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    const heed_nn_transformer_encoder_block_options options = {
        .pre_norm = true, .causal = true, .activation = heed_gelu};
    language_model *m = heed_module_new("language_model", sizeof *m);
    m->tokens = heed_nn_embedding_new(VOCABULARY, d, NULL);
    m->positions = heed_nn_embedding_new(steps, d, NULL);
    m->norm = heed_nn_layer_norm_new(HEED_SHAPE(d), NULL);
    m->layers = layers;
    heed_module_child(&m->base, "tokens", &m->tokens->base);
    heed_module_child(&m->base, "positions", &m->positions->base);
    heed_module_child(&m->base, "norm", &m->norm->base);
    for (int64_t i = 0; i < layers; i++) {
        m->blocks[i] = heed_nn_transformer_encoder_block_new(d, HEADS, 4 * d, &options);
        heed_module_child(&m->base, names[i], &m->blocks[i]->base);
    }
    heed_module_walk(&m->base, draw_small, NULL);
    return m;
}

static heed_tensor *logits(language_model *m, heed_tensor *text)
{
    heed_tensor *x = heed_add(heed_nn_embedding_forward(m->tokens, text), m->positions->weight);
    for (int64_t i = 0; i < m->layers; i++)
        x = heed_nn_transformer_encoder_block_forward(m->blocks[i], x, NULL, NULL);
    return heed_linear(heed_nn_layer_norm_forward(m->norm, x), m->tokens->weight, NULL);
}

static void step(void *context)
{
    training *t = context;
    heed_scope *step = heed_scope_begin();
    heed_optimizer_zero_grad(t->adamw);
    heed_backward(heed_cross_entropy(logits(t->net, t->text), t->next, NULL));
    heed_optimizer_step(t->adamw);
    heed_scope_end(step);
}

/* sizes: B, T, d, layers. */
static void run(const bench_case *c)
{
    int64_t batch = c->sizes[0], steps = c->sizes[1];
    training t = {
        .net = model(steps, c->sizes[2], c->sizes[3]),
        .text = heed_randint(0, VOCABULARY, HEED_SHAPE(batch, steps)),
        .next = heed_randint(0, VOCABULARY, HEED_SHAPE(batch, steps)),
    };
    t.adamw = heed_optim_adamw(&t.net->base, &(heed_optim_adam_options){.lr = 3e-4, .weight_decay = 0.1});
    bench_peak(c, "train", bench_resident_mb(), step, &t);
    bench_time(c, &(bench_metric){"train tokens/s", .work = (double)(batch * steps)}, step, &t);
    heed_optimizer_free(t.adamw);
    heed_module_free(&t.net->base);
}

const bench_entry bench_w8[] = {
    {"W8", "charlm V65 T64 d128 h4 L4 B16", run, SIZES(16, 64, 128, 4), .heavy = true},
    {"N8", "charlm V65 T61 d52 h4 L2 B3", run, SIZES(3, 61, 52, 2)},
    {"N8", "charlm V65 T256 d128 h4 L1 B1", run, SIZES(1, 256, 128, 1)},
    {"N8", "charlm V65 T10 d32 h4 L2 B64", run, SIZES(64, 10, 32, 2)},
    {0},
};
