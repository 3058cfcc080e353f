/* examples/phrases.h - reads phrases in two languages from a table, as pairs of sequences of words.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef PHRASES_H
#define PHRASES_H

#include "seq2seq.h"

enum { PHRASES_UNKNOWN = SEQ2SEQ_FIRST, PHRASES_FIRST }; /* unknown and first known word */
enum { PHRASES_MAX_WORDS = 20 };                         /* longer phrases are cut */

/* n phrases and their translations, in random order. The first tenth is held out. */
typedef struct phrases {
    int64_t n, held_out;
    heed_categories *source_words, *target_words; /* words that occur at least twice in the training pairs */
    seq2seq_pairs pairs;
} phrases;

/* Reads the first two columns of a CSV file with a header; words are separated by blanks. Refuses a file with fewer
 * than two rows or columns. */
phrases phrases_read(const char *path);

void phrases_free(phrases *p);

/* The number of codes of a vocabulary, including the special codes, and the word of a code. */
int64_t phrases_codes(const heed_categories *words);
const char *phrases_word(const heed_categories *words, int64_t code);

/* A phrase as the source of one pair, without its target. Refuses one without words. */
seq2seq_pairs phrases_ask(const phrases *p, const char *text);

/* BLEU of n written codes for a translation of m codes: exp(min(0, 1 - m / n)) p_1^(1/2) p_2^(1/4), where p_k is the
 * share of the written k-grams that also occur in the translation, counted at most as often as there. Unknown words
 * match no word; a single word has no p_2.
 * K. Papineni et al.: BLEU: a Method for Automatic Evaluation of Machine Translation (ACL 2002), as in the book's
 * 10.7.6 with k = 2. */
double phrases_bleu(const int64_t *made, int n, const int64_t *translation, int m);

#endif
