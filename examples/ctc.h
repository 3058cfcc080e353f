/* examples/ctc.h - a model that writes a sequence without attention and without a decoder.
 *
 * A. Graves, S. Fernández, F. Gomez, J. Schmidhuber: Connectionist Temporal Classification: Labelling Unsegmented
 * Sequence Data with Recurrent Neural Networks (ICML 2006). An LSTM reads the source in both directions. It has
 * several frames per source code, and every frame says which code to write, or blank. The data do not give the frame
 * of a code: the loss sums over all alignments. The model therefore fits pairs with the same order from beginning to
 * end, such as letters and sounds, but not phrases of two languages.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef CTC_H
#define CTC_H

#include "seq2seq.h"

/* Its loss is the mean over the pairs of -ln p(target | source), divided by the target's length. It draws
 * alignment.png: in every frame the probability of each written code, and of a blank. */
seq2seq *ctc_new(int64_t source_codes, int64_t target_codes);

#endif
