/* tests/nn/test_nn_cases.c - tests every layer by its cases (tests/nn): derivatives by inputs and parameters, saved and
 * loaded state, the layer as a function of one tensor, errors. There is one test per layer.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "driver.h"
#include "parameter_fields.h"

#define MOST_ELEMENTS 300 /* in inputs and parameters, for slow tests */
#define MAX_LEAVES 64

static void fail_case(const layer_run *run)
{
    ck_abort_msg("%s, %s: %s", run->layer->name, run->c->name, heed_error_message());
}

static void make_case(layer_run *run)
{
    layer_draw_inputs(run);
    if (!layer_make(run))
        fail_case(run);
}

static heed_tensor *forward(layer_run *run)
{
    heed_tensor *y = layer_forward(run);
    if (!y)
        fail_case(run);
    return y;
}

static bool same(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *x = heed_contiguous(heed_detach(a)), *y = heed_contiguous(heed_detach(b));
    return x && y && heed_shape_equal(heed_shape_of(x), heed_shape_of(y)) && heed_dtype_of(x) == heed_dtype_of(y) &&
           memcmp(heed_data_bytes(x), heed_data_bytes(y), (size_t)heed_numel(x) * heed_dtype_size(heed_dtype_of(x))) ==
               0;
}

/* -- Derivatives --------------------------------------------------------------------------------------------------- */

/* A layer whose parameters and inputs a gradient check replaces. */
typedef struct checked_layer {
    layer_run run;
    heed_tensor *leaves[MAX_LEAVES];
    heed_tensor **fields[MAX_LEAVES]; /* the fields of the layer, or of the run, that hold them */
    int n;
    bool in_graph[LAYER_MAX_OUTPUTS]; /* which outputs have a graph */
} checked_layer;

static void add_leaf(checked_layer *l, heed_tensor **field)
{
    ck_assert_int_lt(l->n, MAX_LEAVES);
    l->leaves[l->n] = *field;
    l->fields[l->n++] = field;
}

/* Replaces a parameter in a field of the owning module. It is changed a little, since many parameters start as zeros
 * and ones. */
static heed_status add_parameter(const heed_module_visit *visit, void *user)
{
    if (!heed_dtype_is_float(heed_dtype_of(visit->tensor)))
        return HEED_OK; /* a count is not differentiable */
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *noise = heed_mul_scalar(heed_randn(HEED_F64, heed_shape_of(visit->tensor)), 0.1);
    ck_assert_int_eq(heed_copy_(visit->tensor, heed_add(visit->tensor, noise)), HEED_OK);
    heed_scope_end(scope);
    heed_tensor **field = parameter_field(visit);
    ck_assert_msg(field || visit->is_buffer, "%s is in no field", visit->name);
    if (field)
        add_leaf(user, field);
    return HEED_OK;
}

static heed_tensor *run_replaced(heed_tensor *const *in, void *user)
{
    checked_layer *l = user;
    for (int i = 0; i < l->n; i++)
        *l->fields[i] = in[i];
    heed_tensor *y = layer_forward(&l->run), *parts[LAYER_MAX_OUTPUTS];
    int n = 0;
    for (int i = 0; y && i < l->run.n_out; i++)
        if (l->in_graph[i])
            parts[n++] = heed_reshape(l->run.out[i], HEED_SHAPE(-1));
    for (int i = 0; i < l->n; i++)
        *l->fields[i] = l->leaves[i];
    return y ? heed_concat(parts, n, 0) : NULL;
}

/* As in ops/driver_checks.c. */
#ifdef HEED_SANITIZED
#define ALWAYS_PROJECT_SECOND true
#else
#define ALWAYS_PROJECT_SECOND false
#endif

static void check_derivatives(const layer_call *layer, const layer_case *c)
{
    checked_layer l = {.run = {.layer = layer, .c = c, .dtype = HEED_F64}};
    make_case(&l.run);
    for (int i = 0; i < LAYER_MAX_INPUTS && l.run.in[i]; i++)
        add_leaf(&l, &l.run.in[i]);
    ck_assert_int_eq(heed_module_walk(l.run.net, add_parameter, &l), HEED_OK);
    (void)forward(&l.run);
    for (int i = 0; i < l.run.n_out; i++)
        l.in_graph[i] = heed_requires_grad(l.run.out[i]);
    heed_gradcheck_options o = {.seed = 3}, second = {.seed = 3, .random_projection = ALWAYS_PROJECT_SECOND};
    heed_gradcheck_result result;
    bool ok = c->max_order < 0 || layer_numel(&l.run) > MOST_ELEMENTS ||
              (heed_gradcheck(run_replaced, &l, l.leaves, l.n, &o, &result) == HEED_OK &&
               (c->max_order == 1 || heed_gradgradcheck(run_replaced, &l, l.leaves, l.n, &second, &result) == HEED_OK));
    if (!ok)
        fail_case(&l.run);
    heed_module_free(l.run.net);
}

