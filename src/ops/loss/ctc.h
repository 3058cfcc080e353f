/* ops/loss/ctc.h - shared by the two gradients of ctc_loss.
 *
 * A. Graves, S. Fernandez, F. Gomez, J. Schmidhuber: Connectionist Temporal Classification (ICML 2006). A target of s
 * labels has 2 s + 1 states: its labels and the blanks before, between and after them. From one step to the next, a
 * path stays in its state, moves to the next state, or moves from a label to the next label without the blank between
 * them, if the two labels differ. */
#ifndef HEED_OPS_LOSS_CTC_H
#define HEED_OPS_LOSS_CTC_H

#include "ops/loss/loss.h"

/* Inputs: log_probs (T, B, C), targets (B, S), input_lens (B), target_lens (B). */
typedef struct heed__ctc {
    int64_t steps, batch, classes, labels; /* T, B, C, S */
    const int64_t *targets, *input_lens, *target_lens;
    int64_t blank;
} heed__ctc;

heed__ctc heed__ctc_of(const heed_shape *log_probs, const heed_tensor *targets, const heed_tensor *input_lens,
                       const heed_tensor *target_lens, int64_t blank);

/* Returns the class of state number `state` of target b. */
static inline int64_t heed__ctc_class(const heed__ctc *c, int64_t b, int64_t state)
{
    return state % 2 == 0 ? c->blank : c->targets[b * c->labels + state / 2];
}

/* Returns true if a path may move from state - 2 to `state` in one step. */
static inline bool heed__ctc_skips(const heed__ctc *c, int64_t b, int64_t state)
{
    return state % 2 == 1 && state >= 2 && heed__ctc_class(c, b, state) != heed__ctc_class(c, b, state - 2);
}

/* The gradient of log_probs, composed of ops so that it can be differentiated again. */
heed_tensor *heed__ctc_gradient(const heed__ctc *c, heed_tensor *log_probs, heed_tensor *g);

#endif
