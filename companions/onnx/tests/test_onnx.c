/* onnx/tests/test_onnx.c - the contents of a file, read back by protobuf-c, and refused models. test_onnxruntime.py
 * tests the results of running it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <onnx.pb-c.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "check_heed.h"

#include <heed/observe.h>
#include <heed/onnx.h>

static char path[64];

static void make_path(void)
{
    strcpy(path, "/tmp/heed-onnx-XXXXXX");
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(close(fd), 0);
}

/* Reads the model saved at `path`, and removes the file. */
static Heed__Onnx__Model *read_model(void)
{
    static uint8_t bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    ck_assert(fclose(file) == 0 && unlink(path) == 0);
    Heed__Onnx__Model *model = heed__onnx__model__unpack(NULL, size, bytes);
    ck_assert_ptr_nonnull(model);
    return model;
}

static heed_tensor *ones(heed_shape shape)
{
    return heed_ones(HEED_F32, shape);
}

static void assert_types(const Heed__Onnx__Graph *graph, size_t n, const char *const *types)
{
    ck_assert_uint_eq(graph->n_nodes, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_str_eq(graph->nodes[i]->type, types[i]);
}

/* -- Structure ----------------------------------------------------------------------------------------------------- */

static heed_nn_sequential *network(void)
{
    void *const parts[] = {heed_nn_linear_new(3, 4, NULL), heed_nn_dropout_new(0.5),
                           heed_nn_function_new("tanh", heed_tanh)};
    return heed_nn_sequential_new(parts, 3);
}

static void assert_sizes(const Heed__Onnx__Value *value, int64_t rows, int64_t columns)
{
    const Heed__Onnx__Type__Of *of = value->type->tensor;
    ck_assert_int_eq(of->element, HEED__ONNX__TENSOR__TYPE__FLOAT);
    ck_assert_uint_eq(of->shape->n_dims, 2);
    ck_assert_int_eq(of->shape->dims[0]->size, rows);
    ck_assert_int_eq(of->shape->dims[1]->size, columns);
}

START_TEST(a_module)
{
    make_path();
    heed_nn_sequential *net = network();
    heed_module_eval(&net->base);
    heed_tensor *x = ones(HEED_SHAPE(2, 3));
    heed_onnx *model = heed_onnx_new(&(heed_onnx_options){.module = &net->base, .name = "net"});
    ck_assert_int_eq(heed_onnx_input(model, "x", x), HEED_OK);
    ck_assert_int_eq(heed_onnx_output(model, "y", heed_module_forward(&net->base, x)), HEED_OK);
    ck_assert_int_eq(heed_onnx_save(model, path), HEED_OK);
    heed_onnx_free(model);

    Heed__Onnx__Model *read = read_model();
    const Heed__Onnx__Graph *graph = read->graph;
    ck_assert_int_eq(read->ir_version, 8);
    ck_assert_str_eq(read->producer, "heed");
    ck_assert_str_eq(read->producer_version, HEED_VERSION);
    ck_assert(read->n_opsets == 1 && read->opsets[0]->version == 17);
    ck_assert_str_eq(graph->name, "net");
    ck_assert(graph->n_inputs == 1 && graph->n_outputs == 1 && graph->n_initializers == 2);
    ck_assert_str_eq(graph->inputs[0]->name, "x");
    ck_assert_str_eq(graph->outputs[0]->name, "y");
    assert_sizes(graph->inputs[0], 2, 3);
    assert_sizes(graph->outputs[0], 2, 4);
    assert_types(graph, 3, (const char *const[]){"Gemm", "Tanh", "Identity"});
    ck_assert_str_eq(graph->nodes[0]->inputs[0], "x");
    ck_assert_str_eq(graph->nodes[0]->inputs[1], "0.weight");
    ck_assert_str_eq(graph->nodes[0]->inputs[2], "0.bias");
    ck_assert_str_eq(graph->nodes[2]->outputs[0], "y");
    const Heed__Onnx__Tensor *weight = graph->initializers[0];
    ck_assert_str_eq(weight->name, "0.weight");
    ck_assert(weight->n_dims == 2 && weight->dims[0] == 4 && weight->dims[1] == 3 && weight->n_floats == 12);
    ck_assert_mem_eq(weight->floats, heed_data_f32(heed_module_find(&net->base, "0.weight")), 12 * sizeof(float));
    heed__onnx__model__free_unpacked(read, NULL);
    ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
}
END_TEST

/* Ops on which no output depends, including ops without a form, are not in the file; results of other threads are
 * constants. */
static void *elsewhere(void *x)
{
    heed_tensor *y = heed_retain(heed_exp(x));
    heed_thread_cleanup();
    return y;
}

START_TEST(only_what_counts)
{
    make_path();
    heed_tensor *x = ones(HEED_SHAPE(2));
    heed_onnx *model = heed_onnx_new(NULL);
    heed_atan2(x, x);
    pthread_t thread;
    void *made;
    ck_assert_int_eq(pthread_create(&thread, NULL, elsewhere, x), 0);
    ck_assert_int_eq(pthread_join(thread, &made), 0);
    heed_tensor *middle = heed_sin(x), *y = heed_mul(heed_cos(middle), made);
    ck_assert_int_eq(heed_onnx_output(model, "y", y), HEED_OK);
    ck_assert_int_eq(heed_onnx_input(model, "x", middle), HEED_OK); /* cuts off the sine */
    ck_assert_int_eq(heed_onnx_save(model, path), HEED_OK);
    heed_onnx_free(model);
    Heed__Onnx__Model *read = read_model();
    assert_types(read->graph, 3, (const char *const[]){"Cos", "Mul", "Identity"});
    ck_assert_uint_eq(read->graph->n_initializers, 1);
    ck_assert(read->graph->initializers[0]->floats[0] == heed_data_f32(made)[0]);
    heed__onnx__model__free_unpacked(read, NULL);
    heed_release(made);
}
END_TEST

/* Before a reshape or a result, the size of the batch is computed; a number of rows that does not divide by it
 * stays constant. */
START_TEST(dynamic_batch)
{
    make_path();
    heed_tensor *x = ones(HEED_SHAPE(2, 3, 4)), *w = ones(HEED_SHAPE(5, 3));
    heed_onnx *model = heed_onnx_new(&(heed_onnx_options){.dynamic_batch = true});
    heed_onnx_input(model, "x", x);
    heed_onnx_input(model, "w", w);
    heed_onnx_output(model, "y", heed_reshape(x, HEED_SHAPE(6, 4)));
    heed_onnx_output(model, "z", heed_reshape(x, HEED_SHAPE(3, 8)));
    ck_assert_int_eq(heed_onnx_save(model, path), HEED_OK);
    heed_onnx_free(model);
    Heed__Onnx__Model *read = read_model();
    const Heed__Onnx__Graph *graph = read->graph;
    Heed__Onnx__Shape__Dim *const *of_x = graph->inputs[0]->type->tensor->shape->dims;
    ck_assert(!of_x[0]->has_size && strcmp(of_x[0]->name, "batch") == 0 && of_x[1]->size == 3);
    ck_assert(graph->inputs[1]->type->tensor->shape->dims[0]->size == 5);
    const Heed__Onnx__Shape__Dim *of_y = graph->outputs[0]->type->tensor->shape->dims[0];
    ck_assert(!of_y->has_size && !of_y->name);
    ck_assert(graph->initializers[0]->int64s[0] == -1 && graph->initializers[0]->int64s[1] == 4);
    ck_assert(graph->initializers[1]->int64s[0] == 3 && graph->initializers[1]->int64s[1] == 8);
    heed__onnx__model__free_unpacked(read, NULL);
}
END_TEST

/* A second save contains the ops computed since the first, with the values at that time. */
START_TEST(saves_again)
{
    make_path();
    heed_tensor *x = ones(HEED_SHAPE(2)), *w = ones(HEED_SHAPE(2));
    heed_onnx *model = heed_onnx_new(NULL);
    heed_tensor *y = heed_add(x, w);
    heed_onnx_input(model, "x", x);
    heed_onnx_output(model, "y", y);
    ck_assert_int_eq(heed_onnx_save(model, path), HEED_OK);
    heed_fill_(w, 7);
    heed_onnx_output(model, "z", heed_exp(y));
    ck_assert_int_eq(heed_onnx_save(model, path), HEED_OK);
    heed_onnx_free(model);
    Heed__Onnx__Model *read = read_model();
    assert_types(read->graph, 4, (const char *const[]){"Add", "Exp", "Identity", "Identity"});
    ck_assert(read->graph->initializers[0]->floats[1] == 7);
    heed__onnx__model__free_unpacked(read, NULL);
}
END_TEST

/* -- Values that heed_detach cuts off the graph -------------------------------------------------------------------- */

START_TEST(detached)
{
    make_path();
    heed_tensor *x = ones(HEED_SHAPE(2, 3));
    heed_onnx *model = heed_onnx_new(NULL);
    heed_onnx_input(model, "x", x);
    heed_tensor *y = heed_exp(x);
    heed_onnx_output(model, "y", heed_add(heed_detach(y), heed_detach(x)));
    ck_assert_int_eq(heed_onnx_save(model, path), HEED_OK);
    Heed__Onnx__Model *read = read_model();
    assert_types(read->graph, 3, (const char *const[]){"Exp", "Add", "Identity"});
    ck_assert_str_eq(read->graph->nodes[1]->inputs[0], read->graph->nodes[0]->outputs[0]);
    ck_assert_str_eq(read->graph->nodes[1]->inputs[1], "x");
    ck_assert_uint_eq(read->graph->n_initializers, 0);
    heed__onnx__model__free_unpacked(read, NULL);
    heed_onnx_output(model, "z", heed_exp(heed_detach(heed_transpose(y, 0, 1))));
    ck_assert_int_eq(heed_onnx_save(model, path), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "onnx_save: a tensor (3, 2) is a view of a computed tensor");
    heed_onnx_free(model);
}
END_TEST

/* -- Refused models ------------------------------------------------------------------------------------------------ */

START_TEST(arguments)
{
    heed_tensor *x = ones(HEED_SHAPE(2));
    ck_assert_ptr_null(heed_onnx_new(&(heed_onnx_options){.name = "\xff"}));
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_new: name is not UTF-8: byte 0 is 0xff");
    heed_onnx *model = heed_onnx_new(NULL);
    ck_assert_int_eq(heed_onnx_input(NULL, "x", x), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_input: the model is NULL");
    ck_assert_int_eq(heed_onnx_input(model, NULL, x), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_input: the name is NULL");
    ck_assert_int_eq(heed_onnx_output(model, "y", NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_output: the tensor is NULL");
    ck_assert_int_eq(heed_onnx_output(model, "/y", x), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_output: the name is \"/y\": must not be empty or begin with '/'");
    ck_assert_int_eq(heed_onnx_save(model, "/tmp/x"), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "onnx_save: the model has no output: call heed_onnx_output first");
    ck_assert_int_eq(heed_onnx_input(model, "x", x), HEED_OK);
    ck_assert_int_eq(heed_onnx_output(model, "x", x), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_output: the name \"x\" is already in use");
    ck_assert_int_eq(heed_onnx_input(model, "z", x), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_input: the tensor of \"z\" is already the input \"x\"");
    ck_assert_int_eq(heed_onnx_output(model, "y", x), HEED_OK);
    ck_assert_int_eq(heed_onnx_output(model, "y", x), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_output: the name \"y\" is already in use");
    ck_assert_int_eq(heed_onnx_save(model, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_save: the path is NULL");
    ck_assert_int_eq(heed_onnx_save(model, "/nowhere/x"), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "/nowhere/x");
    heed_onnx_free(model);
}
END_TEST

/* Saves a model of net applied to ones, and expects it to fail. */
static void assert_refused(heed_module *net, heed_shape shape, const char *why)
{
    heed_onnx *model = heed_onnx_new(&(heed_onnx_options){.module = net});
    heed_onnx_output(model, "y", heed_module_forward(net, ones(shape)));
    ck_assert_int_eq(heed_onnx_save(model, "/tmp/heed-onnx-never"), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, why);
    ck_assert_int_ne(access("/tmp/heed-onnx-never", F_OK), 0);
    heed_onnx_free(model);
    ck_assert_int_eq(heed_module_free(net), HEED_OK);
}

START_TEST(training)
{
    assert_refused(&network()->base, HEED_SHAPE(2, 3), "op 'dropout' of module sequential.1 has no ONNX form");
    assert_refused(&heed_nn_batch_norm_new(3, NULL)->base, HEED_SHAPE(2, 3),
                   "'batch_norm' of module batch_norm has no ONNX form: it uses the statistics of the batch");
}
END_TEST

START_TEST(names_of_parameters)
{
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_tensor *x = ones(HEED_SHAPE(2, 3));
    heed_onnx *model = heed_onnx_new(&(heed_onnx_options){.module = &net->base});
    heed_onnx_input(model, "weight", x);
    heed_onnx_output(model, "y", heed_nn_linear_forward(net, x));
    ck_assert_int_eq(heed_onnx_save(model, "/tmp/heed-onnx-never"), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "onnx_save: \"weight\" names an input or output and a parameter or buffer");
    heed_onnx_free(model);
    heed_module_free(&net->base);
}
END_TEST

/* -- Ops of others ------------------------------------------------------------------------------------------------- */

static bool copy(const heed_call *call, heed_tensor *const *out)
{
    return heed_copy_(out[0], call->inputs[0]) == HEED_OK;
}

static void assert_op_refused(const heed_op *op, const void *params, const char *why)
{
    heed_onnx *model = heed_onnx_new(NULL);
    heed_tensor *x = ones(HEED_SHAPE(2));
    heed_onnx_output(model, "y", heed_apply(op, &x, 1, params));
    ck_assert_int_eq(heed_onnx_save(model, "/tmp/heed-onnx-never"), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, why);
    heed_onnx_free(model);
}

START_TEST(ops_of_others)
{
    heed_op op = {.name = "mine", .n_inputs = 1, .n_outputs = 1, .infer = heed_infer_same, .forward = copy};
    assert_op_refused(&op, NULL, "onnx_save: op 'mine' has no ONNX form");
    op.name = "linear"; /* like heed's op of that name, which has two or three inputs */
    assert_op_refused(&op, NULL, "onnx_save: op 'linear' has no ONNX form: it has too few inputs for an op of heed");
    op.name = "compare";
    op.params_size = sizeof(int64_t);
    op.fields = HEED_FIELDS(HEED_FIELD_ALONE(int64_t, "comparison"));
    assert_op_refused(&op, &(int64_t){99}, "onnx_save: op 'compare' has no ONNX form: its comparison is unknown");
    op.params_size = 0;
    op.fields = NULL;
    op.name = "mul_scalar";
    assert_op_refused(&op, NULL, "onnx_save: op 'mul_scalar' lacks the parameter 'number' of heed's op of this name");
    op.params_size = sizeof(int64_t);
    op.fields = HEED_FIELDS(HEED_FIELD_ALONE(int64_t, "number"));
    assert_op_refused(&op, &(int64_t){2}, "op 'mul_scalar' lacks the parameter 'number'");
    op.fields = HEED_FIELDS({.name = "number", .type = HEED_FIELD_F64, .offset = 4, .size = sizeof(double)});
    assert_op_refused(&op, &(int64_t){2}, "op 'mul_scalar' lacks the parameter 'number'");
}
END_TEST

START_TEST(second_outputs)
{
    heed_onnx *model = heed_onnx_new(NULL);
    heed_tensor *at = NULL;
    heed_max_pool(ones(HEED_SHAPE(1, 4)), HEED_SHAPE(2), NULL, &at);
    heed_onnx_output(model, "at", at);
    ck_assert_int_eq(heed_onnx_save(model, "/tmp/heed-onnx-never"), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "onnx_save: output 2 of op 'max_pool' has no ONNX form");
    heed_onnx_free(model);
}
END_TEST

START_TEST(too_many_observers)
{
    heed_onnx *models[HEED_MAX_OBSERVERS];
    for (int i = 0; i < HEED_MAX_OBSERVERS; i++)
        ck_assert_ptr_nonnull(models[i] = heed_onnx_new(NULL));
    ck_assert_ptr_null(heed_onnx_new(NULL));
    ck_assert_error(HEED_ERR_STATE, "onnx_new: add_observer: the maximum of 16 observers is registered already");
    for (int i = 0; i < HEED_MAX_OBSERVERS; i++)
        heed_onnx_free(models[i]);
}
END_TEST

/* -- The page: README.md has a line for every form ----------------------------------------------------------------- */

static bool page_has(const char *line)
{
    char text[512];
    bool found = false;
    FILE *page = fopen(HEED_SOURCE_DIR "/companions/onnx/README.md", "r");
    ck_assert_ptr_nonnull(page);
    while (!found && fgets(text, sizeof text, page))
        found = strcmp(text, line) == 0;
    ck_assert_int_eq(fclose(page), 0);
    return found;
}

static int lines_of_page(void)
{
    char text[512];
    int n = 0;
    FILE *page = fopen(HEED_SOURCE_DIR "/companions/onnx/README.md", "r");
    ck_assert_ptr_nonnull(page);
    while (fgets(text, sizeof text, page))
        n += strncmp(text, "| `", 3) == 0;
    ck_assert_int_eq(fclose(page), 0);
    return n;
}

START_TEST(the_page)
{
    static const char *const forms[][2] = {
#define HEED_ONNX_NODE(op, type) {#op, type},
#define HEED_ONNX_FORM(op, nodes) {#op, nodes},
#include "forms.def"
    };
    const int n = (int)(sizeof forms / sizeof *forms);
    for (int i = 0; i < n; i++) {
        char line[512];
        (void)snprintf(line, sizeof line, "| `%s` | %s |\n", forms[i][0], forms[i][1]);
        ck_assert_msg(page_has(line), "companions/onnx/README.md lacks: %s", line);
    }
    ck_assert_int_eq(lines_of_page(), n);
}
END_TEST

HEED_TEST_MAIN("onnx", a_module, only_what_counts, dynamic_batch, saves_again, detached, arguments, training,
               names_of_parameters, ops_of_others, second_outputs, too_many_observers, the_page)
