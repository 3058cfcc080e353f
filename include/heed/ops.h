/* heed/ops.h - what all ops have in common; each family has a header of its own in heed/ops.
 *
 * Each op is recorded and differentiable.
 *
 * Everywhere: x, y, a, b are tensors; g is the gradient that arrives at the result. Elementwise ops take f32 and f64,
 * never a mix (HEED_ERR_DTYPE), and any layout. Two tensors of different shapes are broadcast as NumPy does, and
 * their gradients summed back. A negative axis counts from the end; HEED_ERR_SHAPE for one that is not there. Empty
 * tensors are legal. All return NULL on failure (HEED_ERR_ARGUMENT for a NULL tensor, HEED_ERR_NOMEM).
 *
 * The first op of a process chooses the best instruction set of the CPU, or that of the environment variable HEED_ISA:
 * scalar, avx2 or avx512; on AArch64 scalar or neon. Last bits may differ between them, so if HEED_ISA names another
 * one, or one that this CPU or build lacks, every op fails with HEED_ERR_ARGUMENT. An empty value counts as none.
 *
 * Sums of millions of f32 keep their digits, forward and backward: over axes, rows, inner indices, keys, queries, or
 * what indices send to one place. Beyond 4096 terms they are made of blocks, which are added up with what rounding
 * loses; the relative error of a million positive terms, equal ones too, is below 2e-6. Only features of attention, of
 * which there are not so many (d, and h of additive attention), are summed as they come.
 */
#ifndef HEED_OPS_H
#define HEED_OPS_H

#include <heed/ops/attention.h>
#include <heed/ops/conv.h>
#include <heed/ops/elementwise.h>
#include <heed/ops/index.h>
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
