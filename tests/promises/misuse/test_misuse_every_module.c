/* tests/promises/misuse/test_misuse_every_module.c - each function of heed/module.h, and each forward of heed/nn.h and
 * heed/recurrent.h, with hostile arguments of every kind. */

#include "misuse_draw.h"

static heed_status stop_at_times(const heed_module_visit *visit, void *user)
{
    (void)visit;
    (void)user;
    return one_in(4) ? (heed_status)any_enum(HEED_ERR_FORMAT + 1) : HEED_OK;
}

/* Parents, children and the module itself, NULL now and then; who takes it over frees it. */
static void give_a_child(heed_module *m, heed_module *to)
{
    heed_module *child = one_in(4) ? NULL : one_in(4) ? m : heed_module_new("child", sizeof *child);
    bool fresh = child && child != m, taken = heed_module_child(to, any_text(), child) != NULL;
    ck_assert(taken == (heed_error_code() == HEED_OK));
    judge_error("module_child");
    if (fresh && !taken)
        STATUS(heed_module_free(child));
    else if (fresh)
        ck_assert_int_eq(heed_module_free(child), HEED_ERR_STATE);
    heed_error_clear();
}

static void modules(void)
{
    heed_module *m = heed_module_new("mine", sizeof *m), *some = one_in(4) ? NULL : m;
    size_t size = one_in(4) ? sizeof *m + misuse_random() % 64 : any_size();
    heed_module *sized = heed_module_new(one_in(4) ? NULL : "sized", size);
    ck_assert((sized != NULL) == (heed_error_code() == HEED_OK));
    judge_error("module_new");
    POINTER(heed_module_parameter(some, any_text(), any_tensor()));
    POINTER(heed_module_parameter(some, "kept", heed_ones(HEED_F32, HEED_SHAPE(2))));
    POINTER(heed_module_buffer(some, any_text(), any_tensor()));
    give_a_child(m, some);
    POINTER(heed_module_forward(some, any_tensor()));
    heed_status status = heed_module_walk(some, one_in(4) ? NULL : stop_at_times, any_flag() ? m : NULL);
    ck_assert(heed_error_code() == HEED_OK || heed_error_code() == status);
    judge_error("module_walk");
    POINTER(heed_module_find(some, any_text()));
    VALUE(heed_module_parameter_count(some));
    VALUE(heed_module_parameter_numel(some));
    STATUS(heed_module_train(some));
    STATUS(heed_module_eval(some));
    STATUS(heed_module_zero_grad(some));
    STATUS(heed_module_free(NULL));
    STATUS(heed_module_free(sized));
    STATUS(heed_module_free(m));
}

/* -- Layers of one tensor ------------------------------------------------------------------------------------------- */

static void layers(void)
{
    heed_dtype dtype = any_flag() ? HEED_F32 : HEED_F64;
    heed_nn_linear *linear = heed_nn_linear_new(3, 2, &(heed_nn_linear_options){.dtype = dtype});
    heed_nn_dropout *dropout = heed_nn_dropout_new(0.5);
    heed_nn_layer_norm *norm = heed_nn_layer_norm_new(HEED_SHAPE(3), &(heed_nn_layer_norm_options){.dtype = dtype});
    heed_nn_embedding *embedding = heed_nn_embedding_new(3, 2, NULL);
    heed_nn_function *function = heed_nn_function_new("tanh", heed_tanh);
    heed_nn_feed_forward *feed = heed_nn_feed_forward_new(3, 2, &(heed_nn_feed_forward_options){.dtype = dtype});
    heed_nn_positional_encoding *encoding =
        heed_nn_positional_encoding_new(2, &(heed_nn_positional_encoding_options){.dtype = dtype});
    POINTER(heed_nn_linear_forward(one_in(8) ? NULL : linear, any_tensor()));
    POINTER(heed_nn_dropout_forward(one_in(8) ? NULL : dropout, any_tensor()));
    POINTER(heed_nn_layer_norm_forward(one_in(8) ? NULL : norm, any_tensor()));
    POINTER(heed_nn_embedding_forward(one_in(8) ? NULL : embedding, any_tensor()));
    POINTER(heed_nn_function_forward(one_in(8) ? NULL : function, any_tensor()));
    POINTER(heed_nn_feed_forward_forward(one_in(8) ? NULL : feed, any_tensor()));
    POINTER(heed_nn_positional_encoding_forward(one_in(8) ? NULL : encoding, any_tensor()));
    POINTER(heed_nn_leave_one_out(any_tensor()));
    VALUE(heed_nn_silverman_width(any_tensor()));
    void *all[] = {linear, dropout, norm, embedding, function, feed, encoding};
    for (int i = 0; i < COUNT_OF(all); i++)
        ck_assert_int_eq(heed_module_free(all[i]), HEED_OK);
}

static void initial_values(void)
{
    STATUS(heed_nn_init_uniform_(any_tensor(), any_real(), any_real()));
    STATUS(heed_nn_init_normal_(any_tensor(), any_real(), any_real()));
    STATUS(heed_nn_init_xavier_uniform_(any_tensor()));
    STATUS(heed_nn_init_kaiming_uniform_(any_tensor()));
}

