/* examples/ctc.h - a model that writes a sequence without attention and without a decoder.
 *
 * A. Graves, S. Fernández, F. Gomez, J. Schmidhuber: Connectionist Temporal Classification: Labelling Unsegmented
 * Sequence Data with Recurrent Neural Networks (ICML 2006). An LSTM reads the source in both directions and says in
 * each of its frames, some for each code read, which code to write, or nothing. Nobody says in which frame: the loss
 * sums over all ways. So it is for pairs that go the same way from beginning to end, as letters and sounds do, and
 * phrases of two languages do not.
 */
#ifndef CTC_H
#define CTC_H

#include "seq2seq.h"

/* Its loss is the mean over the pairs of -ln p(target | source), each divided by the target's length. It draws
 * alignment.png: how likely it found each of the codes made, and to write nothing, in each frame. */
seq2seq *ctc_new(int64_t source_codes, int64_t target_codes);

#endif
