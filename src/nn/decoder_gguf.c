/* nn/decoder_gguf.c - makes decoder-only Transformers from GGUF files: options from the keys, parameters from the
 * tensors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "base/decimal.h"
#include "nn/decoder.h"

static const char where[] = "nn_decoder_from_gguf";

/* -- Keys ---------------------------------------------------------------------------------------------------------- */

enum {
    EMBEDDING_LENGTH,
    BLOCK_COUNT,
    FEED_FORWARD_LENGTH,
    HEAD_COUNT,
    EPSILON,
    HEAD_COUNT_KV,
    KEY_LENGTH,
    VALUE_LENGTH,
    SLIDING_WINDOW,
    DIMENSION_COUNT,
    CONTEXT_LENGTH,
    FREQ_BASE,
    FACTOR,
    ATTN_FACTOR,
    ORIGINAL_CONTEXT_LENGTH,
    BETA_FAST,
    BETA_SLOW,
    SCALE_LINEAR,
    EXPERT_COUNT,
    LOG_MULTIPLIER,
    EXT_FACTOR,
    YARN_ATTN_FACTOR,
    NUMBERS
};

/* Kinds of numbers. An INERT one must be the number that has no effect, because heed lacks the effect. */
enum { SIZE, REAL, INERT };

/* The numbers of an architecture, without its name in front. Those before HEAD_COUNT_KV are required. Defaults that
 * depend on other numbers are 0 here. */
static const struct {
    const char *name;
    int kind;
    double otherwise;
} numbers[NUMBERS] = {
    [EMBEDDING_LENGTH] = {"embedding_length", SIZE, 0},
    [BLOCK_COUNT] = {"block_count", SIZE, 0},
    [FEED_FORWARD_LENGTH] = {"feed_forward_length", SIZE, 0},
    [HEAD_COUNT] = {"attention.head_count", SIZE, 0},
    [EPSILON] = {"attention.layer_norm_rms_epsilon", REAL, 0},
    [HEAD_COUNT_KV] = {"attention.head_count_kv", SIZE, 0},
    [KEY_LENGTH] = {"attention.key_length", SIZE, 0},
    [VALUE_LENGTH] = {"attention.value_length", SIZE, 0},
    [SLIDING_WINDOW] = {"attention.sliding_window", SIZE, 0},
    [DIMENSION_COUNT] = {"rope.dimension_count", SIZE, 0},
    [CONTEXT_LENGTH] = {"context_length", SIZE, 0},
    [FREQ_BASE] = {"rope.freq_base", REAL, 10000},
    [FACTOR] = {"rope.scaling.factor", REAL, 0},
    [ATTN_FACTOR] = {"rope.scaling.attn_factor", REAL, 1},
    [ORIGINAL_CONTEXT_LENGTH] = {"rope.scaling.original_context_length", SIZE, 0},
    [BETA_FAST] = {"rope.scaling.yarn_beta_fast", REAL, 32},
    [BETA_SLOW] = {"rope.scaling.yarn_beta_slow", REAL, 1},
    [SCALE_LINEAR] = {"rope.scale_linear", REAL, 1},
    [EXPERT_COUNT] = {"expert_count", INERT, 0},
    [LOG_MULTIPLIER] = {"rope.scaling.yarn_log_multiplier", INERT, 0},
    [EXT_FACTOR] = {"rope.scaling.yarn_ext_factor", INERT, 1},
    [YARN_ATTN_FACTOR] = {"rope.scaling.yarn_attn_factor", INERT, 1},
};

static const char scaling_type[] = "rope.scaling.type";

/* Keys of an architecture without an effect on the decoder. */
static const char *const ignored[] = {scaling_type, "vocab_size", "rope.scaling.finetuned", "expert_used_count",
                                      "tensor_data_layout"};

typedef struct config {
    const heed_dict *from;
    const char *arch;
    double number[NUMBERS];
} config;

