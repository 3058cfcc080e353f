/* heed/nn.h - layers; a page for each family in heed/nn, and recurrent ones in heed/recurrent.h. Each is a module
 * (heed/module.h): a struct that begins with `heed_module base`, is made by heed_nn_NAME_new, run by
 * heed_nn_NAME_forward and freed by heed_module_free(&net->base).
 *
 *     heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(784, 256, NULL),
 *                                                                   heed_nn_function_new("relu", heed_relu),
 *                                                                   heed_nn_linear_new(256, 10, NULL)));
 *     heed_tensor *logits = heed_nn_sequential_forward(net, images);
 *     ...
 *     heed_module_free(&net->base);
 *
 * Parameters have PyTorch's names, shapes and initial distributions wherever PyTorch has the layer, and the book's
 * where it has not, so that weights can be exchanged. They are drawn from the default generator (heed/random.h).
 *
 * NULL options are the defaults: f32, with biases, no dropout. All constructors return NULL with HEED_ERR_ARGUMENT for
 * a size below 1 or another number out of its range, HEED_ERR_SHAPE for a parameter of more elements than can be
 * counted, HEED_ERR_DTYPE for a dtype other than f32 and f64, HEED_ERR_NOMEM.
 * All forwards return NULL with HEED_ERR_ARGUMENT for a NULL module or tensor, HEED_ERR_SHAPE, HEED_ERR_DTYPE for a
 * tensor of another dtype than the module's, HEED_ERR_NOMEM. They are recorded, and differentiable in the inputs of
 * floating-point dtype and in the parameters.
 *
 * Shapes: B sequences, T steps, Q queries, K keys.
 */
#ifndef HEED_NN_H
#define HEED_NN_H

#include <heed/nn/attention.h>
#include <heed/nn/conv.h>
#include <heed/nn/decoder.h>
#include <heed/nn/init.h>
#include <heed/nn/kernel_regression.h>
#include <heed/nn/layers.h>
#include <heed/nn/norm.h>
#include <heed/nn/transformer.h>
#include <heed/nn/vision.h>

#endif
