/* bench/libtorch/nw_process.cpp - the book's parametric kernel regression as a whole program with libtorch, like
 * bench/nw_process.c and torch_bench.py: data, 5 epochs, a line per epoch.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <torch/torch.h>

#include <cstdio>

int main()
{
    torch::manual_seed(0);
    const int64_t n = 50;
    torch::Tensor x = std::get<0>(torch::sort(torch::rand({n}) * 5));
    torch::Tensor y = 2 * torch::sin(x) + torch::pow(x, 0.8) + torch::normal(0.0, 0.5, {n});
    torch::Tensor others = (1 - torch::eye(n)).to(torch::kBool); /* leave one out */
    torch::Tensor keys = x.repeat({n, 1}).masked_select(others).reshape({n, -1});
    torch::Tensor values = y.repeat({n, 1}).masked_select(others).reshape({n, -1});
    torch::Tensor w = torch::rand({1}).requires_grad_();
    torch::optim::SGD sgd({w}, 0.5);
    for (int epoch = 1; epoch <= 5; epoch++) {
        sgd.zero_grad();
        torch::Tensor queries = x.repeat_interleave(keys.size(1)).reshape({-1, keys.size(1)});
        torch::Tensor weights = torch::softmax(-((queries - keys) * w).square() / 2, 1);
        torch::Tensor y_hat = torch::bmm(weights.unsqueeze(1), values.unsqueeze(-1)).reshape(-1);
        torch::Tensor loss = (y_hat - y).square().sum() / 2;
        loss.backward();
        sgd.step();
        std::printf("epoch %d, loss %.6f\n", epoch, static_cast<double>(loss.item<float>()));
    }
    return 0;
}
