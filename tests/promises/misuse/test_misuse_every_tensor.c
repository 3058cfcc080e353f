/* tests/promises/misuse/test_misuse_every_tensor.c - every function of heed/tensor.h, heed/shape.h, heed/graph.h and
 * heed/dlpack.h with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/dlpack_abi.h"
#include "misuse_draw.h"

static void shapes(void)
{
    heed_shape out;
    VALUE(heed_shape_numel(any_shape()));
    VALUE(heed_shape_equal(any_shape(), any_shape()));
    VALUE(strlen(heed_shape_text(any_shape()).s));
    VALUE(heed_shape_broadcast(any_shape(), any_shape(), any_flag() ? &out : NULL));
    VALUE(heed_dtype_size(any_dtype()));
    VALUE(heed_dtype_name(any_dtype()));
}

static void count_release(void *user)
{
    ++*(int64_t *)user;
}

static void making(void)
{
    static double values[64];
    static int64_t released;
    const double *some = any_flag() ? values : NULL;
    int64_t count = any_count();
    POINTER(heed_zeros(any_dtype(), any_shape()));
    POINTER(heed_ones(any_dtype(), any_shape()));
    POINTER(heed_full(any_dtype(), any_shape(), any_real()));
    POINTER(heed_empty(any_dtype(), any_shape()));
    POINTER(heed_zeros_like(any_tensor()));
    POINTER(heed_arange(any_dtype(), any_real(), any_real(), any_real()));
    POINTER(heed_linspace(any_dtype(), any_real(), any_real(), any_count()));
    POINTER(heed_eye(any_dtype(), any_count(), any_count()));
    POINTER(heed_from_array(any_dtype(), any_shape(), some, count));
    void *address = one_in(8) ? NULL : (char *)values + (one_in(4) ? misuse_random() % 8 : 0);
    POINTER(heed_from_buffer(any_dtype(), any_shape(), address, count, one_in(2) ? NULL : count_release, &released));
    POINTER(heed_from_values(any_dtype(), any_shape(), some, count));
}

/* Imports tensors with any sizes and strides. For bools, whose elements are checked, they stay within the existing
 * memory. */
static void exchanging(void)
{
    static double memory[512];
    static struct DLManagedTensor m; /* the tensor refers to it until the scope ends, after this function */
    int64_t sizes[9], strides[9];
    m = (struct DLManagedTensor){.tensor = {.data = one_in(8) ? NULL : memory + 256,
                                            .device = one_in(8) ? any_int() : HEED_DL_CPU,
                                            .ndim = any_int(),
                                            .code = (uint8_t)any_enum(7),
                                            .bits = (uint8_t)ANY_OF(((int[]){8, 32, 64, 64, 255})),
                                            .lanes = (uint16_t)(one_in(8) ? any_int() : 1),
                                            .shape = one_in(8) ? NULL : sizes,
                                            .strides = one_in(3) ? NULL : strides,
                                            .byte_offset = one_in(3) ? any_u64() : 8 * (misuse_random() % 8)}};
    const bool any = m.tensor.code != HEED_DL_BOOL;
    for (int i = 0; i < 9; i++) {
        sizes[i] = any && one_in(2) ? any_count() : (int64_t)(misuse_random() % 3);
        strides[i] = any && one_in(2) ? any_count() : (int64_t)(misuse_random() % 41) - 20;
    }
    m.tensor.byte_offset = any ? m.tensor.byte_offset : misuse_random() % 64;
    POINTER(heed_from_dlpack(one_in(16) ? NULL : &m));
    struct DLManagedTensor *ours = heed_to_dlpack(any_tensor());
    ck_assert_int_eq(ours == NULL, heed_error_code() != HEED_OK);
    judge_error("heed_to_dlpack");
    if (ours)
        ours->deleter(ours);
}

static void owning(void)
{
    heed_tensor *t = any_live_tensor();
    ck_assert_ptr_eq(heed_retain(t), t);
    heed_release(t);
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    VALUE(heed_retain(drawn_from.animals[ZOO_SIZE]));
    heed_release(drawn_from.animals[ZOO_SIZE]);
    judge_error("release");
}

