/* bench/networks.h - the networks that several workloads use.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BENCH_NETWORKS_H
#define HEED_BENCH_NETWORKS_H

#include <heed/heed.h>

enum { IMAGE_SIDE = 28, IMAGE_PIXELS = IMAGE_SIDE * IMAGE_SIDE, IMAGE_CLASSES = 10 };

/* The multilayer perceptron 784-256-10 with relu: (B, 784) -> (B, 10). */
heed_nn_sequential *bench_mlp_new(void);

/* LeNet as in the book Dive into Deep Learning: (B, 1, 28, 28) -> (B, 10). */
heed_nn_sequential *bench_lenet_new(void);

#endif
