/* nn/decoder_load.c - loads decoder-only Transformers of the Hugging Face Hub and of GGUF files: maps their parameter
 * names and matrix layouts.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/decoder.h"

/* -- Names --------------------------------------------------------------------------------------------------------- */

enum { LLAMA, GPT2, GGUF, FAMILIES };

/* Names of modules in heed, and in files per family: Llama's and GPT-2's on the Hub, and GGUF's. NULL means that the
 * family lacks the module. */
static const struct {
    const char *heed, *hub[FAMILIES];
} modules[] = {
    {"embedding", {"embed_tokens", "wte", "token_embd"}},
    {"positions", {NULL, "wpe", NULL}},
    {"norm", {"norm", "ln_f", "output_norm"}},
    {"norm1", {"input_layernorm", "ln_1", "attn_norm"}},
    {"norm2", {"post_attention_layernorm", "ln_2", "ffn_norm"}},
    {"self_attn.in_proj", {"self_attn.q_proj", "attn.c_attn", "attn_q"}},
    {"self_attn.out_proj", {"self_attn.o_proj", "attn.c_proj", "attn_output"}},
    {"self_attn.q_norm", {"self_attn.q_norm", NULL, "attn_q_norm"}},
    {"self_attn.k_norm", {"self_attn.k_norm", NULL, "attn_k_norm"}},
    {"gate", {"mlp.gate_proj", NULL, "ffn_gate"}},
    {"linear1", {"mlp.up_proj", "mlp.c_fc", "ffn_up"}},
    {"linear2", {"mlp.down_proj", "mlp.c_proj", "ffn_down"}},
};

/* Names of the maps of queries, keys and values that the family does not stack. */
static const char *const unstacked[FAMILIES][3] = {
    [LLAMA] = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}, [GGUF] = {"attn_q", "attn_k", "attn_v"}};

static const char *const layers[FAMILIES] = {"layers", "h", "blk"};
static const char *const heads[FAMILIES] = {"lm_head.weight", "lm_head.weight", "output.weight"};

/* Endings of the names of entries other than parameters: causal masks and RoPE frequencies. */
static const char *const ignored[FAMILIES][2] = {
    {".rotary_emb.inv_freq", ".rotary_emb.inv_freq"},
    {".attn.bias", ".attn.masked_bias"},
    {HEED__ROPE_DIVISORS, HEED__ROPE_DIVISORS},
};

typedef struct loading {
    const char *where;
    heed_nn_decoder *net;
    const heed_dict *from;
    heed_dict *into, *values; /* the decoder's parameters, and the values to load, under names of the Hub */
    int family;
    const char *prefix; /* beginning of all names in `from` except the output map's */
} loading;

/* Determines the family by the name of the embedding; the models of every family have one. */
static void find_family(loading *l)
{
    static const struct {
        int family;
        const char *prefix, *embedding;
    } all[] = {
        {GPT2, "transformer.", "transformer.wte.weight"},
        {GPT2, "", "wte.weight"},
        {LLAMA, "", "embed_tokens.weight"},
        {LLAMA, "model.", "model.embed_tokens.weight"},
    };
    size_t i = 0;
    while (i + 1 < sizeof all / sizeof all[0] && !heed_dict_has(l->from, all[i].embedding))
        i++;
    l->family = all[i].family;
    l->prefix = all[i].prefix;
}

/* -- Destinations -------------------------------------------------------------------------------------------------- */

/* A parsed path of a parameter. For example, "layers.3.self_attn.in_proj_weight" is the weight of module
 * "self_attn.in_proj" in layer 3. */
typedef struct parameter {
    int64_t layer; /* number of the layer; -1 outside layers */
    const char *module, *kind;
    int length; /* number of characters of the module's name */
} parameter;

static parameter parse(const char *path)
{
    parameter p = {.layer = -1, .module = path, .kind = heed__layer_name_ends_in(path, "bias") ? "bias" : "weight"};
    if (strncmp(path, "layers.", strlen("layers.")) == 0) {
        char *end = NULL;
        p.layer = strtoll(path + strlen("layers."), &end, 10);
        p.module = end + 1;
    }
    p.length = (int)(strlen(p.module) - strlen(p.kind)) - 1;
    return p;
}

/* Adds t to l->into, under the name that parameter p of `module` has on the Hub. Returns false after heed_fail. */
static bool add_hub_entry(const loading *l, const parameter *p, const char *module, heed_tensor *t)
{
    char name[HEED_MODULE_PATH_MAX], layer[40] = "";
    if (p->layer >= 0)
        (void)snprintf(layer, sizeof layer, "%s.%" PRId64 ".", layers[l->family], p->layer);
    (void)snprintf(name, sizeof name, "%s%s%s.%s", l->prefix, layer, module, p->kind);
    return t && heed_dict_set(l->into, name, t) == HEED_OK;
}

/* Adds the three slices of t, the stacked maps of queries, keys and values: these have separate names in the file. */
static bool add_in_proj(const loading *l, const parameter *p, heed_tensor *t)
{
    const heed_nn_multi_head_attention *net = l->net->attention;
    const int64_t n = net->num_heads * net->head_dim, g = net->kv_heads * net->head_dim;
    const int64_t ends[] = {0, n, n + g, n + 2 * g};
    bool ok = true;
    for (int i = 0; ok && i < 3; i++)
        ok = add_hub_entry(l, p, unstacked[l->family][i], heed_slice(t, 0, ends[i], ends[i + 1], 1));
    return ok;
}

