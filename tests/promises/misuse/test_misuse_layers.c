/* tests/promises/misuse/test_misuse_layers.c - layers of heed/nn.h and heed/recurrent.h misused. */

#include "misuse.h"

#define ROUNDS 400

static heed_dtype any_dtype(void)
{
    return (heed_dtype)((int)(misuse_random() % 6) - 1);
}

/* Mostly what a layer takes, so that the other arguments are reached. */
static heed_dtype some_dtype(void)
{
    return misuse_random() % 8 ? (heed_dtype)(misuse_random() % 2) : any_dtype();
}

static int64_t some_size(void)
{
    return misuse_random() % 2 ? 1 + (int64_t)(misuse_random() % 4) : ANY_OF(hostile_counts);
}

static double some_probability(void)
{
    return misuse_random() % 2 ? 0.25 : ANY_OF(hostile_doubles);
}

/* After any constructor: a module, or an error; frees the module. */
static bool made(void *net)
{
    ck_assert((net == NULL) == (heed_error_code() != HEED_OK));
    heed_error_clear();
    ck_assert_int_eq(heed_module_free(net), HEED_OK);
    return net != NULL;
}

/* After any forward. */
static void ran(heed_tensor *y)
{
    ck_assert((y == NULL) == (heed_error_code() != HEED_OK));
    heed_error_clear();
}

/* -- Constructors --------------------------------------------------------------------------------------------------- */

