/* fuzz/api_nn.c - commands on one module of any kind, an optimizer and a schedule. */

#include "api.h"

/* -- A module --------------------------------------------------------------------------------------------------- */

enum { LINEAR, NORM, DROPOUT, EMBEDDING, MLP, ADDITIVE, DOT, HEADS, POSITIONS, BLOCK, REGRESSION, GRU, KINDS };

static heed_module *make_mlp(int64_t in, int64_t hidden, heed_dtype dtype)
{
    heed_nn_linear_options options = {.dtype = dtype};
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(in, hidden, &options),
                                                                  heed_nn_function_new("tanh", heed_tanh),
                                                                  heed_nn_linear_new(hidden, 1, &options)));
    return net ? &net->base : NULL;
}

/* Every module begins with its heed_module. */
static heed_module *make_net(int kind, int64_t a, int64_t b, uint8_t way, double chance)
{
    heed_dtype dtype = way & 1 ? HEED_F32 : HEED_F64;
    bool yes = way & 2, no = way & 4;
    switch (kind) {
    case LINEAR:
        return (heed_module *)heed_nn_linear_new(
            a, b,
            &(heed_nn_linear_options){.no_bias = yes, .dtype = dtype, .activation = (heed_activation)(way / 8 % 6)});
    case NORM:
        return (heed_module *)heed_nn_layer_norm_new(
            HEED_SHAPE(a), &(heed_nn_layer_norm_options){.eps = chance, .no_affine = yes, .dtype = dtype});
    case DROPOUT:
        return (heed_module *)heed_nn_dropout_new(chance);
    case EMBEDDING:
        return (heed_module *)heed_nn_embedding_new(a, b, &(heed_nn_embedding_options){.dtype = dtype});
    case MLP:
        return make_mlp(a, b, dtype);
    case ADDITIVE:
        return (heed_module *)heed_nn_additive_attention_new(
            a, b, a,
            &(heed_nn_additive_attention_options){.dropout = yes ? chance : 0, .need_weights = no, .dtype = dtype});
    case DOT:
        return (heed_module *)heed_nn_dot_product_attention_new(&(heed_nn_dot_product_attention_options){
            .dropout = yes ? chance : 0, .scale = chance, .causal = no, .need_weights = way & 8});
    case HEADS:
        return (heed_module *)heed_nn_multi_head_attention_new(
            a, b, &(heed_nn_multi_head_attention_options){.causal = yes, .no_bias = no, .dtype = dtype});
    case POSITIONS:
        return (heed_module *)heed_nn_positional_encoding_new(
            a, &(heed_nn_positional_encoding_options){.dropout = yes ? chance : 0, .max_len = b, .dtype = dtype});
    case BLOCK:
        return (heed_module *)heed_nn_transformer_encoder_block_new(
            a, b, 3, &(heed_nn_transformer_encoder_block_options){.pre_norm = yes, .causal = no, .dtype = dtype});
    case REGRESSION:
        return (heed_module *)heed_nn_nw_kernel_regression_new(
            &(heed_nn_nw_kernel_regression_options){.kernel = (heed_nw_kernel)(way / 8 % 6),
                                                    .log_width = yes,
                                                    .leave_one_out = no,
                                                    .dim = way & 128 ? a : 0,
                                                    .width = chance,
                                                    .dtype = dtype});
    default:
        return (heed_module *)heed_nn_gru_new(
            a, b, &(heed_nn_gru_options){.num_layers = 1 + yes, .batch_first = no, .dtype = dtype});
    }
}

void end_nn(program *p)
{
    FUZZ_CHECK(!p->schedule || heed_schedule_free(p->schedule) == HEED_OK);
    heed_optimizer_free(p->optimizer);
    FUZZ_CHECK(!p->net || heed_module_free(p->net) == HEED_OK);
    p->schedule = NULL;
    p->optimizer = NULL;
    p->net = NULL;
}

static heed_status remember_parameter(const heed_module_visit *visit, void *user)
{
    return remember(user, visit->tensor) ? HEED_OK : HEED_ERR_STATE;
}

static void new_net(program *p)
{
    end_nn(p);
    p->net_kind = (int)fuzz_pick(&p->in, 0, KINDS - 1);
    uint8_t awkward = fuzz_byte(&p->in);
    int64_t a = awkward == 255 ? fuzz_int(&p->in) : fuzz_pick(&p->in, 1, 4);
    int64_t b = awkward == 255 ? fuzz_int(&p->in) : fuzz_pick(&p->in, 1, 4);
    uint8_t way = fuzz_byte(&p->in);
    double chance = awkward >= 250 ? fuzz_double(&p->in) : 0.25;
    p->net = make_net(p->net_kind, a, b, way, chance);
    if (fuzz_outcome(p->net != NULL) && heed_module_walk(p->net, remember_parameter, p) != HEED_OK)
        end_nn(p); /* no room to remember */
}