/* -- State, and the layer as a function of one tensor -------------------------------------------------------------- */

/* A second layer with this one's state gives the same bits. */
static void check_state(layer_run *run)
{
    layer_run other = *run;
    heed_tensor *y = forward(run);
    ck_assert(layer_make(&other));
    heed_dict *state = heed_module_state(run->net), *to = heed_module_state(other.net);
    heed_scope *scope = heed_no_grad_begin();
    for (int64_t i = 0; i < heed_dict_size(to); i++)
        ck_assert_int_eq(
            heed_fill_(heed_dict_at(to, i), heed_dtype_is_float(heed_dtype_of(heed_dict_at(to, i))) ? 0.125 : 8),
            HEED_OK);
    heed_scope_end(scope);
    ck_assert_int_eq(heed_module_load_state(other.net, state, NULL), HEED_OK);
    ck_assert_msg(same(forward(&other), y), "%s, %s: the state is not all there is", run->layer->name, run->c->name);
    heed_dict_free(state);
    heed_dict_free(to);
    heed_module_free(other.net);
}

static void check_one_tensor(layer_run *run)
{
    if (!run->net->forward || run->in[1])
        return;
    heed_manual_seed(2);
    heed_tensor *y = heed_module_forward(run->net, run->in[0]);
    ck_assert_msg(y && same(y, forward(run)), "%s, %s: module_forward differs", run->layer->name, run->c->name);
}

START_TEST(values)
{
    int count;
    const layer_call *layer = &layer_list(&count)[_i];
    ck_assert_msg(layer->cases->cases[0].name != NULL, "%s has no cases", layer->name);
    for (const layer_case *c = layer->cases->cases; c->name; c++) {
        check_derivatives(layer, c);
        for (heed_dtype dtype = HEED_F32; dtype <= HEED_F64; dtype++) {
            layer_run run = {.layer = layer, .c = c, .dtype = dtype};
            make_case(&run);
            check_state(&run);
            check_one_tensor(&run);
            heed_module_free(run.net);
        }
    }
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

START_TEST(errors)
{
    int count;
    const layer_call *layer = &layer_list(&count)[_i];
    char text[128];
    for (const layer_case *c = layer->cases->errors; c->name; c++) {
        layer_run run = {.layer = layer, .c = c, .dtype = HEED_F32};
        layer_draw_inputs(&run);
        ck_assert_msg(!layer_make(&run) || !layer_forward(&run), "%s, %s: succeeds", layer->name, c->name);
        ck_assert_error(c->status, c->text);
        heed_module_free(run.net);
    }
    layer_run none = {.layer = layer, .c = layer->cases->cases, .dtype = HEED_F32};
    layer_draw_inputs(&none);
    ck_assert_ptr_null(layer_forward(&none));
    (void)snprintf(text, sizeof text, "nn_%s_forward: the module is NULL", layer->name);
    ck_assert_error(HEED_ERR_ARGUMENT, text);
}
END_TEST

/* A name that belongs to no parameter or option would be silently ignored. */
static void check_name(const layer_call *layer, const layer_case *c, const char *name)
{
    const char *const *known = layer->names;
    while (name && *known && strcmp(*known, name) != 0)
        known++;
    ck_assert_msg(!name || *known, "%s, %s: heed_nn_%s has no \"%s\"", layer->name, c->name, layer->name, name);
}

static void check_names(const layer_call *layer, const layer_case *list)
{
    for (const layer_case *c = list; c->name; c++) {
        for (int i = 0; i < LAYER_MAX_ARGUMENTS; i++)
            check_name(layer, c, c->args[i].name);
        for (int i = 0; i < LAYER_MAX_INPUTS; i++)
            check_name(layer, c, c->in[i].name);
        check_name(layer, c, c->requested);
    }
}

START_TEST(names)
{
    int count;
    const layer_call *layer = &layer_list(&count)[_i];
    check_names(layer, layer->cases->cases);
    check_names(layer, layer->cases->errors);
}
END_TEST

int main(void)
{
    int count;
    (void)layer_list(&count);
    TCase *tcase = heed_test_case("layers");
    tcase_add_loop_test(tcase, names, 0, count);
    tcase_add_loop_test(tcase, values, 0, count);
    tcase_add_loop_test(tcase, errors, 0, count);
    return heed_run_case("nn_cases", tcase);
}
