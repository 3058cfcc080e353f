/* examples/encoder_decoder.h - models that write a sequence code by code and attend to the source.
 *
 * Their loss is the mean over the target codes of -ln p(code | source, preceding codes). They draw their attention
 * weights: alignment.png, from written codes to source codes, and for a Transformer also source.png and target.png,
 * from a sequence to itself. A row of panels is a layer, a column is a head.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef ENCODER_DECODER_H
#define ENCODER_DECODER_H

#include "seq2seq.h"

/* A GRU encoder with a Bahdanau attention decoder, and a Transformer. With one beam they write the likeliest code at
 * every step, with more the best sequence that beam search finds. */
seq2seq *encoder_decoder_new_gru(int64_t source_codes, int64_t target_codes, int64_t beams);
seq2seq *encoder_decoder_new_transformer(int64_t source_codes, int64_t target_codes, int64_t beams);

#endif
