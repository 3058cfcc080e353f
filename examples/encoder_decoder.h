/* examples/encoder_decoder.h - models that write a sequence code by code, looking at the source by attention.
 *
 * Their loss is the mean over the target codes of -ln p(code | source, codes before). They draw where they look:
 * alignment.png, of each code made at the source's, and of a Transformer source.png and target.png, of each sequence at
 * itself; a row of panels for each layer, a column for each head.
 */
#ifndef ENCODER_DECODER_H
#define ENCODER_DECODER_H

#include "seq2seq.h"

/* A GRU that reads and one with Bahdanau attention that writes; a Transformer. With one beam they write the likeliest
 * code at each step, with more the best sequence that beam search finds. */
seq2seq *encoder_decoder_new_gru(int64_t source_codes, int64_t target_codes, int64_t beams);
seq2seq *encoder_decoder_new_transformer(int64_t source_codes, int64_t target_codes, int64_t beams);

#endif
