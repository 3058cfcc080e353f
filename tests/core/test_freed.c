/* tests/core/test_freed.c - tests that using a freed object is an error in every build until its memory is reused.
 * Under AddressSanitizer freed blocks go back to the system at once, and the sanitizer reports such a use itself.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from.h"

#define HINT " (HEED_DEBUG=1 reports where)"
#define GONE " was freed: its scope has ended, or its last owner has released it" HINT

static heed_tensor *freed_tensor(void)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(2, 3));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    return t;
}

/* Returns a freed tensor with a live view; its block stays allocated in every build. */
static heed_tensor *freed_with_elements(heed_tensor **view)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(2, 3));
    *view = heed_scope_return(scope, heed_detach(t));
    return t;
}

/* Checks that the pending error has this code and text; clears it. */
static void check_error(heed_status code, const char *text)
{
    ck_assert_str_eq(heed_error_message(), text);
    ck_assert_int_eq(heed_error_code(), code);
    heed_error_clear();
}

static void check_uses(heed_tensor *t)
{
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3));
    ck_assert_ptr_null(heed_tanh(t));
    check_error(HEED_ERR_STATE, "tanh: argument 1" GONE);
    ck_assert_ptr_null(heed_add(x, t));
    check_error(HEED_ERR_STATE, "add: argument 2" GONE);
    ck_assert_ptr_null(heed_reshape(t, HEED_SHAPE(6)));
    check_error(HEED_ERR_STATE, "reshape: the tensor" GONE);
    ck_assert_int_eq(heed_rank(t), 0);
    check_error(HEED_ERR_STATE, "rank: the tensor" GONE);
    ck_assert_ptr_null(heed_data_f32(t));
    check_error(HEED_ERR_STATE, "data_f32: the tensor" GONE);
    ck_assert_int_eq(heed_fill_(t, 1.0), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "fill_: the tensor" GONE);
    ck_assert_int_eq(heed_copy_(x, t), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "copy_: the tensor" GONE);
    ck_assert_int_eq(heed_backward(t), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "backward: the tensor" GONE);
    ck_assert_int_eq(heed_set_grad(heed_set_requires_grad(x, true), t), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "set_grad: the tensor" GONE);
    ck_assert_int_eq(heed_print(t, stdout), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "print: the tensor" GONE);
    char text[64];
    ck_assert_uint_eq(heed_format(t, text, sizeof text), strlen("heed_tensor(freed)"));
    ck_assert_str_eq(text, "heed_tensor(freed)");
    check_error(HEED_ERR_STATE, "format: the tensor" GONE);
    heed_dict *dict = heed_dict_new();
    ck_assert_int_eq(heed_dict_set(dict, "w", t), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "dict_set: the tensor for \"w\"" GONE);
    ck_assert_int_eq(heed_dict_size(dict), 0);
    heed_dict_free(dict);
    heed_module *m = heed_module_new("mine", sizeof *m);
    ck_assert_ptr_null(heed_module_parameter(m, "w", t));
    heed_error_clear();
    ck_assert_ptr_null(heed_module_buffer(m, "w", t));
    check_error(HEED_ERR_STATE, "module_buffer: retain: the tensor" GONE);
    ck_assert_int_eq(heed_module_parameter_count(m), 0);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}

START_TEST(a_tensor_whose_elements_live_on)
{
    heed_tensor *view, *t = freed_with_elements(&view);
    check_uses(t);
    ck_assert_ptr_null(heed_retain(t));
    check_error(HEED_ERR_STATE, "retain: the tensor" GONE);
    heed_release(t);
    check_error(HEED_ERR_STATE, "release: the tensor" GONE);
    ck_assert_double_eq(heed_item(heed_sum(view)), 6.0);
}
END_TEST

START_TEST(a_scope_can_still_be_ended)
{
    heed_tensor *view, *t = freed_with_elements(&view);
    heed_scope *scope = heed_scope_begin();
    ck_assert_ptr_null(heed_scope_return(scope, t));
    check_error(HEED_ERR_STATE, "scope_return: the tensor" GONE);
    ck_assert_int_eq(heed_scope_end(scope), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "not open");
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__)

START_TEST(a_tensor_whose_scope_has_ended)
{
    heed_tensor *t = freed_tensor();
    ck_assert_ptr_null(heed_tanh(t));
    check_error(HEED_ERR_STATE, "tanh: argument 1" GONE);
    ck_assert(isnan(heed_item(t)));
    check_error(HEED_ERR_STATE, "item: the tensor" GONE);
    ck_assert_ptr_null(heed_retain(t));
    check_error(HEED_ERR_STATE, "retain: the tensor" GONE);
}
END_TEST

START_TEST(a_second_release_changes_nothing)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(2, 3)), *kept;
    heed_scope *scope = heed_scope_begin();
    kept = heed_retain(heed_add(t, t));
    heed_scope_end(scope);
    heed_release(kept);
    heed_release(kept);
    check_error(HEED_ERR_STATE, "release: the tensor" GONE);
    heed_release(kept);
    heed_error_clear();
    heed_tensor *next = heed_add(t, t), *other = heed_add(t, t); /* both have their own block */
    ck_assert_ptr_ne(next, other);
    ck_assert_double_eq(heed_item(heed_sum(next)) + heed_item(heed_sum(other)), 24.0);
}
END_TEST

START_TEST(a_borrowed_tensor_released)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(1000)); /* no other block has this size */
    heed_release(t);
    ck_assert_int_eq(heed_scope_end(scope), HEED_ERR_STATE); /* the scope has ended nevertheless */
    check_error(HEED_ERR_STATE,
                "scope_end: a tensor borrowed from the scope (heed_release without heed_retain?) was freed" HINT);
}
END_TEST