static const char *hub_name(const loading *l, const parameter *p)
{
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
        if ((int)strlen(modules[i].heed) == p->length && strncmp(modules[i].heed, p->module, (size_t)p->length) == 0)
            return modules[i].hub[l->family];
    return NULL;
}

/* Adds a parameter to l->into under its name on the Hub. A parameter without such a name is added under its own name,
 * so that heed_dict_load reports it as missing. */
static heed_status add_target(const heed_module_visit *visit, void *user)
{
    const loading *l = user;
    const parameter p = parse(visit->name);
    const char *module = hub_name(l, &p);
    heed_tensor *t = visit->tensor;
    bool ok;
    if (l->net->dense && t == l->net->dense->weight)
        ok = heed_dict_set(l->into, heads[l->family], t) == HEED_OK;
    else if (!module)
        ok = heed_dict_set(l->into, visit->name, t) == HEED_OK;
    else if (unstacked[l->family][0] && strcmp(module, unstacked[l->family][0]) == 0)
        ok = add_in_proj(l, &p, t);
    else /* GPT-2 stores the matrices of layers as (in, out) */
        ok = add_hub_entry(l, &p, module,
                           l->family == GPT2 && p.layer >= 0 && heed_rank(t) == 2 ? heed_transpose(t, 0, 1) : t);
    return ok ? HEED_OK : heed_error_code();
}

/* -- Sources ------------------------------------------------------------------------------------------------------- */

/* Returns true if t, the file's output map, equals the file's embedding and the decoder's output map is tied. */
static bool is_tied(const loading *l, heed_tensor *t)
{
    char name[HEED_MODULE_PATH_MAX];
    (void)snprintf(name, sizeof name, "%s%s.weight", l->prefix, modules[0].hub[l->family]);
    heed_tensor *embedding = heed_dict_has(l->from, name) ? heed_dict_get(l->from, name) : NULL;
    return !l->net->dense && embedding && heed_dtype_of(t) == heed_dtype_of(embedding) &&
           heed_shape_equal(heed_shape_of(t), heed_shape_of(embedding)) && heed_dtype_is_float(heed_dtype_of(t)) &&
           heed_allclose(t, embedding, 0.0, 0.0, true);
}

static bool is_ignored(const loading *l, const char *name, heed_tensor *t)
{
    for (int i = 0; i < 2; i++)
        if (heed__layer_name_ends_in(name, ignored[l->family][i]))
            return true;
    return strcmp(name, heads[l->family]) == 0 && is_tied(l, t);
}

static bool add_hub_values(const loading *l)
{
    const heed_dtype dtype = heed_dtype_of(l->net->embedding->weight);
    for (int64_t i = 0; i < heed_dict_size(l->from); i++) {
        const char *name = heed_dict_name(l->from, i);
        heed_tensor *t = heed_dict_at(l->from, i);
        if (is_ignored(l, name, t))
            continue;
        if (heed_dtype_is_float(heed_dtype_of(t)))
            t = heed_to_dtype(t, dtype);
        if (!t || heed_dict_set(l->values, name, t) != HEED_OK)
            return false;
    }
    return true;
}

/* Checks that the decoder's output map is tied if and only if the file's output map is tied. heed_dict_load reports all
 * other differences. */
static bool check_tied(const loading *l)
{
    char name[HEED_MODULE_PATH_MAX];
    (void)snprintf(name, sizeof name, "%s%s.weight", l->prefix, modules[0].hub[l->family]);
    const bool decoder_untied = l->net->dense != NULL, file_untied = heed_dict_has(l->values, heads[l->family]);
    if (decoder_untied == file_untied || !heed_dict_has(l->values, name))
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, l->where,
                           decoder_untied
                               ? "1 missing: %s: the file's output map is its embedding, \"%s\": make the decoder "
                                 "with .tied"
                               : "1 unexpected: %s: the file's output map differs from its embedding, \"%s\": make "
                                 "the decoder without .tied",
                           heads[l->family], name);
}

static heed_status load_parameters(loading *l)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return heed_error_code();
    l->into = heed_dict_new();
    l->values = l->into ? heed_dict_new() : NULL;
    const bool ok = l->values && heed_module_walk(&l->net->base, add_target, l) == HEED_OK && add_hub_values(l) &&
                    check_tied(l) && heed_dict_load(l->into, l->values, NULL) == HEED_OK;
    heed_dict_free(l->values);
    heed_dict_free(l->into);
    heed_scope_end(scope);
    return ok ? HEED_OK : heed_error_code();
}

heed_status heed__decoder_load_gguf(const char *where, heed_nn_decoder *net, const heed_dict *from)
{
    return load_parameters(&(loading){.where = where, .net = net, .from = from, .family = GGUF, .prefix = ""});
}

heed_status heed_nn_decoder_load(heed_nn_decoder *net, const heed_dict *from)
{
    static const char where[] = "nn_decoder_load";
    HEED_ENTER(where);
    if (!net || !from)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", net ? "the dict to load from" : "the module");
    loading l = {.where = where, .net = net, .from = from};
    find_family(&l);
    return load_parameters(&l);
}
