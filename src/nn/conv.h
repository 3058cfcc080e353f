/* nn/conv.h - shared by convolution and pooling layers: checks and parameters. `where` is the constructor's name. */
#ifndef HEED_NN_CONV_SHARED_H
#define HEED_NN_CONV_SHARED_H

#include <heed/nn/conv.h>

#include "nn/layer.h"

/* Checks that there are at most `axes` numbers, each at least `minimum`. Returns false after heed_fail. */
bool heed__layer_check_numbers(const char *where, const char *name, int axes, const heed_shape *numbers,
                               int64_t minimum);

/* Checks that a kernel has 1 to `axes` numbers, each at least 1. Returns false after heed_fail. */
bool heed__layer_check_kernel(const char *where, const char *name, int axes, const heed_shape *kernel);

/* The settings of a convolution. The weight has the shape (out, in / groups, kernel), or (in, out / groups, kernel) if
 * transposed. */
typedef struct heed__conv_layer {
    int axes;
    int64_t in, out, groups; /* groups 0 means 1 */
    const heed_shape *kernel, *stride, *padding, *dilation;
    const heed_shape *output_padding; /* only if transposed */
    bool transposed, same, no_bias;
    heed_dtype dtype;
} heed__conv_layer;

/* Collect a constructor's arguments. The result contains pointers into them. */
heed__conv_layer heed__conv_layer_of(int axes, int64_t in, int64_t out, const heed_shape *kernel,
                                     const heed_nn_conv_options *options);
heed__conv_layer heed__conv_layer_transposed_of(int axes, int64_t in, int64_t out, const heed_shape *kernel,
                                                const heed_nn_conv_transpose_options *options);

/* Checks the settings. Returns false after heed_fail. */
bool heed__conv_layer_check(const char *where, const heed__conv_layer *layer);

/* Registers "weight" and "bias", initialised like PyTorch's. Returns false after heed_fail. */
bool heed__conv_layer_parameters(heed_module *m, const heed__conv_layer *layer, heed_tensor **weight,
                                 heed_tensor **bias);

#endif
