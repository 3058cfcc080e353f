/* tests/fuzz/api_nn.c - commands on one layer of any kind, an optimizer and a schedule.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "api.h"

#include "../optimizer_of.h"
#include "cases.h"

/* -- A layer called by its prototypes (tests/promises/calls/slots.py): a case of tests/nn with changed arguments -- */

struct slots {
    program *p;
    const layer_case *c;
    heed_dtype dtype;
    heed_tensor *out[POOL];
    int n_out;
};

/* The case's value for this argument; NULL if the bytes choose one. */
static const layer_argument *argument(slots *from, const char *name)
{
    static const layer_argument zero = {.name = ""};
    const layer_argument *a = layer_argument_of(from->c, name);
    return fuzz_byte(&from->p->in) >= 224 ? NULL : a ? a : &zero;
}

/* Limits the number of layers: thousands of them are legal but slow. */
static int64_t slot_int64(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    int64_t n = a ? (int64_t)a->number : fuzz_int(&from->p->in);
    return n > 16 && n <= 1 << 20 ? n % 16 : n;
}

static int slot_int(slots *from, const char *name)
{
    return (int)slot_int64(from, name);
}

static double slot_real(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return a ? a->number : fuzz_double(&from->p->in);
}

static bool slot_bool(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return a ? a->number != 0.0 : fuzz_byte(&from->p->in) & 1;
}

static heed_shape slot_shape(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return a ? a->shape : any_shape(&from->p->in);
}

static int slot_enum(slots *from, const char *name, const char *const *words)
{
    const layer_argument *a = argument(from, name);
    int n = 0;
    while (words[n])
        n++;
    if (!a)
        return fuzz_byte(&from->p->in) % (n + 1);
    return strcmp(name, "dtype") == 0 ? (int)from->dtype : (int)a->number;
}

static const char *slot_text(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return a ? a->text : "";
}

static slot_function_type slot_function(slots *from, const char *name)
{
    static const slot_function_type functions[] = {NULL, heed_gelu, heed_sum, heed_square};
    const layer_argument *a = argument(from, name);
    return a ? a->function : functions[fuzz_byte(&from->p->in) % 4];
}

/* Nested options are passed if the case has them, or if the bytes say so. */
static bool slot_there(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return strcmp(name, "attention") == 0 ? !a || a->number != 0.0 : a != NULL;
}

static int slot_modules(slots *from, const char *name, void **list)
{
    const layer_argument *a = layer_argument_of(from->c, name);
    return !list ? (int)fuzz_int(&from->p->in) : a ? a->modules(from->dtype, list) : 0;
}

static heed_tensor *slot_tensor(slots *from, const char *name)
{
    int i = layer_input_of(from->c, name);
    uint8_t way = fuzz_byte(&from->p->in);
    if (way < 128 || i < 0)
        return way & 1 || i >= 0 ? any_tensor(from->p) : NULL;
    heed_tensor *t = layer_draw(&from->c->in[i], from->dtype);
    (void)fuzz_outcome(t != NULL);
    return t;
}

static heed_tensor **slot_out(slots *from, const char *name)
{
    if (from->n_out == POOL || fuzz_byte(&from->p->in) & 1)
        return NULL;
    from->out[from->n_out] = slot_tensor(from, name);
    return &from->out[from->n_out++];
}

#include "layer_calls.inc"

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
    p->layer = fuzz_byte(&p->in) % (sizeof layer_calls / sizeof layer_calls[0]);
    const layer_call *layer = &layer_calls[p->layer];
    p->layer_case = layer->cases->cases;
    for (uint8_t skip = fuzz_byte(&p->in) % 8; skip > 0 && p->layer_case[1].name; skip--)
        p->layer_case++;
    slots from = {.p = p, .c = p->layer_case, .dtype = fuzz_byte(&p->in) & 1 ? HEED_F32 : HEED_F64};
    p->net = layer->make(&from);
    if (fuzz_outcome(p->net != NULL) && heed_module_walk(p->net, remember_parameter, p) != HEED_OK)
        end_nn(p); /* the list of leaves is full */
}

static void forward(program *p)
{
    if (!p->layer_case)
        return;
    slots from = {.p = p, .c = p->layer_case, .dtype = fuzz_byte(&p->in) & 1 ? HEED_F32 : HEED_F64};
    heed_tensor *y = layer_calls[p->layer].run(&from, p->net);
    if (!fuzz_outcome(y != NULL))
        return;
    keep(p, y);
    for (int i = 0; i < from.n_out; i++)
        keep(p, from.out[i]);
}

static void forward_of_one(program *p)
{
    heed_tensor *y = heed_module_forward(p->net, any_tensor(p));
    if (fuzz_outcome(y != NULL))
        keep(p, y);
}

/* A tensor whose sizes fit typical layers, so that forward passes succeed. */
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
        p->optimizer = adamw_of(own, 1 + (way >> 3 & 1), &adam);
        break;
    default:
        p->optimizer = sgd_of(own, 1 + (way >> 3 & 1), &sgd);
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
                  : way % 4 == 1 ? heed_schedule_new_step(p->optimizer, 1, a)
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
        new_net,       forward,      forward, forward, forward_of_one,  fitting_input,
        new_optimizer, new_schedule, train,   train,   take_parameters,
    };
    uint8_t byte = fuzz_byte(&p->in);
    actions[byte % (sizeof actions / sizeof actions[0])](p);
}
