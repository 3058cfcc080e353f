/* ops/attention/flash_attention.h - dot-product attention as one op, which never has its weights in memory. */
#ifndef HEED_OPS_ATTENTION_FLASH_ATTENTION_H
#define HEED_OPS_ATTENTION_FLASH_ATTENTION_H

#include "ops/support.h"

typedef struct heed_flash_params {
    double scale;
    bool causal;
    bool heads_inner; /* (B, rows, H, width), else (B, H, rows, width); or (B, rows, width) */
    bool drops;
    heed_dropout_args dropout;
} heed_flash_params;

/* dropout(softmax(scale q k^T)) v, of shapes and lengths that fit; lens is contiguous, i64 (B) or (B, Q), or NULL. */
heed_tensor *heed__flash_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *lens,
                                   const heed_flash_params *params);

#endif
