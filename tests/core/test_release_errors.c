/* tests/core/test_release_errors.c - tests of errors in functions that free memory, by the rule of heed/scope.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "core/dlpack_abi.h"

static float memory[4] = {1, 2, 3, 4};
static int64_t lengths[1] = {4};
static int released;

static void leave_error(void *user)
{
    (void)user;
    released++;
    heed_fail(HEED_ERR_IO, "mine", "left behind");
}

static void delete_and_leave_error(struct DLManagedTensor *managed)
{
    leave_error(managed);
}

static heed_tensor *on_buffer(void)
{
    return heed_from_buffer(HEED_F32, HEED_SHAPE(4), memory, 4, leave_error, NULL);
}

static heed_tensor *on_dlpack(void)
{
    static struct DLManagedTensor managed;
    managed = (struct DLManagedTensor){
        .tensor = {.data = memory,
                   .device = HEED_DL_CPU,
                   .ndim = 1,
                   .code = HEED_DL_FLOAT,
                   .bits = 32,
                   .lanes = 1,
                   .shape = lengths},
        .deleter = delete_and_leave_error,
    };
    return heed_from_dlpack(&managed);
}

static heed_tensor *(*const makers[])(void) = {on_buffer, on_dlpack};

/* -- Calls that drop the last owner and report success or failure -------------------------------------------------- */

static bool end_scope(heed_tensor *(*make)(void))
{
    heed_scope *scope = heed_scope_begin();
    (void)make();
    return heed_scope_end(scope) == HEED_OK;
}

static bool return_from_scope(heed_tensor *(*make)(void))
{
    heed_scope *scope = heed_scope_begin();
    return heed_scope_return(scope, heed_square(make())) != NULL;
}

/* Returns a tensor with an owner, outside all scopes. */
static heed_tensor *own(heed_tensor *(*make)(void))
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *owned = heed_retain(make());
    (void)heed_scope_end(scope);
    return owned;
}

static bool release(heed_tensor *(*make)(void))
{
    heed_release(own(make));
    return true;
}

static bool replace_in_dict(heed_tensor *(*make)(void))
{
    heed_tensor *t = own(make);
    heed_dict *dict = heed_dict_new();
    (void)heed_dict_set(dict, "x", t);
    heed_release(t);
    const bool ok = heed_dict_set(dict, "x", heed_ones(HEED_F32, HEED_SHAPE(2))) == HEED_OK;
    heed_dict_free(dict);
    return ok;
}

static bool go_backward(heed_tensor *(*make)(void))
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(4)), true), *t = own(make);
    heed_tensor *loss = heed_sum(heed_mul(w, t)); /* the graph keeps t */
    heed_release(t);
    const bool ok = heed_backward(loss) == HEED_OK;
    (void)heed_set_grad(w, NULL);
    return ok;
}

static bool replace_gradient(heed_tensor *(*make)(void))
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(4)), true), *t = own(make);
    (void)heed_set_grad(w, t);
    heed_release(t);
    return heed_set_grad(w, NULL) == HEED_OK;
}

static bool (*const drops[])(heed_tensor *(*make)(void)) = {end_scope,       return_from_scope, release,
                                                            replace_in_dict, go_backward,       replace_gradient};

START_TEST(dropping_the_last_owner_does_not_fail)
{
    for (size_t m = 0; m < sizeof makers / sizeof *makers; m++)
        for (size_t i = 0; i < sizeof drops / sizeof *drops; i++) {
            released = 0;
            ck_assert_msg(drops[i](makers[m]), "call %zu, maker %zu: %s", i, m, heed_error_message());
            ck_assert_int_eq(released, 1);
            ck_assert_str_eq(heed_error_message(), "");
            ck_assert_int_eq(heed_error_code(), HEED_OK);
        }
}
END_TEST

START_TEST(an_error_from_before_stays)
{
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        heed_tensor *t = own(makers[i]);
        heed_fail(HEED_ERR_SHAPE, "before", "something else");
        heed_release(t);
        ck_assert_error(HEED_ERR_SHAPE, "before: something else");
    }
}
END_TEST

static char notice[512];

static void note(const char *message, void *user)
{
    (void)user;
    (void)snprintf(notice, sizeof notice, "%s", message);
}

START_TEST(debug_mode_gives_a_notice)
{
    heed_set_notice_handler(note, NULL);
    heed_set_debug(true);
    ck_assert(end_scope(on_buffer));
    heed_set_debug(false);
    heed_set_notice_handler(NULL, NULL);
    ck_assert_str_eq(notice, "the release function of a tensor's memory left an error, which is discarded: mine: left "
                             "behind (HEED_ERR_IO)");
}
END_TEST

/* -- Functions that free one named object -------------------------------------------------------------------------- */

static heed_status take(void *user, heed_tensor *numbers, heed_tensor **batch)
{
    (void)user;
    batch[0] = numbers;
    return HEED_OK;
}

static heed_scope *outer;

static void end_outer_scope(void *user)
{
    (void)user;
    released++;
    (void)heed_scope_end(outer);
}

START_TEST(the_source_of_a_dataset)
{
    heed_dataset_source source = {.tensors = 1, .samples = 3, .take = take, .free = leave_error};
    heed_dataset_free(heed_dataset_new_source(&source));
    ck_assert_error(HEED_ERR_IO, "mine: left behind");
    source.free = end_outer_scope;
    outer = heed_scope_begin();
    heed_dataset_free(heed_dataset_new_source(&source));
    ck_assert_error(HEED_ERR_STATE, "the free function of the dataset's source closes a scope");
    ck_assert_int_eq(heed_scope_end(outer), HEED_OK);
}
END_TEST

static bool free_transport(void *user)
{
    leave_error(user);
    return true;
}

START_TEST(a_transport)
{
    heed_comm_free(heed_comm_new(&(heed_transport){.size = 1, .free = free_transport}, NULL));
    ck_assert_error(HEED_ERR_IO, "mine: left behind");
}
END_TEST

HEED_TEST_MAIN("errors of releases", dropping_the_last_owner_does_not_fail, an_error_from_before_stays,
               debug_mode_gives_a_notice, the_source_of_a_dataset, a_transport)
