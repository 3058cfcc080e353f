/* examples/lexicon.h - words and how they sound, from a dictionary in Festival's format. */
#ifndef LEXICON_H
#define LEXICON_H

#define HEED_SITES /* errors say on which line */
#include <heed/heed.h>

enum { LEXICON_PAD = 0, LEXICON_BEGIN = 1, LEXICON_END = 2 }; /* beside the sounds; letters have only the first */
enum { LEXICON_LETTERS = 27 };                                /* 1 to 26 are a to z */
enum { LEXICON_MAX_LETTERS = 16, LEXICON_MAX_SOUNDS = 16, LEXICON_MAX_NAMES = 96 };

/* n words. Tensors are i64 and belong to the scope in which the lexicon was read. */
typedef struct lexicon {
    int64_t n;
    int sounds;                       /* how many different ones there are, */
    char names[LEXICON_MAX_NAMES][8]; /* and their names */
    heed_tensor *spelling;            /* (n, LEXICON_MAX_LETTERS), padded with LEXICON_PAD */
    heed_tensor *spelling_length;     /* (n) */
    heed_tensor *sound;               /* (n, LEXICON_MAX_SOUNDS + 2): LEXICON_BEGIN, the sounds, LEXICON_END, pads */
    heed_tensor *sound_length;        /* (n), LEXICON_END counted and LEXICON_BEGIN not */
} lexicon;

/* Reads lines like ("heed" nil (((hh iy d) 1))). The first entry of a word counts; words with other characters than a
 * to z, and longer ones than fit, are left out. False after heed_fail. */
bool lexicon_read(lexicon *lex, const char *path);

/* The first `length` columns of the rows of a table; and the longest of some lengths. */
heed_tensor *lexicon_pick(heed_tensor *table, heed_tensor *rows, int64_t length);
int64_t lexicon_longest(heed_tensor *lengths);

/* How many words came out wrong, and how many sounds: the fewest insertions, deletions and changes. */
typedef struct lexicon_score {
    int64_t words, wrong_words, sounds, wrong_sounds;
} lexicon_score;

/* Adds rows of sounds heard (n, .), up to their LEXICON_END, against rows of `sound`. */
void lexicon_compare(heed_tensor *heard, heed_tensor *sound, lexicon_score *score);

/* Letters of a word as one row (1, length); NULL after heed_fail for a character other than a to z, for none, or for
 * more than LEXICON_MAX_LETTERS. */
heed_tensor *lexicon_spell(const char *word);

/* The letters of a word and the names of the sounds heard, a row (1, .), up to its LEXICON_END: returns how many. */
int lexicon_name(const lexicon *lex, const char *word, heed_tensor *heard, const char *letters[LEXICON_MAX_LETTERS],
                 const char *sounds[LEXICON_MAX_SOUNDS + 1]);

#endif
