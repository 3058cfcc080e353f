/* nn/decoder.h - shared by the files of decoder-only Transformers.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_DECODER_INTERNAL_H
#define HEED_NN_DECODER_INTERNAL_H

#include "nn/layer.h"

/* Name of the tensor of a GGUF file with the numbers by which RoPE's frequencies are divided. */
#define HEED__ROPE_DIVISORS "rope_freqs.weight"

/* Loads the parameters of a dict with GGUF's names, as heed_nn_decoder_load does. */
heed_status heed__decoder_load_gguf(const char *where, heed_nn_decoder *net, const heed_dict *from);

/* Lets the attentions of all blocks use RoPE's frequencies f64 (pairs). Their RoPE must be scaled. */
void heed__decoder_set_frequencies(const heed_nn_decoder *net, heed_tensor *frequencies);

#endif
