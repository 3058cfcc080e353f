/* examples/lexicon.h - words and how they sound, from a dictionary in Festival's format. */
#ifndef LEXICON_H
#define LEXICON_H

#include "seq2seq.h"

enum { LEXICON_LETTERS = 27 }; /* 1 to 26 are a to z */
enum { LEXICON_MAX_LETTERS = 16, LEXICON_MAX_SOUNDS = 16, LEXICON_MAX_NAMES = 96 };

/* n words, from their letters to their sounds. */
typedef struct lexicon {
    int64_t n;
    int sounds;                       /* how many different ones there are, */
    char names[LEXICON_MAX_NAMES][8]; /* and their names */
    seq2seq_pairs pairs;
} lexicon;

/* Reads lines like ("heed" nil (((hh iy d) 1))). The first entry of a word counts; words with other characters than a
 * to z, and longer ones than fit, are left out. False after heed_fail. */
bool lexicon_read(lexicon *lex, const char *path);

/* How many words came out wrong, and how many sounds: the fewest insertions, deletions and changes. */
typedef struct lexicon_score {
    int64_t words, wrong_words, sounds, wrong_sounds;
} lexicon_score;

/* Rows of sounds heard (n, .), up to their SEQ2SEQ_END, against the targets of the pairs at `rows` (n). */
lexicon_score lexicon_compare(const lexicon *lex, heed_tensor *rows, heed_tensor *heard);

/* A word as the source of one pair, without its target. Fails with heed_fail for a character other than a to z, for
 * none, or for more than LEXICON_MAX_LETTERS. */
bool lexicon_spell(const char *word, seq2seq_pairs *pair);

/* The letters of a word, and behind the name of SEQ2SEQ_BEGIN those of the sounds heard, a row (1, .), up to its
 * SEQ2SEQ_END: returns how many sounds. */
int lexicon_name(const lexicon *lex, const char *word, heed_tensor *heard, const char *letters[LEXICON_MAX_LETTERS],
                 const char *sounds[LEXICON_MAX_SOUNDS + 2]);

#endif
