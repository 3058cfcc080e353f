/* kernels/bf16.c - kernels of f32 that multiply pairs of bf16, for a CPU that does. src/CMakeLists.txt compiles them
 * once, with the flags of their instruction set: kernels.h says what they are for. */

#include "kernels/bf16.h"

#include "kernels/attention/backward.h"
#include "kernels/attention/forward.h"
#include "kernels/matmul/matmul.h"

void heed__matmul_bf16_avx512(const heed__matmul_args *args, const heed__matmul_part *part, void *scratch)
{
    matmul_kernel(args, part, scratch);
}

void heed__attention_bf16_avx512(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch)
{
    attend_by_blocks(args, begin, end, scratch);
}

void heed__attention_grad_bf16_avx512(const heed__attention_args *args, const heed__attention_grads *grads,
                                      int64_t begin, int64_t end, void *scratch)
{
    clear_grads(args, grads, begin, end);
    grad_by_blocks(args, grads, begin, end, scratch);
}
