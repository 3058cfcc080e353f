/* ops/attention/flash_attention.h - dot-product attention as one op that never stores its weights. */
#ifndef HEED_OPS_ATTENTION_FLASH_ATTENTION_H
#define HEED_OPS_ATTENTION_FLASH_ATTENTION_H

#include <heed/precision.h>

#include "ops/attention/visibility.h"

/* The inputs. The second enum lists the optional inputs, which follow v; params.at holds their indices. */
enum { HEED_FLASH_Q, HEED_FLASH_K, HEED_FLASH_V, HEED_FLASH_OPTIONAL };
enum { HEED_FLASH_LENS, HEED_FLASH_MASK, HEED_FLASH_BIAS, HEED_FLASH_RELATIVE_BIAS, HEED_FLASH_OPTIONS };

/* Indices of the gradients: for q, k and v the same as of the inputs, then the bias and the relative bias. */
enum { HEED_FLASH_DBIAS = HEED_FLASH_OPTIONAL, HEED_FLASH_DRELATIVE_BIAS, HEED_FLASH_GRADS };

typedef struct heed__flash_params {
    double scale;
    bool causal;
    bool heads_inner; /* see heads.h */
    bool drops;
    int8_t at[HEED_FLASH_OPTIONS]; /* indices of the optional inputs; 0 if absent */
    heed__dropout_numbers dropout;
    int64_t window, offset;
    heed_precision precision; /* precision of forward and, because it recomputes the scores, of backward */
} heed__flash_params;

/* dropout(softmax(scale q k^T + score bias)) v for shapes that fit and a checked visibility. The function sets the
 * params' `at` itself. */
heed_tensor *heed__flash_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, const heed__visibility *visibility,
                                   const heed__flash_params *params);

/* -- From a call of the op ----------------------------------------------------------------------------------------- */

heed__visibility heed__flash_visibility(const heed_call *call);

/* flash_run.c: the computation. `in` holds q, k and v; their rows and the rows of g must be contiguous. `out` holds the
 * result and the statistics. The gradients dx must be contiguous, or NULL if not requested. dk and dv have one head per
 * head of q. The gradient of the bias is (B, H, Q, K), with size 1 for B or H if the bias has size 1 there. It and the
 * gradient of the relative bias must hold zeros before the call. Return false after heed_fail. */
bool heed__flash_forward(const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2]);
bool heed__flash_backward(const heed_call *call, heed_tensor *const in[3], const heed_tensor *g,
                          heed_tensor *const dx[HEED_FLASH_GRADS]);

#endif
