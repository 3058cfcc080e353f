/* ops/attention/flash_attention.h - dot-product attention as one op that never stores its weights. */
#ifndef HEED_OPS_ATTENTION_FLASH_ATTENTION_H
#define HEED_OPS_ATTENTION_FLASH_ATTENTION_H

#include <heed/precision.h>

#include "ops/attention/visibility.h"

/* The inputs. The params hold the indices of those from OPTIONAL on. */
enum { HEED_FLASH_Q, HEED_FLASH_K, HEED_FLASH_V, HEED_FLASH_OPTIONAL };
enum { HEED_FLASH_LENS, HEED_FLASH_MASK, HEED_FLASH_BIAS, HEED_FLASH_RELATIVE_BIAS, HEED_FLASH_OPTIONS };

/* The gradients: of the first three inputs and of two optional ones. */
enum { HEED_FLASH_DBIAS = HEED_FLASH_OPTIONAL, HEED_FLASH_DRELATIVE_BIAS, HEED_FLASH_GRADS };

typedef struct heed__flash_params {
    double scale;
    bool causal;
    bool heads_inner; /* see heads.h */
    bool drops;
    int8_t at[HEED_FLASH_OPTIONS]; /* indices of the optional inputs; 0 if absent */
    heed__dropout_numbers dropout;
    int64_t window, offset;
    heed_precision precision; /* of forward; backward uses the same because it recomputes the scores */
} heed__flash_params;

/* dropout(softmax(scale q k^T + score bias)) v for shapes that fit and a checked visibility. params->at is filled in
 * here. */
heed_tensor *heed__flash_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, const heed__visibility *visibility,
                                   const heed__flash_params *params);

/* -- From a call of the op ----------------------------------------------------------------------------------------- */

heed__visibility heed__flash_visibility(const heed_call *call);

/* flash_run.c: the computation. q, k, v and g have contiguous rows; out is the result and its statistics. dx are
 * contiguous, and NULL if not requested. dk and dv have all heads of q. The gradients of the bias (B, H, Q, K), with
 * size 1 for B or H if the bias has size 1 there, and of the bias by distance must hold zeros before the call. Return
 * false after heed_fail. */
bool heed__flash_forward(const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2]);
bool heed__flash_backward(const heed_call *call, heed_tensor *const in[3], const heed_tensor *g,
                          heed_tensor *const dx[HEED_FLASH_GRADS]);

#endif