START_TEST(simple_constructors)
{
    int succeeded = 0;
    for (int round = 0; round < ROUNDS; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_nn_linear_options linear = {.no_bias = round % 2, .dtype = some_dtype()};
        succeeded += made(heed_nn_linear_new(some_size(), some_size(), &linear));
        heed_nn_layer_norm_options norm = {
            .eps = some_probability(), .no_affine = round % 5 == 0, .no_bias = round % 3 == 0, .dtype = some_dtype()};
        succeeded += made(heed_nn_layer_norm_new(ANY_OF(hostile_shapes), &norm));
        heed_nn_embedding_options embedding = {.dtype = some_dtype()};
        succeeded += made(heed_nn_embedding_new(some_size(), some_size(), &embedding));
        succeeded += made(heed_nn_dropout_new(ANY_OF(hostile_doubles)));
        heed_nn_feed_forward_options feed_forward = {
            .dropout = some_probability(), .no_bias = round % 2, .dtype = some_dtype()};
        succeeded += made(heed_nn_feed_forward_new(some_size(), some_size(), &feed_forward));
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    ck_assert_int_gt(succeeded, ROUNDS);
}
END_TEST

START_TEST(composite_constructors)
{
    int succeeded = 0;
    for (int round = 0; round < ROUNDS; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_nn_transformer_encoder_block_options block = {.dropout = some_probability(),
                                                           .eps = some_probability(),
                                                           .pre_norm = round % 2,
                                                           .no_bias = round % 3 == 0,
                                                           .dtype = some_dtype()};
        succeeded += made(heed_nn_transformer_encoder_block_new(some_size(), some_size(), some_size(), &block));
        heed_nn_gru_options gru = {.num_layers = some_size(),
                                   .dropout = some_probability(),
                                   .no_bias = round % 2,
                                   .batch_first = round % 3 == 0,
                                   .dtype = some_dtype()};
        if (gru.num_layers < 100 || gru.num_layers > 1 << 20)
            succeeded += made(heed_nn_gru_new(some_size(), some_size(), &gru));
        heed_nn_seq2seq_options seq2seq = {
            .num_layers = some_size(), .dropout = some_probability(), .dtype = some_dtype()};
        succeeded += made(heed_nn_seq2seq_encoder_new(some_size(), some_size(), some_size(), &seq2seq));
        succeeded += made(heed_nn_bahdanau_decoder_new(some_size(), some_size(), some_size(), &seq2seq));
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    ck_assert_int_gt(succeeded, ROUNDS / 20);
}
END_TEST

START_TEST(what_constructors_say)
{
    heed_nn_gru_options gru = {.num_layers = -1};
    ck_assert_null_fails("nn_linear_new", HEED_ERR_ARGUMENT, "in is 0", heed_nn_linear_new(0, 1, NULL));
    ck_assert_null_fails("nn_linear_new", HEED_ERR_ARGUMENT, "out is -3", heed_nn_linear_new(1, -3, NULL));
    ck_assert_null_fails("nn_linear_new", HEED_ERR_DTYPE, "i64",
                         heed_nn_linear_new(1, 1, &(heed_nn_linear_options){.dtype = HEED_I64}));
    ck_assert_null_fails("nn_dropout_new", HEED_ERR_ARGUMENT, "1.5", heed_nn_dropout_new(1.5));
    ck_assert_null_fails("nn_dropout_new", HEED_ERR_ARGUMENT, "nan", heed_nn_dropout_new((double)NAN));
    ck_assert_null_fails("nn_layer_norm_new", HEED_ERR_ARGUMENT, "rank 0", heed_nn_layer_norm_new(HEED_SCALAR, NULL));
    ck_assert_null_fails("nn_layer_norm_new", HEED_ERR_ARGUMENT, "eps is -1",
                         heed_nn_layer_norm_new(HEED_SHAPE(2), &(heed_nn_layer_norm_options){.eps = -1}));
    ck_assert_null_fails("nn_layer_norm_new", HEED_ERR_ARGUMENT, "is 0",
                         heed_nn_layer_norm_new(HEED_SHAPE(2, 0), NULL));
    ck_assert_null_fails("nn_embedding_new", HEED_ERR_ARGUMENT, "count is 0", heed_nn_embedding_new(0, 1, NULL));
    ck_assert_null_fails("nn_embedding_new", HEED_ERR_ARGUMENT, "dim is 0", heed_nn_embedding_new(1, 0, NULL));
    ck_assert_null_fails("nn_function_new", HEED_ERR_ARGUMENT, "name", heed_nn_function_new(NULL, heed_relu));
    ck_assert_null_fails("nn_function_new", HEED_ERR_ARGUMENT, "function", heed_nn_function_new("relu", NULL));
    ck_assert_null_fails("nn_feed_forward_new", HEED_ERR_ARGUMENT, "hiddens is 0",
                         heed_nn_feed_forward_new(1, 0, NULL));
    ck_assert_null_fails("nn_transformer_encoder_block_new", HEED_ERR_ARGUMENT, "ffn_hiddens is 0",
                         heed_nn_transformer_encoder_block_new(4, 2, 0, NULL));
    ck_assert_ptr_null(heed_nn_transformer_encoder_block_new(4, 3, 2, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "3 heads");
    ck_assert_null_fails("nn_gru_new", HEED_ERR_ARGUMENT, "num_layers is -1", heed_nn_gru_new(1, 1, &gru));
    ck_assert_null_fails("nn_gru_new", HEED_ERR_ARGUMENT, "does not fit", heed_nn_gru_new(1, TWO62, NULL));
    ck_assert_null_fails("nn_seq2seq_encoder_new", HEED_ERR_ARGUMENT, "vocab_size is 0",
                         heed_nn_seq2seq_encoder_new(0, 1, 1, NULL));
    ck_assert_null_fails("nn_bahdanau_decoder_new", HEED_ERR_ARGUMENT, "embed_size is 0",
                         heed_nn_bahdanau_decoder_new(1, 0, 1, NULL));
    ck_assert_null_fails("nn_bahdanau_decoder_new", HEED_ERR_ARGUMENT, "sum does not fit",
                         heed_nn_bahdanau_decoder_new(1, INT64_MAX, 1, NULL));
}
END_TEST

START_TEST(initial_values)
{
    zoo z;
    zoo_open(&z);
    for (int i = 0; i < ZOO_SIZE; i++)
        for (int k = 0; k < COUNT_OF(hostile_doubles); k++) {
            heed_tensor *t = z.animals[i];
            double a = hostile_doubles[k], b = ANY_OF(hostile_doubles);
            heed_status status = heed_nn_init_uniform_(t, a, b);
            ck_assert((status == HEED_OK) == (heed_error_code() == HEED_OK));
            heed_error_clear();
            (void)heed_nn_init_normal_(t, a, b);
            heed_error_clear();
            (void)heed_nn_init_xavier_uniform_(t);
            heed_error_clear();
            (void)heed_nn_init_kaiming_uniform_(t);
            heed_error_clear();
        }
    heed_tensor *t = heed_zeros(HEED_F32, HEED_SHAPE(2)), *i = heed_zeros(HEED_I64, HEED_SHAPE(2, 2));
    ck_assert_status_fails("nn_init_uniform_", HEED_ERR_ARGUMENT, "NULL", heed_nn_init_uniform_(NULL, 0, 1));
    ck_assert_status_fails("nn_init_normal_", HEED_ERR_ARGUMENT, "NULL", heed_nn_init_normal_(NULL, 0, 1));
    ck_assert_status_fails("nn_init_xavier_uniform_", HEED_ERR_ARGUMENT, "NULL", heed_nn_init_xavier_uniform_(NULL));
    ck_assert_status_fails("nn_init_uniform_", HEED_ERR_DTYPE, "i64", heed_nn_init_uniform_(i, 0, 1));
    ck_assert_status_fails("nn_init_kaiming_uniform_", HEED_ERR_DTYPE, "i64", heed_nn_init_kaiming_uniform_(i));
    ck_assert_status_fails("nn_init_uniform_", HEED_ERR_ARGUMENT, "low is 2, high is 1",
                           heed_nn_init_uniform_(t, 2, 1));
    ck_assert_status_fails("nn_init_uniform_", HEED_ERR_ARGUMENT, "f32", heed_nn_init_uniform_(t, 0, 1e39));
    ck_assert_status_fails("nn_init_normal_", HEED_ERR_ARGUMENT, "std is -1", heed_nn_init_normal_(t, 0, -1));
    ck_assert_status_fails("nn_init_xavier_uniform_", HEED_ERR_SHAPE, "(2)", heed_nn_init_xavier_uniform_(t));
    ck_assert_status_fails("nn_init_kaiming_uniform_", HEED_ERR_SHAPE, "(2)", heed_nn_init_kaiming_uniform_(t));
}
END_TEST

/* -- Forwards ------------------------------------------------------------------------------------------------------- */

/* Layers of one tensor, of sizes that some of the zoo fit. */
static int make_layers(heed_dtype dtype, heed_module **layers)
{
    void *made_layers[] = {
        heed_nn_linear_new(3, 2, &(heed_nn_linear_options){.dtype = dtype}),
        heed_nn_layer_norm_new(HEED_SHAPE(3), &(heed_nn_layer_norm_options){.dtype = dtype}),
        heed_nn_layer_norm_new(HEED_SHAPE(3, 2), &(heed_nn_layer_norm_options){.no_affine = true}),
        heed_nn_embedding_new(3, 2, &(heed_nn_embedding_options){.dtype = dtype}),
        heed_nn_dropout_new(0.5),
        heed_nn_function_new("tanh", heed_tanh),
        heed_nn_feed_forward_new(3, 2, &(heed_nn_feed_forward_options){.dtype = dtype}),
        heed_nn_transformer_encoder_block_new(2, 2, 3, &(heed_nn_transformer_encoder_block_options){.dtype = dtype}),
        heed_nn_gru_new(2, 3, &(heed_nn_gru_options){.num_layers = 2, .dtype = dtype}),
        heed_nn_gru_new(2, 3, &(heed_nn_gru_options){.batch_first = true, .dtype = dtype}),
        heed_nn_seq2seq_encoder_new(3, 2, 3, &(heed_nn_seq2seq_options){.dtype = dtype}),
        heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 3, &(heed_nn_linear_options){.dtype = dtype}))),
    };
    for (int i = 0; i < COUNT_OF(made_layers); i++)
        ck_assert_msg((layers[i] = made_layers[i]) != NULL, "%s", heed_error_message());
    return COUNT_OF(made_layers);
}

