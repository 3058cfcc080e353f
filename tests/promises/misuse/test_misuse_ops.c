/* tests/promises/misuse/test_misuse_ops.c - every function of heed/ops.h on every tensor of the zoo, with hostile axes,
 * shapes, counts and numbers. The calls are made from the prototypes (tests/promises/calls/slots.py).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"
#include "slots.h"

#define DRAWS 12       /* of the other arguments, per pair of tensors */
#define READABLE 10000 /* largest result that the test reads */

/* The source of the arguments of one call. */
struct slots {
    const zoo *zoo;
    heed_tensor *tensors[2]; /* the first ones requested; after that one of these, or any */
    int given, taken;        /* numbers of `tensors` that are given, and requested so far */
    heed_tensor *out;        /* an output other than the first */
    bool wants_out;
};

static heed_tensor *slot_tensor(slots *from, const char *name)
{
    (void)name;
    if (from->taken < from->given)
        return from->tensors[from->taken++];
    return misuse_random() % 2 ? from->tensors[misuse_random() % (uint64_t)from->given] : ANY_OF(from->zoo->animals);
}

static int slot_list(slots *from, const char *name, heed_tensor **list)
{
    for (int i = 0; list && i < SLOT_LIST; i++)
        list[i] = slot_tensor(from, name);
    int n = ANY_OF(hostile_ints);
    return n > SLOT_LIST ? SLOT_LIST : n;
}

static int slot_int(slots *from, const char *name)
{
    (void)from, (void)name;
    return misuse_random() % 2 ? ANY_OF(hostile_ints) : 0;
}

static int64_t slot_int64(slots *from, const char *name)
{
    (void)from, (void)name;
    return ANY_OF(hostile_counts);
}

static double slot_real(slots *from, const char *name)
{
    (void)from, (void)name;
    return ANY_OF(hostile_doubles);
}

static bool slot_bool(slots *from, const char *name)
{
    (void)from, (void)name;
    return misuse_random() % 2;
}

static heed_tensor *fails(heed_tensor *x)
{
    (void)x;
    return NULL;
}

static slot_function_type slot_function(slots *from, const char *name)
{
    static const slot_function_type functions[] = {NULL, heed_relu, heed_gelu, heed_sum, fails};
    (void)from, (void)name;
    return ANY_OF(functions);
}

static int slot_enum(slots *from, const char *name, const char *const *words)
{
    int n = 0;
    while (words[n])
        n++;
    (void)from, (void)name;
    return misuse_random() % 2 ? (int)(misuse_random() % (uint64_t)(n + 2)) - 1 : ANY_OF(hostile_ints);
}

/* Sometimes a list of axes. */
static heed_shape slot_shape(slots *from, const char *name)
{
    (void)from, (void)name;
    heed_shape shape = ANY_OF(hostile_shapes);
    for (int i = 0; misuse_random() % 2 && i < shape.rank && i < HEED_MAX_RANK; i++)
        shape.dims[i] = (int64_t)(misuse_random() % 4) - 1;
    return shape;
}

/* Equations: some that fit the animals, others that do not fit. */
static const char *slot_text(slots *from, const char *name)
{
    static const char *const texts[] = {NULL,
                                        "",
                                        ",",
                                        ",,",
                                        "...",
                                        "...,...",
                                        "i",
                                        "ij,jk",
                                        "ii",
                                        "...ii->",
                                        "i,i,",
                                        "->",
                                        "...,->...",
                                        "i->ii",
                                        "i,j,k",
                                        "ij->ji",
                                        "....",
                                        "%s%n",
                                        "i-",
                                        "i>",
                                        "\xff",
                                        ",...->ab",
                                        "A,A->",
                                        "ijk,ilk",
                                        "abcdefghijk",
                                        "abcd...,efgh",
                                        "...ab,...bc->...ac"};
    (void)from, (void)name;
    return ANY_OF(texts);
}

static bool slot_there(slots *from, const char *name)
{
    (void)from, (void)name;
    return misuse_random() % 8 != 0;
}

static heed_tensor **slot_out(slots *from, const char *name)
{
    (void)name;
    from->wants_out = misuse_random() % 2;
    return from->wants_out ? &from->out : NULL;
}

#include "op_calls.inc"

/* -- The driver ------------------------------------------------------------------------------------------------- */

/* Reads a result and runs a backward pass from it, which may fail only for lack of memory. */
static void use(const char *name, heed_tensor *y)
{
    int64_t n = heed_numel(y);
    ck_assert_msg(n >= 0, "%s gave %lld elements", name, (long long)n);
    heed_tensor *copy = n <= READABLE ? heed_clone(heed_to_dtype(y, HEED_BOOL)) : NULL;
    ck_assert(n > READABLE || copy != NULL);
    if (!heed_requires_grad(y) || n > READABLE)
        return;
    heed_tensor *g = heed_ones(heed_dtype_of(y), heed_shape_of(y));
    heed_status status = heed_backward_with(y, &(heed_backward_options){.grad_output = g, .retain_graph = true});
    ck_assert_msg(status == HEED_OK, "%s: backward: %s", name, heed_error_message());
}

/* The product of two expanded views of 2^61 numbers is valid, but would take forever. */
static bool is_endless(const op_call *op, const zoo *z, const heed_tensor *a, const heed_tensor *b)
{
    const heed_tensor *freed = z->animals[ZOO_SIZE];
    if (a == freed || b == freed)
        return false;
    bool product =
        strncmp(op->name, "bmm", 3) == 0 || strcmp(op->name, "matmul") == 0 || strncmp(op->name, "linear", 6) == 0;
    return product && a && b && heed_numel(a) > TWO31 && heed_numel(b) > TWO31;
}

static void misuse(const op_call *op, const zoo *z, int a, int b)
{
    slots from = {
        .zoo = z, .tensors = {z->animals[a], z->animals[b]}, .given = op->tensors > 1 ? 2 : 1, .out = z->animals[1]};
    if (is_endless(op, z, from.tensors[0], from.tensors[1]))
        return;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *y = op->call(&from);
    ck_assert_msg(!from.wants_out || (y == NULL) == (from.out == NULL), "%s and its other output", op->name);
    ck_assert_msg(!y || a != ZOO_SIZE || op->tensors == 0, "%s took a tensor that was freed", op->name);
    if (y) {
        ck_assert_msg(heed_error_code() == HEED_OK, "%s gave a result and \"%s\"", op->name, heed_error_message());
        use(op->name, y);
    } else {
        misuse_failed(op->name);
    }
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
}

static void drop_gradients(const zoo *z)
{
    for (int i = 1; i < ZOO_SIZE; i++)
        if (heed_is_leaf(z->animals[i]))
            (void)heed_set_grad(z->animals[i], NULL);
}

START_TEST(every_op_on_every_animal)
{
    zoo z;
    zoo_open(&z);
    for (int i = 0; i < COUNT_OF(op_calls); i++)
        for (int a = 0; a <= ZOO_SIZE && heed_test_chooses(op_calls[i].name); a++) {
            const int others = op_calls[i].tensors > 1 ? ZOO_SIZE + 1 : 1;
            for (int b = 0; b < others; b++)
                for (int d = 0; d < (others > 1 ? DRAWS : 4 * DRAWS); d++)
                    misuse(&op_calls[i], &z, a, b);
            drop_gradients(&z);
        }
}
END_TEST

MISUSE_MAIN("misuse of ops", every_op_on_every_animal)
