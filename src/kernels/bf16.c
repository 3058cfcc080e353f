/* kernels/bf16.c - f32 kernels that multiply pairs of bf16, for CPUs with such instructions. src/CMakeLists.txt
 * compiles this file once, with the flags of the instruction set; kernels.h describes the kernels.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernels/kernels.h"

#include "kernels/attention/backward.h"
#include "kernels/attention/forward.h"
#include "kernels/matmul/matmul.h"

int64_t heed__matmul_bf16_avx512(const heed__matmul_args *args, const heed__matmul_range *range, void *scratch)
{
    return matmul_kernel(args, range, scratch);
}

int64_t heed__attention_bf16_avx512(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch)
{
    return attend_by_blocks(args, begin, end, scratch);
}

int64_t heed__attention_grad_bf16_avx512(const heed__attention_args *args, const heed__attention_grads *grads,
                                         int64_t begin, int64_t end, void *scratch)
{
    if (scratch)
        clear_grads(args, grads, begin, end);
    return grad_by_blocks(args, grads, begin, end, scratch);
}