/* Parses the text of key `name`, which is number i of the architecture. Returns false after heed_fail. */
static bool parse_number(config *c, int i, const char *name)
{
    const char *text = heed_dict_text(c->from, name);
    double value = 0.0;
    const bool is_number = heed__decimal_parse(text, &value);
    if (numbers[i].kind == INERT && is_number && value != numbers[i].otherwise)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "key \"%s\" is %s: only %g is supported", name, text,
                               numbers[i].otherwise);
    c->number[i] = value;
    if (numbers[i].kind == SIZE)
        return (is_number && value >= 1.0 && value <= 0x1p53 && floor(value) == value) ||
               heed_fail_false(HEED_ERR_ARGUMENT, where, "key \"%s\" is \"%.40s\": must be a whole number above 0",
                               name, text);
    return (is_number && (value > 0.0 || numbers[i].kind == INERT)) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "key \"%s\" is \"%.40s\": must be a number above 0", name, text);
}

/* Reads key `name`, which is `rest` without the architecture. Returns false after heed_fail. */
static bool read_key(config *c, const char *name, const char *rest)
{
    for (int i = 0; i < NUMBERS; i++)
        if (strcmp(rest, numbers[i].name) == 0)
            return parse_number(c, i, name);
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        if (strcmp(rest, ignored[i]) == 0)
            return true;
    return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "key \"%.80s\" is not supported", name);
}

/* Sets the defaults that depend on other numbers. */
static void complete_numbers(config *c)
{
    double *n = c->number;
    n[HEAD_COUNT_KV] = n[HEAD_COUNT_KV] == 0.0 ? n[HEAD_COUNT] : n[HEAD_COUNT_KV];
    n[FACTOR] = n[FACTOR] == 0.0 ? n[SCALE_LINEAR] : n[FACTOR];
    n[ORIGINAL_CONTEXT_LENGTH] = n[ORIGINAL_CONTEXT_LENGTH] == 0.0 ? n[CONTEXT_LENGTH] : n[ORIGINAL_CONTEXT_LENGTH];
    const double head = floor(n[EMBEDDING_LENGTH] / n[HEAD_COUNT]);
    n[KEY_LENGTH] = n[KEY_LENGTH] == 0.0 ? head : n[KEY_LENGTH];
    n[VALUE_LENGTH] = n[VALUE_LENGTH] == 0.0 ? head : n[VALUE_LENGTH];
    n[DIMENSION_COUNT] = n[DIMENSION_COUNT] == 0.0 ? n[KEY_LENGTH] : n[DIMENSION_COUNT];
}

/* Reads all keys that begin with the architecture's name. Returns false after heed_fail. */
static bool read_numbers(config *c)
{
    const size_t length = strlen(c->arch);
    for (int i = 0; i < NUMBERS; i++)
        c->number[i] = numbers[i].otherwise;
    for (int64_t i = 0; i < heed_dict_text_count(c->from); i++) {
        const char *name = heed_dict_text_key(c->from, i);
        if (strncmp(name, c->arch, length) == 0 && name[length] == '.' && !read_key(c, name, name + length + 1))
            return false;
    }
    for (int i = 0; i < HEAD_COUNT_KV; i++)
        if (c->number[i] == 0.0)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "key \"%s.%s\" is missing", c->arch, numbers[i].name);
    complete_numbers(c);
    for (int i = VALUE_LENGTH; i <= DIMENSION_COUNT; i += DIMENSION_COUNT - VALUE_LENGTH)
        if (c->number[i] != c->number[KEY_LENGTH])
            return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                                   "key \"%s.%s\" is %g, but the size of a key is %g: must be equal", c->arch,
                                   numbers[i].name, c->number[i], c->number[KEY_LENGTH]);
    return true;
}

/* -- Options ------------------------------------------------------------------------------------------------------- */

static bool add_yarn(const config *c, heed_nn_decoder_options *o)
{
    const double *n = c->number;
    if (n[ORIGINAL_CONTEXT_LENGTH] == 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "key \"%s.%s\" is missing, but \"%s.%s\" is yarn", c->arch,
                               numbers[ORIGINAL_CONTEXT_LENGTH].name, c->arch, scaling_type);
    o->rope_scaling = HEED_ROPE_YARN;
    o->rope_factor = n[FACTOR];
    o->rope_original_len = (int64_t)n[ORIGINAL_CONTEXT_LENGTH];
    o->rope_high_freq_factor = n[BETA_FAST];
    o->rope_low_freq_factor = n[BETA_SLOW];
    if (n[ATTN_FACTOR] != 1.0)
        o->rope_attention_factor = n[ATTN_FACTOR] * (n[FACTOR] > 1.0 ? 0.1 * log(n[FACTOR]) + 1.0 : 1.0);
    return true;
}

