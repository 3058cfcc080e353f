/* nn/conv.h - what layers with windows share: checks, parameters. `where` is the constructor's name. */
#ifndef HEED_NN_CONV_SHARED_H
#define HEED_NN_CONV_SHARED_H

#include <heed/nn/conv.h>

#include "nn/layer.h"

/* `numbers` are at most so many, each `least` or more. False after heed_fail. */
bool heed__layer_check_numbers(const char *where, const char *name, int axes, const heed_shape *numbers, int64_t least);

/* A kernel: the same, with one number at least. */
bool heed__layer_check_kernel(const char *where, const char *name, int axes, const heed_shape *kernel);

/* What makes a convolution: (first, second / groups, kernel) is the shape of its weight. */
typedef struct heed__conv_layer {
    int axes;
    int64_t in, out, groups; /* groups 0: 1 */
    const heed_shape *kernel, *stride, *padding, *dilation;
    const heed_shape *output_padding; /* of a transposed one */
    bool transposed, same, no_bias;
    heed_dtype dtype;
} heed__conv_layer;

/* What a constructor was given, to which the result points. */
heed__conv_layer heed__conv_layer_of(int axes, int64_t in, int64_t out, const heed_shape *kernel,
                                     const heed_nn_conv_options *options);
heed__conv_layer heed__conv_layer_transposed_of(int axes, int64_t in, int64_t out, const heed_shape *kernel,
                                                const heed_nn_conv_transpose_options *options);

/* False after heed_fail. */
bool heed__conv_layer_check(const char *where, const heed__conv_layer *layer);

/* "weight" and "bias", drawn as PyTorch does. False after heed_fail. */
bool heed__conv_layer_parameters(heed_module *m, const heed__conv_layer *layer, heed_tensor **weight,
                                 heed_tensor **bias);

#endif