static void looking(void)
{
    heed_tensor *t = any_tensor();
    VALUE(heed_dtype_of(t));
    VALUE(heed_shape_of(t));
    VALUE(heed_rank(t));
    VALUE(heed_numel(t));
    VALUE(heed_dim(any_tensor(), any_int()));
    VALUE(heed_stride(any_tensor(), any_int()));
    VALUE(heed_is_contiguous(t));
    VALUE(heed_shares_storage(any_tensor(), one_in(4) ? t : any_tensor()));
    VALUE(heed_shares_storage(t, t));
    VALUE(heed_allclose(t, one_in(4) ? t : any_tensor(), any_real(), any_real(), any_flag()));
    VALUE(heed_item(t));
    VALUE(heed_item_i64(t));
    VALUE(heed_get(any_tensor(), any_shape()));
    VALUE(heed_get_i64(any_tensor(), any_shape()));
    POINTER(heed_data_f32(t));
    POINTER(heed_data_f64(t));
    POINTER(heed_data_i64(t));
    POINTER(heed_data_bool(t));
    POINTER(heed_data_bytes(t));
}

static void printing(void)
{
    static char text[1 << 16];
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    VALUE(heed_format(any_tensor(), any_flag() ? text : NULL, any_size() % sizeof text));
    VALUE(heed_format(any_tensor(), NULL, any_size()));
    STATUS(heed_print(any_tensor(), one_in(4) ? NULL : file));
    STATUS(heed_graph_dot(any_tensor(), one_in(4) ? NULL : file));
    (void)fclose(file);
}

static void writing(void)
{
    heed_scope *quiet = any_flag() ? heed_no_grad_begin() : heed_scope_begin();
    heed_tensor *t = any_tensor();
    POINTER(heed_mutable_f32(t));
    POINTER(heed_mutable_f64(t));
    POINTER(heed_mutable_i64(t));
    POINTER(heed_mutable_bool(t));
    POINTER(heed_mutable_bytes(t));
    STATUS(heed_set_(any_tensor(), any_shape(), any_real()));
    STATUS(heed_fill_(any_tensor(), any_real()));
    STATUS(heed_copy_(any_tensor(), any_tensor()));
    STATUS(heed_copy_(t, t));
    ck_assert_int_eq(heed_scope_end(quiet), HEED_OK);
}

/* Returns its argument, sometimes the computed tensor itself, or nothing. */
static heed_tensor *any_value(void *user)
{
    return one_in(4) ? any_tensor() : user;
}

static void computed(void)
{
    heed_tensor *t = any_live_tensor(), *own = t ? heed_detach(t) : NULL;
    STATUS(heed_set_compute(any_flag() ? NULL : own, any_flag() ? NULL : any_value, one_in(4) ? own : t));
    STATUS(heed_set_compute(own, any_value, one_in(4) ? own : t));
    STATUS(heed_set_compute(one_in(2) ? drawn_from.animals[ZOO_SIZE] : NULL, any_value, t));
    POINTER(heed_mul(own, own));
    POINTER(heed_detach(own));
    STATUS(heed_fill_(own, any_real()));
    STATUS(heed_copy_(own, own));
    VALUE(heed_is_recomputing());
}

static void leaves(void)
{
    heed_tensor *t = any_live_tensor(), *own = t ? heed_detach(t) : NULL;
    VALUE(heed_requires_grad(any_tensor()));
    VALUE(heed_is_leaf(any_tensor()));
    VALUE(heed_has_grad(any_tensor()));
    VALUE(heed_grad_of(any_tensor()));
    POINTER(heed_detach(any_tensor()));
    VALUE(heed_set_requires_grad(drawn_from.animals[ZOO_SIZE], any_flag()));
    STATUS(heed_set_grad(any_tensor(), any_tensor()));
    STATUS(heed_set_grad(t, t));
    STATUS(heed_set_grad(t, any_flag() ? heed_grad_of(t) : NULL));
    VALUE(heed_grad_of(t));
    POINTER(heed_set_requires_grad(own, any_flag()));
    POINTER(heed_set_requires_grad(own, any_flag()));
    VALUE(heed_set_grad_enabled(any_flag()));
    VALUE(heed_grad_enabled());
}

static void ignore_free(void *user)
{
    (void)user;
}

/* Hooks stay with the zoo: they return their argument. */
static void hooks(void)
{
    heed_tensor *t = any_tensor();
    int64_t id = heed_add_hook(t, one_in(4) ? NULL : hand_on, any_flag() ? &drawn_from : NULL);
    ck_assert((id > 0) == (heed_error_code() == HEED_OK));
    judge_error("add_hook");
    STATUS(heed_set_hook_free(t, any_flag() && id > 0 ? id : any_count(), any_flag() ? ignore_free : NULL));
    STATUS(heed_remove_hook(t, any_flag() && id > 0 ? id : any_count()));
    STATUS(heed_remove_hook(any_tensor(), any_count()));
}

