/* examples/phrases.h - phrases in two languages, from a table, as pairs of sequences of words. */
#ifndef PHRASES_H
#define PHRASES_H

#include "seq2seq.h"

enum {
    PHRASES_UNKNOWN = SEQ2SEQ_FIRST,
    PHRASES_FIRST
};                               /* a word that is not in the vocabulary, and the first that is */
enum { PHRASES_MAX_WORDS = 20 }; /* longer phrases are cut */

/* n phrases and their translations, in an order drawn by the generator. The first tenth are held out. */
typedef struct phrases {
    int64_t n, held_out;
    heed_categories *source_words, *target_words; /* those that are twice or more in the pairs for training */
    seq2seq_pairs pairs;
} phrases;

/* Reads the first two columns of a CSV file with a header; words are what stands between blanks. Refuses a file with
 * fewer than two rows or columns. */
phrases phrases_read(const char *path);

void phrases_free(phrases *p);

/* How many codes a vocabulary has with those that stand for no word, and the word of a code. */
int64_t phrases_codes(const heed_categories *words);
const char *phrases_word(const heed_categories *words, int64_t code);

/* A phrase as the source of one pair, without its target. Refuses one without words. */
seq2seq_pairs phrases_ask(const phrases *p, const char *text);

/* BLEU of n codes made, the translation being m codes: exp(min(0, 1 - m / n)) p_1^(1/2) p_2^(1/4), where p_k is the
 * share of the k-grams made that the translation has too, each as often as it is there. Unknown words match nothing; of
 * a single word p_2 is left out.
 * K. Papineni et al.: BLEU: a Method for Automatic Evaluation of Machine Translation (ACL 2002), as in the book's
 * 10.7.6 with k = 2. */
double phrases_bleu(const int64_t *made, int n, const int64_t *translation, int m);

#endif