static heed_tensor *run_net(heed_module *m, int kind, heed_tensor *const x[4], heed_tensor **state)
{
    switch (m ? kind : KINDS) {
    case EMBEDDING:
        return heed_nn_embedding_forward((heed_nn_embedding *)m, x[0]);
    case ADDITIVE:
        return heed_nn_additive_attention_forward((heed_nn_additive_attention *)m, x[0], x[1], x[2], x[3]);
    case DOT:
        return heed_nn_dot_product_attention_forward((heed_nn_dot_product_attention *)m, x[0], x[1], x[2], x[3]);
    case HEADS:
        return heed_nn_multi_head_attention_forward((heed_nn_multi_head_attention *)m, x[0], x[1], x[2], x[3]);
    case BLOCK:
        return heed_nn_transformer_encoder_block_forward((heed_nn_transformer_encoder_block *)m, x[0], x[3]);
    case REGRESSION:
        return heed_nn_nw_kernel_regression_forward((heed_nn_nw_kernel_regression *)m, x[0], x[1], x[2]);
    case GRU:
        return heed_nn_gru_forward((heed_nn_gru *)m, x[0], state);
    default:
        return heed_module_forward(m, x[0]);
    }
}

static void forward(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *x[4] = {any_tensor(p), any_tensor(p), any_tensor(p), way & 1 ? any_tensor(p) : NULL};
    heed_tensor *state = way & 4 ? x[1] : NULL;
    heed_tensor *y = run_net(p->net, p->net_kind, x, way & 2 ? &state : NULL);
    if (fuzz_outcome(y != NULL))
        keep(p, y);
}

/* A tensor of the sizes that the module wants, so that forwards succeed. */
static void fitting_input(program *p)
{
    int64_t last = fuzz_pick(&p->in, 1, 4), steps = fuzz_pick(&p->in, 0, 3);
    keep(p, heed_randn(fuzz_byte(&p->in) & 1 ? HEED_F32 : HEED_F64, HEED_SHAPE(2, steps, last)));
    heed_error_clear();
}

/* -- Training it ------------------------------------------------------------------------------------------------ */

static void new_optimizer(program *p)
{
    if (p->schedule)
        FUZZ_CHECK(heed_schedule_free(p->schedule) == HEED_OK);
    heed_optimizer_free(p->optimizer);
    p->schedule = NULL;
    uint8_t way = fuzz_byte(&p->in);
    double lr = way & 64 ? fuzz_double(&p->in) : 0.125, other = way & 128 ? fuzz_double(&p->in) : 0;
    heed_tensor *own[2] = {any_tensor(p), any_tensor(p)};
    heed_optim_sgd_options sgd = {.lr = lr, .momentum = other, .nesterov = way & 4, .weight_decay = other};
    heed_optim_adam_options adam = {
        .lr = lr, .beta1 = other, .no_momentum = way & 8, .amsgrad = way & 4, .weight_decay = other};
    switch (way % 4) {
    case 0:
        p->optimizer = heed_optim_sgd(p->net, &sgd);
        break;
    case 1:
        p->optimizer = heed_optim_adam(p->net, &adam);
        break;
    case 2:
        p->optimizer = heed_optim_adamw_tensors(own, 1 + (way >> 3 & 1), &adam);
        break;
    default:
        p->optimizer = heed_optim_sgd_tensors(own, 1 + (way >> 3 & 1), &sgd);
    }
    (void)fuzz_outcome(p->optimizer != NULL);
}

static void new_schedule(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    int64_t n = fuzz_int(&p->in);
    double a = fuzz_double(&p->in), b = fuzz_double(&p->in);
    if (p->schedule || !p->optimizer)
        return;
    p->schedule = way % 4 == 0   ? heed_schedule_new_step(p->optimizer, n, a)
                  : way % 4 == 1 ? heed_schedule_new_exponential(p->optimizer, a)
                  : way % 4 == 2 ? heed_schedule_new_cosine(p->optimizer, n, a)
                                 : heed_schedule_new_linear(p->optimizer, a, b, n);
    (void)fuzz_outcome(p->schedule != NULL);
}

static void train(program *p)
{
    switch (fuzz_byte(&p->in) % 8) {
    case 0:
    case 1:
        (void)fuzz_outcome(heed_optimizer_step(p->optimizer) == HEED_OK);
        break;
    case 2:
        (void)fuzz_outcome(heed_optimizer_zero_grad(p->optimizer) == HEED_OK);
        break;
    case 3:
        (void)fuzz_outcome(heed_optim_clip_grad_norm_(p->net, fuzz_double(&p->in), NULL) == HEED_OK);
        break;
    case 4:
        (void)fuzz_outcome(heed_optim_clip_grad_value_(p->net, fuzz_double(&p->in)) == HEED_OK);
        break;
    case 5:
        (void)fuzz_outcome(heed_schedule_step(p->schedule) == HEED_OK);
        break;
    case 6:
        (void)fuzz_outcome(heed_schedule_set_steps(p->schedule, fuzz_int(&p->in)) == HEED_OK);
        break;
    default:
        (void)fuzz_outcome((fuzz_byte(&p->in) & 1 ? heed_module_train : heed_module_eval)(p->net) == HEED_OK);
    }
}

static heed_status keep_parameter(const heed_module_visit *visit, void *user)
{
    keep(user, visit->tensor);
    return HEED_OK;
}

static void take_parameters(program *p)
{
    if (p->net)
        (void)fuzz_outcome(heed_module_walk(p->net, keep_parameter, p) == HEED_OK);
}

void run_nn(program *p)
{
    static void (*const actions[])(program *) = {
        new_net,       forward,      forward, forward, fitting_input,   fitting_input,
        new_optimizer, new_schedule, train,   train,   take_parameters,
    };
    uint8_t byte = fuzz_byte(&p->in);
    actions[byte % (sizeof actions / sizeof actions[0])](p);
}