static void drop_gradients(void)
{
    for (int i = 1; i < ZOO_SIZE; i++)
        if (heed_is_leaf(drawn_from.animals[i]))
            ck_assert_int_eq(heed_set_grad(drawn_from.animals[i], NULL), HEED_OK);
}

static void walking(void)
{
    heed_backward_options with = {.grad_output = any_tensor(), .retain_graph = any_flag(), .create_graph = any_flag()};
    STATUS(heed_backward(any_tensor()));
    STATUS(heed_backward_with(any_tensor(), one_in(8) ? NULL : &with));
    heed_tensor *t = any_live_tensor(), *fresh = t ? heed_square(t) : NULL;
    heed_error_clear();
    with.grad_output = fresh;
    STATUS(heed_backward_with(fresh, &with));
    heed_tensor *outputs[] = {any_tensor(), fresh}, *inputs[] = {any_tensor(), t}, *seeds[] = {any_tensor(), fresh};
    heed_tensor *grads[2];
    heed_grad_options options = {any_flag() ? seeds : NULL, any_flag(), any_flag(), any_flag(), {0}};
    bool lists = !one_in(4);
    int n_outputs = lists ? (int)(misuse_random() % 3) : any_int(), n_inputs = lists ? n_outputs : any_int();
    STATUS(heed_grad(lists ? outputs : NULL, n_outputs, inputs, 1, grads, one_in(8) ? NULL : &options));
    STATUS(heed_grad(outputs, 1, lists ? inputs : NULL, n_inputs, n_inputs > 2 ? NULL : grads, &options));
    STATUS(heed_grad(outputs + 1, 1, inputs + 1, 1, one_in(4) ? NULL : grads, &options));
    drop_gradients();
}

static heed_tensor *squares(heed_tensor *const *in, void *user)
{
    (void)user;
    return one_in(4) ? any_tensor() : heed_square(in[0]);
}

/* A Hessian has the square of the number of its elements. */
static heed_tensor *any_small_tensor(void)
{
    heed_tensor *t = any_live_tensor();
    return one_in(16) ? drawn_from.animals[ZOO_SIZE] : t && heed_numel(t) > 20 ? NULL : t;
}

static void functions(void)
{
    const heed_functional_options options = {.create_graph = any_flag()}, *o = any_flag() ? &options : NULL;
    heed_function fn = one_in(8) ? NULL : squares;
    heed_tensor *in[] = {any_small_tensor(), any_small_tensor()}, *vectors[] = {any_tensor(), any_tensor()}, *out[4];
    heed_tensor *const *list = one_in(8) ? NULL : in, *const *v = one_in(4) ? NULL : vectors;
    int n = any_int();
    n = n > 2 || one_in(2) ? 1 : n;
    POINTER(heed_vjp(fn, NULL, list, n, any_tensor(), one_in(8) ? NULL : out, o));
    POINTER(heed_jvp(fn, NULL, list, n, v, one_in(8) ? NULL : out, o));
    POINTER(heed_hvp(fn, NULL, list, n, v, one_in(8) ? NULL : out, o));
    POINTER(heed_jacobian(fn, NULL, list, n, one_in(8) ? NULL : out, o));
    POINTER(heed_hessian(fn, NULL, list, n, one_in(8) ? NULL : out, o));
    heed_tensor *y = heed_checkpointed(fn, NULL, list, n);
    judge_error("checkpointed");
    STATUS(heed_backward(heed_requires_grad(y) ? heed_sum(y) : NULL));
    drop_gradients();
}

ROUNDS_OF(shapes)
ROUNDS_OF(making)
ROUNDS_OF(exchanging)
ROUNDS_OF(owning)
ROUNDS_OF(looking)
ROUNDS_OF(printing)
ROUNDS_OF(writing)
ROUNDS_OF(leaves)
ROUNDS_OF(computed)
ROUNDS_OF(hooks)
ROUNDS_OF(walking)
ROUNDS_OF(functions)

MISUSE_MAIN("every function of tensors misused", rounds_of_shapes, rounds_of_making, rounds_of_exchanging,
            rounds_of_owning, rounds_of_looking, rounds_of_printing, rounds_of_writing, rounds_of_leaves,
            rounds_of_computed, rounds_of_hooks, rounds_of_walking, rounds_of_functions)
