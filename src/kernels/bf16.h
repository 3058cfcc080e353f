/* kernels/bf16.h - kernels of f32 that multiply pairs of bf16, where callers allow that. */
#ifndef HEED_KERNELS_BF16_H
#define HEED_KERNELS_BF16_H

#include "kernels/kernels.h"

/* Multiplies f32 in place of the kernel matmul, the larger products by pairs of bf16 (matmul/by_pairs.h), in chains of
 * up to 640 terms, of 32 by a matrix unit. NULL where the instruction set in force, or the CPU, has none. */
heed__matmul_kernel *heed__matmul_bf16(void);

/* Whether that kernel may be asked for a matrix unit, whose registers a process gets only if it asks its system for
 * them (system/matrix_unit.h). Known once the instruction set is chosen. */
bool heed__has_matrix_unit(void);

/* The same in place of attention and its gradients, for args with `pairs`. NULL also where there is a matrix unit:
 * whether pairs in registers pay there has not been measured. */
heed__attention_kernel *heed__attention_bf16(void);
heed__attention_grad_kernel *heed__attention_grad_bf16(void);

/* Made by bf16.c. */
void heed__matmul_bf16_avx512(const heed__matmul_args *args, const heed__matmul_part *part, void *scratch);
void heed__attention_bf16_avx512(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch);
void heed__attention_grad_bf16_avx512(const heed__attention_args *args, const heed__attention_grads *grads,
                                      int64_t begin, int64_t end, void *scratch);

#endif
