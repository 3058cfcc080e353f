/* tests/promises/misuse/test_misuse_every_layer.c - each constructor of heed/nn.h and heed/recurrent.h with hostile
 * sizes and options of every kind. */

#include "misuse_draw.h"

/* Mostly sizes and numbers that are taken, so that the other arguments are reached. */
static int64_t size(void)
{
    return one_in(2) ? any_count() : (int64_t)(1 + misuse_random() % 4);
}

static double real(void)
{
    return one_in(2) ? any_real() : 0.25;
}

static heed_dtype dtype(void)
{
    return one_in(4) ? any_dtype() : (heed_dtype)(misuse_random() % 2);
}

/* A module, or an error and NULL; freed. */
static void made(const char *call, void *net)
{
    ck_assert_msg((net != NULL) == (heed_error_code() == HEED_OK), "%s: %s", call, heed_error_message());
    judge_error(call);
    ck_assert_int_eq(heed_module_free(net), HEED_OK);
}

#define MADE(call) made(#call, call)
#define GIVEN(options) (one_in(8) ? NULL : &(options))

static void simple(void)
{
    heed_nn_linear_options linear = {any_flag(), dtype(), (heed_activation)any_enum(5)};
    MADE(heed_nn_linear_new(size(), size(), GIVEN(linear)));
    MADE(heed_nn_dropout_new(any_real()));
    heed_nn_layer_norm_options norm = {real(), any_flag(), any_flag(), dtype()};
    MADE(heed_nn_layer_norm_new(any_shape(), GIVEN(norm)));
    heed_nn_embedding_options embedding = {any_dtype()};
    MADE(heed_nn_embedding_new(size(), size(), GIVEN(embedding)));
    MADE(heed_nn_function_new(any_text(), one_in(4) ? NULL : heed_relu));
    heed_nn_positional_encoding_options encoding = {real(), size(), dtype()};
    MADE(heed_nn_positional_encoding_new(size(), GIVEN(encoding)));
    heed_nn_feed_forward_options feed = {one_in(2) ? NULL : heed_gelu, real(), any_flag(), dtype()};
    MADE(heed_nn_feed_forward_new(size(), size(), GIVEN(feed)));
}

static void attention(void)
{
    heed_nn_additive_attention_options additive = {real(), any_flag(), dtype()};
    MADE(heed_nn_additive_attention_new(size(), size(), size(), GIVEN(additive)));
    heed_nn_dot_product_attention_options product = {real(), real(), any_flag(), any_flag()};
    MADE(heed_nn_dot_product_attention_new(GIVEN(product)));
    heed_nn_multi_head_attention_options heads = {size(),     size(),     size(),     real(),
                                                  any_flag(), any_flag(), any_flag(), dtype()};
    MADE(heed_nn_multi_head_attention_new(size(), size(), GIVEN(heads)));
    heed_nn_transformer_encoder_block_options block = {
        real(), real(), one_in(2) ? NULL : heed_gelu, any_flag(), any_flag(), any_flag(), any_flag(), dtype()};
    MADE(heed_nn_transformer_encoder_block_new(size(), size(), size(), GIVEN(block)));
    heed_nn_nw_kernel_regression_options regression = {.kernel = (heed_nw_kernel)any_enum(5),
                                                       .non_parametric = any_flag(),
                                                       .log_width = any_flag(),
                                                       .width = real(),
                                                       .dim = size(),
                                                       .dtype = dtype(),
                                                       .leave_one_out = any_flag(),
                                                       .need_weights = any_flag()};
    MADE(heed_nn_nw_kernel_regression_new(GIVEN(regression)));
}

/* Not with thousands of layers, which are allowed and take their time. */
static void recurrent(void)
{
    heed_nn_gru_options gru = {size(), real(), any_flag(), any_flag(), dtype()};
    MADE(heed_nn_gru_new(size(), size(), GIVEN(gru)));
    heed_nn_seq2seq_options options = {size(), real(), any_flag(), dtype()};
    MADE(heed_nn_seq2seq_encoder_new(size(), size(), size(), GIVEN(options)));
    MADE(heed_nn_bahdanau_decoder_new(size(), size(), size(), GIVEN(options)));
}

ROUNDS_OF(simple)
ROUNDS_OF(attention)
ROUNDS_OF(recurrent)

MISUSE_MAIN("every constructor misused", rounds_of_simple, rounds_of_attention, rounds_of_recurrent)
