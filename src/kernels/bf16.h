/* kernels/bf16.h - f32 kernels that multiply pairs of bf16, used only if the caller allows it. */
#ifndef HEED_KERNELS_BF16_H
#define HEED_KERNELS_BF16_H

#include "kernels/kernels.h"

/* The kernel that replaces the f32 kernel matmul; NULL if the selected instruction set or the CPU lacks instructions
 * for bf16. It computes large products with pairs of bf16 (matmul/by_pairs.h). It adds at most 640 terms to C at a
 * time; a matrix unit multiplies 32 terms per instruction. */
heed__matmul_kernel *heed__matmul_bf16(void);

/* True if heed__matmul_bf16 can use a matrix unit. A process must first request the unit's registers from the system
 * (system/matrix_unit.h). The result is valid once the instruction set is chosen. */
bool heed__has_matrix_unit(void);

/* The kernels that replace attention and its gradients for args with `pairs`. They are NULL if heed__matmul_bf16 is,
 * and if the CPU has a matrix unit: whether pairs in registers pay on such CPUs has not been measured. */
heed__attention_kernel *heed__attention_bf16(void);
heed__attention_grad_kernel *heed__attention_grad_bf16(void);

/* Defined in bf16.c. */
int64_t heed__matmul_bf16_avx512(const heed__matmul_args *args, const heed__matmul_range *range, void *scratch);
int64_t heed__attention_bf16_avx512(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch);
int64_t heed__attention_grad_bf16_avx512(const heed__attention_args *args, const heed__attention_grads *grads,
                                         int64_t begin, int64_t end, void *scratch);

#endif
