/* tests/fuzz/api_actions.c - commands that act on tensors and graphs: gradients, hooks, in-place writes, reading.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "api.h"

#include <math.h>

/* -- Gradients -------------------------------------------------------------------------------------------------- */

static void mark(program *p)
{
    heed_tensor *x = any_tensor(p);
    if (remember(p, x))
        (void)fuzz_outcome(heed_set_requires_grad(x, fuzz_byte(&p->in) % 4 != 0) != NULL);
}

/* Whether a pass may be recorded, which it is only if requested. */
static bool may_record(program *p, bool wanted)
{
    bool may = wanted && p->recorded_passes < MAX_ORDER;
    p->recorded_passes += may;
    return may;
}

static void walk_back(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *loss = any_tensor(p);
    heed_backward_options options = {
        .grad_output = way & 1 ? any_tensor(p) : NULL,
        .retain_graph = way & 2,
        .create_graph = may_record(p, way & 4),
    };
    if (way & 8)
        (void)fuzz_outcome(heed_backward(loss) == HEED_OK);
    else
        (void)fuzz_outcome(heed_backward_with(loss, way & 16 ? NULL : &options) == HEED_OK);
}

static void ask_gradients(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *outputs[2] = {any_tensor(p), any_tensor(p)}, *inputs[2] = {any_tensor(p), any_tensor(p)};
    heed_tensor *grad_outputs[2] = {way & 1 ? any_tensor(p) : NULL, way & 2 ? any_tensor(p) : NULL};
    heed_tensor *grads[2] = {NULL, NULL};
    heed_grad_options options = {
        .grad_outputs = way & 4 ? grad_outputs : NULL,
        .retain_graph = way & 8,
        .create_graph = may_record(p, way & 16),
        .allow_unused = way & 32,
    };
    int n = 1 + (way >> 6 & 1), m = 1 + (way >> 7);
    heed_status status = heed_grad(outputs, n, inputs, m, grads, &options);
    if (!fuzz_outcome(status == HEED_OK)) {
        FUZZ_CHECK(!grads[0] && !grads[1]);
        return;
    }
    for (int i = 0; i < m; i++) {
        FUZZ_CHECK(grads[i] || options.allow_unused);
        FUZZ_CHECK(!grads[i] || heed_shape_equal(heed_shape_of(grads[i]), heed_shape_of(inputs[i])));
    }
    for (int i = 0; i < m; i++) /* this may free inputs */
        keep(p, grads[i]);
}

static void take_gradient(program *p)
{
    heed_tensor *x = any_tensor(p);
    bool has = x && heed_has_grad(x);
    heed_tensor *grad = heed_grad_of(x);
    FUZZ_CHECK(!grad || has);
    if (!has && x)
        FUZZ_CHECK(!grad && heed_error_code() == HEED_OK);
    heed_error_clear();
    keep(p, grad);
}

static void give_gradient(program *p)
{
    heed_tensor *x = any_tensor(p), *grad = any_tensor(p);
    if (remember(p, x))
        (void)fuzz_outcome(heed_set_grad(x, fuzz_byte(&p->in) & 1 ? grad : NULL) == HEED_OK);
}

/* `way` is the address of a number that selects the hook's action. */
static heed_tensor *hook(heed_tensor *grad, void *way)
{
    switch (*(const int *)way) {
    case 0:
        return grad;
    case 1:
        return heed_mul_scalar(grad, 0.5);
    case 2:
        return heed_sum(grad);
    default:
        heed_fail(HEED_ERR_STATE, "hook", "it is not to go on");
        return NULL;
    }
}

static void add_hook(program *p)
{
    static int ways[] = {0, 1, 2, 3};
    heed_tensor *x = any_tensor(p);
    uint8_t byte = fuzz_byte(&p->in);
    int64_t id = heed_add_hook(x, byte == 255 ? NULL : hook, &ways[byte % 4]);
    if (fuzz_outcome(id > 0) && byte & 16)
        (void)fuzz_outcome(heed_remove_hook(x, id + (byte >> 7)) == HEED_OK);
}

static void switch_recording(program *p)
{
    bool wanted = fuzz_byte(&p->in) % 4 != 0;
    (void)heed_set_grad_enabled(wanted);
    FUZZ_CHECK(heed_grad_enabled() == wanted);
}

/* -- Writing in place ------------------------------------------------------------------------------------------- */

