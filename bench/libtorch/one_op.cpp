/* bench/libtorch/one_op.cpp - the smallest program, like bench/one_op.c, with libtorch.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <torch/torch.h>

int main()
{
    return (torch::ones(2) + 1).sum().item<float>() == 4.0F ? 0 : 1;
}
