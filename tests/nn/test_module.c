/* tests/nn/test_module.c - tests of the module base: registering, traversing, freeing.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"

/* A user-defined module: y = x w + b, with a count of steps. */
typedef struct layer {
    heed_module base;
    heed_tensor *weight, *bias, *steps;
    heed_tensor *cache; /* not registered */
    heed_module *c;     /* the child named "c" */
} layer;

static char freed[64]; /* the types of the modules freed, in order */

static void layer_on_free(heed_module *m)
{
    strncat(freed, m->type, sizeof freed - strlen(freed) - 1);
    heed_release(((layer *)m)->cache);
}

static layer *layer_new(const char *type)
{
    heed_scope *scope = heed_scope_begin();
    layer *l = heed_module_new(type, sizeof *l);
    if (l) {
        l->base.on_free = layer_on_free;
        l->weight = heed_module_parameter(&l->base, "weight", heed_ones(HEED_F32, HEED_SHAPE(3, 2)));
        l->bias = heed_module_parameter(&l->base, "bias", heed_zeros(HEED_F32, HEED_SHAPE(2)));
        l->steps = heed_module_buffer(&l->base, "steps", heed_zeros(HEED_I64, HEED_SCALAR));
        l->cache = heed_retain(heed_ones(HEED_F32, HEED_SHAPE(7)));
    }
    heed_scope_end(scope);
    if (l && (!l->weight || !l->bias || !l->steps || !l->cache)) {
        heed_module_free(&l->base);
        return NULL;
    }
    return l;
}

/* P - weight, bias, steps, a (A) - weight, ..., b (B) - ..., and c (C) */
static layer *tree_new(void)
{
    layer *p = layer_new("P"), *a = layer_new("A"), *b = layer_new("B"), *c = layer_new("C");
    ck_assert_ptr_eq(heed_module_child(&a->base, "b", &b->base), &b->base);
    ck_assert_ptr_nonnull(heed_module_child(&p->base, "a", &a->base));
    p->c = heed_module_child(&p->base, "c", &c->base);
    ck_assert_ptr_eq(p->c, &c->base);
    return p;
}

/* -- Traversing ---------------------------------------------------------------------------------------------- */

static heed_status collect(const heed_module_visit *visit, void *user)
{
    char *text = user, line[80];
    snprintf(line, sizeof line, "%s%s/%s ", visit->name, visit->is_buffer ? "*" : "", visit->owner->type);
    strcat(text, line);
    ck_assert_ptr_nonnull(visit->tensor);
    return strcmp(visit->name, "a.b.bias") == 0 ? HEED_ERR_IO : HEED_OK;
}

START_TEST(walk_goes_in_order_and_stops)
{
    layer *p = tree_new();
    char text[512] = "";
    ck_assert_int_eq(heed_module_walk(&p->base, collect, text), HEED_ERR_IO);
    ck_assert_str_eq(text, "weight/P bias/P steps*/P a.weight/A a.bias/A a.steps*/A a.b.weight/B a.b.bias/B ");
    text[0] = '\0';
    ck_assert_int_eq(heed_module_walk(p->c, collect, text), HEED_OK);
    ck_assert_str_eq(text, "weight/C bias/C steps*/C ");
    heed_module_free(&p->base);
}
END_TEST

START_TEST(find_follows_a_path)
{
    layer *p = tree_new();
    ck_assert_ptr_eq(heed_module_find(&p->base, "bias"), p->bias);
    ck_assert_int_eq(heed_numel(heed_module_find(&p->base, "a.b.weight")), 6);
    ck_assert_int_eq(heed_dtype_of(heed_module_find(&p->base, "c.steps")), HEED_I64);
    const char *const wrong[] = {"",         ".",    "a",         "a.",          ".a",    "a.b",
                                 "weight.x", "a..b", "a.b.weigh", "a.b.weights", "d.bias"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_ptr_null(heed_module_find(&p->base, wrong[i]));
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i]);
    }
    heed_module_free(&p->base);
}
END_TEST

