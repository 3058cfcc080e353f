/* kernels/bf16.h - f32 kernels that multiply pairs of bf16, used only if the caller allows it. */
#ifndef HEED_KERNELS_BF16_H
#define HEED_KERNELS_BF16_H

#include "kernels/kernels.h"

/* Replaces the f32 kernel matmul: multiplies larger products by pairs of bf16 (matmul/by_pairs.h), in chains of up to
 * 640 terms, 32 terms at a time with a matrix unit. NULL if the selected instruction set or the CPU lacks such
 * instructions. */
heed__matmul_kernel *heed__matmul_bf16(void);

/* True if that kernel can use a matrix unit, whose registers a process must request from the system first
 * (system/system.h). Known once the instruction set is chosen. */
bool heed__has_matrix_unit(void);

/* Replace attention and its gradients, for args with `pairs`. Also NULL if the CPU has a matrix unit: whether pairs in
 * registers pay on such CPUs has not been measured. */
heed__attention_kernel *heed__attention_bf16(void);
heed__attention_grad_kernel *heed__attention_grad_bf16(void);

/* Defined in bf16.c. */
int64_t heed__matmul_bf16_avx512(const heed__matmul_args *args, const heed__matmul_range *range, void *scratch);
int64_t heed__attention_bf16_avx512(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch);
int64_t heed__attention_grad_bf16_avx512(const heed__attention_args *args, const heed__attention_grads *grads,
                                         int64_t begin, int64_t end, void *scratch);

#endif
