/* examples/speller.h - a sequence-to-sequence model with Bahdanau attention, from letters to sounds. */
#ifndef SPELLER_H
#define SPELLER_H

#include "lexicon.h"

typedef struct speller {
    heed_module base;
    heed_nn_seq2seq_encoder *encoder;
    heed_nn_bahdanau_decoder *decoder;
} speller;

speller *speller_new(const lexicon *lex);

/* Mean over the sounds of the words at `rows` of -ln p(sound | spelling, sounds before). */
heed_tensor *speller_loss(speller *s, const lexicon *lex, heed_tensor *rows);

/* spelling i64 (B, letters) and its lengths (B), or NULL -> the most probable sound after the ones before, step by
 * step, (B, steps). `weights` receives where each step looked, (B, steps, letters), unless it is NULL. */
heed_tensor *speller_pronounce(speller *s, heed_tensor *spelling, heed_tensor *lengths, heed_tensor **weights);

#endif
