/* heed/nn.h - layers; every family has its own header in heed/nn, recurrent layers are in heed/recurrent.h. A layer is
 * a module (heed/module.h): a struct that begins with `heed_module base`, is created by heed_nn_NAME_new, run by
 * heed_nn_NAME_forward and freed by heed_module_free(&net->base).
 *
 *     heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(784, 256, NULL),
 *                                                                   heed_nn_function_new("relu", heed_relu),
 *                                                                   heed_nn_linear_new(256, 10, NULL)));
 *     heed_tensor *logits = heed_nn_sequential_forward(net, images);
 *     ...
 *     heed_module_free(&net->base);
 *
 * Parameters have PyTorch's names, shapes and initial distributions if PyTorch has the layer, so that weights can be
 * exchanged; otherwise the names, shapes and distributions of the book Dive into Deep Learning ("the book" in these
 * headers). Initial values are drawn from the generator in use (heed_generator_use).
 *
 * NULL options are the defaults: f32, with biases, no dropout. All constructors return NULL with HEED_ERR_ARGUMENT for
 * a size below 1 or any other number out of its range, HEED_ERR_SHAPE for a parameter with too many elements to be
 * counted, HEED_ERR_DTYPE for a dtype other than f32 and f64, HEED_ERR_NOMEM.
 * All forwards return NULL with HEED_ERR_ARGUMENT for a NULL module or tensor, HEED_ERR_SHAPE, HEED_ERR_DTYPE for a
 * tensor whose dtype differs from the module's, HEED_ERR_NOMEM. They are recorded, and differentiable in the inputs of
 * floating-point dtype and in the parameters.
 *
 * Shapes: B sequences, T steps, Q queries, K keys.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_H
#define HEED_NN_H

#include <heed/nn/attention.h>
#include <heed/nn/conv.h>
#include <heed/nn/decoder.h>
#include <heed/nn/init.h>
#include <heed/nn/kernel_regression.h>
#include <heed/nn/layers.h>
#include <heed/nn/norm.h>
#include <heed/nn/parametrizations.h>
#include <heed/nn/transformer.h>
#include <heed/nn/vision.h>

#endif
