/* onnx/tests/models.h - models that the tests write as ONNX files and onnxruntime runs.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_ONNX_MODELS_H
#define HEED_TESTS_ONNX_MODELS_H

#include <heed/heed.h>
#include <heed/onnx.h>

/* An example computes outputs from named inputs, with a generator that always starts with the same seed. */
typedef struct example {
    const char *name;
    heed_module *(*make)(void); /* NULL: a model without a module */
    void (*run)(heed_module *net);
    bool dynamic; /* recorded with one number of rows, and to be run with a different number */
} example;

/* The number of rows in a batch. Examples that are `dynamic` are recorded with one number and run with another. */
extern int64_t rows;

/* Declares an input of the recorded model, and an output. Both are also written as files. */
heed_tensor *input(const char *name, heed_tensor *x);
void output(heed_tensor *y);

heed_tensor *randn(heed_shape shape);

/* model_layers.c and model_ops.c; the list ends with a NULL name. */
extern const example layer_examples[], op_examples[];

#endif
