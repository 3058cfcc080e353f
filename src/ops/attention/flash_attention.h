/* ops/attention/flash_attention.h - dot-product attention as one op, which never has its weights in memory. */
#ifndef HEED_OPS_ATTENTION_FLASH_ATTENTION_H
#define HEED_OPS_ATTENTION_FLASH_ATTENTION_H

#include "ops/support.h"

typedef struct heed__flash_params {
    double scale;
    bool causal;
    bool heads_inner; /* as heads.h has it */
    bool drops;
    heed__dropout_numbers dropout;
} heed__flash_params;

/* dropout(softmax(scale q k^T)) v, of shapes that fit, and lengths that are checked, or NULL. */
heed_tensor *heed__flash_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *lens,
                                   const heed__flash_params *params);

#endif
