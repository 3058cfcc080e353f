/* kernels/kernels.c - all kernels for one instruction set and one element type. src/CMakeLists.txt compiles this file
 * once for every combination, with HEED_ISA (scalar, avx2, avx512, neon) and HEED_ELEMENT_BITS (32, 64) defined and
 * with the compiler flags of the instruction set. README.md describes the folder.
 *
 * Every instruction set with a fused multiply-add gives the same bits: kernels add the same terms in the same order, in
 * lanes of 64 bytes (simd/wide.h), and fuse in the same places. The scalar kernels do not fuse, and products of bf16
 * (bf16.c) depend on the processor. No result depends on the number of threads or on an element's position.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernels/kernels.h"
#include "kernels/attention/additive_grad.h"
#include "kernels/attention/additive_scores.h"
#include "kernels/attention/backward.h"
#include "kernels/attention/forward.h"
#include "kernels/conv/band.h"
#include "kernels/conv/by_channel.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/lines.h"
#include "kernels/conv/planes.h"
#include "kernels/conv/pool.h"
#include "kernels/conv/weight.h"
#include "kernels/conv/weight_band.h"
#include "kernels/conv/winograd.h"
#include "kernels/conv/winograd_weight.h"
#include "kernels/elementwise/dropout.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/linalg/blocks.h"
#include "kernels/matmul/matmul.h"
#include "kernels/recurrence/backward.h"
#include "kernels/recurrence/forward.h"
#include "kernels/regression/backward.h"
#include "kernels/regression/forward.h"
#include "kernels/regression/moments.h"
#include "kernels/rows/batch_norm.h"
#include "kernels/rows/cross_entropy.h"
#include "kernels/rows/layer_norm.h"
#include "kernels/rows/reduce.h"
#include "kernels/rows/rope.h"
#include "kernels/rows/softmax.h"
#include "kernels/simd/total.h"

#define KERNEL(type, name) type *const HEED__VERSION(heed__##name, HEED_ISA, HEED_ELEMENT_BITS) = name##_kernel;
#include "kernels/kernels.def"