/* -- Layers of several tensors -------------------------------------------------------------------------------------- */

static heed_tensor *any_input(void)
{
    return one_in(3) ? heed_rand(any_flag() ? HEED_F32 : HEED_F64, HEED_SHAPE(2, 3, 2)) : any_tensor();
}

static void attention(void)
{
    heed_nn_additive_attention *additive = heed_nn_additive_attention_new(2, 2, 3, NULL);
    heed_nn_dot_product_attention *product = heed_nn_dot_product_attention_new(NULL);
    heed_nn_multi_head_attention *heads = heed_nn_multi_head_attention_new(2, 2, NULL);
    heed_tensor *q = any_input(), *k = one_in(4) ? q : any_input(), *v = one_in(4) ? k : any_input(),
                *lengths = one_in(8) ? v : any_tensor();
    POINTER(heed_nn_additive_attention_forward(one_in(8) ? NULL : additive, q, k, v, lengths));
    POINTER(heed_nn_dot_product_attention_forward(one_in(8) ? NULL : product, q, k, v, lengths));
    POINTER(heed_nn_multi_head_attention_forward(one_in(8) ? NULL : heads, q, k, v, lengths));
    void *all[] = {additive, product, heads};
    for (int i = 0; i < COUNT_OF(all); i++)
        ck_assert_int_eq(heed_module_free(all[i]), HEED_OK);
}

static void regression(void)
{
    heed_nn_nw_kernel_regression_options options = {.dim = any_flag(), .dtype = any_flag() ? HEED_F32 : HEED_F64};
    heed_nn_nw_kernel_regression *net = heed_nn_nw_kernel_regression_new(&options);
    heed_tensor *q = any_input(), *k = one_in(4) ? q : any_input(), *v = one_in(4) ? k : any_input();
    POINTER(heed_nn_nw_kernel_regression_forward(one_in(8) ? NULL : net, q, k, v));
    ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
}

static void blocks(void)
{
    heed_nn_transformer_encoder_block *block = heed_nn_transformer_encoder_block_new(2, 2, 3, NULL);
    heed_nn_gru *gru = heed_nn_gru_new(2, 2, NULL);
    heed_nn_seq2seq_encoder *encoder = heed_nn_seq2seq_encoder_new(3, 2, 2, NULL);
    heed_nn_bahdanau_decoder *decoder = heed_nn_bahdanau_decoder_new(3, 2, 2, NULL);
    heed_tensor *x = any_input(), *y = one_in(4) ? x : any_input(), *lengths = one_in(4) ? y : any_tensor();
    heed_tensor *state = any_tensor();
    POINTER(heed_nn_transformer_encoder_block_forward(one_in(8) ? NULL : block, x, one_in(4) ? x : lengths));
    POINTER(heed_nn_gru_forward(one_in(8) ? NULL : gru, any_input(), one_in(4) ? NULL : &state));
    state = any_tensor();
    POINTER(heed_nn_seq2seq_encoder_forward(one_in(8) ? NULL : encoder, any_tensor(), one_in(4) ? NULL : &state));
    state = any_tensor();
    POINTER(heed_nn_bahdanau_decoder_forward(one_in(8) ? NULL : decoder, x, y, lengths, one_in(4) ? NULL : &state));
    void *all[] = {block, gru, encoder, decoder};
    for (int i = 0; i < COUNT_OF(all); i++)
        ck_assert_int_eq(heed_module_free(all[i]), HEED_OK);
}

static void sequences(void)
{
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    POINTER(heed_nn_sequential_forward(one_in(8) ? NULL : net, any_tensor()));
    void *list[] = {heed_nn_function_new("relu", heed_relu), heed_nn_function_new("tanh", heed_tanh), NULL};
    int n = (int)(misuse_random() % 24) - 20, kept = n < 0 ? 0 : n > 2 ? 2 : n; /* with 3 there is a NULL in it */
    heed_nn_sequential *made = heed_nn_sequential_new(list, n);
    ck_assert((made != NULL) == (heed_error_code() == HEED_OK));
    judge_error("nn_sequential_new");
    for (int i = kept; i < 2; i++)
        ck_assert_int_eq(heed_module_free(list[i]), HEED_OK);
    int nothing = any_int();
    if (nothing != 0)
        POINTER(heed_nn_sequential_new(NULL, nothing));
    void *added = one_in(3) ? NULL : one_in(3) ? (void *)net : heed_nn_function_new("relu", heed_relu);
    bool itself = added == net;
    STATUS(heed_nn_sequential_add(one_in(3) && !itself ? NULL : net, added));
    ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
    ck_assert_int_eq(heed_module_free((heed_module *)made), HEED_OK);
}

ROUNDS_OF(modules)
ROUNDS_OF(layers)
ROUNDS_OF(initial_values)
ROUNDS_OF(attention)
ROUNDS_OF(regression)
ROUNDS_OF(blocks)
ROUNDS_OF(sequences)

MISUSE_MAIN("every module misused", rounds_of_modules, rounds_of_layers, rounds_of_initial_values, rounds_of_attention,
            rounds_of_regression, rounds_of_blocks, rounds_of_sequences)