START_TEST(forwards_of_one_tensor)
{
    zoo z;
    zoo_open(&z);
    for (int dtype = 0; dtype < 2; dtype++) {
        heed_module *layers[16];
        int n = make_layers((heed_dtype)dtype, layers);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < ZOO_SIZE; k++) {
                heed_scope *scope = heed_scope_begin();
                ran(heed_module_forward(layers[i], z.animals[k]));
                ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
            }
            heed_module_free(layers[i]);
        }
    }
    ck_assert_null_fails("module_forward", HEED_ERR_ARGUMENT, "NULL", heed_module_forward(NULL, z.animals[1]));
}
END_TEST

START_TEST(states)
{
    zoo z;
    zoo_open(&z);
    heed_nn_gru *gru = heed_nn_gru_new(2, 2, &(heed_nn_gru_options){.dtype = HEED_F64});
    heed_nn_bahdanau_decoder *decoder =
        heed_nn_bahdanau_decoder_new(3, 2, 2, &(heed_nn_seq2seq_options){.dtype = HEED_F64});
    heed_nn_transformer_encoder_block *block =
        heed_nn_transformer_encoder_block_new(2, 2, 3, &(heed_nn_transformer_encoder_block_options){.dtype = HEED_F64});
    heed_tensor *x = heed_zeros(HEED_F64, HEED_SHAPE(2, 3, 2)), *tokens = heed_zeros(HEED_I64, HEED_SHAPE(2, 3));
    heed_tensor *start = heed_zeros(HEED_F64, HEED_SHAPE(1, 2, 2));
    for (int round = 0; round < ROUNDS; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *any = ANY_OF(z.animals), *state = any;
        heed_tensor *y = heed_nn_gru_forward(gru, round % 2 ? x : ANY_OF(z.animals), &state);
        ck_assert(y || state == any);
        ran(y);
        state = round % 3 ? start : any;
        heed_tensor *before = state, *lengths = round % 4 ? ANY_OF(z.animals) : NULL;
        y = heed_nn_bahdanau_decoder_forward(decoder, round % 2 ? tokens : ANY_OF(z.animals),
                                             round % 5 ? x : ANY_OF(z.animals), lengths, &state);
        ck_assert(y || state == before);
        ran(y);
        ran(heed_nn_transformer_encoder_block_forward(block, x, ANY_OF(z.animals)));
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    heed_module_free(&gru->base);
    heed_module_free(&decoder->base);
    heed_module_free(&block->base);
}
END_TEST

START_TEST(what_forwards_say)
{
    heed_nn_linear *linear = heed_nn_linear_new(3, 2, NULL);
    heed_nn_gru *gru = heed_nn_gru_new(2, 3, NULL);
    heed_nn_seq2seq_encoder *encoder = heed_nn_seq2seq_encoder_new(3, 2, 3, NULL);
    heed_nn_bahdanau_decoder *decoder = heed_nn_bahdanau_decoder_new(3, 2, 3, NULL);
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(4, 5, 3)), *tokens = heed_zeros(HEED_I64, HEED_SHAPE(4, 2));
    heed_tensor *bad = tokens, *none = NULL, *start = heed_zeros(HEED_F32, HEED_SHAPE(1, 4, 3));
    ck_assert_null_fails("nn_linear_forward", HEED_ERR_ARGUMENT, "module", heed_nn_linear_forward(NULL, x));
    ck_assert_null_fails("nn_linear_forward", HEED_ERR_ARGUMENT, "x is", heed_nn_linear_forward(linear, NULL));
    ck_assert_null_fails("nn_dropout_forward", HEED_ERR_ARGUMENT, "module", heed_nn_dropout_forward(NULL, x));
    ck_assert_null_fails("nn_layer_norm_forward", HEED_ERR_ARGUMENT, "module", heed_nn_layer_norm_forward(NULL, x));
    ck_assert_null_fails("nn_embedding_forward", HEED_ERR_ARGUMENT, "module", heed_nn_embedding_forward(NULL, tokens));
    ck_assert_null_fails("nn_function_forward", HEED_ERR_ARGUMENT, "module", heed_nn_function_forward(NULL, x));
    ck_assert_null_fails("nn_sequential_forward", HEED_ERR_ARGUMENT, "module", heed_nn_sequential_forward(NULL, x));
    ck_assert_null_fails("nn_feed_forward_forward", HEED_ERR_ARGUMENT, "module", heed_nn_feed_forward_forward(NULL, x));
    ck_assert_null_fails("nn_transformer_encoder_block_forward", HEED_ERR_ARGUMENT, "module",
                         heed_nn_transformer_encoder_block_forward(NULL, x, NULL));
    ck_assert_null_fails("nn_gru_forward", HEED_ERR_ARGUMENT, "module", heed_nn_gru_forward(NULL, x, NULL));
    ck_assert_null_fails("nn_gru_forward", HEED_ERR_SHAPE, "x is (4, 5, 3): must be (-1, -1, 2), where -1 is any size",
                         heed_nn_gru_forward(gru, x, NULL));
    x = heed_slice(x, 2, 0, 2, 1);
    ck_assert_ptr_null(heed_nn_gru_forward(gru, x, &bad));
    ck_assert_str_eq(heed_error_message(), "nn_gru_forward: the state is (4, 2): must be (1, 5, 3)");
    heed_error_clear();
    ck_assert_null_fails("nn_gru_forward", HEED_ERR_DTYPE, "x is f64: must be f32",
                         heed_nn_gru_forward(gru, heed_to_dtype(x, HEED_F64), NULL));
    ck_assert_null_fails("nn_seq2seq_encoder_forward", HEED_ERR_ARGUMENT, "tokens",
                         heed_nn_seq2seq_encoder_forward(encoder, NULL, NULL));
    ck_assert_null_fails("nn_seq2seq_encoder_forward", HEED_ERR_DTYPE, "tokens is f32",
                         heed_nn_seq2seq_encoder_forward(encoder, heed_zeros(HEED_F32, HEED_SHAPE(1, 1)), NULL));
    x = heed_zeros(HEED_F32, HEED_SHAPE(4, 5, 3));
    ck_assert_null_fails("nn_bahdanau_decoder_forward", HEED_ERR_ARGUMENT, "the state",
                         heed_nn_bahdanau_decoder_forward(decoder, tokens, x, NULL, NULL));
    ck_assert_null_fails("nn_bahdanau_decoder_forward", HEED_ERR_ARGUMENT, "the state",
                         heed_nn_bahdanau_decoder_forward(decoder, tokens, x, NULL, &none));
    ck_assert_null_fails("nn_bahdanau_decoder_forward", HEED_ERR_ARGUMENT, "memory",
                         heed_nn_bahdanau_decoder_forward(decoder, tokens, NULL, NULL, &start));
    ck_assert_null_fails("nn_bahdanau_decoder_forward", HEED_ERR_SHAPE, "valid_lens is (4, 2): must be (4)",
                         heed_nn_bahdanau_decoder_forward(decoder, tokens, x, tokens, &start));
    heed_module_free(&linear->base);
    heed_module_free(&gru->base);
    heed_module_free(&encoder->base);
    heed_module_free(&decoder->base);
}
END_TEST

