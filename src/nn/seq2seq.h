/* nn/seq2seq.h - a check shared by the encoder and decoders of sequence-to-sequence models. */
#ifndef HEED_NN_SEQ2SEQ_H
#define HEED_NN_SEQ2SEQ_H

#include <heed/recurrent.h>

/* Checks a constructor's arguments, except num_layers, which the GRU checks. Returns false after heed_fail. */
bool heed__seq2seq_check(const char *where, int64_t vocab_size, int64_t embed_size, int64_t hidden_size,
                         const heed_nn_seq2seq_options *options);

#endif
