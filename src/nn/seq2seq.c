/* nn/seq2seq.c - a check shared by the encoder and decoders of sequence-to-sequence models. */

#include "nn/seq2seq.h"

#include "nn/layer.h"

bool heed__seq2seq_check(const char *where, int64_t vocab_size, int64_t embed_size, int64_t hidden_size,
                         const heed_nn_seq2seq_options *options)
{
    return heed__layer_check_size(where, "vocab_size", vocab_size) &&
           heed__layer_check_size(where, "embed_size", embed_size) &&
           heed__layer_check_size(where, "hidden_size", hidden_size) &&
           heed__layer_check_dropout(where, options->dropout) && heed__layer_check_dtype(where, options->dtype);
}