/* Wrong shapes, in the name of the layer or of the op that looks at them. */
START_TEST(what_forwards_say_of_shapes)
{
    heed_module *layers[] = {
        (heed_module *)heed_nn_linear_new(3, 2, NULL),
        (heed_module *)heed_nn_layer_norm_new(HEED_SHAPE(3, 2), NULL),
        (heed_module *)heed_nn_feed_forward_new(3, 5, NULL),
        (heed_module *)heed_nn_transformer_encoder_block_new(2, 1, 3, NULL),
        (heed_module *)heed_nn_gru_new(2, 3, &(heed_nn_gru_options){.batch_first = true}),
    };
    static const char *const messages[] = {
        "module_forward: linear: x (2, 4) has 4 features, w (2, 3) takes 3",
        "module_forward: layer_norm: x (2, 4) does not end in the axes (3, 2)",
        "module_forward: linear_activated: x (2, 4) has 4 features, w (5, 3) takes 3",
        "module_forward: nn_transformer_encoder_block_forward: x is (2, 4): must be (-1, -1, 2), where -1 is any size",
        "module_forward: nn_gru_forward: x is (2, 4): must be (-1, -1, 2), where -1 is any size",
    };
    for (int i = 0; i < COUNT_OF(layers); i++) {
        ck_assert_ptr_null(heed_module_forward(layers[i], heed_zeros(HEED_F32, HEED_SHAPE(2, 4))));
        ck_assert_str_eq(heed_error_message(), messages[i]);
        ck_assert_error(HEED_ERR_SHAPE, "(2, 4)");
    }
    heed_nn_transformer_encoder_block *block = (heed_nn_transformer_encoder_block *)layers[3];
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 4, 2));
    ck_assert_ptr_null(heed_nn_transformer_encoder_block_forward(block, x, heed_zeros(HEED_I64, HEED_SHAPE(4))));
    ck_assert_error(HEED_ERR_SHAPE, "valid_lens (4): wants (2) or (2, 4)");
    for (int i = 0; i < COUNT_OF(layers); i++)
        heed_module_free(layers[i]);
}
END_TEST

