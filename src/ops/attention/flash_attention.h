/* ops/attention/flash_attention.h - dot-product attention as one op, which never has its weights in memory. */
#ifndef HEED_OPS_ATTENTION_FLASH_ATTENTION_H
#define HEED_OPS_ATTENTION_FLASH_ATTENTION_H

#include <heed/precision.h>

#include "ops/attention/sight.h"

/* The inputs: those from OPTIONAL on where params say. */
enum { HEED_FLASH_Q, HEED_FLASH_K, HEED_FLASH_V, HEED_FLASH_OPTIONAL };
enum { HEED_FLASH_LENS, HEED_FLASH_MASK, HEED_FLASH_BIAS, HEED_FLASH_BY_DISTANCE, HEED_FLASH_OPTIONS };

/* What gradients are of: the first three inputs, and these two. */
enum { HEED_FLASH_DBIAS = HEED_FLASH_OPTIONAL, HEED_FLASH_DBY_DISTANCE, HEED_FLASH_GRADS };

typedef struct heed__flash_params {
    double scale;
    bool causal;
    bool heads_inner; /* as heads.h has it */
    bool drops;
    int8_t at[HEED_FLASH_OPTIONS]; /* the numbers of optional inputs; 0: not there */
    heed__dropout_numbers dropout;
    int64_t window, offset;
    heed_precision precision; /* of forward, which backward has to meet: it makes the scores again */
} heed__flash_params;

/* dropout(softmax(scale q k^T + terms)) v, of shapes that fit, and a sight that is checked. params->at is filled
 * here. */
heed_tensor *heed__flash_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, const heed__sight *sight,
                                   const heed__flash_params *params);

/* -- Of a call of the op ------------------------------------------------------------------------------------------- */

heed__sight heed__flash_sight(const heed_call *call);

/* flash_run.c: the work. q, k, v and g with contiguous rows; out: the result and its statistics. dx are contiguous, of
 * k and v with all heads of q, and, zeros before, of the bias (B, H, Q, K), with 1 for B or H where the bias has it,
 * and of what is added by distance; NULL for those that are not wanted. False after heed_fail. */
bool heed__flash_forward(const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2]);
bool heed__flash_backward(const heed_call *call, heed_tensor *const in[3], const heed_tensor *g,
                          heed_tensor *const dx[HEED_FLASH_GRADS]);

#endif
