/* tests/promises/misuse/test_misuse_every_value.c - every function of heed/error.h, heed/memory.h, heed/parallel.h,
 * heed/random.h, heed/scope.h and heed/op.h with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"

static void on_message(heed_status status, const char *message, void *user)
{
    (void)status;
    (void)message;
    (void)user;
}

static void errors(void)
{
    VALUE(heed_status_name((heed_status)any_enum(HEED_ERR_FORMAT + 1)));
    heed_set_error_handler(any_flag() ? on_message : NULL, any_flag() ? &drawn_from : NULL);
    const char *where = any_text(), **site = heed_site();
    ck_assert_ptr_eq(site, heed_site());
    *site = NULL;
    heed_status status = (heed_status)any_enum(HEED_ERR_FORMAT + 1);
    ck_assert_int_eq(heed_fail(status, where, "%s", "text"), status);
    ck_assert(!heed_fail_false(status, where, "%s", "text"));
    ck_assert_ptr_null(heed_fail_null(status, where, "%s", "text"));
    ck_assert_int_eq(heed_error_code(), status);
    ck_assert(status == HEED_OK || strstr(heed_error_message(), ": text") != NULL);
    heed_error_clear();
}

/* Writes the message of an error in a function called `name` to `shown`. Returns the length of the name at its start,
 * where control characters are escaped. */
static size_t name_of_error(const char *name, char *shown)
{
    heed_fail(HEED_ERR_STATE, name, "text");
    strcpy(shown, heed_error_message());
    heed_error_clear();
    const char *text = strstr(shown, ": text");
    return text ? (size_t)(text - shown) : 0;
}

static void entering(void)
{
    const char *name = any_text();
    char shown[HEED_ERROR_MESSAGE_MAX];
    const size_t length = name_of_error(name ? name : "inner", shown);
    const heed_entry entry = heed_enter(name, NULL);
    ck_assert_int_eq(entry.named, name != NULL);
    heed_fail(HEED_ERR_STATE, "inner", "text");
    ck_assert(strncmp(heed_error_message(), shown, length) == 0);
    heed_leave(any_flag() ? &entry : NULL);
    heed_error_clear();
    heed_fail(HEED_ERR_STATE, "inner", "text");
    ck_assert_error(HEED_ERR_STATE, "inner: text");
}

static heed_status any_call(int64_t i, void *user)
{
    (void)user;
    heed_tensor *own = any_tensor(), *buffer = i < 2 ? any_tensor() : own;
    const int n = any_int(); /* the lists have one tensor */
    STATUS(heed_parallel_own_buffers(&buffer, &own, any_flag()));
    STATUS(heed_parallel_own_buffers(n > 1 || one_in(8) ? NULL : &buffer, n > 1 || one_in(8) ? NULL : &own, n));
    POINTER(heed_parallel_buffer(buffer));
    return one_in(8) ? (heed_status)any_int() : HEED_OK;
}

static void memory(void)
{
    size_t size = any_size();
    void *block = heed_alloc(size);
    heed_free(block, size);
    judge_error("alloc");
    size_t count = any_size();
    block = heed_calloc(count, size);
    heed_free(block, block ? count * size : size);
    judge_error("calloc");
    heed_free(NULL, any_size());
    (void)heed_memory_set_cache_limit(any_size());
    (void)heed_memory_set_cache_limit(0);
    heed_memory_reset_peak();
    heed_allocator half = {any_flag() ? modest_alloc : NULL, NULL, NULL};
    STATUS(heed_set_allocator(any_flag() ? &half : NULL));
    STATUS(heed_set_num_threads(any_int()));
    VALUE(heed_num_threads());
    heed_set_num_threads(1); /* the random choices are the thread's */
    STATUS(heed_parallel_for(any_flag() ? 3 : any_count(), one_in(8) ? NULL : any_call, NULL));
    heed_tensor *t = any_tensor();
    STATUS(heed_parallel_own_buffers(&t, &t, any_flag()));
    POINTER(heed_parallel_buffer(t));
    VALUE(heed_version());
    STATUS(heed_set_matmul_precision((heed_precision)any_int()));
    VALUE(heed_matmul_precision());
}

