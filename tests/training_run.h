/* tests/training_run.h - a small training run with everything that a checkpoint holds: dropout, Adam or SGD, a
 * schedule, a shuffling loader, progress, an extra tensor.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TRAINING_RUN_H
#define TRAINING_RUN_H

#include "check_heed.h"

#include <stdio.h>

#define TRAINING_SAMPLES 11
#define TRAINING_BATCHES 3 /* of 4, 4 and 3 samples */
#define TRAINING_EPOCHS 1000000

typedef struct training {
    heed_checkpoint run;
    heed_schedule *schedule;
    heed_dataset *data;
    heed_loader *loader;
    heed_progress *progress;
    heed_tensor *loss; /* f64 (): the last step's */
    FILE *file;        /* takes the progress lines */
} training;

static inline heed_module *training_net(heed_dtype dtype)
{
    heed_nn_linear_options o = {.dtype = dtype};
    heed_nn_sequential *net =
        heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(3, 6, &o), heed_nn_dropout_new(0.25),
                                            heed_nn_function_new("tanh", heed_tanh), heed_nn_linear_new(6, 2, &o)));
    return net ? &net->base : NULL;
}

/* Samples (11, 3) and targets (11, 2), by a formula. */
static inline heed_dataset *training_data(heed_dtype dtype)
{
    heed_tensor *x = heed_sin(heed_arange(HEED_F64, 0, 3 * TRAINING_SAMPLES, 1));
    heed_tensor *y = heed_cos(heed_arange(HEED_F64, 0, 2 * TRAINING_SAMPLES, 1));
    x = heed_to_dtype(heed_reshape(x, HEED_SHAPE(TRAINING_SAMPLES, 3)), dtype);
    y = heed_to_dtype(heed_reshape(y, HEED_SHAPE(TRAINING_SAMPLES, 2)), dtype);
    return x && y ? heed_dataset_new(HEED_TENSORS(x, y)) : NULL;
}

static inline void training_free(training *t)
{
    heed_schedule_free(t->schedule);
    heed_optimizer_free(t->run.optimizer);
    heed_module_free(t->run.module);
    heed_loader_free(t->loader);
    heed_dataset_free(t->data);
    heed_progress_free(t->progress);
    heed_dict_free(t->run.extra);
    if (t->file)
        (void)fclose(t->file);
    *t = (training){.file = NULL};
}

/* Fills all fields. Returns false after a failure of heed; the objects made so far must then be freed. */
static inline bool training_begin(training *t, heed_dtype dtype, bool sgd)
{
    *t = (training){.file = fopen("/dev/null", "w")};
    heed_manual_seed(5);
    heed_scope *scope = heed_scope_begin();
    t->run.module = scope ? training_net(dtype) : NULL;
    t->data = t->run.module ? training_data(dtype) : NULL;
    t->loader = t->data ? heed_loader_new(t->data, &(heed_loader_options){.batch_size = 4, .shuffle = true}) : NULL;
    if (t->loader)
        t->run.optimizer = sgd ? heed_optim_sgd(t->run.module, &(heed_optim_sgd_options){.lr = 0.1, .momentum = 0.9})
                               : heed_optim_adam(t->run.module, &(heed_optim_adam_options){.lr = 0.05});
    t->schedule = t->run.optimizer ? heed_schedule_new_step(t->run.optimizer, 1, 0.97) : NULL;
    heed_progress_options o = {.epochs = TRAINING_EPOCHS, .steps = TRAINING_BATCHES, .interval = 1e9};
    t->progress = t->schedule ? heed_progress_new(t->file, &o) : NULL;
    t->run.extra = t->progress ? heed_dict_new() : NULL;
    t->loss = t->run.extra ? heed_zeros(HEED_F64, HEED_SCALAR) : NULL;
    t->run.loader = t->loader;
    t->run.progress = t->progress;
    bool done = t->loss && heed_dict_set(t->run.extra, "loss", t->loss) == HEED_OK;
    if (scope)
        heed_scope_end(scope);
    return done;
}

static inline training training_new(heed_dtype dtype, bool sgd)
{
    training t;
    ck_assert_msg(training_begin(&t, dtype, sgd), "%s", heed_error_message());
    return t;
}

static inline void training_step(training *t)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *batch[2];
    ck_assert_int_eq(heed_loader_next(t->loader, batch), HEED_OK);
    heed_tensor *loss = heed_mse_loss(heed_module_forward(t->run.module, batch[0]), batch[1], HEED_REDUCTION_MEAN);
    heed_optimizer_zero_grad(t->run.optimizer);
    heed_backward(loss);
    heed_optimizer_step(t->run.optimizer);
    heed_schedule_step(t->schedule);
    heed_progress_step(t->progress, heed_item(loss), 1);
    heed_fill_(t->loss, heed_progress_loss(t->progress));
    heed_scope_end(scope);
    t->run.step++;
    ck_assert_msg(heed_error_code() == HEED_OK, "%s", heed_error_message());
}

static inline uint64_t training_add_hash(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* FNV-1a of the parameters' bits, and of the loss. */
static inline uint64_t training_hash(const training *t)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    heed_dict *state = heed_module_state(t->run.module);
    ck_assert_ptr_nonnull(state);
    for (int64_t i = 0; i < heed_dict_size(state); i++) {
        const heed_tensor *p = heed_dict_at(state, i);
        bool f32 = heed_dtype_of(p) == HEED_F32;
        const void *bytes = f32 ? (const void *)heed_data_f32(p) : (const void *)heed_data_f64(p);
        hash = training_add_hash(hash, bytes, (size_t)heed_numel(p) * heed_dtype_size(heed_dtype_of(p)));
    }
    heed_dict_free(state);
    return training_add_hash(hash, heed_data_f64(t->loss), sizeof(double));
}

#endif
