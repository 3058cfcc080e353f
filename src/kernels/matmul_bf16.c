/* kernels/matmul_bf16.c - matmul of f32 by pairs of bf16, for a CPU that has them. src/CMakeLists.txt compiles it once,
 * with the flags of its instruction set: kernels.h says what it is for. */

#include "kernels/matmul/matmul.h"

void heed__matmul_bf16_avx512(const heed__matmul_args *args, const heed__matmul_part *part, void *scratch)
{
    matmul_kernel(args, part, scratch);
}
