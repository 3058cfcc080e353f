/* onnx/tests/models.c - writes every example into a folder: NAME.onnx, its inputs NAME.in.INPUT.npy, and heed's
 * results, NAME.out.OUTPUT.npy. For test_onnxruntime.py.
 *
 *     models FOLDER
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "models.h"

#include <stdlib.h>

static const char *folder, *name;
static heed_onnx *model;
static int n_outputs;
int64_t rows;

static void keep(const char *kind, const char *of, heed_tensor *t)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s.%s.%s.npy", folder, name, kind, of);
    heed_io_npy_write(path, heed_contiguous(t));
}

heed_tensor *input(const char *of, heed_tensor *x)
{
    if (model)
        heed_onnx_input(model, of, x);
    keep("in", of, x);
    return x;
}

void output(heed_tensor *y)
{
    char of[32];
    (void)snprintf(of, sizeof of, "y%d", n_outputs++);
    if (model)
        heed_onnx_output(model, of, y);
    keep("out", of, y);
}

heed_tensor *randn(heed_shape shape)
{
    return heed_randn(HEED_F32, shape);
}

/* Runs the example again with other rows, without recording. */
static void run_others(const example *e, heed_module *net)
{
    model = NULL;
    rows = 5;
    n_outputs = 0;
    e->run(net);
}

static void write_example(const example *e)
{
    char path[512];
    heed_scope *scope = heed_scope_begin();
    heed_module *net = e->make ? e->make() : NULL;
    if (net)
        heed_module_eval(net);
    name = e->name;
    n_outputs = 0;
    rows = 2;
    model = heed_onnx_new(&(heed_onnx_options){.module = net, .name = name, .dynamic_batch = e->dynamic});
    e->run(net);
    (void)snprintf(path, sizeof path, "%s/%s.onnx", folder, name);
    heed_onnx_save(model, path);
    heed_onnx_free(model);
    if (e->dynamic)
        run_others(e, net);
    heed_module_free(net);
    heed_scope_end(scope);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    folder = argv[1];
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(7);
    for (const example *e = layer_examples; e->name; e++)
        write_example(e);
    for (const example *e = op_examples; e->name; e++)
        write_example(e);
    return 0;
}