static void set_element(program *p)
{
    heed_tensor *x = any_tensor(p);
    heed_shape index = any_axes(&p->in);
    double value = fuzz_double(&p->in);
    if (fuzz_outcome(heed_set_(x, index, value) == HEED_OK)) {
        double got = heed_get(x, index);
        heed_dtype dtype = heed_dtype_of(x);
        FUZZ_CHECK(dtype != HEED_F64 || fuzz_same(got, value));
        FUZZ_CHECK(dtype != HEED_BOOL || got == (value != 0));
    }
}

static void fill(program *p)
{
    heed_tensor *x = any_tensor(p);
    (void)fuzz_outcome(heed_fill_(x, fuzz_double(&p->in)) == HEED_OK);
}

static void copy(program *p)
{
    heed_tensor *to = any_tensor(p), *from = any_tensor(p);
    (void)fuzz_outcome(heed_copy_(to, from) == HEED_OK);
}

/* Writes every element through a pointer. */
static void write_all(program *p)
{
    heed_tensor *x = any_tensor(p);
    float *f32 = heed_mutable_f32(x);
    for (int64_t i = 0; f32 && i < heed_numel(x); i++)
        f32[i] = 0.5F;
    heed_error_clear();
    double *f64 = heed_mutable_f64(x);
    for (int64_t i = 0; f64 && i < heed_numel(x); i++)
        f64[i] = 0.5;
    heed_error_clear();
    int64_t *i64 = heed_mutable_i64(x);
    for (int64_t i = 0; i64 && i < heed_numel(x); i++)
        i64[i] = 1;
    heed_error_clear();
    FUZZ_CHECK(!x || (f32 != NULL) + (f64 != NULL) + (i64 != NULL) <= 1);
}

/* -- Looking ---------------------------------------------------------------------------------------------------- */

static void look(program *p)
{
    heed_tensor *x = any_tensor(p), *y = any_tensor(p);
    uint8_t axis = fuzz_byte(&p->in);
    if (!x)
        return;
    heed_shape shape = heed_shape_of(x);
    int64_t n = heed_numel(x);
    FUZZ_CHECK(n == heed_shape_numel(shape) && heed_rank(x) == shape.rank);
    if (shape.rank > 0)
        FUZZ_CHECK(heed_dim(x, axis % shape.rank) == shape.dims[axis % shape.rank]);
    FUZZ_CHECK(heed_shares_storage(x, x) && (!y || heed_shares_storage(x, y) == heed_shares_storage(y, x)));
    double item = heed_item(x);
    FUZZ_CHECK((heed_error_code() == HEED_OK) == (n == 1));
    heed_error_clear();
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] -= 1; /* the last element */
    double last = heed_get(x, shape);
    FUZZ_CHECK((heed_error_code() == HEED_OK) == (n > 0));
    FUZZ_CHECK(n != 1 || fuzz_same(item, last));
    heed_error_clear();
}

static void format(program *p)
{
    char text[2000];
    heed_tensor *x = any_tensor(p);
    size_t room = fuzz_byte(&p->in) * 8u;
    text[room < sizeof text ? room : 0] = '#';
    size_t length = heed_format(x, text, room < sizeof text ? room : 0);
    FUZZ_CHECK(text[room < sizeof text ? room : 0] == '#' && length > 0);
    heed_error_clear();
}

/* NULL and freed arguments. */
static void misuse(program *p)
{
    heed_tensor *x = any_tensor(p);
    switch (fuzz_byte(&p->in) % 4) {
    case 0:
        FUZZ_CHECK(!fuzz_outcome(heed_scope_end(NULL) == HEED_OK));
        break;
    case 1:
        FUZZ_CHECK(heed_data_f64(NULL) == NULL && !fuzz_outcome(false));
        break;
    case 2:
        FUZZ_CHECK(isnan(heed_item(NULL)) && !fuzz_outcome(false));
        break;
    default:
        (void)fuzz_outcome(heed_remove_hook(x, fuzz_int(&p->in)) == HEED_OK);
    }
}

void run_action(program *p)
{
    static void (*const actions[])(program *) = {
        mark,          mark,          walk_back, walk_back,        ask_gradients, ask_gradients,
        take_gradient, give_gradient, add_hook,  switch_recording, set_element,   fill,
        copy,          write_all,     look,      format,           misuse,
    };
    uint8_t byte = fuzz_byte(&p->in);
    actions[byte % (sizeof actions / sizeof actions[0])](p);
}
