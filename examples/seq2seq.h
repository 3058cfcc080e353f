/* examples/seq2seq.h - pairs of sequences, and the training of models that make the second from the first. */
#ifndef SEQ2SEQ_H
#define SEQ2SEQ_H

#define HEED_SITES /* errors say on which line */
#include <heed/heed.h>

enum { SEQ2SEQ_PAD, SEQ2SEQ_BEGIN, SEQ2SEQ_END, SEQ2SEQ_FIRST }; /* the targets' own codes begin with the last */

/* n pairs. All i64; they belong to the scope in which they were made. */
typedef struct seq2seq_pairs {
    heed_tensor *source;        /* (n, S), with pads behind the shorter ones */
    heed_tensor *source_length; /* (n) */
    heed_tensor *target;        /* (n, T): SEQ2SEQ_BEGIN, the sequence, SEQ2SEQ_END, pads */
    heed_tensor *target_length; /* (n), SEQ2SEQ_END counted and SEQ2SEQ_BEGIN not */
} seq2seq_pairs;

/* Of nothing but zeros: sources of at most `source` codes, targets of at most `target` and the two around them. */
seq2seq_pairs seq2seq_pairs_new(int64_t n, int64_t source, int64_t target);

/* Codes before the first SEQ2SEQ_END, of `most`. */
int seq2seq_length(const int64_t *codes, int64_t most);

/* Names of the codes of one sequence, and of what they are: of its axis. */
typedef struct seq2seq_names {
    const char *axis, *const *codes;
} seq2seq_names;

/* What models have in common: they begin with this, and fill it in. encoder_decoder.h and ctc.h have some. */
typedef struct seq2seq seq2seq;
struct seq2seq {
    heed_module base;

    /* Of a batch, to be made small. */
    heed_tensor *(*loss)(seq2seq *s, const seq2seq_pairs *batch);

    /* What the model makes of the sources of a batch, i64 (B, `steps` or fewer), with SEQ2SEQ_END behind the
     * shorter. */
    heed_tensor *(*predict)(seq2seq *s, const seq2seq_pairs *batch, int64_t steps);

    /* Draws how the model makes `made` (1, n) of a source (1, S). `from` has S names, `to` n + 1, of SEQ2SEQ_BEGIN and
     * what was made. */
    void (*draw)(seq2seq *s, heed_tensor *source, heed_tensor *made, seq2seq_names from, seq2seq_names to);
};

/* `epochs` passes over the pairs at `rows`, which are shuffled, with the options of saving.h. `unit` is what the
 * progress calls a pair. */
void seq2seq_train(seq2seq *s, const seq2seq_pairs *pairs, heed_tensor *rows, int64_t epochs, const char *unit);

/* What the model makes of the sources at `rows`: i64 (rows, T - 1), with SEQ2SEQ_END behind each. */
heed_tensor *seq2seq_predict(seq2seq *s, const seq2seq_pairs *pairs, heed_tensor *rows);

/* Calls draw, without dropout or a graph. */
void seq2seq_draw(seq2seq *s, heed_tensor *source, heed_tensor *made, seq2seq_names from, seq2seq_names to);

#endif