START_TEST(counts_parameters_not_buffers)
{
    layer *p = tree_new();
    ck_assert_int_eq(heed_module_parameter_count(&p->base), 8);
    ck_assert_int_eq(heed_module_parameter_numel(&p->base), 4 * 8);
    heed_module_free(&p->base);
    heed_module *empty = heed_module_new("empty", sizeof *empty);
    ck_assert_int_eq(heed_module_parameter_count(empty), 0);
    ck_assert_int_eq(heed_module_parameter_numel(empty), 0);
    heed_module_free(empty);
}
END_TEST

START_TEST(train_and_eval_apply_to_descendants)
{
    layer *p = tree_new();
    heed_module *c = p->c;
    ck_assert(p->base.training && c->training);
    ck_assert_int_eq(heed_module_eval(c), HEED_OK);
    ck_assert(p->base.training && !c->training);
    ck_assert_int_eq(heed_module_eval(&p->base), HEED_OK);
    ck_assert(!p->base.training && !c->training);
    ck_assert_int_eq(heed_module_train(&p->base), HEED_OK);
    ck_assert(p->base.training && c->training);
    heed_module_free(&p->base);
}
END_TEST

START_TEST(zero_grad_clears_descendants)
{
    layer *p = tree_new();
    heed_tensor *deep = heed_module_find(&p->base, "a.b.weight");
    heed_backward(heed_add(heed_sum(heed_square(deep)), heed_sum(p->weight)));
    ck_assert_ptr_nonnull(heed_grad_of(deep));
    ck_assert_int_eq(heed_module_zero_grad(&p->base), HEED_OK);
    ck_assert_ptr_null(heed_grad_of(deep));
    ck_assert_ptr_null(heed_grad_of(p->weight));
    heed_module_free(&p->base);
}
END_TEST

/* Returns a name of `length` times the letter. */
static const char *name_of(char letter, size_t length)
{
    static char text[HEED_MODULE_PATH_MAX + 2];
    memset(text, letter, length);
    text[length] = '\0';
    return text;
}

static heed_status measure(const heed_module_visit *visit, void *user)
{
    *(size_t *)user = strlen(visit->name);
    return HEED_OK;
}

START_TEST(paths_end_at_the_limit)
{
    size_t length = 0;
    for (size_t extra = 0; extra < 2; extra++) {
        heed_module *top = heed_module_new("top", sizeof *top), *below = heed_module_new("below", sizeof *below);
        heed_module_child(top, name_of('x', HEED_MODULE_PATH_MAX / 2), below);
        const char *name = name_of('y', HEED_MODULE_PATH_MAX / 2 - 1 + extra);
        ck_assert_ptr_nonnull(heed_module_parameter(below, name, heed_ones(HEED_F64, HEED_SHAPE(1))));
        ck_assert_int_eq(heed_module_walk(top, measure, &length), extra ? HEED_ERR_UNSUPPORTED : HEED_OK);
        heed_module_free(top);
    }
    ck_assert_uint_eq(length, HEED_MODULE_PATH_MAX);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "yyyy");
    heed_module *top = heed_module_new("top", sizeof *top);
    heed_module_buffer(top, name_of('z', HEED_MODULE_PATH_MAX + 1), heed_ones(HEED_F64, HEED_SCALAR));
    ck_assert_int_eq(heed_module_walk(top, measure, &length), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "of a top");
    heed_module_free(top);
}
END_TEST

/* -- Registering --------------------------------------------------------------------------------------------- */

START_TEST(parameters_are_retained_and_marked)
{
    heed_module *m = heed_module_new("m", sizeof *m);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_full(HEED_F64, HEED_SHAPE(2), 3.0);
    ck_assert_ptr_eq(heed_module_parameter(m, "t", t), t);
    ck_assert(heed_requires_grad(t));
    heed_scope_end(scope);
    ck_assert_double_eq(heed_get(heed_module_find(m, "t"), HEED_INDEX(1)), 3.0);
    heed_retain(t);
    heed_module_free(m);
    ck_assert_double_eq(heed_get(t, HEED_INDEX(0)), 3.0);
    heed_release(t);
}
END_TEST

