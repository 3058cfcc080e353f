/* heed/nn/parametrizations.h - weight norm and spectral norm: parameters that are computed from others at each use.
 *
 *     heed_nn_conv *conv = heed_nn_conv_new(3, 16, HEED_SHAPE(3, 3), NULL);
 *     heed_nn_spectral_norm(&conv->base, "weight", NULL);
 *
 * A parametrization replaces one parameter of any module, a layer of the library or your own, by other parameters, the
 * originals. conv->weight becomes a computed tensor (heed_set_compute): every op that reads it computes the weight from
 * the originals first, and the gradient goes to the originals, to any order. The module's code does not change.
 *
 * Everything that walks over parameters sees the originals under PyTorch's names: the module's state, optimizers,
 * patterns, checkpoints and teams. In patterns with a type, the originals belong to a "parametrization". Parametrize
 * before you make an optimizer, because an older one still holds the replaced parameter. heed_module_find and the
 * fields of the module (conv->weight) return the computed tensor; heed_clone(conv->weight) is its present value. The
 * originals are frozen if the parameter was.
 *
 * Threads: several threads may run the module at once, except while base.training with spectral norm, which writes to
 * its buffers as batch norm does.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_PARAMETRIZATIONS_H
#define HEED_NN_PARAMETRIZATIONS_H

#include <heed/module.h>

HEED_BEGIN_DECLS

/* Options of heed_nn_weight_norm. */
typedef struct heed_nn_weight_norm_options {
    int dim; /* the axis whose slices have a length each; -1: one length for the whole parameter; 0: the first axis */
    HEED_RESERVED;
} heed_nn_weight_norm_options;

/* Replaces a parameter by its lengths g and its direction v.
 *
 *     w = g v / |v|
 *
 * where |v| has a norm for every slice along the axis `dim`, over all other axes: of a weight (out, in), g is (out, 1).
 * With -1 for `dim`, g is a scalar. At first g = |w| and v = w, so the values stay the same. A slice of zeros has no
 * direction and becomes NaN, as in PyTorch.
 *
 * `name` is the path of the parameter, "weight" or "encoder.0.weight". The layer's new parameters are g, named
 * "parametrizations.weight.original0", and v, named "parametrizations.weight.original1".
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, a name without a parameter, and a dim outside -1 .. rank - 1; HEED_ERR_SHAPE for
 * a scalar or empty parameter; HEED_ERR_STATE if it already has a parametrization; HEED_ERR_UNSUPPORTED if two modules
 * of the tree share it; HEED_ERR_NOMEM. After a failure the module is unchanged.
 * Reference: T. Salimans, D. P. Kingma: Weight Normalization: A Simple Reparameterization to Accelerate Training of
 * Deep Neural Networks (NeurIPS 2016).
 * torch: torch.nn.utils.parametrizations.weight_norm, torch.nn.utils.weight_norm */
HEED_API heed_status heed_nn_weight_norm(heed_module *m, const char *name, const heed_nn_weight_norm_options *options);

/* Options of heed_nn_spectral_norm. */
typedef struct heed_nn_spectral_norm_options {
    int dim;                /* the axis of the rows of W; 0: the first, but axis 1 of a heed_nn_conv_transpose */
    int n_power_iterations; /* per use while training, at most 1000; 0: 1 */
    double eps;             /* the lowest norm that a vector is divided by; 0: 1e-12 */
    HEED_RESERVED;
} heed_nn_spectral_norm_options;

/* Divides a parameter by its largest singular value, which bounds the Lipschitz constant of the layer.
 *
 *     w = original / sigma,   sigma = u^T W v
 *
 * where W is the original as a matrix: a row per slice along the axis `dim`. A negative axis counts from the end: the
 * first axis of a heed_nn_conv_transpose is -4, or -3 if it has one axis of space. The buffers u and v approximate the
 * first singular vectors. They begin with 15 power iterations from a random vector v of the generator in use
 * (heed_generator_use). While base.training every use of the parameter iterates first:
 *
 *     u = W v / max(|W v|, eps),   v = W^T u / max(|W^T u|, eps)
 *
 * A layer uses its weight once per forward; tied embeddings use it twice. After heed_module_eval the buffers do not
 * change. A parameter of one axis is divided by max(its norm, eps), without buffers.
 *
 * In a function of heed_checkpointed, the backward pass uses the buffers as they are and does not iterate again. It
 * fails with HEED_ERR_STATE if the parameter was used in between, while training.
 *
 * `name` is the path of the parameter, "weight" or "encoder.0.weight". The layer's new parameter is
 * "parametrizations.weight.original", and its buffers are "parametrizations.weight.0._u" and
 * "parametrizations.weight.0._v".
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, a name without a parameter, a dim that the parameter lacks, a number of
 * iterations outside 0 .. 1000, and a negative or non-finite eps; HEED_ERR_SHAPE for a scalar or empty parameter;
 * HEED_ERR_STATE if it already has a parametrization; HEED_ERR_UNSUPPORTED if two modules of the tree share it;
 * HEED_ERR_NOMEM. After a failure the module is unchanged.
 * Reference: T. Miyato, T. Kataoka, M. Koyama, Y. Yoshida: Spectral Normalization for Generative Adversarial Networks
 * (ICLR 2018).
 * torch: torch.nn.utils.parametrizations.spectral_norm, torch.nn.utils.spectral_norm */
HEED_API heed_status heed_nn_spectral_norm(heed_module *m, const char *name,
                                           const heed_nn_spectral_norm_options *options);

/* Removes a parametrization: the parameter is an ordinary one again, with the present computed value.
 * `name` is the path of the parameter, as before. The parameter becomes the last member of its module. Make a new
 * optimizer.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, and if there is no such parametrization; HEED_ERR_NOMEM. After a failure the
 * module is unchanged.
 * torch: torch.nn.utils.parametrize.remove_parametrizations */
HEED_API heed_status heed_nn_remove_parametrization(heed_module *m, const char *name);

HEED_END_DECLS

#endif