/* A token outside the vocabulary is told where the user wrote it. */
START_TEST(what_forwards_say_of_tokens)
{
    heed_nn_seq2seq_encoder *encoder = heed_nn_seq2seq_encoder_new(3, 2, 3, NULL);
    heed_nn_bahdanau_decoder *decoder = heed_nn_bahdanau_decoder_new(3, 2, 3, NULL);
    heed_tensor *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 0, 1, 3, 0, 1, 2);
    heed_tensor *memory = heed_zeros(HEED_F32, HEED_SHAPE(2, 5, 3)), *state = heed_zeros(HEED_F32, HEED_SHAPE(1, 2, 3));
    ck_assert_ptr_null(heed_nn_seq2seq_encoder_forward(encoder, tokens, NULL));
    ck_assert_error(HEED_ERR_INDEX, "nn_seq2seq_encoder_forward: embedding: index 3 at (0, 2) is outside");
    ck_assert_ptr_null(heed_nn_bahdanau_decoder_forward(decoder, tokens, memory, NULL, &state));
    ck_assert_error(HEED_ERR_INDEX, "nn_bahdanau_decoder_forward: embedding: index 3 at (0, 2) is outside");
    heed_module_free(&encoder->base);
    heed_module_free(&decoder->base);
}
END_TEST

MISUSE_MAIN("misuse of layers", simple_constructors, composite_constructors, what_constructors_say, initial_values,
            forwards_of_one_tensor, states, what_forwards_say, what_forwards_say_of_shapes, what_forwards_say_of_tokens)
