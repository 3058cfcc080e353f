/* nn/attention.h - what the attention modules share. */
#ifndef HEED_NN_ATTENTION_H
#define HEED_NN_ATTENTION_H

#include <heed/ops.h>

#include "nn/layer.h"

/* None of the three is NULL. False after heed_fail. */
bool heed__nn_attention_check_given(const char *where, const void *net, const heed_tensor *queries,
                                    const heed_tensor *keys, const heed_tensor *values);

/* The probability of dropout that a module's op is given: 0 unless it is training. */
double heed__nn_attention_dropout(const heed_module *m, double dropout);

/* The end of a forward: closes its scope, hands the result to the one around it, and puts the weights, detached, in the
 * place of *kept. With weights NULL, when none were asked for, that place is NULL. On failure, when result is NULL, it
 * stays as it was. */
heed_tensor *heed__nn_attention_return(heed_scope *scope, heed_tensor *result, heed_tensor **kept,
                                       heed_tensor *weights);

/* Keys or values x (B, K, .) with zeros past what any query sees, so that what lies there does not reach the gradient
 * of a map of them. Lengths that do not fit are left to the op, which refuses them. */
heed_tensor *heed__nn_attention_seen(heed_tensor *x, heed_tensor *valid_lens, bool causal, int64_t queries);

#endif
