/* ops/attention/flash_attention.h - dot-product attention as one op that never stores its weights.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_ATTENTION_FLASH_ATTENTION_H
#define HEED_OPS_ATTENTION_FLASH_ATTENTION_H

#include <heed/precision.h>

#include "ops/attention/attention.h"

/* The inputs. The tensors of the options follow v. */
enum { HEED_FLASH_Q, HEED_FLASH_K, HEED_FLASH_V, HEED_FLASH_OPTIONAL };

/* Indices of the gradients: for q, k and v the same as of the inputs, then the bias and the relative bias. */
enum { HEED_FLASH_DBIAS = HEED_FLASH_OPTIONAL, HEED_FLASH_DRELATIVE_BIAS, HEED_FLASH_GRADS };

typedef struct heed__flash_params {
    double scale;
    bool heads_inner; /* see heads.h */
    bool drops;
    heed__visibility_params visibility;
    heed__dropout_numbers dropout;
    heed_precision precision; /* precision of forward and, because it recomputes the scores, of backward */
} heed__flash_params;

/* dropout(softmax(scale q k^T + score bias)) v, between heed__attention_begin and heed__attention_end. */
heed_tensor *heed__flash_attention(const heed__attention *at, heed_tensor *q, heed_tensor *k, heed_tensor *v,
                                   double scale);

/* flash_run.c: the computation. `in` holds q, k and v; their rows and the rows of g must be contiguous. `out` holds the
 * result and the statistics. The gradients dx must be contiguous, or NULL if not requested. dk and dv have one head per
 * head of q. The gradient of the bias is (B, H, Q, K), with size 1 for B or H if the bias has size 1 there. It and the
 * gradient of the relative bias must hold zeros before the call. Return false after heed_fail. */
bool heed__flash_forward(const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2]);
bool heed__flash_backward(const heed_call *call, heed_tensor *const in[3], const heed_tensor *g,
                          heed_tensor *const dx[HEED_FLASH_GRADS]);

#endif
