/* kernels/kernels.h - the interface of the kernels: plain arrays in, plain arrays out.
 *
 * The kernels know no tensors, allocation, errors or threads. Arrays have the kernel's dtype; strides and counts are in
 * elements. Outputs are contiguous. An input of an elementwise or a rows kernel may be the output (same first element
 * and stride); apart from that, inputs and outputs may not overlap. Elementwise inputs may have stride 0 (one number)
 * or a negative stride. `p` points to the kernel's numbers; it is NULL for a kernel without numbers.
 *
 * NaN gives NaN, also in maxima and minima; infinities give limits; denormals are kept. The order of sums depends only
 * on the sizes.
 *
 * A kernel with `scratch` returns the bytes of scratch that it uses. With NULL as scratch it only returns their number;
 * a smaller range needs at most as many. The base of scratch is aligned to 64 bytes.
 *
 * Every family of kernels defines its arguments, and what it computes, in its args.h. The same source is compiled once
 * per instruction set (kernels/kernels.c); dispatch.c selects one at run time.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_H
#define HEED_KERNELS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/attention/args.h"
#include "kernels/conv/args.h"
#include "kernels/elementwise/args.h"
#include "kernels/linalg/args.h"
#include "kernels/matmul/args.h"
#include "kernels/recurrence/args.h"
#include "kernels/regression/args.h"
#include "kernels/rows/args.h"

/* -- The versions of every kernel, and the selection of one of them ------------------------------------------------ */

/* The versions of every kernel: by instruction set, in the order of dispatch.c, then for f32 (0) and f64 (1). Every
 * kernel has its own array, so that a linker leaves out kernels that a program does not use. kernels.c defines the
 * pointers in these arrays. */
#define KERNEL(type, name)                                                                                             \
    extern type *const *const heed__kernel_##name[][2];                                                                \
    extern type *const heed__##name##_scalar_f32, *const heed__##name##_scalar_f64;                                    \
    extern type *const heed__##name##_avx2_f32, *const heed__##name##_avx2_f64;                                        \
    extern type *const heed__##name##_avx512_f32, *const heed__##name##_avx512_f64;                                    \
    extern type *const heed__##name##_neon_f32, *const heed__##name##_neon_f64;
#include "kernels/kernels.def"

/* The name of a version of heed__NAME. isa and bits may be macros, which are expanded; NAME is not expanded. */
#define HEED__VERSION(name, isa, bits) HEED__VERSION_(name, isa, bits)
#define HEED__VERSION_(name, isa, bits) name##_##isa##_f##bits

/* The index of the selected instruction set: the best that the CPU supports, or the one that the environment variable
 * HEED_ISA names (scalar, avx2, avx512, neon). Negative until it is selected. */
extern atomic_int heed__isa_in_force;

static inline int heed__isa(void)
{
    return atomic_load_explicit(&heed__isa_in_force, memory_order_acquire);
}

static inline bool heed__isa_chosen(void)
{
    return heed__isa() >= 0;
}

/* Selects the instruction set. Sets *named to the value of HEED_ISA, or NULL. Returns false if HEED_ISA names an
 * instruction set that was not built or that the CPU lacks. */
bool heed__choose_isa(const char **named);

/* The kernel `name` for f32 (0) or f64 (1), the numeric values of the dtypes. Requires a selected instruction set;
 * heed_apply selects it before it calls an op's rules. */
#define HEED__KERNEL(name, dtype) (*heed__kernel_##name[heed__isa()][dtype])
#define HEED__RUN(name, dtype, ...) HEED__KERNEL(name, dtype)(__VA_ARGS__)

/* The name of the selected instruction set: "scalar", "avx2", "avx512" or "neon". */
const char *heed__isa_name(void);

/* The bytes of a processor's second-level cache, or a common size if they are unknown. For decisions that change the
 * time of a kernel, but not its result. */
int heed__second_level_cache(void);

/* Lists the available instruction sets, the best first: "avx512, avx2, scalar". */
void heed__list_isas(char *text, size_t size);

/* The index of the instruction set `name`; negative if it was not built or the CPU lacks it. */
int heed__isa_named(const char *name);

/* -- Kernels that multiply pairs of bf16, used only if the caller allows it ---------------------------------------- */

/* The kernel that replaces the f32 kernel matmul; NULL if the selected instruction set or the CPU lacks instructions
 * for bf16. It computes large products with pairs of bf16 (matmul/by_pairs.h). It adds at most 640 terms to C at a
 * time; a matrix unit multiplies 32 terms per instruction. */
heed__matmul_kernel *heed__matmul_bf16(void);

/* True if heed__matmul_bf16 can use a matrix unit. A process must first request the unit's registers from the system
 * (system/system.h). The result is valid once the instruction set is chosen. */
bool heed__has_matrix_unit(void);

/* The kernels that replace attention and its gradients for args with `pairs`. They are NULL if heed__matmul_bf16 is,
 * and if the CPU has a matrix unit: whether pairs in registers pay on such CPUs has not been measured. */
heed__attention_kernel *heed__attention_bf16(void);
heed__attention_grad_kernel *heed__attention_grad_bf16(void);

/* Their definitions, in bf16.c. */
int64_t heed__matmul_bf16_avx512(const heed__matmul_args *args, const heed__matmul_range *range, void *scratch);
int64_t heed__attention_bf16_avx512(const heed__attention_args *args, int64_t begin, int64_t end, void *scratch);
int64_t heed__attention_grad_bf16_avx512(const heed__attention_args *args, const heed__attention_grads *grads,
                                         int64_t begin, int64_t end, void *scratch);

#endif
