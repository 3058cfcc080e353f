/* optim/updates.h - updates of a parameter and its buffers by the rules of heed/optim/rules.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_UPDATES_H
#define HEED_OPTIM_UPDATES_H

#include "optim/optimizer.h"

/* The coefficients of one update. With `maximize` the gradient changes its sign. */

/* The buffer b becomes keep b + take d, where d is the gradient with weight decay. */
typedef struct heed__sgd_rule {
    double lr, weight_decay, momentum, keep, take;
    bool maximize, nesterov;
} heed__sgd_rule;

typedef struct heed__adam_rule {
    double beta1, one_minus_beta1;
    double beta2, one_minus_beta2;
    double decay;  /* the gradient becomes g + decay p */
    double shrink; /* the parameter becomes shrink p before the update */
    double rate;   /* lr / (1 - beta1^t) */
    double root;   /* sqrt(1 - beta2^t) */
    double eps;
    bool maximize;
} heed__adam_rule;

/* The buffers of RMSprop. */
enum { HEED_RMSPROP_SQUARES, HEED_RMSPROP_MOMENTUM, HEED_RMSPROP_MEANS };

typedef struct heed__rmsprop_rule {
    double lr, alpha, eps, decay, momentum;
    bool maximize;
} heed__rmsprop_rule;

typedef struct heed__adagrad_rule {
    double rate; /* lr / (1 + (t - 1) lr_decay) */
    double eps, decay;
    bool maximize;
} heed__adagrad_rule;

typedef struct heed__lion_rule {
    double lr, shrink, beta1, beta2; /* shrink = 1 - lr weight_decay */
    bool maximize;
} heed__lion_rule;

typedef struct heed__muon_rule {
    double rate, shrink, take; /* rate = lr sqrt(max(1, rows / columns)), shrink = 1 - lr weight_decay */
    bool maximize;
} heed__muon_rule;

/* Update slot->target and the slot's buffers. */
void heed__update_sgd(const heed__sgd_rule *rule, heed__slot *slot);
void heed__update_adam(const heed__adam_rule *rule, heed__slot *slot);
void heed__update_rmsprop(const heed__rmsprop_rule *rule, heed__slot *slot);
void heed__update_adagrad(const heed__adagrad_rule *rule, heed__slot *slot);
void heed__update_lion(const heed__lion_rule *rule, heed__slot *slot);
void heed__update_muon(const heed__muon_rule *rule, heed__slot *slot);

/* Sets a = a + weight (p - a) for an average a and a parameter p of the same shape and dtype. */
void heed__move_average(heed_tensor *a, const heed_tensor *p, double weight);

#endif
