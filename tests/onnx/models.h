/* tests/onnx/models.h - the models that are written as ONNX files, and run by others. */
#ifndef HEED_TESTS_ONNX_MODELS_H
#define HEED_TESTS_ONNX_MODELS_H

#include <heed/heed.h>
#include <heed/onnx.h>

/* Each computes results of inputs that it names, from a generator that begins alike: the results, as NULL ends them. */
typedef struct example {
    const char *name;
    heed_module *(*make)(void); /* NULL: a model without a module */
    void (*run)(heed_module *net);
    bool dynamic; /* recorded with some rows of a batch, and to be run with others */
} example;

/* Of a batch: as many as are recorded, or as the file is run with. */
extern int64_t rows;

/* An input of the model that is being recorded, and an output. Both are written beside it, too. */
heed_tensor *input(const char *name, heed_tensor *x);
void output(heed_tensor *y);

heed_tensor *randn(heed_shape shape);

/* model_layers.c and model_ops.c; the last one's name is NULL. */
extern const example layer_examples[], op_examples[];

#endif
