/* nn/generation.h - what drawing and beam search share. */
#ifndef HEED_NN_GENERATION_H
#define HEED_NN_GENERATION_H

#include <heed/generate.h>

/* Steps that there is room for at first; what is longer doubles it. */
enum { HEED__GENERATION_ROOM = 64 };

/* (N, steps), which becomes wider where step t has no room, of at most max_steps. NULL after heed_fail. */
heed_tensor *heed__generation_room(heed_tensor *tokens, int64_t t, int64_t max_steps);

/* What both are given. False after heed_fail. */
bool heed__generation_check(const char *where, heed_generation_step step, const heed_tensor *prompt, int64_t max_steps);

/* What the model says comes next: logits (N, V) of tokens (N, T), V above 0. NULL after heed_fail. */
heed_tensor *heed__generation_call(const char *where, heed_generation_step step, void *user, heed_tensor *tokens,
                                   heed_tensor *rows);

#endif