/* Sets the options of RoPE's scaling. Without a key for its type it is linear. Returns false after heed_fail. */
static bool add_scaling(const config *c, heed_nn_decoder_options *o)
{
    char name[80];
    (void)snprintf(name, sizeof name, "%s.%s", c->arch, scaling_type);
    const char *given = heed_dict_text(c->from, name), *type = given ? given : "linear";
    const bool has_divisors = heed_dict_has(c->from, HEED__ROPE_DIVISORS);
    if (strcmp(type, "yarn") == 0)
        return add_yarn(c, o);
    if (strcmp(type, "none") != 0 && strcmp(type, "linear") != 0)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                               "key \"%s\" is \"%.40s\": must be \"none\", \"linear\" or \"yarn\"", name, type);
    if (c->number[ATTN_FACTOR] != 1.0)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "key \"%s.%s\" is %g: only 1 is supported without yarn",
                               c->arch, numbers[ATTN_FACTOR].name, c->number[ATTN_FACTOR]);
    o->rope_factor = strcmp(type, "none") == 0 ? 1.0 : c->number[FACTOR];
    o->rope_scaling = has_divisors || o->rope_factor != 1.0 ? HEED_ROPE_LINEAR : HEED_ROPE_UNSCALED;
    o->rope_factor = o->rope_scaling == HEED_ROPE_LINEAR ? o->rope_factor : 0.0;
    return true;
}

/* Checks that the file has the matrix (rows, columns). The rows may be any number if they are 0. Returns false after
 * heed_fail. */
static bool check_matrix(const config *c, const char *name, double rows, double columns)
{
    const heed_tensor *t = heed_dict_has(c->from, name) ? heed_dict_get(c->from, name) : NULL;
    if (!t)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "tensor \"%s\" is missing", name);
    const bool fits =
        heed_rank(t) == 2 && (rows == 0.0 || (double)heed_dim(t, 0) == rows) && (double)heed_dim(t, 1) == columns;
    char expected[32] = "any";
    if (rows != 0.0)
        (void)snprintf(expected, sizeof expected, "%.0f", rows);
    return fits ||
           heed_fail_false(HEED_ERR_SHAPE, where, "tensor \"%s\" is %s: must be (%s, %.0f), as the keys of %s say",
                           name, heed_shape_text(heed_shape_of(t)).s, expected, columns, c->arch);
}

/* Checks the sizes against some tensors of the file, so that no memory is allocated for wrong sizes. Returns false
 * after heed_fail. */
static bool check_sizes(const config *c)
{
    const double *n = c->number, h = n[EMBEDDING_LENGTH];
    char last[64];
    (void)snprintf(last, sizeof last, "blk.%.0f.attn_q.weight", n[BLOCK_COUNT] - 1.0);
    return check_matrix(c, "token_embd.weight", 0.0, h) &&
           check_matrix(c, "blk.0.attn_q.weight", n[HEAD_COUNT] * n[KEY_LENGTH], h) &&
           check_matrix(c, "blk.0.attn_k.weight", n[HEAD_COUNT_KV] * n[KEY_LENGTH], h) &&
           check_matrix(c, "blk.0.ffn_up.weight", n[FEED_FORWARD_LENGTH], h) &&
           check_matrix(c, last, n[HEAD_COUNT] * n[KEY_LENGTH], h);
}

