/* tests/promises/misuse/test_misuse_every_module.c - every function of heed/module.h, and the general ones of
 * heed/nn.h, with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"

static heed_status stop_at_times(const heed_module_visit *visit, void *user)
{
    (void)visit;
    (void)user;
    return one_in(4) ? (heed_status)any_enum(HEED_ERR_FORMAT + 1) : HEED_OK;
}

/* Parents, children and the module itself, sometimes NULL; the function that takes a child frees it. */
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

/* One parameter has an axis, the other two. */
static const char *any_parameter(void)
{
    return one_in(4) ? any_text() : any_flag() ? "kept" : "matrix";
}

static void parametrizations(heed_module *m)
{
    POINTER(heed_module_parameter(m, "matrix", heed_ones(HEED_F32, HEED_SHAPE(2, 3))));
    for (int i = 0; i < 4; i++) {
        const heed_nn_weight_norm_options norm = {.dim = one_in(3) ? any_int() : any_int() % 4};
        const heed_nn_spectral_norm_options spectral = {.dim = one_in(3) ? any_int() : any_int() % 4,
                                                        .n_power_iterations = one_in(3) ? any_int() : any_int() % 4,
                                                        .eps = any_real()};
        STATUS(heed_nn_weight_norm(m, any_parameter(), any_flag() ? &norm : NULL));
        STATUS(heed_nn_spectral_norm(m, any_parameter(), any_flag() ? &spectral : NULL));
        heed_tensor *t = m ? heed_module_find(m, any_parameter()) : NULL;
        heed_error_clear();
        POINTER(heed_mul(t, t));
        STATUS(heed_nn_remove_parametrization(m, any_parameter()));
    }
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
    parametrizations(some);
    give_a_child(m, some);
    POINTER(heed_module_forward(some, any_tensor()));
    const heed_entry entry = heed_enter(NULL, some);
    ck_assert_ptr_null(entry.outer);
    heed_leave(NULL);
    heed_leave(&entry);
    heed_status status = heed_module_walk(some, one_in(4) ? NULL : stop_at_times, any_flag() ? m : NULL);
    ck_assert(heed_error_code() == HEED_OK || heed_error_code() == status);
    judge_error("module_walk");
    POINTER(heed_module_find(some, any_text()));
    VALUE(heed_module_parameter_count(some));
    VALUE(heed_module_parameter_numel(some));
    STATUS(heed_module_train(some));
    STATUS(heed_module_eval(some));
    STATUS(heed_module_zero_grad(some));
    VALUE(heed_module_set_requires_grad(some, one_in(4) ? NULL : any_text(), any_flag()));
    VALUE(heed_module_walk_matching(some, one_in(4) ? NULL : any_text(), one_in(4) ? NULL : stop_at_times,
                                    any_flag() ? m : NULL));
    STATUS(heed_module_copy_state(some, one_in(4) ? NULL : m));
    STATUS(heed_module_free(NULL));
    STATUS(heed_module_free(sized));
    STATUS(heed_module_free(m));
}

static void initial_values(void)
{
    STATUS(heed_nn_init_uniform_(any_tensor(), any_real(), any_real()));
    STATUS(heed_nn_init_normal_(any_tensor(), any_real(), any_real()));
    STATUS(heed_nn_init_xavier_uniform_(any_tensor()));
    STATUS(heed_nn_init_kaiming_uniform_(any_tensor()));
}

static void others(void)
{
    ck_assert_msg((heed_activation_named(any_text()) != NULL) == (heed_error_code() == HEED_OK), "activation_named");
    judge_error("activation_named");
    POINTER(heed_nn_leave_one_out(any_tensor()));
    VALUE(heed_nn_silverman_width(any_tensor()));
    heed_nn_sequential *net = heed_nn_sequential_new(NULL, 0);
    void *added = one_in(3) ? NULL : one_in(3) ? (void *)net : heed_nn_function_new("relu", heed_relu);
    bool itself = added == net;
    STATUS(heed_nn_sequential_add(one_in(3) && !itself ? NULL : net, added));
    ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
}

ROUNDS_OF(modules)
ROUNDS_OF(initial_values)
ROUNDS_OF(others)

MISUSE_MAIN("every module misused", rounds_of_modules, rounds_of_initial_values, rounds_of_others)
