/* heed/optim.h - optimizers, learning-rate schedules, clipping, averages.
 *
 *     heed_optimizer *adam = heed_optim_adam(&net->base, NULL);
 *     heed_schedule *schedule = heed_schedule_new_cosine(adam, epochs, 0.0);
 *     for (...) {
 *         heed_optimizer_zero_grad(adam);
 *         heed_backward(loss);
 *         heed_optim_clip_grad_norm_(&net->base, 1.0, NULL);
 *         heed_optimizer_step(adam);
 *     }
 *     heed_schedule_step(schedule);     after each epoch, or after each step: whichever its numbers count
 *
 * Gradients add up until they are dropped. So a batch that is too large for the memory may come in k equal parts (of
 * unequal ones, each loss is multiplied by its share of the samples; a team has shards: heed/data_parallel.h):
 *
 *     heed_optimizer_zero_grad(adam);
 *     for (int part = 0; part < k; part++) {
 *         heed_scope *scope = heed_scope_begin();
 *         heed_backward(heed_mul_scalar(loss_of(part), 1.0 / k));
 *         heed_scope_end(scope);
 *     }
 *     heed_optimizer_step(adam);
 *
 * Each part has a page of its own in heed/optim.
 */
#ifndef HEED_OPTIM_H
#define HEED_OPTIM_H

#include <heed/optim/average.h>
#include <heed/optim/base.h>
#include <heed/optim/clipping.h>
#include <heed/optim/rules.h>
#include <heed/optim/schedules.h>

#endif