static void drawing(void)
{
    POINTER(heed_rand(any_dtype(), any_shape()));
    POINTER(heed_randn(any_dtype(), any_shape()));
    POINTER(heed_rand_like(any_tensor()));
    POINTER(heed_randn_like(any_tensor()));
    POINTER(heed_normal(any_dtype(), any_shape(), any_real(), any_real()));
    POINTER(heed_exponential(any_dtype(), any_shape(), any_real()));
    POINTER(heed_multinomial(any_tensor(), any_count(), any_flag()));
    POINTER(heed_multinomial(heed_rand(HEED_F32, HEED_SHAPE(2, 3)), any_count(), any_flag()));
    POINTER(heed_randint(any_count(), any_count(), any_shape()));
    POINTER(heed_permutation(any_count()));
    POINTER(heed_bernoulli(any_real(), any_shape()));
}

static void generators(void)
{
    heed_generator *own = heed_generator_new(any_u64()), *g = one_in(4) ? NULL : own;
    uint64_t seed, position;
    STATUS(heed_generator_get_state(g, one_in(4) ? NULL : &seed, one_in(4) ? NULL : &position));
    STATUS(heed_generator_set_state(g, any_u64(), any_u64()));
    heed_manual_seed(any_u64());
    POINTER(heed_generator_use(g));
    drawing();
    POINTER(heed_generator_use(NULL));
    heed_generator_free(own);
    heed_generator_free(one_in(2) ? NULL : heed_generator_default());
}

static void scopes(void)
{
    heed_scope *inner = any_flag() ? heed_scope_begin() : heed_no_grad_begin();
    heed_tensor *t = any_live_tensor();
    VALUE(heed_scope_return(NULL, any_tensor()));
    ck_assert_ptr_eq(heed_scope_return(inner, t ? heed_retain(t) : NULL), t);
    heed_release(t);
    STATUS(heed_scope_end(NULL));
    STATUS(heed_scope_end(inner)); /* ended already */
    heed_callback call = heed_callback_begin(any_text()), none = {0};
    VALUE(heed_callback_end(one_in(3) ? NULL : &call));
    VALUE(heed_callback_end(&none));
}

/* -- Ops ---------------------------------------------------------------------------------------------------------- */

static bool infer(const heed_call *call, heed_meta *out)
{
    heed_meta meta;
    VALUE(heed_call_shape(any_flag() ? call : NULL, any_int()));
    VALUE(heed_call_dtype(any_flag() ? call : NULL, any_int()));
    VALUE(heed_call_needs(any_flag() ? call : NULL, any_int()));
    VALUE(heed_infer_broadcast(one_in(3) ? NULL : call, one_in(3) ? NULL : &meta));
    VALUE(heed_infer_same(one_in(3) ? NULL : call, one_in(3) ? NULL : &meta));
    return heed_infer_same(call, out);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    (void)call;
    return heed_fill_(out[0], 1) == HEED_OK;
}

static void ops(void)
{
    static const heed_op op = {.name = "mine",
                               .n_inputs = 1,
                               .max_inputs = HEED_MAX_INPUTS,
                               .n_outputs = 1,
                               .params_size = 8,
                               .infer = infer,
                               .forward = forward};
    static const char params[8];
    heed_tensor *inputs[] = {any_tensor(), any_tensor(), any_tensor()}, *outputs[HEED_MAX_OUTPUTS];
    const heed_op *some = one_in(4) ? NULL : &op;
    bool list = !one_in(4);
    int n = any_int();
    n = list && n > 3 ? 3 : n;
    POINTER(heed_apply(some, list ? inputs : NULL, n, one_in(4) ? NULL : params));
    VALUE(heed_apply_all(some, list ? inputs : NULL, n, one_in(4) ? NULL : params, one_in(4) ? NULL : outputs));
}

START_TEST(cleaning_up)
{
    heed_thread_cleanup();
    heed_thread_cleanup();
    ck_assert_int_eq(heed_error_code(), HEED_OK);
}
END_TEST

ROUNDS_OF(errors)
ROUNDS_OF(entering)
ROUNDS_OF(memory)
ROUNDS_OF(generators)
ROUNDS_OF(drawing)
ROUNDS_OF(scopes)
ROUNDS_OF(ops)

MISUSE_MAIN("every function of values misused", rounds_of_errors, rounds_of_entering, rounds_of_memory,
            rounds_of_generators, rounds_of_drawing, rounds_of_scopes, rounds_of_ops, cleaning_up)
