/* examples/seq2seq.h - pairs of sequences, and the training of models that make the second from the first.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef SEQ2SEQ_H
#define SEQ2SEQ_H

#define HEED_SITES /* makes errors name the line */
#include <heed/heed.h>

enum { SEQ2SEQ_PAD, SEQ2SEQ_BEGIN, SEQ2SEQ_END, SEQ2SEQ_FIRST }; /* the targets' own codes begin with SEQ2SEQ_FIRST */

/* n pairs. All tensors are i64; they belong to the scope in which they were made. */
typedef struct seq2seq_pairs {
    heed_tensor *source;        /* (n, S), padded at the end */
    heed_tensor *source_length; /* (n) */
    heed_tensor *target;        /* (n, T): SEQ2SEQ_BEGIN, the sequence, SEQ2SEQ_END, pads */
    heed_tensor *target_length; /* (n), counts SEQ2SEQ_END but not SEQ2SEQ_BEGIN */
} seq2seq_pairs;

/* Pairs filled with zeros: at most `source` codes per source, and `target` per target, plus its first and last code. */
seq2seq_pairs seq2seq_pairs_new(int64_t n, int64_t source, int64_t target);

/* The number of codes before the first SEQ2SEQ_END, at most `most`. */
int seq2seq_length(const int64_t *codes, int64_t most);

/* Names of the codes of one sequence, and the label of its axis. */
typedef struct seq2seq_names {
    const char *axis, *const *codes;
} seq2seq_names;

/* The interface of a model: models begin with this struct and fill it in. encoder_decoder.h and ctc.h have some. */
typedef struct seq2seq seq2seq;
struct seq2seq {
    heed_module base;

    /* The loss of a batch, to be minimized. */
    heed_tensor *(*loss)(seq2seq *s, const seq2seq_pairs *batch);

    /* The model's outputs for the sources of a batch, i64 (B, `steps` or fewer); shorter ones end in SEQ2SEQ_END. */
    heed_tensor *(*predict)(seq2seq *s, const seq2seq_pairs *batch, int64_t steps);

    /* Draws how the model made `made` (1, n) from a source (1, S). `from` has S names; `to` has n + 1, for
     * SEQ2SEQ_BEGIN and the codes made. */
    void (*draw)(seq2seq *s, heed_tensor *source, heed_tensor *made, seq2seq_names from, seq2seq_names to);
};

/* Trains for `epochs` passes over the pairs at `rows`, which are shuffled, with the options of saving.h. `unit` is
 * the name of a pair in the progress output. */
void seq2seq_train(seq2seq *s, const seq2seq_pairs *pairs, heed_tensor *rows, int64_t epochs, const char *unit);

/* The model's outputs for the sources at `rows`: i64 (rows, T - 1); every row ends in SEQ2SEQ_END. */
heed_tensor *seq2seq_predict(seq2seq *s, const seq2seq_pairs *pairs, heed_tensor *rows);

/* Calls draw, without dropout or a graph. */
void seq2seq_draw(seq2seq *s, heed_tensor *source, heed_tensor *made, seq2seq_names from, seq2seq_names to);

#endif
