/* tests/promises/misuse/test_misuse_layers.c - every layer misused: its constructor with hostile sizes, numbers and
 * options, its forward with every tensor of the zoo. The other arguments are a case's (tests/nn), so that later
 * checks are reached. The calls are made from the prototypes (tests/promises/calls/slots.py).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"
#include "misuse_draw.h"

#define DRAWS 24       /* of a forward's other arguments, per tensor */
#define READABLE 10000 /* largest result with a backward pass */
#define MAX_TENSORS 8

/* The source of the arguments of one call. */
struct slots {
    const layer_case *c;
    heed_dtype dtype;
    bool hostile;                         /* or the case's */
    heed_tensor *in[MAX_TENSORS];         /* the arguments passed, */
    heed_tensor *out[MAX_TENSORS];        /* the results, */
    heed_tensor *on_failure[MAX_TENSORS]; /* and their values before the call */
    int n_in, n_out;
    heed_tensor *first; /* the first tensor; NULL: any */
    bool zoo;           /* the others are from the zoo, too */
};

static const layer_argument *argument(slots *from, const char *name)
{
    return layer_argument_of(from->c, name);
}

/* Usually a valid argument, so that the other arguments are reached. */
static bool by_the_case(slots *from)
{
    return !from->hostile || one_in(2);
}

static int64_t slot_int64(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return !by_the_case(from) ? any_count() : a ? (int64_t)a->number : 0;
}

static int slot_int(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return !by_the_case(from) ? any_int() : a ? (int)a->number : 0;
}

static double slot_real(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return !by_the_case(from) ? any_real() : a ? a->number : 0.0;
}

static bool slot_bool(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return from->hostile ? any_flag() : a && a->number != 0.0;
}

static heed_shape slot_shape(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return !by_the_case(from) ? any_shape() : a ? a->shape : HEED_SCALAR;
}

static int slot_enum(slots *from, const char *name, const char *const *words)
{
    const layer_argument *a = argument(from, name);
    int n = 0;
    while (words[n])
        n++;
    if (!by_the_case(from))
        return any_enum(n);
    return strcmp(name, "dtype") == 0 ? (int)from->dtype : a ? (int)a->number : 0;
}

static const char *slot_text(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return !by_the_case(from) ? any_text() : a ? a->text : NULL;
}

static slot_function_type slot_function(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return !by_the_case(from) ? (one_in(2) ? NULL : heed_gelu) : a ? a->function : NULL;
}

/* Nested options are rare, because most of their values are refused. */
static bool slot_there(slots *from, const char *name)
{
    return !from->hostile || (strcmp(name, "attention") == 0 ? one_in(4) : !one_in(8));
}

/* Exactly the stated number, because the constructor takes ownership. */
static int slot_modules(slots *from, const char *name, void **list)
{
    const layer_argument *a = argument(from, name);
    if (!list)
        return any_int();
    if (by_the_case(from))
        return a ? a->modules(from->dtype, list) : 0;
    int n = (int)(misuse_random() % (SLOT_LIST + 2)) - 1;
    for (int i = 0; i < n; i++)
        list[i] = one_in(4)    ? NULL
                  : any_flag() ? (void *)heed_nn_function_new("relu", heed_relu)
                               : (void *)heed_nn_dot_product_attention_new(NULL);
    return n;
}

static bool is_small(const heed_tensor *t)
{
    return !t || t == drawn_from.animals[ZOO_SIZE] || heed_numel(t) <= TWO31;
}

/* The case's tensor, an earlier one, or any; except for the case's, none so large that the call would take too long. */
static heed_tensor *draw_tensor(slots *from, const char *name)
{
    int i = layer_input_of(from->c, name);
    if (!from->zoo && one_in(2))
        return i < 0 ? NULL : layer_draw(&from->c->in[i], from->dtype);
    if (from->n_in > 0 && one_in(4))
        return from->in[misuse_random() % (uint64_t)from->n_in];
    heed_tensor *animal = any_tensor();
    return from->zoo || is_small(animal) ? animal : NULL;
}

static heed_tensor *slot_tensor(slots *from, const char *name)
{
    ck_assert_int_lt(from->n_in, MAX_TENSORS);
    bool given = from->n_in == 0 && from->first;
    return from->in[from->n_in++] = given ? from->first : draw_tensor(from, name);
}

