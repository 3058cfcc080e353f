/* nn/generation.h - shared by sampling and beam search. */
#ifndef HEED_NN_GENERATION_H
#define HEED_NN_GENERATION_H

#include <heed/generate.h>

/* Initial capacity in steps; doubled when exceeded. */
enum { HEED__GENERATION_CAPACITY = 64 };

/* Returns `tokens` (N, steps), widened up to max_steps if it lacks capacity for step t. Returns NULL after
 * heed_fail. */
heed_tensor *heed__generation_reserve(heed_tensor *tokens, int64_t t, int64_t max_steps);

/* Checks the common arguments. Returns false after heed_fail. */
bool heed__generation_check(const char *where, heed_generation_step step, const heed_tensor *prompt, int64_t max_steps);

/* Calls the model: returns logits (N, V) of the token after tokens (N, T), with V above 0. Returns NULL after
 * heed_fail. */
heed_tensor *heed__generation_call(const char *where, heed_generation_step step, void *user, heed_tensor *tokens,
                                   heed_tensor *rows);

#endif
