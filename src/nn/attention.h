/* nn/attention.h - what the attention modules share. */
#ifndef HEED_NN_ATTENTION_H
#define HEED_NN_ATTENTION_H

#include <heed/ops.h>

#include "nn/layer.h"

/* Keys or values x (B, K, .) with zeros past what any query sees, so that what lies there does not reach the gradient
 * of a map of them. Lengths that do not fit are left to the op, which refuses them. */
heed_tensor *heed__nn_attention_seen(heed_tensor *x, heed_tensor *valid_lens, bool causal, int64_t queries);

#endif
