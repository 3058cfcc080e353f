/* heed/nn/init.h - initial values of parameters.
 *
 * The functions correspond to torch.nn.init. They write every element of t in place, draw from the default generator
 * (heed/random.h), and are not recorded, so t may require a gradient. After a failure t is unchanged.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_INIT_H
#define HEED_NN_INIT_H

#include <heed/random.h>

HEED_BEGIN_DECLS

/* Fills t with U(low, high).
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, if low > high, and if low, high or high - low is not finite in the dtype of t;
 * HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
 * torch: torch.nn.init.uniform_ */
HEED_API heed_status heed_nn_init_uniform_(heed_tensor *t, double low, double high);

/* Fills t with N(mean, std^2).
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, and unless both are finite in the dtype of t, and std is 0 or more;
 * HEED_ERR_DTYPE unless f32 or f64; HEED_ERR_NOMEM.
 * torch: torch.nn.init.normal_ */
HEED_API heed_status heed_nn_init_normal_(heed_tensor *t, double mean, double std);

/* Fills t (out, in, ...) with U(-a, a), a = sqrt(6 / (in + out)); the product of the sizes after `in` multiplies both.
 *
 * Errors: HEED_ERR_SHAPE for a rank below 2; HEED_ERR_ARGUMENT for NULL; HEED_ERR_DTYPE unless f32 or f64;
 * HEED_ERR_NOMEM.
 * Reference: X. Glorot, Y. Bengio: Understanding the difficulty of training deep feedforward neural networks (AISTATS
 * 2010).
 * torch: torch.nn.init.xavier_uniform_ */
HEED_API heed_status heed_nn_init_xavier_uniform_(heed_tensor *t);

/* Fills t (out, in, ...) with U(-a, a), a = sqrt(6 / in), for ReLU; the product of the sizes after `in` multiplies it.
 *
 * Errors: HEED_ERR_SHAPE for a rank below 2; HEED_ERR_ARGUMENT for NULL; HEED_ERR_DTYPE unless f32 or f64;
 * HEED_ERR_NOMEM.
 * Reference: K. He, X. Zhang, S. Ren, J. Sun: Delving Deep into Rectifiers (ICCV 2015).
 * torch: torch.nn.init.kaiming_uniform_ */
HEED_API heed_status heed_nn_init_kaiming_uniform_(heed_tensor *t);

HEED_END_DECLS

#endif
