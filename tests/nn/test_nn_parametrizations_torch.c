/* tests/nn/test_nn_parametrizations_torch.c - PyTorch's numbers of trained layers with weight norm and spectral norm,
 * PyTorch's names in the state, and derivatives of both orders.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "nn/parametrized.h"
#include "reference/parametrizations_reference.h"

#define COUNT_OF(list) ((int)(sizeof(list) / sizeof *(list)))

/* -- PyTorch's numbers --------------------------------------------------------------------------------------------- */

static heed_status parametrize(heed_module *m, const struct parametrization_case *c)
{
    if (!c->spectral)
        return heed_nn_weight_norm(m, c->parameter, &(heed_nn_weight_norm_options){.dim = c->dim});
    const heed_nn_spectral_norm_options o = {.dim = c->dim, .n_power_iterations = c->n_power_iterations, .eps = c->eps};
    const heed_status status = heed_nn_spectral_norm(m, c->parameter, &o);
    return status == HEED_OK ? heed_module_walk(m, set_vector, NULL) : status;
}

static heed_module *new_case(const struct parametrization_case *c)
{
    heed_module *m = new_layer(c->layer);
    ck_assert_msg(parametrize(m, c) == HEED_OK, "%s %s: %s", c->layer, c->parameter, heed_error_message());
    return m;
}

/* Compares a tensor with the next numbers and returns the rest of them. */
static const double *check_numbers(const struct parametrization_case *c, const char *what, heed_tensor *t,
                                   const double *numbers)
{
    const double *x = heed_data_f64(heed_contiguous(heed_detach(t)));
    ck_assert_ptr_nonnull(x);
    for (int64_t i = 0; i < heed_numel(t); i++)
        ck_assert_msg(fabs(x[i] - numbers[i]) <= 1e-9 * (1 + fabs(numbers[i])),
                      "case %d, %s of %s, %s[%d]: %.17g, PyTorch %.17g", (int)(c - parametrization_cases), c->parameter,
                      c->layer, what, (int)i, x[i], numbers[i]);
    return numbers + heed_numel(t);
}

static void for_every_case(void (*check)(const struct parametrization_case *c))
{
    for (int i = 0; i < COUNT_OF(parametrization_cases); i++) {
        heed_scope *scope = heed_scope_begin();
        check(&parametrization_cases[i]);
        heed_scope_end(scope);
    }
}

static void step(heed_optimizer *optimizer, heed_tensor *y)
{
    ck_assert_int_eq(heed_optimizer_zero_grad(optimizer), HEED_OK);
    ck_assert_int_eq(heed_backward(loss_of(y)), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(optimizer), HEED_OK);
}

static int count_names(const struct parametrization_case *c)
{
    int n = 0;
    while (c->names[n])
        n++;
    return n;
}

static void train_case(const struct parametrization_case *c)
{
    heed_module *m = new_case(c);
    heed_optimizer *optimizer = new_optimizer(m, c->adam);
    heed_tensor *x = new_input(c->layer);
    const double *numbers = c->numbers;
    for (int i = 0; i < PARAMETRIZATION_STEPS; i++) {
        heed_tensor *y = forward(m, x);
        ck_assert_msg(y != NULL, "%s", heed_error_message());
        if (i == 0)
            numbers = check_numbers(c, "y", y, numbers);
        step(optimizer, y);
    }
    heed_module_eval(m);
    numbers = check_numbers(c, "y in evaluation", forward(m, x), numbers);
    heed_dict *state = heed_module_state(m);
    ck_assert_int_eq(heed_dict_size(state), count_names(c));
    for (int i = 0; i < count_names(c); i++)
        numbers = check_numbers(c, c->names[i], heed_dict_get(state, c->names[i]), numbers);
    heed_dict_free(state);
    heed_optimizer_free(optimizer);
    heed_module_free(m);
}

START_TEST(trains_like_pytorch)
{
    for_every_case(train_case);
}
END_TEST

/* A state with PyTorch's names and numbers gives PyTorch's output. */
static void load_case(const struct parametrization_case *c)
{
    heed_module *m = new_case(c), *plain = new_layer(c->layer);
    heed_tensor *x = new_input(c->layer), *y = forward(m, x);
    heed_dict *own = heed_module_state(m), *state = heed_dict_new();
    const double *trained = c->numbers + heed_numel(y), *numbers = trained + heed_numel(y);
    for (int i = 0; i < count_names(c); i++) {
        const heed_shape shape = heed_shape_of(heed_dict_get(own, c->names[i]));
        heed_dict_set(state, c->names[i], heed_from_array(HEED_F64, shape, numbers, heed_shape_numel(shape)));
        numbers += heed_shape_numel(shape);
    }
    ck_assert_int_eq(heed_module_load_state(m, state, NULL), HEED_OK);
    ck_assert_int_ne(heed_module_load_state(plain, state, NULL), HEED_OK);
    heed_error_clear();
    heed_module_eval(m);
    check_numbers(c, "y", forward(m, x), trained);
    heed_dict_free(own);
    heed_dict_free(state);
    heed_module_free(plain);
    heed_module_free(m);
}

START_TEST(loads_pytorchs_state)
{
    for_every_case(load_case);
}
END_TEST

/* -- Derivatives --------------------------------------------------------------------------------------------------- */

typedef struct derivation {
    heed_module *m;
    heed_tensor *x, *originals[2];
    int n;
} derivation;

static heed_tensor *itself(void *t)
{
    return t;
}

/* The originals are computed tensors for a while, whose values are the inputs. */
static heed_tensor *forward_from(heed_tensor *const *in, void *user)
{
    const derivation *d = user;
    for (int i = 0; i < d->n; i++)
        heed_set_compute(d->originals[i], itself, in[i]);
    heed_tensor *y = forward(d->m, d->x);
    for (int i = 0; i < d->n; i++) {
        heed_set_compute(d->originals[i], NULL, NULL);
        heed_set_requires_grad(d->originals[i], true);
    }
    return y;
}

static heed_status find_original(const heed_module_visit *visit, void *user)
{
    derivation *d = user;
    if (strcmp(visit->owner->type, "parametrization") == 0)
        d->originals[d->n++] = visit->tensor;
    return HEED_OK;
}

static void derive_case(const struct parametrization_case *c)
{
    derivation d = {.m = new_case(c), .x = new_input(c->layer)};
    for (int i = 0; i < 20; i++) /* power iterations, because sigma of the first vectors may be near 0 */
        forward(d.m, d.x);
    heed_module_eval(d.m);
    heed_module_walk(d.m, find_original, &d);
    ck_assert_int_eq(d.n, c->spectral ? 1 : 2);
    heed_tensor *in[2];
    for (int i = 0; i < d.n; i++)
        in[i] = heed_set_requires_grad(heed_clone(heed_detach(d.originals[i])), true);
    heed_gradcheck_result r;
    ck_assert_msg(heed_gradcheck(forward_from, &d, in, d.n, NULL, &r) == HEED_OK, "%s", heed_error_message());
    ck_assert_msg(heed_gradgradcheck(forward_from, &d, in, d.n, NULL, &r) == HEED_OK, "%s", heed_error_message());
    heed_module_free(d.m);
}

START_TEST(has_derivatives_of_both_orders)
{
    for_every_case(derive_case);
}
END_TEST

HEED_TEST_MAIN("parametrizations and PyTorch", trains_like_pytorch, loads_pytorchs_state,
               has_derivatives_of_both_orders)