/* After a failure, weights are NULL, and a state is unchanged. */
static heed_tensor **slot_out(slots *from, const char *name)
{
    if (one_in(4))
        return NULL;
    ck_assert_int_lt(from->n_out, MAX_TENSORS);
    heed_tensor *given = from->out[from->n_out] = draw_tensor(from, name);
    from->on_failure[from->n_out] = strstr(name, "weights") ? NULL : given;
    return &from->out[from->n_out++];
}

#include "layer_calls.inc"

/* A result, or an error with the name of the function. */
static bool judge(const char *name, const char *function, bool given)
{
    char text[64];
    (void)snprintf(text, sizeof text, "nn_%s_%s", name, function);
    if (!given)
        misuse_failed(text);
    ck_assert_msg(heed_error_code() == HEED_OK, "%s gave a result and \"%s\"", text, heed_error_message());
    return given;
}

/* -- Constructors -------------------------------------------------------------------------------------------------- */

static int count_cases(const layer_call *layer)
{
    int n = 0;
    while (layer->cases->cases[n].name)
        n++;
    return n;
}

static const layer_call *misused;

static void construct(void)
{
    slots from = {.c = &misused->cases->cases[misuse_random() % (uint64_t)count_cases(misused)],
                  .dtype = any_flag() ? HEED_F32 : HEED_F64,
                  .hostile = true};
    heed_module *net = misused->make(&from);
    (void)judge(misused->name, "new", net != NULL);
    ck_assert_int_eq(heed_module_free(net), HEED_OK);
}

START_TEST(constructors)
{
    misused = &layer_calls[_i];
    for (int i = 0; i < 4; i++)
        in_rounds(construct);
}
END_TEST

/* -- Forwards ------------------------------------------------------------------------------------------------------ */

/* Runs a backward pass from a result: it may fail only for lack of memory. */
static void use(const char *name, heed_tensor *y)
{
    if (!heed_requires_grad(y) || heed_numel(y) > READABLE)
        return;
    heed_tensor *g = heed_ones(heed_dtype_of(y), heed_shape_of(y));
    heed_status status = heed_backward_with(y, &(heed_backward_options){.grad_output = g, .retain_graph = true});
    ck_assert_msg(status == HEED_OK, "%s: backward: %s", name, heed_error_message());
}

static void run(const layer_call *layer, const layer_case *c, heed_module *net, heed_tensor *first)
{
    heed_scope *scope = heed_scope_begin();
    slots from = {.c = c, .dtype = any_flag() ? HEED_F32 : HEED_F64, .zoo = any_flag()};
    from.first = from.zoo || is_small(first) ? first : NULL;
    heed_tensor *y = layer->run(&from, one_in(16) ? NULL : net);
    for (int i = 0; i < from.n_out; i++)
        ck_assert_msg(y ? from.out[i] != NULL : from.out[i] == from.on_failure[i], "%s and its output %d", layer->name,
                      i);
    if (judge(layer->name, "forward", y != NULL))
        use(layer->name, y);
    y = heed_module_forward(net, first);
    ck_assert((y != NULL) == (heed_error_code() == HEED_OK));
    judge_error("module_forward");
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
}

static void run_on_zoo(const layer_call *layer, const layer_case *c, heed_dtype dtype)
{
    heed_module *net = layer->make(&(slots){.c = c, .dtype = dtype});
    ck_assert_msg(net != NULL, "%s, %s: %s", layer->name, c->name, heed_error_message());
    for (int i = 0; i <= ZOO_SIZE; i++) {
        for (int d = 0; d < DRAWS; d++)
            run(layer, c, net, d % 3 ? drawn_from.animals[i] : NULL);
        if (i > 0 && i < ZOO_SIZE && heed_is_leaf(drawn_from.animals[i]))
            (void)heed_set_grad(drawn_from.animals[i], NULL);
    }
    ck_assert_int_eq(heed_module_free(net), HEED_OK);
}

START_TEST(forwards)
{
    const layer_call *layer = &layer_calls[_i];
    zoo_open(&drawn_from);
    for (const layer_case *c = layer->cases->cases; c->name; c++)
        for (heed_dtype dtype = HEED_F32; dtype <= HEED_F64; dtype++)
            run_on_zoo(layer, c, dtype);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {constructors, forwards};
    return misuse_run("misuse of layers", tests, COUNT_OF(tests), COUNT_OF(layer_calls));
}
