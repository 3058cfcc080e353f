/* tests/promises/hostile/training.c - a small training run for test_hostile.py, which starts it in hostile
 * environments: without descriptors, memory or stack, with odd settings and locales.
 *
 *     training RESULT [STACK]
 *
 * writes a hash of the trained parameters to the file RESULT; with STACK, in a thread with a stack of STACK bytes.
 * Exit code 3 and the error in RESULT if heed has no memory.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heed/heed.h>

static const char *path;

/* Writes the hash, or the error. */
static void write_result(uint64_t hash, const char *error)
{
    FILE *file = fopen(path, "w");
    if (!file)
        exit(4);
    (void)fprintf(file, "%016llx %s\n", (unsigned long long)hash, error);
    if (fclose(file) != 0)
        exit(4);
}

static heed_status mix(const heed_module_visit *visit, void *user)
{
    const float *values = heed_data_f32(visit->tensor);
    uint64_t *hash = user;
    for (int64_t i = 0; values && i < heed_numel(visit->tensor); i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        *hash = (*hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return heed_error_code();
}

static heed_status train(heed_nn_sequential *net, heed_optimizer *adam)
{
    heed_tensor *x = heed_retain(heed_randn(HEED_F32, HEED_SHAPE(8, 200)));
    for (int step = 0; step < 3 && heed_error_code() == HEED_OK; step++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *y = heed_nn_sequential_forward(net, x);
        heed_tensor *attended =
            heed_dot_product_attention(heed_unsqueeze(y, 0), heed_unsqueeze(y, 0), heed_unsqueeze(y, 0), NULL, NULL);
        heed_backward(heed_mean(heed_square(heed_sort(attended))));
        heed_optimizer_step(adam);
        heed_optimizer_zero_grad(adam);
        heed_scope_end(scope);
    }
    heed_release(x);
    return heed_error_code();
}

static heed_status run(uint64_t *hash)
{
    heed_manual_seed(1);
    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(200, 3000, NULL),
                                                                  heed_nn_function_new("tanh", heed_tanh),
                                                                  heed_nn_linear_new(3000, 50, NULL)));
    heed_optimizer *adam = net ? heed_optim_adam(&net->base, NULL) : NULL;
    if (adam && train(net, adam) == HEED_OK)
        heed_module_walk(&net->base, mix, hash);
    heed_optimizer_free(adam);
    heed_module_free((heed_module *)net);
    heed_thread_cleanup();
    return heed_error_code();
}

static void *report(void *unused)
{
    (void)unused;
    uint64_t hash = 1;
    if (run(&hash) == HEED_OK && heed_memory_get_stats().live_objects == 0) {
        write_result(hash, "");
        exit(0);
    }
    write_result(0, heed_error_message());
    exit(heed_error_code() == HEED_ERR_NOMEM ? 3 : 1);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    path = argv[1];
    (void)setlocale(LC_ALL, "");
    if (argc == 2)
        report(NULL);
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstacksize(&attributes, strtoul(argv[2], NULL, 10)) != 0 ||
        pthread_create(&thread, &attributes, report, NULL) != 0)
        return 5;
    (void)pthread_join(thread, NULL);
    return 6;
}
