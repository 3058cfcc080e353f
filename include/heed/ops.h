/* heed/ops.h - rules common to all ops; every family of ops has its own header in heed/ops.
 *
 * Every op is recorded and differentiable.
 *
 * In all comments x, y, a, b are tensors; g is the gradient that arrives at the result. Elementwise ops accept f32 and
 * f64, but not a mix (HEED_ERR_DTYPE), and any layout. Two tensors of different shapes are broadcast as in NumPy, and
 * their gradients are summed back to their shapes. A negative axis counts from the end; HEED_ERR_SHAPE for an axis that
 * does not exist. Empty tensors are valid. All ops return NULL on failure (HEED_ERR_ARGUMENT for a NULL tensor,
 * HEED_ERR_NOMEM).
 *
 * The first op of a process chooses the best instruction set of the CPU, or the instruction set in the environment
 * variable HEED_ISA: scalar, avx2 or avx512; on AArch64 scalar or neon. Results have the same bits with avx2, avx512
 * and neon, except products rounded to bf16 (heed/precision.h). With scalar the last bits differ, so if HEED_ISA has an
 * unknown name, or names an instruction set that this CPU or build lacks, every op fails with HEED_ERR_ARGUMENT. An
 * empty value counts as unset.
 *
 * Sums of millions of f32 numbers stay accurate, forward and backward, whether they run over axes, rows, the inner axis
 * of a product, keys, queries, or elements with the same index. Sums of more than 4096 terms are made of blocks, which
 * are added with compensation for rounding; the relative error of a million positive terms, even equal ones, is below
 * 2e-6. Only sums over the features of attention (d, and h of additive attention), which have few terms, are computed
 * without blocks.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_H
#define HEED_OPS_H

#include <heed/ops/attention.h>
#include <heed/ops/conv.h>
#include <heed/ops/elementwise.h>
#include <heed/ops/index.h>
#include <heed/ops/linalg.h>
#include <heed/ops/logic.h>
#include <heed/ops/loss.h>
#include <heed/ops/norm.h>
#include <heed/ops/pool.h>
#include <heed/ops/product.h>
#include <heed/ops/recurrence.h>
#include <heed/ops/reduce.h>
#include <heed/ops/shape.h>
#include <heed/ops/softmax.h>

#endif
