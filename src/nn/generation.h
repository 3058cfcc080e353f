/* nn/generation.h - declarations shared by heed_generate and beam search. */
#ifndef HEED_NN_GENERATION_H
#define HEED_NN_GENERATION_H

#include <heed/generate.h>

/* Initial capacity in steps. It is doubled when it is exceeded. */
enum { HEED__GENERATION_CAPACITY = 64 };

/* Returns `tokens` (N, capacity) if it has capacity for step t, else a copy with a larger capacity, at most max_steps.
 * Returns NULL after heed_fail. */
heed_tensor *heed__generation_reserve(heed_tensor *tokens, int64_t t, int64_t max_steps);

/* Checks the arguments that generation and beam search share. Returns false after heed_fail. */
bool heed__generation_check(const char *where, heed_generation_step step, const heed_tensor *prompt, int64_t max_steps);

/* Calls the model, `step`. Returns the logits (N, V) of the token that follows tokens (N, T), with V above 0. Returns
 * NULL after heed_fail. */
heed_tensor *heed__generation_call(const char *where, heed_generation_step step, void *user, heed_tensor *tokens,
                                   heed_tensor *rows);

#endif
