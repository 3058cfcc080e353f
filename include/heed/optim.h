/* heed/optim.h - optimizers, learning-rate schedules, gradient clipping and averages of parameters.
 *
 *     heed_optimizer *adam = heed_optim_adam(&net->base, NULL);
 *     heed_schedule *schedule = heed_schedule_new_cosine(adam, epochs, 0.0);
 *     for (...) {
 *         heed_optimizer_zero_grad(adam);
 *         heed_backward(loss);
 *         heed_optim_clip_grad_norm_(&net->base, 1.0, NULL);
 *         heed_optimizer_step(adam);
 *     }
 *     heed_schedule_step(schedule);     after every epoch, or every step, according to its unit
 *
 * Gradients accumulate until they are zeroed. A batch too large for the memory can therefore be processed in k
 * equal chunks (with unequal chunks, multiply every loss by its share of the samples; a team of processes uses shards
 * instead: heed/data_parallel.h):
 *
 *     heed_optimizer_zero_grad(adam);
 *     for (int part = 0; part < k; part++) {
 *         heed_scope *scope = heed_scope_begin();
 *         heed_backward(heed_mul_scalar(loss_of(part), 1.0 / k));
 *         heed_scope_end(scope);
 *     }
 *     heed_optimizer_step(adam);
 *
 * Each of these topics has its own header in heed/optim.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_H
#define HEED_OPTIM_H

#include <heed/optim/average.h>
#include <heed/optim/base.h>
#include <heed/optim/clipping.h>
#include <heed/optim/rules.h>
#include <heed/optim/schedules.h>

#endif