START_TEST(parameters_are_checked)
{
    heed_module *m = heed_module_new("m", sizeof *m);
    heed_tensor *t = heed_ones(HEED_F64, HEED_SHAPE(2, 3));
    ck_assert_ptr_null(heed_module_parameter(m, "", t));
    ck_assert_error(HEED_ERR_ARGUMENT, "module_parameter");
    ck_assert_ptr_null(heed_module_parameter(m, "a.b", t));
    ck_assert_error(HEED_ERR_ARGUMENT, "a.b");
    ck_assert_ptr_null(heed_module_parameter(m, NULL, t));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    ck_assert_ptr_null(heed_module_parameter(NULL, "t", t));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    ck_assert_ptr_null(heed_module_parameter(m, "t", NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    ck_assert_ptr_null(heed_module_parameter(m, "t", heed_ones(HEED_I64, HEED_SHAPE(2))));
    ck_assert_error(HEED_ERR_DTYPE, "i64");
    ck_assert_ptr_null(heed_module_parameter(m, "t", heed_transpose(t, 0, 1)));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "contiguous");
    ck_assert(!heed_requires_grad(t));
    ck_assert_ptr_eq(heed_module_parameter(m, "t", t), t);
    ck_assert_ptr_null(heed_module_parameter(m, "t", t));
    ck_assert_error(HEED_ERR_ARGUMENT, "\"t\"");
    ck_assert_ptr_null(heed_module_parameter(m, "u", heed_mul_scalar(t, 2.0)));
    ck_assert_error(HEED_ERR_STATE, "detach");
    ck_assert_int_eq(heed_module_parameter_count(m), 1);
    heed_module_free(m);
}
END_TEST

START_TEST(buffers_and_children_are_checked)
{
    heed_module *m = heed_module_new("m", sizeof *m), *n = heed_module_new("n", sizeof *n);
    ck_assert_ptr_null(heed_module_buffer(m, "a.b", heed_ones(HEED_BOOL, HEED_SCALAR)));
    ck_assert_error(HEED_ERR_ARGUMENT, "a.b");
    ck_assert_ptr_null(heed_module_buffer(m, "b", NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    ck_assert_ptr_null(heed_module_child(m, "c", NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    ck_assert_ptr_nonnull(heed_module_buffer(m, "b", heed_ones(HEED_BOOL, HEED_SCALAR)));
    ck_assert_ptr_null(heed_module_child(m, "b", n));
    ck_assert_error(HEED_ERR_ARGUMENT, "\"b\"");
    ck_assert_ptr_null(heed_module_child(m, "m", m));
    ck_assert_error(HEED_ERR_ARGUMENT, "own descendant");
    ck_assert_ptr_nonnull(heed_module_child(m, "n", n));
    ck_assert_ptr_null(heed_module_child(n, "m", m));
    ck_assert_error(HEED_ERR_ARGUMENT, "own descendant");
    ck_assert_ptr_null(heed_module_child(m, "twice", n));
    ck_assert_error(HEED_ERR_ARGUMENT, "\"n\"");
    ck_assert_int_eq(heed_module_free(n), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "\"n\" of a m");
    heed_module_free(m);
}
END_TEST

START_TEST(null_and_bad_arguments)
{
    ck_assert_ptr_null(heed_module_new(NULL, sizeof(heed_module)));
    ck_assert_error(HEED_ERR_ARGUMENT, "module_new");
    ck_assert_ptr_null(heed_module_new("small", sizeof(heed_module) - 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "small");
    ck_assert_ptr_null(heed_module_new("huge", SIZE_MAX));
    ck_assert_error(HEED_ERR_NOMEM, "");
    ck_assert_int_eq(heed_module_free(NULL), HEED_OK);
    ck_assert_int_eq(heed_module_train(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_train");
    ck_assert_int_eq(heed_module_eval(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_eval");
    ck_assert_int_eq(heed_module_zero_grad(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_zero_grad");
    ck_assert_int_eq(heed_module_parameter_count(NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_parameter_count");
    ck_assert_int_eq(heed_module_parameter_numel(NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "module_parameter_numel");
    ck_assert_int_eq(heed_module_walk(NULL, measure, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "module is NULL");
    heed_module *m = heed_module_new("m", sizeof *m);
    ck_assert_int_eq(heed_module_walk(m, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "visitor is NULL");
    ck_assert_ptr_null(heed_module_find(m, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "path is NULL");
    ck_assert_ptr_null(heed_module_find(NULL, "x"));
    ck_assert_error(HEED_ERR_ARGUMENT, "module is NULL");
    heed_module_free(m);
}
END_TEST

/* -- Freeing --------------------------------------------------------------------------------------------------- */

START_TEST(free_calls_on_free_top_down)
{
    freed[0] = '\0';
    heed_module_free(&tree_new()->base);
    ck_assert_str_eq(freed, "PABC");
}
END_TEST

START_TEST(free_breaks_the_cycle_of_create_graph)
{
    layer *l = layer_new("L");
    heed_scope *scope = heed_scope_begin();
    heed_tensor *loss = heed_sum(heed_square(heed_square(l->weight)));
    ck_assert_int_eq(heed_backward_with(loss, &(heed_backward_options){.create_graph = true}), HEED_OK);
    ck_assert(heed_requires_grad(heed_grad_of(l->weight)));
    heed_scope_end(scope);
    heed_module_free(&l->base);
}
END_TEST

/* A list without a parent keeps the gradients of its tensors; a list in a tree is freed with the tree. */
START_TEST(lists_of_parameters)
{
    heed_tensor *a = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    heed_tensor *b = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SCALAR), true);
    heed_module *list = heed_nn_parameter_list_new(HEED_TENSORS(a, b, a)), *empty = heed_nn_parameter_list_new(NULL, 0);
    ck_assert_str_eq(list->type, "parameter_list");
    ck_assert_int_eq(heed_module_parameter_count(list), 3);
    ck_assert_int_eq(heed_module_parameter_count(empty), 0);
    ck_assert_ptr_eq(heed_module_find(list, "1"), b);
    ck_assert_ptr_eq(heed_module_find(list, "2"), a);
    ck_assert_int_eq(heed_set_grad(a, heed_ones(HEED_F32, HEED_SHAPE(2))), HEED_OK);
    ck_assert_int_eq(heed_module_free(list), HEED_OK);
    ck_assert(heed_has_grad(a));
    heed_module *top = heed_module_new("top", sizeof *top);
    ck_assert_ptr_nonnull(heed_module_child(top, "weights", heed_nn_parameter_list_new(HEED_TENSORS(a))));
    ck_assert_ptr_nonnull(heed_module_child(top, "none", empty));
    ck_assert_ptr_eq(heed_module_find(top, "weights.0"), a);
    ck_assert_int_eq(heed_module_free(top), HEED_OK);
    ck_assert(!heed_has_grad(a));
}
END_TEST

START_TEST(tensors_of_a_list_are_checked)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2, 3)), true);
    heed_tensor *strided = heed_set_requires_grad(heed_transpose(heed_ones(HEED_F32, HEED_SHAPE(2, 3)), 0, 1), true);
    heed_tensor *const lists[][2] = {{w, NULL},
                                     {w, heed_ones(HEED_F32, HEED_SHAPE(1))},
                                     {w, heed_zeros(HEED_I64, HEED_SHAPE(1))},
                                     {w, heed_square(w)},
                                     {w, strided}};
    static const struct {
        heed_status status;
        const char *text;
    } expected[] = {
        {HEED_ERR_ARGUMENT, "tensor 1 is NULL"},
        {HEED_ERR_STATE, "\"1\" does not require a gradient: call heed_set_requires_grad(t, true)"},
        {HEED_ERR_DTYPE, "\"1\" is i64: must be f32 or f64"},
        {HEED_ERR_STATE, "\"1\" is the result of a recorded op: detach it"},
        {HEED_ERR_UNSUPPORTED, "\"1\" must be contiguous"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ck_assert_ptr_null(heed_nn_parameter_list_new(lists[i], 2));
        ck_assert(strncmp(heed_error_message(), "nn_parameter_list_new: ", 23) == 0);
        ck_assert_error(expected[i].status, expected[i].text);
    }
    ck_assert_ptr_null(heed_nn_parameter_list_new(&w, -1));
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_parameter_list_new: n is -1: must be 0 or more");
    ck_assert_ptr_null(heed_nn_parameter_list_new(NULL, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_parameter_list_new: tensors is NULL");
}
END_TEST

/* A chain of modules too deep for recursion on any stack. Every module has a parameter and a buffer. */
static heed_module *chain(int depth, bool top_down)
{
    heed_tensor *one = heed_ones(HEED_F32, HEED_SHAPE(1));
    heed_module *top = heed_module_new("top", sizeof *top), *at = top;
    heed_module_parameter(at, "w", heed_ones(HEED_F32, HEED_SHAPE(1)));
    for (int i = 1; i < depth; i++) {
        heed_module *m = heed_module_new("link", sizeof *m);
        heed_module_parameter(m, "w", one);
        heed_module_buffer(m, "b", one);
        if (top_down) {
            ck_assert_ptr_nonnull(heed_module_child(at, "m", m));
            at = m;
        } else {
            ck_assert_ptr_nonnull(heed_module_child(m, "m", top));
            top = m;
        }
    }
    return top;
}

START_TEST(trees_may_be_deep)
{
    const int depth = 100000;
    for (int top_down = 0; top_down < 2; top_down++) {
        heed_module *top = chain(depth, top_down);
        ck_assert_int_eq(heed_module_parameter_count(top), depth);
        ck_assert_int_eq(heed_module_zero_grad(top), HEED_OK);
        ck_assert_int_eq(heed_module_eval(top), HEED_OK);
        size_t length = 0;
        ck_assert_int_eq(heed_module_walk(top, measure, &length), HEED_ERR_UNSUPPORTED);
        ck_assert_error(HEED_ERR_UNSUPPORTED, "256");
        heed_module_free(top);
    }
}
END_TEST

START_TEST(trees_may_be_wide)
{
    heed_module *top = heed_module_new("top", sizeof *top);
    char name[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "p%d", i);
        ck_assert_ptr_nonnull(heed_module_parameter(top, name, heed_full(HEED_F64, HEED_SCALAR, i)));
    }
    ck_assert_int_eq(heed_module_parameter_count(top), 1000);
    ck_assert_double_eq(heed_item(heed_module_find(top, "p777")), 777.0);
    heed_module_free(top);
}
END_TEST

/* -- Out of memory ----------------------------------------------------------------------------------------------- */

static bool build(double *value)
{
    layer *p = layer_new("P"), *a = layer_new("A");
    bool done = p && a && heed_module_child(&p->base, "a", &a->base);
    if (done)
        *value = (double)heed_module_parameter_numel(&p->base);
    else if (a)
        heed_module_free(&a->base);
    if (p)
        heed_module_free(&p->base);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(build);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("module", walk_goes_in_order_and_stops, find_follows_a_path, counts_parameters_not_buffers,
               train_and_eval_apply_to_descendants, zero_grad_clears_descendants, paths_end_at_the_limit,
               parameters_are_retained_and_marked, parameters_are_checked, buffers_and_children_are_checked,
               null_and_bad_arguments, free_calls_on_free_top_down, free_breaks_the_cycle_of_create_graph,
               lists_of_parameters, tensors_of_a_list_are_checked, trees_may_be_deep, trees_may_be_wide, out_of_memory)