/* Makes a decoder with the sizes of the file and initial parameters. Returns NULL after heed_fail. */
static heed_nn_decoder *make_decoder(const config *c, heed_dtype dtype)
{
    const double *n = c->number;
    heed_nn_decoder_options o = {.eps = n[EPSILON],
                                 .rms_norm = true,
                                 .gated = true,
                                 .no_bias = true,
                                 .qkv_bias =
                                     strcmp(c->arch, "qwen2") == 0 || heed_dict_has(c->from, "blk.0.attn_q.bias"),
                                 .rope = true,
                                 .rope_base = n[FREQ_BASE],
                                 .kv_heads = (int64_t)n[HEAD_COUNT_KV],
                                 .window = (int64_t)n[SLIDING_WINDOW],
                                 .tied = !heed_dict_has(c->from, "output.weight"),
                                 .dtype = dtype,
                                 .head_dim = (int64_t)n[KEY_LENGTH],
                                 .qk_norm = strcmp(c->arch, "qwen3") == 0,
                                 .rope_interleaved = strcmp(c->arch, "llama") == 0};
    if (!check_sizes(c) || !add_scaling(c, &o))
        return NULL;
    return heed_nn_decoder_new(heed_dim(heed_dict_get(c->from, "token_embd.weight"), 0), (int64_t)n[EMBEDDING_LENGTH],
                               (int64_t)n[HEAD_COUNT], (int64_t)n[FEED_FORWARD_LENGTH], (int64_t)n[BLOCK_COUNT], &o);
}

/* -- The decoder --------------------------------------------------------------------------------------------------- */

/* Divides RoPE's frequencies by the file's tensor, if it has one. Returns false after heed_fail. */
static bool divide_frequencies(const config *c, const heed_nn_decoder *net)
{
    if (!heed_dict_has(c->from, HEED__ROPE_DIVISORS))
        return true;
    heed_tensor *frequencies = net->attention->rope_frequencies,
                *divisors = heed_dict_get(c->from, HEED__ROPE_DIVISORS);
    if (strcmp(c->arch, "llama") != 0)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "tensor \"%s\" is not supported with architecture %s",
                               HEED__ROPE_DIVISORS, c->arch);
    if (!heed_dtype_is_float(heed_dtype_of(divisors)) ||
        !heed_shape_equal(heed_shape_of(divisors), heed_shape_of(frequencies)))
        return heed_fail_false(HEED_ERR_SHAPE, where, "tensor \"%s\" is %s %s: must be f32 %s", HEED__ROPE_DIVISORS,
                               heed_dtype_name(heed_dtype_of(divisors)), heed_shape_text(heed_shape_of(divisors)).s,
                               heed_shape_text(heed_shape_of(frequencies)).s);
    heed_tensor *quotient = heed_div(frequencies, heed_to_dtype(divisors, HEED_F64));
    const double *f = quotient ? heed_data_f64(quotient) : NULL;
    for (int64_t i = 0; f && i < heed_numel(quotient); i++)
        if (!(isfinite(f[i]) && f[i] >= 0.0))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "tensor \"%s\" has a number that is not above 0",
                                   HEED__ROPE_DIVISORS);
    if (f)
        heed__decoder_set_frequencies(net, quotient);
    return f != NULL;
}

static bool find_architecture(config *c)
{
    static const char *const known[] = {"llama", "qwen2", "qwen3"};
    const char *arch = heed_dict_text(c->from, "general.architecture");
    if (!arch)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "key \"general.architecture\" is missing");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(arch, known[i]) == 0)
            c->arch = known[i];
    return c->arch || heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                                      "key \"general.architecture\" is \"%.40s\": must be llama, qwen2 or qwen3", arch);
}

heed_nn_decoder *heed_nn_decoder_from_gguf(const heed_dict *from, heed_dtype dtype)
{
    HEED_ENTER(where);
    config c = {.from = from};
    if (!from)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the dict is NULL");
    if (!find_architecture(&c) || !read_numbers(&c))
        return NULL;
    heed_nn_decoder *net = make_decoder(&c, dtype);
    heed_scope *scope = net ? heed_no_grad_begin() : NULL;
    if (!net)
        return NULL;
    const bool ok = scope && heed__decoder_load_gguf(where, net, from) == HEED_OK && divide_frequencies(&c, net);
    if (scope)
        heed_scope_end(scope);
    return heed__layer_finish(net, ok);
}
