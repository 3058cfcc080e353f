/* examples/lexicon.h - words and how they sound, from a dictionary in Festival's format.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef LEXICON_H
#define LEXICON_H

#include "seq2seq.h"

enum { LEXICON_LETTERS = 27 }; /* 1 to 26 are a to z */
enum { LEXICON_MAX_LETTERS = 16, LEXICON_MAX_SOUNDS = 16, LEXICON_MAX_NAMES = 96 };

/* n words, from letters to sounds. */
typedef struct lexicon {
    int64_t n;
    int sounds;                       /* the number of distinct sounds, */
    char names[LEXICON_MAX_NAMES][8]; /* and their names */
    seq2seq_pairs pairs;
} lexicon;

/* Reads lines like ("heed" nil (((hh iy d) 1))). Only the first entry of a word counts; words with characters other
 * than a to z, and overlong words are left out. Returns false after heed_fail. */
bool lexicon_read(lexicon *lex, const char *path);

/* The number of wrong words, and the number of wrong sounds: the fewest insertions, deletions and changes. */
typedef struct lexicon_score {
    int64_t words, wrong_words, sounds, wrong_sounds;
} lexicon_score;

/* Compares rows of predicted sounds (n, .), up to their SEQ2SEQ_END, with the targets of the pairs at `rows` (n). */
lexicon_score lexicon_compare(const lexicon *lex, heed_tensor *rows, heed_tensor *heard);

/* A word as the source of one pair, without its target. Calls heed_fail if the word is empty, longer than
 * LEXICON_MAX_LETTERS, or has a character other than a to z. */
bool lexicon_spell(const char *word, seq2seq_pairs *pair);

/* Names the letters of a word and, after the name of SEQ2SEQ_BEGIN, the predicted sounds, a row (1, .), up to its
 * SEQ2SEQ_END. Returns the number of sounds. */
int lexicon_name(const lexicon *lex, const char *word, heed_tensor *heard, const char *letters[LEXICON_MAX_LETTERS],
                 const char *sounds[LEXICON_MAX_SOUNDS + 2]);

#endif