START_TEST(a_module)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2, 3));
    ck_assert_ptr_null(heed_nn_linear_forward(net, x));
    check_error(HEED_ERR_STATE, "nn_linear_forward: the module was freed" HINT);
    ck_assert_ptr_null(heed_module_forward(&net->base, x));
    check_error(HEED_ERR_STATE, "module_forward: the module was freed" HINT);
    ck_assert_ptr_null(heed_module_find(&net->base, "weight"));
    check_error(HEED_ERR_STATE, "module_find: the module was freed" HINT);
    ck_assert_ptr_null(heed_module_parameter(&net->base, "w", x));
    check_error(HEED_ERR_STATE, "module_parameter: the module was freed" HINT);
    ck_assert_int_eq(heed_module_train(&net->base), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "module_train: the module was freed" HINT);
    ck_assert_ptr_null(heed_module_state(&net->base));
    check_error(HEED_ERR_STATE, "module_state: the module was freed" HINT);
    ck_assert_ptr_null(heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1}));
    check_error(HEED_ERR_STATE, "optim_sgd: module_parameter_count: the module was freed" HINT);
    ck_assert_int_eq(heed_module_free(&net->base), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "module_free: the module was freed" HINT);
}
END_TEST

START_TEST(nested_modules)
{
    heed_nn_linear *inner = heed_nn_linear_new(3, 4, NULL);
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(inner));
    ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
    ck_assert_ptr_null(heed_nn_linear_forward(inner, heed_ones(HEED_F64, HEED_SHAPE(2, 3))));
    check_error(HEED_ERR_STATE, "nn_linear_forward: the module was freed" HINT);
    ck_assert_int_eq(heed_module_free(&inner->base), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "module_free: the module was freed" HINT);
}
END_TEST

START_TEST(an_optimizer_and_its_schedule)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_optimizer *o = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    heed_schedule *s = heed_schedule_new_step(o, 2, 0.5);
    ck_assert_int_eq(heed_schedule_free(s), HEED_OK);
    ck_assert_int_eq(heed_schedule_step(s), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "schedule_step: the schedule was freed" HINT);
    ck_assert_int_eq(heed_schedule_free(s), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "schedule_free: the schedule was freed" HINT);
    heed_optimizer_free(o);
    ck_assert_int_eq(heed_optimizer_step(o), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "optimizer_step: the optimizer was freed" HINT);
    ck_assert(isnan(heed_optimizer_lr(o, 0)));
    check_error(HEED_ERR_STATE, "optimizer_lr: the optimizer was freed" HINT);
    ck_assert_ptr_null(heed_schedule_new_step(o, 2, 0.5));
    check_error(HEED_ERR_STATE, "schedule_new_step: the optimizer was freed" HINT);
    heed_optimizer_free(o);
    check_error(HEED_ERR_STATE, "optimizer_free: the optimizer was freed" HINT);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(data)
{
    heed_dataset *d = heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(5, 2))));
    heed_loader *loader = heed_loader_new(d, &(heed_loader_options){.batch_size = 2});
    heed_tensor *batch[1];
    heed_dataset_free(d);
    ck_assert_int_eq(heed_loader_next(loader, batch), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "loader_next: dataset_tensors: the dataset was freed" HINT);
    ck_assert_int_eq(heed_dataset_take(d, NULL, batch), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "dataset_take: the dataset was freed" HINT);
    heed_dataset_free(d);
    check_error(HEED_ERR_STATE, "dataset_free: the dataset was freed" HINT);
    heed_loader_free(loader);
    ck_assert_int_eq(heed_loader_next(loader, batch), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "loader_next: the loader was freed" HINT);
    heed_loader_free(loader);
    check_error(HEED_ERR_STATE, "loader_free: the loader was freed" HINT);
}
END_TEST

START_TEST(the_others)
{
    heed_dict *dict = heed_dict_new();
    heed_dict_free(dict);
    ck_assert_ptr_null(heed_dict_get(dict, "w"));
    check_error(HEED_ERR_STATE, "dict_get: the dict was freed" HINT);
    ck_assert_int_eq(heed_dict_load(dict, dict, NULL), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "dict_load: the dict was freed" HINT);
    heed_dict_free(dict);
    check_error(HEED_ERR_STATE, "dict_free: the dict was freed" HINT);
    heed_generator *g = heed_generator_new(1);
    heed_generator_free(g);
    ck_assert_ptr_null(FROM(g, heed_rand(HEED_F32, HEED_SHAPE(2))));
    check_error(HEED_ERR_STATE, "generator_use: the generator was freed" HINT);
    heed_generator_free(g);
    check_error(HEED_ERR_STATE, "generator_free: the generator was freed" HINT);
    FILE *file = tmpfile();
    heed_progress *p = heed_progress_new(file, &(heed_progress_options){.epochs = 3, .steps = 4});
    heed_progress_free(p);
    ck_assert_int_eq(heed_progress_step(p, 0.0, 0), HEED_ERR_STATE);
    check_error(HEED_ERR_STATE, "progress_step: the progress was freed" HINT);
    heed_progress_free(p);
    check_error(HEED_ERR_STATE, "progress_free: the progress was freed" HINT);
    (void)fclose(file);
}
END_TEST

HEED_TEST_MAIN("freed", a_tensor_whose_elements_live_on, a_scope_can_still_be_ended, a_tensor_whose_scope_has_ended,
               a_second_release_changes_nothing, a_borrowed_tensor_released, a_module, nested_modules,
               an_optimizer_and_its_schedule, data, the_others)

#else

HEED_TEST_MAIN("freed", a_tensor_whose_elements_live_on, a_scope_can_still_be_ended)

#endif
